"""What is configured: settings with their origin, providers, models, schema, graph, database."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from groundwire.jobs.ask.answer import AskResult
from groundwire.store.schema import HEAD

from .conftest import Gw

COMMANDS = [
    "ask", "archive", "sources", "search", "read", "graph", "runs", "show", "follow", "resume", "cancel",
    "replay", "export", "check", "models", "providers", "doctor", "schema", "db", "bench", "costs",
]  # fmt: skip
HEAVY = (
    "sqlalchemy", "langgraph", "pydantic_ai", "pydantic", "trafilatura", "httpx2", "structlog",
    "asyncio", "rich",
)  # fmt: skip


def test_the_door_opens_without_anything_heavy() -> None:
    code = f"import sys, groundwire.doors.cli; print([m for m in {HEAVY!r} if m in sys.modules])"
    completed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert completed.stdout.strip() == "[]"


def test_help_loads_nothing_of_the_app() -> None:
    code = (
        "import sys, groundwire.doors.cli\n"
        "try: groundwire.doors.cli.cli(['--help'], prog_name='gw')\n"
        "except SystemExit: pass\n"
        "heavy = [m for m in ('pydantic', 'sqlalchemy', 'httpx2', 'asyncio') if m in sys.modules]\n"
        "print(heavy, file=sys.stderr)"
    )
    completed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert completed.stderr.strip() == "[]"


def test_help_names_every_command(empty: Gw) -> None:
    result = empty("--help", COLUMNS="100")
    for command in COMMANDS:
        assert f" {command} " in result.out, command


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(empty: Gw, command: str) -> None:
    assert empty(command, "-h").code == 0
    assert not empty.home.exists()


def test_help_of_a_command_is_what_the_command_says_of_itself(empty: Gw) -> None:
    by_help, by_option = (
        empty("help", "verify", COLUMNS="100"),
        empty("verify", "--help", COLUMNS="100"),
    )
    assert by_help.code == by_option.code == 0
    assert by_help.out == by_option.out
    assert "TEXT|-" in by_option.out


@pytest.mark.parametrize(("typed", "meant"), [("check-rumour", "verify"), ("histroy", "runs")])
def test_an_unknown_command_is_answered_by_what_was_meant(
    empty: Gw, typed: str, meant: str
) -> None:
    result = empty(typed, COLUMNS="100")
    assert result.code == 2
    assert typed in result.err
    assert f"gw {meant} " in result.err
    assert "Traceback" not in result.err


def test_doctor_ends_with_the_health_and_at_most_three_next_steps(empty: Gw) -> None:
    lines = empty("doctor", COLUMNS="200").out.rstrip().splitlines()
    last = len(lines) - 1 - lines[::-1].index("")
    health, *step_lines = lines[last + 1 :]
    assert health[0] in "●◔✕"
    steps = [
        line for line in step_lines if not line.startswith(" ")
    ]  # what is wrapped goes on indented
    assert 1 <= len(steps) <= 3
    assert "gw archive add --sample" in "\n".join(steps)


def test_the_version_is_said(empty: Gw) -> None:
    assert empty("--version").out.startswith("groundwire 0.")


def test_doctor_prints_every_setting_masked_with_its_origin(gw: Gw) -> None:
    result = gw(
        "doctor",
        "--settings",
        OPENAI_API_KEY="sk-planted-0123456789-planted",
        GROUNDWIRE_SEARCH__TIMEOUT="7",
    )
    assert result.code == 0
    assert "sk-planted" not in result.out + result.err
    assert "env OPENAI_API_KEY" in result.out
    assert "env GROUNDWIRE_SEARCH__TIMEOUT" in result.out
    assert f"revision {HEAD}" in result.out


def test_doctor_says_what_to_do(empty: Gw) -> None:
    found = json.loads(empty("doctor", "--json").out)
    checks = {each["what"]: each for each in found["checks"]}
    assert checks["archive"]["to_do"] == "gw archive add --sample"
    assert "offline" in checks["network"]["found"]
    assert {"data folder", "database", "search", "models", "proxies", "runs"} <= set(checks)


@pytest.mark.parametrize(
    ("env", "name", "on", "to_set"),
    [
        ({}, "tavily", False, "unset GROUNDWIRE_OFFLINE"),
        ({"GROUNDWIRE_OFFLINE": ""}, "tavily", False, "TAVILY_API_KEY=…"),
        ({"GROUNDWIRE_OFFLINE": "", "TAVILY_API_KEY": "tvly-x-1234567"}, "tavily", True, ""),
        ({}, "archive", True, ""),
    ],
)
def test_providers_say_why_and_what_to_set(
    empty: Gw, env: dict[str, str], name: str, on: bool, to_set: str
) -> None:
    states = {each["name"]: each for each in json.loads(empty("providers", "--json", **env).out)}
    assert states[name]["on"] is on
    assert states[name]["to_set"] == to_set
    assert name in empty("providers", **env).out


def test_the_success_rate_of_a_provider_is_shown_and_warned_about(gw: Gw) -> None:
    env = {
        "GROUNDWIRE_OFFLINE": "",
        "GROUNDWIRE_SEARCH__CHAIN": "tavily",
        "TAVILY_API_KEY": "tvly-x-1234567",
        "TAVILY_BASE_URL": "http://127.0.0.1:9",
    }
    gw("search", "USDC", "--json", **env)
    result = gw("providers", **env)
    assert "0/1" in result.out and "0%" in result.out
    assert "less than 95 %" in result.err


def test_models_are_listed_by_tier_with_the_embedded_reasoner_last(empty: Gw) -> None:
    env = {"GROUNDWIRE_OFFLINE": "", "GROUNDWIRE_MODELS__LIGHT": "openai:gpt-x"}
    found = json.loads(empty("models", "--json", OPENAI_API_KEY="sk-abc", **env).out)
    assert found["tiers"]["light"] == ["openai:gpt-x"]
    assert "openai:gpt-x → embedded reasoner" in empty("models", **env).out
    assert "OPENAI_API_KEY=…" in empty("models", GROUNDWIRE_OFFLINE="").out


def test_a_key_alone_names_the_models_that_a_run_would_ask(empty: Gw) -> None:
    env = {"GROUNDWIRE_OFFLINE": "", "OPENAI_API_KEY": "sk-abc"}
    found = json.loads(empty("models", "--json", **env).out)
    assert found["tiers"]["light"][0].startswith("openai:")
    assert found["tiers"]["heavy"][0].startswith("openai:")
    assert {vendor["name"]: vendor["on"] for vendor in found["vendors"]}["openai"]
    assert "openai:" in empty("doctor", **env).out
    # Without the network no model is asked.
    assert json.loads(empty("models", "--json", OPENAI_API_KEY="sk-abc").out)["tiers"] == {
        "light": [],
        "heavy": [],
        "vision": [],
    }


@pytest.mark.parametrize(
    ("env", "sentence"),
    [
        ({"GROUNDWIRE_SERCH__TIMEOUT": "3"}, "GROUNDWIRE_SEARCH__TIMEOUT"),
        ({"GROUNDWIRE_SEARCH__TIMEOUT": "soon"}, "takes a number"),
        ({"GROUNDWIRE_SEARCH__CHAIN": "tavly"}, "did you mean tavily"),
    ],
)
def test_a_wrong_setting_is_one_sentence_and_code_2(
    empty: Gw, env: dict[str, str], sentence: str
) -> None:
    result = empty("ask", "x?", **env)
    assert result.code == 2
    assert sentence in result.err
    assert "Traceback" not in result.err


def test_the_schema_is_that_of_the_result(empty: Gw) -> None:
    result = empty("schema", "ask")
    assert json.loads(result.out) == AskResult.model_json_schema()
    assert json.loads(empty("schema", "tool").out)["title"] == "ToolResult"
    assert "did you mean ask?" in empty("schema", "aks").err


def test_the_graph_names_the_phases(empty: Gw) -> None:
    result = empty("graph", "ask")
    for phase in ("plan", "search", "read", "weigh", "write", "check"):
        assert f"{phase}(" in result.out


def test_the_database_is_upgraded(empty: Gw) -> None:
    assert f"revision {HEAD}" in empty("db", "upgrade").out
    assert "(current)" in empty("db", "upgrade").out


def test_a_database_of_a_newer_version_is_refused_in_one_sentence(gw: Gw) -> None:
    import sqlite3

    with sqlite3.connect(gw.home / "groundwire.db") as database:
        table = next(
            name
            for (name,) in database.execute("select name from sqlite_master where type='table'")
            if "version" in name
        )
        database.execute(f"update {table} set version_num = '9999'")
    database.close()
    result = gw("ask", "x?")
    assert result.code == 4
    assert "newer version" in result.err
    assert "Traceback" not in result.err


def test_a_data_folder_that_is_a_file_is_refused(empty: Gw, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    result = empty.at(tmp_path / "file")("runs")
    assert result.code == 2
    assert "data folder" in result.err


def test_bench_says_what_to_install(empty: Gw, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psutil", None)
    result = empty("bench", "ask", "--quick")
    assert result.code == 2
    assert "pip install 'groundwire[bench]'" in result.err


def test_bench_archive_measures_in_a_folder_of_its_own(empty: Gw) -> None:
    result = empty("bench", "archive", "--documents", "1000", "--queries", "3", "--json")
    assert result.code == 0
    names = [row["name"] for row in json.loads(result.out)["rows"]]
    assert "five-word query, p99" in names
    assert not empty.home.exists()
