"""The claims of a message: what it says happened, is so or will happen, each in the message's own words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import Field

from groundwire.evidence.messages.claims import message_claims
from groundwire.evidence.reading.analysis import analyse, key_of, root
from groundwire.evidence.reading.reader import read
from groundwire.jobs.verify.classify_message import is_foreign
from groundwire.jobs.verify.describe_message import dates_agree
from groundwire.language.amounts.numbers import figures, same_figure
from groundwire.language.names.names import missing_names
from groundwire.language.text.characters import normalise
from groundwire.language.text.links import links
from groundwire.language.text.tokens import content_tokens
from groundwire.language.text.wording import is_han
from groundwire.model.base import JsonObject, Value
from groundwire.model.phrase import Phrase, phrase
from groundwire.reasoning.exam import Exam
from groundwire.reasoning.passages import enclosed
from groundwire.reasoning.question import Question

MOST = 6
_LONGEST = 400  # characters of a claim
_LONGEST_MESSAGE = 6_000  # characters that are shown
_TURNED = (
    "negated",
    "denied",
    "called_false",
)  # signs that a claim says the opposite of the message
_NEGATING = ("negates", "denies", "false")
# Of the exam: how alike two claims must be to be the same one, and to be worth all of it.
_ALIKE, _SAME = 0.45, 0.8
_OUT_OF_ORDER = 0.1
_FORBIDDEN = 0.5


class ClaimsInput(Value):
    """A message, and when it was said."""

    message: str
    language: str
    published_at: str = ""


class Claims(Value):
    """What the message claims, the main claim first; nothing where nothing can be checked."""

    claims: tuple[str, ...] = Field(
        description="whole statements in the message's own words, the main one first"
    )


def _variables(given: ClaimsInput, seed: str) -> Mapping[str, str]:
    return {
        "message": enclosed(given.message[:_LONGEST_MESSAGE], seed),
        "published_at": given.published_at or "-",
        "most": str(MOST),
    }


def _fault_of(given: ClaimsInput, found: Claims) -> Phrase | None:
    if len(found.claims) > MOST:
        return phrase("fault.many_claims", n=MOST)
    for place, claim in enumerate(found.claims, start=1):
        if not claim.strip() or len(claim) > _LONGEST:
            return phrase("fault.claim_length", n=place, most=_LONGEST)
        if any(is_foreign(link, given.message) for link in links(claim)):
            return phrase("fault.link")
        if claim in found.claims[: place - 1]:
            return phrase("fault.claim_twice", n=place)
        if fault := _made_up(claim, given.message):
            return phrase(f"fault.claim_{fault}", n=place)
    return None


def _made_up(claim: str, message: str) -> str:
    """Name what a claim has and the message has not: a figure, date, name, word, or a "not"; empty if nothing."""
    known = figures(message)
    if not all(any(same_figure(each, other) for other in known) for each in figures(claim)):
        return "figure"
    if not dates_agree(claim, message):
        return "date"
    if missing_names(claim, [message]):
        return "name"
    if _missing_words(claim, message):
        return "word"
    reading = read(claim, message)
    turned = reading.label == "contradicts" and reading.sign in _TURNED
    return "turned" if turned or (_is_negated(claim) and not _is_negated(message)) else ""


def _missing_words(claim: str, message: str) -> list[str]:
    """List the content words that the message has in no form."""
    flat = normalise(message).text.lower()
    keys = {key_of(token) for token in content_tokens(message)}
    roots = {root(key) for key in keys} - {""}

    def stands(token: str) -> bool:
        if is_han(token):
            # Two stretches put side by side may be cut into other words than the message's.
            return token in flat or all(character in flat for character in token)
        key = key_of(token)
        return key in keys or root(key) in roots or token in flat

    return [token for token in content_tokens(claim) if not stands(token)]


def _is_negated(text: str) -> bool:
    return any(cue.kind in _NEGATING for each in analyse(text).sentences for cue in each.cues)


def _embedded(given: ClaimsInput) -> Claims:
    return Claims(claims=message_claims(given.message))


def _score(given: ClaimsInput, found: Claims, expect: JsonObject) -> float:
    """Score claims by those they were paired with; each that is missing or too many costs its share."""
    wanted: list[str] = [str(each) for each in expect.get("claims", ())]
    if not wanted or not found.claims:
        return float(not wanted and not found.claims)
    pairs = _pairs(found.claims, wanted)
    score = sum(min(1.0, alike / _SAME) for _, _, alike in pairs)
    score /= max(len(found.claims), len(wanted))
    if not any(one == 0 and other == 0 for one, other, _ in pairs):
        score -= _OUT_OF_ORDER
    exact = {one for one, _, alike in pairs if alike >= _SAME}
    never = [str(each) for each in expect.get("never", ())]
    for number, claim in enumerate(found.claims):
        if number not in exact and any(_says(claim, each) for each in never):
            score -= _FORBIDDEN
    return max(0.0, round(score, 4))


def _pairs(found: Sequence[str], wanted: Sequence[str]) -> list[tuple[int, int, float]]:
    """Pair claims with those that say the same, the most alike first."""
    ranked = sorted(
        (
            (_alike(one, other), -number, -place)
            for number, one in enumerate(found)
            for place, other in enumerate(wanted)
        ),
        reverse=True,
    )
    pairs: dict[int, tuple[int, float]] = {}
    taken: set[int] = set()
    for alike, number, place in ranked:
        if alike >= _ALIKE and -number not in pairs and -place not in taken:
            pairs[-number] = (-place, alike)
            taken.add(-place)
    return [(number, place, alike) for number, (place, alike) in sorted(pairs.items())]


def _alike(one: str, other: str) -> float:
    """Measure how much two claims share of their words and figures; nothing if one of them denies."""
    if _is_negated(one) != _is_negated(other):
        return 0.0
    amounts, others = figures(one), figures(other)
    if any(not any(same_figure(each, each_other) for each_other in others) for each in amounts):
        return 0.0
    words, more = _keys(one), _keys(other)
    return 2 * len(words & more) / max(1, len(words) + len(more))


def _keys(text: str) -> set[str]:
    return {root(key_of(token)) or key_of(token) for token in content_tokens(text)}


def _says(claim: str, forbidden: str) -> bool:
    return _alike(claim, forbidden) >= _SAME or normalise(forbidden).text in normalise(claim).text


QUESTION: Question[ClaimsInput, Claims] = Question(
    prompt="verify/extract_claims",
    tier="light",
    output=Claims,
    variables=_variables,
    embedded=_embedded,
    fault_of=_fault_of,
    prose=lambda _found: "",  # claims are in the message's language
    exam=Exam(items="verify/extract_claims", read=ClaimsInput.model_validate, score=_score),
    takes_advice=False,
)
