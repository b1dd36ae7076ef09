"""Reports of single tool calls: searches and pages in their own form, the rest as data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from pydantic import ValidationError

from groundwire.gather.recoveries import recovered_pages, recovered_searches
from groundwire.gather.weighing import view_of
from groundwire.model.base import Json, JsonObject
from groundwire.model.query import Hit, SearchReport
from groundwire.model.result import EvidenceView
from groundwire.model.run import Run
from groundwire.model.source import Document, Evidence, publisher_name
from groundwire.report import blocks, sections
from groundwire.report.csv import Cell, Sheet
from groundwire.report.data import about, data_blocks, data_sheet, of_the_sample, result_of
from groundwire.report.links import local_name, web_link
from groundwire.report.plain import cut, day, one_line
from groundwire.report.reporting import Failure, JobReport, why_without_result
from groundwire.words import Words, words

_SNIPPET = 600
_TITLE = 300
_FORMS: dict[str, type[SearchReport | Evidence]] = {
    "search": SearchReport,
    "read": Evidence,
    "web_scrape": Evidence,
}
_HITS = ("run", "number", "title", "url", "published", "provider", "relevance", "content")
# The hint for the code of a failure, where the names differ.
_HINTS = {
    **dict.fromkeys(("refused", "captcha", "unreadable"), "save"),
    **dict.fromkeys(
        ("timeout", "rate_limit", "server", "breaker_open", "malformed", "plan_limit"), "later"
    ),
}


def _about(run: Run) -> str:
    """Return what the tool was given, in one line."""
    arguments: JsonObject = run.input.get("arguments") or {}
    wanted = arguments.get("query") or arguments.get("url") or arguments.get("wanted")
    return one_line(str(wanted)) if wanted else about(run.input, run.kind)


def _report(run: Run, language: str = "") -> blocks.Report:
    title = _about(run)
    page = _read(run)
    say = words(language or (page.language if page else sections.language_of(run, title)))
    result = result_of(run)
    output: JsonObject | None = result.get("output")
    tool = str(result.get("tool") or run.input.get("tool") or run.kind)
    sample = of_the_sample(output or {})
    return sections.build_report(
        run,
        say,
        title=cut(title, _TITLE),
        meta=(f"{tool} · {say.name('state', run.state)}",),
        sample=say("flag.sample") if sample else "",
        blocks=(
            *sections.without_result(run, say),
            *((sections.sample_notice(say),) if sample else ()),
            *_failed(run, result, say),
            *(() if output is None else _output(run, output, say)),
            *sections.colophon(run, _facts(result, say), say),
        ),
        imprint=tuple(f"{fact.value} · {run.id}" for fact in _facts(result, say)),
    )


def _parsed(run: Run) -> SearchReport | Evidence | None:
    """Return what a search or a reading found; None for other tools, and what other versions made."""
    result = result_of(run)
    form = _FORMS.get(str(result.get("tool")))
    try:
        return form.model_validate(result.get("output")) if form else None
    except ValidationError:
        return None


def _read(run: Run) -> Document | None:
    """Return the page that was read, if that was what the tool did."""
    found = _parsed(run)
    return found.document if isinstance(found, Evidence) else None


def _next_steps(run: Run, *, archive_empty: bool) -> Sequence[blocks.NextStep]:
    """List what jobs can do with the page that was read."""
    from groundwire.jobs.pages import offers

    page = _read(run)
    if page is None:
        return ()
    say = words(page.language)
    return [
        blocks.NextStep(command=each.command(), why=say(f"{each.kind}.page"))
        for each in offers(page, say)
    ]


def _failed(run: Run, result: JsonObject, say: Words) -> Iterator[blocks.Block]:
    error: JsonObject = result.get("error") or {}
    if run.result is not None and error.get("message"):
        state = say.name("state", "failed")
        if error.get("code"):
            state = f"{state} ({say.name('failure', str(error['code']))})"
        yield blocks.Notice(tone="unverified", title=state, text=say.failure(error))


def _facts(result: JsonObject, say: Words) -> Iterator[blocks.Fact]:
    cost: JsonObject = result.get("cost") or {}
    if cost:
        value = f"${float(cost.get('usd', 0)):.4f} · {cost.get('calls', 0)} {say('report.calls')}"
        yield blocks.Fact(name=say("report.label.cost"), value=value)


def _output(run: Run, output: JsonObject, say: Words) -> Iterator[blocks.Block]:
    match _parsed(run):
        case SearchReport() as report:
            return _search(report, say)
        case Evidence() as page:
            return _page(page, say)
        case None:
            return data_blocks(output, say)


def _search(report: SearchReport, say: Words) -> Iterator[blocks.Block]:
    if report.hits or not report.failures:  # after a failure, no hits does not mean no results
        yield blocks.Heading(text=say("report.label.results"), name="results")
    if report.hits:
        hits = enumerate(report.hits, start=1)
        yield blocks.Sources(items=tuple(_hit(number, hit, say) for number, hit in hits))
    elif not report.failures:
        yield blocks.Paragraph(spans=(blocks.TextSpan(text=say("report.label.found_nothing")),))
    yield from sections.section(
        "failures",
        say("column.failed"),
        (
            blocks.Statement(
                text=f"{each.provider} ({say.name('failure', each.code)})",
                about=say(each.message, **each.params),
            )
            for each in report.failures
        ),
    )
    yield from sections.recoveries(recovered_searches([report]), (), say)


def _hit(number: int, hit: Hit, say: Words) -> blocks.SourceEntry:
    name = local_name(hit.url)
    shown = one_line(hit.content)
    when = day(hit.published_at) or say("report.undated")
    return blocks.SourceEntry(
        number=number,
        title=hit.title or name or hit.url,
        link=hit.url,
        where=f"{say('report.local_file')} {name}" if name else web_link(hit.url) or "",
        about=(when, hit.provider, f"{hit.relevance:.2f}"),
        quotes=(blocks.Excerpt(text=cut(shown, _SNIPPET)),) if shown else (),
    )


def _page(evidence: Evidence, say: Words) -> Iterator[blocks.Block]:
    page = evidence.document
    if "stored" in evidence.flags:
        stored = f"{say('report.label.stored_copy')} ({day(page.fetched_at)})"
        yield blocks.Notice(title=say.name("flag", "stored"), text=stored)
    known = (
        day(page.published_at) or say("report.undated"),
        say.name("tier", evidence.tier),
        *(say.name("flag", flag) for flag in evidence.flags),
        page.language,
    )
    entry = blocks.SourceEntry(
        number=1,
        title=page.title or page.canonical_url,
        link=page.canonical_url,
        where=web_link(page.canonical_url) or "",
        publisher=publisher_name(page.publisher, say),
        about=known,
        document_id=page.id,
        tier=evidence.tier,
        flags=evidence.flags,
    )
    yield blocks.Sources(items=(entry,))
    view = view_of(EvidenceView, evidence)
    yield from sections.recoveries(recovered_pages([evidence]), (view,), say)
    yield blocks.Heading(text=say("report.label.text"), name="text")
    yield blocks.Prose(text=page.text)


def _failure(run: Run) -> Failure | None:
    error: JsonObject | None = result_of(run).get("error")
    if run.result is None or not error or not error.get("message"):
        return why_without_result(run)
    say = words(sections.language_of(run, _about(run)))
    code = str(error.get("code"))
    hint = say.maybe(f"tool.hint.{_HINTS.get(code, code)}", "")
    return Failure(say.failure(error), hint)


def _sheet(run: Run) -> Sheet:
    """Give a search a row for each hit; anything else a row for each value, under its path."""
    found = _parsed(run)
    if not isinstance(found, SearchReport):
        return data_sheet(run, result_of(run).get("output"))
    hits = enumerate(found.hits, start=1)
    return Sheet(head=_HITS, rows=tuple(_hit_row(run.id, n, hit) for n, hit in hits))


def _hit_row(run_id: str, number: int, hit: Hit) -> tuple[Cell, ...]:
    when = day(hit.published_at)
    return (run_id, number, hit.title, hit.url, when, hit.provider, hit.relevance, hit.content)


def _name(run: Run) -> str:
    return str(run.input.get("tool"))


def _values(run: Run) -> Json:
    """Return the tool's own values: in JSON no text can break out of its string."""
    result = run.result or {}
    return cast("Json", result.get("output") or result.get("error"))


REPORT = JobReport(
    result=result_of,
    report=_report,
    sheet=_sheet,
    name=_name,
    values=_values,
    failure=_failure,
    next_steps=_next_steps,
    page=_read,
)
