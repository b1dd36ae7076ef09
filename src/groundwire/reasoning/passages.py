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
    """Derive a delimiter that no page can guess and that a resumed run builds again."""
    ids = "\n".join(passage.passage_id for passage in passages)
    return hmac.new(seed.encode(), ids.encode(), hashlib.sha256).hexdigest()[:16]


def render_passages(passages: Sequence[NumberedPassage], seed: str) -> str:
    """Render all passages in one marked block; raises `NoEvidence` if there are none (law 5)."""
    if not passages:
        raise NoEvidence
    tag = delimiter(passages, seed)
    blocks = (f"{_heading(passage)}\n{_defuse(passage.text, tag)}" for passage in passages)
    body = "\n\n".join(blocks)
    return f"<<data {tag}>>\n{body}\n<</data {tag}>>"


def enclosed(text: str, seed: str) -> str:
    """Mark one untrusted text as data, without its links (law 1)."""
    tag = hmac.new(seed.encode(), text.encode(), hashlib.sha256).hexdigest()[:16]
    return f"<<data {tag}>>\n{_defuse(_LINK.sub(' ', text), tag)}\n<</data {tag}>>"


def _heading(passage: NumberedPassage) -> str:
    tier = passage.tier if passage.tier != "unknown" else ""
    about = (passage.title, passage.publisher, tier, passage.date)
    parts = (_label(part) for part in about)
    return f"【{passage.number}】" + " · ".join(part for part in parts if part)


def _label(text: str) -> str:
    # Titles come from pages too: one line, no link (law 1), no delimiter.
    return " ".join(_DELIMITER.sub(r"< <\1", _LINK.sub(" ", text)).split())


def _defuse(text: str, tag: str) -> str:
    """Keep a page from closing the block or opening a passage of its own.

    A space goes into whatever looks like a delimiter or a numbered heading. The citation checker
    drops spaces next to 【, so quotes of such lines are still found.
    """
    text = text.replace(tag, f"{tag[:8]} {tag[8:]}")
    text = _DELIMITER.sub(r"< <\1", text)
    return _HEADING.sub(r"\1 ", text)
