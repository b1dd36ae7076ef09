"""`gw sources`: judge a site, see who said so, take it back."""

from __future__ import annotations

import json

from .conftest import Gw


def test_a_judgement_is_made_seen_and_taken_back(empty: Gw) -> None:
    made = empty(
        "sources",
        "set",
        "https://www.News.example/x",
        "--tier",
        "trade",
        "--why",
        "读过",
        "--by",
        "安娜",
    )
    assert (made.code, made.out.strip()) == (0, "news.example counts as trade from now on")
    (row,) = json.loads(empty("sources", "list", "--json").out)
    assert (row["domain"], row["tier"], row["by"], row["why"]) == (
        "news.example",
        "trade",
        "安娜",
        "读过",
    )
    shown = json.loads(empty("sources", "show", "news.example", "--json").out)
    assert (shown["tier"], shown["override"]["tier"]) == ("unknown", "trade")
    assert empty("sources", "unset", "news.example", "--why", "wrong").code == 0
    assert json.loads(empty("sources", "list", "--json").out) == []
    (kept,) = json.loads(empty("sources", "list", "--all", "--json").out)
    assert kept["withdrawn_why"] == "wrong"


def test_what_the_house_knows_is_shown(empty: Gw) -> None:
    result = empty("sources", "show", "reuters.com")
    assert result.code == 0
    assert "wire" in result.out


def test_a_wrong_word_is_refused_with_the_right_ones(empty: Gw) -> None:
    tier = empty("sources", "set", "a.example", "--tier", "great", "--why", "x")
    assert tier.code == 2
    assert "primary, wire, established" in tier.err
    assert empty("sources", "set", "a.example", "--why", "x").code == 2
    assert empty("sources", "set", "a.example", "--tier", "wire", "--why", " ").code == 2
    assert empty("sources", "set", "not a host", "--tier", "wire", "--why", "x").code == 2
    gone = empty("sources", "unset", "a.example", "--why", "x")
    assert (gone.code, "nothing is said of a.example" in gone.err) == (2, True)
