"""Parts that the reports of all jobs share: sentences, evidence, what is missing, the foot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, cast, get_args

from groundwire.evidence.sources.publishers import shown_publisher
from groundwire.evidence.sources.urls import web_host
from groundwire.language.text.characters import detect_language
from groundwire.language.text.script import language_of_question
from groundwire.model.claim import CitationView
from groundwire.model.exam import question_name
from groundwire.model.result import Cost, Degraded, EvidenceView, Gap, Origin, Recovered, Sentence
from groundwire.model.run import FINISHED, Run
from groundwire.report import blocks
from groundwire.report.links import local_name, web_link
from groundwire.report.plain import day, stamp
from groundwire.words import Words

TONES: frozenset[str] = frozenset(get_args(blocks.Tone))
_RECOVERIES = 3  # that a card shows


def language_of(run: Run, text: str) -> str:
    """Return the language of a run without a result: the requested one, else its text's."""
    for language in (run.input.get("language"), run.settings.get("language")):
        if language and language not in ("auto", "und"):
            return str(language)
    return language_of_question(detect_language(text))


def tone_of(verdict: str) -> blocks.Tone:
    """Return the tone of a verdict; an unknown one is unverified."""
    return cast(blocks.Tone, verdict) if verdict in TONES else "unverified"


# How a page descends from another of its own house: of one site, or of one owner.
_HOUSE = {"same site as": "lineage.own_site", "same owner as": "lineage.own_house"}


def build_report(run: Run, say: Words, **parts: Any) -> blocks.Report:
    """Build a report with what every one has: its label, its state, its moment."""
    label = f"{say.maybe(f'{run.kind}.result', run.kind)} · {run.now:%Y-%m-%d %H:%M} UTC"
    return blocks.Report(
        run_id=run.id,
        kind=run.kind,
        language=say.language,
        label=label,
        state=run.state,
        made_at=run.now,
        unseen=say("report.label.undrawn"),
        **parts,
    )


def as_of(moment: datetime | None, run: Run, say: Words) -> Iterator[str]:
    """Say up to when evidence counts, where that is not simply up to the run."""
    if moment is not None and moment < run.now:
        yield say("report.as_of", when=stamp(moment))


def section(
    name: str, title: str, items: Iterable[blocks.Statement], *, brief: bool = True, **more: Any
) -> Iterator[blocks.Block]:
    """Yield a heading with its points; nothing where there are none."""
    found = tuple(items)
    if found:
        yield blocks.Heading(text=title, name=name, brief=brief)
        yield blocks.Points(items=found, **more)


def missing(gaps: Sequence[Gap], say: Words) -> Iterator[blocks.Block]:
    items = (
        blocks.Statement(text=say(gap.what, **gap.params), about=say(gap.why, **gap.params))
        for gap in gaps
    )
    yield from section("missing", say("report.missing"), items)


def degradations(degraded: Sequence[Degraded], say: Words) -> Iterator[blocks.Block]:
    colon = say("list.colon")
    items = (
        blocks.Statement(
            text=f"{say.part(each.part)} ({say.name('failure', each.code)}){colon}"
            f"{say(each.reason, **each.params)}",
            about=f"{say('report.instead')}{colon}{say(each.instead, **each.params)}",
        )
        for each in degraded
    )
    yield from section("degraded", say("report.degraded"), items)


def recoveries(
    recovered: Sequence[Recovered], evidence: Iterable[EvidenceView], say: Words
) -> Iterator[blocks.Block]:
    """Show each failure that was made up for in one line: for what, what was tried, the outcome; equal ones once."""
    names = {each.id: publisher(each, say) for each in evidence}
    lines: Counter[str] = Counter()
    for each in recovered:
        subject = _recovered_for(each, names, say)
        asked = say("recovery.asked", name=say.name("provider", each.tried))
        tried = say.maybe(f"recovery.tried.{each.tried}", asked)
        steps = (say.name("failure", each.error), tried, say(f"recovery.outcome.{each.outcome}"))
        head = f"{subject}{say('list.colon')}" if subject else ""
        lines[f"{head}{' · '.join(steps)}"] += 1
    items = [blocks.Statement(text=f"{line} × {n}" if n > 1 else line) for line, n in lines.items()]
    more = say("n.more", n=len(items) - _RECOVERIES)
    yield from section("recovered", say("report.recovered"), items, most=_RECOVERIES, more=more)


def _recovered_for(each: Recovered, names: Mapping[str, str], say: Words) -> str:
    if each.part == "search":
        return say("recovery.search", query=each.subject)
    if each.part == "model":
        return say.maybe(question_name(each.subject).code, each.subject)
    return names.get(each.subject) or web_host(each.subject)


def without_result(run: Run, say: Words) -> Iterator[blocks.Block]:
    """Say that a run has no result, and why."""
    if run.result is not None:
        return
    label = "no_result" if run.state in FINISHED else "unfinished"
    title = f"{say(f'report.label.{label}')}{say('list.colon')}{say.name('state', run.state)}"
    yield blocks.Notice(tone="unverified", title=title, text=say.stored(run.error))


def of_the_sample(evidence: Sequence[EvidenceView], say: Words) -> Iterator[blocks.Block]:
    """Say where the report rests on the sample; a card has the word in its head."""
    if sample_word(evidence, say):
        yield sample_notice(say)


def sample_notice(say: Words) -> blocks.Notice:
    text = say("report.label.of_the_sample")
    return blocks.Notice(title=say("flag.sample"), text=text, brief=False)


def sample_word(evidence: Sequence[EvidenceView], say: Words) -> str:
    found = any("sample" in each.flags for each in evidence)
    return say("flag.sample") if found else ""


# --- sentences and their sources -------------------------------------------------------------


def numbered(sentences: Iterable[Sentence]) -> dict[str, int]:
    """Give numbers to the evidence that sentences cite, in the order in which the reader meets it."""
    cited = (each.evidence_id for sentence in sentences for each in sentence.citations)
    return {name: number for number, name in enumerate(dict.fromkeys(cited), start=1)}


def quotes_of(sentences: Iterable[Sentence]) -> dict[str, list[blocks.Excerpt]]:
    """Collect what is quoted from each piece of evidence, each once."""
    found: dict[str, dict[str, blocks.Excerpt]] = {}
    for each in (citation for sentence in sentences for citation in sentence.citations):
        words = blocks.Excerpt(text=each.quote, start=each.start, end=each.end)
        found.setdefault(each.evidence_id, {}).setdefault(each.quote, words)
    return {name: list(excerpts.values()) for name, excerpts in found.items()}


def marks_of(sentence: Sentence, numbers: Mapping[str, int]) -> tuple[blocks.Mark, ...]:
    """Return the numbers behind a sentence, in order, each with its quotes."""
    found = {name: excerpts for name, excerpts in quotes_of([sentence]).items() if name in numbers}
    return tuple(
        blocks.Mark(number=numbers[name], quotes=tuple(found[name]), evidence_id=name)
        for name in sorted(found, key=numbers.__getitem__)
    )


def judged(
    sentence: Sentence, numbers: Mapping[str, int], say: Words, about: str = ""
) -> blocks.Statement:
    """Build the statement of a checked sentence, with its verdict and its marks."""
    return blocks.Statement(
        text=sentence.text,
        tone=tone_of(sentence.verdict),
        word=say.name("verdict", sentence.verdict),
        marks=marks_of(sentence, numbers),
        about=about,
    )


def attribution(sentence: Sentence, say: Words) -> str:
    """Name publisher and day of each source behind a sentence, each once."""
    sources = (
        f"{publisher(each, say)} {day(each.published_at) or say('report.undated')}"
        for each in sentence.citations
    )
    return " · ".join(dict.fromkeys(sources))


def entry(
    view: EvidenceView | CitationView,
    say: Words,
    known: EvidenceView | None,
    *,
    about: Sequence[str] = (),
    **more: Any,
) -> blocks.SourceEntry:
    """Build the entry of a piece of evidence; a file of the reader's own is named, not linked."""
    name = local_name(view.url)
    tier = known.tier if known else "unknown"
    flags = known.flags if known else ()
    return blocks.SourceEntry(
        title=view.title or name or view.url,
        link=view.url,
        where=f"{say('report.local_file')} {name}" if name else web_link(view.url) or "",
        publisher=publisher(view, say),
        about=(
            day(view.published_at) or say("report.undated"),
            *(() if known is None or known.by_then else (say("report.published_later"),)),
            say.name("tier", tier),
            *(say.name("flag", flag) for flag in flags),
            *about,
        ),
        evidence_id=known.id if known else "",
        document_id=known.document_id if known else "",
        tier=tier,
        flags=flags,
        **more,
    )


def origin_groups(
    evidence: Sequence[EvidenceView],
    origins: Sequence[Origin],
    entries: Mapping[str, blocks.SourceEntry],
    say: Words,
) -> tuple[blocks.OriginGroup, ...]:
    """Group all evidence by origin: its lead, then what descends from it, and how."""
    known = {each.id: each for each in evidence}
    found: list[blocks.OriginGroup] = []
    for origin in origins:
        members = [each for each in origin.members if each in known]
        lead = origin.lead if origin.lead in known else next(iter(members), "")
        lines = {each.evidence_id: each for each in origin.lineage}
        items = [entries[lead]] if lead else []
        for each in members:
            if each == lead:
                continue
            line = lines.get(each)
            parent = known.get(line.of) if line else None
            how = ""
            if line and parent:
                how = _descent(known[each], line.how, parent, say)
            items.append(entries[each].model_copy(update={"lineage": how}))
        if items:
            found.append(blocks.OriginGroup(id=origin.id, items=tuple(items)))
    return tuple(found)


def _descent(view: EvidenceView, how: str, parent: EvidenceView, say: Words) -> str:
    """Say what a page descends from; of its own publisher the name stands beside it already."""
    who = publisher(parent, say)
    if how in _HOUSE and who == publisher(view, say):
        return say(_HOUSE[how])
    return f"{say.name('lineage', how)} {who}"


def counted(evidence: Sequence[EvidenceView], origins: Sequence[Origin], say: Words) -> str:
    """Say how many articles were read, and how many independent origins they have."""
    return say("report.origins", articles=len(evidence), origins=len(origins))


def by_origin(
    evidence: Sequence[EvidenceView],
    origins: Sequence[Origin],
    entries: Mapping[str, blocks.SourceEntry],
    say: Words,
) -> Iterator[blocks.Block]:
    """Yield all evidence by origin under its heading; a card leaves it out."""
    if groups := origin_groups(evidence, origins, entries, say):
        yield blocks.Heading(text=counted(evidence, origins, say), name="origins", brief=False)
        yield blocks.Origins(items=groups)


def cited(entries: Mapping[str, blocks.SourceEntry], title: str) -> Iterator[blocks.Block]:
    """Yield what is cited, in the order of its numbers."""
    found = sorted((each for each in entries.values() if each.number), key=lambda e: e.number)
    if found:
        yield blocks.Heading(text=title, name="sources")
        yield blocks.Sources(items=tuple(found))


def also_read(
    evidence: Sequence[EvidenceView], entries: Mapping[str, blocks.SourceEntry], say: Words
) -> Iterator[blocks.Block]:
    """Yield what was read but not cited, with the words by which it takes a side."""
    items = (
        blocks.Statement(
            text=named(view, say),
            tone=found.tone,
            word=found.word,
            about=" · ".join((*found.about, *(f"“{each.text}”" for each in found.quotes))),
        )
        for view in evidence
        if not (found := entries[view.id]).number
    )
    yield from section("also_read", titled(say("report.also_read")), items, brief=False)


def flagged(evidence: Sequence[EvidenceView], say: Words) -> Iterator[blocks.Statement]:
    """List what carries a warning, by flag; being from the sample is no warning."""
    for name in sorted({flag for each in evidence for flag in each.flags} - {"sample"}):
        found = [each for each in evidence if name in each.flags]
        names = "; ".join(named(each, say) for each in found)
        yield blocks.Statement(text=say.name("flag", name), about=names)


def publisher(view: EvidenceView | CitationView, say: Words) -> str:
    return shown_publisher(view.publisher, view.url, say)


def publishers(evidence: Iterable[EvidenceView], say: Words) -> str:
    """Name the publishers, each once."""
    return say.listed(dict.fromkeys(publisher(each, say) for each in evidence))


def named(view: EvidenceView, say: Words) -> str:
    return f"{publisher(view, say)}: {view.title}"


# Reasons why a belief fell, in the words of older versions.
_OLD_REASONS = {
    "by a claim that was forgotten since": "difference.forgotten",
    "polarity: said → denied": "difference.denied",
    "polarity: denied → said": "difference.said",
}


def difference(why: str, say: Words) -> str:
    """Say why a belief fell; a person's own reason is repeated as it is."""
    kind, colon, values = why.partition(": ")
    if colon and why not in _OLD_REASONS and say.has(f"difference.{kind}"):
        return f"{say(f'difference.{kind}')}{say('list.colon')}{values}"  # of an older version
    return say.stored(_OLD_REASONS.get(why, why))


# --- the foot --------------------------------------------------------------------------------


def titled(label: str) -> str:
    """Capitalise a label for a heading."""
    return label[:1].upper() + label[1:]


def spent(cost: Cost, say: Words) -> str:
    parts = [f"${cost.usd:.4f}", f"{cost.calls} {say('report.calls')}"]
    parts.append(f"{cost.cached} {say('report.cached')}")
    if cost.repeated:
        parts.append(f"{cost.repeated} {say('report.repeated')}")
    return " · ".join(parts)


def written_by(reasoner: str, say: Words) -> blocks.Fact:
    writer = say("report.embedded") if reasoner == "embedded" else reasoner
    return blocks.Fact(name=say("report.reasoner"), value=writer)


def imprint(reasoner: str, cost: Cost, say: Words, *more: str) -> str:
    """Say in one line by whom, for how much, how fast."""
    by = written_by(reasoner, say)
    return " · ".join([f"{by.name} {by.value}", spent(cost, say), *more])


def colophon(run: Run, facts: Iterable[blocks.Fact], say: Words) -> Iterator[blocks.Block]:
    """Say how the report came about, and how it can be checked."""

    def fact(name: str, value: object) -> blocks.Fact:
        return blocks.Fact(name=say(f"report.label.{name}"), value=str(value))

    yield blocks.Heading(text=say("report.label.about"), name="about", brief=False)
    items = [
        *facts,
        fact("state", say.name("state", run.state)),
        fact("asked_at", f"{run.now:%Y-%m-%d %H:%M:%S} UTC"),
        fact("run", run.id),
        *([fact("digest", run.digest)] if run.digest else []),
        fact("code", run.versions.code),
    ]
    yield blocks.FactList(items=tuple(item for item in items if item.value))


def hints(say: Words) -> Callable[[str, str], blocks.NextStep]:
    """Return a function that makes a next step of a command and the code of its purpose."""
    return lambda command, code: blocks.NextStep(command=command, why=say(code))


def where_to_look(run: Run, *, archive_empty: bool, say: Words) -> blocks.NextStep:
    """Say what to do when nothing was found."""
    step = hints(say)
    if archive_empty:
        return step("gw archive add --sample", "hint.empty")
    if run.settings.get("offline"):
        return step("gw archive add PATH…", "hint.offline")
    return step("gw providers", "hint.providers")
