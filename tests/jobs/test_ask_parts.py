"""Each part of a question is ticked, or named as not found."""

from __future__ import annotations

import pytest

from groundwire.jobs.ask.parts import tick
from groundwire.model.result import Gap, Sentence


def said(text: str) -> Sentence:
    return Sentence(text=text, verdict="supported", citations=())


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("When was the Orion bridge opened, and how much did it cost?", "The Orion bridge was opened on 3 May 2021."),
        ("猎户桥何时通车，花了多少钱？", "猎户桥于2021年5月3日通车。"),
        ("獵戶橋何時通車，花了多少錢？", "獵戶橋於2021年5月3日通車。"),
    ],
)  # fmt: skip
def test_a_part_without_its_value_is_open(question: str, sentence: str) -> None:
    when, cost = tick(question, [said(sentence)], [])
    assert (when.answered, when.sentence) == (True, 0)
    assert (cost.answered, cost.sentence) == (False, None)


def test_what_the_writer_could_not_find_is_open() -> None:
    gap = Gap(what="ask.facet.when", why="ask.gap.unsaid")
    (part,) = tick("When was the bridge opened?", [said("The bridge was opened in 2021.")], [gap])
    assert not part.answered
