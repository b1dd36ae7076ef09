"""A result as plain data: of a job that declares no report, or of another version."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar, cast
from urllib.parse import urlsplit

from pydantic import ValidationError

from groundwire.model.base import Json, JsonObject, Value
from groundwire.model.result import Degraded, EvidenceView, Gap, Origin, Recovered
from groundwire.model.run import Run
from groundwire.report import blocks, sections
from groundwire.report.csv import Cell, Sheet
from groundwire.report.links import web_link
from groundwire.report.plain import cut, one_line
from groundwire.report.reporting import JobReport, ended_without
from groundwire.words import Words, words

V = TypeVar("V", bound=Value)
_COLUMNS = 8
_ROWS = 2000
_LONGEST = 2000
_TITLE = 300


def result_of(run: Run) -> JsonObject:
    """Return a run's result, or why there is none."""
    if run.result is not None:
        return run.result
    reason = ended_without(run)
    error = {"message": reason.code, "params": reason.params}
    return {"run_id": run.id, "status": run.state, "output": None, "error": error}


def about(run_input: JsonObject, otherwise: str) -> str:
    """Summarise a run's input in one line: the first of its texts."""
    texts = (value for value in run_input.values() if isinstance(value, str) and value.strip())
    return one_line(next(texts, otherwise))


def data_report(run: Run, language: str = "") -> blocks.Report:
    """Build the report of a result of which nothing is known but its data."""
    title = about(run.input, run.kind)
    say = words(language or sections.language_of(run, title))
    shared = SharedParts.of(run.result or {})
    output = {name: each for name, each in (run.result or {}).items() if name not in shared.named}
    sample = of_the_sample(run.result or {})
    entries = {each.id: sections.entry(each, say, each) for each in shared.evidence}
    return sections.build_report(
        run,
        say,
        title=cut(title, _TITLE),
        meta=(f"{run.kind} · {say.name('state', run.state)}",),
        sample=say("flag.sample") if sample else "",
        blocks=(
            *sections.without_result(run, say),
            *((sections.sample_notice(say),) if sample else ()),
            *data_blocks(output, say),
            *sections.missing(shared.gaps, say),
            *sections.degradations(shared.degraded, say),
            *sections.recoveries(shared.recovered, shared.evidence, say),
            *sections.by_origin(shared.evidence, shared.origins, entries, say),
            *sections.colophon(run, (), say),
        ),
    )


@dataclass(frozen=True)
class SharedParts:
    """The parts that results of all jobs share, as far as a result has them in that shape."""

    evidence: tuple[EvidenceView, ...] = ()
    origins: tuple[Origin, ...] = ()
    gaps: tuple[Gap, ...] = ()
    degraded: tuple[Degraded, ...] = ()
    recovered: tuple[Recovered, ...] = ()

    @classmethod
    def of(cls, result: JsonObject) -> SharedParts:
        """Read the shared parts of a result."""
        return cls(
            evidence=read_all(EvidenceView, result.get("evidence")),
            origins=read_all(Origin, result.get("origins")),
            gaps=read_all(Gap, result.get("gaps")),
            degraded=read_all(Degraded, result.get("degraded")),
            recovered=read_all(Recovered, result.get("recovered")),
        )

    @property
    def named(self) -> frozenset[str]:
        """The names of parts that need not be shown as data."""
        return frozenset(name for name, held in vars(self).items() if held)


def read_as(shape: type[V], stored: Json) -> V | None:
    """Read stored data as a model, ignoring unknown fields; None: it has another shape."""
    fields = cast(JsonObject, stored) if isinstance(stored, dict) else {}
    known = {name: value for name, value in fields.items() if name in shape.model_fields}
    try:
        return shape.model_validate(known)
    except ValidationError:
        return None


def read_all(shape: type[V], listed: Json) -> tuple[V, ...]:
    """Read a list of models; empty if one of them has another shape."""
    if not isinstance(listed, list):
        return ()
    found = [read_as(shape, each) for each in cast(list[Json], listed)]
    return tuple(each for each in found if each is not None) if None not in found else ()


def data_blocks(output: JsonObject, say: Words) -> Iterator[blocks.Block]:
    """Yield plain values first, then lists of records as tables, then the rest as it is."""
    plain = {name: value for name, value in output.items() if _is_plain(value)}
    if plain:
        facts = (
            blocks.Fact(name=say.name("field", name), value=_shown(v, say))
            for name, v in plain.items()
        )
        yield blocks.FactList(items=tuple(fact for fact in facts if fact.value))
    for name, value in output.items():
        if name in plain or not value:
            continue
        yield blocks.Heading(text=say.name("field", name), name=name)
        records = _records(value)
        if records is not None:
            yield _table(records, say)
        elif isinstance(value, list) and all(_is_plain(each) for each in cast(list[Json], value)):
            for each in cast(list[Json], value):
                yield blocks.Paragraph(spans=(blocks.TextSpan(text=_shown(each, say)),))
        elif isinstance(value, dict) and all(map(say.has, cast(JsonObject, value))):
            counts = cast(JsonObject, value).items()
            yield blocks.FactList(
                items=tuple(blocks.Fact(name=say(code), value=str(n)) for code, n in counts)
            )
        else:
            yield blocks.Code(text=json.dumps(value, ensure_ascii=False, indent=2))


def _is_plain(value: Json) -> bool:
    return value is None or isinstance(value, str | int | float | bool)


def _shown(value: Json, say: Words) -> str:
    if isinstance(value, bool):
        return say("report.label.yes" if value else "report.label.no")
    return "" if value is None else cut(str(value), _LONGEST)


def _records(value: Json) -> list[JsonObject] | None:
    """Return the value if it is a list of flat records that fit side by side."""
    listed = cast(list[Json], value)
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in listed):
        return None
    records = cast(list[JsonObject], value)
    fit = all(len(each) <= _COLUMNS and all(map(_is_plain, each.values())) for each in records)
    return records if fit else None


def _table(records: Sequence[JsonObject], say: Words) -> blocks.Table:
    names = tuple(dict.fromkeys(name for record in records for name in record))[:_COLUMNS]
    return blocks.Table(
        head=tuple(say.name("field", name) for name in names),
        rows=tuple(
            tuple(_shown(record.get(name), say) for name in names) for record in records[:_ROWS]
        ),
    )


def of_the_sample(value: Json) -> bool:
    """Tell whether anything in a value is marked as part of the sample."""
    if isinstance(value, dict):
        fields = cast(JsonObject, value)
        flags = fields.get("flags")
        flagged = isinstance(flags, list) and "sample" in cast(list[Json], flags)
        is_sample = fields.get("sample") is True or flagged or _invented(fields.get("url"))
        return is_sample or any(map(of_the_sample, fields.values()))
    return isinstance(value, list) and any(map(of_the_sample, cast(list[Json], value)))


def _invented(url: Json) -> bool:
    """Tell whether an outlet is one of the sample's: only those have names under `.example`."""
    link = web_link(url) if isinstance(url, str) else None
    return link is not None and (urlsplit(link).hostname or "").endswith(".example")


def data_sheet(run: Run, output: Json = None) -> Sheet:
    """Build a row for each value, under its path."""
    values = _leaves("", result_of(run) if output is None else output)
    rows = tuple((run.id, name, value) for name, value in values)
    return Sheet(head=("run", "name", "value"), rows=rows)


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


PLAIN = JobReport(result=result_of, report=data_report, sheet=data_sheet)
