"""Which sentence goes before which: what answers, what was overtaken, and the reader's own writing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from itertools import permutations

from groundwire.evidence.questions.candidates import Candidate
from groundwire.evidence.questions.facets import Facet
from groundwire.evidence.questions.intent import Intent
from groundwire.evidence.questions.polarity import opposes
from groundwire.jobs.ask.repetition import gives_same, repeats

_ANSWERS = 0.35  # the least worth that answers a facet
_LEAST: dict[Facet, float] = {"why": 0.5, "whether": 0.45}


def answers(facet: Facet, worth: Mapping[Facet, float]) -> bool:
    """Tell whether this worth answers the facet; for what and how, relevance is enough."""
    if facet in ("what", "how"):
        return facet in worth
    return worth.get(facet, 0.0) >= _LEAST.get(facet, _ANSWERS)


def places_by_time(
    intent: Intent, picked: Sequence[tuple[Candidate, Mapping[Facet, float]]]
) -> dict[int, int]:
    """Place what a later report turned after it: "not approved" on the day before it was approved.

    By the id of each sentence: -1 for what turned another, 1 for what was turned, else 0.
    """
    placed = {id(each): 0 for each, _ in picked}
    if "whether" not in intent.facets or intent.of_kind("date"):
        return placed
    settling = [each for each, worth in picked if answers("whether", worth)]
    for early, late in permutations(settling, 2):
        turned = opposes(early.text, late.text) and early.own <= late.own
        if turned and day_told(late) > day_told(early):
            placed[id(early)], placed[id(late)] = 1, placed[id(late)] or -1
    return placed


def day_told(candidate: Candidate) -> date:
    """Return the day that a sentence tells of, else that of its page."""
    days = [day.date for day in candidate.dates if day.date is not None and day.precision == "day"]
    if days:
        return min(days)
    published = candidate.passage.date
    return date.fromisoformat(published[:10]) if published else date.max


def in_own_writing(
    intent: Intent,
    pool: Sequence[Candidate],
    worth: Sequence[Mapping[Facet, float]],
    score: Mapping[int, float],
    picked: Sequence[int],
    script: str,
) -> list[int]:
    """Put before what is in another writing a page in the reader's own that gives the same answer."""
    found: list[int] = []
    for index in picked:
        if _writing(pool[index]) == script:
            found.append(index)
            continue
        given: list[Facet] = [f for f in intent.facets if answers(f, worth[index])]
        twins = [
            n
            for n in score
            if _writing(pool[n]) == script
            and given
            and all(answers(f, worth[n]) for f in given)
            and gives_same(intent, pool[n], pool[index])
        ]
        best = max(twins, key=lambda n: (score[n], -n), default=index)
        found += [best] if best != index and repeats(pool[index], pool[best]) else [best, index]
    return list(dict.fromkeys(found))


def far_from(script: str, candidate: Candidate) -> int:
    """Return 0 for a sentence in the reader's writing, 1 for the other Chinese one, 2 for another language."""
    own = "en" if candidate.language == "en" else "zh"
    if own != ("zh" if script.startswith("zh") else "en"):
        return 2
    return int(_writing(candidate) != script)


def _writing(candidate: Candidate) -> str:
    if candidate.language != "zh":
        return candidate.language
    return "zh-Hant" if candidate.passage.language == "zh-Hant" else "zh"


def first_answered(intent: Intent, worth: Mapping[Facet, float]) -> int:
    """Return the index of the first part of the question that a sentence answers."""
    parts = (n for n, facet in enumerate(intent.facets) if answers(facet, worth))
    return next(parts, len(intent.facets))
