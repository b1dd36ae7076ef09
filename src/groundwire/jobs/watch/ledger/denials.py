"""A denial of what nobody had claimed: news itself, and denied in its turn by whoever claims it after all."""

from __future__ import annotations

from dataclasses import replace

from groundwire.jobs.watch.ledger.claims import Claim, Denied
from groundwire.jobs.watch.ledger.manner import Side
from groundwire.jobs.watch.ledger.statements import Statement


def denied_by(statement: Statement) -> Denied:
    """Return what is denied, as who claims it would be known by."""
    return Denied(
        attribute=statement.attribute,
        can_be=statement.can_be if statement.attribute else (),
        kind=statement.kind,
        key=statement.key,
        unit=statement.unit,
    )


def as_news(statement: Statement) -> Statement:
    """Return a denial as what it tells: that something is not so."""
    return _told_as(
        statement, "says", f"not {statement.attribute} {statement.kind} {statement.key}"
    )


def beside(statement: Statement, claim: Claim) -> Statement:
    """Return a statement as a claim takes it: where that denies something, who says this is against it."""
    if claim.denied is None or statement.side == "retracts":
        return statement
    return _told_as(statement, "denies" if statement.side == "says" else "says", claim.key)


def _told_as(statement: Statement, side: Side, key: str) -> Statement:
    return replace(statement, side=side, attribute="", can_be=("",), kind="act", key=key, unit="")
