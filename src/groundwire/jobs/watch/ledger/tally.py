"""One claim on one day: what was heard of it, counted by origin, and the claim as it is after each kind of news."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date

from groundwire.evidence.sources.attribution import statements_by
from groundwire.jobs.watch.ledger.claims import Claim, Given, Holder, Reason, Today
from groundwire.jobs.watch.ledger.hearing import Heard, Hearing
from groundwire.jobs.watch.ledger.keeping import Kept
from groundwire.jobs.watch.ledger.matching import says_the_same
from groundwire.jobs.watch.ledger.matter import can_be_opposed
from groundwire.jobs.watch.ledger.reversals import is_one_act
from groundwire.jobs.watch.ledger.rivals import are_near, are_rivals, settles
from groundwire.jobs.watch.ledger.values import (
    same_value,
)
from groundwire.language.text.characters import folded, normalise
from groundwire.model.base import short_id
from groundwire.model.claim import Verdict


def verdict_of(claim: Claim) -> Verdict:
    """Return what a claim is worth: taken back, disputed, only planned or said, or stated."""
    if claim.state == "withdrawn":
        return "contradicted" if claim.reason == "retracted" else "insufficient"
    if claim.state == "contested":
        return "contested"
    return "supported" if claim.manner == "stated" else "qualified"


def is_settled(heard: Heard) -> bool:
    """Tell whether something is told as done, neither as planned nor as rumoured."""
    return heard.statement.manner == "stated"


def first_claim(heard: Heard, today: Today, taken: Container[str]) -> Claim:
    """Make the claim of a statement about something of which nothing was known; its id is none of those taken."""
    said = heard.statement
    names, sorts = tuple(sorted(said.names)), tuple(sorted(f"{a}={b}" for a, b in said.sorts))
    about = [today.names[0], said.attribute, said.kind, said.unit, names, sorts, said.period]
    about.extend([] if said.attribute else [said.text])
    ident = short_id("wc", about)
    return Claim(
        id=short_id("wc", [*about, said.text, today.at.isoformat()]) if ident in taken else ident,
        text=said.text,
        subject=today.names[0],
        attribute=said.attribute,
        can_be=said.can_be if said.attribute else (),
        kind=said.kind,
        names=names,
        places=tuple(sorted(said.places)),
        sorts=sorts,
        period=said.period,
        value=said.value,
        key=said.key,
        unit=said.unit,
        as_of=heard.as_of,
        manner=said.manner,
        first_seen=today.at,
        changed_at=today.at,
    )


@dataclass(frozen=True)
class Tally:
    """A claim with its holders as they were found today, and all that is new about it."""

    claim: Claim
    kept: Kept
    heard: tuple[Heard, ...]
    today: Today
    hearing: Hearing
    began: Claim | None = None  # as it was before today

    @property
    def before(self) -> Claim:
        """The claim as it was before today."""
        return self.began or self.claim

    def over(self, claim: Claim) -> Tally:
        """Go on with a claim that was altered."""
        return replace(self, claim=claim, began=self.before)

    # --- another value -----------------------------------------------------------------------

    def other_value(self) -> Heard | None:
        """Return who gives another value that can hold now; the latest, and of these the source itself."""
        agreeing = {each.page.url for each in self._sayings() if self._agrees(each)}
        fits = [
            each for each in self._sayings() if not self._agrees(each) and self._can_replace(each)
            and each.page.url not in agreeing and not each.statement.passing
            and not are_near(self.claim, each)
        ]  # fmt: skip
        return max(fits, key=_recency, default=None)

    def _as_of(self, heard: Heard) -> date:
        """Return the day for which something is said: of a year gone by only where the claim is of that year."""
        said = heard.statement
        past = said.gone_by is not None and said.period != self.claim.period
        return min(heard.as_of, said.gone_by) if past and said.gone_by else heard.as_of

    def _can_replace(self, heard: Heard) -> bool:
        claim, said = self.claim, heard.statement
        if self._as_of(heard) < claim.as_of or said.manner == "rumoured" != claim.manner:
            return False
        earlier = [each for each in claim.past if same_value(claim.kind, each.key, said.key)]
        if (
            claim.manner == "planned"
            and said.manner == "stated"
            and claim.past[-1:] == tuple(earlier[-1:]) != ()
        ):
            return False  # until the plan is carried out, the value before still holds
        if claim.kind == "date" and said.manner == "planned" and claim.manner == "stated":
            return False  # what has happened is not planned again
        # Who only passes on what was said before brings nothing back.
        return heard.own or not earlier

    def stands_against(self, other: Heard) -> bool:
        """Tell whether another value is of the same day by another origin, while its source stands."""
        same_day = self._as_of(other) == self.claim.as_of and is_settled(other)
        same_day = same_day and can_be_opposed(self.claim.text, other.statement.text)
        return same_day and other.origin not in self.claim.origins and bool(self.kept.holders)

    def is_outweighed(self, other: Heard) -> bool:
        """Tell whether those who hold the claim settle it against who gives another value."""
        return settles(self.kept.holders, self._holders(self.alike(other)), self.hearing.pages)

    def alike(self, heard: Heard) -> list[Heard]:
        """Return all who say today what one says."""
        return [each for each in self._sayings() if self._say_one_thing(each, heard)]

    def with_value(self, heard: Heard, alike: Sequence[Heard]) -> Claim:
        """Return the claim with the value that somebody gives, and all who say the same."""
        claim, said = self.claim, heard.statement
        return _judged(
            claim,
            text=said.text,
            value=said.value,
            key=said.key,
            unit=said.unit or claim.unit,
            as_of=heard.as_of,
            manner=said.manner,
            names=claim.names or tuple(sorted(said.names)),
            state="standing",
            reason="",
            citations=self._holders(alike),
            origins=_origins(alike),
            denials=(),
            past=(*claim.past, given(claim)),
            changed_at=self.today.at,
        )

    def latest(self) -> Claim:
        """Return a claim of which nothing was known, with the latest of the values that are given for it."""
        claim = self.claim
        sayings = self._sayings()
        last = max(sayings, key=_recency)  # of one page the first: what it leads with
        rivals = [each for each in sayings if are_rivals(claim.kind, last, each)]
        rivals = [each for each in rivals if not self._say_one_thing(last, each)]
        weightier = (each for each in rivals if self._settles(each, last))
        last = max(weightier, key=_recency, default=last)
        after = self.with_value(last, self.alike(last)).model_copy(update={"past": ()})
        others = [each for each in sayings if not self._say_one_thing(last, each)]
        past = tuple(_given(each) for each in others if each.as_of < last.as_of)
        after = after.model_copy(update={"past": past, "id": claim.id})
        against = [
            each
            for each in others
            if are_rivals(claim.kind, last, each)
            and each.origin not in after.origins
            and not self._settles(last, each)
        ]
        denying = [
            each
            for each in self.heard
            if each.statement.side == "denies"
            and _same(each, after)
            and can_be_opposed(after.text, each.statement.text)
        ]
        if not against and not denying:
            return after
        reason: Reason = "denied" if denying else "another_value_same_day"
        return _judged(
            after, state="contested", reason=reason, denials=self._holders(denying or against)
        )

    def _say_one_thing(self, one: Heard, other: Heard) -> bool:
        keys = one.statement.key, other.statement.key
        words = one.statement.value, other.statement.value
        return same_value(self.claim.kind, *keys) or (
            self.claim.kind == "state" and is_one_act(*words)
        )

    def _settles(self, one: Heard, other: Heard) -> bool:
        """Tell whether those who say what one says settle it against those who say what another does."""
        ours, theirs = self._holders(self.alike(one)), self._holders(self.alike(other))
        return settles(ours, theirs, self.hearing.pages)

    # --- withdrawn ---------------------------------------------------------------------------

    def taken_back(self) -> frozenset[str]:
        """Return the origins that take back today what they said."""
        return frozenset(
            each.origin
            for each in self.heard
            if each.statement.side != "says" and _same(each, self.claim)
            and (each.own or each.statement.side == "retracts")  # no other page denies it for him
            and any(holder.origin == each.origin and holder.own for holder in self.claim.citations)
        )  # fmt: skip

    def left(self) -> tuple[Holder, ...]:
        """Return the holders that remain, who are not of an origin that took it back."""
        back = self.taken_back()
        return tuple(each for each in self.kept.holders if each.origin not in back)

    def withdrawn(self, reason: Reason) -> Claim:
        """Return the claim without anybody who holds it; what it rested on stays to be seen."""
        reason = "sentence_lost" if reason == "edited" else reason
        return _judged(self.claim, state="withdrawn", reason=reason, changed_at=self.today.at)

    def anew(self) -> list[Heard]:
        """Return who says a withdrawn claim after that, of their own: another value, or another origin."""
        since = self.claim.changed_at.astimezone(UTC).date()
        return sorted(
            (
                each
                for each in self._sayings()
                if each.own and each.as_of > since
                and not (self._agrees(each) and each.origin in self.claim.origins)
            ),
            key=_recency,
        )  # fmt: skip

    # --- contested and confirmed -------------------------------------------------------------

    def denials(self) -> tuple[Holder, ...]:
        """Return who denies it today and did not before."""
        known = {each.origin for each in self.claim.denials}
        found = self._holders(
            each
            for each in self.heard
            if each.statement.side == "denies" and _same(each, self.claim)
            and can_be_opposed(self.claim.text, each.statement.text)
            and each.origin not in known and each.as_of >= self.claim.as_of
        )  # fmt: skip
        lesser = settles(self.kept.holders, found, self.hearing.pages)
        return () if lesser else found

    def contested(self, holders: Iterable[Holder], reason: Reason) -> Claim:
        """Return the claim with those who speak against it."""
        return _judged(
            self.kept_claim(),
            state="contested",
            reason=reason,
            denials=(*self.kept.denials, *holders),
            changed_at=self.today.at,
        )

    def supported(self) -> tuple[Claim, Reason]:
        """Return the claim with all who say it, and why that confirms it; "" where it does not."""
        claim = self.kept_claim()
        agreeing = [each for each in self._sayings() if self._agrees(each)]
        fresh = [each for each in agreeing if self._is_independent(each)]
        done = claim.manner == "planned" and any(is_settled(each) for each in agreeing)
        settled = any(is_settled(each) for each in agreeing if each.own)
        urls = {holder.url for holder in claim.citations}
        more = self._holders(each for each in agreeing if each.page.url not in urls)
        after = _judged(
            claim,
            citations=(*claim.citations, *more),
            origins=tuple(dict.fromkeys((*claim.origins, *_origins(fresh)))),
            as_of=max((claim.as_of, *(each.as_of for each in fresh))),
            manner="stated" if settled and (fresh or done) else claim.manner,
        )
        return after, "as_planned" if done and settled else "another_origin" if fresh else ""

    def _is_independent(self, heard: Heard) -> bool:
        """Tell whether an origin that never supported this value does so of its own."""
        origins = self.claim.origins
        if not heard.own or heard.origin in origins:
            return False
        if any(heard.origin == each.origin for each in self.claim.denials):
            return False
        # What the party itself was quoted with is no second source beside the party's own page.
        quoted = statements_by(folded(normalise(heard.statement.text).text), self.today.names)
        return not (quoted and self.hearing.voices.party & set(origins))

    def kept_claim(self) -> Claim:
        """Return the claim with the holders that it has left."""
        left = self.left()
        held = {each.origin for each in left}
        lost = {each.origin for each in self.claim.citations} - held
        origins = tuple(each for each in self.claim.origins if each not in lost)
        claim = self.claim.model_copy(update={"citations": left, "origins": origins})
        agreeing = {each.origin: each.as_of for each in self._sayings() if self._agrees(each)}
        still = tuple(  # who says it now denies it no more
            each
            for each in self.kept.denials
            if each.origin not in agreeing or agreeing[each.origin] <= each.as_of
        )
        if claim.state == "contested" and settles(left, still, self.hearing.pages):
            claim = claim.model_copy(update={"state": "standing", "reason": ""})
        if claim.state == "contested" and not still:  # nobody speaks against it any more
            claim = claim.model_copy(update={"state": "standing", "reason": ""})
        return claim.model_copy(update={"denials": still})

    # --- what was heard ----------------------------------------------------------------------

    def _sayings(self) -> list[Heard]:
        return [each for each in self.heard if each.statement.side == "says"]

    def _agrees(self, heard: Heard) -> bool:
        return says_the_same(heard.statement, self.claim)

    def _holders(self, heard: Iterable[Heard]) -> tuple[Holder, ...]:
        by_url = {each.page.url: each.holder(self.today.at) for each in heard}
        return tuple(by_url.values())


def given(claim: Claim) -> Given:
    """Return the value of a claim, to be kept among those that it had."""
    return Given(
        text=claim.text,
        value=claim.value,
        key=claim.key,
        unit=claim.unit,
        as_of=claim.as_of,
        manner=claim.manner,
        origins=claim.origins,
    )


def _given(heard: Heard) -> Given:
    said = heard.statement
    return Given(
        text=said.text, value=said.value, key=said.key, unit=said.unit, as_of=heard.as_of,
        manner=said.manner, origins=(heard.origin,),
    )  # fmt: skip


def _judged(claim: Claim, **update: object) -> Claim:
    after = claim.model_copy(update=update)
    return after.model_copy(update={"verdict": verdict_of(after)})


def _origins(heard: Iterable[Heard]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.origin for each in heard))


def _same(heard: Heard, claim: Claim) -> bool:
    return says_the_same(heard.statement, claim)


def _recency(heard: Heard) -> tuple[date, bool, str]:
    return heard.as_of, heard.own, heard.page.url
