"""What subscribers are told: what changed, before and after, who says so, and how many only copy it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from groundwire.jobs.watch.ledger.attributes import called
from groundwire.jobs.watch.ledger.claims import Holder, Side
from groundwire.jobs.watch.news import ORDER
from groundwire.jobs.watch.result import Noticed, WatchResult
from groundwire.model.outbox import Letter, Notice
from groundwire.model.source import publisher_name
from groundwire.report.plain import day
from groundwire.words import Words, words

_MOST = 8  # changes that a letter tells; the page has all


def notice_of(result: WatchResult) -> Notice | None:
    """Return what is told of a result; None: nothing calls for a message."""
    if not result.alert:
        return None
    return Notice(kind="watch", content=result.content(), letter=letter_of(result))


def letter_of(result: WatchResult) -> Letter:
    """Write the letter, in the language of the brief: what weighs most first."""
    say = words(result.language)
    told = [each for each in result.changes if each.told]
    lines = [line for each in told[:_MOST] for line in _lines(each, say)]
    if len(told) > _MOST:
        lines.append(say("watch.more_on_page", n=len(told) - _MOST))
    return Letter(title=f"{result.subject} · {counted(told, say)}", lines=tuple(lines))


def counted(changes: list[Noticed], say: Words) -> str:
    """Count changes by their kind."""
    by_kind = Counter(each.kind for each in changes)
    return " · ".join(say(f"watch.n.{kind}", n=by_kind[kind]) for kind in ORDER if by_kind[kind])


def _lines(change: Noticed, say: Words) -> Iterator[str]:
    head = say.name("watch.change", change.kind)
    about = " · ".join(
        filter(None, (values_of(change, say), change.said_after or change.said_before))
    )
    yield f"{head}{say('list.colon')}{about}"
    yield why(change, say)
    shown = shown_side(change)
    if shown is not None and shown.citations:
        yield who_says(shown, say)


def values_of(change: Noticed, say: Words) -> str:
    """Say what of it changed, from what to what; "" where only the whole sentence says it."""
    before, after = change.before, change.after
    if before is None or after is None or before.value == after.value or not before.value:
        return ""
    name = called(change.attribute, say.language)
    values = f"{before.value} → {after.value}"
    return f"{name}{say('list.colon')}{values}" if name else values


def why(change: Noticed, say: Words) -> str:
    """Say why it is told: what happened to the claim, and which conditions that met."""
    reason = say(f"watch.reason.{change.reason}") if change.reason else ""
    met = say("watch.met", conditions=say.listed(change.met)) if change.met else ""
    return " · ".join(filter(None, (reason, met)))


def shown_side(change: Noticed) -> Side | None:
    """Return the side whose sources are named."""
    after = change.after
    return after if after is not None and after.citations else change.before


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
    copies = copies_of(side)
    parts = (
        say("watch.says.origins", n=len(first)),
        say("watch.says.copies", n=copies) if copies else "",
        *names,
    )
    return " · ".join(filter(None, parts))


def copies_of(side: Side) -> int:
    """Count the pages that only pass it on."""
    pages, origins = ({each.url for each in side.citations}, {e.origin for e in side.citations})
    return max(0, len(pages) - len(origins))
