"""How a month's changes are counted: found on their day, missed, told wrongly, told twice."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from lab.evaluation.months import Day, fits, judge
from lab.months.month import Expected, Month

from groundwire.jobs.watch.ledger.claims import Change, ChangeKind, Holder, Side

AT = datetime(2026, 10, 3, tzinfo=UTC)


def side(value: str, url: str = "https://a.example/1") -> Side:
    holder = Holder(
        evidence_id="ev_1", url=url, title="", publisher="a", published_at=AT, quote=f"It is {value}.",
        start=0, end=1, document_id="doc_1", origin="a.example", as_of=date(2026, 10, 3), read_at=AT,
    )  # fmt: skip
    return Side(text=f"It is {value}.", value=value, citations=(holder,))


def change(kind: ChangeKind, before: str = "", after: str = "") -> Change:
    return Change(
        kind=kind,
        claim_id="wc_1",
        before=side(before) if before else None,
        after=side(after) if after else None,
    )


EXPECTED = Expected(
    day=3, kind="changed", about="price", before=("$249",), after=("$199", "199 美元")
)


@pytest.mark.parametrize(
    ("reported", "right"),
    [
        (change("changed", "$249", "$199"), True),
        (change("changed", "249美元", "199美元"), True),
        (change("changed", "$249", "$219"), False),
        (change("new", "", "$199"), False),
    ],
)
def test_a_change_is_right_by_its_kind_and_its_value(reported: Change, right: bool) -> None:
    assert fits(EXPECTED, reported) is right


def test_what_was_withdrawn_is_known_by_what_it_was() -> None:
    expected = Expected(day=3, kind="withdrawn", about="price", before=("$249",))
    assert fits(expected, change("withdrawn", "$249"))
    assert not fits(expected, change("withdrawn", "$199"))


def month(*expected: Expected) -> Month:
    return Month(
        seed=1, language="en", subject="Velmora", command="Monitor Velmora", pages=(),
        expected=expected, background=("Nobody commented.",),
    )  # fmt: skip


def day(number: int, *changes: Change, alert: bool = False) -> Day:
    return Day(day=number, state="complete", changes=changes, alert=alert)


def test_a_day_late_is_found_and_a_week_late_is_missed_and_wrong() -> None:
    told = change("changed", "$249", "$199")
    late = judge(month(EXPECTED), [day(3), day(4, told, alert=True)])
    assert (len(late.found), late.missed, late.wrong, late.idle_alerts) == (1, (), (), ())
    missed = judge(month(EXPECTED), [day(3), day(10, told, alert=True)])
    assert (missed.found, len(missed.missed), len(missed.wrong)) == ((), 1, 1)
    assert missed.idle_alerts == (10,)


def test_what_is_told_again_is_wrong_and_told_twice() -> None:
    told = change("changed", "$249", "$199")
    found = judge(month(EXPECTED), [day(3, told, alert=True), day(8, told, alert=True)])
    assert (len(found.found), len(found.wrong), len(found.twice)) == (1, 1, 1)


def test_a_true_sentence_beside_the_facts_is_no_mistake() -> None:
    beside = change("new", "", "Nobody commented")
    assert judge(month(), [day(2, beside)]).wrong == ()
