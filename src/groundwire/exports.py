"""A run as it leaves the desk: gathered from the store, redacted, bundled, replayed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING, TypeVar, cast

from groundwire.app import job
from groundwire.evidence.passages import split
from groundwire.log import Redactor
from groundwire.model.base import JsonObject, Noun
from groundwire.model.call import CallRecord
from groundwire.model.claim import Citation, Claim
from groundwire.model.event import Event
from groundwire.model.result import AskResult, Sentence
from groundwire.model.run import Run
from groundwire.model.signal import Signal, SignalClaim
from groundwire.model.source import Document
from groundwire.outside import Outside
from groundwire.report.bundle import Bundle
from groundwire.report.markdown import ask_markdown, escaped
from groundwire.report.signal_markdown import signal_markdown
from groundwire.runs.replay import BundleIndex, BundleLedger, Replayed, replay
from groundwire.versions import versions

if TYPE_CHECKING:
    from groundwire.app import App

N = TypeVar("N", bound=Noun)
_PAGE = 500


async def events_of(app: App, run_id: str) -> AsyncIterator[Event]:
    """The whole journal, page by page."""
    seen = 0
    while events := await app.store.journal.read(run_id, after=seen, limit=_PAGE):
        for event in events:
            seen = event.seq
            yield event


async def bundle_of(app: App, run: Run) -> Bundle:
    """Everything that checks and replays the run elsewhere, without secrets.

    Events and calls lose known secrets and whatever has the shape of one. Pages, and what quotes
    them, lose known secrets only: a public page that shows how a key looks must keep its words, or
    its quotes would no longer stand.
    """
    everything = _Mask(app.redactor)
    known = _Mask(Redactor(app.settings.secrets(), shapes=False))
    records = await app.store.ledger.records(run.id)
    pages = [known.noun(page) for page in await _pages(app, run, records)]
    # Who held the lease names a machine; it says nothing about the run.
    row = known.noun(run.model_copy(update={"lease_owner": None, "lease_until": None}))
    return Bundle(
        run=row,
        events=tuple([everything.noun(event) async for event in events_of(app, run.id)]),
        calls=tuple(everything.noun(record) for record in records),
        pages=tuple(pages),
        claims=tuple(claim.model_dump(mode="json") for claim in claims_of(row, pages)),
        report=report_of(row),
    )


class _Mask:
    """Nouns through a redactor."""

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor

    def noun(self, noun: N) -> N:
        value = noun.model_dump(mode="json")
        masked = self.value(value)
        return noun if masked == value else type(noun).model_validate(masked)

    def value(self, value: JsonObject) -> JsonObject:
        return cast(JsonObject, self._redactor.value(value))


async def _pages(app: App, run: Run, records: Sequence[CallRecord]) -> list[Document]:
    """The documents behind evidence, those that were fetched, and, for a run that ended without a
    result, those it may have read from the archive."""
    ids: dict[str, None] = {}
    for each in cast("list[JsonObject]", (run.result or {}).get("evidence", [])):
        ids[str(each["document_id"])] = None
    for record in records:
        response = record.response or {}
        if record.kind in ("fetch", "read") and response.get("document_id"):
            ids[str(response["document_id"])] = None
        if run.result is None:
            hits = cast("list[JsonObject]", response.get("hits", []))
            ids.update({str(hit["document_id"]): None for hit in hits if hit.get("document_id")})
    found = [await app.store.index.get(document_id) for document_id in sorted(ids)]
    return [document for document in found if document is not None]


def claims_of(run: Run, pages: Sequence[Document]) -> list[Claim]:
    """The result's sentences as claims, each citation with the passage that it stands in."""
    if run.result is None or run.kind not in ("ask", "verify"):
        return []
    sentences: list[Sentence | SignalClaim]
    if run.kind == "ask":
        result = AskResult.model_validate(run.result)
        sentences = [*result.answer, *(side for each in result.contested for side in each.sides)]
    else:
        result = Signal.model_validate(run.result)
        sentences = [*result.claims, *result.findings]
    documents = {page.id: page for page in pages}
    held = {each.id: documents.get(each.document_id) for each in result.evidence}
    return [_claim(sentence, held) for sentence in sentences]


def _claim(sentence: Sentence | SignalClaim, held: dict[str, Document | None]) -> Claim:
    citations = tuple(
        Citation(
            evidence_id=each.evidence_id,
            passage_id=_passage(held.get(each.evidence_id), each.start),
            quote=each.quote,
            start=each.start,
            end=each.end,
            checks=("quote",),
        )
        for each in sentence.citations
    )
    return Claim(text=sentence.text, citations=citations, verdict=sentence.verdict)


def _passage(document: Document | None, start: int) -> str:
    if document is None:
        return ""
    within = [each.id for each in split(document) if each.start <= start < each.end]
    return within[0] if within else ""


def report_of(run: Run) -> str:
    """The run as Markdown."""
    if run.kind == "ask" and run.result is not None:
        return ask_markdown(AskResult.model_validate(run.result))
    if run.kind == "verify" and run.result is not None:
        return signal_markdown(Signal.model_validate(run.result))
    lines = [f"# {escaped(run.kind)} `{run.id}`", f"state: {run.state}"]
    if run.error:
        lines.append(escaped(run.error))
    return "\n\n".join(lines) + "\n"


async def replay_run(app: App, source: Run | Bundle) -> Replayed:
    """Run it again on its records alone; a bundle needs nothing that is stored here."""
    if isinstance(source, Run):
        return await replay(job(source.kind), source, app.outside.parts(source), versions())
    outside = Outside(
        app.settings,
        app.store,
        ledger=BundleLedger(source),
        index=BundleIndex(source),
    )
    try:
        run = source.run
        return await replay(job(run.kind), run, outside.parts(run), versions())
    finally:
        await outside.close()
