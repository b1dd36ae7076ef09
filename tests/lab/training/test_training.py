"""How the reader is trained: edits that do what they say, folds that share nothing, heads that keep their signs."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from lab.training.heads import columns
from lab.training.pairs import HEADS, LANGUAGES, Pair, articles, generate
from lab.training.sets import public

from groundwire.evidence.reading.features import NAMES
from groundwire.evidence.reading.trees import HEADS as HEAD_NAMES
from lab.training import chinese, english

WORDS = frozenset(["approve", "close", "buy", "cut", "raise", "deny", "visit", "announce"])


def rng() -> random.Random:
    return random.Random(7)


@pytest.mark.parametrize(
    "text",
    [
        "The council approved the bridge.",
        "The bridge was closed in May.",
        "The council will close the bridge.",
    ],
)
def test_an_english_sentence_is_negated_at_its_verb(text: str) -> None:
    found = english.negate(text, rng(), WORDS)
    assert found is not None
    assert found != text
    assert any(
        sign in found
        for sign in ("not", "n't", "never", "failed", "refused", "unable", "declined", "in no way")
    )


@pytest.mark.parametrize(
    "text", ["市议会批准了这座桥。", "该公司将收购北辰银行。", "他是这家公司的创始人。"]
)
def test_a_chinese_sentence_is_negated_at_its_verb(text: str) -> None:
    found = chinese.negate(text, rng())
    assert found is not None
    assert any(sign in found for sign in ("没", "未", "不", "非", "拒绝", "无意"))


def test_another_day_is_another_day() -> None:
    assert english.other_day("It opened on March 3.", rng()) not in (None, "It opened on March 3.")
    assert chinese.other_day("大桥于2023年3月10日通车。", rng()) not in (
        None,
        "大桥于2023年3月10日通车。",
    )


def test_every_kind_is_made_in_every_language_from_the_sample_alone() -> None:
    made = generate(articles(None), seed=3, most=60)
    kinds = {pair.kind for pair in made}
    assert {
        "same",
        "negated_claim",
        "negated_passage",
        "negated_both",
        "roles",
        "passive",
        "figure",
        "not_that_figure",
    } <= kinds
    assert {
        "date",
        "name",
        "hedged",
        "retold",
        "checked_false",
        "denied",
        "denied_other",
        "planned",
        "opposite",
    } <= kinds
    for language in LANGUAGES:
        assert {"negated_claim", "checked_false", "roles"} <= {
            p.kind for p in made if p.language == language
        }
    assert all(pair.label in HEADS for pair in made)
    assert any(pair.unseen for pair in made)


def test_generation_is_the_same_every_time() -> None:
    found = articles(None)
    assert generate(found, seed=3, most=8) == generate(found, seed=3, most=8)


def test_each_head_looks_at_known_features_once() -> None:
    for head in HEAD_NAMES:
        places, directions = columns(head)
        assert len(places) == len(set(places)) == len(directions)
        assert max(places) < len(NAMES)
        assert set(directions) <= {-1, 0, 1}


def test_sets_are_read_with_their_own_names_for_stances(tmp_path: Path) -> None:
    folder = tmp_path / "verify" / "fever_symmetric"
    folder.mkdir(parents=True)
    (folder / "dev.jsonl").write_text(
        '{"claim": "A.", "evidence": "B.", "label": "contradicts"}\n', "utf-8"
    )
    assert public(tmp_path) == {
        "fever_symmetric": [Pair("fever_symmetric", "en", "A.", "B.", "contradicts", "")]
    }


def test_folds_keep_what_shares_a_claim_or_a_passage_together() -> None:
    pytest.importorskip("lightgbm")
    from lab.training.reader import folds

    pairs = [
        Pair("s", "en", claim, passage, "supports", "")
        for claim, passage in (
            ("a", "1"),
            ("a", "2"),
            ("b", "2"),
            ("c", "3"),
            ("d", "3"),
            ("e", "4"),
        )
    ]
    found = folds(pairs)
    assert found[0] == found[1] == found[2]
    assert found[3] == found[4]


def test_a_retrained_reader_is_written_with_its_origin_and_one_table(tmp_path: Path) -> None:
    pytest.importorskip("lightgbm")
    from lab.training.reader import train

    from groundwire.evidence.reading.trees import parse

    lines = train(tmp_path, tmp_path / "reader.json", sentences=25)
    assert any(line.startswith("negated_claim") for line in lines)
    learned = parse((tmp_path / "reader.json").read_text("utf-8"))
    assert learned.names == NAMES
    assert learned.origin
