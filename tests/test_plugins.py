"""The folder is the registry."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from groundwire import plugins
from groundwire.errors import UnknownName


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    folder = tmp_path / "some_plugins"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "tavily.py").write_text("NAME = 'tavily'\n")
    (folder / "archive.py").write_text("NAME = 'archive'\n")
    (folder / "_shared.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    return "some_plugins"


def test_modules_are_listed_by_name_and_imported_when_asked_for(package: str) -> None:
    found = plugins.load(package)
    assert list(found) == ["archive", "tavily"]
    assert "tavily" in found and "_shared" not in found
    assert not [name for name in sys.modules if name.startswith(f"{package}.")]
    assert found["tavily"].NAME == "tavily"
    assert f"{package}.archive" not in sys.modules
    with pytest.raises(KeyError):
        found["_shared"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [("tavly", "tavily"), ("Tavily", "tavily"), ("archives", "archive"), ("zzz", None)],
)
def test_the_nearest_name_is_found(name: str, expected: str | None) -> None:
    assert expected == plugins.unknown("provider", name, {"archive", "tavily"}).params.get("near")


def test_an_unknown_name_is_refused_with_the_nearest_or_all() -> None:
    near = plugins.unknown("provider", "tavly", ["tavily", "archive"])
    assert isinstance(near, UnknownName)
    assert near.message == "unknown provider 'tavly'; did you mean tavily?"
    assert (
        "known: archive, tavily"
        in plugins.unknown("provider", "zzz", ["tavily", "archive"]).message
    )
