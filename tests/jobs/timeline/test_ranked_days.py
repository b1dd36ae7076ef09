"""What tells the day of a milestone: bounded counts, none of which speaks against a day."""

from __future__ import annotations

import pytest
from timeline_pages import held

from groundwire.jobs.timeline.acts import has_act
from groundwire.jobs.timeline.collection import Collection
from groundwire.jobs.timeline.days import NAMES, days_of, features, ranked, weights
from groundwire.jobs.timeline.pages import Page, words_of
from groundwire.jobs.timeline.topic import Topic

PAGES = [
    (
        "2024-03-13",
        "The Velden bridge collapsed on Tuesday. The Velden fair opens on 1 April 2024.",
    ),
    ("2024-03-14", "Velden mourns since its bridge collapsed on Tuesday."),
    ("2024-06-01", "The Velden bridge, which collapsed on March 12, is rebuilt."),
    ("2024-06-02", "Orland played Marn on 1 June 2024. The bridge was named on 1 June 2024 too."),
]


def collection() -> Collection:
    return Collection([Page(held(text, day)) for day, text in PAGES], Topic(("Velden",)))


def test_the_day_that_many_pages_name_comes_first() -> None:
    found = collection()
    assert ranked(found, days_of(found))[0].day.day.isoformat() == "2024-03-12"


def test_every_count_is_bounded() -> None:
    found = collection()
    rows = features(found, days_of(found))
    assert {len(row) for row in rows} == {len(NAMES)}
    assert all(0.0 <= value <= 1.0 for row in rows for value in row)


def test_no_count_speaks_against_a_day() -> None:
    assert len(weights()) == len(NAMES)
    assert min(weights()) >= 0.0


def test_copies_of_a_sentence_count_once() -> None:
    story = "The Velden bridge collapsed on 12 March 2024."
    pages = [Page(held(story, "2024-03-13", url=f"https://{n}.example/a")) for n in range(5)]
    found = Collection(pages, Topic(("Velden",)))
    assert [len(each.named) for each in days_of(found).values() if each.named] == [1]


@pytest.mark.parametrize(
    "text",
    ["The mayor resigned.", "Two ships collapsed and sank.", "市长辞职。", "市長辭職。", "警方逮捕三人。", "國會批准協議。"],
)  # fmt: skip
def test_an_act_is_known(text: str) -> None:
    assert has_act(words_of(text))


@pytest.mark.parametrize("text", ["The harbour is wide.", "港口很大。", "這座城市遊客眾多。"])
def test_a_description_is_no_act(text: str) -> None:
    assert not has_act(words_of(text))
