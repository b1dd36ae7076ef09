"""Pages of institutions speak for them, though their hosts are invented."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.sample.test_sample import ARTICLES, Article, each_article

from groundwire import Settings, open_app
from groundwire.evidence.sources.official import is_own_word
from groundwire.evidence.sources.parties import officials
from groundwire.sample import documents

_PAGES = {each.url: each for each in documents(datetime(2025, 11, 1, tzinfo=UTC))}
_PRIMARY = [article for article in ARTICLES if article.head["tier"] == "primary"]


@each_article
def test_whoever_speaks_first_hand_is_named_and_nobody_else(article: Article) -> None:
    assert (article.head["tier"] == "primary") == ("party" in article.head)


@pytest.mark.parametrize("article", _PRIMARY, ids=lambda article: article.stem)
def test_a_first_hand_page_is_the_word_of_one_known_party(article: Article) -> None:
    page = _PAGES[article.head["url"]]
    speaks = [entity.id for entity in officials().entities if is_own_word(page, entity)]
    assert speaks == [article.head["party"]]


@pytest.mark.parametrize(
    ("message", "at", "row"),
    [
        ("Tether has reserves at Silicon Valley Bank", "2023-03-10T20:00Z", "primary_contradicts"),
        (
            "Euler Finance was hacked for $197 million",
            "2023-03-13T12:00Z",
            "multi_source_official",
        ),
        ("SEC approved spot bitcoin ETFs", "2024-01-10T22:00Z", "official_primary"),
        pytest.param(
            "Circle moved $5.4 billion of cash to BNY Mellon",
            "2023-03-11T22:00Z",
            "official_primary",
            marks=pytest.mark.xfail(
                reason="the encoder takes a later page on the same bank for a denial"
            ),
        ),
    ],
)
async def test_the_rows_of_primaries_show_on_the_sample(
    message: str, at: str, row: str, sample_home: Path, tmp_path: Path
) -> None:
    home = shutil.copytree(sample_home, tmp_path / "desk")
    async with open_app(Settings(home=home, offline=True)) as app:
        run = await app.verify(message, published_at=datetime.fromisoformat(at))
        signal = await app.result(run)
    assert row in [each.rule for each in signal.waterfall]
