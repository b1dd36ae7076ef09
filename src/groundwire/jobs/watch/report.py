"""Watches as reports: what changed comes first, then the brief with its sources."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from groundwire.jobs.watch.brief import said_by, sentence_for
from groundwire.jobs.watch.ledger.claims import Claim, Given
from groundwire.jobs.watch.letter import counted
from groundwire.jobs.watch.report_changes import changed, edited
from groundwire.jobs.watch.result import AgentState, WatchEvidence, WatchResult
from groundwire.jobs.watch.sheet import sheet_of
from groundwire.jobs.watch.telling import by_weight, hinges_on_its_day
from groundwire.jobs.watch.values_told import Told, told_value
from groundwire.model.base import JsonObject
from groundwire.model.result import Sentence
from groundwire.model.run import Run
from groundwire.report import blocks, exams, sections
from groundwire.report.findings import Command, Findings, how_made, imprint, source_entries
from groundwire.words import Words, words

_STATE: dict[str, blocks.Tone] = {"contested": "contested", "withdrawn": "contradicted"}
_SHOWN = 12  # claims that a card shows
_LONG_AGO = 30  # days


def _cited(result: WatchResult) -> list[Sentence]:
    """List the cited sentences in the order in which a reader meets them."""
    sides = (side for each in result.changes for side in (each.after, each.before) if side)
    return [
        *result.summary,
        *(said_by(side) for side in sides),
        *(each for section in result.sections for each in section.sentences),
        *(each for point in result.contradictions for each in point.sides),
        *(sentence_for(each) for each in result.claims if each.stands),
    ]


def _bare(run: Run) -> JsonObject:
    command = str(run.input.get("command", ""))
    state = AgentState(task_id=run.id, original_command=command, current_phase="failed")
    return {"subject": command, "end": "failed", "state": state}


_FINDINGS = Findings(
    WatchResult,
    subject="command",
    sentences=_cited,
    exports=(Command("gw export {run} -f html", "hint.export"),),
    bare=_bare,
    cause=lambda gaps: gaps[-1:],  # what the plan lacks comes before it
)


def _report(run: Run, language: str = "") -> blocks.Report:
    result = _FINDINGS.of(run)
    say = words(language or result.language)
    entries = _entries(result, say)
    numbers = {name: each.number for name, each in entries.items() if each.number}
    finished = run.result is not None
    counted = sections.counted(result.evidence, result.origins, say)
    return sections.build_report(
        run,
        say,
        title=result.subject or result.command,
        meta=(
            f"{say.name('state', result.status)} · {say('watch.n.claims', n=_standing(result))} · {counted}",
            *((_since(result, say),) if finished else ()),
            *_how_old(result, say),
        ),
        sample=sections.sample_word(result.evidence, say),
        blocks=(
            *sections.without_result(run, say),
            *sections.of_the_sample(result.evidence, say),
            *_summary(result, numbers, say),
            *changed(result, numbers, say),
            *edited(result, say),
            *(_parts(result, numbers, say) if finished else ()),
            *_disputes(result, numbers, say),
            *sections.missing(result.gaps if finished else (), say),
            *(_claims(result, numbers, say) if finished else ()),
            *sections.section("keywords", say("watch.keywords"), _keywords(result, say)),
            *(_plan(result, say) if finished else ()),
            *(_critique(result, say) if finished else ()),
            *exams.decided(result.decided, say),
            *sections.degradations(result.degraded, say),
            *sections.recoveries(result.recovered, result.evidence, say),
            *_chain(result, say),
            *sections.by_origin(result.evidence, result.origins, entries, say),
            *sections.cited(entries, say("report.sources")),
            *sections.also_read(result.evidence, entries, say),
            *sections.colophon(run, _facts(result, say) if finished else (), say),
        ),
        foot=say("report.made_by") if result.claims else "",
        imprint=tuple(imprint(result, say)) if finished else (),
    )


def _standing(result: WatchResult) -> int:
    return sum(each.stands for each in result.claims)


def _since(result: WatchResult, say: Words) -> str:
    """Say in one line what this run came to, compared with the one before."""
    if not result.previous:
        return say("watch.first_run")
    if not result.changes:
        return say("watch.nothing_changed", pages=result.looked)
    once = [each for each in result.changes if not each.same_as]
    return counted(once, say)


def _how_old(result: WatchResult, say: Words) -> tuple[str, ...]:
    """Say of when the newest page is, where that is long ago: nothing later was found to be told."""
    dated = [each.published_at for each in result.evidence if each.published_at is not None]
    if not dated or result.as_of is None or (result.as_of - max(dated)).days <= _LONG_AGO:
        return ()
    return (say("watch.newest", day=max(dated).date().isoformat()),)


def _entries(result: WatchResult, say: Words) -> dict[str, blocks.SourceEntry]:
    return source_entries(
        _cited(result), result.evidence, say, about=lambda view, _cited: _platform(view, say)
    )


def _platform(view: WatchEvidence, say: Words) -> tuple[str, ...]:
    """Tell where a page was published, by whom, and how many took notice of it."""
    if not (view.platform or view.engagement):
        return ()
    counts = (f"{count} {what}" for what, count in sorted(view.engagement.items()))
    where = say.name("platform", view.platform) if view.platform else ""
    return tuple(part for part in (where, view.author, *counts) if part)


# --- what is told --------------------------------------------------------------------------------


def _summary(result: WatchResult, numbers: dict[str, int], say: Words) -> Iterator[blocks.Block]:
    if result.summary:
        yield blocks.Heading(text=say("watch.summary"), name="summary")
        items = (sections.judged(each, numbers, say, _when(each, say)) for each in result.summary)
        yield blocks.Sentences(items=tuple(items))


def _when(sentence: Sentence, say: Words) -> str:
    """Say who said it when, where the sentence itself counts from that day."""
    return sections.attribution(sentence, say) if hinges_on_its_day(sentence.text) else ""


def _parts(result: WatchResult, numbers: dict[str, int], say: Words) -> Iterator[blocks.Block]:
    """Show the sections of the brief; what changed stands above as before and after."""
    for section in result.sections:
        if section.name in ("missing", "changed") or not section.sentences:
            continue
        if section.name == "new" and result.previous:
            continue
        # A first run has nothing to call new, and has told the weightiest above.
        name = "known" if section.name == "new" else section.name
        above = {each.text for each in result.summary} if name == "known" else set[str]()
        left = [each for each in section.sentences if each.text not in above]
        if not left:
            continue
        yield blocks.Heading(text=say(f"watch.section.{name}"), name=section.name)
        items = (
            sections.judged(each, numbers, say, sections.attribution(each, say)) for each in left
        )
        yield blocks.Points(
            items=tuple(items), most=_SHOWN, more=say("n.more", n=max(0, len(left) - _SHOWN))
        )


def _disputes(result: WatchResult, numbers: dict[str, int], say: Words) -> Iterator[blocks.Block]:
    if result.contradictions:
        yield blocks.Heading(text=say("watch.contradictions"), name="contested")
    for each in result.contradictions:
        items = (
            sections.judged(side, numbers, say, sections.attribution(side, say))
            for side in each.sides
        )
        yield blocks.Sides(point=say(each.point, **each.params), items=tuple(items))


def _claims(result: WatchResult, numbers: dict[str, int], say: Words) -> Iterator[blocks.Block]:
    """List what is believed now; the first brief has told it already."""
    if not result.previous:
        return
    once: dict[str, list[Claim]] = {}
    for each in by_weight(result.claims):
        once.setdefault(result.told.get(each.id, each.text), []).append(each)
    items = [
        blocks.Statement(
            text=text,
            tone=_STATE.get(alike[0].state, sections.tone_of(alike[0].verdict)),
            word=say.name("watch.state", alike[0].state),
            marks=sections.marks_of(_of_all(alike), numbers),
            about=_history(alike, say),
        )
        for text, alike in once.items()
    ]
    more = say("n.more", n=max(0, len(items) - _SHOWN))
    yield from sections.section("claims", say("watch.claims"), items, most=_SHOWN, more=more)


def _of_all(claims: Sequence[Claim]) -> Sentence:
    citations = dict.fromkeys(each for claim in claims for each in sentence_for(claim).citations)
    return sentence_for(claims[0]).model_copy(update={"citations": tuple(citations)})


def _history(claims: Sequence[Claim], say: Words) -> str:
    """Say what the values of a sentence are called, what each was before and on which day, and since when it is so."""
    values = dict.fromkeys(_values(each, say) for each in claims)
    since = max(each.as_of for each in claims)
    return " · ".join(filter(None, (*values, say("watch.as_of", day=since.isoformat()))))


def _values(claim: Claim, say: Words) -> str:
    def told(value: Given | Claim) -> Told:
        return told_value(claim.attribute, claim.kind, value, say.language)

    past = (f"{told(each).value or each.value} ({each.as_of})" for each in claim.past)
    return told(claim).beside(" → ".join(past), say)


# --- how it came about ---------------------------------------------------------------------------


def _keywords(result: WatchResult, say: Words) -> Iterator[blocks.Statement]:
    titles = {each.id: sections.named(each, say) for each in result.evidence}
    for each in result.keywords:
        where = titles.get(each.found_in, "")
        about = say("watch.found_in", where=where) if where else ""
        yield blocks.Statement(text=f"{each.word} ({each.score:.2f}) → {each.query}", about=about)


def _plan(result: WatchResult, say: Words) -> Iterator[blocks.Block]:
    items = (
        blocks.Statement(
            text=f"{each.task}{say('list.colon')}{' / '.join(each.queries)}",
            about=" · ".join(
                part
                for part in (
                    say.listed(say.name("platform", name) for name in each.platforms),
                    say("watch.days", n=each.days) if each.days else "",
                    each.why,
                )
                if part
            ),
        )
        for each in result.plan
    )
    yield from sections.section("plan", say("watch.plan"), items, brief=False)


def _critique(result: WatchResult, say: Words) -> Iterator[blocks.Block]:
    found = result.critique
    yield blocks.Heading(text=say("watch.critique"), name="critique", brief=False)
    names = ("overall", "credibility", "coverage", "quality")
    facts = (
        blocks.Fact(name=say(f"watch.critique.{name}"), value=f"{getattr(found, name):.2f}")
        for name in names
    )
    yield blocks.FactList(items=tuple(facts))
    notes = [blocks.Statement(text=say(each.code, **each.params)) for each in found.notes]
    if notes:
        yield blocks.Points(items=tuple(notes))


def _chain(result: WatchResult, say: Words) -> Iterator[blocks.Block]:
    """Show the thought chain: phase, what was thought, done and seen, and what it took."""
    items = (
        blocks.Statement(
            text=f"{say.name('watch.phase', each.phase)}{say('list.colon')}"
            f"{say.phrases([part for part in (each.thought, each.action, each.observation) if part])}",
            about=f"{each.duration_ms} ms" + (f" · {each.tokens_used}" if each.tokens_used else ""),
        )
        for each in result.steps
    )
    yield from sections.section("chain", say("watch.chain"), items, brief=False)


def _facts(result: WatchResult, say: Words) -> Iterator[blocks.Fact]:
    yield blocks.Fact(name=say("watch.end"), value=say(f"watch.end.{result.end}"))
    yield blocks.Fact(name=say("watch.searches"), value=str(result.searches))
    if result.previous:
        yield blocks.Fact(name=say("watch.compared_with"), value=result.previous)
    yield from how_made(result, say)


REPORT = _FINDINGS.report(_report, sheet_of)
