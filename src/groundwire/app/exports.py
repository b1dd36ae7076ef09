"""A run as it leaves the desk: gathered, redacted, rendered in one of its forms, bundled, replayed."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, TypeVar

from groundwire import plugins
from groundwire.errors import IllegalState, InputError, TooBig
from groundwire.evidence.pages.passages import split
from groundwire.jobs import find as job
from groundwire.jobs import kinds, report_of, report_of_kind
from groundwire.log import Redactor
from groundwire.model.base import JsonObject, Value
from groundwire.model.call import CallRecord
from groundwire.model.claim import Citation, Claim
from groundwire.model.phrase import phrase
from groundwire.model.result import Sentence
from groundwire.model.run import FINISHED, Run
from groundwire.model.source import Document, Passage
from groundwire.report import markdown
from groundwire.report.bundle import Bundle
from groundwire.report.bundle import write as write_bundle
from groundwire.report.forms import FORMS, Form
from groundwire.report.reporting import JobReport
from groundwire.runs.replay import BundleIndex, BundleLedger, Replayed, replay
from groundwire.versions import versions

if TYPE_CHECKING:
    from groundwire.app import App

N = TypeVar("N", bound=Value)
_SECONDS = 120  # that rendering may take
BUNDLE = "bundle"  # the one form that needs more than the run


class Exported(Value):
    """A run as a file."""

    name: str
    media_type: str
    data: bytes


async def export(app: App, run: Run, form: str) -> Exported:
    """Export a finished run in one of its forms, without known secrets, for any door."""
    chosen = find_form(form)
    if run.state not in FINISHED:
        state = phrase(f"state.{run.state}")
        raise InputError("error.not_exportable", run=run.id, state=state, hint="hint.follow")
    if form == BUNDLE:
        data = await asyncio.to_thread(write_bundle, await bundle_of(app, run))
    else:
        data = await _rendered(app, run, chosen)
    return Exported(name=f"{run.id}{chosen.suffix}", media_type=chosen.media_type, data=data)


def forms() -> dict[str, Form]:
    """Return every form by its name: the shared ones, those that jobs add, and the bundle."""
    added = {name: form for kind in kinds() for name, form in report_of_kind(kind).forms.items()}
    return {**FORMS, **added, BUNDLE: Form(".zip", "application/zip", _bundled)}


def find_form(name: str) -> Form:
    """Look up the form of this name; an unknown one is refused with the nearest."""
    known = forms()
    if name not in known:
        raise plugins.unknown("noun.format", name, known)
    return known[name]


def forms_of(run: Run) -> tuple[str, ...]:
    """List the forms that a run has: none before its end, and not every result has a picture."""
    if run.state not in FINISHED:
        return ()
    report = report_of(run)
    available = {**FORMS, **report.forms}
    return (*(name for name, form in available.items() if form.fits(report)), BUNDLE)


def form_named(path: PurePath) -> str | None:
    """Find the form that a file's name asks for, by its ending."""
    ending = path.suffix.lower()
    return next((name for name, form in forms().items() if form.suffix == ending), None)


def shown_row(app: App, run: Run) -> Run:
    """Return the run as it may leave: without known secrets and the machine that executed it."""
    return _masked(app.known, run.model_copy(update={"lease_owner": None, "lease_until": None}))


async def _rendered(app: App, run: Run, form: Form) -> bytes:
    """Render a run off the event loop; give up when it takes too long."""
    row = shown_row(app, run)
    try:
        async with asyncio.timeout(_SECONDS):
            return await asyncio.to_thread(form.render, row, report_of(row))
    except TimeoutError:
        raise TooBig(
            "error.export_too_long", run=run.id, seconds=_SECONDS, hint="hint.other_forms"
        ) from None


def _bundled(run: Run, _job: JobReport) -> bytes:
    raise IllegalState(f"a bundle of {run.id} needs more than the run")


async def bundle_of(app: App, run: Run) -> Bundle:
    """Gather everything that checks and replays the run elsewhere, without secrets.

    Events and calls lose known secrets and whatever has the shape of one. Pages, and what quotes
    them, lose known secrets only: a public page that shows what a key looks like must keep its
    words, or its quotes would no longer be found.
    """
    records = await app.runs.calls(run.id)
    pages = [_masked(app.known, page) for page in await _pages(app, run, records)]
    row = shown_row(app, run)
    return Bundle(
        run=row,
        events=tuple([_masked(app.redactor, event) async for event in app.runs.journal(run.id)]),
        calls=tuple(_masked(app.redactor, record) for record in records),
        pages=tuple(pages),
        claims=tuple(claim.model_dump(mode="json") for claim in claims_of(row, pages)),
        report=markdown_of(row),
    )


def _masked(redactor: Redactor, noun: N) -> N:
    value = noun.model_dump(mode="json")
    masked = redactor.value(value)
    return noun if masked == value else type(noun).model_validate(masked)


async def _pages(app: App, run: Run, records: Sequence[CallRecord]) -> list[Document]:
    """Collect the documents of evidence and of fetches and, for a run without a result, of hits."""
    holders: list[JsonObject] = [*(run.result or {}).get("evidence", [])]
    for record in records:
        response = record.response or {}
        if record.kind in ("fetch", "read"):
            holders.append(response)
        if run.result is None:
            holders += response.get("hits", [])
    ids = {str(each["document_id"]) for each in holders if each.get("document_id")}
    found = [await app.archive.get(document_id) for document_id in sorted(ids)]
    return [document for document in found if document is not None]


def claims_of(run: Run, pages: Sequence[Document]) -> list[Claim]:
    """Return the result's sentences as claims, each citation with the passage that holds it."""
    cited = report_of(run).cites(run)
    documents = {page.id: split(page) for page in pages}
    passages = {each.id: documents.get(each.document_id, ()) for each in cited.evidence}
    return [_claim(sentence, passages) for sentence in cited.sentences]


def _claim(sentence: Sentence, passages: Mapping[str, Sequence[Passage]]) -> Claim:
    citations = tuple(
        Citation(
            evidence_id=each.evidence_id,
            passage_id=_passage(passages.get(each.evidence_id, ()), each.start),
            quote=each.quote,
            start=each.start,
            end=each.end,
            checks=("quote",),
        )
        for each in sentence.citations
    )
    return Claim(text=sentence.text, citations=citations, verdict=sentence.verdict)


def _passage(passages: Sequence[Passage], start: int) -> str:
    return next((each.id for each in passages if each.start <= start < each.end), "")


def markdown_of(run: Run) -> str:
    return markdown.text(report_of(run).report(run))


async def replay_run(app: App, source: Run | Bundle) -> Replayed:
    """Replay a run on its records alone; a bundle needs nothing that is stored here."""
    if isinstance(source, Run):
        return await replay(job(source.kind), source, app.outside.parts(source), versions())
    outside, run = app.wiring_over(BundleLedger(source), BundleIndex(source)), source.run
    try:
        return await replay(job(run.kind), run, outside.parts(run), versions())
    finally:
        await outside.close()
