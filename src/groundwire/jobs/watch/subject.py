"""Whom or what a command wants watched: "Monitor DeepSeek's latest developments" is about DeepSeek."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from groundwire.language.text.characters import HAN, normalise, simplify

_WATCH = (
    r"(?:monitor(?:ing)?|watch(?: for| out for)?|track(?:ing)?|follow(?:ing)?|keep (?:an eye|tabs|watch) on"
    r"|keep (?:me )?(?:posted|updated|informed) (?:on|about)|alert me (?:to|about|when there is)"
    r"|(?:tell|notify) me (?:about|of)|look out for|stay on top of)"
)
_WATCH_ZH = r"(?:(?:持续|密切|实时|长期|帮我|请)*(?:监控|监测|监视|关注|追踪|跟踪|跟进|盯住|盯|留意|紧盯)(?:一下|[着著])?)"
_NEWS = (
    r"(?:(?:all|any|the|its|their|of|about|on|for|new|newest|latest|recent|current|important|major|breaking) )*"
    r"(?:developments?|news|updates?|moves?|changes?|progress|announcements?|activity|activities|situation|happenings)"
)
_NEWS_ZH = r"(?:的?(?:最新|近期|最近|一切|所有|重要|重大)*的?(?:动态|进展|消息|新闻|动向|情况|资讯|变化|动作|发展|走势))"
_SHORTEST = 2  # characters of a name; a Chinese one says as much as two
_ONLY_NEWS = re.compile(_NEWS)
_ONLY_NEWS_ZH = re.compile(rf"(?:一切|所有|全部|它|这个|这件事)?{_NEWS_ZH}?")
_NO_NAMES = frozenset(
    [
        *("the", "all", "any", "its", "their", "of", "about", "on", "for", "new", "newest"),
        *("latest", "recent", "current", "important", "major", "breaking"),
        *("it", "this", "that", "them", "everything", "anything", "something"),
    ]
)
_HAN = re.compile(f"[{HAN}]")
_BETWEEN_HAN, _BETWEEN_LATIN = rf"[{HAN}]{{0,4}}", r"(?: [a-z]+)? "  # spot, futures, 现货
_LEAD = re.compile(rf"\A\W*(?:please )?{_WATCH}\s+(?:the )?", re.IGNORECASE)
_LEAD_ZH = re.compile(rf"\A\W*{_WATCH_ZH}\s*(?:关于|有关)?\s*[:：]?\s*(?=\w)")
_OF = re.compile(
    rf"\A(?:the )?{_NEWS} (?:of|about|on|in|at|from|around|regarding) (?:the )?(?=\w)",
    re.IGNORECASE,
)
_TAIL = re.compile(rf"(?:['’]s?)? {_NEWS}\W*\Z", re.IGNORECASE)
_TAIL_ZH = re.compile(rf"(?<=\w)\s*{_NEWS_ZH}\W*\Z")


def subject_of(command: str) -> str:
    """Return what a command is about, without the words that only ask to be kept informed."""
    normal = normalise(command)
    flat = normal.text
    start, end = 0, len(flat)
    for lead in (_LEAD, _LEAD_ZH, _OF):
        match = lead.match(flat[start:end])
        if match:
            start += match.end()
    for tail in (_TAIL, _TAIL_ZH):
        match = tail.search(flat, start, end)
        if match and match.start() > start:
            end = match.start()
    first, last = normal.original(start, end)
    return command[first:last].strip(' ,，。.:："“”\n\t') or command.strip()


def names_something(command: str) -> bool:
    """Tell whether a command says whom or what to watch: neither one letter nor only that it shall be the news."""
    subject = subject_of(command)
    flat = simplify(subject).lower()
    if sum(1 + bool(_HAN.match(each)) for each in flat if each.isalnum()) < _SHORTEST:
        return False
    words = re.findall(r"[^\W\d_]+|\d+", flat)
    return not (
        _ONLY_NEWS_ZH.fullmatch(flat)
        or all(word in _NO_NAMES or _ONLY_NEWS.fullmatch(word) for word in words)
    )


def asks_to_watch(text: str) -> bool:
    """Tell whether a text asks to be kept informed."""
    flat = simplify(text)
    return _LEAD.match(flat) is not None or _LEAD_ZH.match(flat) is not None


def beside(names: Sequence[str], words: str) -> str:
    """Return the search for words: always beside the subject, by the first of its names where they have none."""
    flat = simplify(words).lower()
    return words if any(simplify(each).lower() in flat for each in names) else f"{names[0]} {words}"


def spellings(names: Sequence[str], texts: Iterable[str]) -> tuple[str, ...]:
    """Return the names, and how pages write those of several words: 比特币现货ETF, bitcoin ETFs."""
    patterns = [each for name in names if (each := _loose(name))]
    found = dict.fromkeys(names)
    for text in texts if patterns else ():
        flat = normalise(text).text
        for pattern in patterns:
            found.update(dict.fromkeys(match.group() for match in pattern.finditer(flat)))
    return (*names, *sorted(found.keys() - set(names)))


def _loose(name: str) -> re.Pattern[str] | None:
    """Match a name of several words as it is written in running text; None for one of a single word."""
    words = [re.escape(normalise(each).text) for each in name.split()]
    if len(words) == 1:
        return None
    if _HAN.search(name):
        return re.compile(_BETWEEN_HAN.join(words), re.IGNORECASE)
    return re.compile(rf"(?<!\w){_BETWEEN_LATIN.join(words)}s?(?!\w)", re.IGNORECASE)
