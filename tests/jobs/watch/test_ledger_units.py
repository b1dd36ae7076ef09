"""Values in several units of one kind: compared in one base, never by their bare numbers."""

from __future__ import annotations

import pytest
from tests.jobs.watch.watch_days import Days, page

from groundwire.evidence.reading.analysis import analyse
from groundwire.jobs.watch.ledger.values import amounts

_SAME = (
    ("Norvale's ship has a range of 300 miles.", "Norvale's ship has a range of 483 km."),
    ("Norvale's ship has a range of 310 miles.", "Norvale's ship has a range of 500 km."),
    ("Norvale's station measured wind of 40 mph.", "Norvale's station measured wind of 64 km/h."),
    ("Norvale's site covers 40 acres.", "Norvale's site covers 16 hectares."),
    ("The temperature in Norvale reached 104°F.", "The temperature in Norvale reached 40°C."),
    ("Norvale的航程为300英里。", "Norvale的航程为483公里。"),
    ("Norvale園區面積5000坪。", "Norvale園區面積16500平方公尺。"),
    ("Norvale气温升至40度。", "Norvale氣溫升至攝氏40度。"),
)
_OTHER = (
    ("Norvale burned 40 acres of its forest.", "Norvale burned 40 hectares of its forest."),
    (
        "Norvale's site covers 5,000 square feet.",
        "Norvale's site covers 5,000 square metres.",
    ),
    (
        "Norvale's ship has a range of 300 nautical miles.",
        "Norvale's ship has a range of 300 miles.",
    ),
    ("Norvale's station measured wind of 40 km/h.", "Norvale's station measured wind of 40 mph."),
    ("Norvale园区面积5000坪。", "Norvale园区面积5000平方米。"),
    ("Norvale園區面積5000坪。", "Norvale園區面積5000平方公尺。"),
    ("Norvale的航程为300海里。", "Norvale的航程为300英里。"),
)
_READ = (
    ("Winds reached 40 mph.", ("64.37376", "km/h", "40 mph")),
    ("风速每小时40公里。", ("40", "km/h", "40公里")),
    ("風速每秒10公尺。", ("36", "km/h", "10公尺")),
    ("It covers 3 square miles.", ("7769964.331008", "m2", "3 square miles")),
    ("Norvale第3度举办展会。", None),
    ("Norvale第3度舉辦展覽。", None),
)


@pytest.mark.parametrize(("before", "after"), _SAME)
def test_one_value_in_two_units_is_confirmed(before: str, after: str) -> None:
    days = Days()
    days.look(1, page("a", 1, before))
    assert [kind for kind, *_ in days.look(2, page("b", 2, after))] == ["confirmed"]


@pytest.mark.parametrize(("before", "after"), _OTHER)
def test_one_number_of_two_units_is_another_value(before: str, after: str) -> None:
    days = Days()
    days.look(1, page("a", 1, before))
    assert [kind for kind, *_ in days.look(2, page("b", 2, after))] == ["changed"]


@pytest.mark.parametrize(("text", "value"), _READ)
def test_a_value_is_kept_in_the_base_of_its_unit(text: str, value: tuple[str, ...] | None) -> None:
    found = [(each.key, each.unit, each.text) for each in amounts(analyse(text).lead, ())]
    assert (found[0] if found else None) == value
