"""What subscribers are told: what changed, before and after, who says so, and how many only copy it."""

from __future__ import annotations

from collections.abc import Iterator

from groundwire.jobs.watch.ledger.claims import Change, Holder, Side
from groundwire.jobs.watch.result import WatchResult
from groundwire.model.outbox import Letter, Notice
from groundwire.model.source import publisher_name
from groundwire.report.plain import day
from groundwire.words import Words, words

_MOST = 12  # changes that a letter tells
_KINDS = ("changed", "withdrawn", "contested", "new", "confirmed")


def notice_of(result: WatchResult) -> Notice | None:
    """Return what is told of a result; None: nothing calls for a message."""
    if not result.alert:
        return None
    return Notice(kind="watch", content=result.content(), letter=letter_of(result))


def letter_of(result: WatchResult) -> Letter:
    """Write the letter, in the language of the brief."""
    say = words(result.language)
    told = sorted((each for each in result.changes if each.alerts), key=_order)
    counts = (
        say(f"watch.n.{kind}", n=n)
        for kind in _KINDS
        if (n := sum(each.kind == kind for each in told))
    )
    # A sentence that says two things is told once.
    parts = list(dict.fromkeys(tuple(_lines(each, say)) for each in told))
    lines = [line for part in parts[:_MOST] for line in part]
    if len(parts) > _MOST:
        lines.append(say("n.more", n=len(parts) - _MOST))
    return Letter(title=f"{result.subject} · {' · '.join(counts)}", lines=tuple(lines))


def _order(change: Change) -> tuple[int, str]:
    return _KINDS.index(change.kind), change.claim_id


def _lines(change: Change, say: Words) -> Iterator[str]:
    before, after = change.before, change.after
    head = say.name("watch.change", change.kind)
    if before is not None and after is not None and before.value != after.value:
        values = f"{_value(before)} → {_value(after)}"
        yield f"{head}{say('list.colon')}{values} · {after.text}"
    else:
        side = after or before
        yield f"{head}{say('list.colon')}{side.text if side else ''}"
    if change.reason:
        yield say(f"watch.reason.{change.reason}")
    shown = after if after is not None and after.citations else before
    if shown is not None and shown.citations:
        yield who_says(shown, say)


def _value(side: Side) -> str:
    return side.value or side.text


def who_says(side: Side, say: Words, *, links: bool = True) -> str:
    """Say who says so: each origin with its day, and how many pages only copy it.

    A report marks its sources itself; a letter needs their addresses.
    """
    first: dict[str, Holder] = {}
    for each in sorted(side.citations, key=lambda each: (not each.own, each.as_of, each.url)):
        first.setdefault(each.origin, each)
    names = (
        f"{publisher_name(each.publisher, say)} {day(each.published_at)} {each.url if links else ''}".strip()
        for each in first.values()
    )
    copies = len({each.url for each in side.citations}) - len(first)
    counted = say("watch.says.origins", n=len(first))
    more = say("watch.says.copies", n=copies) if copies > 0 else ""
    return " · ".join(part for part in (counted, more, *names) if part)
