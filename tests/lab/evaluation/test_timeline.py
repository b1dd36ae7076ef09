"""`gw eval timeline`: pages through the product's own path, counted as published."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from lab.evaluation.kinds.timeline import measure
from lab.evaluation.treebank import plain, tokenised

from groundwire.errors import InputError

ARTICLES = [
    ("2024-03-13", ["The Velden bridge collapsed on Tuesday , killing three people .", "Boats leave hourly ."]),
    ("2024-03-14", ["Three people died when the Velden bridge collapsed on Tuesday ."]),
    ("2024-04-03", ["Police arrested the builder of the Velden bridge on Tuesday ."]),
    ("2024-04-20", ["The Velden bridge collapsed on March 12 , 2024 ."]),
]  # fmt: skip
EVENTS = [
    {"date": "2024-03-12", "sents": ["The Velden bridge collapsed , killing three people ."]},
    {"date": "2024-04-02", "sents": ["The builder of the bridge was arrested ."]},
]


def lines(path: Path, rows: list[dict[str, object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(json.dumps(each) for each in rows), encoding="utf-8")


def test_a_set_with_sentences_is_scored_by_sentences_and_dates(tmp_path: Path) -> None:
    articles = [{"id": day, "pub_date": day, "sentences": parts} for day, parts in ARTICLES]
    lines(
        tmp_path / "news/articles_velden.jsonl", [*articles, {"id": "x", "pub_date": "2024-01-01"}]
    )
    lines(tmp_path / "news/timelines.jsonl", [{"topic": "velden", "events": EVENTS}])
    measured = asyncio.run(measure(tmp_path))
    found = {each.name: each.value for each in measured.figures}
    assert found["news.dates_f1"] == 1.0
    assert found["news.ar1_f1"] > 0.6
    assert {each.sample for each in measured.figures} == {1}


def test_dates_alone_and_dated_sentences_are_sets_too(tmp_path: Path) -> None:
    texts = [{"id": day, "pub_date": day, "text": "\n".join(parts)} for day, parts in ARTICLES]
    lines(tmp_path / "people/articles_velden.jsonl", texts)
    gold = {"topic": "velden", "gold_dates": ["2024-03-12", "2024-04-02"]}
    lines(tmp_path / "people/timelines.jsonl", [gold])
    dated = [{"topic": "velden", "date": day, "sentences": parts} for day, parts in ARTICLES]
    lines(tmp_path / "crisis/date_sentences_velden.jsonl", dated)
    lines(tmp_path / "crisis/timelines.jsonl", [{"topic": "velden", "events": EVENTS}])
    names = {each.name for each in asyncio.run(measure(tmp_path)).figures}
    assert names == {"people.dates_f1", "crisis.ar1_f1", "crisis.ar2_f1", "crisis.dates_f1"}


def test_a_set_without_gold_counts_nodes_and_quotes(tmp_path: Path) -> None:
    row = {"topic_id": "t", "doc_id": 1, "title": "维尔登", "time": "2024-03-13T00:00:00+00:00"}
    undated = {**row, "doc_id": 2, "time": "", "content": "维尔登大桥建于1931年。"}
    content = {"content": "维尔登大桥周二坍塌，造成三人死亡。"}
    lines(tmp_path / "articles.jsonl", [{**row, **content}, undated])
    asked = {
        "id": "t",
        "query": "维尔登大桥",
        "granularity": 1,
        "time_range": ["2024-03-01", "2024-03-31"],
    }
    lines(tmp_path / "topics.jsonl", [asked, {**asked, "id": "without articles"}])
    found = {
        each.metric: (each.value, each.sample) for each in asyncio.run(measure(tmp_path)).figures
    }
    assert found == {"nodes_made": (1.0, 1), "in_range": (1.0, 1), "cited": (1.0, 1)}


def test_a_folder_without_a_set_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        asyncio.run(measure(tmp_path))


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("On Jan. 16 , 2011 , it opened .", "On Jan. 16, 2011, it opened."),
        ("He said : `` We did n't . ''", 'He said: "We didn\'t."'),
        ("The U.N. 's part -LRB- 70 % -RRB-", "The U.N.'s part (70%)"),
        ("a full - blooded war", "a full-blooded war"),
    ],
)
def test_tokens_become_plain_text(written: str, text: str) -> None:
    assert plain(written) == text


def test_plain_text_becomes_tokens() -> None:
    text = "Tolk's bridge, opened on Jan. 16, didn't fall (7.0-magnitude)."
    tokens = "Tolk 's bridge , opened on Jan. 16 , did n't fall ( 7.0-magnitude ) ."
    assert tokenised(text) == tokens
