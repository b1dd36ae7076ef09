"""Answers as reports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from groundwire.jobs.ask.answer import AskResult, Recalled
from groundwire.model.result import EvidenceView, Sentence
from groundwire.model.run import Run
from groundwire.report import blocks, exams, sections
from groundwire.report.csv import Cell, Sheet
from groundwire.report.findings import Command, Findings, how_made, imprint, source_entries
from groundwire.report.plain import cut, day
from groundwire.report.sections import section
from groundwire.words import Words, words

# The tone of an earlier belief, by what the answer did to it.
_CHANGED: dict[str, blocks.Tone] = {
    "changed": "contested",
    "disputed": "contested",
    "withdrawn": "contradicted",
}
_HEAD = (
    "run", "part", "number", "sentence", "verdict", "why", "source", "publisher", "title", "url",
    "published", "tier", "flags", "quote",
)  # fmt: skip
_BARE: tuple[Cell, ...] = (None,) * 8


def _sentences(result: AskResult) -> tuple[Sentence, ...]:
    """Return the cited sentences in the order in which a reader meets them."""
    return (*result.answer, *(side for each in result.contested for side in each.sides))


def _further(run: Run, result: AskResult) -> Command | None:
    if any(each.code == "quota" for each in result.degraded):
        # A run keeps the budget it was submitted with, so resuming would change nothing.
        return Command("GROUNDWIRE_BUDGET__RUN_USD=…", "hint.raise")
    # Offline there is only the archive, which the first round has searched.
    offline = run.settings.get("offline")
    if result.status == "degraded" or not result.gaps or run.input.get("deep") or offline:
        return None
    question = cut(result.question.replace('"', "'"), 60)
    return Command(f'gw ask --deep 1 "{question}"', "hint.deep")


_FINDINGS = Findings(
    AskResult,
    subject="question",
    sentences=_sentences,
    exports=(Command("gw export {run} -f md", "hint.export"),),
    further=_further,
)


def _report(run: Run, language: str = "") -> blocks.Report:
    result = _FINDINGS.of(run)
    say = words(language or result.language)
    entries = _entries(result, say)
    numbers = {name: each.number for name, each in entries.items() if each.number}
    finished = run.result is not None
    state = say.name("state", result.status)
    counted = sections.counted(result.evidence, result.origins, say)
    return sections.build_report(
        run,
        say,
        title=result.question,
        meta=(
            f"{state} · {counted}" if result.evidence else state,
            *sections.as_of(result.as_of, run, say),
        ),
        sample=sections.sample_word(result.evidence, say),
        blocks=(
            *sections.without_result(run, say),
            *sections.of_the_sample(result.evidence, say),
            *_after(result, say),
            *(_answer(result, numbers, say) if finished else ()),
            *section("parts", say("ask.parts"), _parts(result, say)),
            *_contested(result, numbers, say),
            *sections.missing(result.gaps if finished else (), say),
            *section("unsupported", say("report.unsupported"), _unsupported(result, say)),
            *section(
                "recalled", say("report.recalled"), (_recalled(e, say) for e in result.recalled)
            ),
            *exams.decided(result.decided, say),
            *sections.degradations(result.degraded, say),
            *sections.recoveries(result.recovered, result.evidence, say),
            *sections.by_origin(result.evidence, result.origins, entries, say),
            *section(
                "flagged",
                sections.titled(say("report.flagged")),
                sections.flagged(result.evidence, say),
                brief=False,
            ),
            *sections.cited(entries, say("report.sources")),
            *sections.also_read(result.evidence, entries, say),
            *sections.colophon(run, how_made(result, say) if finished else (), say),
        ),
        foot=say("report.made_by") if result.answer else "",
        imprint=tuple(_imprint(result, numbers, say)) if finished else (),
    )


def _entries(result: AskResult, say: Words) -> dict[str, blocks.SourceEntry]:
    def worth(view: EvidenceView, cited: bool) -> Sequence[str]:
        return (f"{say('report.credibility')} {view.credibility:.2f}",) if cited else ()

    return source_entries(_sentences(result), result.evidence, say, about=worth)


def _after(result: AskResult, say: Words) -> Iterator[blocks.Block]:
    """Name the question that this one follows, and what this one was read as."""
    if result.after is None:
        return
    deeper = result.after.deeper
    says = say("ask.after.deeper", n=deeper) if deeper else say("ask.after")
    lead = blocks.TextSpan(text=f"{says}{say('list.colon')}")
    earlier = blocks.TextSpan(text=result.after.question, run=result.after.run_id)
    yield blocks.Paragraph(spans=(lead, earlier))
    if result.after.understood:
        read_as = say("ask.after.understood", question=result.after.understood)
        yield blocks.Paragraph(spans=(blocks.TextSpan(text=read_as),))


def _answer(result: AskResult, numbers: dict[str, int], say: Words) -> Iterator[blocks.Block]:
    yield blocks.Heading(text=say("report.answer"), name="answer")
    if result.answer:
        judged = (
            sections.judged(each, numbers, say, _translations(each, say)) for each in result.answer
        )
        yield blocks.Sentences(items=tuple(judged))
    else:
        yield blocks.Paragraph(spans=(blocks.TextSpan(text=say("report.no_answer")),))


def _translations(sentence: Sentence, say: Words) -> str:
    """Return what the foreign quotes of a sentence say, as its writer translated them."""
    found = [each.translation for each in sentence.citations if each.translation]
    return say("ask.translation", text=" / ".join(found)) if found else ""


def _parts(result: AskResult, say: Words) -> Iterator[blocks.Statement]:
    """Tick each part of a question that has several."""
    for each in result.parts if len(result.parts) > 1 else ():
        code = "ask.part.answered" if each.answered else "ask.part.open"
        yield blocks.Statement(text=say(code, text=each.text))  # its mark is in the words


def _contested(result: AskResult, numbers: dict[str, int], say: Words) -> Iterator[blocks.Block]:
    if result.contested:
        yield blocks.Heading(text=say("report.contested"), name="contested")
    for each in result.contested:
        sides = (sections.judged(s, numbers, say, sections.attribution(s, say)) for s in each.sides)
        yield blocks.Sides(point=say(each.point, **each.params), items=tuple(sides))


def _unsupported(result: AskResult, say: Words) -> Iterator[blocks.Statement]:
    for each in result.unsupported:
        why = say.phrases(each.problems)
        yield blocks.Statement(text=each.text, tone="unverified", about=why)


def _recalled(each: Recalled, say: Words) -> blocks.Statement:
    """Show an earlier belief apart from the answer, where it supports nothing."""
    change = say.name("change", each.change or "none")
    if each.why:
        change = f"{change} ({sections.difference(each.why, say)})"
    learned = f"{say('report.learned')} {each.learned_at:%Y-%m-%d}"
    return blocks.Statement(
        text=each.text, tone=_CHANGED.get(each.change, ""), about=f"{learned} · {change}"
    )


def _imprint(result: AskResult, numbers: dict[str, int], say: Words) -> Iterator[str]:
    colon = say("list.colon")
    yield from imprint(result, say)
    if more := [each for each in result.evidence if each.id not in numbers]:
        yield f"{say('report.also_read')}{colon}{sections.publishers(more, say)}"
    flags = sorted({flag for each in result.evidence for flag in each.flags} - {"sample"})
    if flags:
        listed = (
            f"{say.name('flag', flag)} "
            f"({sections.publishers((e for e in result.evidence if flag in e.flags), say)})"
            for flag in flags
        )
        yield f"{say('report.flagged')}{colon}{' · '.join(listed)}"


def _sheet(result: AskResult) -> Sheet:
    """Write one row for each citation, and one for a sentence without any."""
    known = {each.id: each for each in result.evidence}
    numbers = sections.numbered(_sentences(result))
    say = words(result.language)
    rows: list[tuple[Cell, ...]] = []

    def add(part: str, number: int, sentence: Sentence, why: str) -> None:
        head: tuple[Cell, ...] = (result.run_id, part, number, sentence.text, sentence.verdict, why)
        for each in sentence.citations:
            view = known.get(each.evidence_id)
            about = (view.tier, " ".join(view.flags)) if view else ("unknown", "")
            where = (sections.publisher(each, say), each.title, each.url, day(each.published_at))
            rows.append((*head, numbers[each.evidence_id], *where, *about, each.quote))
        if not sentence.citations:
            rows.append((*head, *_BARE))

    for number, sentence in enumerate(result.answer, start=1):
        add("answer", number, sentence, "")
    for number, each in enumerate(result.contested, start=1):
        for side in each.sides:
            add("contested", number, side, say(each.point, **each.params))
    for number, left in enumerate(result.unsupported, start=1):
        why = say.phrases(left.problems)
        rows.append((result.run_id, "unsupported", number, left.text, "unsupported", why, *_BARE))
    for number, gap in enumerate(result.gaps, start=1):
        what, why = (say(code, **gap.params) for code in (gap.what, gap.why))
        rows.append((result.run_id, "missing", number, what, "", why, *_BARE))
    return Sheet(head=_HEAD, rows=tuple(rows))


REPORT = _FINDINGS.report(_report, _sheet)
