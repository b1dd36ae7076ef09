"""What is known now and was not when a message was said: that it came true, was denied, changed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date, datetime

from groundwire.evidence.pages.presence import appeared
from groundwire.jobs.verify.event_dates import told_day
from groundwire.jobs.verify.signal import Aside, Later, LaterKind
from groundwire.model.source import Evidence
from groundwire.model.stance import Stance

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
    kinds = dict(_kinds(evidence, stances, aside, against, said))
    found: dict[LaterKind, tuple[bool, date, Evidence]] = {}
    for page in sorted(evidence, key=lambda each: each.id):
        kind = kinds.get(page.id)
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


def _kinds(
    evidence: Sequence[Evidence],
    stances: Mapping[str, Stance],
    aside: Mapping[str, Aside],
    against: Collection[str],
    said: datetime,
) -> Iterator[tuple[str, LaterKind]]:
    denials = [each for each in evidence if each.id in against]
    late = all(appeared(each.document) > said for each in denials)
    for page in evidence:
        why = aside.get(page.id)
        if page.id in against and late:
            yield page.id, "denied_later"
        elif why in _KINDS and stances[page.id].label != "qualifies":
            yield page.id, _KINDS[why]


def _day(page: Evidence, quote: str, kind: LaterKind, said: datetime) -> date:
    """The day that the page gives, where it is after the message; else its own."""
    told = None if kind == "denied_later" else told_day(page.document, quote)
    if told is None or told.begin is None or told.begin <= said or told.coarse:
        return appeared(page.document).date()
    return told.begin.date()
