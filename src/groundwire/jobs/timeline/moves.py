"""What a sentence says of a date that was changed: 原定5月，推迟到6月; postponed from 3 May to 7 June; pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundwire.jobs.timeline.stated import Stated

_MOVED_EN = re.compile(
    r"\b(?:postpone[sd]?|delay(?:s|ed)?|move[sd]?|push(?:es|ed)? back|put(?:s)? (?:off|back)|reschedule[sd]?|defer(?:s|red)?"
    r"|bring(?:s)? forward|brought forward)\b",
    re.IGNORECASE,
)
_TO_EN = re.compile(
    r"\b(?:to|until|till)(?: the)?(?: \w+day,?| early| mid| late| end of)? ?$", re.IGNORECASE
)
_STRETCH_EN = re.compile(rf"{_MOVED_EN.pattern}(?: \w+){{0,3}} $", re.IGNORECASE)
_FROM_EN = re.compile(
    r"(?:\bfrom|\boriginally[\w ,]{0,40}|\b(?:was|were|had been)(?: originally)? (?:due|set|scheduled|planned|expected)[\w ]{0,24})"
    r"(?: (?:on|in|for))?(?: the)? ?(?:\w+day,? )?$",
    re.IGNORECASE,
)
_MOVED_ZH = (
    r"(?:推[迟遲后後]|延[期后後迟遲]|[顺順]延|押[后後]|改期|改[到至为為在]|延[到至]|提前|提早)"
)
_TO_ZH = re.compile(rf"{_MOVED_ZH}[^，。；,;]{{0,6}}?[到至为為在]?(?:今年|明年)?$")
_FROM_ZH = re.compile(
    r"(?:原[定本先拟擬]|原[来來计計][划劃]?|本[应應该該]|[从從由自])[^，。；,;]{0,10}?$"
)
_HAN_MOVED = re.compile(_MOVED_ZH)


def moved_from(text: str, start: int, times: Sequence[Stated]) -> Stated | None:
    """Return the time from which an event was moved to another, where a sentence names both."""
    english, chinese = _MOVED_EN.search(text), _HAN_MOVED.search(text)
    if len(times) < 2 or (english is None and chinese is None):
        return None
    before: Stated | None = None
    after: Stated | None = None
    for when in times:
        lead = text[: when.start - start]
        if before is not None and (when.start, when.end) == (before.start, before.end):
            after = after or when  # from 3 May to 7 June is read as one stretch
            continue
        moved = english is not None and english.start() < len(lead)
        if _TO_ZH.search(lead) or (moved and _TO_EN.search(lead)):
            after = after or when
        elif any(each.search(lead) for each in (_FROM_ZH, _FROM_EN, _STRETCH_EN)):
            before = before or when
    moved_away = before is not None and after is not None and before.first != after.first
    return before if moved_away else None
