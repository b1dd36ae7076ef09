"""What a message says, and how, by its own words alone: for one that no tool has looked into."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from pydantic import Field

from groundwire.language.amounts.numbers import figures, same_figure
from groundwire.language.names.names import missing_names
from groundwire.language.text.links import has_link
from groundwire.language.time.dates import DateMention, agrees, date_mentions, is_finer
from groundwire.model.base import Value
from groundwire.model.phrase import Phrase, phrase
from groundwire.reasoning.passages import enclosed
from groundwire.reasoning.question import Question
from groundwire.words import words

_LONGEST = 600  # characters
_UNNAMED = (None, None, None, None)
_ANY_DAY = date(2000, 1, 5)  # so that "yesterday" and 昨天 compare equal


class DescribeInput(Value):
    """A message with its first impression."""

    message: str
    language: str
    event_type: str
    summary: str
    traits: tuple[str, ...] = ()  # of its wording: hedged, anonymous_source…


class Description(Value):
    """A short text on the message; it says nothing that the message does not."""

    text: str = Field(description="two or three sentences in the language of the desk")


def _variables(given: DescribeInput, seed: str) -> Mapping[str, str]:
    return {
        "message": enclosed(given.message, seed),
        "language": given.language,
        "event_type": given.event_type,
        "traits": ", ".join(given.traits) or "-",
        "longest": str(_LONGEST),
    }


def _fault_of(given: DescribeInput, found: Description) -> Phrase | None:
    if not found.text.strip() or len(found.text) > _LONGEST:
        return phrase("fault.description_length", n=_LONGEST)
    if has_link(found.text):
        return phrase("fault.link")
    # Nothing was looked up, so whatever is not in the message is made up.
    known = figures(given.message)
    if not all(any(same_figure(each, other) for other in known) for each in figures(found.text)):
        return phrase("fault.absent_figure")
    if not dates_agree(found.text, given.message):
        return phrase("fault.absent_date")
    if missing_names(found.text, [given.message, given.summary]):
        return phrase("fault.absent_name")
    return None


def dates_agree(text: str, message: str) -> bool:
    """Tell whether the message has every date of the text, at least as exact."""
    for text_dates, message_dates in zip(_dates(text), _dates(message), strict=True):
        years = {None, *(each.year for each in message_dates)}
        for day in text_dates:
            # The year may be elsewhere in the message, but it must be there.
            if day.year not in years:
                return False
            if not any(agrees(day, each) and not is_finer(day, each) for each in message_dates):
                return False
    return True


def _dates(text: str) -> tuple[list[DateMention], list[DateMention]]:
    """Return the dates that name a year, month or day, and those relative to another."""
    plain = date_mentions(text)
    named = [each for each in plain if (each.year, each.month, each.day, each.weekday) != _UNNAMED]
    places = {(each.start, each.end) for each in named}
    relative = date_mentions(text, _ANY_DAY)
    return named, [each for each in relative if (each.start, each.end) not in places]


def _embedded(given: DescribeInput) -> Description:
    """Return the gist, and what is remarkable about the wording."""
    say = words(given.language)
    what = given.summary.rstrip(" .。")
    codes = [f"verify.trait.{each}" for each in given.traits]
    traits = [say(code) for code in codes if say.has(code)]
    if not traits:
        return Description(text=say("verify.description.plain", what=what))
    return Description(text=say("verify.description.worded", what=what, how=say.listed(traits)))


QUESTION: Question[DescribeInput, Description] = Question(
    prompt="verify/describe_message",
    tier="heavy",
    output=Description,
    variables=_variables,
    embedded=_embedded,
    fault_of=_fault_of,
    prose=lambda found: found.text,
)
