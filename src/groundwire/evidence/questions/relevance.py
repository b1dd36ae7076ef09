"""How relevant a passage is to a question, and which passages a mind should see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from groundwire.evidence.data import data_lines
from groundwire.evidence.pages.presence import publication_day
from groundwire.evidence.questions.candidates import TIER_WEIGHT, candidates, usable
from groundwire.evidence.questions.coverage import named_things, rarity
from groundwire.evidence.questions.facets import facet_words
from groundwire.evidence.questions.intent import Intent, parse_question
from groundwire.language.text.tokens import best_relevance, query_terms, simplify
from groundwire.model.source import Evidence, NumberedPassage, Passage

FLOOR = 0.2
PER_EVIDENCE = 3
_READ = 80  # passages that are read closely
_READ_OF_A_PAGE = 8
_NEXT = 0.92  # worth of a page's next passage, relative to the better one
_SOURCE_SHARE = 0.1  # of the ranking; never lifts a passage over the floor
_AGAIN = 0.8  # worth of an origin's next passage, relative to the one before
_NAMED_ONLY = 0.7  # worth of a passage with the names of a question and none of its words
_SUSPECT_SHARE = 0.5  # puts satire and injected pages after equally relevant ones


@dataclass(frozen=True, slots=True)
class RankedPassage:
    """A passage as a mind may see it, not yet numbered, and its rank among others."""

    passage: NumberedPassage
    start: int
    rank: float


def rank_passages(
    question: str, queries: Sequence[str], evidence: Sequence[Evidence]
) -> list[RankedPassage]:
    """Rank the passages over the floor, at most three a page; the order given does not matter."""
    intent = parse_question(question)
    # Only the subject of the question: its other words stand in every page.
    about = " ".join(term.written for term in intent.terms)
    words = (query.split() for query in sorted(queries))
    subjects = (" ".join(word for word in each if word not in _directing_words()) for each in words)
    texts = tuple(dict.fromkeys(text for text in (about, *subjects) if text))
    by_page: dict[str, list[RankedPassage]] = {}
    for each, passage in _promising(intent, texts, evidence):
        ranked = _rank_passage(intent, texts, each, passage)
        if ranked.passage.relevance >= FLOOR:
            by_page.setdefault(each.id, []).append(ranked)
    best = (b for page in by_page.values() for b in sorted(page, key=_order)[:PER_EVIDENCE])
    return sorted(best, key=_order)


@cache
def _directing_words() -> frozenset[str]:
    """Return the words that only direct a search: 原因, official statement."""
    words = [w for role in ("query_en", "query_zh") for f in facet_words(role).values() for w in f]
    words.extend(word for line in data_lines("search_angles.tsv") for word in line.split())
    return frozenset(part for word in words for part in word.split())


def _promising(
    intent: Intent, texts: Sequence[str], evidence: Sequence[Evidence]
) -> list[tuple[Evidence, Passage]]:
    """Choose what is worth reading closely: the passages with most of the words, rare ones first.

    Reading closely takes a hundred times as long, and in a large archive most pages have some of
    the words. A page that has more of them is read further before one that has fewer is opened.
    """
    forms = {form: weight for text in texts for form, weight in query_terms(text)}
    forms |= {term.names: term.weight for term in intent.terms if term.names}
    terms = tuple(forms)
    pages: list[tuple[Evidence, list[tuple[frozenset[int], Passage]]]] = []
    for _, page in sorted({item.id: item for item in evidence}.items()):
        title = _terms_in(terms, page.document.title)
        pages.append((page, [(_terms_in(terms, p.text) | title, p) for p in page.passages]))
    by_page = [frozenset[int]().union(*(seen for seen, _ in passages)) for _, passages in pages]
    weights = [
        weight * rarity(sum(number in page for page in by_page), len(pages))
        for number, weight in enumerate(forms.values())
    ]
    queue: list[tuple[float, str, int, Evidence, Passage]] = []
    for page, passages in pages:
        ranked = sorted(
            (-sum(weights[n] for n in sorted(seen)), p.start, p) for seen, p in passages
        )
        for place, (worth, start, passage) in enumerate(ranked[:_READ_OF_A_PAGE]):
            queue.append((worth * _NEXT**place, page.id, start, page, passage))
    queue.sort(key=lambda entry: entry[:3])
    return [(entry[3], entry[4]) for entry in queue[:_READ]]


def _terms_in(terms: Sequence[tuple[str, ...]], text: str) -> frozenset[int]:
    """Return which of the terms stand in a text in any of their forms, as bare characters."""
    flat = simplify(text).lower()
    return frozenset(n for n, forms in enumerate(terms) if any(form in flat for form in forms))


def _order(ranked: RankedPassage) -> tuple[float, str, int]:
    return -ranked.rank, ranked.passage.evidence_id, ranked.start


def _rank_passage(
    intent: Intent, texts: Sequence[str], evidence: Evidence, passage: Passage
) -> RankedPassage:
    title = evidence.document.title
    best = best_relevance(texts, passage.text, title)
    # Across languages, the share of what the question asks about that stands here.
    things = named_things(f"{title}\n{passage.text}")
    total = sum(term.weight for term in intent.terms)
    covered = sum(term.weight for term in intent.terms if things.names(term)) / (total or 1.0)
    worth = round(max(best, covered), 6)
    document = evidence.document
    shown = NumberedPassage(
        number=0,
        passage_id=passage.id,
        evidence_id=evidence.id,
        title=title,
        publisher=document.said_by,
        date=str(publication_day(document) or ""),
        language=document.language,
        tier=evidence.tier,
        origin_id=evidence.origin_id or evidence.id,
        flags=evidence.flags,
        relevance=worth,
        text=passage.text,
    )
    if worth < FLOOR:
        return RankedPassage(shown, passage.start, 0.0)
    # One sentence that says it is worth more than its words spread over a page.
    best_sentence = max(
        (each.coverage * (0.5 + 0.5 * each.facet) for each in candidates(intent, [shown])),
        default=0.0,
    )
    source = 1 - _SOURCE_SHARE * (1 - TIER_WEIGHT[evidence.tier])
    suspect = 1.0 if usable(shown) else _SUSPECT_SHARE
    told = any(things.names(intent.terms[n]) for n in intent.telling) or not intent.telling
    named_only = 1.0 if told else _NAMED_ONLY
    rank = round((0.4 * worth + 0.6 * best_sentence) * source * suspect * named_only, 9)
    return RankedPassage(shown, passage.start, rank)


def spread_origins(ranked: Sequence[RankedPassage], limit: int) -> list[RankedPassage]:
    """Take at most `limit` of them, each origin worth less the more of it is already taken.

    So origins take turns, yet one that answers comes again before one that does not.
    """
    left = list(ranked)
    taken = Counter[str]()
    order: list[RankedPassage] = []
    while left:
        worth = [each.rank * _AGAIN ** taken[each.passage.origin_id] for each in left]
        order.append(left.pop(max(range(len(left)), key=lambda at: (worth[at], -at))))
        taken[order[-1].passage.origin_id] += 1
    return _both_languages(order, limit)


def _both_languages(order: list[RankedPassage], limit: int) -> list[RankedPassage]:
    """Take the first `limit`, a quarter of them in the other language if there are enough."""
    kept, rest = order[:limit], order[limit:]
    for language in ("en", "zh"):
        lacking = limit // 4 - sum(_language(each) == language for each in kept)
        more = [each for each in rest if _language(each) == language][: max(0, lacking)]
        if more:
            last = [each for each in kept if _language(each) != language][-len(more) :]
            kept = [each for each in kept if each not in last] + more
    return kept


def _language(ranked: RankedPassage) -> str:
    return "zh" if ranked.passage.language.startswith("zh") else "en"
