"""Memory for people: recall at any past moment, the history of a claim, a withdrawal."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, tzinfo

from groundwire.app.part import AppPart
from groundwire.context.recall import OFF, away
from groundwire.errors import IllegalState, InputError, NotFoundHere, StoreError
from groundwire.model.memory import ClaimHistory, Held, MemoryQuery, Recollection, Withdrawal
from groundwire.model.phrase import phrase

_ID = re.compile(r"cl_[0-9a-f]{1,16}")
_DAY = re.compile(r"\d{4}-?\d\d-?\d\d")


class Memory(AppPart):
    """Queries of memory, and withdrawals."""

    async def recall(self, query: MemoryQuery) -> Recollection:
        """Find what is, or was, believed; the result says if memory is off or away."""
        if not self._app.settings.memory.enabled:
            return OFF
        try:
            entries = await self._app.store.memory.recall(query, self._app.clock())
        except (StoreError, IllegalState) as error:
            return away(Recollection, error)
        return Recollection(state="ok", entries=tuple(entries))

    async def story(self, name: str, as_of: datetime | None = None) -> ClaimHistory:
        """Return the history of a claim, by its id, the beginning of it, or words near to it."""
        if _ID.fullmatch(name.strip()):
            claim_id = await self._claim(name)
        else:
            query = MemoryQuery(text=name, limit=1, as_of=as_of, past=True)
            found = await self._app.store.memory.recall(query, self._app.clock())
            if not found:
                raise NotFoundHere("error.nothing_remembered", hint="hint.recall")
            claim_id = found[0].claim.id
        history = await self._app.store.memory.story(claim_id, as_of)
        if history is None or not history.claims:
            raise NotFoundHere("error.no_claim_then", claim=name, hint="hint.recall")
        return history

    async def withdraw(self, name: str, *, who: str, why: str) -> Held:
        """Withdraw a claim; only what is believed can be."""
        if not why.strip():
            raise InputError("error.withdrawal_why", hint="hint.give_why")
        claim_id = await self._claim(name)
        history = await self._app.store.memory.story(claim_id)
        claims = history.claims if history else ()
        held = next((each for each in claims if each.claim.id == claim_id), None)
        if held is None:
            raise NotFoundHere("error.no_claim", claim=name, hint="hint.recall")
        standing = held.standing
        if standing.state != "believed":
            raise InputError(
                "error.claim_not_believed",
                state=phrase(f"memory.{standing.state}"),
                day=f"{standing.until:%Y-%m-%d}",
                claim=claim_id,
                hint="hint.claim_history",
            )
        withdrawal = Withdrawal(at=self._app.clock(), who=who, why=why.strip())
        return await self._app.store.memory.withdraw(claim_id, withdrawal)

    async def _claim(self, name: str) -> str:
        """Find the claim with this id, or the only one whose id starts so."""
        wanted = name.strip()
        if not _ID.fullmatch(wanted):
            raise InputError("error.no_claim_id", claim=wanted[:40], hint="hint.recall")
        found = await self._app.store.memory.find(wanted)
        if not found:
            raise NotFoundHere("error.no_claim", claim=wanted, hint="hint.recall")
        if len(found) > 1:
            raise InputError("error.many_claims", claim=wanted, n=len(found))
        return found[0]


def moment(text: str, what: str, *, end: bool = False, zone: tzinfo | None = None) -> datetime:
    """Parse a moment: a day, or a day and a time, in the local zone unless it names its own.

    A day alone is its beginning, or with `end` its end.
    """
    written = text.strip()
    try:
        if _DAY.fullmatch(written):
            edge = time.max if end else time.min
            at = datetime.combine(date.fromisoformat(written), edge)
        else:
            at = datetime.fromisoformat(written)
    except ValueError:
        raise InputError("error.no_date", what=what, text=written[:40], hint="hint.date") from None
    if at.tzinfo is None:
        # The offset of that day, not of today: summer time.
        at = at.astimezone() if zone is None else at.replace(tzinfo=zone)
    return at


def day_of_the_world(text: str, what: str) -> datetime:
    """Parse a day on which something was true; days of claims are kept in UTC."""
    if not _DAY.fullmatch(text.strip()):
        return moment(text, what).astimezone(UTC)
    return moment(text, what, zone=UTC).replace(hour=12)
