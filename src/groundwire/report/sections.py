"""The parts that the reports of all jobs share: what is missing, what was degraded, sources, the foot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast, get_args

from groundwire.evidence.sources.publishers import shown_publisher
from groundwire.language.text.characters import detect_language
from groundwire.language.text.script import language_of_question
from groundwire.model.claim import CitationView
from groundwire.model.result import Cost, Degraded, EvidenceView, Gap
from groundwire.model.run import FINISHED, Run
from groundwire.report.blocks import (
    Block,
    Excerpt,
    Fact,
    FactList,
    Heading,
    Mark,
    Notice,
    Points,
    Report,
    SourceEntry,
    Statement,
    Tone,
)
from groundwire.report.links import local_name, web_link
from groundwire.report.plain import day
from groundwire.report.report_words import Language, ReportWords, language_of, report_words
from groundwire.report.words import Words, words

TONES: frozenset[str] = frozenset(get_args(Tone))


@dataclass(frozen=True)
class Tongue:
    """The words of a report: those of results, and its own."""

    language: Language
    say: Words
    own: ReportWords

    def counted(self, name: str, value: object) -> Fact:
        return Fact(name=self.own.label(name), value=str(value))


def tongue(code: str) -> Tongue:
    language = language_of(code)
    return Tongue(language, words(language), report_words(language))


def spoken(run: Run, text: str) -> str:
    """The language of a run that has no result: as it was asked for, else that of its text."""
    asked = str(run.input.get("language", "auto"))
    return asked if asked not in ("auto", "und") else language_of_question(detect_language(text))


def tone_of(verdict: str) -> Tone:
    return cast(Tone, verdict) if verdict in TONES else "unverified"


def made(run: Run, tongue: Tongue, **parts: Any) -> Report:
    """A report with what every one has: its label, its foot, its moment."""
    label = f"{tongue.own.kind(run.kind)} · {run.now:%Y-%m-%d %H:%M} UTC"
    return Report(
        run_id=run.id,
        kind=run.kind,
        language=tongue.language,
        label=label,
        made_at=run.now,
        unseen=tongue.own.label("undrawn"),
        **parts,
    )


def section(title: str, items: Iterable[Statement]) -> Iterator[Block]:
    """A heading with its points; without any it leaves no trace."""
    found = tuple(items)
    if found:
        yield Heading(text=title)
        yield Points(items=found)


def missing(gaps: Sequence[Gap], tongue: Tongue) -> Iterator[Block]:
    say = tongue.say
    yield from section(
        say.missing, (Statement(text=gap.what, about=say.why(gap.why)) for gap in gaps)
    )


def degradations(degraded: Sequence[Degraded], tongue: Tongue) -> Iterator[Block]:
    say = tongue.say
    yield from section(
        say.degraded,
        (
            Statement(
                text=f"{each.part} ({each.code}){say.colon}{each.reason}",
                about=f"{say.instead}{say.colon}{each.instead}",
            )
            for each in degraded
        ),
    )


def without_result(run: Run, tongue: Tongue) -> Iterator[Block]:
    """What is to be said of a run that has none."""
    if run.result is not None:
        return
    named = "no result" if run.state in FINISHED else "unfinished"
    state = tongue.say.states.get(run.state, run.state)
    title = f"{tongue.own.label(named)}{tongue.say.colon}{state}"
    yield Notice(tone="unverified", title=title, text=run.error or "")


def of_the_sample(evidence: Sequence[EvidenceView], tongue: Tongue) -> Iterator[Block]:
    if any("sample" in each.flags for each in evidence):
        own = tongue.own
        yield Notice(title=own.label("sample"), text=own.label("of the sample"))


def sample_word(evidence: Sequence[EvidenceView], tongue: Tongue) -> str:
    found = any("sample" in each.flags for each in evidence)
    return tongue.own.label("sample") if found else ""


def marks_of(citations: Sequence[CitationView], numbers: Mapping[str, int]) -> tuple[Mark, ...]:
    """The numbers behind a sentence, in order, each with the words it stands for."""
    found: dict[str, dict[str, Excerpt]] = {}
    for each in citations:
        if each.evidence_id in numbers:
            held = found.setdefault(each.evidence_id, {})
            held.setdefault(each.quote, excerpt(each))
    return tuple(
        Mark(number=numbers[name], quotes=tuple(found[name].values()), evidence_id=name)
        for name in sorted(found, key=numbers.__getitem__)
    )


def excerpt(each: CitationView) -> Excerpt:
    return Excerpt(text=each.quote, start=each.start, end=each.end)


def entry(
    number: int,
    view: EvidenceView | CitationView,
    quotes: Sequence[Excerpt],
    about: Sequence[str],
    tongue: Tongue,
    **more: Any,
) -> SourceEntry:
    """A source in the list; a file of the reader's own is named, not linked."""
    say = tongue.say
    name = local_name(view.url)
    where = f"{say.local_file} {name}" if name else web_link(view.url) or ""
    return SourceEntry(
        number=number,
        title=view.title or name or view.url,
        link=view.url,
        where=where,
        publisher=shown_publisher(view.publisher, view.url),
        about=(day(view.published_at) or say.undated, *about),
        quotes=tuple(quotes),
        **more,
    )


def named(view: EvidenceView) -> str:
    return f"{shown_publisher(view.publisher, view.url)}: {view.title}"


def titled(label: str) -> str:
    """A label as a heading."""
    return label[:1].upper() + label[1:]


def spent(cost: Cost, tongue: Tongue) -> str:
    say = tongue.say
    parts = [f"${cost.usd:.4f}", f"{cost.calls} {say.calls}", f"{cost.cached} {say.cached}"]
    if cost.repeated:
        parts.append(f"{cost.repeated} {say.repeated}")
    return " · ".join(parts)


def written_by(reasoner: str, tongue: Tongue) -> Fact:
    say = tongue.say
    return Fact(name=say.reasoner, value=say.embedded if reasoner == "embedded" else reasoner)


def colophon(run: Run, facts: Iterable[Fact], tongue: Tongue) -> Iterator[Block]:
    """How the report came about, and how it can be held to its word."""
    own, say = tongue.own, tongue.say
    yield Heading(text=own.label("about"))
    items = [
        *facts,
        tongue.counted("state", say.states.get(run.state, run.state)),
        tongue.counted("asked at", f"{run.now:%Y-%m-%d %H:%M:%S} UTC"),
        tongue.counted("run", run.id),
        *([tongue.counted("digest", run.digest)] if run.digest else []),
        tongue.counted("code", run.versions.code),
    ]
    yield FactList(items=tuple(item for item in items if item.value))
