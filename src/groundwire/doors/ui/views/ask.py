"""How answers are shown: sentences with their marks, what is contested, what is missing."""

from __future__ import annotations

from groundwire.doors.ui.ledger import ledger
from groundwire.doors.ui.quotes import Quotes, apart
from groundwire.doors.ui.view import Paper, Seen, View
from groundwire.jobs.ask.answer import AskResult
from groundwire.language.text.script import language_of_question
from groundwire.language.text.tokens import detect_language
from groundwire.model.run import Run
from groundwire.report.sections import numbered


def _about(run: Run) -> str:
    return str(run.input.get("question", ""))


def result_of(seen: Seen) -> AskResult:
    """The answer; until it is there, what its journal has told of it."""
    run, draft = seen.run, seen.draft
    if run.result is not None:
        return AskResult.model_validate(run.result)
    question = _about(run)
    language = str(run.input.get("language", "auto"))
    if language == "auto":
        language = language_of_question(detect_language(question))
    return AskResult(
        run_id=run.id,
        status="complete",
        question=question,
        language=language,
        answer=tuple(draft.sentences.values()),
        gaps=tuple(draft.gaps),
        evidence=draft.views(),
        origins=draft.origins,
    )


def _paper(seen: Seen) -> Paper:
    result = result_of(seen)
    sides = (side for each in result.contested for side in each.sides)
    numbers = numbered((*result.answer, *sides))
    quotes = Quotes(result.run_id, result.evidence, result.origins, numbers)
    answer = [quotes.said(each) for each in result.answer]
    contested = [
        (seen.t(each.point, **each.params), [quotes.said(side) for side in each.sides])
        for each in result.contested
    ]
    return Paper(
        values={
            "result": result,
            "answer": answer,
            "contested": contested,
            "unsupported": apart(result.unsupported, seen.t),
            "expected": 0 if seen.over or answer else 4,
        },
        title=result.question,
        language=result.language,
        ledger=ledger(result.run_id, result.evidence, result.origins, quotes),
        chips=quotes.chips,
        sentences=quotes.texts,
    )


VIEW = View(
    about=_about,
    paper=_paper,
    template="views/ask.html",
)
