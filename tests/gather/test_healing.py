"""What is tried against each kind of failure, in order, as `recovered` of a result tells it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import stamina
from lab.stubs import Fault, Rule, Stubs, running_stubs
from lab.stubs.articles import load
from lab.stubs.faults import (
    bare,
    captcha,
    cut_off,
    empty,
    error,
    malformed,
    rate_limited,
    slow,
    unauthorized,
    wrong_schema,
)
from tests.laws.house import MODEL, NOW, WHY, WHY_ZH, House, ask, ended, journal, result
from tests.proxies import proxying

from groundwire import jobs
from groundwire.app import App
from groundwire.app.exports import replay_run
from groundwire.jobs.ask.answer import AskResult
from groundwire.model.base import Value
from groundwire.model.query import Query, SearchReport
from groundwire.model.result import Recovered
from groundwire.model.run import Run

FOLDER = Path(__file__).with_name("seek_job")

WHY_HANT = "USDC 為什麼在2023年3月脫鉤？"
OTHER_MODEL = "deepseek:deepseek-chat"

Tried = tuple[str, str, str]


def tried(found: AskResult | SeekResult, part: str) -> list[Tried]:
    return [(each.error, each.tried, each.outcome) for each in found.recovered if each.part == part]


async def code_of(app: App, url: str) -> str:
    """Read a page, and return how its call ended."""
    run = await app.tool("read", url=url)
    assert run.result is not None, run.error
    return str((run.result["error"] or {"code": "ok"})["code"])


def planned(found: AskResult) -> list[Tried]:
    """List what it took to have a model plan the searches."""
    plan = "search/plan_queries"
    return [
        (each.error, each.tried, each.outcome)
        for each in found.recovered
        if (each.part, each.subject) == ("model", plan)
    ]


class SeekResult(Value):
    """What the job `seek` of this folder gives."""

    reports: tuple[SearchReport, ...]
    recovered: tuple[Recovered, ...]


async def sought(house: House, *queries: Query, **given: Any) -> SeekResult:
    async with house.open() as app:
        asking = {"queries": [each.model_dump() for each in queries], **given}
        run = await ended(app, (await app.submit("seek", asking, now=NOW)).id)
        assert run.result is not None, run.error
        return SeekResult.model_validate(
            {name: run.result[name] for name in ("reports", "recovered")}
        )


async def asked(house: House, question: str = WHY, **settings: Any) -> AskResult:
    async with house.open(**settings) as app:
        return result(await ask(app, question))


def paths(stubs: Stubs, stub: str) -> list[str]:
    return [call.path for call in stubs.log() if call.stub == stub]


class TestSearches:
    """Retry, then the next provider; a refused key is not tried twice."""

    @pytest.mark.parametrize(
        ("fault", "code"),
        [
            (rate_limited(0), "rate_limit"),
            (error(503), "server"),
            (cut_off(), "network"),
            (slow(5.0), "timeout"),
            (error(418), "unclassified"),
        ],
        ids=lambda value: value if isinstance(value, str) else "",
    )
    async def test_a_failure_that_stays_is_retried_then_the_next_provider_is_asked(
        self, house: House, stubs: Stubs, fault: Fault, code: str
    ) -> None:
        stubs.faults(Rule(fault, stub="tavily"))
        found = await asked(house, **{"search.timeout": 0.5})
        assert tried(found, "search") == [(code, "retry", "failed"), (code, "brave", "worked")]
        assert len(paths(stubs, "tavily")) == 3
        assert [(each.part, each.code) for each in found.degraded] == [("search:tavily", code)]
        assert found.evidence

    @pytest.mark.parametrize("fault", [rate_limited(0), error(500), cut_off()])
    async def test_a_failure_that_passes_is_made_up_for_by_a_retry(
        self, house: House, stubs: Stubs, fault: Fault
    ) -> None:
        stubs.faults(Rule(fault, stub="tavily", first=1))
        found = await asked(house)
        ((_, how, outcome),) = tried(found, "search")
        assert (how, outcome) == ("retry", "worked")
        assert (found.degraded, paths(stubs, "brave")) == ((), [])

    async def test_the_next_provider_may_need_a_retry_too(self, house: House, stubs: Stubs) -> None:
        stubs.faults(Rule(error(500), stub="tavily"), Rule(error(502), stub="brave", first=1))
        assert tried(await asked(house), "search") == [
            ("server", "retry", "failed"),
            ("server", "brave", "worked"),
            ("server", "retry", "worked"),
        ]

    async def test_a_refused_key_is_not_tried_twice_and_people_see_it(
        self, house: House, stubs: Stubs
    ) -> None:
        stubs.faults(Rule(unauthorized(), stub="tavily"))
        found = await asked(house)
        assert tried(found, "search") == [("auth", "brave", "worked")]
        assert len(paths(stubs, "tavily")) == 1
        (seen,) = found.degraded
        assert (seen.part, seen.code, seen.instead) == (
            "search:tavily",
            "auth",
            "instead.answered_by",
        )

    async def test_a_wait_that_is_asked_for_is_kept_and_one_too_long_is_not_waited_for(
        self, house: House, stubs: Stubs
    ) -> None:
        stamina.set_testing(False)
        stubs.faults(Rule(rate_limited(1.0), stub="tavily", first=1))
        async with house.open() as app:
            run = await ask(app)
            (call,) = [
                each for each in await app.store.ledger.records(run.id) if each.provider == "tavily"
            ]
        assert call.latency_ms >= 1000
        assert tried(result(run), "search") == [("rate_limit", "retry", "worked")]

    async def test_one_that_asks_for_an_hour_is_passed_over(
        self, house: House, stubs: Stubs
    ) -> None:
        stubs.faults(Rule(rate_limited(3600), stub="tavily"))
        assert tried(await asked(house), "search") == [("rate_limit", "brave", "worked")]
        assert len(paths(stubs, "tavily")) == 1


class TestPages:
    """A page that cannot be had is its snippet, and without one a gap."""

    @pytest.mark.parametrize(("wall", "code"), [(error(403), "refused"), (captcha(), "captcha")])
    async def test_a_wall_is_met_with_the_snippet(
        self, house: House, stubs: Stubs, wall: Fault, code: str
    ) -> None:
        stubs.faults(Rule(wall, stub="web"))
        found = await asked(house)
        assert tried(found, "page") == [(code, "snippet", "worked")]
        assert [each.kind for each in found.evidence] == ["snippet"]
        assert not [each for each in found.gaps if each.what == "gap.pages"]
        assert len([path for path in paths(stubs, "web") if "robots" not in path]) == 1

    @pytest.mark.parametrize(("wall", "code"), [(error(403), "refused"), (captcha(), "captcha")])
    async def test_without_a_snippet_it_is_a_gap_that_names_the_site(
        self, house: House, stubs: Stubs, wall: Fault, code: str
    ) -> None:
        stubs.faults(Rule(wall, stub="web"), Rule(bare(), stub="tavily"))
        found = await asked(house)
        (seen,) = [each for each in found.recovered if each.part == "page"]
        assert (seen.error, seen.tried, seen.outcome) == (code, "snippet", "failed")
        assert seen.subject.startswith(stubs.url("web"))
        (gap,) = [each for each in found.gaps if each.what == "gap.pages"]
        assert (gap.why, gap.params) == (
            "gap.unread",
            {"pages": 1, "sites": ["127.0.0.1"], "error": code},
        )
        assert (found.evidence, [each.code for each in found.degraded]) == ((), [code])

    async def test_what_a_site_refuses_is_asked_for_once_through_the_users_own_proxy(
        self, house: House, stubs: Stubs
    ) -> None:
        stubs.faults(Rule(error(403), stub="web", path="/p/*", first=1))
        async with proxying() as proxy:
            given = {"fetch.proxies": [proxy.url], "fetch.robots": False}
            async with house.open(**given) as app:
                run = await ask(app)
            found = result(run)
            assert tried(found, "page") == [("refused", "proxy", "worked")]
            assert [each.kind for each in found.evidence] == ["page"]
            assert len(proxy.targets) == 1
        # A replay needs neither the proxy nor the setting.
        async with house.open() as app:
            assert (await replay_run(app, run)).identical

    @pytest.mark.parametrize("status", [200, 407, 502])
    async def test_where_the_proxy_does_not_help_the_snippet_is_next(
        self, house: House, stubs: Stubs, status: int
    ) -> None:
        stubs.faults(Rule(error(403), stub="web", path="/p/*"))
        async with proxying(status=status) as proxy:
            given = {"fetch.proxies": [proxy.url], "fetch.robots": False}
            found = await asked(house, **given)
        assert tried(found, "page") == [
            ("refused", "proxy", "failed"),
            ("refused", "snippet", "worked"),
        ]
        assert len(proxy.targets) == 1

    @pytest.mark.parametrize("wall", [captcha(), error(402), error(451), error(503)])
    async def test_a_proxy_dodges_no_captcha_no_paywall_and_no_law(
        self, house: House, stubs: Stubs, wall: Fault
    ) -> None:
        stubs.faults(Rule(wall, stub="web", path="/p/*"))
        async with proxying() as proxy:
            given = {"fetch.proxies": [proxy.url], "fetch.robots": False}
            found = await asked(house, **given)
        assert tried(found, "page")[-1][1] == "snippet"
        assert proxy.targets == []

    async def test_a_captcha_that_hides_one_page_of_many_is_told_to_people(
        self, house: House, stubs: Stubs
    ) -> None:
        stubs.faults(
            Rule(captcha(), stub="web", path="/p/*", calls=(1,)), Rule(bare(), stub="tavily")
        )
        found = await asked(house, **{"ask.pages": 4, "fetch.robots": False})
        assert found.evidence
        assert [(each.part, each.code) for each in found.degraded] == [("pages", "captcha")]

    async def test_a_failing_site_is_asked_again_before_its_snippet_is_taken(
        self, house: House, stubs: Stubs
    ) -> None:
        stubs.faults(Rule(error(503), stub="web", path="/p/*"))
        found = await asked(house, **{"fetch.robots": False})
        assert tried(found, "page") == [
            ("server", "retry", "failed"),
            ("server", "snippet", "worked"),
        ]


class TestModels:
    """One repair round, another model, the embedded reasoner."""

    @pytest.fixture
    def house(self, house: House, stubs: Stubs) -> House:
        url = stubs.url("model")
        models = [MODEL, OTHER_MODEL]
        house.more |= {
            "models.light": models,
            "models.heavy": models,
            "models.exam": "off",
            "models.providers.openai.base_url": url,
            "models.providers.openai.api_key": "sk-planted",
            "models.providers.deepseek.base_url": url,
            "models.providers.deepseek.api_key": "sk-other",
        }
        return house

    @pytest.mark.parametrize("calls", [1, 2, 3, 4])
    async def test_each_way_is_tried_before_the_next(
        self, house: House, stubs: Stubs, calls: int
    ) -> None:
        stubs.faults(Rule(wrong_schema(), stub="model", first=calls))
        found = await asked(house)
        repair, other = ("bad_output", "repair"), ("bad_output", OTHER_MODEL)
        ladder: dict[int, list[Tried]] = {
            1: [(*repair, "worked")],
            2: [(*repair, "failed"), (*other, "worked")],
            3: [(*repair, "failed"), (*other, "worked"), (*repair, "worked")],
            4: [
                (*repair, "failed"),
                (*other, "failed"),
                (*repair, "failed"),
                ("bad_output", "embedded", "worked"),
            ],
        }
        assert planned(found) == ladder[calls]
        assert found.answer

    async def test_an_answer_that_cannot_be_read_leaves_nothing_to_repair(
        self, house: House, stubs: Stubs
    ) -> None:
        stubs.faults(Rule(malformed(), stub="model"))
        found = await asked(house)
        assert planned(found) == [
            ("malformed", OTHER_MODEL, "failed"),
            ("malformed", "embedded", "worked"),
        ]

    async def test_a_key_that_is_refused_is_not_tried_twice_and_people_see_it(
        self, house: House, stubs: Stubs
    ) -> None:
        stubs.faults(Rule(unauthorized(), stub="model", calls=(0,)))
        found = await asked(house)
        assert planned(found) == [("auth", OTHER_MODEL, "worked")]
        seen = next(each for each in found.degraded if each.part.endswith("(plan)"))
        assert (seen.code, seen.params["by"]) == ("auth", OTHER_MODEL)

    async def test_a_vendor_that_is_down_is_asked_again_and_then_another(
        self, house: House, stubs: Stubs
    ) -> None:
        stubs.faults(Rule(error(503), stub="model", first=3))
        assert planned(await asked(house)) == [
            ("server", "retry", "failed"),
            ("server", OTHER_MODEL, "worked"),
        ]


class TestAnythingElse:
    """Three tries with back-off, then FAILED, and a resume repeats no recorded call."""

    async def test_a_run_that_cannot_go_on_fails_and_can_be_resumed(
        self, house: House, stubs: Stubs
    ) -> None:
        house.model_url = stubs.url("model")
        stubs.faults(Rule(error(418), stub="tavily"), Rule(error(418), stub="brave"))
        async with house.open(**{"models.exam": "off"}) as app:
            run = await ask(app)
            found = result(run)
            assert (run.state, found.status) == ("failed", "failed")
            assert tried(found, "search") == [
                ("unclassified", "retry", "failed"),
                ("unclassified", "brave", "failed"),
                ("unclassified", "retry", "failed"),
            ]
            assert [len(paths(stubs, name)) for name in ("tavily", "brave")] == [3, 3]
            thought = [call.content for call in stubs.log() if call.stub == "model"]
            stubs.reset()
            await app.resume(run)
            again: Run = await ended(app, run.id)
        assert again.state in ("complete", "degraded")
        assert result(again).evidence
        assert thought
        asked_since = [call.content for call in stubs.log() if call.stub == "model"]
        assert not {*thought} & {*asked_since}


class TestEmpty:
    """A simpler query, the other language, another place, and then a gap."""

    @pytest.fixture
    def house(self, house: House, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
        monkeypatch.setattr(jobs, "__path__", [*jobs.__path__, str(FOLDER)])
        yield house
        for name in [each for each in sys.modules if each.startswith("groundwire.jobs.seek")]:
            del sys.modules[name]
        vars(jobs).pop("seek", None)

    @pytest.mark.parametrize("question", [WHY, WHY_ZH, WHY_HANT])
    async def test_every_way_is_tried_in_order_until_one_finds_something(
        self, house: House, stubs: Stubs, question: str
    ) -> None:
        """No page of the stubs' web is on Zhihu, so only the last way leads anywhere."""
        found = await sought(house, Query(text=question, platform="zhihu"))
        ways = [(way, "failed") for way in ("simpler", "language")]
        assert [each[1:] for each in tried(found, "search") if each[1] != "brave"] == [
            *ways,
            ("place", "worked"),
        ]
        # Each time the other engine was asked, too, before the words were changed.
        assert [each[1] for each in tried(found, "search")] == [
            *("brave", "simpler", "brave", "language", "brave", "place")
        ]
        assert {each[0] for each in tried(found, "search")} == {"empty"}
        (report,) = found.reports
        assert (report.query.text, report.query.platform) == (question, "zhihu")
        assert report.hits
        assert {each.subject for each in found.recovered} == {question}

    @pytest.mark.parametrize(
        ("question", "words"),
        [
            (WHY, ("USDC lose its peg", "USDC 脱锚")),
            (WHY_ZH, ("USDC 脱锚", "USDC depeg")),
            (WHY_HANT, ("USDC 脫鉤", "USDC depeg")),
            ("寧德時代 固態電池 量產 時間", ("寧德時代 固態 電池", "CATL battery")),
            ("比亚迪", ("BYD",)),  # there is nothing simpler
        ],
    )
    async def test_the_words_are_fewer_then_in_the_other_language(
        self, house: House, stubs: Stubs, question: str, words: tuple[str, ...]
    ) -> None:
        stubs.faults(Rule(empty()))
        async with house.open() as app:
            run = await app.submit("seek", {"queries": [{"text": question}]}, now=NOW)
            await ended(app, run.id)
            told = [
                each.payload["query"]
                for each in await journal(app, run.id)
                if each.type == "progress"
            ]
        assert tuple(told) == (question, *words)

    async def test_a_hit_of_one_query_is_enough_for_all(self, house: House, stubs: Stubs) -> None:
        queries = [Query(text=WHY, platform="zhihu"), Query(text=WHY)]
        found = await sought(house, *queries)
        assert [each[1] for each in tried(found, "search")] == ["brave"]
        assert [bool(each.hits) for each in found.reports] == [False, True]

    async def test_a_failed_search_needs_no_other_words(self, house: House, stubs: Stubs) -> None:
        stubs.faults(Rule(error(500), stub="tavily"), Rule(error(500), stub="brave"))
        found = await sought(house, Query(text=WHY))
        assert {each[1] for each in tried(found, "search")} == {"retry", "brave"}
        assert found.reports[0].failed

    @pytest.mark.parametrize("further", [0, 1, 2])
    async def test_a_job_bounds_how_many_more_there_are(
        self, house: House, stubs: Stubs, further: int
    ) -> None:
        stubs.faults(Rule(empty()))
        found = await sought(house, Query(text=WHY), further=further)
        assert len(paths(stubs, "tavily")) == 1 + further
        assert not found.reports[0].failed

    @pytest.mark.parametrize("question", [WHY, WHY_ZH, WHY_HANT])
    async def test_what_nothing_helps_is_a_gap(
        self, house: House, stubs: Stubs, question: str
    ) -> None:
        stubs.faults(Rule(empty()))
        found = await asked(house, question, **{"ask.queries": 3})
        ways = [each for each in tried(found, "search") if each[1] != "brave"]
        assert ways
        assert {each[2] for each in ways} == {"failed"}
        assert [gap.why for gap in found.gaps] == ["gap.nothing_found"]
        assert (found.status, found.degraded) == ("complete", ())

    async def test_a_simpler_query_leads_to_an_answer(self, house: House, stubs: Stubs) -> None:
        stubs.faults(Rule(empty(), stub="brave"), Rule(empty(), stub="tavily", first=1))
        found = await asked(house)
        assert tried(found, "search")[-1] == ("empty", "simpler", "worked")
        assert found.evidence


class TestLimits:
    """A host that keeps failing is left alone, and a run that keeps failing asks nobody any more."""

    async def test_a_host_that_keeps_failing_is_left_alone_and_others_are_read(
        self, tmp_path: Path, no_backoff: None
    ) -> None:
        """The web is on two addresses, each a host of its own; the pages of one of them fail."""
        with running_stubs("tavily", "web", spread=2) as stubs:
            stubs.faults(Rule(error(500), stub="web", path="/p/ill.example/*"))
            house = House(tmp_path / "house", stubs=stubs)
            ill = stubs.url("web")
            page = load()[0]
            well = f"{ill.replace('127.0.0.1', '127.0.0.2')}/p/{page.host}{page.path}"
            codes: list[str] = []
            async with house.open(**{"fetch.robots": False, "fetch.delay": 0}) as app:
                for number in range(6):
                    codes.append(await code_of(app, f"{ill}/p/ill.example/{number}"))
                asked = len(stubs.log())
                assert await code_of(app, well) == "ok"
        assert codes == ["server"] * 5 + ["breaker_open"]
        assert asked == 5 * 3

    @pytest.mark.parametrize(("most", "sent"), [(0, 0), (1, 1), (2, 2), (None, 2)])
    async def test_a_run_makes_no_more_calls_after_as_many_faults_as_it_may_meet(
        self, house: House, stubs: Stubs, most: int | None, sent: int
    ) -> None:
        """Both engines fail: each call counts once, however often it was tried."""
        stubs.faults(Rule(error(500)))
        limit = "none" if most is None else most
        async with house.open(**{"budget.run_faults": limit, "ask.queries": 1}) as app:
            run = await ask(app)
            records = await app.store.ledger.records(run.id)
        outside = [each for each in records if each.kind != "read"]
        assert len([each for each in outside if each.via == "sent"]) == sent
        refused = [each.error.code for each in outside if each.error and each.via == "local"]
        assert refused == ["quota"] * (2 - sent)
        assert (run.state, result(run).status) == ("failed", "failed")

    async def test_a_resume_begins_with_a_new_count(self, house: House, stubs: Stubs) -> None:
        stubs.faults(Rule(error(500)))
        async with house.open(**{"budget.run_faults": 1}) as app:
            run = await ask(app)
            assert run.state == "failed"
            stubs.faults()
            await app.resume(run)
            again = await ended(app, run.id)
        assert again.state in ("complete", "degraded")
        assert result(again).evidence
