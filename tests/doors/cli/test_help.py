"""What the parser prints as help and as refusals, in the reader's language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from groundwire.app.additions.files import KINDS
from groundwire.doors.cli import cli
from groundwire.doors.cli.group import JobCommand
from groundwire.doors.cli.help import localise
from groundwire.doors.cli.reader import reader_words, set_language
from groundwire.settings import Settings
from groundwire.settings.environment import terminal_language
from groundwire.words import LANGUAGES, words

from .conftest import Gw

WIDE = {"COLUMNS": "160"}
_HAN = re.compile(r"[㐀-鿿]")


def _whole(ctx: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every command as it is declared, with its context."""
    group = ctx.command
    for name in group.list_commands(ctx):
        command = group.get_command(ctx, name)
        command = command.whole() if isinstance(command, JobCommand) else command
        inner = typer.Context(command, parent=ctx, info_name=name)
        yield command, inner
        if hasattr(command, "commands"):
            yield from _whole(inner)


def _commands() -> list[tuple[Any, Any]]:
    root = typer.main.get_command(cli)
    ctx = typer.Context(root, info_name="gw")
    return [(root, ctx), *_whole(ctx)]


@pytest.fixture(autouse=True)
def english_afterwards() -> Iterator[None]:
    yield
    set_language("en")


def test_english_help_is_what_stands_in_the_code() -> None:
    set_language("en")
    for command, ctx in _commands():
        shown = localise(command, ctx)
        assert shown.help == command.help, ctx.command_path
        for declared, option in zip(command.get_params(ctx), shown.get_params(ctx), strict=True):
            # Of a job's fields: others are declared without a text.
            assert option.help == declared.help or not declared.help, (
                ctx.command_path,
                option.name,
            )


def test_every_option_that_is_shown_has_its_help() -> None:
    set_language("en")
    unsaid = {
        f"{ctx.command_path} {option.name}"
        for command, ctx in _commands()
        for option in localise(command, ctx).get_params(ctx)
        if not option.help and not option.hidden
    }
    assert unsaid == {"gw runs limit"}


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_every_command_and_option_has_its_words(language: str) -> None:
    set_language(language)
    for command, ctx in _commands():
        shown = localise(command, ctx)
        assert _HAN.search(shown.help), ctx.command_path
        for option in shown.get_params(ctx):
            assert not option.help or _HAN.search(option.help) or "、" in option.help, option.help


@pytest.mark.parametrize(
    ("locale", "parts"),
    [
        ("en_US.UTF-8", ("Usage: gw [OPTIONS]", "─ Look ─", "Stop a run.")),
        ("zh_CN.UTF-8", ("用法：gw [OPTIONS]", "─ 查看 ─", "停止一个任务。", "可信度可逐项拆解")),
        ("zh_TW.UTF-8", ("用法：gw [OPTIONS]", "─ 檢視 ─", "停止一個任務。", "信心可逐項拆解")),
    ],
)
def test_the_list_of_commands_is_in_the_readers_language(
    empty: Gw, locale: str, parts: tuple[str, ...]
) -> None:
    for args in (("--help",), ("help",)):
        result = empty(*args, LC_ALL=locale, **WIDE)
        assert result.code == 0
        assert [part for part in parts if part not in result.out] == []


def test_no_line_of_chinese_is_cut(empty: Gw) -> None:
    result = empty("help", "verify", LC_ALL="zh_TW", COLUMNS="60")
    assert "對一則訊息的判定" in result.out
    assert "--help" in result.out
    assert "…" not in result.out
    assert "初步印象" in re.sub(r"[\s│]", "", result.out)


@pytest.mark.parametrize(
    ("args", "en", "zh", "hant"),
    [
        (("verify", "--nope"), "There is no option '--nope'; near it: --home, --zone",
         "没有选项“--nope”；相近的有：--home、--zone", "沒有選項「--nope」；相近的有：--home、--zone"),
        (("--zzzzzz",), "There is no option '--zzzzzz'.", "没有选项“--zzzzzz”。", "沒有選項「--zzzzzz」。"),
        (("show",), "The argument 'RUN' is missing.", "缺少参数 'RUN'。", "缺少參數 'RUN'。"),
        (("sources", "set", "a.example", "--tier", "wire"), "The option '--why' is missing.",
         "缺少选项 '--why'。", "缺少選項 '--why'。"),
        (("runs", "more"), "Nothing more was expected: 'more'.", "多余的参数：“more”。", "多餘的參數：「more」。"),
        (("--debug",), "A command is missing.", "缺少命令。", "缺少指令。"),
        (("search", "x", "-n"), "The option -n takes a value.", "选项 -n 需要一个值。", "選項 -n 需要一個值。"),
        (("doctor", "--json=1"), "The option --json takes no value.", "选项 --json 不带值。", "選項 --json 不帶值。"),
        (("search", "x", "-n", "y"), "Invalid value for '--results' / '-n': it takes a whole number",
         "'--results' / '-n' 的值无效：应为整数", "'--results' / '-n' 的值無效：應為整數"),
        (("archive", "serch"), "search  Search the archive only.", "search  只搜索档案。", "search  只搜尋典藏庫。"),
        (("verfy",), "There is no command 'verfy'.", "没有命令“verfy”。", "沒有指令「verfy」。"),
    ],
)  # fmt: skip
def test_a_refusal_is_in_the_readers_language(
    empty: Gw, args: tuple[str, ...], en: str, zh: str, hant: str
) -> None:
    for locale, told_so, title in (
        ("C", en, "Error"),
        ("zh_CN", zh, "错误"),
        ("zh_HK", hant, "錯誤"),
    ):
        result = empty(*args, LC_ALL=locale, **WIDE)
        assert result.code == 2
        assert told_so in result.err
        assert f"─ {title} ─" in result.err


@pytest.mark.parametrize("variable", ["", "auto", "zh", "zh-Hant", "en"])
@pytest.mark.parametrize("file", ["", "auto", "zh", "en"])
@pytest.mark.parametrize("locale", ["", "C", "en_GB.UTF-8", "zh_CN.UTF-8", "zh-TW", "zh_Hant_MO"])
def test_help_is_in_the_language_that_the_settings_take(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, variable: str, file: str, locale: str
) -> None:
    for name, value in (("GROUNDWIRE_LANGUAGE", variable), ("LC_ALL", locale)):
        monkeypatch.setenv(name, value)
    for name in ("LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    if file:
        (tmp_path / "groundwire.toml").write_text(f'language = "{file}"\n')
    set_language("auto")  # as every command begins
    before = reader_words()
    set_language(Settings.load().settings.language)
    assert before is reader_words() is words(terminal_language())


def test_help_reads_the_language_of_the_file(empty: Gw, tmp_path: Path) -> None:
    path = tmp_path / "config" / "groundwire" / "groundwire.toml"
    path.parent.mkdir(parents=True)
    path.write_text('language = "zh-Hant"\n')
    assert "停止一個任務。" in empty("--help", LC_ALL="C", **WIDE).out
    (tmp_path / "groundwire.toml").write_text('language = "zh"\n')  # the nearer file is stronger
    assert "停止一个任务。" in empty("--help", LC_ALL="C", **WIDE).out
    assert "Stop a run." in empty("--help", LC_ALL="zh_CN", GROUNDWIRE_LANGUAGE="en", **WIDE).out


@pytest.mark.parametrize("content", [b"language = ", b"language = 3", b"\xff\xfe", b"[language]"])
def test_a_broken_file_keeps_nobody_from_the_help(
    empty: Gw, tmp_path: Path, content: bytes
) -> None:
    (tmp_path / "groundwire.toml").write_bytes(content)
    result = empty("--help", LC_ALL="zh_TW", **WIDE)
    assert result.code == 0
    assert "停止一個任務。" in result.out


def test_the_language_of_the_settings_goes_before_the_terminals(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LC_ALL", "zh_TW")
    set_language("zh")
    assert reader_words().language == "zh"
    set_language("auto")
    assert reader_words().language == "zh-Hant"


def test_settings_are_shown_in_the_readers_language(empty: Gw) -> None:
    output = empty("doctor", "--settings", LC_ALL="zh_TW", COLUMNS="200").out
    rows = {line.split()[0]: line.split()[1:] for line in output.splitlines() if "." in line[:20]}
    assert rows["search.chain"] == ["無", "預設值"]
    assert rows["search.max_results"] == ["未設定", "預設值"]
    assert "環境變數 GROUNDWIRE_OFFLINE" in output
    assert not re.search(r"\b(default|env|none|unset)\b", output)


# What each kind of file is called where it can be added; a new kind needs a name, too.
_CALLED = {
    ".html": "HTML", ".htm": "HTML", ".pdf": "PDF", ".txt": "text|文本|文字", ".md": "Markdown",
    ".docx": "DOCX", ".xlsx": "XLSX", ".csv": "CSV", ".tsv": "CSV", ".json": "JSON",
    ".jsonl": "JSON", ".ndjson": "JSON", ".eml": "mail|邮件|郵件", ".mbox": "mail|邮件|郵件",
    ".opml": "feeds|订阅源|訂閱來源", ".xml": "feeds|订阅源|訂閱來源",
    ".rss": "feeds|订阅源|訂閱來源", ".atom": "feeds|订阅源|訂閱來源",
}  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_of_file_is_named_where_one_can_be_added(language: str) -> None:
    say = words(language)
    for kind in KINDS:
        assert re.search(_CALLED[kind], say("archive.kinds")), kind
    named = set(re.findall(r"[a-z]+", say("command.option.archive.add.what")))
    assert {kind[1:] for kind in KINDS} - named <= {"htm", "ndjson"}  # other endings of named ones


def test_what_a_job_takes_on_a_schedule_has_the_jobs_own_words(empty: Gw) -> None:
    for locale, shown in (("zh_CN", "最多搜索几轮"), ("zh_TW", "最多搜尋幾輪")):
        result = empty("watch", "add", "--help", LC_ALL=locale, **WIDE)
        assert shown in result.out
        assert "The most rounds" not in result.out


@pytest.mark.parametrize(
    "given", [["--since", "last", "--since", "abc"], ["-f", "md", "-f", "pdf"]]
)
def test_an_option_of_one_value_is_given_once(gw: Gw, given: list[str]) -> None:
    command = ["export", "x"] if given[0] == "-f" else ["timeline", "DeepSeek"]
    refused = gw(*command, *given)
    assert refused.code == 2
    assert "is given twice" in refused.err
