"""`--as-of` through the command line: what was published by then counts, the rest is shown as later."""

from __future__ import annotations

import json
from datetime import datetime

import pytest

from .conftest import Gw

POSTS = (
    "The SEC has approved spot bitcoin ETFs for listing.",
    "美国证券交易委员会已批准比特币现货ETF上市。",
    "美國證券交易委員會已核准比特幣現貨ETF上市。",
)


def _moment(written: str) -> datetime:
    """Read a moment: pages keep the zone in which they wrote theirs."""
    return datetime.fromisoformat(written)


@pytest.mark.parametrize("post", POSTS[:2])
def test_a_message_is_judged_when_it_was_said(gw: Gw, post: str) -> None:
    """Denied that evening, approved the day after: wrong then, and it came true later."""
    result = gw("verify", post, "--published-at", "2024-01-09T21:11Z", "--json")
    signal = json.loads(result.out)
    assert signal["verdict"] == "contradicted"
    assert signal["judged_at"] == "2024-01-09T21:11:00Z"
    assert signal["as_of"] > "2026"
    later = {each["kind"]: each for each in signal["later"]}
    assert later["came_true_later"]["day"] == "2024-01-10"
    sources = {each["id"]: each for each in signal["evidence"]}
    source = sources[later["came_true_later"]["evidence_id"]]
    assert (source["stance"], source["aside"], source["by_then"]) == (
        "supports",
        "later_event",
        True,
    )
    assert signal["supporting_origins"] == 0 < signal["contradicting_origins"]


@pytest.mark.parametrize("post", POSTS)
@pytest.mark.parametrize("when", ["2024-01-09", "2024年1月9日", "9 January 2024"])
def test_only_what_was_published_by_then_counts(gw: Gw, post: str, when: str) -> None:
    result = gw("verify", post, "--as-of", when, "--json")
    signal = json.loads(result.out)
    assert signal["as_of"][:10] == signal["judged_at"][:10] == "2024-01-09"
    for each in signal["evidence"]:
        assert each["by_then"] == (_moment(each["published_at"]) <= _moment(signal["as_of"]))
        assert each["by_then"] or each["aside"] == "unpublished" or each["stance"] == "unrelated"
    assert signal["verdict"] != "supported"
    assert not any(each["day"] > "2024-01-09" for each in signal["later"])


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("en", "as of 2024-01-09: only what was published by then counts"),
        ("zh", "截至 2024-01-09：只计当时已发布的内容"),
        ("zh-Hant", "截至 2024-01-09：只計當時已發布的內容"),
    ],
)
def test_the_card_says_as_of_when(gw: Gw, language: str, line: str) -> None:
    result = gw("verify", POSTS[0], "--as-of", "2024-01-09", GROUNDWIRE_LANGUAGE=language)
    assert line in " ".join(result.out.split())


def test_an_answer_as_of_then_cites_nothing_later(gw: Gw) -> None:
    question = "Has the SEC approved spot bitcoin funds?"
    data = json.loads(gw("ask", question, "--as-of", "2024-01-09", "--json").out)
    assert data["as_of"].startswith("2024-01-09")
    cited = [each for sentence in data["answer"] for each in sentence["citations"]]
    assert all(_moment(each["published_at"]) <= _moment(data["as_of"]) for each in cited)
    assert "as of 2024-01-09" in gw("ask", question, "--as-of", "2024-01-09").out


@pytest.mark.parametrize(
    ("language", "when", "refusal"),
    [
        ("en", "banana", "the moment cannot be read: 'banana'"),
        ("zh", "香蕉", "读不懂这个时间"),
        ("zh-Hant", "香蕉", "讀不懂這個時間"),
        ("en", "2099-01-01", "still to come"),
    ],
)
def test_what_is_no_moment_is_refused_in_the_readers_language(
    gw: Gw, language: str, when: str, refusal: str
) -> None:
    result = gw("verify", POSTS[0], "--as-of", when, GROUNDWIRE_LANGUAGE=language)
    assert result.code == 2
    assert refusal in result.err


@pytest.mark.parametrize("post", POSTS)
def test_a_message_asked_twice_gets_the_same_number(gw: Gw, post: str) -> None:
    first, second = (json.loads(gw("verify", post, "--json").out) for _ in range(2))
    assert not second["memory"]  # the same text, of which nobody knows what came of it
    assert second["confidence"] == first["confidence"]
    assert [row["rule"] for row in second["waterfall"]] == [
        row["rule"] for row in first["waterfall"]
    ]


# The page that is set aside is the regulator's own later statement, in English.
_UNREAD = pytest.mark.xfail(
    reason="that it approves is read near a threshold, and processors differ in the last digit"
)


@pytest.mark.parametrize(
    ("post", "words"),
    [
        (POSTS[0], ("How the verdict went", "set aside", "published later")),
        pytest.param(POSTS[1], ("判定如何变化", "不计入", "其后才发布"), marks=_UNREAD),
        pytest.param(POSTS[2], ("判定如何變化", "不計入", "其後才發布"), marks=_UNREAD),
    ],
)
def test_what_is_set_aside_stays_in_sight_in_its_order(
    gw: Gw, post: str, words: tuple[str, ...]
) -> None:
    """No card says that nobody contradicts above quotes that do."""
    signal = json.loads(gw("verify", post, "--as-of", "2024-01-09", "--json").out)
    assert any(each["aside"] for each in signal["evidence"])
    for text in (gw("show", signal["run_id"]).out, gw("export", signal["run_id"]).out):
        assert all(word in text for word in words)
