"""The runs of single tools as reports, and of jobs that have no file of their own."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import cast
from urllib.parse import urlsplit

from pydantic import ValidationError

from groundwire.model.base import Json, JsonObject
from groundwire.model.query import Hit, SearchReport
from groundwire.model.run import Run
from groundwire.model.source import Evidence
from groundwire.report.blocks import (
    Block,
    Cell,
    Code,
    Excerpt,
    Fact,
    FactList,
    Heading,
    Notice,
    Paragraph,
    Prose,
    Report,
    Sheet,
    SourceEntry,
    Sources,
    Statement,
    Table,
    TextSpan,
)
from groundwire.report.job import Reporting
from groundwire.report.links import local_name, web_link
from groundwire.report.plain import cut, day, one_line
from groundwire.report.report_markdown import report_markdown
from groundwire.report.sections import (
    Tongue,
    colophon,
    made,
    section,
    spoken,
    tongue,
    without_result,
)

_SNIPPET = 600
_COLUMNS = 8
_ROWS = 2000
_LONGEST = 2000


def _result(run: Run) -> JsonObject:
    """What a tool's run gave, or why not."""
    if run.result is not None:
        return run.result
    return {"run_id": run.id, "status": run.state, "output": None, "error": {"message": run.error}}


def _markdown(run: Run) -> str:
    return report_markdown(_report(run))


def _about(run: Run) -> str:
    """What it was given, in one line."""
    given = run.input
    arguments: JsonObject = given.get("arguments") or {}
    wanted = arguments.get("query") or arguments.get("url") or arguments.get("wanted")
    # Of a job whose result is shown plainly: what it was asked.
    wanted = wanted or given.get("tool") or given.get("question") or given.get("text")
    return one_line(str(wanted or run.kind))


def _report(run: Run) -> Report:
    about = _about(run)
    ours = tongue(spoken(run, about))
    result = _result(run)
    output: JsonObject | None = result.get("output") if run.kind == "tool" else run.result
    tool = str(result.get("tool") or run.input.get("tool") or run.kind)
    state = ours.say.states.get(run.state, run.state)
    sample = _of_sample(output or {})
    return made(
        run,
        ours,
        title=cut(about, 300),
        meta=(f"{tool} · {state}",),
        sample=ours.own.label("sample") if sample else "",
        blocks=(
            *without_result(run, ours),
            *(_sample(ours) if sample else ()),
            *_failed(run, result, ours),
            *(() if output is None else _output(tool, output, ours)),
            *colophon(run, _facts(result, ours), ours),
        ),
    )


def _sample(ours: Tongue) -> Iterator[Block]:
    yield Notice(title=ours.own.label("sample"), text=ours.own.label("of the sample"))


def _failed(run: Run, result: JsonObject, ours: Tongue) -> Iterator[Block]:
    error: JsonObject = result.get("error") or {}
    if run.result is not None and error.get("message"):
        state = ours.say.states["failed"]
        said = f"{state} ({error['code']})" if error.get("code") else state
        yield Notice(tone="unverified", title=said, text=str(error["message"]))


def _facts(result: JsonObject, ours: Tongue) -> Iterator[Fact]:
    cost: JsonObject = result.get("cost") or {}
    if cost:
        value = f"${float(cost.get('usd', 0)):.4f} · {cost.get('calls', 0)} {ours.say.calls}"
        yield Fact(name=ours.own.label("cost"), value=value)


def _output(tool: str, output: JsonObject, ours: Tongue) -> Iterator[Block]:
    """Searches and pages in their own form; anything else as names, values and tables."""
    try:
        if tool == "search":
            yield from _search(SearchReport.model_validate(output), ours)
            return
        if tool == "read":
            yield from _page(Evidence.model_validate(output), ours)
            return
    except ValidationError:
        # Of another version of the tool: shown as the data that it is.
        pass
    yield from _data(output, ours)


def _search(report: SearchReport, ours: Tongue) -> Iterator[Block]:
    own = ours.own
    yield Heading(text=own.label("results"))
    if report.hits:
        hits = enumerate(report.hits, start=1)
        yield Sources(items=tuple(_hit(number, hit, ours) for number, hit in hits))
    else:
        yield Paragraph(spans=(TextSpan(text=own.label("found nothing")),))
    yield from section(
        own.label("failures"),
        (
            Statement(text=f"{each.provider} ({each.code})", about=each.message)
            for each in report.failures
        ),
    )


def _hit(number: int, hit: Hit, ours: Tongue) -> SourceEntry:
    name = local_name(hit.url)
    shown = one_line(hit.content)
    return SourceEntry(
        number=number,
        title=hit.title or name or hit.url,
        link=hit.url,
        where=f"{ours.say.local_file} {name}" if name else web_link(hit.url) or "",
        about=(day(hit.published_at) or ours.say.undated, hit.provider, f"{hit.relevance:.2f}"),
        quotes=(Excerpt(text=cut(shown, _SNIPPET)),) if shown else (),
    )


def _page(evidence: Evidence, ours: Tongue) -> Iterator[Block]:
    page, say, own = evidence.document, ours.say, ours.own
    if "stored" in evidence.flags:
        stored = f"{own.label('stored copy')} ({day(page.fetched_at)})"
        yield Notice(title=say.flags.get("stored", "stored"), text=stored)
    about = (
        day(page.published_at) or say.undated,
        say.tiers.get(evidence.tier, evidence.tier),
        *say.listed(evidence.flags),
        page.language,
    )
    yield Sources(
        items=(
            SourceEntry(
                number=1,
                title=page.title or page.canonical_url,
                link=page.canonical_url,
                where=web_link(page.canonical_url) or "",
                publisher=page.publisher,
                about=about,
            ),
        )
    )
    yield Heading(text=own.label("text"))
    yield Prose(text=page.text)


def _data(output: JsonObject, ours: Tongue) -> Iterator[Block]:
    """Plain values first, then lists of records as tables, then the rest as it is."""
    plain = {name: value for name, value in output.items() if _is_plain(value)}
    if plain:
        own = ours.own
        facts = (Fact(name=own.field(name), value=_shown(v, ours)) for name, v in plain.items())
        yield FactList(items=tuple(fact for fact in facts if fact.value))
    for name, value in output.items():
        if name in plain or not value:
            continue
        yield Heading(text=ours.own.field(name))
        records = _records(value)
        if records is not None:
            yield _table(records, ours)
        elif isinstance(value, list) and all(_is_plain(each) for each in cast(list[Json], value)):
            yield from _lines(cast(list[Json], value), ours)
        else:
            yield Code(text=json.dumps(value, ensure_ascii=False, indent=2))


def _lines(values: Sequence[Json], ours: Tongue) -> Iterator[Block]:
    for value in values:
        yield Paragraph(spans=(TextSpan(text=_shown(value, ours)),))


def _is_plain(value: Json) -> bool:
    return value is None or isinstance(value, str | int | float | bool)


def _shown(value: Json, ours: Tongue) -> str:
    if isinstance(value, bool):
        return ours.own.label("yes" if value else "no")
    return "" if value is None else cut(str(value), _LONGEST)


def _records(value: Json) -> list[JsonObject] | None:
    """The value if it is a list of records of plain values that fit side by side."""
    if not isinstance(value, list) or not value:
        return None
    records: list[JsonObject] = []
    for each in cast(list[Json], value):
        if not isinstance(each, dict):
            return None
        record = cast(JsonObject, each)
        if len(record) > _COLUMNS or not all(_is_plain(item) for item in record.values()):
            return None
        records.append(record)
    return records


def _table(records: Sequence[JsonObject], ours: Tongue) -> Table:
    names = tuple(dict.fromkeys(name for record in records for name in record))[:_COLUMNS]
    return Table(
        head=tuple(ours.own.field(name) for name in names),
        rows=tuple(
            tuple(_shown(record.get(name), ours) for name in names) for record in records[:_ROWS]
        ),
    )


def _of_sample(value: Json) -> bool:
    """Whether anything in it says that it is of the sample."""
    if isinstance(value, dict):
        fields = cast(JsonObject, value)
        flags = fields.get("flags")
        flagged = isinstance(flags, list) and "sample" in cast(list[Json], flags)
        here = fields.get("sample") is True or flagged or _invented(fields.get("url"))
        return here or any(map(_of_sample, fields.values()))
    return isinstance(value, list) and any(map(_of_sample, cast(list[Json], value)))


def _invented(url: Json) -> bool:
    """Whether the outlet is one of the sample's: no other has a name under `.example`."""
    link = web_link(url) if isinstance(url, str) else None
    return link is not None and (urlsplit(link).hostname or "").endswith(".example")


_HITS = ("run", "number", "title", "url", "published", "provider", "relevance", "content")
_VALUES = ("run", "name", "value")


def _sheet(run: Run) -> Sheet:
    """A search has a row for each hit; of anything else each value has one, under its path."""
    result = _result(run)
    output: JsonObject | None = result.get("output")
    if output is not None and result.get("tool") == "search":
        try:
            hits = enumerate(SearchReport.model_validate(output).hits, start=1)
            return Sheet(head=_HITS, rows=tuple(_hit_row(run.id, n, hit) for n, hit in hits))
        except ValidationError:
            pass
    values = _leaves("", result if output is None else output)
    return Sheet(head=_VALUES, rows=tuple((run.id, name, value) for name, value in values))


def _hit_row(run_id: str, number: int, hit: Hit) -> tuple[Cell, ...]:
    when = day(hit.published_at)
    return (run_id, number, hit.title, hit.url, when, hit.provider, hit.relevance, hit.content)


def _leaves(path: str, value: Json) -> Iterator[tuple[str, Cell]]:
    if isinstance(value, dict):
        for name, item in cast(JsonObject, value).items():
            yield from _leaves(f"{path}.{name}" if path else str(name), item)
    elif isinstance(value, list):
        for number, item in enumerate(cast(list[Json], value)):
            yield from _leaves(f"{path}.{number}", item)
    elif isinstance(value, bool):
        yield path, "yes" if value else "no"
    else:
        yield path, value


REPORTING = Reporting(result=_result, report=_report, markdown=_markdown, sheet=_sheet)
