"""The generated pages of docs/reference are what `python -m scripts.reference` writes."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES: dict[Path, str] = runpy.run_path(str(ROOT / "scripts" / "reference.py"))["pages"]()


@pytest.mark.parametrize("page", sorted(PAGES), ids=lambda page: page.name)
def test_the_page_is_current(page: Path) -> None:
    assert page.read_text(encoding="utf-8") == PAGES[page]


def test_every_provider_command_and_operation_has_its_place() -> None:
    from groundwire.app.wiring import PROVIDERS

    by_name = {page.name: text for page, text in PAGES.items()}
    assert [name for name in PROVIDERS if f"| `{name}` |" not in by_name["providers.md"]] == []
    from groundwire.doors.api.application import document

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
