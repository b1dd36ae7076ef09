"""Which pages speak of the moment at which a message is judged, and what came after it.

A message is judged at the time it was said. What a later page says of that time counts: a report
of the same event, a denial, a correction. What happened only later does not; it is kept in sight,
with the reason why it takes no side.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Literal, NamedTuple

from groundwire.evidence.pages.presence import appeared, published, was_there
from groundwire.evidence.reading.analysis import analyse
from groundwire.jobs.verify.event_dates import told_day
from groundwire.jobs.verify.feature_types import Moment
from groundwire.jobs.verify.signal import Aside, Later, LaterKind
from groundwire.model.source import Evidence
from groundwire.model.stance import Stance, StanceLabel

# Of what a page tells: on the day of the message or before it, after it, or not said.
_When = Literal["before", "open", "after"]

# Until when a report without a day of its own is of what a message told.
_SOON = timedelta(hours=20)
# A denial of some days ago does not speak of what others report now; one of yesterday may, unless
# a party itself, or several, say since that it has happened.
_DAYS = timedelta(days=3)
_SEVERAL = 2
# What was reported this long before a denial is another event of the same kind.
_LONG_BEFORE = timedelta(days=30)
_DAY = timedelta(days=1)
_BACK = ("negates", "denies", "false", "takes back")  # cues of the reader


class Sorted(NamedTuple):
    """The sides that count, and why each of the other pages does not."""

    counted: dict[str, StanceLabel]
    aside: dict[str, Aside]


def sort_by_time(
    evidence: Sequence[Evidence],
    stances: Mapping[str, Stance],
    taken: Mapping[str, StanceLabel],
    official: Collection[str],
    moment: Moment,
) -> Sorted:
    """Return the sides that count at the message's time; nothing that takes one is lost."""
    pages = {each.id: each for each in evidence if each.id in taken}
    aside: dict[str, Aside] = {}
    when: dict[str, _When] = {}
    for name, page in pages.items():
        if not was_there(page.document, moment.as_of):
            aside[name] = "unpublished"
            continue
        when[name] = _when(page, stances[name].quote, moment.said)
        if why := _why_aside(page, taken[name], stances[name].quote, when[name], moment.said):
            aside[name] = why
    counted: dict[str, StanceLabel] = {name: taken[name] for name in pages if name not in aside}
    for name, why in _overtaken(pages, counted, when, official, moment.said).items():
        aside[name] = why
        del counted[name]
    return Sorted(counted, aside)


def _when(page: Evidence, quote: str, said: datetime) -> _When:
    """When what a page tells happened, seen from the message: a day is a day, and no finer."""
    told = told_day(page.document, quote)
    if told is None or told.begin is None:
        return "open"
    if told.begin > said:
        return "after"
    if told.coarse:
        return "before" if told.latest <= said else "open"
    # A day begins in the page's own zone before it does elsewhere: a late report of it may be of
    # an event far from its readers.
    elsewhere = told.begin.replace(tzinfo=UTC) > said
    return "after" if elsewhere and appeared(page.document) - said >= _SOON else "before"


def _why_aside(
    page: Evidence, label: StanceLabel, quote: str, when: _When, said: datetime
) -> Aside | None:
    """Why a page that was published after the message does not speak of its time.

    Both sides alike: a page without a date is not known to be later, and what a later page tells
    without a day may be of its own day. Denials and corrections look back.
    """
    at = published(page.document)
    after: Aside = "later_change" if label == "contradicts" else "later_event"
    # Words that deny, correct or call false speak of what was said before.
    looks_back = label == "contradicts" and any(
        cue.kind in _BACK for sentence in analyse(quote).sentences for cue in sentence.cues
    )
    if at is None or appeared(page.document) <= said or looks_back:
        return after if when == "after" and at is None and not looks_back else None
    if when == "after":
        return after
    return None if when == "before" or appeared(page.document) - said < _SOON else "later_report"


def _overtaken(
    pages: Mapping[str, Evidence],
    counted: Mapping[str, StanceLabel],
    when: Mapping[str, _When],
    official: Collection[str],
    said: datetime,
) -> dict[str, Aside]:
    """Pages that speak of another time than the rest: "not yet" before it happened, an earlier
    event before a denial. A page without a date is never overtaken and overtakes nothing."""
    dates = {name: published(pages[name].document) for name in counted}
    if any(dates[name] is None for name, label in counted.items() if label != "qualifies"):
        return {}
    known = {name: at for name, at in dates.items() if at is not None}
    behind = {name: at for name, at in known.items() if counted[name] == "supports"}
    against = {name: at for name, at in known.items() if counted[name] == "contradicts"}
    if not behind or not against:
        return {}
    found: dict[str, Aside] = {}
    for denial, at in against.items():
        if not _has_happened(at, behind, official):
            continue
        later = [each for each in behind if behind[each] > said and when[each] != "before"]
        if at >= said - _DAY and len(later) == len(behind):
            # Denied when it was said, and reported only after that: it came true later.
            found.update(dict.fromkeys(later, "later_event"))
        else:
            found[denial] = "overtaken"
    first, last = min(against.values()), max(behind.values())
    if last < first:
        old = [each for each, at in behind.items() if first - at > _LONG_BEFORE]
        found.update(dict.fromkeys(old, "overtaken"))
    return found


def _has_happened(at: datetime, behind: Mapping[str, datetime], official: Collection[str]) -> bool:
    """Tell whether all who support it do so later, and late or surely enough."""
    first = min(behind.values())
    if first - at > _DAYS:
        return True
    sure = len(behind) >= _SEVERAL or any(each in official for each in behind)
    return sure and first - at >= _SOON


_KINDS: dict[Aside, LaterKind] = {
    "later_event": "came_true_later",
    "later_report": "reported_later",
    "later_change": "changed_later",
}


def later_notes(
    evidence: Sequence[Evidence],
    stances: Mapping[str, Stance],
    aside: Mapping[str, Aside],
    against: Collection[str],
    official: Collection[str],
    said: datetime,
    *,
    supported: bool = False,
) -> tuple[Later, ...]:
    """Return one note of each kind, in order of their days: by a party's own page, else the first.

    `against` are the pages that count as contradicting; where none of them was there yet, the
    message was denied only later. What was `supported` when it was said did not come true later.
    """
    late = all(appeared(each.document) > said for each in evidence if each.id in against)
    found: dict[LaterKind, tuple[bool, date, Evidence]] = {}
    for page in sorted(evidence, key=lambda each: each.id):
        denies = page.id in against and late
        kind = "denied_later" if denies else _kind(stances[page.id].label, aside.get(page.id))
        if kind is None:
            continue
        word = page.id in official or page.tier == "primary"
        known = (not word, _day(page, stances[page.id].quote, kind, said), page)
        if kind not in found or known[:2] < found[kind][:2]:
            found[kind] = known
    if supported:
        found.pop("came_true_later", None)
        found.pop("reported_later", None)
    if "came_true_later" in found:
        found.pop("reported_later", None)  # says less of the same
    notes = [
        Later(
            kind=kind,
            day=day,
            evidence_id=page.id,
            publisher=page.document.publisher,
            url=page.document.canonical_url,
            quote=stances[page.id].quote,
        )
        for kind, (_, day, page) in found.items()
    ]
    return tuple(sorted(notes, key=lambda each: (each.day, each.kind)))


def _kind(label: StanceLabel, why: Aside | None) -> LaterKind | None:
    if why not in _KINDS or label == "qualifies":
        return None
    return "changed_later" if label == "contradicts" else _KINDS[why]


def _day(page: Evidence, quote: str, kind: LaterKind, said: datetime) -> date:
    """The day that the page gives, where it is after the message; else its own."""
    told = None if kind == "denied_later" else told_day(page.document, quote)
    if told is None or told.begin is None or told.begin <= said or told.coarse:
        return appeared(page.document).date()
    return told.begin.date()
