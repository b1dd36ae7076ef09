"""What changed, as a report shows it: before and after side by side, and what was edited in cited pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from groundwire.jobs.watch.brief import said_by
from groundwire.jobs.watch.ledger.claims import ChangeKind, Side
from groundwire.jobs.watch.letter import MOST, shown_side, told_once, values_of, who_says, why
from groundwire.jobs.watch.result import Noticed, WatchResult
from groundwire.report import blocks, sections
from groundwire.words import Words

_DIFF: dict[ChangeKind, blocks.Change] = {
    "new": "added",
    "changed": "changed",
    "confirmed": "same",
    "withdrawn": "removed",
    "contested": "changed",
}


def changed(result: WatchResult, numbers: dict[str, int], say: Words) -> Iterator[blocks.Block]:
    """Set before and after of every change side by side: what people are told of, then the rest."""
    told = [each for each in result.changes if each.told]
    noted = [each for each in result.changes if not each.told]
    head = (say("watch.before"), say("watch.after"))
    for rows, name in ((told_once(told), "changes"), (told_once(noted), "noted")):
        if rows:
            yield blocks.Heading(text=say(f"watch.{name}"), name=name, brief=name == "changes")
            yield blocks.Diff(
                head=head,
                rows=tuple(_row(each, numbers, say) for each in rows),
                most=MOST,
                more=say("watch.more_on_page", n=max(0, len(rows) - MOST)),
            )


def _row(changes: Sequence[Noticed], numbers: dict[str, int], say: Words) -> blocks.DiffRow:
    change = changes[0]
    before, after = change.before, change.after
    shown = shown_side(change)
    about = (
        *dict.fromkeys(values_of(each, say) for each in changes),
        why(change, say),
        say("watch.same_matter") if change.same_as else "",
        who_says(shown, say, links=False) if shown else "",
    )
    return blocks.DiffRow(
        change=_DIFF[change.kind],
        word=say.name("watch.change", change.kind),
        before=change.said_before,
        after=change.said_after,
        about=" · ".join(filter(None, about)),
        before_marks=_marks(before, numbers),
        after_marks=_marks(after, numbers),
    )


def _marks(side: Side | None, numbers: dict[str, int]) -> tuple[blocks.Mark, ...]:
    return () if side is None else sections.marks_of(said_by(side), numbers)


def edited(result: WatchResult, say: Words) -> Iterator[blocks.Block]:
    """Show what was edited in pages that claims rest on: what stood there, and what stands there now."""
    if not result.edits:
        return
    yield blocks.Heading(text=say("watch.edits"), name="edits")
    rows = (
        blocks.DiffRow(
            change="changed"
            if part.before and part.after
            else "added"
            if part.after
            else "removed",
            word=each.publisher or each.title,
            before=part.before,
            after=part.after,
            about=each.url if place == 0 else "",
        )
        for each in result.edits
        for place, part in enumerate(each.parts)
    )
    head = (say("watch.stood"), say("watch.stands"))
    yield blocks.Diff(head=head, rows=tuple(rows))
