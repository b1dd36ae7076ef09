"""The stance of whole pages: tables of news pages in both scripts and English, and what may never be."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from tests.evidence.builders import document

from groundwire.evidence.citations.problems import problem
from groundwire.evidence.pages.flags import text_flags
from groundwire.evidence.pages.passages import split
from groundwire.evidence.reading.page_stance import position
from groundwire.language.text.characters import detect_language
from groundwire.model.source import Evidence

_HERE = Path(__file__).parent
Row = tuple[str, str, str, str, str]


def rows(name: str) -> Iterator[Row]:
    for line in (_HERE / name).read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            wanted, day, claim, title, text = line.split("\t")
            yield wanted, day, claim, title, text.replace(" ¶ ", "\n\n")


def page(title: str, text: str, day: str | None = None, publisher: str | None = None) -> Evidence:
    doc = document(text, title=title, published=day, publisher=publisher)
    return Evidence(
        id=f"ev_{doc.id}", kind="page", document=doc, passages=split(doc), flags=text_flags(doc)
    )


@pytest.mark.parametrize(
    ("wanted", "day", "claim", "title", "text"),
    [*rows("position_cases.tsv"), *rows("position_later.tsv"), *rows("position_names.tsv")],
)
def test_each_page_of_the_tables(wanted: str, day: str, claim: str, title: str, text: str) -> None:
    found = position(claim, page(title, text, day))
    assert found.label in wanted.split("|"), found.reasons
    assert text[found.start : found.end] == found.quote
    assert bool(found.quote) == (found.label != "unrelated")
    assert found.reasons


def test_of_pages_written_last_no_side_is_taken_wrongly_and_most_are_right() -> None:
    """Floors only rise."""
    found = [
        (wanted, position(claim, page(title, text, day)).label, claim)
        for wanted, day, claim, title, text in rows("position_last.tsv")
    ]
    sides = ("supports", "contradicts")
    wrong = [case for case in found if case[1] in sides and case[1] != case[0]]
    assert wrong == []
    assert sum(wanted == label for wanted, label, _ in found) / len(found) >= 0.95


def test_the_tables_are_large_enough_in_every_language() -> None:
    cases = [*rows("position_cases.tsv"), *rows("position_later.tsv"), *rows("position_last.tsv")]
    languages = [detect_language(text) for *_, text in cases]
    assert len(cases) >= 140
    for language, least in (("en", 60), ("zh", 40), ("zh-Hant", 18)):
        assert languages.count(language) >= least, language


CLAIM = "Hackers drained $41 million from Ferrant Protocol"
TEXT = (
    "Attackers drained $41 million from Ferrant Protocol on Tuesday. The team paused its markets."
)


@pytest.mark.parametrize(
    ("title", "text", "label"),
    [
        ("Satire: Ferrant loses everything", TEXT, "unrelated"),
        ("Retracted: Ferrant hack", f"This article has been retracted. {TEXT}", "contradicts"),
        ("Ferrant hack", f"{TEXT} Correction: the name of an analyst was misspelled.", "qualifies"),
    ],
)
def test_what_a_page_says_of_itself_decides_what_its_words_are_worth(
    title: str, text: str, label: str
) -> None:
    assert position(CLAIM, page(title, text)).label == label


def test_a_page_that_insists_supports_though_it_quotes_a_denial() -> None:
    text = (
        "Astrella has agreed to buy Moodring, according to a board resolution seen by this newspaper. "
        "Directors approved the sale on Monday. The price is $90 million. "
        "After publication Astrella disputed the report. The paper stands by its story."
    )
    claim = "Astrella agreed to buy Moodring for $90 million"
    assert position(claim, page("Astrella buys Moodring", text)).label == "supports"
    denied = "Reports that Astrella has agreed to buy Moodring are false. No such deal exists."
    assert (
        position(claim, page("Our response", denied, publisher="Astrella")).label == "contradicts"
    )


def test_an_old_page_does_not_contradict_what_is_said_to_have_happened_now() -> None:
    claim = "Harrow Exchange was hacked again and lost $26 million"
    old = page(
        "Harrow Exchange loses $43 million",
        "Harrow Exchange said that attackers stole $43 million from its wallets.",
        "2023-09-12",
    )
    assert position(claim, old, told=date(2025, 9, 25)).label == "unrelated"
    assert position(claim, old, told=date(2023, 9, 13)).label == "contradicts"


@pytest.mark.parametrize(
    ("claim", "title", "text"),
    [
        (
            "Magnitude 6.9 earthquake hits Orvela",
            "Quake strikes Orvela",
            "An earthquake with a preliminary magnitude of 7.8 struck Orvela on Monday, officials said.",
        ),
        (
            "沃岭县发生6.9级地震",
            "沃岭县地震",
            "沃岭县周一发生7.8级地震，地震台网初步测定。",
        ),
        (
            "衡闕金庫遭竊3億美元",
            "衡闕金庫遭竊",
            "衡闕金庫週一遭竊，損失估計至少5000萬美元。",
        ),
    ],
)
def test_an_old_page_with_another_figure_tells_of_another_event(
    claim: str, title: str, text: str
) -> None:
    old = page(title, text, "2023-02-06")
    assert position(claim, old, told=date(2025, 6, 18)).label == "unrelated"


def test_on_its_own_site_a_party_is_we() -> None:
    claim = "Marlowe Exchange halted withdrawals"
    text = "We have suspended withdrawals while we move to new wallets. Trading goes on."
    own = page("Service notice: withdrawals halted", text, publisher="Marlowe Exchange")
    other = page("Service notice: withdrawals halted", text, publisher="Colston")
    assert position(claim, own).label == "supports"
    assert position(claim, other).label == "unrelated"


@pytest.mark.parametrize(
    ("claim", "reason"),
    [
        ("Hackers drained $82 million from Ferrant Protocol", "other_figure"),
        ("Hackers drained $41 million from Ferrant Protocol", "same"),
    ],
)
def test_a_stance_names_its_reason(claim: str, reason: str) -> None:
    assert position(claim, page("Ferrant hacked", TEXT)).reasons == (problem(reason),)


@pytest.mark.parametrize("claim", ["", "。", "🚀", "the of and", "的了吗", "9" * 300])
@pytest.mark.parametrize("text", ["", "\n\n", "。", TEXT, "русский текст 中文", "8" * 3000])
def test_odd_texts_get_a_stance_with_a_true_quote(claim: str, text: str) -> None:
    found = position(claim, page("", text))
    assert text[found.start : found.end] == found.quote


def test_the_same_page_gets_the_same_stance_twice() -> None:
    for _, day, claim, title, text in list(rows("position_cases.tsv"))[::9]:
        one, other = (position(claim, page(title, text, day)) for _ in range(2))
        assert one == other
