"""A set of questions over the sample archive, each with the facts that an answer must have."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.reasoning.archive import passages

from groundwire.jobs.ask.write_answer import QUESTION, WriteInput, Written
from groundwire.language.text.characters import detect_language, simplify
from groundwire.model.source import NumberedPassage
from groundwire.words import words

_FILE = Path(__file__).with_name("questions.jsonl")
CASES: list[dict[str, Any]] = [json.loads(line) for line in _FILE.read_text("utf-8").splitlines()]


def written(case: dict[str, Any]) -> Written:
    question = case["q"]
    pages = _numbered(case["pages"]) if "pages" in case else passages(question)
    if not pages:  # the run says so itself: nothing was found
        return Written(sentences=(), gaps=())
    found = detect_language(question)
    return QUESTION.embedded(
        WriteInput(
            question=question,
            language=found if found in ("zh", "zh-Hant") else "en",
            today="2025-11-01",
            max_sentences=8,
            passages=pages,
        )
    )


def _numbered(texts: list[str]) -> tuple[NumberedPassage, ...]:
    return tuple(
        NumberedPassage(
            number=number,
            passage_id=f"ps_{number}",
            evidence_id=f"ev_{number}",
            title="",
            publisher=f"file {number}",
            date="",
            language=detect_language(text),
            tier="unknown",
            origin_id=f"or_{number}",
            flags=(),
            relevance=1.0,
            text=text,
        )
        for number, text in enumerate(texts, start=1)
    )


def problems(case: dict[str, Any], found: Written) -> list[str]:
    """Describe what is wrong with an answer; empty when it is as expected."""
    texts = [simplify(each.text) for each in found.sentences]
    first, whole = (texts or [""])[0], " ".join(texts)
    gaps = [f"{gap.what} {gap.why}" for gap in found.gaps]
    wrong: list[str] = []
    if case.get("none") and texts:
        wrong.append(f"answered: {first}")
    if case.get("gap") and not gaps:
        wrong.append("no gap")
    for key, text in (("first", first), ("all", whole)):
        wrong += [f"{key} lacks {w}: {text}" for w in case.get(key, ()) if not _any(w, text)]
    for key, text in (("not_first", first), ("not", whole)):
        wrong += [f"{key} has {w}: {text}" for w in case.get(key, ()) if simplify(w) in text]
    wrong += [f"gap says {w}" for w in case.get("not_gap", ()) if any(w in gap for gap in gaps)]
    say = words("en")
    points = [simplify(say(each.point, **each.params)) for each in found.contested]
    values = [simplify(value) for value in case.get("contested", ())]
    if values and not any(all(value in point for value in values) for point in points):
        wrong.append(f"not contested: {points}")
    if case.get("contested") == [] and points:
        wrong.append(f"contested: {points}")
    if case.get("script") == "hant" and texts:
        shown = [each.text for each in found.sentences]
        if any(detect_language(text) != "zh-Hant" for text in shown[:1]):
            wrong.append(f"not in traditional: {shown[0]}")
    if case.get("none_direct") and whole and not gaps:
        wrong.append(f"answered without a gap: {whole}")
    return wrong


def _any(choices: str, text: str) -> bool:
    return any(simplify(choice) in text for choice in choices.split("|"))


# Each third by default: they go the same way, and `make eval` scores them all.
_SHARE = [
    pytest.param(case, marks=() if at % 3 == 0 else pytest.mark.slow, id=case["q"][:30])
    for at, case in enumerate(CASES)
]


@pytest.mark.parametrize("case", _SHARE)
def test_the_answer_has_what_is_expected(case: dict[str, Any]) -> None:
    wrong = problems(case, written(case))
    if case.get("known_wrong"):
        # Kept in the set so that its score stays honest; remove the mark when it is answered.
        assert wrong, "answered now: remove known_wrong"
        pytest.xfail(wrong[0])
    assert wrong == []
