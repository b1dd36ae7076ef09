"""The writer without a model: the pages' own sentences, chosen, corroborated and ordered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from groundwire.evidence.questions.candidates import Candidate
from groundwire.evidence.questions.completion import names_variant
from groundwire.evidence.questions.contested import Contradiction, strength
from groundwire.evidence.questions.facets import Facet
from groundwire.evidence.questions.intent import Intent
from groundwire.evidence.questions.polarity import hedges
from groundwire.evidence.questions.quotable import is_unsure
from groundwire.evidence.reading.analysis import analyse
from groundwire.evidence.reading.second import names_sibling
from groundwire.jobs.ask.directness import (
    NARROW,
    answering,
    defines,
    direct,
    elsewhere,
    only_in_cause,
    rare,
    relevant,
)
from groundwire.jobs.ask.likely import Chances, joined, opened, whole
from groundwire.jobs.ask.picking import corroboration, new_figures, only_whole, pick, scores
from groundwire.jobs.ask.precedence import (
    answers,
    day_told,
    far_from,
    first_answered,
    in_own_writing,
    places_by_time,
)
from groundwire.jobs.ask.repetition import (
    holds,
    quotes,
    repeats,
    retells,
)
from groundwire.jobs.ask.values import has_place
from groundwire.model.source import Tier

# Shares of the best score and coverage a sentence needs; the loose ones fill up to the fewest.
_STRICT, _LOOSE, _CONTEXT = (0.5, 0.6), (0.35, 0.45), (0.25, 0.34)
_FEWEST, _SHORT, _ENOUGH, _MOST_RELATED = 3, 4, 6, 2
_RELAYED: tuple[Tier, ...] = ("social", "aggregator", "unknown")
_PLAIN_CAUSE = 0.7  # a cause that is named as one, not only feared
_BROAD: tuple[Facet, ...] = ("why", "what", "how")


@dataclass(frozen=True, slots=True)
class Chosen:
    """A sentence of the answer, and the sentences of other origins that say the same."""

    first: Candidate
    others: tuple[Candidate, ...] = ()


def choose(
    question: str,
    intent: Intent,
    candidates: Sequence[Candidate],
    disputes: Sequence[Contradiction],
    language: str,
    most: int,
) -> tuple[Chosen, ...]:
    """Choose the sentences of the answer, in the order in which a reader wants them."""
    # A page on the weaker side of a dispute does not get to answer.
    weaker = {
        stated.candidate.passage.evidence_id
        for dispute in disputes
        for side in dispute.sides[1:]
        if strength(side) < strength(dispute.sides[0])
        for stated in side
    }
    stronger = {stated.candidate.passage.evidence_id for d in disputes for stated in d.sides[0]}
    asked = analyse(question).sentences[0]
    vouched = [
        each
        for each in candidates
        if each.passage.evidence_id not in weaker - stronger
        and not names_sibling(asked, each.text)
        and not elsewhere(intent, each)
        and not ("how_much" in intent.facets and names_variant(question, each.text))
        and (each.passage.tier != "social" or not (hedges(each.text) or is_unsure(each.text)))
    ]
    pool = [each for each in vouched if relevant(intent, each)]
    pool.sort(key=lambda each: (each.passage.number, each.order))
    pool, worth = _vouched(intent, pool)
    if any(defines(intent, each.text) for each in pool):
        worth = [
            each if defines(intent, c.text) else {} for c, each in zip(pool, worth, strict=True)
        ]
    own_language = "zh" if language.startswith("zh") else "en"
    worth = only_whole(intent, pool, worth, own_language)
    score = scores(intent, pool, worth, language)
    if any(answers(facet, each) for facet in intent.facets for each in worth):
        picked = _answer(intent, pool, worth, score, own_language, most)[:most]
    else:
        picked = _related(intent, pool, score, own_language)[:most]
    picked = in_own_writing(intent, pool, worth, score, picked, language)
    chosen = [Chosen(pool[index], corroboration(pool, score, index)) for index in picked]
    sure: list[Facet] = [
        f for f in intent.facets if f in NARROW or f == "why" or intent.sort == "meaning"
    ]
    direct = any(answers(f, worth[i]) for f in sure for i in picked)
    chances = Chances(question, intent, candidates, vouched, own_language)
    if intent.facets == ("why",) and not any(answers("why", each) for each in worth):
        return _completed((*chosen, *_next_sentences(chosen, candidates)), chances, direct, most)
    ranks = _ranks(intent, pool, worth, score, picked, language)
    return _completed(_ordered(intent, chosen, ranks), chances, direct, most)


def _ranks(
    intent: Intent,
    pool: Sequence[Candidate],
    worth: Sequence[Mapping[Facet, float]],
    score: Mapping[int, float],
    picked: Sequence[int],
    language: str,
) -> dict[int, tuple[int, bool, int, int, bool, float]]:
    """Rank the picked sentences: what answers, what was not overtaken, the reader's writing."""
    placed = places_by_time(intent, [(pool[i], worth[i]) for i in picked])
    return {
        id(pool[i]): (
            first_answered(intent, worth[i]),
            worth[i].get("why", 1.0) < _PLAIN_CAUSE,
            placed[id(pool[i])],
            far_from(language, pool[i]),
            is_unsure(pool[i].text),
            -score[i],
        )
        for i in picked
    }


def _completed(
    chosen: Sequence[Chosen], chances: Chances, direct: bool, most: int
) -> tuple[Chosen, ...]:
    """Add the likeliest sentences; say nothing where none is likely, less so where no rule finds an answer."""
    added = chances.beside([each.first for each in chosen], direct)
    if chances.doubtful([*(each.first for each in chosen), *added], direct):
        return ()
    told = [replace(each, first=whole(each.first)) for each in chosen]
    more = [
        each
        for each in added
        if not any(holds(o.first, each) or retells(each, o.first) for o in told)
    ]
    shown = [*told, *(Chosen(each) for each in joined(more))]
    best = max(shown, key=lambda each: chances.of(each.first), default=None)
    shown = [
        replace(each, first=chances.told_on(each.first))
        if each is best or each is shown[0]
        else each
        for each in shown
    ]
    found = _unrepeated(shown)
    if not found:
        return ()
    lead = opened(chances.intent, found[0].first)
    first = replace(found[0], first=lead[0])
    return (first, *(Chosen(each) for each in lead[1:]), *found[1:])[:most]


def _unrepeated(shown: Sequence[Chosen]) -> tuple[Chosen, ...]:
    """Let a longer quote take the place of what it has taken in."""
    found: list[Chosen] = []
    for each in shown:
        if any(quotes(other.first, each.first) for other in found):
            continue
        place = next((n for n, other in enumerate(found) if quotes(each.first, other.first)), None)
        if place is None:
            found.append(each)
        else:
            found[place] = replace(found[place], first=each.first)
    return tuple(found)


def _vouched(
    intent: Intent, pool: list[Candidate]
) -> tuple[list[Candidate], list[dict[Facet, float]]]:
    """Return the pool and its worths, without relayed guesses where better sources answer."""
    judged = [(each, answering(intent, each)) for each in pool]
    known = [
        (each, worth)
        for each, worth in judged
        if each.passage.tier not in _RELAYED or not is_unsure(each.text)
    ]
    if any(answers(facet, worth) for _, worth in known for facet in intent.facets):
        judged = known
    return [each for each, _ in judged], [worth for _, worth in judged]


def _related(
    intent: Intent, pool: Sequence[Candidate], score: dict[int, float], own_language: str
) -> list[int]:
    """Pick, without an answer, what states the very thing asked about but not its value."""
    found = [
        index
        for index in sorted(score, key=lambda each: (-score[each], each))
        if any(direct(intent, pool[index], facet).related for facet in intent.facets)
    ]
    in_language = [index for index in found if pool[index].language == own_language]
    # A why may fall back to what another language says happened; a missing value may not.
    found = in_language or (found if intent.facets == ("why",) else [])
    return pick(pool, score, found, [], _MOST_RELATED, _STRICT)


def _next_sentences(chosen: Sequence[Chosen], candidates: Sequence[Candidate]) -> list[Chosen]:
    """Take what the page says next: causes often follow in words that rules miss."""
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
    intent: Intent,
    pool: Sequence[Candidate],
    worth: Sequence[Mapping[Facet, float]],
    score: dict[int, float],
    own_language: str,
    most: int,
) -> list[int]:
    in_language = [index for index in score if pool[index].language == own_language]
    foreign = [index for index in score if pool[index].language != own_language]
    broad = bool(frozenset(_BROAD) & frozenset(intent.facets))
    enough = min(most, _ENOUGH if broad else _SHORT)
    direct = [i for i in in_language if any(answers(facet, worth[i]) for facet in intent.facets)]
    words = frozenset(rare(intent) or intent.telling)
    if broad and any(words & pool[i].own for i in direct):
        direct = [i for i in direct if words & pool[i].own]
    wide = [
        i
        for i in in_language
        if i in direct
        or (
            not (words and 2 * len(words & pool[i].own) <= len(words))
            and not (intent.facets == ("why",) and only_in_cause(intent, pool[i].text))
        )
    ]
    picked = pick(pool, score, wide if broad else direct, [], enough, _STRICT)
    picked = pick(pool, score, direct, picked, min(most, _FEWEST), _LOOSE)
    lacking: list[Facet] = [
        f
        for f in intent.facets
        if (f in NARROW or f == "why") and not any(answers(f, worth[i]) for i in picked)
    ]
    if not picked or lacking:
        filling = [i for i in foreign if not picked or any(answers(f, worth[i]) for f in lacking)]
        if not broad:
            filling = [i for i in filling if any(answers(f, worth[i]) for f in intent.facets)]
        room = min(most, max(_FEWEST, len(picked) + 1))
        picked = pick(pool, score, filling, picked, room, _STRICT)
    # How it went on: sentences with the names and a day or a figure.
    named = [n for n, term in enumerate(intent.terms) if term.kind == "name" and not term.light]
    context = [
        i
        for i in in_language
        if pool[i].own
        and (broad or all(n in pool[i].own for n in named))
        and (pool[i].dates or new_figures(intent, pool[i]))
        and ("where" not in intent.facets or has_place(intent, pool[i].text))
    ]
    picked = pick(pool, score, context, picked, min(most, _FEWEST), _CONTEXT)
    return _continued(intent, pool, picked, min(most, _FEWEST))


def _continued(
    intent: Intent, pool: Sequence[Candidate], picked: list[int], most: int
) -> list[int]:
    """Extend a short answer with what its own page says next about the matter."""
    found = list(picked)
    if not picked:
        return found
    first = pool[picked[0]]
    for index, each in enumerate(pool):
        if len(found) >= most:
            break
        if intent.sort == "country" and not has_place(intent, each.text):
            continue
        same_passage = each.passage.passage_id == first.passage.passage_id
        distance = each.order - first.order
        follows = (0 < distance <= 2 and bool(each.own)) or (
            0 < distance <= 4 and each.facet >= 1.0
        )
        if same_passage and follows and not any(repeats(each, pool[other]) for other in found):
            found.append(index)
    return found


def _ordered(
    intent: Intent, chosen: list[Chosen], ranks: dict[int, tuple[int, bool, int, int, bool, float]]
) -> tuple[Chosen, ...]:
    """Put the direct answer first, then causes if asked for, then what happened, by date."""
    if not chosen:
        return ()
    ranked = sorted(chosen, key=lambda each: (ranks[id(each.first)], each.first.passage.number))
    first, rest = ranked[0], ranked[1:]
    causal = [
        each for each in rest if "why" in intent.facets and dict(each.first.facets)["why"] >= 1.0
    ]
    later = [each for each in rest if each not in causal]
    later.sort(key=lambda each: (day_told(each.first), each.first.passage.number, each.first.order))
    return (first, *causal, *later)
