"""The Python door: open an app, start jobs, follow them, have typed results that show themselves."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import groundwire
from groundwire import AskResult, Run, Settings, Signal, open_app
from groundwire.errors import InputError, NotFoundHere, RunCancelled, RunFailed
from groundwire.model.access import LOCAL_OWNER
from groundwire.settings import SearchSettings

PAGE = Path(__file__).resolve().parents[1] / "docs" / "python.md"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
WHY = "Why did USDC lose its peg in March 2023?"
KEY = "tvly-planted-0123456789abcdef"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path / "desk", offline=True)


async def test_the_line_of_the_specification(settings: Settings) -> None:
    async with open_app(settings) as app:
        await app.archive.add_sample()
        run = await app.verify("Coinbase 將於星期二上架瑞波幣")
        seen = [event.type async for event in app.follow(run.id)]
        signal = await app.result(run)
    assert seen[0] == "run"
    assert seen[-1] == "complete"
    assert isinstance(run, Run)
    assert run.owner == LOCAL_OWNER
    assert isinstance(signal, Signal)
    assert signal.run_id == run.id


async def test_a_result_is_the_noun_of_its_job(settings: Settings) -> None:
    async with open_app(settings) as app:
        await app.archive.add_sample()
        run = await app.ask(WHY, strict=True)
        result = await app.result(run)
        assert isinstance(result, AskResult)
        assert result.answer
        assert result == await app.result(run.id) == await app.result(await app.runs.find("last"))
        stored = (await app.runs.find(run.id)).result
        assert result.model_dump(mode="json") == stored
        assert result.model_copy(update={"status": "degraded"}).status == "degraded"
        later = await app.run("ask", question=WHY)
        assert (await app.result(later)).answer


async def test_a_message_is_kept_like_one_that_a_source_brings(settings: Settings) -> None:
    async with open_app(settings) as app:
        run = await app.verify("Rumour: Coinbase lists XRP on Tuesday", tools=False)
        signal = await app.result(run)
        assert await app.store.messages.get(signal.message.id) is not None
        second = await app.result(await app.verify("Another one", id="mine", tools=False))
        assert await app.store.messages.get(second.message.id) is None


@pytest.mark.parametrize(
    ("question", "language", "lang"),
    [
        (WHY, "auto", "en"),
        ("USDC 为什么在2023年3月脱锚？", "auto", "zh"),
        ("USDC 為何在2023年3月脫鉤？", "zh-Hant", "zh-Hant"),
    ],
)
async def test_a_notebook_shows_the_report(
    settings: Settings, question: str, language: str, lang: str
) -> None:
    async with open_app(settings) as app:
        await app.archive.add_sample()
        result = await app.result(await app.ask(question, language=language))
    html = result._repr_html_()  # type: ignore[attr-defined]
    assert result.answer[0].text[:20] in html
    assert f'lang="{lang}' in html
    assert question in html


async def test_what_is_shown_is_escaped_and_whole(tmp_path: Path) -> None:
    """No script, nothing that is loaded, no secret: notebooks are saved and passed on."""
    hostile = f"<script>alert(1)</script><img src=x onerror=alert(1)> javascript:alert(1) {KEY}"
    providers = {"tavily": {"api_key": KEY}}
    settings = Settings(
        home=tmp_path, offline=True, search=SearchSettings(chain=("archive",), providers=providers)
    )
    async with open_app(settings) as app:
        run = await app.ask(hostile)
        before = run._repr_html_()
        result = await app.result(run)
        assert KEY in result.question
    after = result._repr_html_()  # type: ignore[attr-defined]
    for html in (before, after):
        assert "&lt;script&gt;" in html
        assert not re.search(r"<(?:script|img|iframe|object|link|base|meta)\b", html)
        assert not re.search(r"<[^>]*\s(?:src|on\w+)\s*=", html)
        assert not re.search(r"url\(\s*['\"]?(?!data:)", html)
        assert "@import" not in html
        assert KEY not in html


async def test_without_a_result_there_is_an_error(settings: Settings) -> None:
    async with open_app(settings) as app:
        with pytest.raises(InputError, match="ask: question"):
            await app.ask("")
        with pytest.raises(InputError, match="colour"):
            await app.verify("x", colour="red")
        with pytest.raises(NotFoundHere):
            await app.result("ask-none")
        run = await app.run("tool", tool="read", arguments={"url": "file:///etc/passwd"})
        with pytest.raises(RunFailed, match="not a web address") as failed:
            await app.result(run)
        assert f"gw resume {run.id}" in failed.value.hint
        run = await app.ask(WHY)
        await app.engine.cancel(run.id)
        with pytest.raises(RunCancelled):
            await app.result(run)


async def test_settings_made_in_code_are_taken_as_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDWIRE_HOME", str(tmp_path / "theirs"))
    monkeypatch.setenv("GROUNDWIRE_ASK__QUERIES", "7")
    monkeypatch.chdir(tmp_path)
    async with open_app() as app:
        assert app.settings.ask.queries == 7
        assert app.settings.data_home() == tmp_path / "theirs"
    async with open_app(Settings(home=Path("mine"), offline=True)) as app:
        assert app.settings.ask.queries == 5
        assert app.settings.data_home() == tmp_path / "mine"
        origins = {name: str(origin) for name, _, origin in app.loaded.describe()}
        assert origins["offline"] == "option"
        assert origins["ask.queries"] == "default"
    async with open_app(overrides={"ask.queries": 3}) as app:
        assert app.settings.ask.queries == 3
    async with open_app(Settings.load({"ask.queries": 4})) as app:
        assert app.settings.ask.queries == 4


def test_importing_the_package_imports_nothing_else() -> None:
    """`gw --help` and whoever asks for the version pay for no more."""
    code = (
        "import sys, groundwire; groundwire.__version__; dir(groundwire);"
        "heavy = [n for n in sys.modules if n.startswith(('groundwire.', 'pydantic', 'sqlalchemy'))];"
        "assert not heavy, heavy;"
        "from groundwire import open_app, Settings; assert 'langgraph' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_every_name_of_the_package_is_there() -> None:
    for name in groundwire.__all__:
        assert getattr(groundwire, name) is not None
    assert set(groundwire.__all__) <= set(dir(groundwire))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        groundwire.nothing  # type: ignore[attr-defined]  # noqa: B018


async def test_the_page_about_it_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every block, one after the other, as the cells of a notebook."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for text in BLOCK.findall(PAGE.read_text("utf-8")):
        flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        cell = eval(compile(text, str(PAGE), "exec", flags=flags), names)
        if inspect.isawaitable(cell):
            await cell
    output = capsys.readouterr().out
    assert "complete" in output
    assert "supported" in output
    assert names["signal"].verdict in output
    assert len(names["answers"]) == 2
    assert "gw-report" in names["shown"]._repr_html_()
