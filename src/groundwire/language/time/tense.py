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


def tensed(said: TimeMention, flat: str) -> TimeMention:
    """Return a mention with the tense of its sentence, where which day is meant hangs on it:
    another year's or week's would do as well."""
    named = said.which or said.why or said.year is not None or said.is_shifted
    if said.kind != "date" or named or said.level not in ("day", "month"):
        return said
    if said.third is not None and said.weekday is None:
        return said
    return said._replace(tense=_tense(flat, said.start, said.end))


def _tense(flat: str, start: int, end: int) -> Tense:
    before = _STOP.split(flat[max(0, start - _NEAR) : start])[-1]
    after = _STOP.split(flat[end : end + _NEAR])[0]
    if _said["behind"].match(after) and not _said["since"].search(before):
        return "future"
    clause = _COMMA.split(before)[-1]
    # "The firm said it will list on Thursday": what stands nearest.
    nearest = [each.lastgroup for each in _CUE.finditer(clause)][-1:]
    if not nearest and _TO.search(clause):
        return "future"
    # "On Thursday, the company said": what comes first.
    nearest = nearest or [each.lastgroup for each in _CUE.finditer(after)][:1]
    nearest = nearest or [each.lastgroup for each in _CUE.finditer(before)][-1:]
    return "future" if nearest == ["future"] else "past" if nearest == ["past"] else ""
