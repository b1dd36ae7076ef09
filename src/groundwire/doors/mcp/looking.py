"""Tools that read what is stored: memory, runs, and the pages of evidence."""

from __future__ import annotations

from typing import TypeVar

from pydantic import Field

from groundwire.doors.mcp.running import DATA, find_run, readable
from groundwire.doors.mcp.visit import Answer, Visit
from groundwire.errors import InputError, NotFoundHere
from groundwire.jobs import about, kinds
from groundwire.jobs import find as job
from groundwire.model.base import Instant, JsonObject, Published, Value
from groundwire.model.memory import MemoryQuery, Recollection
from groundwire.model.run import Run, RunFilter, RunState
from groundwire.model.source import DateSource, Document, publisher_name
from groundwire.report.plain import cut, keep_layout, one_line
from groundwire.words import words

R = TypeVar("R", bound="RunLine")
_ABOUT = 120  # characters of what a run is about


class RunLine(Value):
    """A run in a list."""

    id: str
    kind: str
    state: RunState
    about: str
    created_at: Instant
    finished_at: Instant | None


class StoredRun(RunLine):
    """A run and its result."""

    input: JsonObject
    attempt: int
    error: str | None
    digest: str | None
    result: JsonObject | None


class Page(Value):
    """A stored page, and the stretch of its text that is shown."""

    id: str
    url: str
    title: str
    publisher: str
    author: str | None
    published_at: Published | None
    published_how: DateSource
    language: str
    fetched_at: Instant
    sha256: str  # of the whole text, UTF-8
    sample: bool
    length: int
    start: int
    end: int
    text: str


class Recall(MemoryQuery):
    """A query to memory. `as_of` is when we believed it, `about` when it was true."""

    text: str = Field(default="", max_length=4000)
    subject: str | None = Field(default=None, max_length=400)


class RunsWanted(Value):
    """Which runs; newest first."""

    kind: str | None = Field(default=None, max_length=40, description=", ".join(kinds()))
    state: RunState | None = None
    text: str = Field(default="", max_length=400, description="stands somewhere in the input")
    cursor: str | None = Field(default=None, max_length=400, description="`next` of the last page")
    limit: int = Field(default=20, ge=1, le=50)


class RunList(Value):
    """Runs, and where the next page begins."""

    runs: tuple[RunLine, ...]
    next: str | None


class RunWanted(Value):
    """Which run."""

    run_id: str = Field(min_length=1, max_length=80)


class PageWanted(Value):
    """Which page, by the `id` or `document_id` of evidence, and which stretch of it."""

    id: str = Field(min_length=1, max_length=80)
    start: int = Field(default=0, ge=0, description="a citation says where its quote begins")
    length: int = Field(default=20_000, ge=1, le=100_000)


async def recall_memory(visit: Visit, given: Recall) -> Answer:
    """Recall what is believed about something, or was at a past moment, and on what grounds."""
    if not given.text.strip() and not (given.subject or "").strip():
        raise InputError("error.nothing_asked", hint="hint.text_or_subject")
    held: Recollection = await visit.app.memory.recall(given)
    lines = [f"- {one_line(entry.claim.text)} ({entry.standing.state})" for entry in held.entries]
    say = words("en")
    none = "Nothing is remembered." if held.state == "ok" else say(held.reason, **held.params)
    text = "\n".join([DATA, "", *(lines or [none])])
    return Answer(text, held.model_dump(mode="json"), failed=held.state == "unavailable")


async def list_runs(visit: Visit, given: RunsWanted) -> Answer:
    """List the runs of this caller, newest first."""
    if given.kind is not None:
        job(given.kind)  # an unknown one is refused with the nearest
    listed = await runs_of(visit, given)
    lines = [f"- {each.id} · {each.state} · {each.about}" for each in listed.runs]
    more = ["", f"More with cursor {listed.next}"] if listed.next else []
    return Answer(
        "\n".join([*(lines or ["There are none."]), *more]), listed.model_dump(mode="json")
    )


async def show_run(visit: Visit, given: RunWanted) -> Answer:
    """Show a run, in whatever state it is, with its report."""
    run = await find_run(visit, given.run_id)
    shown = stored_run(run)
    head = f"{run.kind} · run {run.id} · {run.state}. {DATA}"
    return Answer(f"{head}\n\n{readable(run)}", shown.model_dump(mode="json"), run_id=run.id)


async def show_evidence(visit: Visit, given: PageWanted) -> Answer:
    """Show a stored page as it was read: where a quote stands."""
    page = page_of(await stored_page(visit, given.id), given.start, given.length)
    quoted = "\n".join(f"> {line}" for line in keep_layout(page.text).split("\n"))
    names = (page.title, publisher_name(page.publisher, words("en")), page.url)
    head = " · ".join(map(one_line, names))
    span = f"Characters {page.start} to {page.end} of {page.length}. {DATA}"
    return Answer(f"{head}\n{span}\n\n{quoted}", page.model_dump(mode="json"))


async def runs_of(visit: Visit, wanted: RunsWanted) -> RunList:
    about = wanted.model_dump(include={"kind", "state", "text"})
    chosen = RunFilter(owner=visit.who.sees, **about)
    page = await visit.app.runs.page(chosen, wanted.cursor, wanted.limit)
    return RunList(runs=tuple(line_of(run) for run in page.runs), next=page.next)


def line_of(run: Run) -> RunLine:
    """Return a run as one short line."""
    return _told(run, RunLine)


def stored_run(run: Run) -> StoredRun:
    """Return what a client may know of a run: no seed, no lease, no settings of the desk."""
    error = None if run.error is None else words("en").stored(run.error)
    return _told(run.model_copy(update={"error": error}), StoredRun)


def _told(run: Run, shape: type[R]) -> R:
    held = run.model_dump(include=set(shape.model_fields) - {"about"})
    return shape(**held, about=cut(one_line(about(run)), _ABOUT))


async def stored_page(visit: Visit, name: str) -> Document:
    """Find a stored page; evidence is shared by the whole desk."""
    document = await visit.app.archive.named(visit.who, name.replace("\0", ""))
    if document is None:
        raise NotFoundHere("error.no_evidence_id", name=name[:80], hint="hint.evidence_ids")
    return document


def page_of(document: Document, start: int = 0, length: int | None = None) -> Page:
    start = min(start, len(document.text))
    end = len(document.text) if length is None else min(start + length, len(document.text))
    fields = document.model_dump(include=set(Page.model_fields) - {"text", "url"})
    return Page(
        **fields,
        url=document.canonical_url,
        length=len(document.text),
        start=start,
        end=end,
        text=document.text[start:end],
    )
