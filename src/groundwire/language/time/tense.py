"""Whether a sentence speaks of a day as past or as still to come: bare weekdays and days without a year need it."""

from __future__ import annotations

import re
from typing import Literal

from groundwire.language.time.mentions import TimeMention

Tense = Literal["", "past", "future"]

_NEAR = 160  # characters around a day that are looked at
_STOP = re.compile(r"[.;!?\n。](?=\s|$|[^\x00-\x7f])|[;!?\n。]")
_COMMA = re.compile(r"[,:、(]")
# What is to come, what is neither, what has happened; the last one before a day speaks of it.
_CUE = re.compile(
    r"(?P<future>\b(?:will|shall|won't|going to|about to|scheduled|expected|slated|due|upcoming|plans?|planned|aims?|"
    r"intends?|hopes?|set (?:to|for)|ready to)\b|'ll\b"
    r"|\b(?:start|begin|open|launch|close|end|resume|expire|meet|vote|return|debut|premiere|arrive|go|take|come|become)e?s\b"
    r"(?! to\b)|将(?!军|领|士)|[拟料](?![真订定])|计划|预计|即将|定于|有望|准备(?!金)|预定|预期)"
    r"|(?P<either>\b(?:would|could|may|might|if|until|till|by)\b)"
    r"|(?P<past>\b(?!need|unit|limit|speed|indeed|exceed|proceed|succeed|breed|feed|seed)[a-z]{2,}ed\b"
    r"|\b(?:said|told|wrote|was|were|had|did|made|took|went|came|fell|rose|began|won|lost|hit|saw|met|held|bought|sold|led|"
    r"left|sent|gave|got|found|broke|grew|struck|paid|built|spoke|ran|sank|stole|withdrew|drew|chose|flew|became|brought|"
    r"caught|fought|shut|cut)\b"
    r"|宣布|表示|声称|指出|透露|发布|公布|通报|报道|证实|否认|批准了|已经?|曾)",
    re.IGNORECASE | re.ASCII,
)
# Chinese puts what is to come right behind the day: 周四将, 周四起交易.
_BEHIND = re.compile(
    r"[^,。;!?\n称说示布了]{0,8}?(?:将(?!军|领|士)|拟|即将|会(?!议|见|谈|长|员|计))|(?:起|开始)(?!了)"
)
# "Apple to launch it on Thursday": how headlines say it.
_TO = re.compile(r"\bto [a-z]+(?: [^,.;]{0,60})?$", re.IGNORECASE)


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
    if _BEHIND.match(after):
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
