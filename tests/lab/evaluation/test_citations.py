"""The citation checker is measured by what it lets pass: right sentences, and lies."""

from __future__ import annotations

import json
from pathlib import Path

from lab.evaluation.kinds.citations import measure

SETS = Path(__file__).parents[3] / "evals" / "citations"


async def test_right_sentences_and_lies_are_counted_by_half_and_language(tmp_path: Path) -> None:
    page = {
        "id": "a",
        "language": "en",
        "title": "Bread",
        "published_at": "2024-01-02",
        "text": "The bakery sold 300 loaves on Monday.",
    }
    quote = page["text"]
    sentences = [
        {"id": 1, "text": "The bakery sold 300 loaves."},
        {"id": 2, "text": "The bakery sold 900 loaves.", "lie": "figure"},
    ]
    (tmp_path / "pages.jsonl").write_text(json.dumps(page))
    (tmp_path / "sentences.jsonl").write_text(
        "\n".join(
            json.dumps(s | {"page": "a", "language": "en", "quotes": [quote]}) for s in sentences
        )
    )
    measured = await measure(tmp_path)
    found = {
        each.name.split(".", 1)[0].split("/")[-1] + each.metric: each for each in measured.figures
    }
    assert found["oddright_passed"].value == 1.0
    assert found["evenlies_refused"].value == 1.0
    assert found["evenright_passed"].sample == 0


async def test_every_quote_of_the_sets_stands_in_its_page() -> None:
    for folder in ("measured", "development"):
        lines = (SETS / folder / "pages.jsonl").read_text("utf-8").splitlines()
        pages = {page["id"]: page["text"] for page in map(json.loads, lines)}
        for line in (SETS / folder / "sentences.jsonl").read_text("utf-8").splitlines():
            row = json.loads(line)
            assert all(quote in pages[row["page"]] for quote in row["quotes"]), row
