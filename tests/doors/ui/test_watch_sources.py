"""Who says what is believed, on the page of a standing run."""

from __future__ import annotations

import pytest

from groundwire.doors.ui.pages.watches import sources_of
from groundwire.model.change import Belief
from groundwire.model.claim import CitationView
from groundwire.model.source import LOCAL_FILE
from groundwire.words import words
from tests.doors.ui.conftest import Site
from tests.doors.ui.made_runs import QUESTION, begun


@pytest.mark.parametrize(
    ("language", "who"), [("en", "local file"), ("zh", "本地文件"), ("zh-Hant", "本機檔案")]
)
async def test_a_file_of_ones_own_is_named_in_words(site: Site, language: str, who: str) -> None:
    run = (await begun(site, "ask", {"question": QUESTION})).run
    cited = [
        CitationView(
            evidence_id="e", published_at=None, quote="x", start=0, end=1,
            url="https://x.example/", title="", publisher=publisher,
        )
        for publisher in (LOCAL_FILE, "Harbour News")
    ]  # fmt: skip
    belief = Belief(id="b", text="t", subject="s", value="v", citations=tuple(cited))
    found = sources_of([belief], run, words(language))
    assert [each.publisher for each in found] == [who, "Harbour News"]
