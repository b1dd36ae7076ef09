"""What the sentences of an answer are worth beside each other, and which of them say something new."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt

from groundwire.evidence.questions.candidates import Candidate
from groundwire.evidence.questions.facets import Facet
from groundwire.evidence.questions.intent import Intent
from groundwire.evidence.questions.polarity import hedges, opposes
from groundwire.evidence.questions.quotable import refers_back
from groundwire.jobs.ask.directness import NARROW
from groundwire.jobs.ask.precedence import answers
from groundwire.jobs.ask.repetition import alike, anchors, repeats, supports
from groundwire.language.amounts.numbers import same_figure

_OTHER_SCRIPT, _HANGING = 0.85, 0.8


def scores(
    intent: Intent, pool: Sequence[Candidate], worth: Sequence[Mapping[Facet, float]], script: str
) -> dict[int, float]:
    """Score each candidate by its index: coverage, answer, source, and agreement of origins."""
    # With nothing but a name to go by, what most reports say is what matters.
    weight = 0.3 if intent.of_kind("word") else 1.0
    named = frozenset(n for n, term in enumerate(intent.terms) if term.kind == "name")
    found: dict[int, float] = {}
    for index, candidate in enumerate(pool):
        direct = 0.4 + 0.6 * max(worth[index].values(), default=0.0)
        direct *= 1.0 if candidate.own else 0.7
        value = candidate.coverage * direct + weight * _agreement(candidate, pool)
        written = "zh-Hant" if candidate.passage.language == "zh-Hant" else "zh"
        if candidate.language == "zh" and written != script:
            value *= _OTHER_SCRIPT
        if named and not named & candidate.own and refers_back(candidate.text):
            value *= _HANGING
        found[index] = round(value * candidate.quality, 9)
    return found


def _agreement(candidate: Candidate, pool: Sequence[Candidate]) -> float:
    """Measure how much other origins say the same in the same language, in [0, 1]."""
    nearest: dict[str, float] = {}
    for other in pool:
        origin = other.passage.origin_id
        if origin == candidate.passage.origin_id or other.language != candidate.language:
            continue
        size = len(candidate.stems) * len(other.stems)
        share = len(candidate.stems & other.stems) / sqrt(size) if size else 0.0
        nearest[origin] = max(share, nearest.get(origin, 0.0))
    return sum(nearest.values()) / len(nearest) if nearest else 0.0


def pick(
    pool: Sequence[Candidate],
    score: dict[int, float],
    among: Sequence[int],
    picked: Sequence[int],
    most: int,
    least: tuple[float, float],
) -> list[int]:
    """Pick the best first, discounting what is said already, until nothing good is left."""
    found = list(picked)
    left = [index for index in among if index not in found]
    best = max((score[index] for index in (*left, *found)), default=0.0)
    widest = max((pool[index].coverage for index in (*left, *found)), default=0.0)
    left = [index for index in left if pool[index].coverage >= least[1] * widest]
    while left and len(found) < most:
        worth = {
            index: score[index]
            * (1 - 0.5 * max((alike(pool[index], pool[f]) for f in found), default=0.0))
            for index in left
        }
        index = max(left, key=lambda each: (worth[each], -each))
        left.remove(index)
        if worth[index] < least[0] * best:
            break
        if not any(repeats(pool[index], pool[each]) for each in found):
            found.append(index)
    return found


def new_figures(intent: Intent, candidate: Candidate) -> bool:
    """Tell whether a sentence has a figure the question lacks: not the 15 of iPhone 15."""
    given = [term.figure for term in intent.terms if term.figure is not None]
    return any(not any(same_figure(f, other) for other in given) for f in candidate.figures)


def corroboration(
    pool: Sequence[Candidate], score: dict[int, float], index: int
) -> tuple[Candidate, ...]:
    """Find at most two sentences of other origins that say the same and do not weaken it."""
    first = pool[index]
    found: dict[str, Candidate] = {first.passage.origin_id: first}
    for other in sorted(score, key=lambda each: (-score[each], each)):
        each = pool[other]
        if each.passage.origin_id in found or each.passage.tier == "social":
            continue
        if not supports(each, first) or each.facet < 0.8 * first.facet:
            continue
        if each.language == first.language and alike(each, first) < 0.4:
            continue
        if each.language != first.language and sum(map(len, anchors(first))) < 2:
            continue
        if opposes(first.text, each.text) or (hedges(each.text) and not hedges(first.text)):
            continue
        found[each.passage.origin_id] = each
        if len(found) == 3:
            break
    return tuple(found.values())[1:]


def only_whole(
    intent: Intent,
    pool: Sequence[Candidate],
    worth: Sequence[Mapping[Facet, float]],
    own_language: str,
) -> list[Mapping[Facet, float]]:
    """Rate as no answer what has but half of what is asked, where only another language has all of it.

    "When did they apply?" is not answered by the day on which it was approved, because that is in the reader's language.
    """
    telling = frozenset(intent.telling)
    if not telling or not frozenset(intent.facets) <= frozenset(NARROW):
        return [*worth]
    direct = [i for i, each in enumerate(worth) if any(answers(f, each) for f in intent.facets)]
    half = [i for i in direct if 2 * len(telling & (pool[i].own | pool[i].near)) <= len(telling)]
    own = [i for i in direct if pool[i].language == own_language and i not in half]
    if own or not any(telling <= pool[i].own for i in direct):
        return [*worth]
    return [{} if i in half else each for i, each in enumerate(worth)]
