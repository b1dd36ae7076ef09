"""Which sides still count when pages of different days disagree."""

from __future__ import annotations

import pytest
from tests.evidence.builders import evidence

from groundwire.evidence.reading.overtaken import current
from groundwire.model.source import Evidence
from groundwire.model.stance import StanceLabel

SUPPORTS, CONTRADICTS = "supports", "contradicts"


def pages(
    *told: tuple[str, StanceLabel, str | None],
) -> tuple[list[Evidence], dict[str, StanceLabel]]:
    found = [
        evidence(f"Text of {name}.", url=f"https://{name}.example/a", published=day)
        for name, _, day in told
    ]
    return found, {each.id: label for each, (_, label, _) in zip(found, told, strict=True)}


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        # "Not yet" of a week before does not deny what has happened since.
        ([("a", CONTRADICTS, "2024-01-02"), ("b", SUPPORTS, "2024-01-10")], "b"),
        # Yesterday's denial stands against one report, and falls to two.
        ([("a", CONTRADICTS, "2024-01-09"), ("b", SUPPORTS, "2024-01-10")], "ab"),
        (
            [
                ("a", CONTRADICTS, "2024-01-09"),
                ("b", SUPPORTS, "2024-01-10"),
                ("c", SUPPORTS, "2024-01-10"),
            ],
            "bc",
        ),
        # A denial of the same day, or of later, is one.
        ([("a", CONTRADICTS, "2024-01-10"), ("b", SUPPORTS, "2024-01-10")], "ab"),
        ([("a", CONTRADICTS, "2024-01-12"), ("b", SUPPORTS, "2024-01-10")], "ab"),
        # What was reported long before a denial was another event.
        ([("a", SUPPORTS, "2022-05-01"), ("b", CONTRADICTS, "2024-01-10")], "b"),
        ([("a", SUPPORTS, "2024-01-02"), ("b", CONTRADICTS, "2024-01-10")], "ab"),
        # Pages without a date are never overtaken and overtake nothing.
        ([("a", CONTRADICTS, None), ("b", SUPPORTS, "2024-01-10")], "ab"),
        ([("a", CONTRADICTS, "2023-01-09"), ("b", SUPPORTS, None)], "ab"),
        ([("a", SUPPORTS, "2020-01-09")], "a"),
    ],
)
def test_what_still_counts(told: list[tuple[str, StanceLabel, str | None]], kept: str) -> None:
    found, taken = pages(*told)
    names = {each.id: name for each, (name, _, _) in zip(found, told, strict=True)}
    for order in (found, found[::-1]):
        assert "".join(sorted(names[each] for each in current(order, taken, ()))) == kept


def test_a_party_that_says_so_overtakes_the_denial_of_the_day_before() -> None:
    found, taken = pages(("a", CONTRADICTS, "2024-01-09"), ("b", SUPPORTS, "2024-01-10"))
    assert set(current(found, taken, (found[1].id,))) == {found[1].id}
