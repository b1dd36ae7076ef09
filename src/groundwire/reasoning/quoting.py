"""Sentences that a mind writes on quotes from numbered passages: their shape, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from pydantic import Field

from groundwire.evidence.citations.checker import check
from groundwire.language.text.links import has_link
from groundwire.model.base import Value
from groundwire.model.claim import Checked
from groundwire.model.phrase import Phrase, phrase
from groundwire.model.source import Evidence, NumberedPassage, Passage

Places = Mapping[int, tuple[Evidence, Passage]]  # the page and the passage behind each number


class Quoted(Value):
    """Words copied from a passage."""

    passage: int = Field(description="number of the passage")
    quote: str = Field(description="copied from the passage character by character")


class Said(Value):
    """A sentence and the quotes it stands on."""

    text: str
    quotes: tuple[Quoted, ...]


class Quoting(Protocol):
    """Any sentence with its quotes."""

    @property
    def text(self) -> str: ...
    @property
    def quotes(self) -> Sequence[Quoted]: ...


def fault_of_numbers(numbers: Iterable[int], passages: Iterable[NumberedPassage]) -> Phrase | None:
    """Name the first number under which no passage was shown."""
    shown = {each.number for each in passages}
    unknown = next((each for each in numbers if each not in shown), None)
    return None if unknown is None else phrase("fault.no_passage", n=unknown)


def fault_of_sentences(
    sentences: Iterable[Quoting], passages: Sequence[NumberedPassage]
) -> Phrase | None:
    """Name the first sentence without a quote, with a link, or with a quote from no passage."""
    # Faults are shown to people, so they name places and repeat none of the model's words.
    for place, each in enumerate(sentences, start=1):
        if not each.quotes:
            return phrase("fault.no_quote", n=place)
        if has_link(each.text):
            return phrase("fault.sentence_link", n=place)
        if fault := fault_of_numbers((one.passage for one in each.quotes), passages):
            return fault
    return None


def places_of(passages: Iterable[NumberedPassage], evidence: Iterable[Evidence]) -> Places:
    """Return the page and the passage behind each number."""
    pages = {each.id: each for each in evidence}
    found: dict[int, tuple[Evidence, Passage]] = {}
    for each in passages:
        page = pages[each.evidence_id]
        found[each.number] = page, next(p for p in page.passages if p.id == each.passage_id)
    return found


def checked(text: str, quotes: Iterable[Quoted], places: Places, asked: str = "") -> Checked:
    """Check a sentence against the stored text that it quotes (law 2)."""
    return check(text, [(each.passage, each.quote) for each in quotes], places, asked)


def stands(text: str, quotes: Iterable[Quoted], places: Places, asked: str = "") -> bool:
    """Tell whether a sentence would be shown."""
    return checked(text, quotes, places, asked).result != "unsupported"
