"""Marks of models, on both databases: one row for each model, question, prompt and set of items."""

from __future__ import annotations

from groundwire.model.exam import Marks
from groundwire.store import Store

from .make import NOW


def marks_of(model: str = "openai:m", **changes: object) -> Marks:
    values: dict[str, object] = {
        "model": model, "question": "quiz/是偶数", "prompts": "p1", "items": "i1", "reader": "r1",
        "count": 24, "failures": 1, "score": 0.75, "low": 0.55, "high": 0.88, "embedded": 0.5,
        "ahead_low": -0.05, "ahead_high": 0.5, "cost_micro": 1200, "taken_at": NOW,
        "run_id": "exam-1", "scores": (1.0, 0.5, 0.0),
    }  # fmt: skip
    return Marks.model_validate({**values, **changes})


def key(marks: Marks, **changes: str) -> dict[str, str]:
    return {**marks.model_dump(include={"model", "question", "prompts", "items"}), **changes}


async def test_what_is_kept_comes_back_as_it_was(store: Store) -> None:
    taken = marks_of()
    assert await store.exams.marks(**key(taken)) is None
    await store.exams.keep(taken)
    assert await store.exams.marks(**key(taken)) == taken


async def test_of_another_prompt_other_items_or_another_model_there_are_none(store: Store) -> None:
    taken = marks_of()
    await store.exams.keep(taken)
    for changed in ({"prompts": "p2"}, {"items": "i2"}, {"model": "o:x"}, {"question": "q"}):
        assert await store.exams.marks(**key(taken, **changed)) is None


async def test_an_exam_taken_again_replaces_its_marks(store: Store) -> None:
    await store.exams.keep(marks_of())
    again = marks_of(score=0.9, run_id="exam-2", scores=(1.0,))
    await store.exams.keep(again)
    await store.exams.keep(marks_of("a:first"))
    assert [each.model for each in await store.exams.all_marks()] == ["a:first", "openai:m"]
    assert await store.exams.marks(**key(again)) == again
