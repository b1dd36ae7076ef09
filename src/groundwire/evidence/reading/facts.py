"""What a sentence states that stretches of a page do not have, or say otherwise."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from groundwire.evidence.citations.problems import problem
from groundwire.evidence.citations.quotes import QuotedText
from groundwire.evidence.reading.figures import figure_fit, missing_counts
from groundwire.evidence.reading.meaning import named
from groundwire.evidence.reading.support import Weighed, apart, misplaced, weigh
from groundwire.language.amounts.numbers import figures
from groundwire.language.names.chinese_names import chinese_names, name_stem
from groundwire.language.names.names import has_name, missing_names
from groundwire.language.text.characters import normalise
from groundwire.language.text.wording import is_han
from groundwire.language.time.dates import DateMention, agrees, date_mentions, is_finer
from groundwire.model.phrase import Phrase

# What stands for a name that was named before.
_ANAPHOR = re.compile(
    r"\b(?:it|its|they|their|he|his|she|her|the (?:company|firm|group|bank|lender|exchange|issuer|token|coin|stablecoin|"
    r"start-?up|agency|regulator|ministry|model|app|government|country|developer|fund))\b|该|其(?!他|它|中|实|余)|它|他|她|公司|本行|此",
    re.IGNORECASE,
)
_REPORTED = re.compile(
    r"\b(?:according to|as reported by|reported by)\b|\b(?:report(?:s|ed)?|said|says|wrote|writes|not(?:es|ed)|stat(?:es|ed))\b(?: that)?|"
    r"据[^,。]{1,20}(?:报道|报导|称|消息|表示)?|(?:报道|报导)(?:称|指出)?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Facts:
    """How the facts of a sentence fare in what is quoted for it."""

    numbers: tuple[str, ...]  # figures and counts that are not there
    bounds: tuple[str, ...]  # figures that are bounded otherwise
    loose: tuple[str, ...]  # figures that are not given as exact
    dates: tuple[str, ...]
    names: tuple[str, ...]
    unsure: bool  # a name could not be looked for in another script
    apart: tuple[Phrase, ...]  # problems: figures that belong to another name or act
    said: Weighed

    @property
    def problems(self) -> list[Phrase]:
        """Everything that the quotes do not have or say otherwise, as results keep it."""
        absent = [
            problem("absent", what=item) for item in (*self.numbers, *self.dates, *self.names)
        ]
        bounds = [problem("bound", what=item) for item in self.bounds]
        return [*absent, *bounds, *self.apart, *self.said.problems]

    @property
    def doubts(self) -> list[Phrase]:
        """What only keeps the sentence from being certain."""
        found = [*(problem("loose", what=item) for item in self.loose), *self.said.doubts]
        if self.unsure and problem("undecided") not in found:
            found.append(problem("undecided"))
        return found

    @property
    def passed(self) -> tuple[str, ...]:
        """Names of the checks that found nothing wrong."""
        missing = {
            "numbers": [*self.numbers, *self.bounds],
            "dates": self.dates,
            "names": self.names,
            "meaning": [*self.apart, *self.said.problems],
        }
        return tuple(name for name, items in missing.items() if not items)


def examine(text: str, found: Sequence[QuotedText], question: str = "") -> Facts:
    """Look for every figure, date and name of the sentence, and compare what it says.

    The question lends a date to a page of that date, and nothing else.
    """
    flat = normalise(text).text
    numbers: list[str] = []
    bounds: list[str] = []
    loose: list[str] = []
    for written, figure in zip(figures(text), figures(flat), strict=True):
        fit, _ = figure_fit(figure, flat, found)
        if fit == "absent":
            numbers.append(written.text)
        elif fit == "bound":
            bounds.append(written.text)
        elif fit == "loose":
            loose.append(written.text)
    numbers.extend(missing_counts(flat, found))
    dates = _missing_dates(text, found, question)
    unnamed, unsure = _missing_names(text, flat, found)
    whole = numbers or dates or unnamed
    return Facts(
        numbers=tuple(numbers),
        bounds=tuple(bounds),
        loose=tuple(loose),
        dates=tuple(dates),
        names=tuple(unnamed),
        unsure=unsure,
        # Only where nothing is absent: what is not there belongs to nobody.
        apart=() if whole else (*apart(flat, found), *misplaced(flat, found)),
        said=weigh(flat, found),
    )


def _missing_names(text: str, flat: str, found: Sequence[QuotedText]) -> tuple[list[str], bool]:
    """Names that no quote has, and whether one could not be looked for in another script."""
    near = [part for place in found for part in (place.quote, place.whole)]
    far = [part for place in found if _refers_back(place) for part in (place.before, place.title)]
    lacking = missing_names(text, near)
    if lacking and far:
        lacking = [name for name in lacking if name in missing_names(text, [*near, *far])]
    reporters = [place.publisher for place in found]
    lacking = [name for name in lacking if not _is_reporter(name, flat, reporters)]
    known = [name.text for name in named(text)]
    pool = normalise("\n".join([*near, *far])).text
    unsure = False
    for start, end in chinese_names(flat):
        name = flat[start:end]
        if any(name in other or other in name for other in (normalise(k).text for k in known)):
            continue
        if name in pool or name_stem(name) in pool or has_name(name, pool):
            continue
        if _is_reporter(name, flat, reporters):
            continue
        if is_han(pool):
            lacking.append(name)
        else:
            unsure = True
    return list(dict.fromkeys(lacking)), unsure


def _refers_back(place: QuotedText) -> bool:
    """Whether the quoted sentence speaks of something named earlier, before it names anything."""
    anaphor = _ANAPHOR.search(place.whole)
    if anaphor is None:
        return False
    first = named(place.whole)[:1]
    return not first or anaphor.start() < first[0].start


def _is_reporter(name: str, flat: str, publishers: Sequence[str]) -> bool:
    """Whether the name is the publisher's, in words that say who reported it (code fills those)."""
    if not any(has_name(name, publisher) for publisher in publishers):
        return False
    at = flat.find(normalise(name).text)
    around = flat[max(0, at - 24) : at + len(name) + 24]
    return _REPORTED.search(around) is not None


def _missing_dates(text: str, found: Sequence[QuotedText], question: str) -> list[str]:
    missing: list[str] = []
    for index, mention in enumerate(date_mentions(text, None)):
        if not any(_dated(index, mention, text, place, question) for place in found):
            missing.append(mention.text)
    return missing


def _dated(index: int, mention: DateMention, text: str, place: QuotedText, question: str) -> bool:
    """Whether this quote, read on the day its page was published, names the date."""
    published = place.published
    wanted = date_mentions(text, published)[index]
    for other in date_mentions(place.quote, published):
        if agrees(wanted, other) and not is_finer(wanted, other):
            return True
        if mention.text == other.text and mention.date is None:
            return True
    if published is None:
        return False
    page = DateMention(0, 0, "", published, "day", published.year, published.month, published.day)
    return agrees(wanted, page) and any(
        agrees(wanted, asked) and not is_finer(wanted, asked)
        for asked in date_mentions(question, published)
    )
