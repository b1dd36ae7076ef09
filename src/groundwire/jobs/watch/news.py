"""What of the changes is news: each matter once, what weighs most first, narrowed by the conditions of the watch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from groundwire.evidence.reading.reader import read
from groundwire.jobs.watch.alerts import meets
from groundwire.jobs.watch.brief import Reader
from groundwire.jobs.watch.conditions import Condition, parsed
from groundwire.jobs.watch.ledger.claims import Change, ChangeKind, Claim, Compared, Side
from groundwire.jobs.watch.ledger.values import same_value
from groundwire.jobs.watch.result import Noticed
from groundwire.jobs.watch.telling import Telling, tell_the_same, told_side

# What was believed and is no longer so comes before what is believed otherwise, and that before what is new.
ORDER: tuple[ChangeKind, ...] = ("withdrawn", "contested", "changed", "new", "confirmed")


def news(compared: Compared, reader: Reader, conditions: Sequence[str]) -> tuple[Noticed, ...]:
    """Return every change in the order of its weight; `told` are those that a message tells.

    With conditions, a message tells what met one of them, confirmations too, and nothing else. Of changes that
    tell one matter the first is told, and so is nothing that was believed already in other words.
    """
    wanted = [parsed(each) for each in conditions]
    claims = {each.id: each for each in compared.ledger.claims}
    ordered = _ordered(compared.changes, claims, reader)
    known = _believed_before(compared, reader)
    found: list[Noticed] = []
    seen: list[_Seen] = []
    for change, telling in ordered:
        met = _met(change, claims[change.claim_id], wanted)
        wants = bool(met) if wanted else change.alerts
        same = _told_already(change, telling, seen) if wants else ""
        if not same and change.kind == "new":
            same = _known_already(telling, known)
        if wants:
            # Those left out, too: what is like one of them is of the same matter.
            seen.append(_Seen(change, telling, same or change.claim_id))
        found.append(_noticed(change, reader, same_as=same, met=met, told=wants and not same))
    return tuple(found)


def _ordered(
    changes: Sequence[Change], claims: dict[str, Claim], reader: Reader
) -> list[tuple[Change, Telling]]:
    tellings = [(each, reader.telling(claims[each.claim_id])) for each in changes]
    return sorted(tellings, key=lambda each: (ORDER.index(each[0].kind), *each[1].weight))


def _met(change: Change, claim: Claim, wanted: Sequence[Condition]) -> tuple[str, ...]:
    return tuple(each.text.strip() for each in wanted if meets(change, claim, each))


class _Seen(NamedTuple):
    """A change that is told, or left out because another tells its matter: `by` is the claim that is told."""

    change: Change
    telling: Telling
    by: str


def _told_already(change: Change, telling: Telling, seen: Sequence[_Seen]) -> str:
    """Find the claim that is told of the same matter; "" where none is."""
    for other in seen:
        kinds = other.change.kind, change.kind
        alike = kinds[0] == kinds[1] or kinds == ("changed", "new")
        if (
            alike
            and _is_one_value(telling.claim, other.telling.claim)
            and tell_the_same(telling, other.telling)
        ):
            return other.by
    return ""


def _is_one_value(one: Claim, other: Claim) -> bool:
    """Tell whether two claims give no two values for one attribute; of two attributes, a sentence says both."""
    if one.attribute != other.attribute or one.kind != other.kind:
        return one.text == other.text or not (_is_figure(one) and _is_figure(other))
    return same_value(one.kind, one.key, other.key)


def _is_figure(claim: Claim) -> bool:
    return claim.kind in ("money", "count", "percent")


def _believed_before(compared: Compared, reader: Reader) -> list[Telling]:
    changed = {each.claim_id for each in compared.changes}
    standing = (c for c in compared.ledger.claims if c.stands and c.id not in changed)
    return [reader.telling(each) for each in standing]


def _known_already(telling: Telling, known: Sequence[Telling]) -> str:
    """Find the claim that said it already, in other words; "" where it adds anything."""
    for each in known:
        if telling.claim.kind == each.claim.kind and not same_value(
            telling.claim.kind, telling.claim.key, each.claim.key
        ):
            continue
        if tell_the_same(telling, each) and (
            telling.text == each.text or read(telling.text, each.text).label == "supports"
        ):
            return each.claim.id
    return ""


def _noticed(
    change: Change, reader: Reader, *, same_as: str, met: tuple[str, ...], told: bool
) -> Noticed:
    fields = {name: getattr(change, name) for name in Change.model_fields}
    before, after = (_text(each, reader) for each in (change.before, change.after))
    return Noticed(
        **fields, said_before=before, said_after=after, same_as=same_as, met=met, told=told
    )


def _text(side: Side | None, reader: Reader) -> str:
    return "" if side is None else told_side(side, reader.language).text
