"""Whether a sentence speaks of a day as past or to come, for weekdays and yearless days."""

from __future__ import annotations

import re
from typing import Literal

from groundwire.language.text.phrases import patterns
from groundwire.language.time.mentions import TimeMention

Tense = Literal["", "past", "future", "meant"]  # meant: as somebody planned it then

_NEAR = 160  # characters around a day that are examined
_STOP = re.compile(r"[.;!?\n。](?=\s|$|[^\x00-\x7f])|[;!?\n。]")
_COMMA = re.compile(r"[,:、(]")
_patterns = patterns("tense.txt")
# The last cue before a day governs it.
_CUE = re.compile(
    f"(?P<future>{_patterns('future')})|(?P<either>{_patterns('either')})|(?P<past>{_patterns('past')})",
    re.IGNORECASE | re.ASCII,
)
# What was planned may have been for a day that is over by now.
_MEANT = re.compile(_patterns("meant"), re.IGNORECASE | re.ASCII)
_TO = re.compile(_patterns("to"), re.IGNORECASE)


def with_tense(mention: TimeMention, flat: str) -> TimeMention:
    """Give a mention the tense of its sentence, if the tense decides which day is meant."""
    settled = mention.which or mention.why or mention.year is not None or mention.is_shifted
    if mention.kind != "date" or settled or mention.level not in ("day", "month"):
        return mention
    if mention.third is not None and mention.level != "month":
        return mention
    return mention._replace(tense=_tense(flat, mention.start, mention.end))


def _tense(flat: str, start: int, end: int) -> Tense:
    before = _STOP.split(flat[max(0, start - _NEAR) : start])[-1]
    after = _STOP.split(flat[end : end + _NEAR])[0]
    if _patterns["behind"].match(after):
        if _patterns["done"].search(before):
            return "past"
        return "meant" if _patterns["since"].search(before) else "future"
    clause = _COMMA.split(before)[-1]
    # "The firm said it will list on Thursday": the nearest cue.
    nearest = _groups(clause)[-1:]
    if not nearest and _TO.search(clause):
        return "future"
    # 20日称，将采取措施: the day is that of the saying, not of what is to come.
    if not nearest and _patterns["saying"].match(after):
        return "past"
    # "On Thursday, the company said": the first cue.
    nearest = nearest or _groups(after)[:1]
    # What was said in another clause tells of a day to come as often as of one that is over.
    nearest = nearest or [g for g in _groups(before)[-1:] if g != "past"]
    if nearest == ["future"]:
        return "meant" if _MEANT.search(clause) else "future"
    return "past" if nearest == ["past"] else ""


def _groups(text: str) -> list[str | None]:
    return [each.lastgroup for each in _CUE.finditer(text)]
