"""A question that follows on from an earlier run: completed from it, with its evidence at hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from groundwire.context import Context
from groundwire.errors import OutsideFailure
from groundwire.evidence.questions.completion import complete
from groundwire.gather.pages import read_pages
from groundwire.jobs import first_text
from groundwire.jobs.ask.answer import Earlier
from groundwire.jobs.ask.types import State
from groundwire.model.base import Instant, Json, JsonObject, Value
from groundwire.model.phrase import phrase
from groundwire.model.query import Hit
from groundwire.model.result import Degraded
from groundwire.model.run import Run

_ARCHIVE = "archive"  # where the pages of an earlier run are read
_LONGEST = 600  # characters of what the earlier run was about


class EarlierRun(Value):
    """What a question may take from the run that it follows."""

    question: str
    understood: str = ""  # where it followed another one itself
    at: Instant
    evidence: tuple[tuple[str, str], ...] = ()  # documents with their addresses; cited ones first


async def _earlier(context: Context, run_id: str) -> EarlierRun | None:
    """Read what the earlier run was about and which pages it has; None: it is gone."""

    async def get() -> JsonObject:
        run = await context.parts.tables.runs().get(run_id)
        return {} if run is None else _of_run(run).model_dump(mode="json")

    try:
        found = await context.query("runs", {"earlier": run_id}, get)
    except OutsideFailure:  # a replay whose record lacks it
        return None
    return EarlierRun.model_validate(found) if found else None


def _of_run(run: Run) -> EarlierRun:
    """Take from a run of any job what a further question needs."""
    result: JsonObject = run.result or {}
    cited = set(_values_of(result, "evidence_id"))
    pages = [
        (str(each["document_id"]), str(each["url"]), each.get("id") in cited)
        for each in result.get("evidence", ())
        if each.get("document_id")
    ]
    after: JsonObject = result.get("after") or {}
    return EarlierRun(
        question=" ".join((run.text or first_text(run.input)).split())[:_LONGEST],
        understood=str(after.get("understood", "")),
        at=run.now,
        evidence=tuple(each[:2] for each in sorted(pages, key=lambda each: not each[2])),
    )


def _values_of(value: Json, name: str) -> Iterator[str]:
    """Yield the values of a field, at whatever depth."""
    if isinstance(value, dict):
        for key, each in cast(JsonObject, value).items():
            if key == name and isinstance(each, str):
                yield each
            else:
                yield from _values_of(each, name)
    elif isinstance(value, list):
        for each in cast("list[Json]", value):
            yield from _values_of(each, name)


async def look_back(context: Context, state: State) -> dict[str, Any]:
    """Take what the earlier run read, and complete the question by that of the earlier run."""
    run_id = state.given.after
    if not run_id:
        return {}
    earlier = await _earlier(context, run_id)
    if earlier is None:
        gone = phrase("error.no_run", run=run_id)
        lost = Degraded.of("earlier_run", "missing", gone, phrase("ask.instead.alone"))
        return {"degraded": (*state.degraded, lost)}
    typed = state.given.question
    again = typed in (earlier.question, earlier.understood)
    question = typed
    if not again:
        question = complete(typed, earlier.understood or earlier.question, earlier.at.date())
    hits = [
        Hit(title="", url=url, content="", provider=_ARCHIVE, rank=rank, document_id=document_id)
        for rank, (document_id, url) in enumerate(earlier.evidence[: state.limits.pages])
    ]
    says = phrase("ask.line.after", question=earlier.question, n=len(hits))
    await context.emit("thought", {"phase": "look_back", "run": run_id, "says": says.model_dump()})
    # A page that was forgotten since is announced as such, and searched for like any other.
    pages = await read_pages(context, hits)
    evidence = {each.evidence.id: each.evidence for each in pages if each.evidence is not None}
    return {
        "given": state.given.model_copy(update={"question": question}),
        "after": Earlier(
            run_id=run_id,
            question=earlier.question,
            typed=typed,
            understood=question if question != typed else "",
            deeper=state.given.deep if again else 0,
        ),
        "evidence": tuple(evidence.values()),
    }
