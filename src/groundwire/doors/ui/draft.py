"""A run's output so far, gathered from its journal: shown until there is a result, or where there is none."""

from __future__ import annotations

import re
from collections import OrderedDict, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import cast
from weakref import WeakKeyDictionary

from groundwire.app import App
from groundwire.jobs import report_of
from groundwire.model.base import Json, JsonObject
from groundwire.model.event import Event
from groundwire.model.result import EvidenceView, Gap, Origin, Sentence
from groundwire.model.run import Run
from groundwire.model.story import SHARED, Step, Story, step_of
from groundwire.report import blocks, sections
from groundwire.report.data import read_all, read_as
from groundwire.report.story import label, line
from groundwire.words import Words

_LINES = 300  # newest events kept of the chain of thoughts
_MOST = 500  # pieces of evidence and sentences; nobody reads more
_RUNS = 64  # drafts kept, so that a new event does not mean reading all again
_ROUND = re.compile(r"round\d+")


@dataclass
class Draft:
    """The journal of one attempt of a run, gathered. `take` events in their order."""

    steps: tuple[Step, ...]
    seq: int = 0
    attempt: int = 1
    began: datetime | None = None
    story: Story = field(init=False)
    sentences: dict[str, Sentence] = field(default_factory=dict[str, Sentence])  # by step
    gaps: list[Gap] = field(default_factory=list[Gap])
    evidence: dict[str, EvidenceView] = field(default_factory=dict[str, EvidenceView])
    origins: tuple[Origin, ...] = ()
    warnings: list[JsonObject] = field(default_factory=list[JsonObject])
    restarts: list[Json] = field(default_factory=list[Json])  # reasons, as phrases
    newest: dict[str, Event] = field(default_factory=dict[str, Event])  # by their steps
    own: deque[Event] = field(
        default_factory=lambda: deque[Event](maxlen=_MOST)
    )  # of its job's types
    lines: deque[Event] = field(default_factory=lambda: deque[Event](maxlen=_LINES))
    events: int = 0  # of this attempt
    _round: str = ""

    def __post_init__(self) -> None:
        self.story = Story(self.steps)

    def take(self, event: Event) -> None:
        if event.seq <= self.seq:
            return  # two viewers at once both deliver it
        self.seq = event.seq
        self.events += 1
        if self.began is None:
            self.began = event.at
        self.story.take(event)
        self.lines.append(event)
        if (step := step_of(self.steps, event)) is not None:
            self.newest[step.name] = event
            if event.type not in SHARED:
                self.own.append(event)
        self._gather(event)

    def _gather(self, event: Event) -> None:
        payload = event.payload
        match event.type:
            case "run" if payload.get("restarted"):
                self._restart(payload)
            case "answer":
                self._begin_round(event)
                sentence = read_as(Sentence, payload)
                if sentence is not None and len(self.sentences) < _MOST:
                    self.sentences[event.step] = sentence
            case "gap":
                self._begin_round(event)
                params = cast("JsonObject", payload.get("params") or {})
                what, why = (str(payload.get(name) or "") for name in ("what", "why"))
                self.gaps.append(Gap(what=what, why=why, params=params))
            case "evidence":
                found = read_as(EvidenceView, {"origin_id": "", **payload})
                if found is not None and len(self.evidence) < _MOST:
                    self.evidence[found.id] = found
            case "warning":
                self.warnings.append(payload)
            case _:
                pass
        self.origins = read_all(Origin, payload.get("clusters")) or self.origins

    def _begin_round(self, event: Event) -> None:
        """Forget what the round before said: a new one replaces it."""
        round_name = event.step.partition("/")[0]
        if _ROUND.fullmatch(round_name) and round_name != self._round:
            self._round = round_name
            self.sentences.clear()
            self.gaps.clear()

    def _restart(self, payload: JsonObject) -> None:
        """Note a restart; under another version the result may differ, so what is shown is cleared."""
        if (why := payload.get("reason") or "") not in self.restarts:
            self.restarts.append(why)
        if payload.get("unmatched_calls") is None:
            self.sentences.clear()
            self.gaps.clear()
            self.own.clear()


# The drafts of the runs viewed last, by app: only new events are read.
_DRAFTS: WeakKeyDictionary[App, OrderedDict[str, Draft]] = WeakKeyDictionary()


async def draft_of(app: App, run_id: str, steps: tuple[Step, ...]) -> Draft:
    """Return the draft of a run as of now, without known secrets."""
    kept = _DRAFTS.setdefault(app, OrderedDict())
    draft = kept.setdefault(run_id, Draft(steps))
    kept.move_to_end(run_id)
    while len(kept) > _RUNS:
        kept.popitem(last=False)
    while events := await app.runs.events(run_id, after=draft.seq):
        for event in events:
            payload = app.known.value(event.payload)
            if payload != event.payload:
                event = event.model_copy(update={"payload": payload})
            if event.attempt > draft.attempt:
                # A new attempt repeats the events of an earlier one; together they would count twice.
                draft = kept[run_id] = Draft(steps, seq=event.seq - 1, attempt=event.attempt)
            draft.take(event)
    return draft


def draft_report(run: Run, title: str, draft: Draft, say: Words) -> blocks.Report:
    """Build a report of what a run has produced so far, for any job, from its events alone."""
    return sections.build_report(run, say, title=title, blocks=tuple(_blocks(run, draft, say)))


def _blocks(run: Run, draft: Draft, say: Words) -> Iterator[blocks.Block]:
    kind, so_far = run.kind, report_of(run).so_far
    facts = [
        blocks.Fact(
            name=label(kind, each.name, say), value=line(draft.newest[each.name], (each,), say)
        )
        for each in draft.steps
        if each.aloud and each.name in draft.newest
    ]
    if facts:
        yield blocks.Heading(text=say("run.so_far"), name="so_far")
        yield blocks.FactList(items=tuple(facts))
    sentences = tuple(draft.sentences.values())
    numbers, quotes = sections.numbered(sentences), sections.quotes_of(sentences)
    if sentences:
        yield blocks.Heading(text=say("run.result"), name="answer")
        judged = tuple(sections.judged(each, numbers, say) for each in sentences)
        yield blocks.Sentences(items=judged)
    yield from so_far(draft.own, say)
    yield from sections.missing(draft.gaps, say)
    views = tuple(draft.evidence.values())
    entries = {
        each.id: sections.entry(
            each, say, each, number=numbers.get(each.id, 0), quotes=quotes.get(each.id, ())
        )
        for each in views
    }
    yield blocks.Sources(items=tuple(entries.values()))
    yield blocks.Origins(items=sections.origin_groups(views, draft.origins, entries, say))
