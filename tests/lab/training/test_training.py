"""What the encoders learn from: edits that do what they say, and public sets by their own names."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from lab.training.pairs import LANGUAGES, Pair, articles, generate
from lab.training.sets import asked, kept_back, learned

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
    labels = {"supports", "contradicts", "qualifies", "unrelated", "other"}
    assert {pair.label for pair in made} == labels
    assert any(pair.unseen for pair in made)


def test_generation_is_the_same_every_time() -> None:
    found = articles(None)
    assert generate(found, seed=3, most=8) == generate(found, seed=3, most=8)


def test_a_claim_of_a_public_set_is_either_learned_or_asked(tmp_path: Path) -> None:
    folder = tmp_path / "verify" / "fever_symmetric"
    folder.mkdir(parents=True)
    claims = [f"Claim {number}." for number in range(20)]
    (folder / "dev.jsonl").write_text(
        "".join(
            f'{{"claim": "{claim}", "evidence": "B.", "label": "contradicts"}}\n'
            for claim in claims
        ),
        "utf-8",
    )
    (taught,), (tested,) = learned(tmp_path).values(), asked(tmp_path).values()
    assert tested == [
        Pair("fever_symmetric", "en", claim, "B.", "contradicts", "")
        for claim in claims
        if kept_back(claim)
    ]
    assert {pair.claim for pair in taught} == set(claims) - {pair.claim for pair in tested}
    assert tested
