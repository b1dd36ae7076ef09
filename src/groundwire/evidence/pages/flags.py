"""What a page says about itself: corrected, withdrawn, satire, opinion, retrospective."""

from __future__ import annotations

import re

from groundwire.evidence.sources.tiers import tier_of
from groundwire.language.text.characters import simplify
from groundwire.language.text.phrases import patterns
from groundwire.model.source import Document

_patterns = patterns("flags.txt", "groundwire.evidence.data", re.IGNORECASE | re.ASCII)
_OPINION_PATH = re.compile(
    r"//[^?#]*/(?:opinions?|op-ed|editorials?|commentary|commentisfree|pinglun)(?:/|$)"
)
# Notices about the page itself stand at its head or at its foot.
_HEAD, _FOOT = 1500, 1200


def text_flags(document: Document) -> tuple[str, ...]:
    """Return the sorted flags of a page: correction, opinion, retraction, retrospective, satire."""
    title = simplify(document.title)
    text = document.text
    head, foot = _flat(text[:_HEAD]), _flat(text[max(_HEAD, len(text) - _FOOT) :])
    notice = f"{title}\n{head}\n{foot}"
    flags = {flag for flag in ("retraction", "correction") if _patterns[flag].search(notice)}
    if _patterns["satire"].search(notice) or tier_of(document) == "satire":
        flags.add("satire")
    opening = f"{title}\n{head[:300]}"
    edges = f"{opening}\n{foot[-400:]}"
    if _patterns["opinion"].search(edges) or _OPINION_PATH.search(document.url):
        flags.add("opinion")
    if _patterns["retrospective"].search(opening):
        flags.add("retrospective")
    return tuple(sorted(flags))


def _flat(text: str) -> str:
    """Normalise line by line: notices stand at the start of a line."""
    return "\n".join(simplify(line) for line in text.splitlines())
