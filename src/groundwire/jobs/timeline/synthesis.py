"""What a history comes to: its eras, its summary, what is thin or missing in it; pure."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from datetime import date

from groundwire.evidence.questions.quotable import is_unsure
from groundwire.jobs.timeline.pages import words_of
from groundwire.jobs.timeline.result import Era, Interval, Node, Synthesis

WEIGHTS = {"revolutionary": 3, "high": 2, "medium": 1}
_MONTHS = {"day": 1, "month": 1, "quarter": 3, "year": 12, "decade": 120}
_SUMMARY = 5  # sentences
_FEWEST = 3  # events that stand out, before others are told beside them
_ALIKE = 0.6  # of the shorter sentence's words: it says the same
_ERAS = 6  # at most, of one size
MOST_ERAS = 8  # of all sizes: as many as style sheets can choose from
_LONG, _SHORT = 3 * 365, 120  # days: told by years, by quarters, by months
_THIN = 3  # years of a history before an empty one counts as thin


def eras_of(nodes: Sequence[Node]) -> tuple[Era, ...]:
    """Divide a history by the calendar: into years, quarters or months, few enough to read."""
    happened = [each for each in nodes if each.standing != "due"] or list(nodes)
    if not happened:
        return ()
    span = (happened[-1].interval.begin - happened[0].interval.begin).days
    size = 12 if span > _LONG else 3 if span > _SHORT else 1
    while (
        len({_place(each.interval.begin, size) for each in nodes}) > _ERAS
        or len(_grouped(nodes, size)) > MOST_ERAS
    ):
        size = {1: 3, 3: 12}.get(size, size + 12)
    ordered = sorted(_grouped(nodes, size).items(), key=lambda one: (one[0][0], -one[0][1]))
    return tuple(_era(first // own, own, group) for (first, own), group in ordered)


def _grouped(nodes: Sequence[Node], size: int) -> dict[tuple[int, int], list[Node]]:
    """Group nodes by spans of so many months; a year that is known no better belongs to no quarter of it."""
    groups: dict[tuple[int, int], list[Node]] = {}
    for each in nodes:
        own = max(size, _MONTHS[each.precision])
        groups.setdefault((_place(each.interval.begin, own) * own, own), []).append(each)
    return groups


def _place(day: date, size: int) -> int:
    return (day.year * 12 + day.month - 1) // size


def _era(place: int, size: int, nodes: Sequence[Node]) -> Era:
    first = place * size
    begin = date(first // 12, first % 12 + 1, 1)
    end = max(each.interval.end for each in nodes)
    last = first + size - 1
    if size % 12 == 0:
        name = str(begin.year) if size == 12 else f"{begin.year}–{last // 12}"
    elif size == 3:
        name = f"{begin.year} Q{(begin.month - 1) // 3 + 1}"
    else:
        name = f"{begin:%Y-%m}"
    interval = Interval(begin=begin, end=max(begin, end))
    return Era(name=name, interval=interval, nodes=tuple(each.id for each in nodes))


def weightiest(nodes: Sequence[Node]) -> list[Node]:
    """Put the weightiest events first."""
    return sorted(
        nodes, key=lambda one: (-WEIGHTS[one.significance] - math.log2(one.origins or 1), one.date)
    )


def summary_of(nodes: Sequence[Node]) -> Synthesis:
    """Tell the weightiest matters in their order, each once and in its own words."""
    chosen: list[Node] = []
    happened = (n for n in nodes if n.description and n.standing == "happened")
    # What everybody in a group is said to say sums up nothing.
    told = weightiest([each for each in happened if not is_unsure(each.description[0].text)])
    outstanding = [each for each in told if each.significance != "medium" or each.origins > 1]
    for each in outstanding if len(outstanding) >= _FEWEST else told:
        if len(chosen) < _SUMMARY and not any(_repeats(each, other) for other in chosen):
            chosen.append(each)
    chosen.sort(key=lambda one: (one.interval.begin, one.id))
    return Synthesis(summary=tuple(each.description[0] for each in chosen))


def _repeats(one: Node, other: Node) -> bool:
    """Tell whether two events of one time are told by much the same words, as a sale and the report of it are."""
    if one.interval.begin > other.interval.end or other.interval.begin > one.interval.end:
        return False
    a, b = (set(words_of(each.description[0].text)) for each in (one, other))
    return len(a & b) >= _ALIKE * min(len(a), len(b))


def thin_years(nodes: Sequence[Node]) -> Iterator[int]:
    """Yield the years between the first and the last event in which there is none."""
    years = sorted({each.interval.begin.year for each in nodes if each.standing != "due"})
    if years and years[-1] - years[0] >= _THIN - 1:
        empty = [year for year in range(years[0], years[-1]) if year not in years]
        # Where most years are empty, the history is short: its years are not what is missing.
        yield from empty if len(empty) <= len(years) else ()
