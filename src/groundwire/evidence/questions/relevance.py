"""How much a passage bears on a question, and which passages a mind should see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from groundwire.evidence.data import data_lines
from groundwire.evidence.questions.candidates import TIER_WEIGHT, candidates, usable
from groundwire.evidence.questions.coverage import rarity, reading
from groundwire.evidence.questions.facets import facet_words
from groundwire.evidence.questions.intent import Intent, asked
from groundwire.language.text.tokens import best_relevance, simplify, wanted
from groundwire.model.source import Evidence, NumberedPassage, Passage

FLOOR = 0.2
PER_EVIDENCE = 3
_READ = 80  # passages that are read closely
_READ_OF_A_PAGE = 8
_NEXT = 0.92  # what the next best passage of a page is worth beside its best
_SOURCE_SHARE = 0.1  # of the ranking; never enough to lift a passage over the floor
_AGAIN = 0.8  # what a second passage of an origin is worth beside a first
_SUSPECT_SHARE = 0.5  # satire and injected pages come after all that is as relevant


@dataclass(frozen=True, slots=True)
class Bearing:
    """A passage as a mind may see it, not yet numbered, and its rank among others."""

    passage: NumberedPassage
    start: int
    rank: float


def bearings(question: str, queries: Sequence[str], evidence: Sequence[Evidence]) -> list[Bearing]:
    """Passages over the floor, best first, at most three a page; the order given does not matter."""
    parts = asked(question)
    # Of the question only what it is about: its other words stand in every page.
    about = " ".join(term.written for term in parts.terms)
    words = (query.split() for query in sorted(queries))
    subjects = (" ".join(word for word in each if word not in _directing()) for each in words)
    texts = tuple(dict.fromkeys(text for text in (about, *subjects) if text))
    kept: dict[str, list[Bearing]] = {}
    for each, passage in _promising(parts, texts, evidence):
        bearing = _bearing(parts, texts, each, passage)
        if bearing.passage.relevance >= FLOOR:
            kept.setdefault(each.id, []).append(bearing)
    found = (b for page in kept.values() for b in sorted(page, key=_order)[:PER_EVIDENCE])
    return sorted(found, key=_order)


@cache
def _directing() -> frozenset[str]:
    """Words that direct a search and are no part of its subject: 原因, official statement."""
    words = [w for role in ("query_en", "query_zh") for f in facet_words(role).values() for w in f]
    words.extend(word for line in data_lines("search_angles.tsv") for word in line.split())
    return frozenset(part for word in words for part in word.split())


def _promising(
    parts: Intent, texts: Sequence[str], evidence: Sequence[Evidence]
) -> list[tuple[Evidence, Passage]]:
    """What is worth reading closely: what has most of the words, the rare ones before the common.

    Reading closely takes a hundred times as long, and in a large archive most pages have some of
    the words. A page that has more of them is read further before one that has fewer is opened.
    """
    forms = {form: weight for text in texts for form, weight in wanted(text)}
    forms |= {term.names: term.weight for term in parts.terms if term.names}
    ways = tuple(forms)
    pages: list[tuple[Evidence, list[tuple[frozenset[int], Passage]]]] = []
    for _, page in sorted({item.id: item for item in evidence}.items()):
        title = _seen(ways, page.document.title)
        pages.append((page, [(_seen(ways, p.text) | title, p) for p in page.passages]))
    held = [frozenset[int]().union(*(seen for seen, _ in passages)) for _, passages in pages]
    weights = [
        weight * rarity(sum(number in page for page in held), len(pages))
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


def _seen(ways: Sequence[tuple[str, ...]], text: str) -> frozenset[int]:
    """Which of the ways to write what is asked for stand in a text, as bare characters."""
    flat = simplify(text).lower()
    return frozenset(n for n, forms in enumerate(ways) if any(form in flat for form in forms))


def _order(bearing: Bearing) -> tuple[float, str, int]:
    return -bearing.rank, bearing.passage.evidence_id, bearing.start


def _bearing(parts: Intent, texts: Sequence[str], evidence: Evidence, passage: Passage) -> Bearing:
    title = evidence.document.title
    best = best_relevance(texts, passage.text, title)
    # Across languages, the share of what the question asks about that stands here.
    read = reading(f"{title}\n{passage.text}")
    total = sum(term.weight for term in parts.terms)
    covered = sum(term.weight for term in parts.terms if read.names(term)) / (total or 1.0)
    worth = round(max(best, covered), 6)
    document = evidence.document
    shown = NumberedPassage(
        number=0,
        passage_id=passage.id,
        evidence_id=evidence.id,
        title=title,
        publisher=document.said_by,
        date=document.published_at.date().isoformat() if document.published_at else "",
        language=document.language,
        tier=evidence.tier,
        origin_id=evidence.origin_id or evidence.id,
        flags=evidence.flags,
        relevance=worth,
        text=passage.text,
    )
    if worth < FLOOR:
        return Bearing(shown, passage.start, 0.0)
    # One sentence that says it is worth more than its words spread over a page.
    said = max(
        (each.coverage * (0.5 + 0.5 * each.facet) for each in candidates(parts, [shown])),
        default=0.0,
    )
    source = 1 - _SOURCE_SHARE * (1 - TIER_WEIGHT[evidence.tier])
    suspect = 1.0 if usable(shown) else _SUSPECT_SHARE
    return Bearing(shown, passage.start, round((0.4 * worth + 0.6 * said) * source * suspect, 9))


def spread(found: Sequence[Bearing], limit: int) -> list[Bearing]:
    """At most `limit` of them, best first, each origin worth less the more of it is in already.

    So origins take turns, and yet an origin that answers is heard again before one that does not.
    """
    left = list(found)
    taken: dict[str, int] = {}
    order: list[Bearing] = []
    while left:
        worth = [b.rank * _AGAIN ** taken.get(b.passage.origin_id, 0) for b in left]
        index = max(range(len(left)), key=lambda at: (worth[at], -at))
        bearing = left.pop(index)
        taken[bearing.passage.origin_id] = taken.get(bearing.passage.origin_id, 0) + 1
        order.append(bearing)
    return _both_languages(order, limit)


def _both_languages(order: list[Bearing], limit: int) -> list[Bearing]:
    """The first `limit`, but a quarter of them in the other language where there are so many."""
    kept, rest = order[:limit], order[limit:]
    for language in ("en", "zh"):
        lacking = limit // 4 - sum(_language(b) == language for b in kept)
        more = [b for b in rest if _language(b) == language][: max(0, lacking)]
        if more:
            last = [b for b in kept if _language(b) != language][-len(more) :]
            kept = [b for b in kept if b not in last] + more
    return kept


def _language(bearing: Bearing) -> str:
    return "zh" if bearing.passage.language.startswith("zh") else "en"
