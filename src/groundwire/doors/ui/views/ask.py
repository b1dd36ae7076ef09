"""How answers are shown: sentences with their marks, what is contested, what is missing."""

from __future__ import annotations

from typing import cast

from groundwire.doors.ui.ledger import ledger
from groundwire.doors.ui.lines import plain_line
from groundwire.doors.ui.quotes import Quotes, apart
from groundwire.doors.ui.story import Count, Step, number
from groundwire.doors.ui.view import Paper, Seen, View, by_kind
from groundwire.jobs.ask.answer import AskResult
from groundwire.language.text.script import language_of_question
from groundwire.language.text.tokens import detect_language
from groundwire.model.base import JsonObject
from groundwire.model.call import CallLine
from groundwire.model.event import Event
from groundwire.model.run import Run
from groundwire.report.outline import sources

STEPS = (
    Step(
        "plan",
        ("thought.plan",),
        counts=(Count("queries", "queries"),),
        ends=True,
        again=True,
    ),
    Step(
        "search",
        ("progress.search",),
        counts=(Count("searches"), Count("hits", "hits"), Count("failures", "failures")),
    ),
    Step(
        "read",
        ("evidence.read", "warning.read"),
        counts=(
            Count("pages", where=("kind", "page")),
            Count("snippets", where=("kind", "snippet")),
            Count("unread", where=("instead", "nothing")),
        ),
    ),
    Step(
        "weigh",
        ("thought.weigh",),
        counts=(
            Count("origins", "origins", newest=True),
            Count("passages", "passages", newest=True),
        ),
        ends=True,
    ),
    Step("write", proofs=("answer",)),
    Step(
        "check",
        ("answer", "gap"),
        counts=(Count("sentences", on="answer", anew=True), Count("gaps", on="gap", anew=True)),
    ),
)
_PROMPTS = {"ask/plan_queries": "plan", "ask/write_answer": "write"}


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
    numbers = {each.evidence_id: each.number for each in sources(result)}
    quotes = Quotes(result.run_id, result.evidence, result.origins, numbers)
    answer = [quotes.said(each) for each in result.answer]
    contested = [
        (each.point, [quotes.said(side) for side in each.sides]) for each in result.contested
    ]
    return Paper(
        values={
            "result": result,
            "answer": answer,
            "contested": contested,
            "unsupported": apart(result.unsupported),
            "expected": 0 if seen.over or answer else 4,
        },
        title=result.question,
        language=result.language,
        ledger=ledger(result.run_id, result.evidence, result.origins, quotes),
        chips=quotes.chips,
        sentences=quotes.texts,
    )


def _line(event: Event, seen: Seen) -> str:
    payload, t = event.payload, seen.t
    match event.type, payload.get("phase"):
        case "thought", "plan":
            queries = cast("list[JsonObject]", payload.get("queries", []))
            return " · ".join(str(each.get("text", "")) for each in queries)
        case "thought", "recall":
            known = cast("list[str]", payload.get("claims", []))
            if payload.get("state") == "unavailable":
                return t("ask.line.no_memory")
            return number(t, "recalled", len(known)) if known else ""
        case "progress", "search":
            hits = number(t, "hits", int(payload.get("hits", 0)))
            failed = cast("list[JsonObject]", payload.get("failures", []))
            told = [f"{each.get('provider')}: {each.get('message')}" for each in failed]
            return " · ".join([str(payload.get("query", "")), hits, *told])
        case "thought", "weigh":
            articles, origins = int(payload.get("articles", 0)), int(payload.get("origins", 0))
            passages = number(t, "passages", int(payload.get("passages", 0)))
            return f"{seen.say.origin_line(articles, origins)} · {passages}"
        case _:
            return plain_line(event, seen)


def _step_of(call: CallLine) -> str:
    return _PROMPTS.get(call.prompt, "") if call.kind == "model" else by_kind(call)


VIEW = View(
    about=_about,
    paper=_paper,
    template="views/ask.html",
    steps=STEPS,
    line=_line,
    step_of=_step_of,
)
