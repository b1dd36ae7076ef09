"""The searches of verify: reported as they end, as many results as is set, the second round early."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.jobs.test_verify_run import OWN_REPORTS, desk, payloads_of, scenario, verify

from groundwire.app import App
from groundwire.jobs import report_of, steps
from groundwire.model.call import CallRecord
from groundwire.model.story import step_of
from groundwire.report.story import line
from groundwire.words import words

MESSAGES = {
    "en": "Orchard Swap was hacked, $41 million stolen by an attacker",
    "zh": "Orchard Swap 遭黑客攻击，4100万美元被盗",
    "zh-Hant": "Orchard Swap 遭駭客攻擊，4100萬美元被盜",
}


async def searches(app: App, run_id: str) -> list[CallRecord]:
    found = await app.store.ledger.records(run_id)
    return [each for each in found if each.provider == "tavily"]


@pytest.mark.parametrize(
    ("language", "expected"), [("en", "server fault"), ("zh", "服务器"), ("zh-Hant", "伺服器")]
)
async def test_a_failed_search_is_told_live(language: str, expected: str, tmp_path: Path) -> None:
    async with desk(tmp_path, scenario(down=["search"])) as app:
        _, events = await verify(app, text=MESSAGES[language])
    searched = [each for each in events if each.payload.get("phase") == "search"]
    assert searched
    for event in searched:
        assert [each["provider"] for each in event.payload["failures"]] == ["tavily"]
        step = step_of(steps("verify"), event)
        assert step is not None and step.name == "executor"
        assert "tavily" in line(event, steps("verify"), words(language))
    first = min(each.seq for each in searched)
    assert first < min(each.seq for each in events if each.payload.get("phase") == "executor")


@pytest.mark.parametrize(
    ("settings", "most"),
    [
        ({}, 8),
        ({"search.max_results": 3}, 3),
        ({"search.max_results": 3, "verify.results": 6}, 6),  # its own setting wins
    ],
)
async def test_the_results_of_all_searches_govern_verify(
    settings: dict[str, Any], most: int, tmp_path: Path
) -> None:
    async with desk(tmp_path, settings=settings) as app:
        signal, _ = await verify(app)
        queries = await searches(app, signal.run_id)
    assert {each.request["json"]["max_results"] for each in queries} == {most}


class TestAhead:
    """The open round's search begins before the first round is over."""

    async def test_too_few_sites_begin_it_while_they_are_read(self, tmp_path: Path) -> None:
        async with desk(tmp_path, scenario(web=OWN_REPORTS[:1])) as app:
            signal, events = await verify(app)
            queries = await searches(app, signal.run_id)
            found = await app.store.ledger.records(signal.run_id)
            first = min(each.at for each in events if each.payload.get("phase") == "executor")
        assert [plan["why"] for plan in payloads_of(events, "planner")][:2] == [
            "forced",
            "second_list",
        ]
        # Made before the first round was over, and once: the round itself reads the record.
        opened = [each for each in queries if each.occasion == "r1"]
        assert opened
        assert all(each.started_at < first for each in opened)
        # The archive is looked at when it holds what the first round has read.
        held = [each for each in found if (each.kind, each.occasion) == ("read", "r1")]
        assert [each.provider for each in held] == ["archive"] * len(opened)
        assert all(each.started_at > first for each in held)
        assert len(payloads_of(events, "search")) == len(queries)

    async def test_enough_sites_begin_nothing(self, tmp_path: Path) -> None:
        async with desk(tmp_path) as app:
            signal, _ = await verify(app)
            queries = await searches(app, signal.run_id)
        assert {each.occasion for each in queries} == {"r0"}

    async def test_a_slow_list_is_not_waited_for(self, tmp_path: Path) -> None:
        async with desk(tmp_path, settings={"verify.patience": 0.000001}) as app:
            signal, events = await verify(app)
            queries = await searches(app, signal.run_id)
            found = await app.store.ledger.records(signal.run_id)
        assert {each.occasion for each in queries} == {"r0", "r1"}
        # It turned out not to be needed: nothing of it is told, but one of the day's calls is taken.
        taken = [each.request["take"] for each in found if "take" in each.request]
        assert taken.count("r1/search") == 1
        assert (signal.verdict, len(payloads_of(events, "search"))) == ("supported", 1)
        assert len([each for each in signal.tools if each.tool == "search"]) == 1

    @pytest.mark.parametrize(
        "settings", [{"verify.max_tool_calls": 1}, {"budget.day_tool_calls": 2}]
    )
    async def test_no_round_is_begun_that_may_not_be_made(
        self, settings: dict[str, Any], tmp_path: Path
    ) -> None:
        values = {"verify.patience": 0.000001, **settings}
        async with desk(tmp_path, scenario(web=OWN_REPORTS[:1]), settings=values) as app:
            signal, _ = await verify(app)
            queries = await searches(app, signal.run_id)
        assert {each.occasion for each in queries} == {"r0"}


@pytest.mark.parametrize("language", ["en", "zh", "zh-Hant"])
async def test_the_report_lists_the_calls_of_each_tool(language: str, tmp_path: Path) -> None:
    async with desk(tmp_path) as app:
        signal, _ = await verify(app, text=MESSAGES[language])
        run = await app.runs.find(signal.run_id)
        spent = await app.costs.spending(days=366)
    tools = [call.tool for call in signal.tool_calls]
    assert {"search", "read", "onchain"} <= set(tools)
    assert len([*dict.fromkeys(tools)]) == len(set(tools))
    search = next(call for call in signal.tool_calls if call.tool == "search")
    assert "Orchard Swap" in search.request
    assert (search.response, search.outcome) == ("n.results", "ok")
    say = words(language)
    tables = [each for each in report_of(run).report(run, language).blocks if each.type == "table"]
    summed, listed = tables
    assert say("tool_call.tool.search") in [row[0] for row in summed.rows]
    assert (len(listed.rows), listed.brief) == (len(tools), False)
    assert {each.name for each in spent.tools} == set(tools)
