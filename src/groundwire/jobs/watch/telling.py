"""How claims are told to a reader: in his language where a page says it so, without the dateline, each matter once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from groundwire.evidence.questions.quotable import completeness, is_unsure, refers_back
from groundwire.evidence.reading.analysis import analyse
from groundwire.evidence.reading.reader import read
from groundwire.jobs.watch.ledger.claims import Claim, Holder, Side
from groundwire.jobs.watch.ledger.matter import likeness
from groundwire.language.text.characters import detect_language, normalise, simplify
from groundwire.language.text.datelines import after_dateline
from groundwire.language.text.script import language_distance
from groundwire.language.text.wording import is_han
from groundwire.language.time.scanner import time_mentions
from groundwire.model.claim import CitationView
from groundwire.model.result import Sentence
from groundwire.model.source import Evidence

_SAYS_IT = 0.5  # likeness from which on a page of a claim says what its sentence says
TOLD = 0.55  # and from which on two claims tell one matter
_STANDS_ALONE = 0.7  # completeness of a sentence
# Reading costs time: two sentences are read for each other only where they share so much of the shorter one's words,
# or, in two languages, where they are told within so many days.
_SHARED, _APART = 0.25, 1
_WEIGHTY = 2  # origins
_UNCONFIRMED = re.compile(
    r"\b(?:un|(?:never|not|neither|nor) (?:been |be |yet )?(?:independently )?)(?:confirmed|verified)\b"
    r"|(?:未经|未获|没有得到|没有经过|尚未得到|未得到|无法|有待)[^,，。;；]{0,8}(?:证实|确认|核实)"
)


@dataclass(frozen=True)
class Telling:
    """A claim as one reader is told it."""

    claim: Claim
    text: str
    holders: tuple[Holder, ...]  # that say it; the one that is quoted first
    distance: int  # of its language from the reader's
    is_weighty: bool  # two origins say it, or who did it
    is_opinion: bool

    @cached_property
    def day(self) -> date:
        """The day on which it was first told."""
        return min((each.as_of for each in self.holders), default=self.claim.as_of)

    @property
    def is_settled(self) -> bool:
        """Whether it is told as a fact, in a sentence that says enough by itself."""
        return not (
            self.is_opinion or self.claim.verdict != "supported" or not stands_alone(self.text)
        )

    @property
    def sentence(self) -> Sentence:
        """The sentence, its verdict, and every page that says it."""
        return Sentence(text=self.text, verdict=self.claim.verdict, citations=views(self.holders))

    @property
    def weight(self) -> tuple[bool, bool, int, int, int, str]:
        """What comes first: what is settled, what who did it or most origins say.

        Of what weighs the same, what a page says in the reader's language, and the newest.
        """
        return (
            not self.is_settled, not self.is_weighty, -self.origins, self.distance,
            -self.day.toordinal(), self.claim.id,
        )  # fmt: skip

    @property
    def origins(self) -> int:
        """How many say so of their own."""
        return len({each.origin for each in self.holders if each.own})

    @cached_property
    def words(self) -> frozenset[str]:
        """What it says, beside the subject."""
        found = analyse(self.text, whole=True).lead.words
        name = {each.key for each in analyse(self.claim.subject, whole=True).lead.words}
        return frozenset(each.key for each in found) - name


def views(holders: Iterable[Holder]) -> tuple[CitationView, ...]:
    """Return the pages of a claim as any sentence cites them."""
    fields = CitationView.model_fields
    return tuple(CitationView(**{name: getattr(each, name) for name in fields}) for each in holders)


def telling_of(claim: Claim, language: str, pages: Mapping[str, Evidence]) -> Telling:
    """Choose the sentence in which a reader is told a claim."""
    holders = [_without_dateline(each) for each in claim.citations]
    text = claim.text[after_dateline(claim.text) :]
    saying = [each for each in holders if _says(text, each.quote)] or holders
    saying.sort(key=lambda each: (_distance(each.quote, language), each.quote != text))
    if saying and _distance(saying[0].quote, language) < _distance(text, language):
        text = saying[0].quote
    sources = [pages[each.evidence_id] for each in saying if each.evidence_id in pages]
    return Telling(
        claim=claim,
        text=text,
        holders=tuple(saying),
        distance=_distance(text, language),
        is_weighty=len({each.origin for each in saying if each.own}) >= _WEIGHTY
        or any(each.tier == "primary" for each in sources),
        is_opinion=bool(sources) and all("opinion" in each.flags for each in sources),
    )


def told_side(side: Side, language: str) -> Side:
    """Return a claim before or after a change as a reader is told it."""
    holders = tuple(map(_without_dateline, side.citations))
    text = side.text[after_dateline(side.text) :]
    near = min(holders, key=lambda each: _distance(each.quote, language), default=None)
    if (
        near
        and _distance(near.quote, language) < _distance(text, language)
        and _says(text, near.quote)
    ):
        text = near.quote
    return side.model_copy(update={"text": text, "citations": holders})


def in_order(tellings: Iterable[Telling], told: Sequence[Telling] = ()) -> list[Telling]:
    """Order tellings by their weight, each matter once, and none that is told elsewhere."""
    ordered = sorted(tellings, key=lambda each: each.weight)
    kept: list[Telling] = []
    for place, each in enumerate(ordered):
        # Those left out, too: what is like one of them is of the same matter.
        if not any(tell_the_same(each, other) for other in (*told, *ordered[:place])):
            kept.append(each)
    return kept


def by_weight(claims: Iterable[Claim]) -> list[Claim]:
    """Order claims as a list of all shows them: what most origins say, then what is newest."""
    return sorted(
        claims, key=lambda each: (-len(each.origins), -each.as_of.toordinal(), each.text, each.id)
    )


def tell_the_same(one: Telling, other: Telling) -> bool:
    """Tell whether two sentences tell one matter, whatever their words and languages."""
    if one.text == other.text:
        return True
    if is_han(one.text) == is_han(other.text):
        fewer = min(len(one.words), len(other.words))
        near = len(one.words & other.words) >= fewer * _SHARED
    else:
        near = abs((one.day - other.day).days) <= _APART
    return near and likeness(one.text, other.text) >= TOLD


def hinges_on_its_day(text: str) -> bool:
    """Tell whether a sentence says when only to who knows its day: 兩天前, "this week", "on 12 March"."""
    mentions = time_mentions(normalise(text).text)
    return any(each.is_relative for each in mentions) and not any(each.year for each in mentions)


def _says(text: str, quote: str) -> bool:
    """Tell whether a page says what a sentence says, and not another value or the opposite."""
    if quote == text:
        return True
    return likeness(text, quote) >= _SAYS_IT and read(text, quote).label != "contradicts"


def _distance(text: str, language: str) -> int:
    """Return how far a text is from what a reader reads: his own script, the other one, another language."""
    return language_distance(detect_language(text), language)


def _without_dateline(holder: Holder) -> Holder:
    ahead = after_dateline(holder.quote)
    if not ahead:
        return holder
    return holder.model_copy(update={"quote": holder.quote[ahead:], "start": holder.start + ahead})


def stands_alone(text: str) -> bool:
    """Tell whether a sentence tells a fact, sure of it, and says enough by itself."""
    return not (is_unsure(text) or _is_unconfirmed(text) or _dangles(text))


def _is_unconfirmed(text: str) -> bool:
    """Tell whether a sentence says of its own matter that nobody confirmed it."""
    return _UNCONFIRMED.search(simplify(text).lower()) is not None


def _dangles(text: str) -> bool:
    """Tell whether a sentence says too little without the one before: "It is a pause"."""
    if text.startswith("The ") and text[4:5].isupper():
        return completeness(text) < _STANDS_ALONE  # "The European Commission" names itself
    return completeness(text) < _STANDS_ALONE or refers_back(text)
