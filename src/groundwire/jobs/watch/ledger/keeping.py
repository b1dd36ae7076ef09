"""Who still holds a claim today: each cited page read again, kept, or lost with the reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from groundwire.evidence.reading.analysis import analyse
from groundwire.evidence.reading.reader import read
from groundwire.jobs.watch.ledger.claims import Claim, Holder, NotSeen, Reason, Today
from groundwire.jobs.watch.ledger.denials import beside
from groundwire.jobs.watch.ledger.hearing import Heard, Hearing, ReadPage
from groundwire.jobs.watch.ledger.matching import is_about, says_the_same
from groundwire.jobs.watch.ledger.matter import MATTER, likeness
from groundwire.language.text.characters import folded, normalise

_GONE = 2  # runs running, before a page counts as removed


@dataclass(frozen=True, slots=True)
class Kept:
    """The holders that a claim has left, those that it lost and why, and pages that could not be read."""

    holders: tuple[Holder, ...]
    lost: tuple[tuple[Holder, Reason], ...]
    not_seen: tuple[NotSeen, ...]
    denials: tuple[Holder, ...] = ()  # of those who deny it, who still do

    @property
    def reason(self) -> Reason:
        """Why it was lost, by the strongest of the reasons."""
        reasons = {reason for _, reason in self.lost}
        order: tuple[Reason, ...] = ("retracted", "edited", "sentence_lost", "removed")
        for reason in order:
            if reason in reasons:
                return reason
        return ""


def keep(claim: Claim, today: Today, hearing: Hearing) -> Kept:
    """Look at every page that a claim rests on."""
    outcomes = {each.url: each.outcome for each in today.reread}
    holders: list[Holder] = []
    lost: list[tuple[Holder, Reason]] = []
    not_seen: list[NotSeen] = []
    for holder in claim.citations:
        page = hearing.pages.get(holder.url)
        outcome = "read" if page is not None else outcomes.get(holder.url, "")
        if outcome == "read" and page is not None:
            kept, reason = _read(claim, holder, today, hearing)
        elif outcome == "gone":
            kept, reason = _gone(holder)
        elif outcome == "unchanged":
            kept, reason = holder.model_copy(update={"read_at": today.at, "gone": 0}), ""
        else:
            kept, reason = holder, ""
        if outcome == "failed" or (outcome == "gone" and kept is not None):
            why = "failed" if outcome == "failed" else "gone"
            not_seen.append(NotSeen(claim_id=claim.id, url=holder.url, why=why))
        if kept is None:
            lost.append((holder, reason))
        else:
            holders.append(kept)
    kept = _without_lost_origins(holders, lost, not_seen)
    denials = (_denying(each, today, hearing, outcomes.get(each.url, "")) for each in claim.denials)
    return replace(kept, denials=tuple(each for each in denials if each is not None))


def _denying(holder: Holder, today: Today, hearing: Hearing, outcome: str) -> Holder | None:
    """Return who denies a claim as the page is today; None where it denies it no more."""
    page = hearing.pages.get(holder.url)
    if page is None:
        return _gone(holder)[0] if outcome == "gone" else holder
    unchanged = page.known is not None and page.known.document_id == page.evidence.document.id
    held = not page.retracts and normalise(holder.quote).text in page.normal
    return holder.model_copy(update={"read_at": today.at, "gone": 0}) if unchanged or held else None


def _without_lost_origins(
    holders: Sequence[Holder], lost: Sequence[tuple[Holder, Reason]], not_seen: Sequence[NotSeen]
) -> Kept:
    """Let who passes on a source lose it with that source: a copy of a withdrawn page carries nothing."""
    fallen: dict[str, Reason] = {holder.origin: reason for holder, reason in lost if holder.own}
    left = [each for each in holders if each.origin not in fallen]
    more: list[tuple[Holder, Reason]] = [
        (each, fallen[each.origin]) for each in holders if each.origin in fallen
    ]
    return Kept(tuple(left), (*lost, *more), tuple(not_seen))


def _gone(holder: Holder) -> tuple[Holder | None, Reason]:
    gone = holder.gone + 1
    return (None, "removed") if gone >= _GONE else (holder.model_copy(update={"gone": gone}), "")


def _read(
    claim: Claim, holder: Holder, today: Today, hearing: Hearing
) -> tuple[Holder | None, Reason]:
    """Look for the claim in a page that was read again."""
    page = hearing.pages[holder.url]
    document = page.evidence.document
    if page.known is not None and page.known.document_id == document.id:
        return holder.model_copy(update={"read_at": today.at, "gone": 0}), ""  # as it was
    here = [
        replace(each, statement=beside(each.statement, claim))
        for each in hearing.heard
        if each.page is page and is_about(each.statement, claim)
    ]
    said = [each for each in here if says_the_same(each.statement, claim)]
    holding = [each for each in said if each.statement.side == "says"]
    if page.retracts or any(each.statement.side != "says" for each in said):
        return None, "retracted"
    if holding:
        return _renewed(holding[0], holder, today), ""
    if any(each.statement.side == "says" and each.fresh for each in here):
        return None, "edited"
    if document.id == holder.document_id or normalise(holder.quote).text in page.normal:
        return holder.model_copy(update={"read_at": today.at, "gone": 0}), ""
    if _is_reworded(claim, page):
        return holder.model_copy(
            update={"document_id": document.id, "read_at": today.at, "gone": 0}
        ), ""
    return None, "sentence_lost"


def _is_reworded(claim: Claim, page: ReadPage) -> bool:
    """Tell whether an edited page still says it in other words: with its value, in a sentence of the same matter."""
    value = folded(normalise(claim.value).text)
    return any(
        value in sentence.low
        and likeness(claim.text, sentence.text) >= MATTER
        and read(claim.text, sentence.text).label != "contradicts"
        for sentence in analyse(page.evidence.document.text).sentences
    )


def _renewed(heard: Heard, holder: Holder, today: Today) -> Holder:
    return heard.holder(today.at).model_copy(
        update={"origin": holder.origin, "own": holder.own, "as_of": holder.as_of}
    )
