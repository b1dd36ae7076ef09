"""A sentence over quotes of two pages: each figure and date stays with what its own page tells."""

from __future__ import annotations

import pytest
from tests.evidence.builders import evidence

from groundwire.evidence.citations.checker import check
from groundwire.model.claim import Checked


def over(sentence: str, *quotes: str) -> Checked:
    pages = [evidence(q, url=f"https://{n}.example/a") for n, q in enumerate(quotes)]
    passages = {n: (page, page.passages[0]) for n, page in enumerate(pages, 1)}
    return check(sentence, list(enumerate(quotes, 1)), passages)


_ZH = ("北方石油周一称，事故中泄漏300吨原油。", "环保局称，事故泄漏原油700吨。")
_HANT = ("北方石油週一稱，事故中洩漏300噸原油。", "環保局稱，事故洩漏原油700噸。")
_DATED = (
    "The Carrow tramway carried its first passengers on 12 April 2025.",
    "The Selby vaccine was approved by the Medicines Office on 15 March 2022.",
)


@pytest.mark.parametrize(
    ("right", "swapped", "quotes"),
    [
        ("北方石油称泄漏300吨，环保局称泄漏700吨。", "北方石油称泄漏700吨，环保局称泄漏300吨。", _ZH),
        ("北方石油稱洩漏300噸，環保局稱洩漏700噸。", "北方石油稱洩漏700噸，環保局稱洩漏300噸。", _HANT),
        ("The Carrow tramway carried its first passengers on 12 April 2025, and the Selby vaccine was approved on 15 March 2022.",
         "The Carrow tramway carried its first passengers on 15 March 2022, and the Selby vaccine was approved on 12 April 2025.",
         _DATED),
    ],
)  # fmt: skip
def test_figures_and_dates_may_not_change_pages(
    right: str, swapped: str, quotes: tuple[str, str]
) -> None:
    assert over(right, *quotes).result != "unsupported"
    refused = over(swapped, *quotes)
    assert refused.result == "unsupported"
    assert {each.code for each in refused.problems} == {"problem.apart"}


def test_two_halves_of_one_story_may_stand_on_two_pages() -> None:
    told = (
        "Approved at a cost of $40 million, the bridge was raised to $71 million before it opened."
    )
    quotes = (
        "The bridge was approved in 2011 at a cost of $40 million.",
        "Before the bridge opened, its cost was raised to $71 million.",
    )
    assert over(told, *quotes).result == "supported"
    assert over(told.replace("$71", "$17"), *quotes).result == "unsupported"
