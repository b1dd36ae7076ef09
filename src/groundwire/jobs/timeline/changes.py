"""What changed since an earlier run of a history: new, moved and withdrawn events; pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from groundwire.jobs.timeline.pages import words_of
from groundwire.jobs.timeline.result import Changed, Node, NodeChange, Told
from groundwire.language.text.stems import stem
from groundwire.language.text.tokens import content_tokens
from groundwire.language.time.expressions import expressions

_NEAR = 45  # days within which another date can be another date of the same event
_ALIKE = 0.5  # of the words of the shorter telling that both have
_FEW = 2  # words besides the topic's, below which a telling is compared whole
_ANY_DAY = datetime(2000, 1, 1, tzinfo=UTC)  # what times are counted from does not matter here
_AHEAD = frozenset({"planned", "due"})


def told(node: Node) -> Told:
    """Return what a later run has to know of a node to find it again."""
    return Told(
        node=node.id,
        date=node.date,
        interval=node.interval,
        title=node.title,
        standing=node.standing,
        text=" ".join(each.text for each in node.description),
        urls=tuple(dict.fromkeys(c.url for each in node.description for c in each.citations)),
        quotes=tuple(dict.fromkeys(c.quote for each in node.description for c in each.citations)),
    )


class Comparison(NamedTuple):
    """What changed, and the earlier events that are not among the nodes though nothing says that they are gone."""

    rows: tuple[NodeChange, ...]
    aside: tuple[Told, ...]


def compare(
    earlier: Sequence[Told],
    nodes: Sequence[Node],
    topic: Sequence[str],
    pages: Sequence[str] = (),
    *,
    certain: bool = True,
) -> Comparison:
    """Compare two tellings of a history event by event, in the order of their dates.

    What one of the pages still says is not withdrawn: other events only weigh more now.
    """
    later = [told(each) for each in nodes]
    pairs = dict(_pairs(earlier, later, topic))
    found = [_change(pairs.get(at), each) for at, each in enumerate(later)]
    kept = {id(each) for each in pairs.values()}
    missing = [each for each in earlier if id(each) not in kept]
    gone = [each for each in missing if not _still_told(each, pages)]
    found += [NodeChange(kind="withdrawn", before=each) for each in gone]
    rows = sorted((each for each in found if each is not None), key=_order)
    aside = [each for each in missing if not certain or each not in gone]
    return Comparison(tuple(rows), tuple(aside))


def known_again(
    nodes: Sequence[Node], earlier: Sequence[Told], topic: Sequence[str]
) -> tuple[Node, ...]:
    """Give each event the id that it had in an earlier telling, whatever its date and its sentence are now."""
    pairs = dict(_pairs(earlier, [told(each) for each in nodes], topic))
    return tuple(
        each.model_copy(update={"id": pairs[at].node}) if at in pairs else each
        for at, each in enumerate(nodes)
    )


def _still_told(each: Told, pages: Sequence[str]) -> bool:
    return any(quote in page for quote in each.quotes for page in pages)


def _order(change: NodeChange) -> tuple[str, str]:
    at = change.after or change.before
    return ("", "") if at is None else (at.date, at.node)


def _change(before: Told | None, after: Told) -> NodeChange | None:
    if before is None:
        return NodeChange(kind="new", after=after)
    kind: Changed | None = None
    if not (before.date.startswith(after.date) or after.date.startswith(before.date)):
        kind = "moved"
    elif before.standing != after.standing:
        kind = "turned"
    return None if kind is None else NodeChange(kind=kind, before=before, after=after)


def _pairs(
    earlier: Sequence[Told], later: Sequence[Told], topic: Sequence[str]
) -> Iterator[tuple[int, Told]]:
    """Yield which earlier event each later one is, the surest pairs first; each event is paired once."""
    common = {stem(each) for name in topic for each in content_tokens(name)}
    mine = [_words(each, common) for each in later]
    theirs = [_words(each, common) for each in earlier]
    rated = [
        (rating, at, place)
        for at, one in enumerate(later)
        for place, other in enumerate(earlier)
        if (rating := _rating(one, other, mine[at], theirs[place]))
    ]
    taken: set[int] = set()
    placed: set[int] = set()
    for _, at, place in sorted(rated, key=lambda row: (-row[0], row[1], row[2])):
        if at not in taken and place not in placed:
            taken.add(at)
            placed.add(place)
            yield at, earlier[place]


def _words(each: Told, common: set[str]) -> frozenset[str]:
    """Return the words of a telling without the times that it names and the topic's own words."""
    text = f"{each.title} {each.text}"
    for time in reversed(expressions(text, _ANY_DAY)):
        text = f"{text[: time.start]} {text[time.start + len(time.text) :]}"
    words = frozenset(words_of(text))
    telling = words - common
    return telling if len(telling) >= _FEW else words


def _rating(one: Told, other: Told, mine: frozenset[str], theirs: frozenset[str]) -> float:
    """Rate how surely two tellings are of one event; 0: they are not."""
    if one.node == other.node:
        return 3.0
    shared = len(mine & theirs) / (min(len(mine), len(theirs)) or 1)
    apart = _apart(one, other)
    if shared >= _ALIKE and (apart <= _NEAR or other.standing in _AHEAD):
        return 1.0 + shared - min(apart, 3650) / 36500
    # Told in another language: the same page, at the same date.
    return 0.5 if one.date == other.date and not set(one.urls).isdisjoint(other.urls) else 0.0


def _apart(one: Told, other: Told) -> int:
    """Count the days between two events; 0 where their days overlap."""
    a, b = one.interval, other.interval
    return max(0, (a.begin - b.end).days, (b.begin - a.end).days)
