"""Every fault of search, model and pages: the run ends as it should, names it, and resumes."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import pytest
from lab.stubs import faults
from lab.stubs.faults import Fault, Rule
from lab.stubs.launch import Stubs

from groundwire.app import App, open_app
from groundwire.doors.cli.card import code_of
from groundwire.jobs.ask.answer import AskResult
from groundwire.jobs.sections import Settings
from groundwire.model.run import Run

from .conftest import ENGLISH, Door

# One query and few pages: what is repeated can be counted, and a case takes little time.
SMALL = {
    "GROUNDWIRE_ASK__QUERIES": "1",
    "GROUNDWIRE_ASK__PAGES": "4",
}
SEARCH, FETCH, MODEL_TIMEOUT = (
    f"GROUNDWIRE_{part}__TIMEOUT" for part in ("SEARCH", "FETCH", "MODELS__PROVIDERS__OPENAI")
)
# A busy machine is no failure: only what is slow on purpose is given up.
PATIENT = dict.fromkeys((SEARCH, FETCH, MODEL_TIMEOUT), "60")


def hasty(setting: str, fault: Fault) -> dict[str, str]:
    return {setting: "0.5"} if fault.kind == "slow" else {}


async def ask_once(app: App) -> tuple[AskResult, int]:
    run = await app.submit("ask", {"question": ENGLISH})
    return await judged(app, await app.finished(run.id))


async def judged(app: App, run: Run) -> tuple[AskResult, int]:
    assert run.result is not None, run.error
    return AskResult.model_validate(run.result), await code_of(app, run)


async def resumed(app: App) -> tuple[AskResult, int]:
    run = await app.engine.resume((await app.runs.find("last")).id)
    return await judged(app, await app.finished(run.id))


def calls(stubs: Stubs) -> Counter[str]:
    return Counter(call.stub for call in stubs.log())


class Cases:
    """Opens the app anew for each step, as each new command does."""

    def __init__(self, home: Path, env: dict[str, str]) -> None:
        self.env = {**env, **SMALL, **PATIENT, "GROUNDWIRE_HOME": str(home), "HOME": str(home)}
        self.cwd = home.parent

    def open(self, **env: str):
        return open_app(Settings.load({}, self.cwd, {**self.env, **env}))


@pytest.fixture
def bare(tmp_path: Path, online: dict[str, str]) -> Cases:
    return Cases(tmp_path / "data", online)


@pytest.fixture
def stocked(tmp_path: Path, online: dict[str, str], sample_home: Path) -> Cases:
    shutil.copytree(sample_home, tmp_path / "data")
    return Cases(tmp_path / "data", online)


FAULTS = [
    (faults.rate_limited(0.1), "rate_limit", 3),
    (faults.rate_limited(60), "rate_limit", 1),
    (faults.error(), "server", 3),
    (faults.unauthorized(), "auth", 1),
    (faults.malformed(), "malformed", 1),
    (faults.cut_off(), "network", 3),
    (faults.slow(1.5), "timeout", 3),
]
PLAN = [(faults.plan_limit(432), "plan_limit", 1), (faults.plan_limit(433), "plan_limit", 1)]


@pytest.mark.parametrize(("fault", "code", "tries"), [*FAULTS, *PLAN], ids=lambda v: str(v)[:40])
async def test_every_search_failed_and_nothing_in_hand_is_failed_and_resumable(
    bare: Cases, stubs: Stubs, fault: Fault, code: str, tries: int
):
    stubs.faults(Rule(fault, stub="tavily"))
    async with bare.open(**hasty(SEARCH, fault)) as app:
        result, exit_code = await ask_once(app)
    assert (result.status, exit_code) == ("failed", 4)
    assert [(each.part, each.code) for each in result.degraded] == [("search:tavily", code)]
    assert calls(stubs)["tavily"] == tries
    if code == "auth":
        assert result.degraded[0].params["setting"] == "TAVILY_API_KEY"
    stubs.reset()
    async with bare.open() as app:
        result, exit_code = await resumed(app)
    assert (result.status, exit_code) == ("complete", 0)
    assert result.answer
    # The plan was answered at the first time: only the search and what follows it are asked.
    again = [call for call in stubs.log() if call.outcome != "slow"]
    assert Counter(call.stub for call in again)["tavily"] == 1
    assert Counter(call.stub for call in again)["model"] == 1


async def test_a_search_that_finds_nothing_is_complete_with_a_gap(bare: Cases, stubs: Stubs):
    stubs.faults(Rule(faults.empty(), stub="tavily"))
    async with bare.open() as app:
        result, exit_code = await ask_once(app)
    assert (result.status, exit_code) == ("complete", 0)
    assert [gap.why for gap in result.gaps] == ["gap.nothing_found"]


async def test_a_short_wait_is_waited_for(bare: Cases, stubs: Stubs):
    stubs.faults(Rule(faults.rate_limited(0.1), first=1, each=True))
    async with bare.open() as app:
        result, exit_code = await ask_once(app)
    assert (result.status, exit_code) == ("complete", 0)


MODEL = [
    (faults.empty(), "malformed", 1),
    (faults.truncated(), "malformed", 1),
    (faults.refusal(), "bad_request", 1),
    (faults.wrong_schema(), "bad_output", 2),
]


# By default a search and a page are waited for in vain; a model: `make slow`.
_TIMEOUT = pytest.param(*FAULTS[-1], marks=pytest.mark.slow)


@pytest.mark.parametrize(
    ("fault", "code", "tries"), [*FAULTS[:-1], _TIMEOUT, *MODEL], ids=lambda v: str(v)[:40]
)
async def test_a_model_that_fails_is_named_and_the_embedded_reasoner_answers(
    stocked: Cases, stubs: Stubs, fault: Fault, code: str, tries: int
):
    stocked.env["TAVILY_API_KEY"] = ""
    stubs.faults(Rule(fault, stub="model"))
    async with stocked.open(**hasty(MODEL_TIMEOUT, fault)) as app:
        result, exit_code = await ask_once(app)
    assert (result.status, exit_code) == ("degraded", 3)
    assert result.degraded[0].code == code
    assert result.degraded[0].part.startswith("model:openai:")
    assert result.reasoner == "embedded"
    assert result.answer
    assert calls(stubs)["model"] % tries == 0
    if code == "auth":
        assert result.degraded[0].params["setting"] == "OPENAI_API_KEY"
    stubs.reset()
    async with stocked.open() as app:
        result, exit_code = await resumed(app)
    assert (result.status, exit_code) == ("complete", 0)
    assert result.reasoner.startswith("openai:")
    assert len([call for call in stubs.log() if call.outcome == "ok"]) == 2


PAGES = [each for each in FAULTS if each[1] not in ("auth", "malformed")]


@pytest.mark.parametrize(("fault", "code", "tries"), PAGES, ids=lambda v: str(v)[:40])
async def test_when_most_pages_fail_the_run_is_degraded_and_their_snippets_are_used(
    bare: Cases, stubs: Stubs, fault: Fault, code: str, tries: int
):
    stubs.faults(Rule(fault, stub="web"))
    async with bare.open(**hasty(FETCH, fault)) as app:
        result, exit_code = await ask_once(app)
    assert (result.status, exit_code) == ("degraded", 3)
    assert [(each.part, each.code) for each in result.degraded] == [("pages", code)]
    assert {each.kind for each in result.evidence} == {"snippet"}
    stubs.reset()
    async with bare.open() as app:
        result, exit_code = await resumed(app)
    assert (result.status, exit_code) == ("complete", 0)
    assert {each.kind for each in result.evidence} == {"page"}
    assert calls(stubs)["tavily"] == 0


async def test_one_page_that_fails_is_ordinary(bare: Cases, stubs: Stubs):
    stubs.faults(Rule(faults.error(), stub="web", calls=(0, 1)))
    async with bare.open() as app:
        result, exit_code = await ask_once(app)
    assert (result.status, exit_code) == ("complete", 0)


def test_the_failure_is_a_sentence_at_the_door(empty: Door, online: dict[str, str], stubs: Stubs):
    stubs.faults(Rule(faults.unauthorized(), stub="tavily"))
    result = empty("ask", ENGLISH, **online)
    assert result.code == 4
    assert "every search failed" in result.err
    assert "TAVILY_API_KEY" in result.err
    assert f"gw resume {empty.rows()[0][0]}" in result.err


def test_wrong_keys_degrade_and_name_what_to_set(door: Door, online: dict[str, str], stubs: Stubs):
    stubs.faults(faults.unauthorized())
    result = door("ask", ENGLISH, **online)
    assert result.code == 3
    assert "TAVILY_API_KEY" in result.out
    assert "OPENAI_API_KEY" in result.out
    assert "[1]" in result.out


def test_hosts_that_nobody_answers_at_degrade(door: Door, online: dict[str, str]):
    nobody = "http://127.0.0.1:9"
    env = {**online, "TAVILY_BASE_URL": nobody, "OPENAI_BASE_URL": f"{nobody}/v1"}
    result = door("ask", ENGLISH, **env)
    assert result.code == 3
    assert "could not be reached" in result.out
    assert "gw resume" in result.out


def test_a_budget_of_nothing_is_code_5_with_an_answer_from_the_archive(
    door: Door, online: dict[str, str], stubs: Stubs
):
    completed = door("ask", ENGLISH, "--json", **online, GROUNDWIRE_BUDGET__RUN_USD="0.000001")
    result = AskResult.model_validate(completed.json())
    assert completed.code == 5
    assert result.answer
    assert {each.code for each in result.degraded} == {"quota"}
    assert "search:tavily" in [each.part for each in result.degraded]
    assert stubs.log() == []
