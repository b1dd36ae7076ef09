"""The factual claims of a message, without what surrounds them: calls, tags, hedges, sources."""

from __future__ import annotations

import re

from groundwire.evidence.links import without_links
from groundwire.evidence.sentences import sentences

_NOISE = re.compile(r"[#@]\w+|[\U0001F000-\U0001FAFF\u2600-\u27BF\uFE0F]|\b(?:BREAKING|JUST IN)\b:?")


def message_claims(text: str) -> tuple[str, ...]:
    """Sentences that state something, in the message's own words; the main one first."""
    flat = " ".join(_NOISE.sub(" ", without_links(text)).split())
    return tuple(flat[start:end].strip() for start, end in sentences(flat)) or (flat,)
