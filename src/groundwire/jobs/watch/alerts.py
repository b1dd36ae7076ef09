"""Whether a change brings about what a person waits for; pure."""

from __future__ import annotations

from groundwire.evidence.reading.analysis import analyse
from groundwire.jobs.watch.conditions import Condition, measured
from groundwire.jobs.watch.ledger.attributes import named
from groundwire.jobs.watch.ledger.claims import Change, Claim, Side
from groundwire.jobs.watch.ledger.values import same_unit
from groundwire.language.text.characters import simplify
from groundwire.language.text.tokens import content_tokens


def meets(change: Change, claim: Claim | None, condition: Condition) -> bool:
    """Tell whether a change brought about what is waited for: it holds now and did not before."""
    if condition.attribute and not _is_about(change, claim, condition.attribute):
        return False
    if condition.kind == "verdict":
        now = change.after.verdict if change.after else _verdict_without(change)
        then = change.before.verdict if change.before else None
        return now == condition.value and then != condition.value
    if condition.kind == "origins":
        if claim is None or not claim.stands or change.kind not in ("new", "changed", "confirmed"):
            return False
        return condition.holds_for(_origins(claim)) and not _held_before(change, condition)
    if change.kind not in ("new", "changed"):
        return False
    return _is_so(change.after, condition) and not _is_so(change.before, condition)


def _origins(claim: Claim) -> int:
    """Count who supports it: whoever took it back supports nothing."""
    return len({each.origin for each in claim.citations if each.own} or claim.origins)


def _held_before(change: Change, condition: Condition) -> bool:
    """Tell whether as many had said so before; of another value nobody had."""
    if change.kind != "confirmed" or change.before is None:
        return False
    own = {each.origin for each in change.before.citations if each.own}
    return condition.holds_for(len(own))


def _is_so(side: Side | None, condition: Condition) -> bool:
    """Tell whether a value is what is waited for; one in another unit is not to be compared with it."""
    if side is None:
        return False
    wanted, found = measured(condition.value), measured(side.value)
    if wanted is None or found is None:
        return condition.says(side.value)
    unit = found.unit or side.unit
    if wanted.unit and not same_unit(wanted.unit, unit):
        return False
    return condition.holds_for(found.value)


def _verdict_without(change: Change) -> str:
    return "contradicted" if change.kind == "withdrawn" else "contested"


def _is_about(change: Change, claim: Claim | None, written: str) -> bool:
    """Tell whether a person's word names the attribute of a change, or words of its claim."""
    attributes = {each.meaning for each in named().find(analyse(written, whole=True).lead)}
    if change.attribute in attributes:
        return True
    side = change.after or change.before
    said = f"{side.text if side else ''} {claim.qualifier if claim else ''}"
    text = simplify(said).lower()
    tokens = content_tokens(written)
    return not attributes and bool(tokens) and all(each in text for each in tokens)
