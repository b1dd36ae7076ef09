"""The writer without a model: the pages' own sentences, chosen, corroborated and put in order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from math import sqrt

from groundwire.evidence.questions.candidates import Candidate
from groundwire.evidence.questions.contested import Contradiction, strength
from groundwire.evidence.questions.facets import Facet
from groundwire.evidence.questions.intent import Intent
from groundwire.evidence.questions.openings import refers, unsure
from groundwire.evidence.questions.polarity import hedges, opposes
from groundwire.jobs.ask.directness import NARROW, answering, defines, direct, rare, relevant
from groundwire.jobs.ask.values import has_place
from groundwire.language.amounts.numbers import Figure, same_figure
from groundwire.language.names.names import missing_names
from groundwire.language.time.dates import DateMention, agrees
from groundwire.model.source import Tier

# Of the best score and of the best coverage; weaker sentences are not about the question. The
# loose ones only serve to fill up to the fewest sentences.
_STRICT, _LOOSE, _CONTEXT = (0.5, 0.6), (0.35, 0.45), (0.25, 0.34)
_FEWEST, _SHORT, _ENOUGH, _MOST_RELATED = 3, 4, 6, 2
_ANSWERS = 0.35  # of a facet: less is no answer to it
_RELAYED: tuple[Tier, ...] = ("social", "aggregator", "unknown")
_LEAST: dict[Facet, float] = {"why": 0.5, "whether": 0.45}
_OTHER_SCRIPT, _HANGING = 0.85, 0.8
_BROAD: tuple[Facet, ...] = ("why", "what", "how")


@dataclass(frozen=True, slots=True)
class Chosen:
    """A sentence of the answer, and the sentences of other origins that say the same."""

    first: Candidate
    others: tuple[Candidate, ...] = ()


def answers(facet: Facet, worth: Mapping[Facet, float]) -> bool:
    """Whether a sentence of this worth answers the facet; what is relevant tells what happened."""
    if facet in ("what", "how"):
        return facet in worth
    return worth.get(facet, 0.0) >= _LEAST.get(facet, _ANSWERS)


def scores(
    asked: Intent, pool: Sequence[Candidate], worth: Sequence[Mapping[Facet, float]], script: str
) -> dict[int, float]:
    """Score of each candidate by its index: coverage, answer, source, and agreement of origins."""
    # With nothing but a name to go by, what most reports say is what matters.
    weight = 0.3 if asked.of_kind("word") else 1.0
    named = frozenset(n for n, term in enumerate(asked.terms) if term.kind == "name")
    found: dict[int, float] = {}
    for index, candidate in enumerate(pool):
        direct = 0.4 + 0.6 * max(worth[index].values(), default=0.0)
        direct *= 1.0 if candidate.own else 0.7
        value = candidate.coverage * direct + weight * _agreement(candidate, pool)
        written = "zh-Hant" if candidate.passage.language == "zh-Hant" else "zh"
        if candidate.language == "zh" and written != script:
            value *= _OTHER_SCRIPT
        if named and not named & candidate.own and refers(candidate.text):
            value *= _HANGING
        found[index] = round(value * candidate.quality, 9)
    return found


def _agreement(candidate: Candidate, pool: Sequence[Candidate]) -> float:
    """How much other origins say the same in the same language, in [0, 1]."""
    nearest: dict[str, float] = {}
    for other in pool:
        origin = other.passage.origin_id
        if origin == candidate.passage.origin_id or other.language != candidate.language:
            continue
        size = len(candidate.stems) * len(other.stems)
        share = len(candidate.stems & other.stems) / sqrt(size) if size else 0.0
        nearest[origin] = max(share, nearest.get(origin, 0.0))
    return sum(nearest.values()) / len(nearest) if nearest else 0.0


def choose(
    asked: Intent,
    candidates: Sequence[Candidate],
    disputes: Sequence[Contradiction],
    language: str,
    most: int,
) -> tuple[Chosen, ...]:
    """Sentences of the answer, in the order in which a reader wants them."""
    # A page that is wrong on the very point is not asked about it again.
    weaker = {
        said.candidate.passage.evidence_id
        for dispute in disputes
        for side in dispute.sides[1:]
        if strength(side) < strength(dispute.sides[0])
        for said in side
    }
    stronger = {said.candidate.passage.evidence_id for d in disputes for said in d.sides[0]}
    pool = [
        each
        for each in candidates
        if relevant(asked, each)
        and each.passage.evidence_id not in weaker - stronger
        # Hearsay is no answer; beside what contradicts it, it is a side.
        and (each.passage.tier != "social" or not (hedges(each.text) or unsure(each.text)))
    ]
    pool.sort(key=lambda each: (each.passage.number, each.order))
    pool, worth = _vouched(asked, pool)
    if any(defines(asked, each.text) for each in pool):
        worth = [
            each if defines(asked, c.text) else {} for c, each in zip(pool, worth, strict=True)
        ]
    score = scores(asked, pool, worth, language)
    home = "zh" if language.startswith("zh") else "en"
    if any(answers(facet, each) for facet in asked.facets for each in worth):
        picked = _answer(asked, pool, worth, score, home, most)[:most]
    else:
        picked = _related(asked, pool, score, home)[:most]
    chosen = [Chosen(pool[index], _corroboration(pool, score, index)) for index in picked]
    if asked.facets == ("why",) and not any(answers("why", each) for each in worth):
        return (*chosen, *_next_said(chosen, candidates))
    # The language of the question comes first, but not before an answer.
    ranks = {
        id(pool[i]): (
            _answered(asked, worth[i]),
            pool[i].language != home,
            unsure(pool[i].text),
            -score[i],
        )
        for i in picked
    }
    return _ordered(asked, chosen, ranks)


def _vouched(
    asked: Intent, pool: list[Candidate]
) -> tuple[list[Candidate], list[dict[Facet, float]]]:
    """The pool with what each is worth; without relayed guesses where somebody knows better."""
    judged = [(each, answering(asked, each)) for each in pool]
    known = [
        (each, worth)
        for each, worth in judged
        if each.passage.tier not in _RELAYED or not unsure(each.text)
    ]
    if any(answers(facet, worth) for _, worth in known for facet in asked.facets):
        judged = known
    return [each for each, _ in judged], [worth for _, worth in judged]


def _answered(asked: Intent, worth: Mapping[Facet, float]) -> int:
    """Which part of the question a sentence answers: the first part is answered first."""
    parts = (n for n, facet in enumerate(asked.facets) if answers(facet, worth))
    return next(parts, len(asked.facets))


def _related(
    asked: Intent, pool: Sequence[Candidate], score: dict[int, float], home: str
) -> list[int]:
    """No answer: only what says the very thing that was asked about, without the value."""
    found = [
        index
        for index in sorted(score, key=lambda each: (-score[each], each))
        if any(direct(asked, pool[index], facet).related for facet in asked.facets)
    ]
    at_home = [index for index in found if pool[index].language == home]
    # What happened may be told in another language; without its cause a value is told in none.
    found = at_home or (found if asked.facets == ("why",) else [])
    return _pick(pool, score, found, [], _MOST_RELATED, _STRICT)


def _next_said(chosen: Sequence[Chosen], candidates: Sequence[Candidate]) -> list[Chosen]:
    """What the page says next: it says why after it has said what, in words that rules miss."""
    if not chosen:
        return []
    first = chosen[0].first
    held = {(each.first.passage.passage_id, each.first.order) for each in chosen}
    return [
        Chosen(each)
        for each in candidates
        if each.passage.passage_id == first.passage.passage_id
        and 0 < each.order - first.order <= _MOST_RELATED
        and (each.passage.passage_id, each.order) not in held
    ]


def _answer(
    asked: Intent,
    pool: Sequence[Candidate],
    worth: Sequence[Mapping[Facet, float]],
    score: dict[int, float],
    home: str,
    most: int,
) -> list[int]:
    at_home = [index for index in score if pool[index].language == home]
    abroad = [index for index in score if pool[index].language != home]
    broad = bool(frozenset(_BROAD) & frozenset(asked.facets))
    enough = min(most, _ENOUGH if broad else _SHORT)
    direct = [i for i in at_home if any(answers(facet, worth[i]) for facet in asked.facets)]
    words = frozenset(rare(asked) or asked.telling)
    wide = [
        i for i in at_home if i in direct or not words or 2 * len(words & pool[i].own) > len(words)
    ]
    picked = _pick(pool, score, wide if broad else direct, [], enough, _STRICT)
    picked = _pick(pool, score, direct, picked, min(most, _FEWEST), _LOOSE)
    lacking: list[Facet] = [
        f
        for f in asked.facets
        if (f in NARROW or f == "why") and not any(answers(f, worth[i]) for i in picked)
    ]
    if not picked or lacking:
        filling = [i for i in abroad if not picked or any(answers(f, worth[i]) for f in lacking)]
        if not broad:
            filling = [i for i in filling if any(answers(f, worth[i]) for f in asked.facets)]
        room = min(most, max(_FEWEST, len(picked) + 1))
        picked = _pick(pool, score, filling, picked, room, _STRICT)
    # How it went on: what has the names itself, and a day or a figure.
    named = [n for n, term in enumerate(asked.terms) if term.kind == "name" and not term.light]
    context = [
        i
        for i in at_home
        if pool[i].own
        and (broad or all(n in pool[i].own for n in named))
        and (pool[i].dates or _new_figures(asked, pool[i]))
        and ("where" not in asked.facets or has_place(asked, pool[i].text))
    ]
    picked = _pick(pool, score, context, picked, min(most, _FEWEST), _CONTEXT)
    return _continued(pool, picked, min(most, _FEWEST))


def _new_figures(asked: Intent, candidate: Candidate) -> bool:
    """Whether a sentence has a figure that the question does not have: not the 15 of iPhone 15."""
    given = [term.figure for term in asked.terms if term.figure is not None]
    return any(not any(same_figure(f, other) for other in given) for f in candidate.figures)


def _pick(
    pool: Sequence[Candidate],
    score: dict[int, float],
    among: Sequence[int],
    picked: Sequence[int],
    most: int,
    least: tuple[float, float],
) -> list[int]:
    """Best first, each less for what is said already; stops when nothing good is left."""
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


def _continued(pool: Sequence[Candidate], picked: list[int], most: int) -> list[int]:
    """A short answer goes on with what its own page says next about the matter."""
    if not picked:
        return picked
    first = pool[picked[0]]
    found = list(picked)
    for index, each in enumerate(pool):
        if len(found) >= most:
            break
        here = each.passage.passage_id == first.passage.passage_id
        away = each.order - first.order
        follows = (0 < away <= 2 and bool(each.own)) or (0 < away <= 4 and each.facet >= 1.0)
        if here and follows and not any(repeats(each, pool[other]) for other in found):
            found.append(index)
    return found


def alike(a: Candidate, b: Candidate) -> float:
    """Share of the shorter sentence's words that the other has too."""
    least = min(len(a.stems), len(b.stems))
    return len(a.stems & b.stems) / least if least else 0.0


def repeats(a: Candidate, b: Candidate) -> bool:
    """Whether `a` says nothing that `b` does not say."""
    if a.language == b.language and alike(a, b) >= 0.65:
        return True
    return supports(b, a) and (a.language != b.language or alike(a, b) >= 0.35)


def _anchors(candidate: Candidate) -> tuple[list[Figure], list[DateMention]]:
    """Figures and days that tell a sentence from others in any language."""
    days = [day for day in candidate.dates if day.weekday is None and day.precision == "day"]
    # One dollar is in every report.
    return [figure for figure in candidate.figures if figure.value != 1], days


def supports(a: Candidate, b: Candidate) -> bool:
    """Whether `a` has every name, figure and day of `b`, and there are such: in any language."""
    figures, days = _anchors(b)
    if len(figures) + len(days) == 0 or not b.own <= a.own:
        return False
    return (
        all(any(same_figure(x, y) for y in a.figures) for x in figures)
        and all(any(agrees(x, y) for y in a.dates) for x in days)
        and not missing_names(b.text, [a.text, a.passage.title])
    )


def _corroboration(
    pool: Sequence[Candidate], score: dict[int, float], index: int
) -> tuple[Candidate, ...]:
    """At most two sentences of other origins that say the same and do not weaken it."""
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
        if each.language != first.language and sum(map(len, _anchors(first))) < 2:
            continue
        if opposes(first.text, each.text) or (hedges(each.text) and not hedges(first.text)):
            continue
        found[each.passage.origin_id] = each
        if len(found) == 3:
            break
    return tuple(found.values())[1:]


def _ordered(
    asked: Intent, chosen: list[Chosen], ranks: dict[int, tuple[int, bool, bool, float]]
) -> tuple[Chosen, ...]:
    """The direct answer, then causes when they were asked for, then what happened, by date."""
    if not chosen:
        return ()
    ranked = sorted(chosen, key=lambda each: (ranks[id(each.first)], each.first.passage.number))
    first, rest = ranked[0], ranked[1:]
    causal = [
        each for each in rest if "why" in asked.facets and dict(each.first.facets)["why"] >= 1.0
    ]
    later = [each for each in rest if each not in causal]
    later.sort(key=lambda each: (_when(each.first), each.first.passage.number, each.first.order))
    return (first, *causal, *later)


def _when(candidate: Candidate) -> date:
    days = [day.date for day in candidate.dates if day.date is not None and day.precision == "day"]
    if days:
        return min(days)
    published = candidate.passage.date
    return date.fromisoformat(published[:10]) if published else date.max
