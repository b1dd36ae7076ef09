"""A job is a folder: everything the rest of the product knows of it is declared in its `job.py`.

Listing the jobs imports none of them. Nothing outside `jobs/<name>` names the job.
"""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from groundwire import plugins
from groundwire.errors import IllegalState
from groundwire.model.desk import CommandBar, DeskSection, Entry
from groundwire.model.story import WORK, Step

if TYPE_CHECKING:
    from datetime import datetime

    from pydantic import BaseModel

    from groundwire.context import Context
    from groundwire.model.base import JsonObject, Value
    from groundwire.model.change import Belief, Change
    from groundwire.model.history import JudgedEvent
    from groundwire.model.memory import Lesson
    from groundwire.model.message import Message
    from groundwire.model.outbox import Notice
    from groundwire.model.phrase import Phrase
    from groundwire.model.run import Run
    from groundwire.model.source import Document
    from groundwire.reasoning.question import Question
    from groundwire.report.reporting import JobReport
    from groundwire.settings import Settings
    from groundwire.words import Words


T = TypeVar("T")
CALL = "tool"  # the job that is one call of one tool
_EXAM = "exam"  # the job in which models sit exams


def first_text(given: JsonObject) -> str:
    """Return what a person typed: the first text of an input."""
    return next((each for each in given.values() if isinstance(each, str)), "")


@dataclass(frozen=True)
class Intake:
    """How a job takes the messages that sources bring."""

    # The job's input for a message. `gate` holds back what is of no value; `threshold` is the
    # confidence from which a priority channel's messages pass.
    given: Callable[[Message, bool, bool, str, float | None], JsonObject]
    # The input fields that say how a message is taken: a different value is a different run.
    ways: tuple[str, ...]
    # The path that a message took, by its finished run; `failed` where there is no result.
    path_of: Callable[[Run], str]


@dataclass(frozen=True)
class RowColumn:
    """A column of a list of runs."""

    code: str  # its head, in words
    width: int = 0  # cells; 0: it shares the remaining width with the subject column
    style: str = ""


@dataclass(frozen=True)
class RowCell:
    """What one column says of a run: as people read it, and as programs do."""

    text: str
    word: str = ""  # the contract's word for it; "": the text
    tone: str = ""  # a verdict, or `failed`: shown as shape and colour, too


@dataclass(frozen=True)
class Row:
    """How the runs of a job are listed where there are many. A list adds to the last column what a
    run repeats, or why it failed."""

    columns: tuple[RowColumn, ...]
    cells: Callable[[Run, Words], tuple[RowCell, ...]]  # under the columns, of a failed run too
    order: tuple[int, ...] = ()  # of the cells in a pipe, the last one stays; (): unchanged
    subject: str = "column.about"  # the head of the column with what the runs are about
    counted: str = "n.runs"  # how many they are, in words

    def fields(self, run: Run, say: Words) -> list[str]:
        """Return the cells as programs read them, in their order."""
        cells = self.cells(run, say)
        return [cells[at].word or cells[at].text for at in self.order or range(len(cells))]


@dataclass(frozen=True)
class Places:
    """How a job is confined to the documents of a place: by which fields, and which of them a place sets."""

    fields: tuple[str, ...]  # a person names the place instead
    of: Callable[[str], JsonObject]


@dataclass(frozen=True)
class Job:
    """Declared as `JOB` in `jobs/<name>/job.py`; its settings are in `settings.py` beside it."""

    kind: str
    input: type[Value]
    result: type[BaseModel]
    run: Callable[[Context, Any], Awaitable[BaseModel]]
    draw: Callable[[], str]  # mermaid
    # Makes a degraded result after `run` crashed, from the code and the phrase of the failure.
    # None: the run has failed.
    rescue: Callable[[Context, Any, str, Phrase], Awaitable[BaseModel]] | None = None
    # Its steps, as every door shows them while it runs.
    steps: tuple[Step, ...] = WORK
    # Its place in the command bar, and how its latest runs are listed on the desk.
    bar: CommandBar = field(default_factory=CommandBar)
    section: DeskSection | None = None
    # How its runs are listed where many are started at once; None: as `row_of` says.
    row: Row | None = None
    # Offered by its own name at every door; a tool call is offered as the tool instead.
    offered: bool = True
    # One call and no more: forgetting a page forgets such a run of it as a whole.
    small: bool = False
    # Returns what a person typed, from a checked input: lists of runs are searched by it.
    text: Callable[[JsonObject], str] = field(default=first_text)
    # Its settings that a caller may set for one run, each with its maximum where that is lower
    # than the setting's own.
    options: Mapping[str, int | None] = field(default_factory=dict[str, "int | None"])
    # Returns the desk's defaults for what a caller at the named door leaves open.
    prepare: Callable[[Settings, str], JsonObject] = lambda _settings, _door: {}
    # Returns the input to look into a page that somebody has read; {}: not offered there.
    on_page: Callable[[Document, Words], JsonObject] | None = None
    # Returns the input fields of a further question on a finished run, of this job or another, but
    # the subject, which a person types; {}: not offered. In words: `KIND.follow_up`, `.label`, `.why`.
    follow_up: Callable[[Run], JsonObject] | None = None
    # Returns the input that looks further into what a finished run of its own was about; {}: it
    # went as far as it can. In words: `KIND.deeper`, `.why`.
    deeper: Callable[[Run], JsonObject] | None = None
    # Returns the input to look into one sentence of a result, and when the newest page was published
    # that it rests on. In words: `KIND.sentence`, `.why`.
    on_sentence: Callable[[str, datetime | None], JsonObject] | None = None
    # Returns the message to store with the run, in one transaction.
    keeps: Callable[[Any, datetime], Message | None] = lambda _given, _at: None
    # Set where it takes messages from sources.
    intake: Intake | None = None
    # What a finished result teaches.
    teaches: Callable[[Any], Sequence[Lesson]] | None = None
    # What a finished result adds to the memory of judged events.
    leaves: Callable[[Any], JudgedEvent] | None = None
    # What subscribers are told of a finished result; None: nothing is to be told.
    notice: Callable[[Any], Notice | None] = lambda _result: None
    # Returns the input of the next run of a standing run from the one that it was made with, its id,
    # and the id of its last run that has a result; "": there is none yet.
    again: Callable[[JsonObject, str, str], JsonObject] = lambda given, _schedule, _previous: given
    # What a result says now, claim by claim, and what it found changed: for pages over time.
    # None: it does not look for changes.
    # The names of values are told in the reader's language; "": the one of the result.
    believes: Callable[[Any, str], tuple[Belief, ...]] = lambda _result, _language: ()
    changes: Callable[[Any, str], tuple[Change, ...]] | None = None
    # Its command has those of standing runs besides: add, list, run …
    standing: bool = False
    # Where it can be confined to the documents of a place: `gw KIND TEXT --from PLACE`.
    confined: Places | None = None
    # The types that it asks a person to confirm.
    proposals: tuple[type[Value], ...] = ()

    @property
    def subject(self) -> str:
        """The field of its input that a person writes first: the question, the message."""
        return next(iter(self.input.model_fields))


def kinds() -> tuple[str, ...]:
    """List the names of all jobs: the folders beside this file, and those on `__path__`."""
    return _kinds_in(tuple(__path__))


@cache
def _kinds_in(folders: tuple[str, ...]) -> tuple[str, ...]:
    # Every submit and every run asks; the disk is read once.
    return tuple(sorted(each.name for each in pkgutil.iter_modules(folders) if each.ispkg))


def find(kind: str) -> Job:
    """Return the job of this name; an unknown name is refused with the nearest one."""
    if kind not in kinds():
        raise plugins.unknown("noun.job", kind, kinds())
    found: Job = importlib.import_module(f"{__name__}.{kind}.job").JOB
    return found


def part(kind: str, name: str) -> Any:
    """Return a module of a job's folder, imported without the rest of it; None where it has none."""
    module_name = f"{__name__}.{kind}.{name}"
    return (
        None
        if importlib.util.find_spec(module_name) is None
        else importlib.import_module(module_name)
    )


def drawn(kind: str) -> str:
    """Draw what `graph.py` of a job builds, as Mermaid."""
    return str(part(kind, "graph").build().get_graph().draw_mermaid())


async def in_graph(kind: str, context: Context, given: Value) -> Any:
    """Run what `graph.py` of a job builds. LangGraph takes a second to import: in a thread, so that
    followers of this run and others see the first event at once."""
    import asyncio

    graph = await asyncio.to_thread(part, kind, "graph")
    return await graph.run(context, given)


def steps(kind: str) -> tuple[Step, ...]:
    """Return the steps of a job, from `steps.py` where it has one, without importing the rest."""
    if kind not in kinds():  # of a run that another version has stored
        return WORK
    module = part(kind, "steps")
    found: tuple[Step, ...] = find(kind).steps if module is None else module.STEPS
    return found


class Phases(NamedTuple):
    """The phases of a job: where each stands in a picture, and the moves between them."""

    places: Mapping[str, tuple[int, int]]  # column and row
    moves: Mapping[str, frozenset[str]]


def phases(kind: str) -> Phases | None:
    """Return the phases of a job, from `phases.py` where it has one."""
    module = part(kind, "phases") if kind in kinds() else None
    return None if module is None else Phases(module.PLACES, module.MOVES)


def offered() -> Iterator[Job]:
    """Yield the jobs that people and programs ask for by name."""
    for kind in kinds():
        found = find(kind)
        if found.offered:
            yield found


def standing() -> str:
    """Return the kind of the job that is meant to be kept on a schedule; the first where none is."""
    return next((each.kind for each in offered() if each.standing), first().kind)


def first() -> Job:
    """Return the job that comes first in the command bar."""
    return min(offered(), key=lambda each: (each.bar.place, each.kind))


def small() -> frozenset[str]:
    """Return the kinds of runs that are one call and no more."""
    return frozenset(kind for kind in kinds() if find(kind).small)


def examined() -> tuple[Question[Any, Any], ...]:
    """Return every question with an exam, by name: a job's own, and those that several jobs ask."""
    from groundwire.llm.prompts import names

    found: list[Question[Any, Any]] = []
    for name in names():
        group, _, question = name.partition("/")
        home = f"{__name__}.{group}" if group in kinds() else "groundwire.reasoning"
        if importlib.util.find_spec(f"{home}.{question}") is None:
            continue  # a prompt that is no question: that of repairs
        declared = getattr(importlib.import_module(f"{home}.{question}"), "QUESTION", None)
        if declared is not None and declared.exam is not None:
            found.append(declared)
    return tuple(found)


@cache
def tools() -> plugins.Folder:
    """Load the tools that can be called, by name."""
    return plugins.load("groundwire.tools")


def call_of(tool: str, arguments: Mapping[str, object]) -> tuple[str, JsonObject]:
    """Return the job that calls one tool, and its input to call this one."""
    return CALL, {"tool": tool, "arguments": dict(arguments)}


def exam_of(model: str, questions: Sequence[str], again: bool) -> tuple[str, JsonObject]:
    """Return the job in which models sit exams, and its input for these."""
    return _EXAM, {"model": model, "questions": list(questions), "again": again}


def for_messages() -> tuple[Job, Intake]:
    """Return the job that takes the messages of sources, and how it takes them."""
    for each in offered():
        if each.intake is not None:
            return each, each.intake
    raise IllegalState("no job takes messages")


def about(run: Run) -> str:
    """Tell what a run is about, in the words of whoever asked."""
    if run.text or run.kind not in kinds():
        return run.text or first_text(run.input) or run.kind
    # An older row: its stored order may not be the order of the input's fields.
    job = find(run.kind)
    return job.text({name: run.input[name] for name in job.input.model_fields if name in run.input})


def row_of(job: Job) -> Row:
    """Return how runs of a job are listed: as it declares, else by state and outcome."""
    if job.row is not None:
        return job.row
    outcome = "column.why" if job.section is None else f"{job.kind}.result"
    return Row(columns=(RowColumn("column.state", 12), RowColumn(outcome)), cells=_plain_cells)


def _plain_cells(run: Run, say: Words) -> tuple[RowCell, ...]:
    entry = entry_of(run) or Entry()
    return ended(run, say), RowCell(entry.text or entry.missing)


def ended(run: Run, say: Words) -> RowCell:
    """Make the cell that tells how a run ended."""
    tone = "failed" if run.result is None else ""
    return RowCell(say.name("state", run.state), run.state, tone)


def entry_of(run: Run) -> Entry | None:
    """Return a run's entry on the desk; None where its job has none or cannot read the result."""
    from pydantic import ValidationError

    job = find(run.kind)
    if job.section is None or run.result is None:
        return None
    try:
        return job.section.entry(job.result.model_validate(run.result))
    except ValidationError:  # of another version
        return None


def beliefs_of(run: Run, language: str = "") -> tuple[Belief, ...]:
    """Return what a run's result says, claim by claim; () where its job has no such thing."""
    believes = find(run.kind).believes if run.kind in kinds() else None
    return () if believes is None else _of_result(run, lambda each: believes(each, language)) or ()


def changes_of(run: Run, language: str = "") -> tuple[Change, ...]:
    """Return what a run found changed; () where its job has no such thing."""
    changes = find(run.kind).changes if run.kind in kinds() else None
    return () if changes is None else _of_result(run, lambda each: changes(each, language)) or ()


def calls_for_notice(run: Run) -> bool:
    """Tell whether a run found something that people are to be told."""
    if run.kind not in kinds() or run.state not in ("complete", "degraded"):
        return False
    return _of_result(run, find(run.kind).notice) is not None


def _of_result(run: Run, of: Callable[[Any], T]) -> T | None:
    from pydantic import ValidationError

    if run.result is None:
        return None
    try:
        return of(find(run.kind).result.model_validate(run.result))
    except ValidationError:  # of another version
        return None


def report_of_kind(kind: str) -> JobReport:
    """Return a job's `REPORT` from `jobs/<name>/report.py`, else the one that shows plain data."""
    from groundwire.report.data import PLAIN

    module = part(kind, "report") if kind in kinds() else None
    found: JobReport = PLAIN if module is None else module.REPORT
    return found


def report_of(run: Run) -> JobReport:
    """Return how a run is reported: as plain data if its job cannot read the stored result."""
    from pydantic import ValidationError

    from groundwire.report.data import PLAIN

    found = report_of_kind(run.kind)
    if found.noun is not None and run.result is not None:
        try:
            found.noun.model_validate(run.result)
        except ValidationError:
            return PLAIN
    return found
