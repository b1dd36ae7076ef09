"""Whether a message tells news, looks back, or gives an opinion; by its own words, zh and en."""

from __future__ import annotations

import re
from typing import Literal

from groundwire.evidence.messages.noise import said
from groundwire.language.text.characters import simplify

MessageKind = Literal["news", "retrospective", "opinion"]


def _said(heading: str) -> re.Pattern[str]:
    return re.compile(said(heading), re.IGNORECASE)


_RETROSPECTIVE = _said("looks back")
_OPINION = _said("piece of opinion")
# In the first person; what another is reported to have said is news.
_I_THINK = _said("i think")
_REPORTED = _said("reported")
# Whose price is meant, and what is foretold of it.
_PRICED = _said("priced")
_FORETOLD = _said("foretold")
# A loss that could reach a sum, and a thing that already happened, are no forecasts of a price.
_NO_FORECAST = _said("no forecast")


def message_kind(text: str) -> tuple[MessageKind, str]:
    """What a message is, and the words that say so; news unless it says otherwise."""
    # Line by line: marks of a kind stand at the beginning of lines.
    flat = "\n".join(simplify(line) for line in text.splitlines())
    if found := _RETROSPECTIVE.search(flat):
        return "retrospective", _words(found)
    if found := _OPINION.search(flat):
        return "opinion", _words(found)
    for sentence in re.split(r"(?<=[。!?;])|(?<=[.]) |\n", flat):
        found = _own_view(sentence) or _forecast(sentence)
        if found:
            return "opinion", _words(found)
    return "news", ""


def _words(found: re.Match[str]) -> str:
    return found.group().strip(" \n[](){}【】「」《》|:,-—丨")


def _own_view(sentence: str) -> re.Match[str] | None:
    found = _I_THINK.search(sentence)
    if found is None:
        return None
    before = sentence[: found.start()]
    # Powell: "I think…"; 鲍威尔：我认为…
    reported = re.search(r"[:\"'“‘]\s*$|[:\"“]", before) or _REPORTED.search(before)
    quoted_after = re.search(r"[\"”],? \w+ (?:said|says|told|wrote)\b", sentence[found.end() :])
    return None if reported or quoted_after else found


def _forecast(sentence: str) -> re.Match[str] | None:
    if not _PRICED.search(sentence) or _NO_FORECAST.search(sentence):
        return None
    return _FORETOLD.search(sentence)
