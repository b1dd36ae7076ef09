"""Which sentences of a page are about the subject of a watch, and where they name it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache

from groundwire.evidence.reading.analysis import Analysis, Sentence, analyse
from groundwire.jobs.watch.ledger.attributes import attributes, named
from groundwire.jobs.watch.ledger.signs import (
    is_any,
    is_of_others,
    opens_with_others,
    refers_to_somebody,
    stands_beside,
    stands_for,
    stands_inside,
    stretches_of,
    takes_over,
)
from groundwire.jobs.watch.ledger.values import (
    Found,
    names_in,
)
from groundwire.language.names.names import known_spellings
from groundwire.language.text.characters import normalise
from groundwire.language.text.chinese import cut
from groundwire.language.text.rarity import rarity
from groundwire.language.text.spans import Span
from groundwire.language.text.wording import is_han

_LEGAL = re.compile(
    r",? (?:inc|ltd|llc|plc|corp|corporation|co|company|group|ag|gmbh|sa)\.?$", re.I
)


class Subject:
    """Who or what is watched, by all names that are known for it."""

    def __init__(self, names: Sequence[str]) -> None:
        self.name = names[0]
        self._names = tuple(names)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return _pattern(self._names)

    def places(self, text: str) -> tuple[Span, ...]:
        """Find where a text in its normal form names it, with the mark of possession."""
        return tuple(match.span() for match in self._pattern.finditer(text))

    def is_named(self, text: str) -> bool:
        """Tell whether a text as written names it."""
        return self._pattern.search(normalise(text).text) is not None

    @cached_property
    def _kinds(self) -> tuple[str, ...]:
        """What it is, where its name ends in that: the bridge, 水库."""
        return tuple(kind for name in self._names if (kind := _kind(normalise(name).text)))

    def _is_meant(self, sentence: Sentence) -> bool:
        """Tell whether a sentence begins with what the subject is, as its name says."""
        opening = sentence.low.lstrip("\"'( ")
        return any(opening.startswith(kind) for kind in self._kinds)

    def _is_another(self, sentence: Sentence) -> bool:
        """Tell whether a sentence speaks of another of its kind: 石门水库, where 青禾水库 is watched."""
        return any(
            is_han(kind) and re.search(rf"[\u4e00-\u9fff](?<![该本这此全各]){kind}", sentence.text)
            for kind in self._kinds
        )

    def sentences(self, page: Analysis, *, own: bool = False) -> Iterator[tuple[Sentence, bool]]:
        """Yield the sentences about it, each with whether that is sure: those that name it, and those that go on about it.

        A sentence goes on where it begins with what stands for the subject (it, the company), with a name that was
        told beside it (its product), or with what a thing has (sales, 员工), unless it is that of others. What follows
        soon and names nobody may go on, too.
        """
        title = page.title
        about = own or (title is not None and bool(self.places(title.text)))
        beside = set[str]() if title is None or not about else set(_names(title, ()))
        last = -_SOON - 1
        for number, sentence in enumerate(page.sentences):
            places = self.places(sentence.text)
            sure = True
            if places:
                about = not all(stands_beside(sentence, span) for span in places)
            elif about:
                names = [each for each in names_in(sentence, ()) if not _is_plain(each)]
                opens = bool(names) and not _has_somebody(sentence, names[0].start)
                goes_on = names[0].key in beside if opens else opens_with_its_own(sentence)
                about = stands_for(sentence) or goes_on or self._is_meant(sentence)
                # "Ana Li, until now at Orvane, will succeed him": he was just told of.
                about = about or any(takes_over(sentence, each.span) for each in names[:1])
                about = about or (not names and (own or _speaks_of_it(sentence)))
                about = about and not self._is_another(sentence)
                another = is_of_others(sentence) or self._is_another(sentence)
                if not about and not names and not another:
                    about, sure = True, False  # what follows may go on again
            if about and (sure or number - last <= _SOON):
                last = number if sure else last
                beside.update(_names(sentence, places))
                yield sentence, sure

    def of_others(self, sentence: Sentence) -> tuple[Span, ...]:
        """Find the stretches of a sentence that are about somebody else: "while its neighbour Orvane owes £61m"."""
        stretches = stretches_of(sentence)
        if len(stretches) < 2:  # what a sentence is about as a whole was asked before
            return ()
        return tuple(span for span in stretches if self._is_of_others(sentence, span))

    def _is_of_others(self, sentence: Sentence, span: Span) -> bool:
        text = sentence.text[slice(*span)]
        if self.places(text):
            return False
        if opens_with_others(text) or self._has_another_number(text):
            return True
        first = next(iter(names_in(analyse(text, whole=True).lead, ())), None)
        opens = first is not None and len(text[: first.start].split()) <= _OPENING_WORDS
        return opens and not refers_to_somebody(text)

    def _has_another_number(self, text: str) -> bool:
        """Tell whether a text names another of a numbered kind: 七号线, where 九号线 is watched."""
        for name in self._names:
            own = _NUMBERED.search(normalise(name).text)
            if own is not None and (own["before"] or own["after"]):
                like = (
                    rf"{re.escape(own['before'])}(?P<number>{_NUMERALS}){re.escape(own['after'])}"
                )
                if any(each["number"] != own["number"] for each in re.finditer(like, text)):
                    return True
        return False


def _kind(name: str) -> str:
    """Return the common noun with which a name ends: "the bridge" of Harrow Bridge, 水库 of 青禾水库."""
    if is_han(name):
        last = cut(name)[-1]
        return last if _SHORTEST <= len(last) < len(name) else ""
    words = name.split()
    return f"the {words[-1].lower()} " if len(words) > 1 and words[-1].isalpha() else ""


def _names(sentence: Sentence, places: Sequence[Span]) -> list[str]:
    return [each.key for each in names_in(sentence, places)]


def _is_plain(name: Found) -> bool:
    """Tell whether what opens a sentence with a capital is a common word: "Season tickets"."""
    low = name.text.lower()
    return name.start == 0 and low.isalpha() and min(rarity(low), rarity(low.rstrip("s"))) < _RARE


def _has_somebody(sentence: Sentence, name: int) -> bool:
    """Tell whether a sentence opens with an office or a place that somebody has: 校长是曾淑芬."""
    first = min(named().find(sentence), default=None)
    return (
        first is not None and first.start < name and bool(attributes()[first.meaning].kinds & _HAD)
    )


def opens_with_its_own(sentence: Sentence) -> bool:
    """Tell whether a sentence begins with what names an attribute, and not with others whose it is."""
    first = min(named().find(sentence), default=None)
    if first is None or first.start > _OPENING or is_of_others(sentence):
        return False
    # "A ticket costs £24" goes on; "a trial begins on Monday" begins with something else.
    return not (is_any(sentence) and attributes()[first.meaning].kinds <= _HAPPENS)


def _speaks_of_it(sentence: Sentence) -> bool:
    """Tell whether a sentence that opens with nobody else speaks of what was just named: "leaves the firm with 9"."""
    return stands_inside(sentence) and not is_of_others(sentence)


_SHORTEST = 2
_OPENING_WORDS = 4  # before the name of whom a stretch is about: "and the older Bellweather pit"
_NUMERALS = r"(?:\d+|[一二三四五六七八九十]+)"
_NUMBERED = (
    re.compile(  # a line by its number and kind, 九号线; a model by its name and number, Aurin 5
        rf"(?P<before>[A-Za-z]+[ -]|)(?P<number>{_NUMERALS})(?P<after>号?[\u4e00-\u9fff]{{0,3}})$"
    )
)
_RARE = 2.5  # a word that so few texts have is a name
_SOON = 2  # sentences after the last that is surely about it
_HAD = frozenset({"name", "place"})
_HAPPENS = frozenset({"date", "state"})
_OPENING = (
    14  # characters before the first word of its own that a sentence opens with: "The monthly "
)


@lru_cache(maxsize=64)
def _pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    spelt = [form for name in names for form in (*known_spellings(name), _LEGAL.sub("", name))]
    forms = dict.fromkeys(normalise(form).text for form in spelt if len(form) > 1)
    parts = [
        re.escape(form)
        if is_han(form)
        else rf"(?<![A-Za-z0-9]){re.escape(form)}(?:'s|'(?= ))?(?![A-Za-z0-9])"
        for form in sorted(forms, key=lambda form: (-len(form), form))
    ]
    return re.compile("|".join(parts), re.IGNORECASE)
