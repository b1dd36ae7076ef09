"""Answers as reports."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from groundwire.evidence.citations.problems import problems_text
from groundwire.jobs.ask.answer import AskResult, Recalled
from groundwire.model.base import JsonObject
from groundwire.model.claim import CitationView
from groundwire.model.result import Gap, ResultStatus, Sentence
from groundwire.model.run import FINISHED, Run
from groundwire.report.blocks import (
    Block,
    Cell,
    Excerpt,
    Fact,
    Heading,
    Paragraph,
    Report,
    Sentences,
    Sheet,
    Sides,
    Sources,
    Statement,
    TextSpan,
)
from groundwire.report.job import Reporting, Said
from groundwire.report.markdown import ask_markdown
from groundwire.report.outline import Source, flagged, numbered, sources, uncited, who
from groundwire.report.plain import day
from groundwire.report.report_markdown import report_markdown
from groundwire.report.sections import (
    Tongue,
    colophon,
    degradations,
    entry,
    made,
    marks_of,
    missing,
    named,
    of_the_sample,
    sample_word,
    section,
    spent,
    spoken,
    titled,
    tone_of,
    tongue,
    without_result,
    written_by,
)

HEAD = (
    "run", "part", "number", "sentence", "verdict", "why", "source", "publisher", "title", "url",
    "published", "tier", "flags", "quote",
)  # fmt: skip


def result_of(run: Run) -> AskResult:
    """An ask's result; a run that ended without one says so in the same shape."""
    if run.result is not None:
        return AskResult.model_validate(run.result)
    question = str(run.input.get("question", ""))
    status = cast(ResultStatus, run.state if run.state in FINISHED else "failed")
    return AskResult(
        run_id=run.id,
        status=status,
        question=question,
        language=spoken(run, question),
        gaps=(Gap(what=question, why=run.error or f"the run is {run.state}"),),
    )


def _result(run: Run) -> JsonObject:
    return run.result or result_of(run).model_dump(mode="json")


def _markdown(run: Run) -> str:
    if run.result is None:
        return report_markdown(_report(run))
    return ask_markdown(result_of(run))


def _said(run: Run) -> Said:
    if run.result is None:
        return Said()
    result = result_of(run)
    sides = (side for each in result.contested for side in each.sides)
    return Said((*result.answer, *sides), result.evidence)


def _report(run: Run) -> Report:
    result = result_of(run)
    ours = tongue(result.language)
    cited = sources(result)
    numbers = numbered(cited)
    state = ours.say.states.get(result.status, result.status)
    counted = ours.say.origin_line(len(result.evidence), len(result.origins))
    return made(
        run,
        ours,
        title=result.question,
        meta=(f"{state} · {counted}" if result.evidence else state,),
        sample=sample_word(result.evidence, ours),
        blocks=(
            *without_result(run, ours),
            *of_the_sample(result.evidence, ours),
            *(_answer(result, numbers, ours) if run.result is not None else ()),
            *_contested(result, numbers, ours),
            *missing(result.gaps if run.result is not None else (), ours),
            *section(ours.say.unsupported, _unsupported(result)),
            *section(ours.say.recalled, (_recalled(each, ours) for each in result.recalled)),
            *degradations(result.degraded, ours),
            *_origins(result, ours),
            *_flagged(result, ours),
            *_sources(cited, result, ours),
            *section(titled(ours.say.also_read), _also_read(result, ours)),
            *colophon(run, _facts(run, result, ours), ours),
        ),
        foot=ours.say.made_by if result.answer else "",
    )


def _answer(result: AskResult, numbers: dict[str, int], ours: Tongue) -> Iterator[Block]:
    yield Heading(text=ours.say.answer)
    if not result.answer:
        yield Paragraph(spans=(TextSpan(text=ours.say.no_answer),))
    else:
        yield Sentences(items=tuple(_sentence(each, numbers, ours) for each in result.answer))


def _sentence(said: Sentence, numbers: dict[str, int], ours: Tongue, about: str = "") -> Statement:
    return Statement(
        text=said.text,
        tone=tone_of(said.verdict),
        word=ours.say.verdicts.get(said.verdict, said.verdict),
        marks=marks_of(said.citations, numbers),
        about=about,
    )


def _contested(result: AskResult, numbers: dict[str, int], ours: Tongue) -> Iterator[Block]:
    if not result.contested:
        return
    yield Heading(text=ours.say.contested)
    for each in result.contested:
        yield Sides(
            point=each.point,
            items=tuple(
                _sentence(side, numbers, ours, " · ".join(who(side, ours.say.undated)))
                for side in each.sides
            ),
        )


def _unsupported(result: AskResult) -> Iterator[Statement]:
    for each in result.unsupported:
        yield Statement(text=each.text, about=problems_text(each.problems, result.language))


def _recalled(each: Recalled, ours: Tongue) -> Statement:
    """What memory held, apart from the answer: it supports nothing there."""
    say = ours.say
    change = say.changes[each.change] + (f" ({say.changed(each.why)})" if each.why else "")
    return Statement(text=each.text, about=f"{say.learned} {each.learned_at:%Y-%m-%d} · {change}")


def _origins(result: AskResult, ours: Tongue) -> Iterator[Block]:
    """Only origins with descendants say something that the list of sources does not."""
    names = {each.id: named(each) for each in result.evidence}
    yield from section(
        ours.say.origin_line(len(result.evidence), len(result.origins)),
        (
            Statement(
                text=names.get(line.evidence_id, "?"),
                about=f"{ours.say.lineage.get(line.how, line.how)} {names.get(line.of, '?')}",
            )
            for origin in result.origins
            for line in origin.lineage
        ),
    )


def _flagged(result: AskResult, ours: Tongue) -> Iterator[Block]:
    say = ours.say
    yield from section(
        titled(say.flagged),
        (
            Statement(text=say.flags.get(name, name), about="; ".join(map(named, found)))
            for name, found in flagged(result)
        ),
    )


def _sources(cited: tuple[Source, ...], result: AskResult, ours: Tongue) -> Iterator[Block]:
    if not cited:
        return
    say = ours.say
    views = _views(result)
    yield Heading(text=say.sources)
    items = (
        entry(
            each.number,
            views[each.evidence_id],
            [Excerpt(text=quote) for quote in each.quotes],
            (
                say.tiers.get(each.tier, each.tier),
                *say.listed(each.flags),
                *(
                    []
                    if each.credibility is None
                    else [f"{say.credibility} {each.credibility:.2f}"]
                ),
            ),
            ours,
        )
        for each in cited
    )
    yield Sources(items=tuple(items))


def _also_read(result: AskResult, ours: Tongue) -> Iterator[Statement]:
    say = ours.say
    for each in uncited(result):
        about = (day(each.published_at) or say.undated, say.tiers.get(each.tier, each.tier))
        yield Statement(text=named(each), about=" · ".join((*about, *say.listed(each.flags))))


def _views(result: AskResult) -> dict[str, CitationView]:
    """How each source is first cited."""
    found: dict[str, CitationView] = {}
    sides = (side for each in result.contested for side in each.sides)
    for sentence in (*result.answer, *sides):
        for each in sentence.citations:
            found.setdefault(each.evidence_id, each)
    return found


def _facts(run: Run, result: AskResult, ours: Tongue) -> Iterator[Fact]:
    if run.result is None:
        return
    say = ours.say
    yield Fact(name=ours.own.label("checks"), value=say.checks.format(**result.checks.model_dump()))
    yield written_by(result.reasoner, ours)
    yield Fact(name=ours.own.label("cost"), value=spent(result.cost, ours))


def _sheet(run: Run) -> Sheet:
    """One row for each citation; a sentence without any has a row of its own."""
    result = result_of(run)
    known = {source.evidence_id: source for source in sources(result)}
    rows: list[tuple[Cell, ...]] = []

    def add(part: str, number: int, said: Sentence, why: str) -> None:
        head: tuple[Cell, ...] = (run.id, part, number, said.text, said.verdict, why)
        rows.extend((*head, *_cited(known[each.evidence_id], each)) for each in said.citations)
        if not said.citations:
            rows.append((*head, *_BARE))

    for number, said in enumerate(result.answer, start=1):
        add("answer", number, said, "")
    for number, each in enumerate(result.contested, start=1):
        for side in each.sides:
            add("contested", number, side, each.point)
    for number, left in enumerate(result.unsupported, start=1):
        why = problems_text(left.problems, result.language)
        rows.append((run.id, "unsupported", number, left.text, "unsupported", why, *_BARE))
    for number, gap in enumerate(result.gaps, start=1):
        rows.append((run.id, "missing", number, gap.what, "", gap.why, *_BARE))
    return Sheet(head=HEAD, rows=tuple(rows))


_BARE: tuple[Cell, ...] = (None,) * 8


def _cited(source: Source, each: CitationView) -> tuple[Cell, ...]:
    flags = " ".join(source.flags)
    published = day(each.published_at)
    return (
        source.number, source.publisher, each.title, each.url, published, source.tier, flags,
        each.quote,
    )  # fmt: skip


REPORTING = Reporting(
    result=_result, report=_report, markdown=_markdown, sheet=_sheet, said=_said, noun=AskResult
)
