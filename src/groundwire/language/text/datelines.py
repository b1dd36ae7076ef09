"""Where and by whom a report was filed, before it begins: "LONDON (Reuters) - ", "新华社北京3月5日电"."""

from __future__ import annotations

import re

from groundwire.language.text.characters import HAN

_DATELINE = re.compile(
    r"[^.!?。\n]{0,120}?\([A-Z][\w .&-]{1,24}\) ?[-–—]{1,2}\s+"
    rf"|[【\[(（]?[{HAN}]{{2,16}}(?:\d{{1,2}}月)?\d{{1,2}}日(?:电|電|讯|訊)[，,:：\s]*(?:[（(][^）)]{{2,20}}[）)])?"
    # Without a day, a space or a reporter's name tells it from a sentence about the post.
    rf"|[{HAN}]{{2,16}}(?:电|電|讯|訊)(?:[\u3000 ]+|[（(][^）)]{{2,20}}[）)])"
    # Who reports, not what somebody is said to have reported: 环球网4月4日报道据…, 【环球网报道 记者 孟媛】
    rf"|[{HAN}]{{2,16}}(?:\d{{1,2}}月)?\d{{1,2}}日(?:报道|報道|報導)[\u3000 ]*(?=[据據])"
    rf"|(?![据據])[{HAN}]{{2,10}}(?:报道|報道|報導)[\u3000 ]+"
    r"|[【\[][^】\]\n]{2,24}(?:报道|報道|報導|讯|訊)[^】\]\n]{0,16}[】\]]\s*"
)


def after_dateline(text: str, start: int = 0, end: int | None = None) -> int:
    """Return where a sentence begins after its dateline; `start` where it has none."""
    match = _DATELINE.match(text, start, len(text) if end is None else end)
    return start if match is None else match.end()
