"""Whether a sentence speaks of a day as past or as still to come: bare weekdays and days without a year need it."""

from __future__ import annotations

import re
from typing import Literal

from groundwire.language.text.phrases import patterns
from groundwire.language.time.mentions import TimeMention

Tense = Literal["", "past", "future"]

_NEAR = 160  # characters around a day that are looked at
_STOP = re.compile(r"[.;!?\n。](?=\s|$|[^\x00-\x7f])|[;!?\n。]")
_COMMA = re.compile(r"[,:、(]")
_said = patterns("tense.txt")
# The last cue before a day speaks of it.
_CUE = re.compile(
    f"(?P<future>{_said('future')})|(?P<either>{_said('either')})|(?P<past>{_said('past')})",
    re.IGNORECASE | re.ASCII,
)
_TO = re.compile(_said("to"), re.IGNORECASE)


def needs_tense(said: TimeMention) -> bool:
    """Tell whether which day is meant hangs on the tense: another year's or week's would do as well."""
    if said.kind != "date" or said.which or said.why or said.year is not None:
        return False
    if any(shift is not None for shift in (said.years, said.months, said.weeks, said.days)):
        return False
    return said.level in ("day", "month") and (said.weekday is not None or said.third is None)


def tensed(said: TimeMention, flat: str) -> TimeMention:
    """Return a mention with the tense of its sentence, where which day is meant hangs on it."""
    if not needs_tense(said):
        return said
    return said._replace(tense=tense(flat, said.start, said.end))


def tense(flat: str, start: int, end: int) -> Tense:
    """Return the tense in which a text in its normal form speaks of what stands there."""
    before = _STOP.split(flat[max(0, start - _NEAR) : start])[-1]
    after = _STOP.split(flat[end : end + _NEAR])[0]
    if _said["behind"].match(after) and not _said["since"].search(before):
        return "future"
    clause = _COMMA.split(before)[-1]
    cues: list[Tense] = [_kind(each) for each in _CUE.finditer(clause)]
    if cues:
        # "The firm said it will list on Thursday": what stands nearest.
        return cues[-1]
    if _TO.search(clause):
        return "future"
    # "On Thursday, the company said": what comes first.
    first = _CUE.search(after)
    if first is not None:
        return _kind(first)
    earlier: list[Tense] = [_kind(each) for each in _CUE.finditer(before)]
    return earlier[-1] if earlier else ""


def _kind(cue: re.Match[str]) -> Tense:
    if cue["future"] is not None:
        return "future"
    return "past" if cue["past"] is not None else ""
