"""Whether a sentence tells of a day as one to come, or denies what it tells; pure."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta

from groundwire.evidence.pages.presence import published, until
from groundwire.evidence.reading.analysis import analyse
from groundwire.jobs.timeline.pages import Account, Page

_PLANS = "plans"  # cues of the reader
DENIALS = frozenset({"denies", "false"})
_FIGURE = re.compile(r"\d")
_FARTHEST = timedelta(hours=14)  # a day begins in the east this long before it does in UTC


def is_plan(account: Account, day: date) -> bool:
    """Tell whether a sentence speaks of a day as still to come.

    Its page appeared before that day. Where the day had begun somewhere in the world by then, what
    is not told as planned, nor counted from the page's own day, is a report from there.
    """
    page = account.page
    if page.day is None:
        return _has(account, {_PLANS})
    if page.day >= day:
        return False
    if account.moved_from is not None or not _has_begun(day, page):
        return True
    # tomorrow, 明天, on Tuesday; a 10 September without its year is a day of the calendar
    own = (each for each in account.times if each.relative and each.first == day)
    return any(_FIGURE.search(each.text) is None for each in own) or _has(account, {_PLANS})


def is_denied(account: Account) -> bool:
    return _has(account, DENIALS)


def _has(account: Account, manners: set[str] | frozenset[str]) -> bool:
    return any(not each.manners.isdisjoint(manners) for each in analyse(account.text).sentences)


def _has_begun(day: date, page: Page) -> bool:
    at = published(page.evidence.document)
    begins = datetime.combine(day, time(), UTC)
    return at is not None and until(at) >= begins - _FARTHEST
