"""A job is a folder: everything that the rest of the house knows of it is declared in its `job.py`.

Listing the jobs imports none of them. Nothing outside `jobs/<name>` names the job.
"""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from groundwire import plugins
from groundwire.errors import IllegalState
from groundwire.model.desk import CommandBar, DeskSection, Entry
from groundwire.model.story import WORK, Step

if TYPE_CHECKING:
    from datetime import datetime

    from pydantic import BaseModel

    from groundwire.context import Context
    from groundwire.model.base import JsonObject, Value
    from groundwire.model.history import JudgedEvent
    from groundwire.model.memory import Lesson
    from groundwire.model.message import Message
    from groundwire.model.outbox import Notice
    from groundwire.model.phrase import Phrase
    from groundwire.model.run import Run
    from groundwire.model.source import Document
    from groundwire.report.reporting import JobReport
    from groundwire.settings import Settings
    from groundwire.words import Words


CALL = "tool"  # the job that is one call of one tool


def no_lessons(_result: BaseModel) -> Sequence[Lesson]:
    """Teach nothing: the job only fetches or counts, or remembers in its own way."""
    return ()


def no_event(_result: BaseModel) -> JudgedEvent | None:
    """Leave nothing in the memory of events."""
    return None


def first_text(given: JsonObject) -> str:
    """Return what a person typed: the first text of an input."""
    return next((each for each in given.values() if isinstance(each, str)), "")


def nothing_on_pages(_page: Document, _say: Words) -> JsonObject:
    """Have nothing to do with a page that somebody has read."""
    return {}


@dataclass(frozen=True)
class Intake:
    """How a job takes the messages that sources bring."""

    # What a message is to the job; `gate` holds back what is of no value, `threshold` is the
    # confidence from which a priority channel's messages pass.
    given: Callable[[Message, bool, bool, str, float | None], JsonObject]
    # The fields of the input that say how a message is taken: another way is another run.
    ways: tuple[str, ...]


@dataclass(frozen=True)
class RowColumn:
    """A column of a list of runs."""

    code: str  # its head, in words
    width: int = 0  # cells; 0: it shares what is left with what the run is about
    style: str = ""


@dataclass(frozen=True)
class RowCell:
    """What a run came to under one column: as people read it, and as programs do."""

    text: str
    word: str = ""  # the contract's own; "": the text
    tone: str = ""  # a verdict, or `failed`: it is shown as shape and colour, too


@dataclass(frozen=True)
class Row:
    """How the runs of a job stand in a list of many. Its last column holds what is remarkable: a
    list adds there what a run repeats, or why it has failed."""

    columns: tuple[RowColumn, ...]
    cells: Callable[[Run, Words], tuple[RowCell, ...]]  # under the columns, of a failed run too
    order: tuple[int, ...] = ()  # of the cells in a pipe, the last one stays; (): as they stand
    subject: str = "column.about"  # the head over what the runs are about
    counted: str = "n.runs"  # how many they are, in words

    def fields(self, run: Run, say: Words) -> list[str]:
        """Return the cells as programs read them, in their order."""
        cells = self.cells(run, say)
        return [cells[at].word or cells[at].text for at in self.order or range(len(cells))]


@dataclass(frozen=True)
class Job:
    """Declared as `JOB` in `jobs/<name>/job.py`; its settings are in `settings.py` beside it."""

    kind: str
    input: type[Value]
    result: type[BaseModel]
    run: Callable[[Context, Any], Awaitable[BaseModel]]
    draw: Callable[[], str]  # mermaid
    # What it makes of an input when `run` fell over, by the code of the failure and what it says:
    # a result all the same, degraded. None: the run has failed.
    rescue: Callable[[Context, Any, str, Phrase], Awaitable[BaseModel]] | None = None
    # What it goes through, as every door shows it while it runs.
    steps: tuple[Step, ...] = WORK
    # Its place in the command bar, and how its latest runs are listed on the desk.
    bar: CommandBar = field(default_factory=CommandBar)
    section: DeskSection | None = None
    # How its runs are listed where many are started at once; None: as `row_of` says.
    row: Row | None = None
    # To people and programs by its own name, at every door; the call of a tool is offered as the tool.
    offered: bool = True
    # One call and no more: who forgets a page forgets such a run of it as a whole.
    small: bool = False
    # What a person typed, out of a checked input: lists of runs are searched by it.
    text: Callable[[JsonObject], str] = field(default=first_text)
    # Settings of its own that a caller may set for one run, each with the most that is taken
    # where that is less than the setting itself takes.
    options: Mapping[str, int | None] = field(default_factory=dict[str, "int | None"])
    # What the desk prefers where a caller, who came by a door of this name, says nothing.
    prepare: Callable[[Settings, str], JsonObject] = lambda _settings, _door: {}
    # What it is given to look into a page that somebody has read; {}: it is not offered there.
    on_page: Callable[[Document, Words], JsonObject] = field(default=nothing_on_pages)
    # A message that is kept with the run, in one transaction.
    keeps: Callable[[Any, datetime], Message | None] = lambda _given, _at: None
    # Where messages from sources are its business.
    intake: Intake | None = None
    # What a finished result teaches.
    teaches: Callable[[Any], Sequence[Lesson]] = field(default=no_lessons)
    # What a finished result leaves in the memory of judged events.
    leaves: Callable[[Any], JudgedEvent | None] = field(default=no_event)
    # What is told of a finished result to whoever wants to be told.
    notice: Callable[[Any], Notice | None] = lambda _result: None
    # The types of what it asks a person to confirm, each by its name.
    proposals: tuple[type[Value], ...] = ()

    @property
    def subject(self) -> str:
        """The field of its input that a person writes first: the question, the message."""
        return next(iter(self.input.model_fields))


def kinds() -> tuple[str, ...]:
    """The names of all jobs: the folders beside this file, and those that `__path__` was given."""
    return _kinds_in(tuple(__path__))


@cache
def _kinds_in(folders: tuple[str, ...]) -> tuple[str, ...]:
    # Asked for by every submit and every run: the disk is looked at once.
    return tuple(sorted(each.name for each in pkgutil.iter_modules(folders) if each.ispkg))


def find(kind: str) -> Job:
    """The job of this name; an unknown one is refused with the nearest."""
    if kind not in kinds():
        raise plugins.unknown("noun.job", kind, kinds())
    found: Job = importlib.import_module(f"{__name__}.{kind}.job").JOB
    return found


def part(kind: str, name: str) -> Any:
    """Return a module of a job's folder, imported without the rest of it; None where it has none."""
    own = f"{__name__}.{kind}.{name}"
    return None if importlib.util.find_spec(own) is None else importlib.import_module(own)


def steps(kind: str) -> tuple[Step, ...]:
    """Return the steps of a job, without importing the rest of it where they have a file of their own."""
    if kind not in kinds():  # of a run that another version has stored
        return WORK
    own = part(kind, "steps")
    found: tuple[Step, ...] = find(kind).steps if own is None else own.STEPS
    return found


def offered() -> Iterator[Job]:
    """The jobs that people and programs ask for by name."""
    for kind in kinds():
        found = find(kind)
        if found.offered:
            yield found


def first() -> Job:
    """The job that somebody begins with: the first in the command bar."""
    return min(offered(), key=lambda each: (each.bar.place, each.kind))


def small() -> frozenset[str]:
    """The kinds of runs that are one call and no more."""
    return frozenset(kind for kind in kinds() if find(kind).small)


@cache
def tools() -> plugins.Folder:
    """The tools that can be called, by name."""
    return plugins.load("groundwire.tools")


def call_of(tool: str, arguments: Mapping[str, object]) -> tuple[str, JsonObject]:
    """The job that calls one tool, and what it is given to call this one."""
    return CALL, {"tool": tool, "arguments": dict(arguments)}


def for_messages() -> tuple[Job, Intake]:
    """The job that looks into the messages that sources bring, and how."""
    for each in offered():
        if each.intake is not None:
            return each, each.intake
    raise IllegalState("no job takes messages")


def about(run: Run) -> str:
    """What a run is about, in the words of who asked."""
    if run.text or run.kind not in kinds():
        return run.text or first_text(run.input) or run.kind
    # Of an older row: what is stored may be in another order than what was typed first.
    job = find(run.kind)
    return job.text({name: run.input[name] for name in job.input.model_fields if name in run.input})


def row_of(job: Job) -> Row:
    """How runs of a job stand in a list: as it declares, else how they ended and, where the desk
    lists them, too, what they came to."""
    if job.row is not None:
        return job.row
    came_to = "column.why" if job.section is None else f"{job.kind}.result"
    return Row(columns=(RowColumn("column.state", 12), RowColumn(came_to)), cells=_plain_cells)


def _plain_cells(run: Run, say: Words) -> tuple[RowCell, ...]:
    entry = entry_of(run)
    return ended(run, say), RowCell(entry.text or entry.missing)


def ended(run: Run, say: Words) -> RowCell:
    """How a run ended, in a row."""
    tone = "failed" if run.result is None else ""
    return RowCell(say.name("state", run.state), run.state, tone)


def entry_of(run: Run) -> Entry:
    """What a run came to as the desk lists it; empty where its job has no list or cannot read it."""
    from pydantic import ValidationError

    job = find(run.kind)
    if job.section is None or run.result is None:
        return Entry()
    try:
        return job.section.entry(job.result.model_validate(run.result))
    except ValidationError:  # of another version
        return Entry()


def report_of_kind(kind: str) -> JobReport:
    """How runs of a job are reported: as it declares in `jobs/<name>/report.py`, else as data."""
    from groundwire.report.data import PLAIN

    own = part(kind, "report") if kind in kinds() else None
    found: JobReport = PLAIN if own is None else own.REPORT
    return found


def report_of(run: Run) -> JobReport:
    """How a run is reported; as data where its job cannot read the result: another version may
    have stored another shape."""
    from pydantic import ValidationError

    from groundwire.report.data import PLAIN

    found = report_of_kind(run.kind)
    if found.noun is not None and run.result is not None:
        try:
            found.noun.model_validate(run.result)
        except ValidationError:
            return PLAIN
    return found
