"""Write the generated pages of docs/reference; tests compare them with what this would write."""

from __future__ import annotations

from pathlib import Path

from groundwire.settings.reference import settings_reference

DOCS = Path(__file__).resolve().parent.parent / "docs" / "reference"


def pages() -> dict[Path, str]:
    """Every generated page and its text."""
    return {DOCS / "settings.md": settings_reference()}


def main() -> None:
    for path, text in pages().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
