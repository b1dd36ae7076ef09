"""watch: a standing question in, a cited brief out, and what changed since the last time."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.context import Context
from groundwire.jobs import Job, in_graph
from groundwire.jobs.watch.given import WatchInput
from groundwire.jobs.watch.phases import drawn
from groundwire.jobs.watch.proposal import Plan
from groundwire.jobs.watch.result import WatchResult
from groundwire.jobs.watch.steps import STEPS
from groundwire.jobs.watch.subject import asks_to_watch
from groundwire.model.base import JsonObject
from groundwire.model.change import Belief, Change
from groundwire.model.desk import CommandBar, DeskSection, Entry, Typed
from groundwire.model.memory import Lesson
from groundwire.model.outbox import Notice
from groundwire.model.phrase import phrase
from groundwire.model.run import Run
from groundwire.settings import Settings


def _fits(typed: Typed) -> float:
    return 0.97 if asks_to_watch(typed.text) else 0.05


def _entry(result: WatchResult) -> Entry:
    """Say what changed, kind by kind; of a first brief, and where nothing changed, what is so."""
    from groundwire.words import words

    say = words(result.language)
    told = [
        f"{say.name('watch.change', each.kind)}{say('list.colon')}{each.said_after or each.said_before}"
        for each in result.changes
        if each.told
    ]
    brief = " ".join(each.text for each in result.summary[:3])
    if not told and brief:
        code = "watch.entry.same" if result.previous else "watch.entry.first"
        told = [say(code, text=brief)]
    return Entry(
        title=result.subject or result.command,
        text=" ".join(told[:3]),
        missing=" ".join(gap.what for gap in result.gaps[:1]),
        articles=len(result.evidence),
        origins=len(result.origins),
    )


def deeper(run: Run) -> JsonObject:
    """Look again, and compare with what this run found."""
    if run.result is None or run.state not in ("complete", "degraded"):
        return {}
    return {**run.input, "previous": run.id}


BAR = CommandBar(
    field="command",
    fits=_fits,
    names=(
        "monitor",
        "track",
        "follow",
        "监控",
        "監控",
        "监测",
        "監測",
        "关注",
        "關注",
        "追踪",
        "追蹤",
        "跟踪",
        "跟蹤",
    ),
    place=25,
    examples=("watch.example.1",),
)
SECTION = DeskSection(entry=_entry, place=20, most=6)


async def run(context: Context, given: WatchInput) -> WatchResult:
    from groundwire.jobs.watch.thoughts import think

    # Before anything heavy is loaded, so that whoever follows sees that it has begun.
    begun = phrase("watch.thought.begun", command=given.command)
    await think(context.step("begin"), "idle", begun)
    return await in_graph("watch", context, given)


def teaches(result: WatchResult) -> Sequence[Lesson]:
    from groundwire.jobs.watch.ledger.teaching import lessons

    return lessons(result.claims)


def notice(result: WatchResult) -> Notice | None:
    from groundwire.jobs.watch.letter import notice_of

    return notice_of(result)


def again(given: JsonObject, schedule_id: str, previous: str) -> JsonObject:
    """Return the input of the next run, which is compared with the last that has a result."""
    return {**given, "watch": schedule_id, "previous": previous}


def believes(result: WatchResult, language: str) -> tuple[Belief, ...]:
    from groundwire.jobs.watch import standing

    return standing.believes(result, language or result.language)


def changes(result: WatchResult, language: str) -> tuple[Change, ...]:
    from groundwire.jobs.watch import standing

    return standing.changes(result, language or result.language)


def prepare(settings: Settings, _door: str) -> JsonObject:
    return {"language": settings.language}


JOB = Job(
    kind="watch",
    input=WatchInput,
    result=WatchResult,
    run=run,
    draw=drawn,
    steps=STEPS,
    bar=BAR,
    section=SECTION,
    options={"results": None, "pages": None, "words": None, "concurrency": None},
    prepare=prepare,
    deeper=deeper,
    teaches=teaches,
    notice=notice,
    proposals=(Plan,),
    standing=True,
    again=again,
    believes=believes,
    changes=changes,
)
