"""Whether an answer has the words that an examiner asks for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundwire.language.text.characters import folded, simplify


def has(text: str, wanted: str) -> bool:
    """Tell whether a text has these words: either script, any case, no part of another figure.

    Latin words may go on ("acqui" is in "acquired"), since examiners write stems.
    """
    flat, form = folded(simplify(text)), folded(simplify(wanted))
    if not form:
        return False
    before = r"(?<![0-9a-z])(?<![0-9][.,])" if re.match("[0-9a-z]", form) else ""
    after = r"(?![0-9])(?![.,][0-9])" if form[-1].isdigit() else ""
    return re.search(f"{before}{re.escape(form)}{after}", flat) is not None


def has_any(text: str, alternatives: Sequence[str]) -> bool:
    """Tell whether a text has one of these."""
    return any(has(text, each) for each in alternatives)


def share(text: str, groups: Sequence[Sequence[str]]) -> float:
    """Return the share of groups of which a text has one; 1 where nothing is asked for."""
    return sum(has_any(text, group) for group in groups) / len(groups) if groups else 1.0


def clean_share(text: str, unwanted: Sequence[str]) -> float:
    """Return the share of unwanted words that a text does not have."""
    return sum(not has(text, each) for each in unwanted) / len(unwanted) if unwanted else 1.0
