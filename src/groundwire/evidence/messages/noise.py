"""What messages are wrapped in: cries, tags, calls to act, sources, hedges; in their normal form."""

from __future__ import annotations

import re

from groundwire.language.text.phrases import listed

_EMOJI = (
    "\U0001f000-\U0001faff\u2600-\u27bf\u2b00-\u2bff\u2190-\u21ff\ufe0f\u200d\u20e3\u2300-\u23ff"
    "\U0001f1e6-\U0001f1ff\u25a0-\u25ff"
)
_TAGS_AT_END = re.compile(r"(?:\s*(?:#|@)[\w·]+)+\s*\Z")
_TAG = re.compile(r"(?<!\w)[#＃]([\w·]+)[#＃]?|(?<!\w)@(\w+)")
_TICKER = re.compile(r"(?<!\w)\$(?=[A-Za-z])")
_HANDLE_AT_START = re.compile(r"\A\s*(?:RT\s+)?(?:@\w+:?\s+)+")
_TOPIC_AT_START = re.compile(r"\A\s*#[^#\s]{2,20}#\s*")  # as Chinese networks write it
_SHOUT = re.compile(
    r"\A(?:(?:BREAKING|JUST IN|ALERT|URGENT|UPDATE|NEWS|FLASH|RUMOU?R|DEVELOPING|EXCLUSIVE|SCOOP|WARNING)\b[\s:!|/-]*)+"
)
_SYMBOLS = re.compile(f"[{_EMOJI}]+")


def without_marks(text: str) -> str:
    """The text without emoji and tags; a tag inside a sentence is one of its words."""
    plain = _HANDLE_AT_START.sub("", text)
    plain = _TOPIC_AT_START.sub("", _SYMBOLS.sub(" ", plain))
    lines = [_TAGS_AT_END.sub("", line) for line in plain.splitlines()]
    kept = (_TICKER.sub("", _TAG.sub(lambda m: m.group(1) or m.group(2), line)) for line in lines)
    return "\n".join(_SHOUT.sub("", line.strip()) for line in kept if line.strip())


# Cries at the beginning, with the mark that ends them or in brackets.
OPENING = re.compile(listed("message: opening"))
# Who says so, before it.
SAID_AT_START = re.compile(listed("message: said at the start"))
# Who says so, after it.
SAID_AT_END = re.compile(listed("message: said at the end"))
# Inside a sentence: the message's own doubt, not part of what is to happen.
HEDGE = re.compile(listed("message: hedge"))
# What the reader should do or feel.
CALL = re.compile(listed("message: call"))
# Says only how the news travels: no announcement yet, pictures are out.
NO_NEWS = re.compile(listed("message: no news"))
QUESTION = re.compile(listed("message: question"))
OPINION = re.compile(listed("message: opinion"))
# Where two statements may be joined.
AND = re.compile(listed("message: and"))
BESIDES = re.compile(listed("message: besides"))
ANAPHOR = re.compile(listed("message: anaphor"))
