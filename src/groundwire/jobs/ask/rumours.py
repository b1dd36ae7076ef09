"""No rumour without its denial: what answers a guess or a post stands before it."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.evidence.questions.candidates import Candidate
from groundwire.evidence.questions.coverage import named_things
from groundwire.evidence.questions.intent import Intent
from groundwire.evidence.questions.polarity import denies, hedges, turns


def is_hearsay(candidate: Candidate) -> bool:
    """Tell whether nobody vouches for a sentence: a post, or reported rumour."""
    return candidate.passage.tier == "social" or hedges(candidate.text)


def with_denial(
    intent: Intent, shown: Sequence[Candidate], candidates: Sequence[Candidate], language: str
) -> list[Candidate]:
    """Put before the first rumour of an answer what denies it, if a page does.

    A denial is of all the names of the question, told on the day of the rumour or later, by a page that says itself
    that something is denied or false; the reader's language comes first.
    """
    at = next((n for n, each in enumerate(shown) if is_hearsay(each)), None)
    if at is None:
        return list(shown)
    rumour = shown[at]
    found = [
        each
        for each in (*shown, *candidates)
        if each.passage.date[:10] >= rumour.passage.date[:10]
        and _denying(each)
        and _is_of(intent, each)
    ]
    if not found:
        return list(shown)
    own = "zh" if language.startswith("zh") else "en"
    denial = max(found, key=lambda each: (each.language == own, len(each.own), denies(each.text)))
    place = (denial.passage.passage_id, denial.order)
    held = next(
        (n for n, e in enumerate(shown) if (e.passage.passage_id, e.order) == place), None
    )
    if held is not None and held <= at:
        return list(shown)
    rest = [each for n, each in enumerate(shown) if n != held]
    return [*rest[:at], denial if held is None else shown[held], *rest[at:]]


def _denying(candidate: Candidate) -> bool:
    """Tell whether a sentence denies, or says no on a page that denies or under such a headline."""
    passage = candidate.passage
    around = f"{passage.title}\n{passage.text}"
    if passage.tier == "social":
        return False
    return denies(candidate.text) or (turns(candidate.text) and denies(around))


def _is_of(intent: Intent, candidate: Candidate) -> bool:
    """Tell whether a sentence has a name or the act that is asked about, and its passage the rest."""
    passage = candidate.passage
    around = candidate.own | candidate.near
    around |= named_things(f"{passage.title}\n{passage.text}").matched(intent)
    names = [n for n, term in enumerate(intent.terms) if term.kind == "name" and not term.light]
    acts = not intent.telling or any(n in around for n in intent.telling)
    return bool(candidate.own) and acts and all(n in around for n in names)
