"""What a Chinese reader sees when something is refused or fails: no English word except names."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from lab.stubs import faults
from lab.stubs.faults import Rule
from lab.stubs.launch import Stubs

from groundwire.app import open_app
from groundwire.jobs import report_of
from groundwire.jobs.sections import Settings
from groundwire.report import html, markdown
from groundwire.report.blocks import Report

from .conftest import CHINESE, CommandResult, Door

LANGUAGES = ("zh", "zh-Hant")
_SLOWER = Rule(faults.rate_limited(60), stub="tavily")
# What stays as it is in every language.
_COMMAND = re.compile(r"\bgw(?: -{0,2}[\w…|\"-]+)+")  # what is typed
_ADDRESS = re.compile(r"(?:https?|file|groundwire)://[^\s，。；）]*|\b[\w-]+(?:\.[\w-]+)+\b")
_PATH = re.compile(r"(?:/[\w.\-]+)+/?")
_CODE = re.compile(r"`[^`]*`|“[^”]*”|「[^」]*」|\"[^\"]*\"|'[^']*'")
_ID = re.compile(r"\b(?:ask|tool)-[0-9a-f]+\b|\b[0-9a-f]{12,}\b|--[\w-]+")
_NAME = re.compile(r"\b[A-Z][A-Z0-9_]+\b|[A-Z][A-Z_]*=\S+")  # UTF, USDC, GROUNDWIRE_HOME
# Names of ours and of others, and of the options of a command.
_KNOWN = frozenset(
    [
        "tavily",
        "archive",
        "ask",
        "verify",
        "read",
        "openai",
        "gpt",
        "mini",
        "embedded",
        "USDC",
        "Circle",
        "Silicon",
        "Valley",
        "Bank",
        "SVB",
        "robots",
        "txt",
        "Groundwire",
        "en",
        "zh",
        "Hant",
        "ms",
        "usd",
        "UTC",
    ]
)
_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]+")


def english(text: str, *, quotes: tuple[str, ...] = ()) -> list[str]:
    """List the English words of a text, without names, addresses, codes and quotes."""
    text = unescape(text)
    for quote in quotes:
        text = text.replace(quote, " ")
    for pattern in (_CODE, _COMMAND, _ADDRESS, _PATH, _ID, _NAME):
        text = pattern.sub(" ", text)
    return [word for word in _WORD.findall(text) if word not in _KNOWN]


def test_the_measure_sees_words_and_passes_names() -> None:
    assert english('问题为空 → gw ask "…"') == []
    assert english("这里没有任务“nope” → 列出任务：gw runs") == []
    assert english("✕ 找不到 the page") == ["the", "page"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "args",
    [
        ("ask", " "),
        ("ask", "为什么" * 2000),
        ("show", "nope"),
        ("read", "ftp://host.example/file"),
        ("archive", "add", "/nope"),
        ("runs", "--kind", "aks"),
        ("costs", "--month", "2026"),
    ],
    ids=lambda args: "-".join(args)[:20],
)
def test_what_is_refused_is_told_in_chinese(
    empty: Door, language: str, args: tuple[str, ...]
) -> None:
    result = empty(*args, GROUNDWIRE_LANGUAGE=language)
    assert result.code == 2, result
    assert result.err.strip()
    assert english(result.err) == [], result.err


@pytest.mark.parametrize(("locale", "word"), [("zh_CN.UTF-8", "这里"), ("zh_TW.UTF-8", "這裡")])
def test_the_terminals_own_language_is_spoken_where_none_is_set(
    empty: Door, locale: str, word: str
) -> None:
    result = empty("show", "nope", LC_ALL=locale)
    assert word in result.err
    assert english(result.err) == []


def test_settings_that_cannot_be_read_are_refused_in_chinese(empty: Door) -> None:
    result = empty("runs", GROUNDWIRE_LANGUAGE="zh-Hant", GROUNDWIRE_SEARCH__TIMEOUT="-1")
    assert result.code == 2
    assert english(result.err) == [], result.err


@pytest.mark.parametrize(
    ("language", "rule"),
    [
        ("zh", _SLOWER),
        pytest.param("zh-Hant", _SLOWER, marks=pytest.mark.slow),
        pytest.param("zh", None, marks=pytest.mark.slow),
        ("zh-Hant", None),
    ],
)
async def test_a_run_that_fails_is_told_in_chinese(
    tmp_path: Path,
    online: dict[str, str],
    stubs: Stubs,
    language: str,
    rule: Rule | None,
) -> None:
    """A search that is told to slow down, and a page that is not there: card, story, page, file."""
    (tmp_path / "home").mkdir()
    door = Door(tmp_path / "data", tmp_path / "home", {**online, "GROUNDWIRE_LANGUAGE": language})
    if rule is not None:
        stubs.faults(rule)
        result = door("ask", CHINESE, OPENAI_API_KEY="")
    else:
        result = door("read", stubs.page("odd.example", "/nowhere"))
    assert result.code == 4, result
    env = door.environment()
    async with open_app(Settings.load({}, door.place, env)) as app:
        run = await app.runs.find("last")
        # What is searched for is in the languages of the web.
        searched = {
            str(event.payload["query"])
            async for event in app.runs.journal(run.id)
            if "query" in event.payload
        }
        quotes = (CHINESE, *sorted(searched, key=len, reverse=True))
        assert english(_output(result), quotes=quotes) == [], _output(result)
        job = report_of(run)
        report = job.report(run, language)
        for text in (markdown.text(report), _page(report)):
            assert english(text, quotes=quotes) == [], text


def _output(result: CommandResult) -> str:
    return f"{result.out}\n{result.err}"


def _page(report: Report) -> str:
    """Return what a browser shows of the report."""
    text = html.render(report).decode()
    text = re.sub(r"<(style|script)\b.*?</\1>", " ", text, flags=re.DOTALL)
    return re.sub(r"<[^>]+>", " ", text)
