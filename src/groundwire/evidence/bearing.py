"""How much a passage bears on a question, and which passages a mind should see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from groundwire.evidence.asking import Asked, asked
from groundwire.evidence.candidates import TIER_WEIGHT, candidates, reading, usable
from groundwire.evidence.text import best_relevance, simplify, wanted
from groundwire.model.source import Evidence, NumberedPassage, Passage

FLOOR = 0.2
PER_EVIDENCE = 3
_READ = 60  # passages that are read closely, unless there are more pages than that
_READ_OF_A_PAGE = 8
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
    texts = tuple(dict.fromkeys(text for text in (about, *sorted(queries)) if text))
    kept: dict[str, list[Bearing]] = {}
    for each, passage in _promising(parts, texts, evidence):
        bearing = _bearing(parts, texts, each, passage)
        if bearing.passage.relevance >= FLOOR:
            kept.setdefault(each.id, []).append(bearing)
    found = (b for page in kept.values() for b in sorted(page, key=_order)[:PER_EVIDENCE])
    return sorted(found, key=_order)


def _promising(
    parts: Asked, texts: Sequence[str], evidence: Sequence[Evidence]
) -> list[tuple[Evidence, Passage]]:
    """What is worth reading closely: the best of each page by its bare words, then its next best.

    Reading closely takes a hundred times as long, and on a page about the subject nearly every
    passage has some of the words.
    """
    glance = _Glance(parts, texts)
    queue: list[tuple[int, float, str, int, Evidence, Passage]] = []
    pages = {item.id: item for item in evidence}
    for each in pages.values():
        seen = sorted(
            ((-glance.worth(p.text), p.start, p) for p in each.passages), key=lambda s: s[:2]
        )
        for place, (worth, start, passage) in enumerate(seen[:_READ_OF_A_PAGE]):
            queue.append((place, worth, each.id, start, each, passage))
    queue.sort(key=lambda entry: entry[:4])
    return [(entry[4], entry[5]) for entry in queue[: max(_READ, len(pages))]]


class _Glance:
    """Every way to write what is asked for, to be looked up as bare characters."""

    def __init__(self, parts: Asked, texts: Sequence[str]) -> None:
        self._forms: dict[tuple[str, ...], float] = {}
        for text in texts:
            self._forms.update(wanted(text))
        self._forms.update((term.names, term.weight) for term in parts.terms if term.names)

    def worth(self, text: str) -> float:
        flat = simplify(text).lower()
        return sum(
            weight for forms, weight in self._forms.items() if any(form in flat for form in forms)
        )


def _order(bearing: Bearing) -> tuple[float, str, int]:
    return -bearing.rank, bearing.passage.evidence_id, bearing.start


def _bearing(parts: Asked, texts: Sequence[str], evidence: Evidence, passage: Passage) -> Bearing:
    title = evidence.document.title
    best = best_relevance(texts, passage.text, title)
    worth = round(max(best, covered(parts, f"{title}\n{passage.text}")), 6)
    shown = _shown(evidence, passage, worth)
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


def _shown(evidence: Evidence, passage: Passage, worth: float) -> NumberedPassage:
    document = evidence.document
    return NumberedPassage(
        number=0,
        passage_id=passage.id,
        evidence_id=evidence.id,
        title=document.title,
        publisher=document.publisher,
        date=document.published_at.date().isoformat() if document.published_at else "",
        language=document.language,
        tier=evidence.tier,
        origin_id=evidence.origin_id or evidence.id,
        flags=evidence.flags,
        relevance=worth,
        text=passage.text,
    )


def covered(parts: Asked, text: str) -> float:
    """Share of what the question asks about that the text names, across languages."""
    total = sum(term.weight for term in parts.terms)
    if not total:
        return 0.0
    read = reading(text)
    return sum(term.weight for term in parts.terms if read.names(term)) / total


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
        here = [b for b in kept if _language(b) == language]
        lacking = limit // 4 - len(here)
        more = [b for b in rest if _language(b) == language][: max(0, lacking)]
        if more:
            others = [b for b in kept if _language(b) != language]
            dropped = {id(b) for b in others[len(others) - len(more) :]}
            kept = [b for b in kept if id(b) not in dropped] + more
    return kept


def _language(bearing: Bearing) -> str:
    return "zh" if bearing.passage.language.startswith("zh") else "en"
