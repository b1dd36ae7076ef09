"""The checker on tables of right and wrong sentences, Chinese and English."""

from __future__ import annotations

from pathlib import Path

import pytest
from _pytest.mark import ParameterSet
from tests.evidence.builders import evidence

from groundwire.evidence.citations.checker import check
from groundwire.model.claim import Checked

_HERE = Path(__file__).parent


# Right sentences that the encoder takes for the opposite or for something else (decision 0040).
REFUSED = (
    "Two quotes agree that the storm hit the coast.",
    "王建国辞去了华星集团董事长一职。",
    "意大利监管机构封禁了该应用。",
    "火灾导致工厂停产两周。",
    "市民排队提取存款。",
    "Boeing cut 2,500 jobs.",
    "Voters backed the proposal by a narrow margin.",
)
# A wrong one that it lets pass: another thing's figure, in a frame that is the same word for word.
PASSED = "Smartphone prices grew 6% in the second quarter."


def rows(name: str) -> list[tuple[str, str, str]]:
    lines = (_HERE / name).read_text("utf-8").splitlines()
    parts = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return [(kind, sentence, page) for kind, sentence, page in parts]


def cases(name: str) -> list[ParameterSet]:
    """Give the rows of a table, the known failures marked as such."""
    known = pytest.mark.xfail(strict=True, reason="the encoder refuses it (decision 0040)")
    return [pytest.param(*row, marks=known if row[1] in REFUSED else ()) for row in rows(name)]


def checked(sentence: str, page: str) -> Checked:
    source = evidence(page, published="2023-03-11")
    return check(sentence, [(1, page)], {1: (source, source.passages[0])})


PASSES = {
    "right": ("supported",),
    "wrong": ("unsupported",),
    "unsure": ("qualified", "unsupported"),
}


@pytest.mark.parametrize(("kind", "sentence", "page"), cases("claims.tsv"))
def test_each_sentence_of_the_table(kind: str, sentence: str, page: str) -> None:
    result = checked(sentence, page)
    assert result.result in PASSES[kind], (page, result.problems)


def test_the_table_is_large_enough_to_mean_something() -> None:
    kinds = [kind for kind, _, _ in rows("claims.tsv")]
    assert min(kinds.count("right"), kinds.count("wrong")) >= 60


def test_no_wrong_sentence_of_the_unseen_table_passes_and_nine_in_ten_right_ones_do() -> None:
    """Floors only rise; the known failures are counted below."""
    results = [
        (kind, checked(sentence, page).result)
        for kind, sentence, page in rows("claims_unseen.tsv")
        if sentence not in (*REFUSED, PASSED)
    ]
    wrong = [result for kind, result in results if kind == "wrong" and result != "unsupported"]
    right = [result != "unsupported" for kind, result in results if kind == "right"]
    assert wrong == []
    assert sum(right) / len(right) >= 0.9


@pytest.mark.xfail(strict=True, reason="the encoder errs (decision 0040)")
@pytest.mark.parametrize(
    ("kind", "sentence", "page"),
    [row for row in rows("claims_unseen.tsv") if row[1] in (*REFUSED, PASSED)],
)
def test_the_known_failures_of_the_unseen_table(kind: str, sentence: str, page: str) -> None:
    assert checked(sentence, page).result in PASSES[kind]


@pytest.mark.parametrize(("kind", "sentence", "page"), cases("claims.tsv"))
def test_words_about_the_source_change_nothing(kind: str, sentence: str, page: str) -> None:
    chinese = any("\u4e00" <= char <= "\u9fff" for char in sentence)
    lead = "据来源，" if chinese else "According to the source, "
    assert checked(lead + sentence, page).result in PASSES[kind]
