"""What subscribers are told: what changed, before and after, who says so, and how many only copy it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from groundwire.errors import AuthRejected, Captcha
from groundwire.jobs.watch.ledger.claims import Holder, Side
from groundwire.jobs.watch.news import ORDER
from groundwire.jobs.watch.result import Noticed, WatchResult
from groundwire.jobs.watch.values_told import told_value
from groundwire.language.text.wording import is_han
from groundwire.model.outbox import Letter, Notice
from groundwire.model.source import publisher_name
from groundwire.report.plain import day
from groundwire.words import Words, words

MOST = 8  # changes that are told at once; the page has all
_A_MINUTE = 1_200  # what a person reads in a minute: English letters
_A_PERSONS = frozenset({AuthRejected.code, Captcha.code})
_HAN = 3  # English letters that take as long to read as a Chinese character


def notice_of(result: WatchResult) -> Notice | None:
    """Return what is told of a result; None: nothing calls for a message."""
    if not result.alert:
        return None
    return Notice(kind="watch", content=result.content(), letter=letter_of(result))


def letter_of(result: WatchResult) -> Letter:
    """Write the letter, in the language of the brief: what weighs most first."""
    say = words(result.language)
    told = [each for each in result.changes if each.told]
    once = told_once(told)
    shown = _in_a_minute(once)
    lines = [line for each in shown for line in _lines(each, say)]
    if len(once) > len(shown):
        lines.append(say("watch.more_on_page", n=len(once) - len(shown)))
    lines += _for_a_person(result, say)
    return Letter(title=f"{result.subject} · {counted(told, say)}", lines=tuple(lines))


def _for_a_person(result: WatchResult, say: Words) -> Iterator[str]:
    """Name what only a person can mend: a key that is refused, a page that asks whether one is there."""
    for each in result.degraded:
        if each.code in _A_PERSONS:
            yield f"{say('watch.needs_you')}{say('list.colon')}{say(each.reason, **each.params)}"


def counted(changes: list[Noticed], say: Words) -> str:
    """Count changes by their kind."""
    by_kind = Counter(each.kind for each in changes)
    return " · ".join(say(f"watch.n.{kind}", n=by_kind[kind]) for kind in ORDER if by_kind[kind])


def told_once(changes: Iterable[Noticed]) -> list[list[Noticed]]:
    """Put changes together that one sentence tells: it may have several figures."""
    found: dict[tuple[str, ...], list[Noticed]] = {}
    for each in changes:
        found.setdefault((each.kind, each.said_before, each.said_after), []).append(each)
    return list(found.values())


def _in_a_minute(changes: Sequence[Sequence[Noticed]]) -> Sequence[Sequence[Noticed]]:
    """Return as many as a person reads in a minute, and one in any case."""
    spent = accumulate(_length(each[0].said_after or each[0].said_before) for each in changes)
    return changes[: min(MOST, max(1, sum(each <= _A_MINUTE for each in spent)))]


def _length(text: str) -> int:
    han = sum(is_han(each) for each in text)
    return len(text) + (_HAN - 1) * han


def _lines(changes: Sequence[Noticed], say: Words) -> Iterator[str]:
    change = changes[0]
    head = say.name("watch.change", change.kind)
    values = dict.fromkeys(values_of(each, say) for each in changes)
    about = " · ".join(filter(None, (*values, change.said_after or change.said_before)))
    yield f"{head}{say('list.colon')}{about}"
    yield why(change, say)
    shown = shown_side(change)
    if shown is not None and shown.citations:
        yield who_says(shown, say)


def values_of(change: Noticed, say: Words) -> str:
    """Say what it is about, and from what to what it changed; "" where only the whole sentence says it."""
    before, after = (
        told_value(change.attribute, side.of, side, say.language) if side else None
        for side in (change.before, change.after)
    )
    if after is None:
        return "" if before is None else before.beside("", say)
    return after.beside(before.value if before else "", say)


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
