"""Whether what changed calls for a message: the changes, narrowed by the conditions of the watch; pure."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.evidence.reading.analysis import analyse
from groundwire.jobs.watch.conditions import Condition, number_of, parsed
from groundwire.jobs.watch.ledger.attributes import named
from groundwire.jobs.watch.ledger.claims import Change, Claim, Compared
from groundwire.language.text.characters import simplify
from groundwire.language.text.tokens import content_tokens


def alerts(compared: Compared, conditions: Sequence[str]) -> bool:
    """Tell whether anybody is to be told; with conditions, one of them has to hold for a change."""
    if not conditions:
        return compared.alert
    wanted = [parsed(each) for each in conditions]
    claims = {each.id: each for each in compared.ledger.claims}
    return any(
        meets(change, claims.get(change.claim_id), each)
        for change in compared.changes
        for each in wanted
    )


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
        return condition.holds_for(number_of(str(len(claim.origins))), str(len(claim.origins)))
    if change.after is None or change.kind not in ("new", "changed"):
        return False
    before = change.before and condition.holds_for(
        number_of(change.before.value), change.before.value
    )
    now_holds = condition.holds_for(number_of(change.after.value), change.after.value)
    return now_holds and not before


def _verdict_without(change: Change) -> str:
    return "contradicted" if change.kind == "withdrawn" else "contested"


def _is_about(change: Change, claim: Claim | None, written: str) -> bool:
    """Tell whether a person's word names the attribute of a change, or words of its claim."""
    attributes = {each.meaning for each in named().find(analyse(written, whole=True).lead)}
    if change.attribute in attributes:
        return True
    side = change.after or change.before
    text = simplify(
        f"{side.text if side else ''} {' '.join(claim.qualifier) if claim else ''}"
    ).lower()
    tokens = content_tokens(written)
    return not attributes and bool(tokens) and all(each in text for each in tokens)
