"""What a sentence need not say itself: its headline, its day, or the sentence before it says so."""

from __future__ import annotations

import re
from datetime import date, timedelta

from groundwire.evidence.questions.coverage import NamedThings, day_of, reading
from groundwire.evidence.questions.facets import any_of, facet_words
from groundwire.evidence.questions.intent import Intent, Term
from groundwire.evidence.questions.polarity import cues_in
from groundwire.language.text.characters import simplify
from groundwire.language.text.tokens import content_tokens
from groundwire.language.text.wording import is_han, stemmed
from groundwire.language.time.dates import DateMention, agrees
from groundwire.model.source import NumberedPassage

_FIRST_PERSON = re.compile(r"\b(?:we|our)\b|我们|我們|本公司", re.IGNORECASE)
_NOTHING: frozenset[int] = frozenset()
# Named by what "the bank" refers to or by the day, by the title, by another passage of the page.
_REFERENCE_CREDIT, _TITLE_CREDIT, _PAGE_CREDIT = 0.8, 0.5, 0.25
# A report of the evening is read the next day, and beyond an ocean it is the next day.
_REPORTED_AFTER = timedelta(days=1)
_RESTATED, _FEWEST_RESTATED = 0.5, 3  # of the words of a headline
# A day that only begins or ends something: the highest price since December 2021.
_SINCE = re.compile(r"(?:\b(?:since|from|until|till|by|before|than) |[自从至到])$", re.IGNORECASE)
_PRONOUN = re.compile(r"\w (?:it|him|her|them)\b|[该此其它他她]", re.IGNORECASE)
_LONG_HAN, _SHORT_HAN = 6, 3
_REPOSTED = frozenset({"stale", "repost"})
_TURNING = frozenset({"negates", "denies", "false"})


class Surroundings:
    """The headline, publisher and day of a passage, and what its sentences take from them."""

    def __init__(
        self, asked: Intent, passage: NumberedPassage, page: frozenset[int] = _NOTHING
    ) -> None:
        self._asked = asked
        self._page = page  # the names that other passages of the page have
        self.passage = passage
        day = day_of(passage)
        self._publisher = reading(passage.publisher).matched(asked)
        self._title = reading(passage.title, day).matched(asked) | self._publisher
        whole = reading(f"{passage.title}\n{passage.text}", day).matched(asked)
        self._named = frozenset(n for n in whole if asked.terms[n].kind == "name")
        # A headline states what it says unless it denies, asks, or tells a rumour.
        flat = simplify(passage.title)
        doubted = "?" in flat or any_of(facet_words("strong")["whether"]).search(flat)
        turned = not _TURNING.isdisjoint(cues_in(passage.title))
        self._headline = {stemmed(token) for token in content_tokens(passage.title)}
        self._asserted = not (doubted or turned)
        self._dated = _NOTHING
        # Of a report that was published again nobody knows when it was written.
        if day is not None and _REPOSTED.isdisjoint(passage.flags):
            self._dated = frozenset(
                n for n, term in enumerate(asked.terms) if term.date and _reported(term.date, day)
            )

    def own(self, text: str, read: NamedThings) -> frozenset[int]:
        """The terms that a sentence names itself; "we" names who publishes it."""
        own = read.matched(self._asked)
        return own | self._publisher if self.speaks(text) else own

    def speaks(self, text: str) -> bool:
        """Whether it is the publisher of a primary page who says "we"."""
        return self.passage.tier == "primary" and _FIRST_PERSON.search(text) is not None

    def carried(self, read: NamedThings) -> frozenset[int]:
        """The words of its headline, for a sentence that says again what the headline says."""
        words = frozenset(n for n in self._title if self._asked.terms[n].kind == "word")
        if not (self._asserted and words):
            return _NOTHING
        restated = sum(read.wording.has(word) for word in self._headline)
        enough = max(_FEWEST_RESTATED, _RESTATED * len(self._headline))
        return words if restated >= enough else _NOTHING

    def credit(self, number: int, before: frozenset[int]) -> float:
        """What a term is worth that only the surroundings name."""
        if number in before or number in self._dated:
            return _REFERENCE_CREDIT
        return _TITLE_CREDIT if number in self._title else _PAGE_CREDIT

    def referred(self, read: NamedThings) -> frozenset[int]:
        """Names that a sentence has by a short form alone: the commission, 委员会."""
        return frozenset(n for n in self._named if by_short_form(self._asked.terms[n], read))

    def near(
        self, own: frozenset[int], before: frozenset[int], read: NamedThings, lead: bool
    ) -> frozenset[int]:
        """The terms that only the surroundings name; a day not where the sentence has another."""
        found = (self._title | self._dated | before) - own
        # The first sentence is about what the others are about.
        if lead and own & self._named:
            found |= self._named - own
        # "Trump revoked it": one name of the question is there, and a word for the other.
        if self._page & own and _PRONOUN.search(read.text):
            found |= self._page - own
        return frozenset(
            n
            for n in found
            if (term := self._asked.terms[n]).date is None or not _other(term, read)
        )


def _reported(asked: DateMention, published: date) -> bool:
    """Whether a page of this day reports of the day, month or year that is asked for."""
    return any(
        (asked.year in (None, day.year))
        and (asked.month in (None, day.month))
        and (asked.day in (None, day.day))
        for day in (published, published - _REPORTED_AFTER)
    )


def by_short_form(term: Term, read: NamedThings) -> bool:
    """Whether a text has the end of a long name: the commission, 委员会."""
    for name in term.names:
        if is_han(name):
            if len(name) >= _LONG_HAN and read.wording.has(name[-_SHORT_HAN:]):
                return True
        elif " " in name and read.wording.has(f"the {name.rpartition(' ')[2]}"):
            return True
    return False


def _other(term: Term, read: NamedThings) -> bool:
    """Whether a sentence names days, and none of them is the one asked for."""
    days = [
        day
        for day in read.dates
        if (day.date is not None or day.year is not None)
        and not _SINCE.search(read.text[: day.start])
    ]
    return bool(days) and not any(term.date and agrees(term.date, day) for day in days)
