"""Sentences with quotes: what is wrong with them is named by its place, and whether they stand is read in the pages."""

from __future__ import annotations

import pytest

from groundwire.reasoning.exam_pages import ExamPage, OnPages
from groundwire.reasoning.exam_words import Telling, agreement
from groundwire.reasoning.quoting import (
    Quoted,
    Said,
    fault_of_numbers,
    fault_of_sentences,
    places_of,
    stands,
)

SHOWN = OnPages(
    passages=(
        ExamPage(title="Tollan", text="Tollan Motors opened a plant in Porto."),
        ExamPage(title="青堰", text="青堰水库水位为152.6米。", published="2026-07-03"),
        ExamPage(title="青堰", text="青堰水庫水位為152.6公尺。", language="zh-Hant"),
    )
)


def said(text: str, *quotes: tuple[int, str]) -> Said:
    return Said(text=text, quotes=tuple(Quoted(passage=n, quote=quote) for n, quote in quotes))


@pytest.mark.parametrize(
    ("second", "code", "n"),
    [
        (said("Tollan opened a plant."), "fault.no_quote", 2),
        (said("见 https://x.example/", (2, "青堰")), "fault.sentence_link", 2),
        (said("青堰水庫水位為152.6公尺。", (3, "青堰"), (9, "水庫")), "fault.no_passage", 9),
    ],
)
def test_a_fault_names_the_place_or_the_number(second: Said, code: str, n: int) -> None:
    first = said("Tollan Motors opened a plant.", (1, "opened a plant"))
    found = fault_of_sentences([first, second], SHOWN.shown())
    assert found is not None
    assert (found.code, found.params) == (code, {"n": n})


def test_nothing_is_wrong_with_sentences_on_passages_that_were_shown() -> None:
    whole = [said("水位152.6米。", (2, "152.6米")), said("水位152.6公尺。", (3, "152.6公尺"))]
    assert fault_of_sentences(whole, SHOWN.shown()) is None
    assert fault_of_numbers([1, 2, 3], SHOWN.shown()) is None


@pytest.mark.parametrize(
    ("number", "text", "holds"),
    [
        (1, "Tollan Motors opened a plant in Porto.", True),
        (1, "Tollan Motors opened nine plants in Porto.", False),
        (2, "青堰水库水位为152.6米。", True),
        (2, "青堰水库水位为158.1米。", False),
        (3, "青堰水庫水位為152.6公尺。", True),
        (3, "青堰水庫水位為158.1公尺。", False),
    ],
)
def test_a_sentence_stands_where_its_quotes_carry_it(number: int, text: str, holds: bool) -> None:
    shown, pages = SHOWN.shown(), SHOWN.pages()
    quote = Quoted(passage=number, quote=shown[number - 1].text)
    assert stands(text, [quote], places_of(shown, pages)) is holds


def test_items_may_call_the_day_of_a_page_its_date() -> None:
    page = ExamPage.model_validate({"title": "", "text": "x", "date": "2026-03-01"})
    assert page.published == "2026-03-01"


def test_each_wanted_one_is_met_once() -> None:
    def same(one: str, other: str) -> bool:
        return one == other

    assert agreement([], [], same) == 1
    assert agreement(["a"], [], same) == 0
    assert agreement(["a", "a"], ["a"], same) == pytest.approx(2 / 3)
    assert agreement(["a", "b"], ["a", "b", "c", "d"], same, most=2) == 1


def test_half_is_left_of_what_tells_what_is_not_so() -> None:
    wanted = Telling(facts=(), never=("nine",))
    assert wanted.left_of(1.0, "It opened nine plants.") == 0.5
    assert wanted.left_of(1.0, "It opened a plant.") == 1
