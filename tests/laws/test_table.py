"""docs/laws.md names a test for every law and rule, and every test that it names exists."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROW = re.compile(r"^\| (\d+|[a-i]) ([^|]+)\|([^|]+)\|([^|]+)\|$", re.MULTILINE)
NAMED = re.compile(r"`(tests/[\w/]+\.py)::([\w:]+)`")
WANTED = [str(number) for number in range(1, 12)] + list("abcdefghi")


def _rows() -> dict[str, list[tuple[str, str]]]:
    text = (ROOT / "docs" / "laws.md").read_text(encoding="utf-8")
    return {match[1]: NAMED.findall(match[4]) for match in ROW.finditer(text)}


def _tests(path: str) -> set[str]:
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    found = _functions(tree.body)
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            found |= {f"{node.name}::{each}" for each in _functions(node.body)}
    return found


def _functions(body: list[ast.stmt]) -> set[str]:
    kinds = ast.FunctionDef | ast.AsyncFunctionDef
    return {each.name for each in body if isinstance(each, kinds)}


def test_every_law_and_every_rule_has_its_row() -> None:
    assert list(_rows()) == WANTED


@pytest.mark.parametrize("name", WANTED)
def test_the_tests_that_are_named_exist(name: str) -> None:
    named = _rows()[name]
    assert named
    for path, test in named:
        assert test in _tests(path), f"{path}::{test}"


def test_every_test_of_this_folder_is_named() -> None:
    """A law that gains a test gains it in the table too."""
    named = {f"{path}::{test}" for tests in _rows().values() for path, test in tests}
    folder = Path(__file__).parent
    for file in sorted(folder.glob("test_*.py")):
        if file.name != Path(__file__).name:
            path = file.relative_to(ROOT).as_posix()
            tests = {each for each in _tests(path) if each.rpartition("::")[2].startswith("test_")}
            assert not [each for each in sorted(tests) if f"{path}::{each}" not in named]
