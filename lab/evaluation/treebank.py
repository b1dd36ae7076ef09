"""Text as treebanks write it, every token between spaces, turned into plain text and back."""

from __future__ import annotations

import re

_BRACKETS = (
    ("-LRB-", "("),
    ("-RRB-", ")"),
    ("-LSB-", "["),
    ("-RSB-", "]"),
    ("``", '"'),
    ("''", '"'),
)
_GLUED = re.compile(r"(?<=\w) - (?=\w)")
_BEFORE = re.compile(r" (?=[,.;:!?%)\]](?:\W|$))")
_AFTER = re.compile(r"(?<=[(\[$£€#]) ")
_CUT = re.compile(r" (?=(?:n't|'s|'re|'ve|'ll|'d|'m)\b|'(?= ))", re.IGNORECASE)
_QUOTED = re.compile(r'(?:(?<=\s)|^)" ([^"]*?) "')
_SUFFIX = r"'(?:s|re|ve|ll|d|m)\b"
_ABBREVIATION = (
    "(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|Mr|Mrs|Ms|Dr|St|Gov|Sen|Rep|Gen|Lt|Col|No)[.]"
)
_TOKEN = re.compile(
    rf"(?:[A-Za-z]\.){{2,}}|\b{_ABBREVIATION}|\w+(?=n't\b)|n't\b|{_SUFFIX}|[$£€]|"
    rf"\w+(?:(?:[-.,:/&]|(?!{_SUFFIX})')\w+)*|\.{{2,}}|[^\w\s]",
    re.IGNORECASE,
)


def plain(text: str) -> str:
    """Write tokenised text as people do."""
    for token, mark in _BRACKETS:
        text = text.replace(token, mark)
    for pattern, to in ((_GLUED, "-"), (_BEFORE, ""), (_AFTER, ""), (_CUT, "")):
        text = pattern.sub(to, text)
    return _QUOTED.sub(r'"\1"', text)


def tokenised(text: str) -> str:
    """Write every token of an English text between spaces."""
    return " ".join(_TOKEN.findall(text))
