"""The generated pages of docs/reference are what `python -m scripts.reference` writes."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from tests.openapi import document

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def pages() -> dict[Path, str]:
    """Write them once, and not where tests are only collected: every worker does that."""
    return runpy.run_path(str(ROOT / "scripts" / "reference.py"))["pages"]()


def test_the_pages_are_current(pages: dict[Path, str]) -> None:
    stale = [page.name for page in pages if page.read_text(encoding="utf-8") != pages[page]]
    assert stale == []


def test_every_provider_command_and_operation_has_its_place(pages: dict[Path, str]) -> None:
    from groundwire.app.wiring import PROVIDERS

    by_name = {page.name: text for page, text in pages.items()}
    assert [name for name in PROVIDERS if f"| `{name}` |" not in by_name["providers.md"]] == []
    for path, operations in document()["paths"].items():
        for method in operations:
            assert f"### {method.upper()} {path}\n" in by_name["api.md"], path
    for command in (
        "ask",
        "archive add",
        "recall",
        "forget",
        "eval",
        "sources set",
        "token create",
    ):
        assert f"## gw {command}\n" in by_name["commands.md"], command
