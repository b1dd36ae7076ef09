"""What is known of a source: by us, and by the judgement of analysts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from pydantic import ValidationError

from groundwire.app.part import AppPart
from groundwire.errors import InputError, NotFoundHere
from groundwire.evidence.sources.tiers import Profile, profile
from groundwire.model.base import Value
from groundwire.model.source import Override, Tier


class KnownSource(Value):
    """A site as the house knows it, the judgement that holds of it, and all that ever did."""

    profile: Profile
    override: Override | None
    history: tuple[Override, ...]


class Sites(AppPart):
    """Sites, and what analysts say of them."""

    async def overrides(self) -> Sequence[Override]:
        """List the judgements that hold now, by domain."""
        return await self._app.store.sources.overrides()

    async def history(self) -> Sequence[Override]:
        """List all that were ever made, newest first."""
        return await self._app.store.sources.history()

    async def known(self, name: str) -> KnownSource:
        """Return what is known of a site; an address stands for its host."""
        from groundwire.evidence.sources.overrides import override_of

        domain = _domain(name)
        return KnownSource(
            profile=profile(domain),
            override=override_of(f"https://{domain}/", await self.overrides()),
            history=tuple(await self._app.store.sources.history(domain)),
        )

    async def judge(
        self, name: str, *, tier: str | None, owner: str | None, why: str, by: str
    ) -> Override:
        """Record a judgement, which holds from now on."""
        if tier is None and owner is None:
            raise InputError("error.nothing_said", hint="hint.tier_or_owner")
        given = {"domain": _domain(name), "tier": tier, "owner": owner, "why": _reason(why)}
        try:
            override = Override.model_validate({**given, "by": by, "at": self._app.clock()})
        except ValidationError:
            known = get_args(Tier)
            raise InputError("error.no_tier", tier=tier, tiers=known, hint="hint.tiers") from None
        await self._app.store.sources.override(override)
        return override

    async def withdraw(self, name: str, *, why: str, by: str) -> Override:
        """Withdraw a judgement; our own knowledge holds again."""
        domain, table = _domain(name), self._app.store.sources
        if not await table.withdraw(domain, self._app.clock(), by, _reason(why)):
            raise NotFoundHere("error.not_judged", domain=domain, hint="hint.list_sources")
        (override, *_) = await table.history(domain)
        return override


def _domain(name: str) -> str:
    """Return the host as it is stored; an address stands for its host."""
    from groundwire.evidence.sources.urls import host_of

    text = name.strip()
    return host_of(text if "://" in text else f"https://{text}/").removeprefix("www.")


def _reason(text: str) -> str:
    if not text.strip():
        raise InputError("error.judgement_why", hint="hint.give_why")
    return text.strip()
