"""Pages of one passage each, built by hand, and the embedded reasoner's answer from them."""

from __future__ import annotations

from groundwire.jobs.ask.write_answer import QUESTION, WriteInput, Written
from groundwire.language.text.characters import detect_language
from groundwire.model.source import NumberedPassage, Tier


def page(
    text: str,
    title: str = "",
    day: str = "2024-05-01",
    *,
    tier: Tier = "established",
    flags: tuple[str, ...] = (),
    publisher: str = "",
) -> NumberedPassage:
    """Build a page; `answer` gives it its number and origin."""
    return NumberedPassage(
        number=0,
        passage_id="",
        evidence_id="",
        title=title,
        publisher=publisher,
        date=day,
        language=detect_language(text),
        tier=tier,
        origin_id="",
        flags=flags,
        relevance=1.0,
        text=text,
    )


def answer(question: str, *pages: NumberedPassage | str) -> Written:
    """Write an answer from these pages, each of an origin of its own."""
    passages = tuple(
        (page(each) if isinstance(each, str) else each).model_copy(
            update={
                "number": number,
                "passage_id": f"ps_{number}",
                "evidence_id": f"ev_{number}",
                "origin_id": f"or_{number}",
            }
        )
        for number, each in enumerate(pages, start=1)
    )
    found = detect_language(question)
    return QUESTION.embedded(
        WriteInput(
            question=question,
            language=found if found in ("zh", "zh-Hant") else "en",
            today="2025-10-01",
            max_sentences=8,
            passages=passages,
        )
    )


def first(question: str, *pages: NumberedPassage | str) -> str:
    """Return the first sentence of the answer, or an empty text."""
    return next((each.text for each in answer(question, *pages).sentences), "")
