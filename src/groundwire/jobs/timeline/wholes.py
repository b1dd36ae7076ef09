"""Where the telling of an event begins, and what goes on about it: no sentence that opens with "it" is told alone; pure."""

from __future__ import annotations

import re
from datetime import date

from groundwire.evidence.questions.quotable import completeness, refers_back
from groundwire.jobs.timeline.asides import is_beside
from groundwire.jobs.timeline.pages import Account
from groundwire.language.text.wording import is_han

_ALONE = 0.6  # from this completeness on a sentence tells by itself
_LONGEST = 420  # characters that are told together
_SELF = re.compile(r"\b(?:I|I'm|I've|my|we|our|us)\b|我(?![国國军軍省市县縣])|咱")


def begins(account: Account) -> Account | None:
    """Return the sentence with which the telling of an event begins: its own, or the one that names what it speaks of.

    None: that one tells of another time, or speaks of something before it in turn.
    """
    alone = completeness(account.text) >= _ALONE
    if not refers_back(account.text) or (alone and account.order > 1):
        return account
    before = _beside(account, -1)
    if before is None or refers_back(before.text) or not _is_of_one_time(before, account):
        return account if alone else None
    return before


def goes_on(account: Account) -> Account | None:
    """Return the next sentence where it tells more of the news that a page opens with; None: it does not."""
    after = _beside(account, 1)
    if (
        account.order > 1
        or after is None
        or completeness(after.text) == 0
        or is_own_word(after.text)
    ):
        return None
    return after if _is_of_one_time(after, account) else None


def is_told_beside(account: Account, day: date) -> bool:
    """Tell whether a sentence names a date only of a thing that it tells of."""
    when = next((each for each in account.times if each.first == day), None)
    place = account.page.text, account.start
    return when is not None and is_beside(*place, when.start, when.end)


def ended(text: str) -> str:
    """Return a sentence that is told alone: what ends with a semicolon in its page ends there."""
    flat = " ".join(text.split())
    bare = flat.rstrip("；;，,、")
    if bare == flat:
        return flat
    return f"{bare}。" if is_han(bare) else f"{bare}."


def is_own_word(text: str) -> bool:
    """Tell whether somebody speaks of themselves."""
    return _SELF.search(text) is not None


def _beside(account: Account, step: int) -> Account | None:
    """Return the sentence next to one, in its paragraph."""
    order = account.order + step
    found = next((each for each in account.page.accounts if each.order == order), None)
    if found is None:
        return None
    first, last = min(found.start, account.start), max(found.end, account.end)
    text = account.page.text
    between = text[min(found.end, account.end) : max(found.start, account.start)]
    held = any(p.start <= first and last <= p.end for p in account.page.evidence.passages)
    return found if held and "\n" not in between and last - first <= _LONGEST else None


def _is_of_one_time(beside: Account, account: Account) -> bool:
    own = account.times
    return all(any(t.first <= o.last and o.first <= t.last for o in own) for t in beside.times)
