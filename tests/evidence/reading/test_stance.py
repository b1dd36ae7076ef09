"""The embedded stance: a table of cases in both scripts and English, and what it may never do."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import pytest

from groundwire.evidence.citations.problems import problem
from groundwire.evidence.reading.stance import (
    CONTRADICTS,
    CONTRADICTS_PLAINLY,
    OPPOSITE,
    PLAIN,
    RELATED,
    REVERSED,
    TURNED,
    judge,
    stance,
)
from groundwire.evidence.reading.stance_features import compare
from groundwire.evidence.reading.stance_model import Leaning, lean, read_heads
from groundwire.language.text.characters import detect_language
from groundwire.words import words

_HERE = Path(__file__).parent


def rows(name: str) -> list[tuple[str, str, str, str]]:
    lines = (_HERE / name).read_text("utf-8").splitlines()
    parts = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return [(wanted, flags, claim, passage) for wanted, flags, claim, passage in parts]


@pytest.mark.parametrize(("wanted", "flags", "claim", "passage"), rows("stance_cases.tsv"))
def test_each_case_of_the_table(wanted: str, flags: str, claim: str, passage: str) -> None:
    found, leaning = judge(claim, passage, flags=flags.split())
    assert found.label in wanted.split("|"), (leaning, found.reasons)
    assert passage[found.start : found.end] == found.quote
    assert found.reasons


def test_the_table_is_large_enough_in_every_language() -> None:
    cases = rows("stance_cases.tsv")
    assert len(cases) >= 120
    languages = [detect_language(passage) for _, _, _, passage in cases]
    for language, least in (("en", 40), ("zh", 30), ("zh-Hant", 20)):
        assert languages.count(language) >= least, language


def test_of_later_cases_no_side_is_taken_wrongly_and_nine_in_ten_are_right() -> None:
    """Floors only rise."""
    found = [
        (wanted, stance(claim, passage, flags=flags.split()).label, claim)
        for wanted, flags, claim, passage in rows("stance_later.tsv")
    ]
    sides = ("supports", "contradicts")
    assert [case for case in found if case[1] in sides and case[1] != case[0]] == []
    assert sum(wanted == label for wanted, label, _ in found) / len(found) >= 0.9


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("", ""),
        ("", "Norvik Bank closed 12 branches."),
        ("Norvik Bank closed 12 branches.", ""),
        ("The of and.", "The of and."),
        ("的了吗", "的了吗"),
        ("。", "!?…"),
        ("🙂🙂", "🙂"),
        ("9" * 400, "8" * 400),
        ("1" + "0" * 40 + " dollars", "3.14159265358979323846264338327950288 dollars"),
        ("한국어 문장", "русский текст 中文"),
        ("Norvik Bank closed.", "\n\n\t \u200b"),
    ],
)
def test_odd_texts_get_a_stance_without_a_quote_or_with_a_true_one(
    claim: str, passage: str
) -> None:
    found = stance(claim, passage)
    assert passage[found.start : found.end] == found.quote
    scores = found.scores
    total = scores.supports + scores.contradicts + scores.qualifies + scores.unrelated
    assert total == pytest.approx(1, abs=1e-5)


def test_an_unrelated_passage_has_no_quote() -> None:
    found = stance("Norvik Bank closed 12 branches.", "The weather stays dry.")
    assert (found.label, found.quote, found.start, found.end) == ("unrelated", "", 0, 0)


def test_the_quote_is_the_sentence_that_speaks_of_it_as_the_page_wrote_it() -> None:
    passage = "天氣晴朗。  諾維克銀行已於　２０２３年關閉１２家分行。其他銀行沒有變化。"
    found = stance("诺维克银行2023年关闭了12家分行。", passage)
    assert found.label == "supports"
    assert found.quote == "諾維克銀行已於　２０２３年關閉１２家分行。"


@pytest.mark.parametrize(
    ("flag", "label"),
    [
        ("", "supports"),
        ("opinion", "supports"),
        ("correction", "qualifies"),
        ("retraction", "unrelated"),
        ("satire", "unrelated"),
    ],
)
def test_what_a_page_says_of_itself_decides_what_its_words_are_worth(flag: str, label: str) -> None:
    for claim, passage in (
        ("Norvik Bank closed 12 branches.", "Norvik Bank closed 12 branches last year."),
        ("诺维克银行关闭了12家分行。", "诺维克银行去年关闭了12家分行。"),
        ("諾維克銀行關閉了12家分行。", "諾維克銀行去年關閉了12家分行。"),
    ):
        assert stance(claim, passage, flags=flag.split()).label == label


def test_a_title_names_what_its_passage_only_refers_to() -> None:
    claim, passage = "Norvik Bank closed 12 branches.", "It closed 12 branches last year."
    assert stance(claim, passage).label == "unrelated"
    assert stance(claim, passage, title="Norvik Bank shrinks").label == "supports"


def test_what_is_corrected_to_the_claim_does_not_contradict_it() -> None:
    passage = (
        "An earlier version of this article said that hackers stole $41 million from the Orbit "
        "bridge; the correct figure is $4.1 million."
    )
    wrong = stance("Hackers stole $41 million from the Orbit bridge.", passage)
    right = stance("Hackers stole $4.1 million from the Orbit bridge.", passage)
    assert wrong.label == "contradicts"
    assert wrong.reasons == (problem("withdrawn"),)
    assert right.label != "contradicts"


@pytest.mark.parametrize(
    ("claim", "passage", "reason"),
    [
        ("The fund grew 9%.", "The fund grew 4%.", "other_figure"),
        ("该基金增长9%。", "该基金增长4%。", "other_figure"),
        ("該基金成長9%。", "該基金成長4%。", "other_figure"),
        ("Northbridge was hacked.", "Northbridge denied that it was hacked.", "opposite"),
        ("诺维克银行已破产。", "诺维克银行否认已破产。", "opposite"),
        ("The dam broke on 3 May 2024.", "The dam broke on 9 July 2024.", "other_date"),
    ],
)
def test_a_contradiction_names_its_sign(claim: str, passage: str, reason: str) -> None:
    found = stance(claim, passage)
    assert (found.label, problem(reason) in found.reasons) == ("contradicts", True)
    for text in found.reasons:
        assert re.search("[\u4e00-\u9fff]", words("zh").phrase(text))


def test_the_same_pair_gets_the_same_stance_twice() -> None:
    for _, flags, claim, passage in rows("stance_cases.tsv")[::10]:
        one, other = (stance(claim, passage, flags=flags.split()) for _ in range(2))
        assert one == other


@pytest.mark.parametrize(
    ("leaning", "known", "label"),
    [
        # Three questions, in this order; one that the labels leave open is not asked.
        (Leaning(0.1, 0.9, 0.9), None, "unrelated"),
        (Leaning(0.9, 0.9, 0.9), None, "contradicts"),
        (Leaning(0.9, 0.1, 0.9), None, "qualifies"),
        (Leaning(0.9, 0.1, 0.1), None, "supports"),
        (Leaning(0.9, 0.1, 0.9), ("supports", "contradicts", "unrelated"), "supports"),
        (Leaning(0.1, 0.51, 0.9), ("supports", "contradicts"), "contradicts"),
        (Leaning(0.1, 0.49, 0.9), ("supports", "contradicts"), "supports"),
    ],
)
def test_the_likeliest_of_the_labels_that_are_known(leaning, known, label) -> None:
    found = leaning.likeliest() if known is None else leaning.likeliest(known)
    assert found == label


def test_every_weight_belongs_to_a_feature_and_every_head_has_its_threshold() -> None:
    values = compare("Norvik Bank closed 12 branches.", "Norvik Bank closed nine.").values
    for name, head in read_heads().items():
        assert {feature for feature, _ in head.weights} <= set(values), name
        assert 0 < head.threshold < 1


def test_features_lie_between_nothing_and_one_so_that_no_weight_runs_away() -> None:
    for _, _, claim, passage in rows("stance_cases.tsv"):
        for name, value in compare(claim, passage).values.items():
            assert 0 <= value <= 1.5, (name, claim)


def test_a_contradicting_sign_never_lowers_the_odds_of_a_contradiction() -> None:
    """The weights point where their features do, whatever the data said."""
    values = compare("Norvik Bank closed 12 branches.", "Norvik Bank closed nine.").values
    base = lean(values).contradicts
    for name in ("opposite", "figures_differ", "counts_differ", "negated_apart_here", "turned"):
        assert lean({**values, name: values[name] + 0.5}).contradicts >= base, name
    for name in ("stands", "figures_same"):
        assert lean({**values, name: values[name] + 0.5}).contradicts <= base, name


def test_the_products_thresholds_are_on_the_careful_side() -> None:
    assert min(CONTRADICTS, RELATED, 1 - CONTRADICTS_PLAINLY) >= 0.5
    assert 0.6 <= min(OPPOSITE, PLAIN) <= TURNED <= REVERSED


@pytest.mark.parametrize(
    ("part", "name"),
    [("evidence", "stance_weights.tsv"), ("language", "rarity.tsv"), ("language", "antonyms.tsv")],
)
def test_each_data_file_says_where_it_comes_from(part: str, name: str) -> None:
    head = (files(f"groundwire.{part}.data") / name).read_text("utf-8")[:800]
    assert head.startswith("#")
    assert "scripts/" in head or "Written for this project" in head
