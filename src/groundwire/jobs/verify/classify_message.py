"""What a message is about at first sight: its kind of event, its assets, and its wording."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal

from pydantic import Field

from groundwire.evidence.messages.assets import Mention, assets_in
from groundwire.evidence.messages.claims import message_claims
from groundwire.evidence.messages.event_types import TypeChoice, event_type, profile_of
from groundwire.evidence.messages.impression import LEAST, Impression, TextFlag, impression
from groundwire.evidence.messages.noise import clean
from groundwire.evidence.messages.profiles import (
    OTHER,
    Direction,
    Profile,
    Timeframe,
    load_profiles,
    profiles,
)
from groundwire.evidence.sources.official import entities_in
from groundwire.evidence.sources.parties import Entity
from groundwire.jobs.verify.signal import Action, Preliminary, Strength
from groundwire.language.amounts.losses import stated_loss
from groundwire.language.amounts.numbers import figures, same_figure
from groundwire.language.text.characters import HAN, folded, normalise, simplify
from groundwire.language.text.links import is_bare, links
from groundwire.language.text.phrases import patterns
from groundwire.language.text.script import traditional
from groundwire.model.base import JsonObject, Value
from groundwire.model.phrase import Phrase, phrase
from groundwire.reasoning.exam import Exam
from groundwire.reasoning.passages import enclosed
from groundwire.reasoning.question import EMBEDDED, Answer, Question

SURE = 0.90  # the most that a first impression is believed, a model's or not
ACT_FROM = 0.60  # confidence from which buying or selling is proposed
_STRONG_FROM = 0.70
_GREAT_LOSS = Decimal(50_000_000)
_FEW = 3  # amounts and names among the key words
_MOST_WORDS = 12
_LONGEST = 200  # characters of a summary
_LONGEST_SUMMARY = 2 * _LONGEST  # of a model's
_ENDS = re.compile(r"[。.!?！？;；,，、\s]")
_HAN_RUN = re.compile(f"[{HAN}]+")


class ClassifyInput(Value):
    """A message, when it was said, and the language of the desk.

    `own` are the user's profiles as `dump_profiles` wrote them.
    """

    message: str
    language: str
    published_at: str = ""
    own: str = ""

    @property
    def profiles(self) -> tuple[Profile, ...]:
        return profiles(load_profiles(self.own))


class Classified(Value):
    """The first impression of a message."""

    profile: str = Field(description="name of the profile")
    event_type: str = Field(description="one of the types of that profile")
    assets: tuple[str, ...] = Field(
        default=(), description="what the message is about, the main one first; symbols or names"
    )
    asset_name: str = Field(default="", description="full name of the first asset")
    action: Action = "observe"
    direction: Direction = "neutral"
    confidence: float = Field(ge=0, le=1, description="how far the wording alone is believed")
    strength: Strength = "low"
    timeframe: Timeframe = "short"
    risk_flags: tuple[TextFlag, ...] = ()
    summary: str = Field(description="one or two sentences in the language of the desk")
    amounts: tuple[str, ...] = Field(
        default=(), description="amounts copied from the message character by character"
    )
    keywords: tuple[str, ...] = Field(
        default=(), description="names and terms for a search, Chinese and English"
    )


def preliminary_of(classified: Classified, by: str) -> Preliminary:
    """Return the answer as the rest of verify carries it, with its author.

    Code bounds the confidence: a model may say how sure the wording sounds, but a text that nobody
    has checked yet starts no lower than `LEAST` and no higher than `SURE`.
    """
    return Preliminary(
        **classified.model_dump(exclude={"confidence"}),
        asset=classified.assets[0] if classified.assets else "",
        confidence=max(LEAST, min(SURE, classified.confidence)),
        by=by or EMBEDDED,
    )


def first_impression(given: ClassifyInput, answer: Answer[Classified]) -> Preliminary:
    """Return the impression that counts: a decider's, or an adviser's where the rules see no other kind of event.

    Where they do, only the summary is the adviser's: what is searched, and where, hangs on the kind.
    """
    found = answer.value
    if answer.by == EMBEDDED:
        return preliminary_of(found, answer.by)
    own = _embedded(given)
    decides = answer.vote == "decides"
    kind = (own.profile, own.event_type)
    if not decides and own.event_type != OTHER and kind != (found.profile, found.event_type):
        return preliminary_of(own.model_copy(update={"summary": found.summary}), EMBEDDED)
    # Who is a party, and what is measured, stay code's: what the message names is never overlooked.
    first, more = (found, own) if decides else (own, found)
    impression = preliminary_of(found, answer.by)
    named = {"assets": tuple(dict.fromkeys((*first.assets, *more.assets)))}
    if not decides and own.assets:
        named |= {"asset": own.assets[0], "asset_name": own.asset_name}
    return impression.model_copy(update=named)


def _variables(given: ClassifyInput, seed: str) -> Mapping[str, str]:
    return {
        "message": enclosed(given.message, seed),
        "published_at": given.published_at or "-",
        "language": given.language,
        "profiles": "\n\n".join(_described(each) for each in given.profiles),
    }


def _described(profile: Profile) -> str:
    trades = "buy|sell|observe" if profile.trades else "observe"
    types = "\n".join(f"- {each.name}: {each.about}" for each in profile.types)
    return f'"{profile.name}" ({profile.about}; action: {trades})\n{types}'


def _fault_of(given: ClassifyInput, found: Classified) -> Phrase | None:
    profile = next((each for each in given.profiles if each.name == found.profile), None)
    # Faults are shown to people, so they name places and repeat none of the model's words.
    if profile is None:
        return phrase("fault.no_profile", known=[each.name for each in given.profiles])
    if found.event_type not in profile.type_names:
        return phrase("fault.no_event_type", profile=profile.name, known=list(profile.type_names))
    if found.action != "observe" and not profile.trades:
        return phrase("fault.only_observe", profile=profile.name)
    if (found.action, found.direction) in (("buy", "short"), ("sell", "long")):
        return phrase("fault.action_direction")
    if not found.summary.strip() or len(found.summary) > _LONGEST_SUMMARY:
        return phrase("fault.summary_length", n=_LONGEST_SUMMARY)
    texts = (found.summary, found.asset_name, *found.assets, *found.keywords, *found.amounts)
    if any(is_foreign(link, given.message) for text in texts for link in links(text)):
        return phrase("fault.link")
    return _unfounded(given.message, found, profile)


def is_foreign(link: str, message: str) -> bool:
    """Tell whether a link is an address, not a name in the message (Gate.io, Crypto.com)."""
    return not is_bare(link) or folded(link) not in folded(message)


def _unfounded(message: str, found: Classified, profile: Profile) -> Phrase | None:
    """Find something that the answer says and the message does not."""
    low = folded(normalise(message).text)
    for place, asset in enumerate(found.assets, start=1):
        if not _names(low, asset, profile):
            return phrase("fault.unnamed_asset", n=place)
    for place, amount in enumerate(found.amounts, start=1):
        if folded(normalise(amount).text).strip() not in low:
            return phrase("fault.absent_amount", n=place)
    message_figures = figures(message)
    for figure in figures(found.summary):
        if not any(same_figure(figure, other) for other in message_figures):
            return phrase("fault.absent_figure")
    return None


def _names(low: str, asset: str, profile: Profile) -> bool:
    """Tell whether the message has the asset, by this or another of its names."""
    wanted = asset.strip().lstrip("$#")
    known = next((each for each in profile.assets if each.id == wanted.upper()), None)
    parties = (name for each in entities_in(wanted) for name in (*each.names, *each.tickers))
    for name in (wanted, *(known.names if known else ()), *parties):
        form = re.escape(folded(normalise(name.removeprefix("~")).text))
        if form and re.search(rf"(?<![a-z0-9]){form}(?![a-z0-9])", low):
            return True
    return False


def _embedded(given: ClassifyInput) -> Classified:
    """Answer by rules; `evidence.impression` tells how the confidence adds up."""
    text = clean(given.message) or " ".join(given.message.split())
    profile = profile_of(given.message, given.profiles)
    typed = event_type(given.message, profile)
    claims = message_claims(given.message)
    told = folded(normalise("; ".join(claims) or text).text)
    mentions = tuple(
        mention
        for mention in assets_in(text, profile, typed.event_type, given.language)
        if folded(normalise(text).text[mention.start : mention.end]) in told
    )
    seen = impression(
        given.message,
        text,
        event_type_margin=typed.margin,
        names_asset=bool(mentions),
        typed=typed.event_type != OTHER,
    )
    kind = profile.type(typed.event_type)
    direction = _direction(text, typed, profile, seen)
    amounts = tuple(
        dict.fromkeys(
            figure.text.strip()
            for figure in figures(text)
            if figure.unit and folded(normalise(figure.text).text).strip() in told
        )
    )
    return Classified(
        profile=profile.name,
        event_type=typed.event_type,
        assets=tuple(mention.symbol for mention in mentions),
        asset_name=mentions[0].name if mentions else "",
        action=_action(profile, direction, seen.confidence),
        direction=direction,
        confidence=seen.confidence,
        strength=_strength(text, profile, typed, seen, amounts),
        timeframe=kind.timeframe,
        risk_flags=seen.flags,
        summary=_summary(claims[0] if claims else text, given.language),
        amounts=amounts,
        keywords=_keywords(text, mentions, amounts),
    )


def _summary(text: str, language: str) -> str:
    """Cut the main claim to `_LONGEST` characters, in the script of the language."""
    if len(text) > _LONGEST:
        ends = [match.start() for match in _ENDS.finditer(text, _LONGEST // 2, _LONGEST - 1)]
        text = text[: ends[-1] if ends else _LONGEST - 1].rstrip(" ,，、;；") + "…"
    if language == "zh":
        return _HAN_RUN.sub(lambda run: simplify(run[0]), text)
    # What somebody wrote in that script stays as it was written.
    return traditional(text) if language == "zh-Hant" and simplify(text) == text else text


_phrases = patterns("directions.txt", "groundwire.jobs.verify")
_UP = re.compile(_phrases("up"))
_DOWN = re.compile(_phrases("down"))
_OVER = re.compile(_phrases("over"))
_OPEN_ENDED = ("regulation", "macro")


def _direction(text: str, typed: TypeChoice, profile: Profile, seen: Impression) -> Direction:
    """Take the direction of the kind of event, or of the words where the kind leaves it open."""
    if not profile.trades or "denial" in seen.flags:
        return "neutral"
    low = folded(normalise(text).text)
    usual = profile.type(typed.event_type).direction
    if usual == "short" and _OVER.search(low):
        return "neutral"
    if usual != "neutral" or typed.event_type not in _OPEN_ENDED:
        return usual
    up, down = len(_UP.findall(low)), len(_DOWN.findall(low))
    return "long" if up > down else "short" if down > up else "neutral"


def _action(profile: Profile, direction: Direction, confidence: float) -> Action:
    if not profile.trades or confidence < ACT_FROM or direction == "neutral":
        return "observe"
    return "buy" if direction == "long" else "sell"


def _strength(
    text: str, profile: Profile, typed: TypeChoice, seen: Impression, amounts: tuple[str, ...]
) -> Strength:
    """Rate how much depends on it: a great loss or a grave kind of event, told precisely."""
    lost = stated_loss(text)
    grave = typed.event_type in profile.gate.always or bool(amounts)
    great = lost is not None and lost.usd >= _GREAT_LOSS
    if great or (grave and seen.confidence >= _STRONG_FROM):
        return "high"
    if typed.event_type == OTHER or seen.confidence < ACT_FROM - 0.1:
        return "low"
    return "medium"


def _keywords(text: str, mentions: Iterable[Mention], amounts: tuple[str, ...]) -> tuple[str, ...]:
    """Collect names of the assets and the parties, and the amounts; no filler."""
    found: dict[str, None] = {}
    for mention in mentions:
        if not mention.aside:
            found.update(dict.fromkeys((mention.symbol, mention.name)))
    parties = [entity.name for entity in entities_in(text) if not _is_among(entity, found)]
    found.update(dict.fromkeys((*parties[:_FEW], *amounts[:_FEW])))
    return tuple(word for word in found if word)[:_MOST_WORDS]


def _is_among(entity: Entity, found: Iterable[str]) -> bool:
    """Tell whether the party is the asset itself: Ethereum Foundation, when it is about ETH."""
    entity_names = {name.removeprefix("~").casefold() for name in (*entity.names, *entity.tickers)}
    return any(word.casefold() in entity_names for word in found)


class _Expected(Value):
    """Names and spellings that are accepted; `assets` is None where it does not matter."""

    profile: tuple[str, ...]
    event_type: tuple[str, ...]
    assets: tuple[tuple[str, ...], ...] | None = None


_PROFILE_WORTH, _TYPE_WORTH, _ASSET_WORTH = 1, 2, 1


def _score(given: ClassifyInput, found: Classified, expect: JsonObject) -> float:
    """Score the profile, the event type twice, and the main asset where one is expected."""
    del given  # what is expected says it all
    expected = _Expected.model_validate(expect)
    placed = found.profile in expected.profile
    worth = _PROFILE_WORTH * placed
    worth += _TYPE_WORTH * (placed and found.event_type in expected.event_type)
    whole = _PROFILE_WORTH + _TYPE_WORTH
    if expected.assets is not None:
        main = folded(simplify(found.assets[0].strip().lstrip("$#"))) if found.assets else ""
        names = {folded(simplify(name)) for group in expected.assets for name in group}
        worth += _ASSET_WORTH * (main in (names or {""}))
        whole += _ASSET_WORTH
    return worth / whole


QUESTION: Question[ClassifyInput, Classified] = Question(
    prompt="verify/classify_message",
    tier="light",
    output=Classified,
    variables=_variables,
    embedded=_embedded,
    fault_of=_fault_of,
    prose=lambda found: found.summary,
    exam=Exam(items="verify/classify_message", read=ClassifyInput.model_validate, score=_score),
)
