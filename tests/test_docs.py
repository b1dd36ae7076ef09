"""What documents name exists: files that they link to, commands with their options, settings, profiles."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
import typer
from scripts.reference import commands_within
from scripts.settings_page import settings_reference

from groundwire.doors.cli import cli
from groundwire.evidence.messages.profiles import read_profile
from groundwire.jobs.sections import Settings

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted(
    path
    for pattern in ("*.md", "docs/*.md", "docs/decisions/*.md", "evals/verify/*.md")
    for path in ROOT.glob(pattern)
)
LINK = re.compile(r"\[[^\]\[]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`([^`\n]+)`")
# `gw` where a command begins: in code, at the start of a line, behind a pipe, a variable or a bar.
COMMAND = re.compile(r"(?:^|[\s|·(`])gw ((?:--[\w-]+ )*)([a-z]+)((?: [^·|#;`]*)?)")
OPTION = re.compile(r"(?<![\w-])(--[a-z][\w-]*)")
SETTING = re.compile(r"`((?:verify|intake|tools|budget|search|fetch|memory|models)\.[a-z_.]+)`")
VARIABLE = re.compile(r"\bGROUNDWIRE_([A-Z0-9]+(?:_{1,2}[A-Z0-9]+)*)\b")


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def anchors(text: str) -> set[str]:
    """Derive anchors from headings as GitHub does."""
    heads = re.findall(r"^#+ (.+)$", FENCE.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def code(text: str) -> Iterator[str]:
    """Yield the lines of code blocks, and code within sentences."""
    for block in FENCE.findall(text):
        yield from block.splitlines()[1:-1]
    yield from CODE.findall(FENCE.sub("", text))


def options(command: click.Command) -> set[str]:
    return {
        option
        for parameter in command.params
        for option in (*parameter.opts, *parameter.secondary_opts)
    } | {"--help"}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_what_a_page_links_to_is_there(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in LINK.findall(FENCE.sub("", text)):
        if target.startswith(("http://", "https://")):
            continue
        path, _, anchor = target.partition("#")
        linked = (page.parent / path).resolve() if path else page
        assert linked.exists(), target
        if anchor:
            assert anchor in anchors(linked.read_text(encoding="utf-8")), target


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_commands_that_a_page_names_exist_with_their_options(page: Path) -> None:
    root = typer.main.get_command(cli)
    for line in code(page.read_text(encoding="utf-8")):
        for before, word, rest in COMMAND.findall(line):
            within, following = commands_within(root), rest.split()
            # One of the commands that a job has beside its own, else the command itself.
            command = within.get(" ".join([word, *following[:1]]), within.get(word))
            assert command is not None, line
            known = options(root) | options(command)
            group = commands_within(command)
            if following and following[0] in group:
                known |= options(group[following[0]])
            elif group:
                continue  # one of several: gw bench NAME, gw claims history|withdraw
            for option in (*OPTION.findall(before), *OPTION.findall(rest)):
                assert option in known, line


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_settings_that_a_page_names_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    known = settings_reference(Settings.tree())
    for setting in SETTING.findall(text):
        if setting.startswith(("search.providers.", "tools.providers.", "models.providers.")):
            continue  # a provider's own options
        assert setting in known, setting
    for variable in VARIABLE.findall(text):
        if "__PROVIDERS__" not in variable:
            assert f"GROUNDWIRE_{variable}" in known, variable


def test_the_profile_of_the_guide_is_one() -> None:
    text = (ROOT / "docs" / "verify.md").read_text(encoding="utf-8")
    written = re.search(r"<!-- profile: (\S+) -->\n```json\n(.*?)\n```", text, re.DOTALL)
    assert written is not None
    profile = read_profile(written[2], written[1])
    assert profile.name == json.loads(written[2])["name"]
    assert profile.type_names == ("closure", "strike", "other")
