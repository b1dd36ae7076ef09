"""What of the changes people are told: each matter once, what weighs most first, what their conditions ask for."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from tests.jobs.watch.watch_days import Days, page

from groundwire.jobs.watch.brief import Reader
from groundwire.jobs.watch.ledger.claims import Compared
from groundwire.jobs.watch.letter import letter_of
from groundwire.jobs.watch.news import news
from groundwire.jobs.watch.result import AgentState, Noticed, WatchResult
from groundwire.model.source import Evidence

READER = Reader("en", {})
PRICE = "Norvale's Aurin 5 costs $249, the firm said."
CHEAPER = "Norvale's Aurin 5 costs $199 from today, the firm said."


def days(*before: Evidence, today: Sequence[Evidence]) -> Compared:
    """Compare a second day with a first one."""
    watch = Days()
    watch.look(1, *before)
    watch.look(2, *today)
    assert watch.last is not None
    return watch.last


def letter(noticed: Sequence[Noticed], language: str = "en") -> tuple[str, tuple[str, ...]]:
    state = AgentState(task_id="r", original_command="Norvale", current_phase="completed")
    result = WatchResult(
        run_id="r",
        status="complete",
        command="Norvale",
        subject="Norvale",
        language=language,
        end="planned",
        changes=tuple(noticed),
        alert=True,
        state=state,
    )
    found = letter_of(result)
    return found.title, found.lines


@pytest.mark.parametrize(
    "text",
    [
        "Norvale has sold its plant in Leipzig to Orvane.",
        "Norvale已将莱比锡工厂出售给奥凡。",
        "Norvale已將萊比錫工廠出售給奧凡。",
    ],
)
def test_one_sentence_of_two_pages_is_told_once_and_both_are_kept(text: str) -> None:
    first = page("home", 1, "Norvale has 1,800 employees, it said.")
    more = text.replace("Norvale", "Norvale 2026", 1) if text.isascii() else text
    compared = days(first, today=[first, page("a", 2, text), page("b", 2, more)])
    found = news(compared, READER, ())
    assert len(found) == len(compared.changes)
    texts = [each.said_after for each in found if each.told]
    assert len(texts) == len(set(texts))
    assert any(each.told for each in found)


def test_what_was_believed_and_is_no_longer_so_comes_before_what_is_new() -> None:
    both = f"{PRICE} Norvale has 3.2 million monthly users."
    gone = "Norvale has 3.2 million monthly users. See you soon."
    first, stays = page("shop", 1, both), page("firm", 1, "Norvale employs 1,800 people.")
    compared = days(
        first,
        stays,
        today=[
            page("shop", 1, gone),
            page("firm", 1, "Norvale employs 1,500 people."),
            page("news", 2, "Norvale's revenue rose to $90 million in 2026."),
        ],
    )
    kinds = [each.kind for each in news(compared, READER, ())]
    assert kinds == ["withdrawn", "changed", "new"]


def test_a_condition_tells_what_met_it_and_nothing_else() -> None:
    first = page("shop", 1, PRICE)
    today = [
        page("shop", 1, CHEAPER),
        page("news", 2, "Norvale's revenue rose to $90 million in 2026."),
    ]
    found = news(days(first, today=today), READER, ("price < 200",))
    told = [each for each in found if each.told]
    assert [(each.attribute, each.met) for each in told] == [("price", ("price < 200",))]
    assert len(found) == 2, "the page keeps the rest"
    title, lines = letter(found)
    assert title == "Norvale · 1 changed"
    assert lines[0].startswith("changed: price: $249 → $199")
    assert "price < 200" in lines[1]
    assert not any("revenue" in each for each in lines)


@pytest.mark.parametrize("condition", ["origins >= 2", "来源不少于 2", "來源不少於 2"])
def test_a_confirmation_that_meets_a_condition_is_told(condition: str) -> None:
    """It alerts nobody by itself, and the letter must not be empty."""
    first = page("shop", 1, "Norvale's Aurin 5 costs $249, the firm said.")
    second = page("other", 2, "A test in our shop shows that Norvale's Aurin 5 costs $249.")
    found = news(days(first, today=[first, second]), READER, (condition,))
    told = [each for each in found if each.told]
    assert [(each.kind, each.met) for each in told] == [("confirmed", (condition,))]
    title, lines = letter(found)
    assert title == "Norvale · 1 confirmed"
    assert condition in lines[1]
    assert len(lines) == 3


def test_a_letter_is_capped_and_says_how_many_are_left() -> None:
    first = page("home", 1, "Norvale has 1,800 employees, it said.")
    cities = ("Bonn", "Lyon", "Oslo", "Riga", "Cork", "Genoa", "Malmo", "Porto", "Turin", "Ghent")
    today = [
        page(f"site{n}", 2, f"Norvale's plant in {city} makes {n + 11},000 tonnes a year.")
        for n, city in enumerate(cities)
    ]
    found = news(days(first, today=[first, *today]), READER, ())
    told = sum(each.told for each in found)
    assert told > 8
    _, lines = letter(found)
    assert lines[-1] == f"and {told - 8} more, on the page of the run"


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "The number {n} plant makes pumps, and so it will for as long as anybody can see. "),
        ("zh", "第{n}座工厂生产水泵，在人们看得到的将来都会如此，公司对此十分确定。"),
        ("zh-Hant", "第{n}座工廠生產水泵，在人們看得到的將來都會如此，公司對此十分確定。"),
    ],
)
def test_a_letter_is_read_in_a_minute_and_counts_the_rest(language: str, sentence: str) -> None:
    told = [
        Noticed(kind="new", claim_id=f"c{n}", said_after=sentence.format(n=n) * 4)
        for n in range(12)
    ]
    _, lines = letter(told, language)
    said = [line for line in lines if line.endswith(tuple(each.said_after for each in told))]
    assert 1 <= len(said) < 8
    weight = sum(len(line) if line.isascii() else 3 * len(line) for line in said)
    assert weight <= 1_500
    assert str(12 - len(said)) in lines[-1]
    _, short = letter(
        [Noticed(kind="new", claim_id=f"s{n}", said_after=f"S{n}.") for n in range(9)]
    )
    assert sum(line.endswith(".") for line in short) == 8
