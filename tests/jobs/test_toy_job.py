"""A job is a folder: one that is dropped in is offered at every door, and nothing names it."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import httpx2
import pytest
from rich.console import Console
from rich.theme import Theme
from typer.testing import CliRunner, Result

from groundwire import jobs
from groundwire.app import App, exports, open_app
from groundwire.doors.cli import cli
from groundwire.doors.cli.group import job_commands
from groundwire.doors.cli.render import STYLES
from groundwire.doors.mcp import offers
from groundwire.doors.serving import application, assemble
from groundwire.doors.ui import guessing
from groundwire.errors import InputError
from groundwire.jobs.sections import settings_type
from groundwire.model.run import Run
from groundwire.model.story import Story
from groundwire.report import terminal
from groundwire.report.story import line
from groundwire.words import words

FOLDER = Path(__file__).with_name("toy")
SENTENCE = "one two three"


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(jobs, "__path__", [*jobs.__path__, str(FOLDER)])
    yield
    for name in [each for each in sys.modules if each.startswith("groundwire.jobs.toy")]:
        del sys.modules[name]
    vars(jobs).pop("toy", None)


@pytest.fixture
async def app(toy: None, tmp_path: Path) -> AsyncIterator[App]:
    given: dict[str, Any] = {"home": str(tmp_path), "offline": True}
    loaded = settings_type().load(given, cwd=tmp_path, env={"HOME": str(tmp_path)})
    async with open_app(loaded) as opened:
        yield opened


async def _ended(app: App, **more: Any) -> Run:
    return await app.finished((await app.run("toy", SENTENCE, **more)).id)


async def test_it_runs_from_python_with_its_settings_and_the_desks_preferences(app: App) -> None:
    run = await app.finished((await app.toy(SENTENCE, loud=True)).id)
    assert run.result is not None, run.error
    assert (run.result["said"], run.result["count"]) == ("ONE TWO THREE", 3)
    assert run.input["language"] == app.settings.language
    toy_run = await app.submit("toy", {"words": SENTENCE}, settings={"toy.most": 2})
    short = await app.finished(toy_run.id)
    assert short.result is not None
    assert short.result["count"] == 2


async def test_its_settings_are_found_under_its_name(toy: None, tmp_path: Path) -> None:
    env = {"HOME": str(tmp_path), "GROUNDWIRE_TOY__MOST": "4"}
    settings = settings_type().load(cwd=tmp_path, env=env).settings
    assert settings.section("toy").model_dump() == {"most": 4}


async def test_what_it_does_not_take_is_refused_in_every_language(app: App) -> None:
    with pytest.raises(InputError) as refusal:
        await app.run("toy", "")
    assert refusal.value.describe("en") == "toy: words is empty"
    assert refusal.value.describe("zh-Hant") == "toy：`words` 是空的"


async def test_the_api_describes_it_starts_it_and_streams_it(app: App) -> None:
    transport = httpx2.ASGITransport(
        application(assemble(app, open_here=True)), raise_app_exceptions=False
    )
    async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        schemas = (await client.get("/api/openapi.json")).json()["components"]["schemas"]
        assert "StartToy" in schemas
        assert "toy.most" in schemas["Options"]["properties"]
        body = {"kind": "toy", "input": {"words": SENTENCE}, "options": {"toy.most": 1}}
        started = await client.post("/api/runs", json=body)
        assert started.status_code == 202, started.text
        run = await app.finished(started.json()["id"])
        stream = await client.get(f"/api/runs/{run.id}/events")
        assert "event: thought" in stream.text
        assert "event: tally" in stream.text  # a type of its own, which no other file knows
        assert "event: complete" in stream.text
        shown = (await client.get(f"/api/runs/{run.id}")).json()
        assert shown["result"]["count"] == 1
        page = await client.get(f"/runs/{run.id}", headers={"Accept": "text/html"})
        assert page.status_code == 200, page.text
        assert "one" in page.text
        assert '"tally"' in page.text.partition('id="story-data"')[2]  # the script listens for it


@pytest.fixture
def gw(toy: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Call `gw` with the toy job in its place, on a data folder of its own."""
    monkeypatch.chdir(tmp_path)
    env = {
        "HOME": str(tmp_path),
        "GROUNDWIRE_HOME": str(tmp_path / "home"),
        "GROUNDWIRE_OFFLINE": "1",
    }

    def call(*args: str) -> Result:
        return CliRunner(env=env).invoke(cli, list(args), prog_name="gw")

    return call


def test_every_job_that_begins_with_a_text_has_a_command(toy: None) -> None:
    texts = (each for each in jobs.offered() if each.input.model_fields[each.subject].is_required())
    assert list(job_commands()) == sorted(each.kind for each in texts)


def test_gw_has_its_command_with_help(gw: Callable[..., Result]) -> None:
    listed = gw("--help").stdout
    assert "Words in, the same words counted out." in listed
    for args in (("toy", "--help"), ("help", "toy")):
        shown = gw(*args)
        assert shown.exit_code == 0, shown.output
        for part in ("Usage: gw toy", "TEXT|-", "--loud", "--from", "--budget", "--json"):
            assert part in shown.stdout, part


def test_gw_runs_it_tells_its_story_and_shows_its_card(gw: Callable[..., Result]) -> None:
    done = gw("toy", SENTENCE)
    assert done.exit_code == 0, done.output
    assert "split" in done.stderr and "count" in done.stderr
    assert SENTENCE in done.stdout
    data = json.loads(gw("toy", SENTENCE, "--loud", "--json").stdout)
    assert (data["said"], data["count"]) == ("ONE TWO THREE", 3)
    assert [each["kind"] for each in json.loads(gw("runs", "--json").stdout)] == ["toy", "toy"]
    assert SENTENCE in gw("show", "last").stdout.lower()
    refused = gw("toy", "")
    assert refused.exit_code == 2
    assert "is empty" in refused.stderr


def test_gw_keeps_it_on_a_schedule(gw: Callable[..., Result]) -> None:
    assert "gw toy add" in gw("toy", "--help").stdout
    kept = gw("toy", "add", SENTENCE, "--every", "每天 9点", "--zone", "Asia/Shanghai", "--json")
    assert kept.exit_code == 0, kept.output
    assert "gw serve" in kept.stderr  # nobody is there to start it
    made = json.loads(kept.stdout)
    assert (made["kind"], made["input"]["words"], made["schedule"]) == ("toy", SENTENCE, "每天 9点")
    (line,) = json.loads(gw("toy", "list", "--json").stdout)
    assert (line["id"], line["runs"], line["kept"]) == (made["id"], 0, False)
    ran = gw("toy", "run", made["id"][:6], "--at", "2026-03-03T09:00Z", "--json")
    assert json.loads(ran.stdout)["said"] == SENTENCE
    (past,) = json.loads(gw("toy", "history", made["id"], "--json").stdout)["runs"]
    assert past["at"] == "2026-03-03T09:00:00Z"
    for command in ("list", "history"):  # people read it by the clocks of its zone
        shown = gw("toy", command, *([made["id"]] if command == "history" else ()))
        assert "17:00 CST" in " ".join(shown.stdout.split())
    assert json.loads(gw("toy", "diff", made["id"], "--json").stdout)["run"] == past["run"]
    believed = gw("toy", "history", made["id"], "--on", "2026-03-02", "--json")
    assert json.loads(believed.stdout)["run"] is None
    assert json.loads(gw("toy", "pause", made["id"], "--json").stdout)["paused"]
    assert "–" not in gw("toy", "resume", made["id"]).stdout
    again = gw("toy", "add", "--run", past["run"], "--every", "6h", "--json")
    assert json.loads(again.stdout)["text"] == SENTENCE
    for args in (("--every", "every 1s"), ("--every", "0 0 30 2 *"), ("--zone", "Mars")):
        refused = gw("toy", "add", SENTENCE, *args)
        assert refused.exit_code == 2, refused.output
        assert len(refused.stderr.strip().splitlines()) <= 2
    assert gw("toy", "rm", made["id"]).exit_code == 0
    assert gw("toy", "run", made["id"]).exit_code == 2
    # What is no such word is the job's own text.
    assert SENTENCE in gw("toy", SENTENCE).stdout


def test_gw_runs_many_of_it_each_by_its_own_fields(
    gw: Callable[..., Result], tmp_path: Path
) -> None:
    lines: list[dict[str, object]] = [
        {"words": SENTENCE, "loud": True},
        {"words": SENTENCE, "loud": [1]},
    ]
    listed = tmp_path / "listed.jsonl"
    listed.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    result = gw("toy", "--from", str(listed), "--json")
    assert json.loads(result.stdout)["said"] == "ONE TWO THREE"
    assert "line 2: toy: loud takes true or false" in result.stderr
    listed.write_text(f"{SENTENCE}\nfour\n", encoding="utf-8")
    first, second = (
        line.split("\t") for line in gw("toy", "--from", str(listed)).stdout.splitlines()
    )
    # What nobody has declared is listed by what it is about, and how it ended.
    assert first[:4] == ["1", "complete", "–", "–"]
    assert (first[-1], second[-1]) == (SENTENCE, "four")


async def test_mcp_offers_it(toy: None) -> None:
    tool = offers.offers()["toy"].tool
    assert "words" in tool.input_schema["properties"]
    assert (tool.description or "").startswith("Words in, the same words counted out.")


async def test_the_command_bar_has_it(toy: None) -> None:
    assert "toy" in [each.kind for each in guessing.commands()]


async def test_its_story_is_told_from_its_steps(app: App) -> None:
    run = await _ended(app)
    story = Story(jobs.steps("toy"))
    events = [event async for event in app.follow(run.id)]
    for event in events:
        story.take(event)
    assert [story.state(place) for place in range(2)] == ["done", "done"]
    assert story.counts["split.words"] == 3
    assert words("zh-Hant")("toy.step.count") == "計數"
    assert all(isinstance(line(event, story.steps, words("en")), str) for event in events)


async def test_the_terminal_shows_its_card(app: App) -> None:
    run = await _ended(app)
    out = StringIO()
    console = Console(file=out, width=80, theme=Theme(STYLES))
    console.print(terminal.card(jobs.report_of(run).report(run)))
    assert SENTENCE in out.getvalue()


@pytest.mark.parametrize("form", ["md", "html", "json", "docx", "pdf"])
async def test_it_leaves_the_desk_in_every_form(app: App, form: str) -> None:
    made = (await exports.export(app, await _ended(app), form)).data
    match form:
        case "pdf":
            assert made.startswith(b"%PDF")
        case "docx":
            text = ZipFile(BytesIO(made)).read("word/document.xml").decode()
            assert SENTENCE in text
        case _:
            assert SENTENCE in made.decode()
