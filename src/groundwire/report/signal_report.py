"""A signal as a report, and the part of it that its picture shows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from groundwire.jobs.verify.signal import Signal, SignalClaim, SignalEvidence
from groundwire.model.history import PastEvent
from groundwire.model.result import Sentence
from groundwire.model.run import Run
from groundwire.model.tool import ToolResult
from groundwire.report.blocks import (
    Block,
    Excerpt,
    Fact,
    Heading,
    Mark,
    Notice,
    Paragraph,
    Points,
    Quotation,
    Report,
    Sentences,
    Sources,
    Statement,
    TextSpan,
    Waterfall,
    WaterfallStep,
)
from groundwire.report.plain import cut, day, one_line
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
    titled,
    tone_of,
    tongue,
    written_by,
)
from groundwire.report.signal_outline import (
    Cited,
    citations,
    cited,
    families,
    stance_of,
    steps,
    unquoted_against,
)
from groundwire.report.signal_words import STANCES, SignalWords, signal_words

_CARD_MESSAGE = 420  # characters of it that the picture shows
_CARD_REASON = 160
_CARD_CLAIM = 200
_CARD_CLAIMS = 5
_NUMBER = re.compile(r"\d+")
_MARKS = re.compile(r"\[\d{1,4}\](?:\s*\[\d{1,4}\])*")


def signal_report(run: Run) -> Report:
    """The report of a verify run that has a result."""
    return _Writing.of(run).report()


def signal_card(run: Run) -> Report:
    """What the picture of such a run shows."""
    return _Writing.of(run).card()


@dataclass(frozen=True)
class _Writing:
    """One signal, with what its parts are written with."""

    run: Run
    signal: Signal
    own: SignalWords
    ours: Tongue
    sources: tuple[Cited, ...]
    numbers: dict[str, int]

    @classmethod
    def of(cls, run: Run) -> _Writing:
        signal = Signal.model_validate(run.result)
        found = cited(signal)
        return cls(
            run,
            signal,
            signal_words(signal.language)[0],
            tongue(signal.language),
            found,
            {source.view.id: source.number for source in found},
        )

    def report(self) -> Report:
        signal, ours, label = self.signal, self.ours, self.own.labels
        return self._made(
            (
                *self._path(),
                *of_the_sample(signal.evidence, ours),
                *self._message(),
                *self._waterfall(),
                *self._notes(),
                *self._claims(),
                *section(label["against"], self._against()),
                *section(self._origin_title(), self._origins()),
                *section(label["tools"], (self._tool(each) for each in signal.tools)),
                *section(label["memory"], (self._past(each) for each in signal.memory)),
                *section(label["sightings"], self._sightings()),
                *missing(signal.gaps, ours),
                *degradations(signal.degraded, ours),
                *self._sources(),
                *section(titled(ours.say.also_read), self._also_read()),
                *colophon(self.run, self._facts(), ours),
            )
        )

    def card(self) -> Report:
        """What fits a picture: the judgement, the message, and how the confidence came about."""
        signal = self.signal
        said = [self._claim(each) for each in signal.claims[:_CARD_CLAIMS]]
        short = tuple(
            each.model_copy(update={"text": cut(each.text, _CARD_CLAIM), "marks": ()})
            for each in said
        )
        fall = self._steps(most=_CARD_REASON, marked=False)
        blocks: list[Block] = [
            *self._path(),
            Quotation(text=cut(signal.message.text, _CARD_MESSAGE), about=self._from()),
            fall,
            *([Points(items=short)] if short else []),
        ]
        left = len(signal.claims) - len(short)
        if left > 0:
            more = self.ours.own.label("more").format(n=left)
            blocks.append(Paragraph(spans=(TextSpan(text=more),)))
        version = f"{self.own.labels['version']} {signal.confidence_version}"
        counted = (self._origin_title(), f"{self.run.id} · {version}")
        return self._made((*blocks,), meta=(*self._about(), *counted))

    def _made(self, blocks: tuple[Block, ...], meta: tuple[str, ...] | None = None) -> Report:
        signal = self.signal
        return made(
            self.run,
            self.ours,
            title=cut(one_line(signal.summary), 300),
            tone=tone_of(signal.verdict),
            word=self.own.verdicts.get(signal.verdict, signal.verdict),
            score=signal.confidence,
            meta=self._about() if meta is None else meta,
            sample=sample_word(signal.evidence, self.ours),
            blocks=blocks,
            foot=self.own.labels["made by"],
        )

    def _about(self) -> tuple[str, ...]:
        signal, own, label, colon = self.signal, self.own, self.own.labels, self.ours.say.colon
        what = [own.type(signal.event_type)]
        what += [each for each in dict.fromkeys((signal.asset, signal.asset_name)) if each]
        what += [
            f"{label['action']}{colon}{own.actions.get(signal.action, signal.action)}",
            f"{label['direction']}{colon}{own.directions.get(signal.direction, signal.direction)}",
            own.timeframes[signal.timeframe],
            f"{label['strength']}{colon}{own.strengths.get(signal.strength, signal.strength)}",
            self.ours.say.states[signal.status],
        ]
        flags = " · ".join(own.listed(signal.risk_flags))
        return (" · ".join(what), *([f"{label['flags']}{colon}{flags}"] if flags else []))

    def _path(self) -> Iterator[Block]:
        if said := self.own.paths[self.signal.path]:
            same = self.signal.duplicate_of
            where = f"{self.own.labels['same as']} {same}" if same else ""
            yield Notice(tone="insufficient", title=said, text=where)

    def _from(self) -> str:
        message, own = self.signal.message, self.ours.own
        at, how = message.published_at, "published"
        if at is None:
            at, how = message.received_at, "received"
        parts = [message.source, message.author, f"{own.label(how)} {at:%Y-%m-%d %H:%M} UTC"]
        return " · ".join(part for part in parts if part)

    def _message(self) -> Iterator[Block]:
        yield Heading(text=self.ours.own.label("message"))
        yield Quotation(text=self.signal.message.text, about=self._from())

    def _notes(self) -> Iterator[Block]:
        """The notes; their marks become the numbers that they are."""
        known = {source.number for source in self.sources}
        spans: list[TextSpan] = []
        at = 0
        for found in _MARKS.finditer(self.signal.notes):
            numbers = [int(number) for number in _NUMBER.findall(found[0])]
            if known.issuperset(numbers):
                text = self.signal.notes[at : found.start()].rstrip()
                marks = tuple(Mark(number=number) for number in numbers)
                spans.append(TextSpan(text=text, marks=marks))
                at = found.end()
        if self.signal.notes:
            yield Paragraph(spans=(*spans, TextSpan(text=self.signal.notes[at:])))

    def _waterfall(self) -> Iterator[Block]:
        yield Heading(text=f"{self.own.labels['waterfall']} {self.signal.confidence:.2f}")
        yield self._steps()

    def _steps(self, most: int = 10_000, marked: bool = True) -> Waterfall:
        label = self.own.labels
        known = self.numbers if marked else {}
        return Waterfall(
            head=(label["rule"], label["delta"], label["sum"], label["reason"]),
            tone=tone_of(self.signal.verdict),
            steps=tuple(
                WaterfallStep(
                    rule=self.own.rule(step.row.rule),
                    delta=step.row.delta,
                    total=step.total,
                    reason=cut(one_line(step.row.reason), most),
                    marks=tuple(
                        Mark(number=number)
                        for number in sorted(
                            known[each] for each in step.row.evidence_ids if each in known
                        )
                    ),
                )
                for step in steps(self.signal.waterfall)
            ),
        )

    def _claims(self) -> Iterator[Block]:
        signal, label = self.signal, self.own.labels
        if signal.claims:
            yield Heading(text=label["claims"])
            yield Sentences(items=tuple(self._claim(each) for each in signal.claims))
        if signal.findings:
            yield Heading(text=label["findings"])
            yield Sentences(items=tuple(self._finding(each) for each in signal.findings))

    def _claim(self, each: SignalClaim) -> Statement:
        return Statement(
            text=each.text,
            tone=tone_of(each.verdict),
            word=self.ours.say.verdicts.get(each.verdict, each.verdict),
            marks=marks_of(each.citations, self.numbers),
        )

    def _finding(self, said: Sentence) -> Statement:
        stance = stance_of(said, self.signal)
        return Statement(
            text=said.text,
            tone=tone_of(STANCES[stance]) if stance else "",
            word=self.own.stances.get(stance, stance),
            marks=marks_of(said.citations, self.numbers),
        )

    def _against(self) -> Iterator[Statement]:
        for source, _ in unquoted_against(self.signal, self.sources):
            view = source.view
            about = [day(view.published_at) or self.ours.say.undated]
            about += [self.own.labels["official"]] if view.official else []
            mark = Mark(
                number=source.number, quotes=(Excerpt(text=view.quote),) if view.quote else ()
            )
            yield Statement(
                text=source.publisher, tone="contradicted", marks=(mark,), about=" · ".join(about)
            )

    def _origin_title(self) -> str:
        signal = self.signal
        return " · ".join(
            (
                self.ours.say.origin_line(len(signal.evidence), len(signal.origins)),
                self.own.count("supporting", signal.supporting_origins),
                self.own.count("contradicting", signal.contradicting_origins),
            )
        )

    def _origins(self) -> Iterator[Statement]:
        for family in families(self.signal):
            yield Statement(
                text=named(family.lead),
                tone=tone_of(STANCES.get(family.stance, "unverified")),
                word=self.own.stances.get(family.stance, family.stance),
            )
            for each in family.descendants:
                how = self.ours.say.lineage.get(each.how, each.how)
                about = f"{how} {named(each.of)}" if each.of is not None else ""
                yield Statement(text=named(each.view), about=about, level=1)

    def _tool(self, result: ToolResult) -> Statement:
        name = self.own.tools.get(result.tool, result.tool)
        if result.error is not None:
            why = f"{self.own.labels['failed']} ({result.error.code}){self.ours.say.colon}"
            return Statement(text=f"{name} · {result.source}", about=why + result.error.message)
        parts = (self.own.bearings[result.bearing], result.why, str(result.data.get("keyword", "")))
        return Statement(
            text=f"{name} · {result.source}", about=" · ".join(part for part in parts if part)
        )

    def _past(self, event: PastEvent) -> Statement:
        own, say = self.own, self.ours.say
        outcome = own.outcomes[event.outcome] if event.outcome else own.labels["outcome unknown"]
        about = (
            f"{say.verdicts.get(event.verdict, event.verdict)} {event.confidence:.2f}",
            own.age(event.age_hours),
            outcome,
            event.differs,
            event.run_id,
        )
        return Statement(
            text=f"{event.similarity:.2f} {event.summary}",
            about=" · ".join(part for part in about if part),
        )

    def _sightings(self) -> Iterator[Statement]:
        for each in self.signal.sightings:
            yield Statement(
                text=each.source or each.message_id,
                about=f"{self.own.layers[each.layer]} {each.similarity:.2f}",
            )

    def _sources(self) -> Iterator[Block]:
        if not self.sources:
            return
        quotes: dict[str, list[str]] = {}
        for citation in citations(self.signal):
            quotes.setdefault(citation.evidence_id, []).append(citation.quote)
        yield Heading(text=self.own.labels["links"])
        yield Sources(
            items=tuple(
                entry(
                    source.number,
                    source.view,
                    [
                        Excerpt(text=each)
                        for each in _once([*quotes.get(source.view.id, []), source.view.quote])
                    ],
                    self._known(source.view),
                    self.ours,
                    tone=tone_of(STANCES.get(source.view.stance, "unverified")),
                    word=self.own.stances.get(source.view.stance, source.view.stance),
                )
                for source in self.sources
            )
        )

    def _also_read(self) -> Iterator[Statement]:
        for each in self.signal.evidence:
            if each.id not in self.numbers:
                about = (day(each.published_at) or self.ours.say.undated, *self._known(each))
                quote = (f"“{each.quote}”",) if each.quote else ()
                yield Statement(
                    text=named(each),
                    tone=tone_of(STANCES.get(each.stance, "unverified")),
                    word=self.own.stances.get(each.stance, each.stance),
                    about=" · ".join((*about, *quote)),
                )

    def _known(self, view: SignalEvidence) -> list[str]:
        say = self.ours.say
        official = [self.own.labels["official"]] if view.official else []
        return [say.tiers.get(view.tier, view.tier), *official, *say.listed(view.flags)]

    def _facts(self) -> Iterator[Fact]:
        signal, own = self.signal, self.ours.own
        yield written_by(signal.reasoner, self.ours)
        yield Fact(name=own.label("cost"), value=spent(signal.cost, self.ours))
        yield Fact(name=self.own.labels["version"], value=signal.confidence_version)


def _once(quotes: Sequence[str]) -> list[str]:
    """Each once; one that stands within another says nothing more."""
    found = [quote for quote in dict.fromkeys(quotes) if quote]
    return [q for q in found if not any(q in other for other in found if other != q)]
