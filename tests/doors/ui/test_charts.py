"""Charts: drawn to scale from zero, in classes only, with words that are escaped."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest
from markupsafe import Markup

from groundwire.doors.ui import charts
from groundwire.doors.ui.charts import ChartBar, Dot, Mark
from groundwire.words import words

EVIL = '</svg><script>alert("1")</script>'
WORDS = words("en")


def parsed(picture: Markup) -> list[ET.Element]:
    """Parse every picture; markup that is not well-formed fails here."""
    return list(ET.fromstring(f"<div>{picture}</div>"))


def boxes(picture: ET.Element, kind: str) -> list[dict[str, float]]:
    return [
        {name: float(each.attrib[name]) for name in ("x", "y", "width", "height")}
        for each in picture.iter("rect")
        if each.attrib["class"] == kind
    ]


def pictures() -> dict[str, Markup]:
    dots = [Dot(0.25, 0.4, 0.1, 0.7, 5), Dot(0.85, 0.9, 0.6, 1.0, 20)]
    return {
        "reliability": charts.reliability(dots, [(0.0, 0.2), (0.5, 0.8)], WORDS, EVIL),
        "bars": charts.bars(
            [ChartBar("1", 2.0, "$2"), ChartBar(EVIL, 0.0, EVIL)], EVIL, Mark(1.0, EVIL)
        ),
        "budget": charts.budget(1.0, 0.5, Mark(2.0, EVIL), Mark(3.0, EVIL), EVIL),
        "scale": charts.scale([(0.1, "before")], 0.25, EVIL),
        "share": charts.share(0.5, 0.2, 0.8),
        "spark": charts.spark([(4.0, 3.0), (0.0, 0.0)], EVIL),
    }


@pytest.mark.parametrize("name", sorted(pictures()))
def test_a_picture_is_well_formed_escaped_and_in_classes_only(name: str):
    picture = pictures()[name]
    assert "<script>" not in picture
    assert not re.search(r"\s(style|fill|stroke|on\w+)=", picture)
    for each in parsed(picture):
        assert each.tag == "svg"
        assert "viewBox" in each.attrib
        assert each.get("aria-hidden") == "true" or each.get("aria-label") == EVIL
        assert "nan" not in ET.tostring(each, "unicode").lower()


def test_bars_begin_at_zero_and_are_to_scale():
    days = [ChartBar("1", 1.0, "$1"), ChartBar("2", 4.0, "$4"), ChartBar("3", 0.0, "$0")]
    wide, narrow = parsed(charts.bars(days, "days"))
    for picture in (wide, narrow):
        one, four, none = boxes(picture, "bar")
        assert four["height"] == pytest.approx(4 * one["height"], abs=0.05)
        assert none["height"] == 0
        assert one["y"] + one["height"] == pytest.approx(four["y"] + four["height"], abs=0.02)
    assert [each.text for each in wide.iter("text") if each.get("class") == "value"] == ["$4"]


def test_what_is_above_the_limit_stands_out():
    (wide, _) = parsed(
        charts.bars([ChartBar("1", 3.0, "$3"), ChartBar("2", 1.0, "$1")], "", Mark(2, "max"))
    )
    (over,) = boxes(wide, "bar over")
    below, small = boxes(wide, "bar")
    assert over["height"] == pytest.approx(below["height"] / 2, abs=0.05)
    assert small["height"] == pytest.approx(below["height"] / 2, abs=0.05)


def test_labels_of_many_days_do_not_run_into_each_other():
    days = [ChartBar(f"{n}", 1.0, "$1") for n in range(90)]
    for picture in parsed(charts.bars(days, "")):
        ticks = [float(e.attrib["x"]) for e in picture.iter("text") if e.get("class") == "tick"]
        gaps = [right - left for left, right in pairwise(ticks)]
        assert min(gaps) >= 30
        assert max(ticks) <= float(picture.attrib["viewBox"].split()[2])


def test_nothing_is_drawn_without_a_fault():
    assert parsed(charts.bars([], ""))
    assert parsed(charts.bars([ChartBar("1", 0.0, "$0")], "", Mark(0.0, "none")))
    assert parsed(charts.budget(0.0, 0.0, None, None, ""))
    assert parsed(charts.budget(0.0, 0.0, Mark(0.0, "none"), None, ""))
    assert parsed(charts.reliability([], [], WORDS, ""))
    assert parsed(charts.spark([], ""))


def test_the_limit_stands_where_it_is_whatever_was_spent():
    for spent, at in ((1.0, 1.0), (4.0, 0.5)):
        (wide, _) = parsed(charts.budget(spent, 0.0, Mark(2.0, "limit"), None, ""))
        width = float(wide.attrib["viewBox"].split()[2])
        (mark,) = [each for each in wide.iter("line") if each.get("class") == "limit"]
        assert float(mark.attrib["x1"]) == pytest.approx(at * width)
        full = boxes(wide, "fill full" if spent > 2 else "fill")[0]
        assert full["width"] == pytest.approx(min(1.0, spent / max(2.0, spent)) * width)


def test_dots_lie_where_said_and_true_meet_with_their_intervals():
    dots = [Dot(0.5, 0.5, 0.2, 0.8, 10)]
    (picture,) = parsed(charts.reliability(dots, [], WORDS, ""))
    (dot,) = picture.iter("circle")
    exact = next(each for each in picture.iter("line") if each.get("class") == "exact")
    middle = [
        (float(exact.attrib[f"{axis}1"]) + float(exact.attrib[f"{axis}2"])) / 2 for axis in "xy"
    ]
    assert [float(dot.attrib["cx"]), float(dot.attrib["cy"])] == pytest.approx(middle)
    upright = next(each for each in picture.iter("line") if each.get("class") == "interval")
    low, high = float(upright.attrib["y1"]), float(upright.attrib["y2"])
    assert low - high == pytest.approx(0.6 * 300)
    assert (low + high) / 2 == pytest.approx(middle[1])


def test_more_signals_make_a_larger_dot():
    dots = [Dot(0.2, 0.2, 0, 1, 2), Dot(0.8, 0.8, 0, 1, 50)]
    (picture,) = parsed(charts.reliability(dots, [], WORDS, ""))
    small, large = (float(each.attrib["r"]) for each in picture.iter("circle"))
    assert small < large
    assert [e.text for e in picture.iter("text") if e.get("class") == "value"] == ["2", "50"]
