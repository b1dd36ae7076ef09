"""`gw search`: how many, from where, of when; what it refuses before it is a run."""

from __future__ import annotations

import json
from typing import Any

import pytest

from .conftest import Gw


def found(gw: Gw, *args: str, **env: str) -> dict[str, Any]:
    result = gw("search", *args, "--json", **env)
    assert result.code == 0, result.err
    return json.loads(result.out)["output"]


@pytest.mark.parametrize(
    ("args", "env", "most"),
    [
        ((), {}, 5),
        ((), {"GROUNDWIRE_SEARCH__MAX_RESULTS": "2"}, 2),
        ((), {"SEARCH_MAX_RESULTS": "3"}, 3),  # as the seed calls it
        (("-n", "1"), {"GROUNDWIRE_SEARCH__MAX_RESULTS": "4"}, 1),
    ],
)
def test_as_many_as_were_asked_for_or_as_the_settings_say(
    gw: Gw, args: tuple[str, ...], env: dict[str, str], most: int
) -> None:
    report = found(gw, "USDC", *args, **env, GROUNDWIRE_SEARCH__PER_DOMAIN="50")
    assert report["query"]["max_results"] == most
    assert len(report["hits"]) == most


def test_sites_and_times_are_held_to(gw: Gw) -> None:
    everywhere = found(gw, "USDC", "-n", "20")["hits"]
    host = everywhere[0]["url"].split("/")[2]
    only = found(gw, "USDC", "-n", "20", "--site", host)["hits"]
    without = found(gw, "USDC", "-n", "20", "--without", host)["hits"]
    assert only and all(hit["url"].split("/")[2] == host for hit in only)
    assert without and all(hit["url"].split("/")[2] != host for hit in without)
    days = found(gw, "USDC", "--time", "2023-03-10/2023-03-11", "-n", "20")["hits"]
    assert days and all(hit["published_at"][:10] in ("2023-03-10", "2023-03-11") for hit in days)


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("--time", "lately"), "search: time_range cannot be used: Not a time range: 'lately'"),
        (("--site", "not a host"), "not a web address"),
        (("--topic", "sports"), "search: topic takes one of general, news, finance, tech"),
    ],
)
def test_what_cannot_be_read_is_one_sentence_and_no_run(
    gw: Gw, args: tuple[str, ...], sentence: str
) -> None:
    result = gw("search", "USDC", *args)
    assert result.code == 2
    assert sentence in " ".join(result.err.split())
    assert json.loads(gw("runs", "--json").out) == []
