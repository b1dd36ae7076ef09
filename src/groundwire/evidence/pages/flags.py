"""What a page says about itself: corrected, withdrawn, satire, opinion, looking back."""

from __future__ import annotations

import re

from groundwire.evidence.sources.tiers import tier_of
from groundwire.language.text.characters import simplify
from groundwire.language.text.phrases import patterns
from groundwire.model.source import Document

_said = patterns("flags.txt", "groundwire.evidence.data", re.IGNORECASE | re.ASCII)
_OPINION_PATH = re.compile(
    r"//[^?#]*/(?:opinions?|op-ed|editorials?|commentary|commentisfree|pinglun)(?:/|$)"
)
# Notices about the page itself stand at its head or at its foot.
_HEAD, _FOOT = 1500, 1200


def text_flags(document: Document) -> tuple[str, ...]:
    """Sorted flags among correction, opinion, retraction, retrospective, satire."""
    title = simplify(document.title)
    text = document.text
    head, foot = _flat(text[:_HEAD]), _flat(text[max(_HEAD, len(text) - _FOOT) :])
    notice = f"{title}\n{head}\n{foot}"
    found = {flag for flag in ("retraction", "correction") if _said[flag].search(notice)}
    if _said["satire"].search(notice) or tier_of(document) == "satire":
        found.add("satire")
    opening = f"{title}\n{head[:300]}"
    if _said["opinion"].search(f"{opening}\n{foot[-400:]}") or _OPINION_PATH.search(document.url):
        found.add("opinion")
    if _said["retrospective"].search(opening):
        found.add("retrospective")
    return tuple(sorted(found))


def _flat(text: str) -> str:
    """The normal form line by line: notices stand at the beginning of lines."""
    return "\n".join(simplify(line) for line in text.splitlines())
