"""What a typed text wants the history of: "timeline of DeepSeek" is about DeepSeek."""

from __future__ import annotations

import re

_KIND = r"(?:timeline|history|chronology|chronicle|milestones)"
_KIND_ZH = (
    r"(?:时间线|時間線|时间轴|時間軸|大事记|大事記|编年史|編年史|发展史|發展史|发展历程|發展歷程)"
)
_ASKS = re.compile(
    rf"\A\W*(?:(?:please )?(?:make|draw|build|show|give me|write) )?(?:an? |the )?(?:full |complete |brief |short )?{_KIND} (?:of|for|on|about) (?:the )?(?=\w)"
    rf"|(?<=\w) {_KIND}\W*\Z"
    rf"|\A\W*{_KIND_ZH}\s*[:：]\s*(?=\w)"
    rf"|(?<=\w)的?\s*{_KIND_ZH}\W*\Z",
    re.IGNORECASE,
)


def topic_of(text: str) -> str:
    """Return what a text is about, without the words that only ask for its history."""
    bare = _ASKS.sub("", text.strip()).strip()
    return bare or text.strip()
