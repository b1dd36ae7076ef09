"""The archive for readers on both databases: narrowed down, counted, marked, in stretches."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from groundwire.model.base import short_id
from groundwire.model.catalogue import FILES, Facet, Look, Shelf
from groundwire.model.source import SNIPPET_TYPE, Document
from groundwire.store import Store, catalogue

NOW = datetime(2026, 6, 15, 12, tzinfo=UTC)


def page(url: str, title: str, text: str, **more: Any) -> Document:
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    values: dict[str, Any] = {
        "publisher": url.split("/")[2],
        "published_at": NOW,
        "language": "en",
        "fetched_at": NOW,
    }
    return Document(
        id=short_id("doc", [url, sha256]),
        url=url,
        canonical_url=url,
        title=title,
        text=text,
        sha256=sha256,
        **{**values, **more},
    )


LAST_YEAR = datetime(2025, 12, 31, 23, 59, tzinfo=UTC)
LIBRARY = (
    page("https://a.example/1", "USDC slips", "USDC lost its peg on Saturday.", publisher="Alpha"),
    page("https://a.example/2", "Rates", "The bank raised rates on Saturday.", publisher="Alpha"),
    page(
        "https://b.example/1",
        "稳定币脱锚",
        "稳定币USDC脱锚，跌至0.88美元。",
        language="zh",
        publisher="乙报",
        published_at=LAST_YEAR,
    ),
    page(
        "https://b.example/2",
        "聯準會升息",
        "聯準會宣布升息，USDC未受影響。",
        language="zh-Hant",
        publisher="乙报",
        published_at=datetime(2026, 1, 1, tzinfo=UTC),
    ),
    page(
        "https://f0123456789abcdef.invalid/notes.txt",
        "notes.txt",
        "My own notes about the peg of USDC.",
        publisher="local file",
        published_at=None,
    ),
)


@pytest.fixture
async def shelves(store: Store) -> Store:
    await store.index.add(LIBRARY)
    return store


async def look(store: Store, **filters: Any) -> Shelf:
    return await store.catalogue.look(Look(**filters))


def urls(found: Shelf) -> list[str]:
    return [hit.document.canonical_url.removeprefix("https://") for hit in found.found]


def counted(facets: Sequence[Facet]) -> dict[str, int]:
    return {facet.value: facet.count for facet in facets}


async def test_without_words_everything_is_there_the_newest_first(shelves: Store):
    found = await look(shelves)
    assert (found.held, found.total, found.reach) == ("none", 5, 5)
    assert urls(found)[-2:] == ["b.example/2", "b.example/1"]
    assert counted(found.sources) == {"a.example": 2, "b.example": 2, FILES: 1}
    assert counted(found.languages) == {"en": 3, "zh": 1, "zh-Hant": 1}
    assert counted(found.years) == {"2026": 4, "2025": 1}
    assert [facet.label for facet in found.sources] == ["Alpha", "乙报", ""]
    assert all(not hit.marks for hit in found.found)


@pytest.mark.parametrize(
    ("filters", "fits"),
    [
        ({"sources": ("a.example",)}, {"a.example/1", "a.example/2"}),
        ({"sources": (FILES,)}, {"f0123456789abcdef.invalid/notes.txt"}),
        ({"languages": ("zh",)}, {"b.example/1"}),  # not the traditional one
        ({"languages": ("zh", "zh-Hant")}, {"b.example/1", "b.example/2"}),
        ({"sources": ("a.example", "b.example"), "languages": ("zh",)}, {"b.example/1"}),
        ({"since": date(2026, 1, 1), "until": date(2026, 1, 1)}, {"b.example/2"}),  # whole days
        ({"until": date(2025, 12, 31)}, {"b.example/1"}),
        ({"text": "USDC", "languages": ("zh-Hant",)}, {"b.example/2"}),
        ({"text": "升息"}, {"b.example/2"}),
        ({"text": "脫錨"}, {"b.example/1"}),  # traditional finds simplified
        ({"sources": ("nobody.example",)}, set[str]()),
        ({"sources": ("a.example' OR '1'='1",)}, set[str]()),
    ],
)
async def test_a_list_is_narrowed_down(shelves: Store, filters: dict[str, Any], fits: set[str]):
    found = await look(shelves, **filters)
    assert set(urls(found)) == fits
    assert found.total == found.reach == len(fits)


async def test_a_facet_does_not_take_away_from_itself(shelves: Store):
    """Choosing one source leaves the counts of the others, and narrows the other facets."""
    found = await look(shelves, sources=("b.example",))
    assert counted(found.sources) == {"a.example": 2, "b.example": 2, FILES: 1}
    assert counted(found.languages) == {"zh": 1, "zh-Hant": 1}
    assert [facet.value for facet in found.sources if facet.chosen] == ["b.example"]


async def test_what_is_chosen_stays_in_sight_with_nothing_left(shelves: Store):
    found = await look(shelves, sources=("a.example",), languages=("zh",))
    assert found.total == 0
    assert counted(found.sources)["a.example"] == 0
    assert counted(found.languages)["zh"] == 0


async def test_years_are_counted_whatever_days_are_chosen(shelves: Store):
    found = await look(shelves, since=date(2025, 1, 1), until=date(2025, 12, 31))
    assert counted(found.years) == {"2026": 4, "2025": 1}
    assert [facet.value for facet in found.years if facet.chosen] == ["2025"]


async def test_all_words_are_wanted_and_some_are_offered(shelves: Store):
    found = await look(shelves, text="USDC peg")
    assert (found.held, found.total, found.more) == ("all", 2, 2)
    wider = await look(shelves, text="USDC peg", some=True)
    assert (wider.held, wider.total, wider.more) == ("any", 4, 0)


async def test_words_that_no_document_has_together_are_looked_for_apart(shelves: Store):
    found = await look(shelves, text="USDC rates")
    assert (found.held, found.total) == ("any", 5)


async def test_signs_alone_find_nothing(shelves: Store):
    found = await look(shelves, text="？！ ()")
    assert (found.held, found.total, found.found) == ("none", 0, ())


@pytest.mark.parametrize("text", ['"', "a AND (", "x' | y:*", "USDC\0", "%", "脱 OR 锚"])
async def test_whatever_is_typed_is_no_syntax(shelves: Store, text: str):
    await look(shelves, text=text)
    await look(shelves, text=text, some=True, newest=True)


async def test_words_are_marked_where_they_stand(shelves: Store):
    (hit,) = (await look(shelves, text="脱锚")).found
    assert [hit.document.title[start:end] for start, end in hit.title_marks] == ["脱锚"]
    assert [hit.snippet[start:end] for start, end in hit.marks] == ["脱锚"]
    (rise,) = (await look(shelves, text="raising")).found
    assert [rise.snippet[start:end] for start, end in rise.marks] == ["raised"]


async def test_the_best_come_first_or_the_newest(shelves: Store):
    best = await look(shelves, text="USDC peg", some=True)
    newest = await look(shelves, text="USDC peg", some=True, newest=True)
    assert urls(best)[0] == "a.example/1"
    assert urls(newest)[-2:] == ["b.example/2", "b.example/1"]
    assert best.total == newest.total


@pytest.mark.parametrize("text", ["", "USDC"])
async def test_stretches_follow_each_other(shelves: Store, text: str):
    whole = urls(await look(shelves, text=text))
    found: list[str] = []
    for skip in range(0, len(whole), 2):
        found += urls(await look(shelves, text=text, skip=skip, limit=2))
    assert found == whole
    assert urls(await look(shelves, text=text, skip=100)) == []


async def test_only_the_best_of_many_are_ranked(shelves: Store, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(catalogue, "_REACH", 2)
    found = await look(shelves, text="USDC")
    assert (found.total, found.reach, len(found.found)) == (4, 2, 2)


async def test_a_page_stands_as_it_was_read_last(shelves: Store):
    later = NOW + timedelta(hours=1)
    changed = page("https://a.example/1", "USDC slips", "It was corrected.", fetched_at=later)
    snippet = page("https://c.example/1", "USDC", "USDC", media_type=SNIPPET_TYPE)
    await shelves.index.add([changed, snippet])
    found = await look(shelves)
    assert found.total == 5
    assert [hit.document.text for hit in found.found if hit.document.title == "USDC slips"] == [
        "It was corrected."
    ]
    assert "a.example/1" not in urls(await look(shelves, text="Saturday"))


async def test_an_empty_archive_is_an_empty_shelf(store: Store):
    found = await look(store)
    assert (found.total, found.found, found.sources, found.years) == (0, (), (), ())
