"""Cleans text from outside for reports: nothing unseen, nothing that reorders, moves or hides."""

from __future__ import annotations

import re
from datetime import datetime, time

# Whole terminal sequences first: what follows a bare ESC would be left as visible rubbish.
SEQUENCES = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x9b[0-?]*[ -/]*[@-~]"
    r"|(?:\x1b[\]P_^X]|[\x9d\x90\x9f\x9e\x98])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c|$)"
    r"|\x1b[ -/]*[0-~]"
)
# C0 and C1, bidi controls, zero-width and filler characters, tags, half of a surrogate pair.
UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f"
    "\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff\ud800-\udfff]"
)
_CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f]")
# The same without what joins letters, with what XML forbids.
_LEFT_OUT = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\u3164\ufeff\uffa0\ufff9-\ufffb\ufffe\uffff\ud800-\udfff\U000e0000-\U000e0fff]"
)
_COMBINING = "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
_HEAP = re.compile(f"({_COMBINING}{{3}}){_COMBINING}+")
_SPACES = re.compile(r"\s+")
_BLANKS = re.compile(r"\n{3,}")


def one_line(text: str) -> str:
    """Put the text on one line, with single blanks."""
    return " ".join(_seen(text).split())


def flowing(text: str) -> str:
    """Clean a part of a line: as `one_line`, but a blank at its ends stays."""
    return _SPACES.sub(" ", _seen(text))


def lines(text: str) -> str:
    """Clean the text, keeping line breaks, at most one empty line in a row."""
    whole = _seen(text.replace("\r\n", "\n").replace("\r", "\n"))
    kept = (" ".join(line.split()) for line in whole.split("\n"))
    return _BLANKS.sub("\n\n", "\n".join(kept)).strip()


def keep_layout(text: str) -> str:
    """Clean the text, keeping its line breaks and its blanks."""
    return _seen(text.replace("\r\n", "\n").replace("\t", "    "))


def cut(text: str, most: int) -> str:
    """Cut to at most so many characters, with an ellipsis where something is missing."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def day(moment: datetime | None) -> str:
    """Return the ISO day; "" when it is not known."""
    return moment.date().isoformat() if moment else ""


def usd(value: float) -> str:
    """Format money for people: cents, and more digits below one cent."""
    return f"${value:,.2f}" if value == 0 or value >= 0.01 else f"${value:.4f}"


def stamp(at: datetime) -> str:
    """Format a moment no finer than it was written: a day is stored as its first or last second."""
    whole = at.time() in (time(0), time(23, 59, 59))
    return f"{at:%Y-%m-%d}" if whole else f"{at:%Y-%m-%d %H:%M} UTC"


def _seen(text: str) -> str:
    for line_end in ("\u2028", "\u2029", "\x85", "\x0b", "\x0c"):
        text = text.replace(line_end, "\n")
    return unheaped(_LEFT_OUT.sub("", _CONTROL.sub(" ", SEQUENCES.sub("", text))))


def unheaped(text: str) -> str:
    """Drop marks heaped on one letter: they run over the lines above and below it."""
    return _HEAP.sub(r"\1", text)
