"""Exports hold no secret of the user's, and a page that only shows how a key looks stays whole."""

from __future__ import annotations

import json
from pathlib import Path

from groundwire.report.bundle import unpack

from .conftest import Gw

SHAPE = "sk-ant-exampleexample1234"
PAGE = (
    "# How the Ferrow API signs in\n\nThe Ferrow service expects a key in a header. "
    f"A key of the Ferrow service looks like {SHAPE} and is sent with every request. "
    "Keys of the Ferrow service are made on the settings page and end after ninety days. "
    "The launch code word of the Ferrow party was marzipan-lantern-42 in the year 2021."
)


def ask(gw: Gw, tmp_path: Path, question: str) -> None:
    (tmp_path / "ferrow.md").write_text(PAGE)
    assert gw("archive", "add", "ferrow.md").code == 0
    assert gw("ask", question, "--json").code == 0


def test_a_public_example_of_a_key_keeps_its_quotes(empty: Gw, tmp_path: Path) -> None:
    ask(empty, tmp_path, "What does a key of the Ferrow service look like?")
    assert empty("export", "last", "-f", "bundle", "-o", "b.zip").code == 0
    members = unpack((tmp_path / "b.zip").read_bytes())
    page = next(name for name in members if name.startswith("pages/"))
    assert SHAPE.encode() in members[page]
    assert empty("check", "b.zip").code == 0
    assert empty("replay", "b.zip").code == 0


def test_a_secret_of_the_user_is_in_no_member(empty: Gw, tmp_path: Path) -> None:
    ask(empty, tmp_path, "What was the launch code word of the Ferrow party?")
    planted = "marzipan-lantern-42"
    result = empty("export", "last", "-f", "bundle", "-o", "b.zip", TAVILY_API_KEY=planted)
    assert result.code == 0
    for name, content in unpack((tmp_path / "b.zip").read_bytes()).items():
        assert planted.encode() not in content, name
    for form in ("md", "json"):
        assert planted not in empty("export", "last", "-f", form, TAVILY_API_KEY=planted).out
    problems = json.loads(empty("check", "b.zip", "--json").out)["problems"]
    # The masked page no longer is what its id says; that is named, not hidden.
    assert any(each["where"].startswith("pages/") for each in problems)
