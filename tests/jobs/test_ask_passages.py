"""Which passages the writer sees: relevant, from many origins, in both languages, in a fixed order."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.reasoning.archive import evidence

from groundwire.jobs.ask.nodes import choose

WHY = "USDC为什么会脱锚？"
QUERIES = ("USDC 脱锚", "USDC depeg", "USDC 脱锚 原因")


def test_passages_are_numbered_from_one_and_are_stretches_of_their_page() -> None:
    found = choose(WHY, QUERIES, evidence(), 24)
    assert [passage.number for passage in found] == list(range(1, 25))
    texts = {each.id: each.document.text for each in evidence()}
    assert all(passage.text in texts[passage.evidence_id] for passage in found)
    assert len({passage.passage_id for passage in found}) == 24


@pytest.mark.parametrize("turn", [1, 7, 20])
def test_the_order_of_the_evidence_does_not_matter(turn: int) -> None:
    pages = evidence()
    turned = (*pages[turn:], *pages[:turn])
    assert choose(WHY, QUERIES, turned, 12) == choose(WHY, QUERIES, pages, 12)
    assert choose(WHY, QUERIES, tuple(reversed(pages)), 12) == choose(WHY, QUERIES, pages, 12)
    assert choose(WHY, QUERIES[::-1], pages, 12) == choose(WHY, QUERIES, pages, 12)


def test_evidence_given_twice_counts_once() -> None:
    pages = evidence()
    assert choose(WHY, QUERIES, (*pages, *pages), 12) == choose(WHY, QUERIES, pages, 12)


@pytest.mark.parametrize("limit", [0, 1, 5, 12, 24, 500])
def test_at_most_the_limit_and_at_most_three_of_a_page(limit: int) -> None:
    found = choose(WHY, QUERIES, evidence(), limit)
    assert len(found) <= limit
    assert max(Counter(p.evidence_id for p in found).values(), default=0) <= 3


def test_no_origin_crowds_out_the_others() -> None:
    found = choose(WHY, QUERIES, evidence(), 12)
    assert len({passage.origin_id for passage in found}) >= 8


@pytest.mark.parametrize(
    "question", [WHY, "穩定幣USDC為什麼會脫鈎？", "Why did USDC lose its peg in March 2023?"]
)
def test_both_languages_are_kept(question: str) -> None:
    found = choose(question, (), evidence(), 12)
    chinese = sum(passage.language.startswith("zh") for passage in found)
    assert 3 <= chinese <= 9


def test_pages_about_something_else_are_left_out() -> None:
    found = choose(WHY, QUERIES, evidence(), 500)
    titles = {passage.title for passage in found}
    assert not any("iPhone" in title or "月船" in title or "奧運" in title for title in titles)


def test_a_query_finds_what_the_question_does_not_say() -> None:
    assert not choose("发生了什么事？", (), evidence(), 12)
    found = choose("发生了什么事？", ("Chandrayaan 月船三号 着陆",), evidence(), 12)
    assert found and all("月船" in passage.title for passage in found[:1])


def test_nothing_relevant_gives_nothing() -> None:
    assert choose("qwertz uiop", ("asdfgh",), evidence(), 12) == ()
    assert choose(WHY, QUERIES, (), 12) == ()


def test_satire_and_injected_pages_come_after_what_is_as_relevant() -> None:
    found = choose("Why did USDC trade below one dollar?", (), evidence(), 500)
    suspect = [p.number for p in found if p.tier == "satire" or "injection" in p.flags]
    assert not suspect or min(suspect) > 8
