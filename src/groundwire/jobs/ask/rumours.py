"""No rumour without its denial: what answers a guess or a post stands before it."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.evidence.questions.candidates import Candidate
from groundwire.evidence.questions.intent import Intent
from groundwire.evidence.questions.polarity import cues_in, denies, hedges


def is_hearsay(candidate: Candidate) -> bool:
    """Tell whether nobody vouches for a sentence: a post, or reported rumour."""
    return candidate.passage.tier == "social" or hedges(candidate.text)


def with_denial(
    intent: Intent, shown: Sequence[Candidate], candidates: Sequence[Candidate], language: str
) -> list[Candidate]:
    """Put before the first rumour of an answer what denies it, if a page does.

    A denial names what the question names, under its headline at least, on the day of the rumour or later; the
    reader's language comes first.
    """
    at = next((n for n, each in enumerate(shown) if _is_rumour(each)), None)
    if at is None:
        return list(shown)
    found = [
        each
        for each in (*shown, *candidates)
        if each.passage.date[:10] >= shown[at].passage.date[:10]
        and each.passage.tier != "social"
        and denies(each.text)
        and _is_of(intent, each)
    ]
    if not found:
        return list(shown)
    own = "zh" if language.startswith("zh") else "en"
    denial = max(found, key=lambda each: (each.language == own, len(each.own)))
    place = denial.passage.passage_id, denial.order
    places = [(each.passage.passage_id, each.order) for each in shown]
    held = places.index(place) if place in places else None
    if held is not None and held <= at:
        return list(shown)
    rest = [each for n, each in enumerate(shown) if n != held]
    return [*rest[:at], denial if held is None else shown[held], *rest[at:]]


def _is_rumour(candidate: Candidate) -> bool:
    """Tell whether a sentence is a post, or passes on what is said; an estimate is none."""
    return candidate.passage.tier == "social" or "retells" in cues_in(candidate.text)


def _is_of(intent: Intent, candidate: Candidate) -> bool:
    """Tell whether a sentence names what the question names, and the act that is asked about."""
    present = candidate.own | candidate.near
    names = [n for n, term in enumerate(intent.terms) if term.kind == "name" and not term.light]
    acts = not intent.telling or any(n in present for n in intent.telling)
    return bool(candidate.own) and acts and all(n in present for n in names)
