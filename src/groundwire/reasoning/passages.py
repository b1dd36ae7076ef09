"""Passages as a model sees them: numbered, without links, between delimiters no page can guess."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Sequence

from groundwire.errors import NoEvidence
from groundwire.model.source import NumberedPassage

_DELIMITER = re.compile(r"<<(/?data\b)", re.IGNORECASE)
_HEADING = re.compile(r"^([^\S\n]*【)(?=\d+】)", re.MULTILINE)
_LINK = re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)


def delimiter(passages: Sequence[NumberedPassage], seed: str) -> str:
    """Derived, not random: a resumed run must build the same prompt, and a page cannot know it."""
    ids = "\n".join(passage.passage_id for passage in passages)
    return hmac.new(seed.encode(), ids.encode(), hashlib.sha256).hexdigest()[:16]


def render_passages(passages: Sequence[NumberedPassage], seed: str) -> str:
    """All passages in one marked block; raises `NoEvidence` when there are none (law 5)."""
    if not passages:
        raise NoEvidence
    tag = delimiter(passages, seed)
    blocks = (f"{_heading(passage)}\n{_defused(passage.text, tag)}" for passage in passages)
    body = "\n\n".join(blocks)
    return f"<<data {tag}>>\n{body}\n<</data {tag}>>"


def enclosed(text: str, seed: str) -> str:
    """One text by a stranger, marked as data; links are left out (law 1)."""
    tag = hmac.new(seed.encode(), text.encode(), hashlib.sha256).hexdigest()[:16]
    return f"<<data {tag}>>\n{_defused(_LINK.sub(' ', text), tag)}\n<</data {tag}>>"


def _heading(passage: NumberedPassage) -> str:
    parts = (_label(part) for part in (passage.title, passage.publisher, passage.date))
    return f"【{passage.number}】" + " · ".join(part for part in parts if part)


def _label(text: str) -> str:
    # Titles come from pages too: one line, no link (law 1), no delimiter.
    return " ".join(_DELIMITER.sub(r"< <\1", _LINK.sub(" ", text)).split())


def _defused(text: str, tag: str) -> str:
    """The text as it is, but a page can neither close the block nor open a passage of its own.

    One space is put inside what looks like a delimiter or a numbered heading. Next to 【 the
    citation checker drops spaces, so that quotes of such lines are still found.
    """
    text = text.replace(tag, f"{tag[:8]} {tag[8:]}")
    text = _DELIMITER.sub(r"< <\1", text)
    return _HEADING.sub(r"\1 ", text)
