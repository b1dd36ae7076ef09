"""Whether a sentence only hands on what is said somewhere, so that it alone makes nothing an event; pure."""

from __future__ import annotations

import re

from groundwire.evidence.reading.analysis import analyse
from groundwire.jobs.timeline.pages import Account
from groundwire.jobs.timeline.plans import DENIALS
from groundwire.language.text.phrases import patterns

_signs = patterns("rumours.txt", "groundwire.jobs.timeline", re.IGNORECASE)
_OPENING = 2  # sentences that a headline sums up


def is_rumour(account: Account) -> bool:
    """Tell whether a sentence is a rumour: it says so, its headline asks whether, or its page is of a network."""
    evidence, text = account.page.evidence, account.text
    if evidence.tier == "social":
        return True
    manners = {manner for each in analyse(text).sentences for manner in each.manners}
    if not manners.isdisjoint(DENIALS):
        return False  # who says that it is false tells what happened
    title = evidence.document.title
    asks = _signs["asks"].search(title) and not _signs["open"].search(title)
    return bool(_signs["rumour"].search(text) or (asks and account.order < _OPENING))
