"""One live search for each provider that wants a key or a server; skipped where there is none.

pytest -m integration tests/search/test_live.py
"""

from __future__ import annotations

from pathlib import Path

import pytest
from search_stubs import FOLDER, HTTP, KEYED

from groundwire.app import open_app
from groundwire.model.query import SearchReport

WANTING = (*KEYED, *(name for name in HTTP if name == "searxng"))


@pytest.mark.integration
@pytest.mark.parametrize("name", WANTING)
@pytest.mark.parametrize("question", ["European Central Bank interest rate", "中国人民银行 利率"])
async def test_a_live_search_finds_pages(name: str, question: str, tmp_path: Path) -> None:
    overrides = {"home": str(tmp_path), "search.chain": [name], "budget.run_usd": 0.1}
    async with open_app(overrides=overrides) as app:
        missing = app.outside.provider(app.settings, name).lacks()
        if missing is not None:
            pytest.skip(f"{name} is not asked without {missing}")
        run = await app.tool("search", query=question, max_results=5)
        report = SearchReport.model_validate((run.result or {})["output"])
        assert report.failures == ()
        assert [hit for hit in report.hits if hit.provider == name]
        records = await app.store.ledger.records(run.id)
        assert all(record.outcome == "ok" for record in records)


def test_every_keyed_provider_has_its_live_test() -> None:
    assert set(WANTING) >= {name for name in FOLDER if FOLDER[name].Provider.needs_key}
