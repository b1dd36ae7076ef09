"""Which pages speak of the moment at which a message is judged, and what came after it.

A message is judged at the time it was said. What a later page says of that time counts: a report
of the same event, a denial, a correction. What happened only later does not count; it is listed
with the reason why it takes no side.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from types import MappingProxyType
from typing import Literal, NamedTuple

from groundwire.evidence.pages.presence import appeared, published, was_there
from groundwire.evidence.reading.analysis import analyse
from groundwire.jobs.verify.event_dates import Dated, event_day
from groundwire.jobs.verify.feature_types import Moment
from groundwire.jobs.verify.signal import Aside, Later, LaterKind
from groundwire.model.result import Origin
from groundwire.model.source import Evidence
from groundwire.model.stance import Stance, StanceLabel

_NOTHING: Mapping[str, datetime] = MappingProxyType({})
# When what a page reports happened: by the day of the message, after it, or not said.
_When = Literal["before", "open", "after"]

# How long after a message a report without a day of its own is taken for the same event.
_SOON = timedelta(hours=20)
# A denial from days ago says nothing of what others report now; one from yesterday may, unless a
# party itself, or several sources, have since reported that it happened.
_DAYS = timedelta(days=3)
_SEVERAL = 2
# What was reported this long before an event is another one of the same kind.
_LONG_BEFORE = timedelta(days=30)
_DAY = timedelta(days=1)
# Cues that a sentence looks back: on what was said to be so, and on what was said not to be. Who
# contradicts a denial says that it is so, and whatever else is negated there is another matter.
_BACK = ("negates", "denies", "false", "takes back")
_BACK_ON_DENIAL = ("false", "takes back")
_COPIES = ("wire copy of", "translation of")


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
    told: Mapping[str, datetime] = _NOTHING,
    on_denials: Collection[str] = (),
) -> Sorted:
    """Sort out which sides count at the message's time; nothing that takes one is lost.

    `told` is when the words of copies were first told (`first_told`); the side of pages
    `on_denials` is towards a claim that says that something is not so.
    """
    pages = {each.id: each for each in evidence if each.id in taken}
    aside: dict[str, Aside] = {}
    when: dict[str, _When] = {}
    for name, page in pages.items():
        if not was_there(page.document, moment.as_of):
            aside[name] = "unpublished"
            continue
        quote = stances[name].quote
        when[name] = _when(page, event_day(page.document, quote, told.get(name)), moment.said)
        cues = _BACK_ON_DENIAL if name in on_denials else _BACK
        # To deny, correct or call false is to speak of what was said before.
        looks_back = taken[name] == "contradicts" and _has_cue(quote, cues)
        if why := _why_aside(page, taken[name], when[name], moment.said, looks_back=looks_back):
            aside[name] = why
    counted: dict[str, StanceLabel] = {name: taken[name] for name in pages if name not in aside}
    for name, why in _overtaken(pages, counted, when, official, moment).items():
        aside[name] = why
        del counted[name]
    return Sorted(counted, aside)


def first_told(evidence: Sequence[Evidence], origins: Sequence[Origin]) -> dict[str, datetime]:
    """Return when the words of copies and translations were first told, by evidence id."""
    dates = {each.id: published(each.document) for each in evidence}
    lines = (line for origin in origins for line in origin.lineage if line.how in _COPIES)
    sources = {line.evidence_id: line.of for line in lines}
    found: dict[str, datetime] = {}
    for name in sources:
        first = name
        for _ in sources:  # a copy of a copy, but no circle
            first = sources.get(first, first)
        if at := dates.get(first):
            found[name] = at
    return found


def is_denial(claim: str) -> bool:
    """Tell whether a claim says that something is not so."""
    return _has_cue(claim, ("negates", "denies"))


def _has_cue(text: str, kinds: Collection[str]) -> bool:
    return any(cue.kind in kinds for each in analyse(text).sentences for cue in each.cues)


def _when(page: Evidence, reported: Dated | None, said_at: datetime) -> _When:
    """Tell when what a page reports happened, seen from the message; a day is no finer."""
    if reported is None or reported.begin is None:
        return "open"
    if reported.begin > said_at:
        return "after"
    if reported.coarse:
        return "before" if reported.latest <= said_at else "open"
    # A day may begin in the page's own zone before it does where the event is, so only a late
    # report settles it.
    elsewhere = reported.begin.replace(tzinfo=UTC) > said_at
    return "after" if elsewhere and appeared(page.document) - said_at >= _SOON else "before"


def _why_aside(
    page: Evidence, label: StanceLabel, when: _When, said_at: datetime, *, looks_back: bool
) -> Aside | None:
    """Tell why a page published after the message does not speak of its time.

    The same for both sides: a page without a date is not known to be later, and what a later page
    reports without a day may be of its own day. Denials and corrections look back.
    """
    at = published(page.document)
    after: Aside = "later_change" if label == "contradicts" else "later_event"
    if at is None or appeared(page.document) <= said_at or looks_back:
        return after if when == "after" and at is None and not looks_back else None
    if when == "after":
        return after
    return None if when == "before" or appeared(page.document) - said_at < _SOON else "later_report"


def _overtaken(
    pages: Mapping[str, Evidence],
    counted: Mapping[str, StanceLabel],
    when: Mapping[str, _When],
    official: Collection[str],
    moment: Moment,
) -> dict[str, Aside]:
    """Find pages that speak of another time than the rest.

    A "not yet" from before it happened, or an earlier event of which no page of the message's time
    knows anything but a denial. A page without a date is never overtaken and overtakes nothing.
    """
    said_at = moment.said
    dates = {name: published(pages[name].document) for name in counted}
    if any(dates[name] is None for name, label in counted.items() if label != "qualifies"):
        return {}
    known = {name: at for name, at in dates.items() if at is not None}
    supporting = {name: at for name, at in known.items() if counted[name] == "supports"}
    denials = {name: at for name, at in known.items() if counted[name] == "contradicts"}
    if not supporting or not denials:
        return {}
    found: dict[str, Aside] = {}
    for denial, at in denials.items():
        if not _has_happened(at, supporting, official):
            continue
        later = [
            each for each in supporting if supporting[each] > said_at and when[each] != "before"
        ]
        if at >= said_at - _DAY and len(later) == len(supporting):
            # Denied when it was said, and reported only after that: it came true later.
            found.update(dict.fromkeys(later, "later_event"))
        else:
            found[denial] = "overtaken"
    # Old news told again as new; without a time of the message's own nobody knows what is old.
    long_before = None if moment.event is None else moment.event - _LONG_BEFORE
    if long_before and max(supporting.values()) < long_before <= min(denials.values()):
        others = [each for each in supporting if each not in official]
        found.update(dict.fromkeys(others, "overtaken"))
    return found


def _has_happened(
    at: datetime, supporting: Mapping[str, datetime], official: Collection[str]
) -> bool:
    """Tell whether all who support it do so later, and late or surely enough."""
    first = min(supporting.values())
    if first - at > _DAYS:
        return True
    sure = len(supporting) >= _SEVERAL or any(each in official for each in supporting)
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
    contradicting: Collection[str],
    official: Collection[str],
    said_at: datetime,
    told: Mapping[str, datetime] = _NOTHING,
    *,
    supported: bool = False,
) -> tuple[Later, ...]:
    """Return one note of each kind, in order of their days: by a party's own page, else the first.

    Where no page of those that count as `contradicting` was there yet, the message was denied only
    later. What pages that count `supported` when it was said did not come true later.
    """
    late = all(appeared(each.document) > said_at for each in evidence if each.id in contradicting)
    found: dict[LaterKind, tuple[bool, date, Evidence]] = {}
    for page in sorted(evidence, key=lambda each: each.id):
        denies = page.id in contradicting and late
        kind = "denied_later" if denies else _kind(stances[page.id].label, aside.get(page.id))
        if kind is None:
            continue
        own_word = page.id in official or page.tier == "primary"
        reported = event_day(page.document, stances[page.id].quote, told.get(page.id))
        known = (not own_word, _day(page, None if denies else reported, said_at), page)
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
        for kind, (_, day, page) in sorted(found.items(), key=_order)
    ]
    return tuple(notes)


def _order(note: tuple[LaterKind, tuple[bool, date, Evidence]]) -> tuple[date, datetime, str]:
    kind, (_, day, page) = note
    return day, appeared(page.document), kind  # of one day, as told around the world


def _kind(label: StanceLabel, why: Aside | None) -> LaterKind | None:
    if why not in _KINDS or label == "qualifies":
        return None
    return "changed_later" if label == "contradicts" else _KINDS[why]


def _day(page: Evidence, reported: Dated | None, said_at: datetime) -> date:
    """Return the day that the page gives, if it is after the message; else the page's own."""
    if reported is None or reported.begin is None or reported.begin <= said_at or reported.coarse:
        return appeared(page.document).date()
    return reported.begin.date()
