"""Lists that fit: one line where there is room, below where there is none, nothing broken."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from groundwire.doors.cli import render
from groundwire.doors.cli.listing import Entry, listing

LONG = "GROUNDWIRE_MODELS__PROVIDERS__OPENAI_COMPATIBLE__BASE_URL=…"


@pytest.fixture(autouse=True)
def eighty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render, "WIDEST", 80)


def lines(*entries: Entry) -> list[str]:
    return [line.plain.rstrip() for line in listing(entries)]


def test_what_fits_stands_in_columns() -> None:
    assert lines(
        Entry(mark="●", name="ddgs", text="needs no key"),
        Entry(mark="○", name="tavily", text="it has no key", note="TAVILY_API_KEY=…"),
        Entry(mark="○", name="x", text="off", note="X=…"),
    ) == [
        "● ddgs    needs no key",
        "○ tavily  it has no key  TAVILY_API_KEY=…",
        "○ x       off            X=…",
    ]


def test_what_is_to_be_copied_goes_below_whole() -> None:
    found = lines(Entry(name="openai_compatible", text="its address is not set", note=LONG))
    assert found == ["openai_compatible  its address is not set", " " * 19 + LONG]


@pytest.mark.parametrize("words", ["a long sentence about it " * 8, "一句关于它的很长的话，" * 12])
def test_long_texts_are_wrapped_under_themselves(words: str) -> None:
    found = lines(Entry(mark="✕", name="search", text=words.strip(), note="gw providers"))
    assert len(found) > 2
    assert all(cell_len(line) <= 80 for line in found)
    assert all(line.startswith(" " * 10) for line in found[1:])
    assert found[-1].strip() == "gw providers" or found[-1].endswith("  gw providers")


def test_foreign_text_is_cleaned_and_nothing_is_fine() -> None:
    assert lines(Entry(name="a\x1b[31mb", text="c\nd", note="e\x07")) == ["ab  c d  e"]
    assert lines() == []
