"""What a sentence need not say, since its headline, its day or the sentence before says it."""

from __future__ import annotations

import re
from datetime import date, timedelta

from groundwire.evidence.questions.coverage import NamedThings, day_of, named_things
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
# Named by a reference ("the bank") or the day, by the title, by another passage of the page.
_REFERENCE_CREDIT, _TITLE_CREDIT, _PAGE_CREDIT = 0.8, 0.5, 0.25
# A report of the evening is read the next day, and across an ocean it is the next day.
_REPORTED_AFTER = timedelta(days=1)
_RESTATED, _FEWEST_RESTATED = 0.5, 3  # share and number of a headline's words
# A day that only begins or ends something: the highest price since December 2021.
_SINCE = re.compile(r"(?:\b(?:since|from|until|till|by|before|than) |[自从至到])$", re.IGNORECASE)
_PRONOUN = re.compile(r"\w (?:it|him|her|them)\b|[该此其它他她]", re.IGNORECASE)
_LONG_HAN, _SHORT_HAN = 6, 3
_REPOSTED = frozenset({"stale", "repost"})
_TURNING = frozenset({"negates", "denies", "false"})


class Surroundings:
    """The headline, publisher and day of a passage, and what its sentences take from them."""

    def __init__(
        self, intent: Intent, passage: NumberedPassage, page: frozenset[int] = _NOTHING
    ) -> None:
        self._intent = intent
        self._page = page  # the names that other passages of the page have
        self.passage = passage
        day = day_of(passage)
        self._publisher = named_things(passage.publisher).matched(intent)
        self._title = named_things(passage.title, day).matched(intent) | self._publisher
        matched = named_things(f"{passage.title}\n{passage.text}", day).matched(intent)
        self._named = frozenset(n for n in matched if intent.terms[n].kind == "name")
        # A headline is a statement unless it denies, asks, or reports a rumour.
        flat = simplify(passage.title)
        doubted = "?" in flat or any_of(facet_words("strong")["whether"]).search(flat)
        turned = not _TURNING.isdisjoint(cues_in(passage.title))
        self._headline = {stemmed(token) for token in content_tokens(passage.title)}
        self._asserted = not (doubted or turned)
        self._dated = _NOTHING
        # Nobody knows when a republished report was written.
        if day is not None and _REPOSTED.isdisjoint(passage.flags):
            self._dated = frozenset(
                n for n, t in enumerate(intent.terms) if t.date and _may_report(t.date, day)
            )

    def own(self, text: str, things: NamedThings) -> frozenset[int]:
        """Return the terms that a sentence names itself; "we" names its publisher."""
        terms = things.matched(self._intent)
        return terms | self._publisher if self.speaks(text) else terms

    def speaks(self, text: str) -> bool:
        """Tell whether the publisher of a primary page is the one who says "we"."""
        return self.passage.tier == "primary" and _FIRST_PERSON.search(text) is not None

    def carried(self, things: NamedThings) -> frozenset[int]:
        """Return the words of the headline, for a sentence that restates it."""
        words = frozenset(n for n in self._title if self._intent.terms[n].kind == "word")
        if not (self._asserted and words):
            return _NOTHING
        restated = sum(things.wording.has(word) for word in self._headline)
        enough = max(_FEWEST_RESTATED, _RESTATED * len(self._headline))
        return words if restated >= enough else _NOTHING

    def credit(self, number: int, before: frozenset[int]) -> float:
        """Return the worth of a term that only the surroundings name."""
        if number in before or number in self._dated:
            return _REFERENCE_CREDIT
        return _TITLE_CREDIT if number in self._title else _PAGE_CREDIT

    def referred(self, things: NamedThings) -> frozenset[int]:
        """Return the names that a sentence gives only in a short form: the commission, 委员会."""
        return frozenset(n for n in self._named if has_short_form(self._intent.terms[n], things))

    def near(
        self, own: frozenset[int], before: frozenset[int], things: NamedThings, lead: bool
    ) -> frozenset[int]:
        """Return the terms that only the surroundings name; no day if the sentence has another."""
        terms = (self._title | self._dated | before) - own
        # The first sentence is about what the others are about.
        if lead and own & self._named:
            terms |= self._named - own
        # "Trump revoked it": one name of the question, and a pronoun for the other.
        if self._page & own and _PRONOUN.search(things.text):
            terms |= self._page - own
        return frozenset(
            n
            for n in terms
            if (term := self._intent.terms[n]).date is None or not _has_other_day(term, things)
        )


def _may_report(wanted: DateMention, published: date) -> bool:
    """Tell whether a page of this day reports of the day, month or year that is asked for."""
    return any(
        (wanted.year in (None, day.year))
        and (wanted.month in (None, day.month))
        and (wanted.day in (None, day.day))
        for day in (published, published - _REPORTED_AFTER)
    )


def has_short_form(term: Term, things: NamedThings) -> bool:
    """Tell whether a text has the end of a long name: the commission, 委员会."""
    for name in term.names:
        if is_han(name):
            if len(name) >= _LONG_HAN and things.wording.has(name[-_SHORT_HAN:]):
                return True
        elif " " in name and things.wording.has(f"the {name.rpartition(' ')[2]}"):
            return True
    return False


def _has_other_day(term: Term, things: NamedThings) -> bool:
    """Tell whether a sentence names days, and none of them is the one asked for."""
    days = [
        day
        for day in things.dates
        if (day.date is not None or day.year is not None)
        and not _SINCE.search(things.text[: day.start])
    ]
    return bool(days) and not any(term.date and agrees(term.date, day) for day in days)
