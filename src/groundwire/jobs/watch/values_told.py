"""What the value of a claim is called for a reader: a figure or a day as his language writes it, a state by its word."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

from groundwire.jobs.watch.ledger.attributes import called, state_called
from groundwire.jobs.watch.ledger.claims import Claim, Given, Side, ValueKind
from groundwire.language.amounts.writing import written_figure
from groundwire.language.text.wording import is_han
from groundwire.words import Words

_DAY = re.compile(r"\d{4}(?:-\d\d){1,2}")
_SCALE_WORD = re.compile("[A-Za-z]{4}")
_CURRENCY = re.compile("[A-Z]{3}")


class Told(NamedTuple):
    """A value for a reader, and what it is a value of: price, $199."""

    noun: str
    value: str

    def beside(self, before: str, say: Words) -> str:
        """Say what it is, and what it was before: price: $249 → $199."""
        values = f"{before} → {self.value}" if before and before != self.value else self.value
        return f"{self.noun}{say('list.colon')}{values}" if self.value else ""


def told_value(
    attribute: str, kind: ValueKind | None, value: Given | Side | Claim, language: str
) -> Told:
    """Return a value as a reader reads it; "" where it has no noun, or only its sentence says what it is."""
    noun = called(attribute, language)
    return Told(noun, _written(attribute, kind, value, language) if noun else "")


def _written(
    attribute: str, kind: ValueKind | None, value: Given | Side | Claim, language: str
) -> str:
    match kind:
        case "date":
            return value.key if _DAY.fullmatch(value.key) else _readable(value.value, language)
        case "state":
            return state_called(attribute, value.key, language)
        case "money" | "count":
            return _figure(value, language)
        case "act" | None:
            return ""
        case _:
            return _readable(value.value, language)


def _readable(text: str, language: str) -> str:
    """Return what is written in a script of the reader's: Latin letters everybody reads."""
    return "" if is_han(text) and not language.startswith("zh") else text


def _figure(value: Given | Side | Claim, language: str) -> str:
    """Return a figure as it is written, or as the reader's language writes it where a page of another one has it."""
    chinese = language.startswith("zh")
    if not (_SCALE_WORD.search(value.value) if chinese else is_han(value.value)):
        return value.value
    if value.unit and not _CURRENCY.fullmatch(value.unit):
        return _readable(value.value, language)
    try:
        return written_figure(Decimal(value.key), value.unit, language)
    except InvalidOperation:
        return _readable(value.value, language)
