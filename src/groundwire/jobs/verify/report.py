"""Signals as reports, and the part of one that its picture shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from groundwire.jobs.verify.report_evidence import TONES, SignalEvidenceParts, citing, running_sums
from groundwire.jobs.verify.report_memory import past_events
from groundwire.jobs.verify.report_sheet import signal_sheet
from groundwire.jobs.verify.signal import Signal, SignalClaim
from groundwire.language.text.script import in_script
from groundwire.model.base import JsonObject
from groundwire.model.result import WaterfallRow
from groundwire.model.run import FINISHED, Run
from groundwire.model.tool import ToolResult
from groundwire.reasoning.question import EMBEDDED
from groundwire.report import blocks, exams, sections
from groundwire.report.csv import Sheet
from groundwire.report.plain import cut, one_line, stamp
from groundwire.report.reporting import CitedText, JobReport, ended_without
from groundwire.report.sections import section
from groundwire.report.tool_calls import tool_calls
from groundwire.words import words

_COUNTED = (
    ("source_count", "results"),
    ("unique_domains", "sites"),
    ("independent_origins", "origins"),
)
_PAST = 3  # that a card shows
_PICTURE_MESSAGE, _PICTURE_REASON, _PICTURE_CLAIM = 420, 160, 200  # characters
_PICTURE_CLAIMS = 5
_ENDS = ".。!！ "  # with which a sentence may end, and a title need not


def _result(run: Run) -> JsonObject:
    """Return the signal; for a run that ended without one, the reason."""
    if run.result is not None:
        return run.result
    status = run.state if run.state in FINISHED else "failed"
    reason = ended_without(run)
    error = {"message": reason.code, "params": reason.params}
    return {"run_id": run.id, "status": status, "message": run.input, "error": error}


def _cites(run: Run) -> CitedText:
    if run.result is None:
        return CitedText()
    signal = Signal.model_validate(run.result)
    return CitedText(citing(signal), signal.evidence)


def _report(run: Run, language: str = "") -> blocks.Report:
    return _bare(run, language) if run.result is None else _Writing(run, language).report()


def _picture(run: Run) -> blocks.Report | None:
    return _bare(run) if run.result is None else _Writing(run).picture()


def _bare(run: Run, language: str = "") -> blocks.Report:
    """Report a message that was not looked into, and why."""
    text = str(run.input.get("text", ""))
    say = words(language or sections.language_of(run, text))
    return sections.build_report(
        run,
        say,
        title=cut(one_line(text), 120) or run.id,
        blocks=(
            *sections.without_result(run, say),
            blocks.Quotation(text=text, about=str(run.input.get("source", ""))),
            *sections.colophon(run, (), say),
        ),
    )


class _Writing(SignalEvidenceParts):
    """One signal, part by part."""

    def report(self) -> blocks.Report:
        signal, say = self.signal, self.say
        past = past_events(signal, say)
        why = f"{self.label('waterfall')} {signal.confidence:.2f}"
        return self._made(
            (
                *self._path(),
                *sections.of_the_sample(signal.evidence, say),
                *self._message(),
                *self._description(),
                *section("later", self.label("later"), self.later()),
                *self._claims(),
                *section("findings", self.label("findings"), self.sayings()),
                *self.course(),
                blocks.Heading(text=why, name="why"),
                self._waterfall(),
                *self.origins(),
                *section("tools", self.label("tools"), self._tools()),
                *tool_calls(signal.tool_calls, say),
                *section(
                    "memory",
                    self.label("memory"),
                    past,
                    most=_PAST,
                    more=say("n.more", n=len(past) - _PAST),
                ),
                *section("sightings", self.label("sightings"), self._sightings()),
                *sections.missing(signal.gaps, say),
                *exams.decided(signal.decided, say),
                *sections.degradations(signal.degraded, say),
                *sections.recoveries(signal.recovered, signal.evidence, say),
                *sections.cited(self.entries, say("report.sources")),
                *sections.also_read(signal.evidence, self.entries, say),
                *sections.colophon(self.run, self._facts(), say),
            )
        )

    def picture(self) -> blocks.Report:
        """Report what fits a picture: the judgement, the message, and the waterfall."""
        told = self._told_claims()
        claims = [sections.judged(each, {}, self.say) for each in told[:_PICTURE_CLAIMS]]
        short = tuple(
            each.model_copy(update={"text": cut(each.text, _PICTURE_CLAIM)}) for each in claims
        )
        parts: list[blocks.Block] = [
            *self._path(),
            *self._reason(marked=False),
            *self._quoted(_PICTURE_MESSAGE),
            self._waterfall(most=_PICTURE_REASON, marked=False),
            *([blocks.Points(items=short)] if short else []),
        ]
        if (left := len(told) - len(short)) > 0:
            more = self.say("report.label.more", n=left)
            parts.append(blocks.Paragraph(spans=(blocks.TextSpan(text=more),)))
        counted = (self.origin_title(), f"{self.run.id} · {self._version()}")
        return self._made((*parts,), counted)

    def _made(
        self, parts: tuple[blocks.Block, ...], counted: tuple[str, ...] = ()
    ) -> blocks.Report:
        signal = self.signal
        return sections.build_report(
            self.run,
            self.say,
            title=cut(one_line(signal.summary), 300),
            tone=sections.tone_of(signal.verdict),
            word=self.say.name("verdict", signal.verdict).upper(),
            score=signal.confidence,
            meta=(*self._about(), *counted),
            sample=sections.sample_word(signal.evidence, self.say),
            blocks=parts,
            foot=self.label("made_by"),
            imprint=(
                sections.imprint(
                    signal.reasoner,
                    signal.cost,
                    self.say,
                    self.say("span.seconds", n=f"{signal.latency_ms / 1000:.1f}"),
                    self._version(),
                    signal.run_id,
                ),
            ),
        )

    def _version(self) -> str:
        return f"{self.label('version')} {self.signal.confidence_version}"

    def _about(self) -> tuple[str, ...]:
        signal, colon = self.signal, self.say("list.colon")
        what = [self.name("type", signal.event_type)]
        assets = in_script((signal.asset, signal.asset_name), self.say.language)
        what += [each for each in dict.fromkeys(assets) if each]
        for name in ("action", "direction"):
            what.append(f"{self.label(name)}{colon}{self.name(name, getattr(signal, name))}")
        what.append(self.name("timeframe", signal.timeframe))
        what.append(f"{self.label('strength')}{colon}{self.name('strength', signal.strength)}")
        if signal.status != "complete":
            what.append(self.say.name("state", signal.status))
        flags = [self._flag(each) for each in signal.risk_flags]
        origin = self._from() if self._is_title(signal.message.text) else ""
        flagged = f"⚑ {' · '.join(flags)}" if flags else ""
        lines = (" · ".join(what), origin, self._moment(), flagged)
        return tuple(line for line in lines if line)

    def _flag(self, flag: str) -> str:
        """Name a risk; of an old event, whose date says so."""
        ages = [row.reason for row in self.signal.waterfall if row.rule == "timeliness"]
        for by in ("by_message", "by_evidence"):
            if flag == "stale_event" and f"verify.reason.{by}" in ages:
                return self.say(f"verify.stale.{by}")
        return self.name("risk", flag)

    def _moment(self) -> str:
        """Say as of when the verdict is, unless that is simply now, and by what is known when."""
        signal, say = self.signal, self.say
        if signal.as_of is None or signal.judged_at is None:
            return ""  # of an older run
        parts = [*sections.as_of(signal.as_of, self.run, say)]
        is_told = signal.as_of == signal.judged_at and bool(parts)
        if not is_told and (any(each.aside for each in signal.evidence) or signal.later):
            how = "said" if signal.message.published_at else "came"
            is_now = [] if parts else [say("verify.judged.now")]
            parts += [say(f"verify.judged.{how}", when=stamp(signal.judged_at)), *is_now]
        return " · ".join(parts)

    def _path(self) -> Iterator[blocks.Block]:
        if title := self.name("path", self.signal.path):
            same = self.signal.duplicate_of
            where = f"{self.label('same_as')} {same}" if same else ""
            yield blocks.Notice(tone="insufficient", title=title, text=where)

    def _from(self) -> str:
        message = self.signal.message
        how = "published" if message.published_at else "received"
        at = message.published_at or message.received_at
        when = f"{self.say(f'report.label.{how}')} {at:%Y-%m-%d %H:%M} UTC"
        # A trait of the wording, a flag that pages can have, too, or a risk.
        families = ("verify.trait", "flag", "verify.risk")
        traits = [
            next((self.say(f"{f}.{each}") for f in families if self.say.has(f"{f}.{each}")), each)
            for each in self.signal.preliminary.risk_flags
        ]
        source = self.say.maybe(f"door.{message.source}", message.source)
        return _joined((source, message.author, when, *traits))

    def _description(self) -> Iterator[blocks.Block]:
        if text := self.signal.description:
            yield blocks.Heading(text=self.label("description"), name="description")
            yield blocks.Paragraph(spans=(blocks.TextSpan(text=text),))

    def _message(self) -> Iterator[blocks.Block]:
        """Say first why the verdict is what it is; then the message, unless the title is it."""
        yield from self._reason()
        for quoted in self._quoted():
            yield blocks.Heading(text=self.say("report.label.message"), name="message")
            yield quoted

    def _quoted(self, most: int = 0) -> Iterator[blocks.Quotation]:
        """Quote the message, unless the title is it."""
        if not self._is_title(text := self.signal.message.text):
            yield blocks.Quotation(text=cut(text, most) if most else text, about=self._from())

    def _reason(self, *, marked: bool = True) -> Iterator[blocks.Block]:
        rows = self.signal.waterfall
        ages = [row for row in rows if row.rule == "timeliness"]
        # What decides a stale message is its age; else the row after the first impression.
        for row in (ages or rows[1:2])[:1] if self.signal.verdict == "stale" else rows[1:2]:
            cited = self._marked(row) if marked else ()
            marks = tuple(blocks.Mark(number=n, evidence_id=e) for e, n in cited)
            text = sections.titled(self.say(row.reason, **row.params))
            yield blocks.Paragraph(spans=(blocks.TextSpan(text=text, marks=marks),), lead=True)

    def _is_title(self, text: str) -> bool:
        """Tell whether a text says word for word what the title says."""
        return one_line(text).strip(_ENDS) == one_line(self.signal.summary).strip(_ENDS)

    def _marked(self, row: WaterfallRow) -> list[tuple[str, int]]:
        """List the numbered evidence of a row, in the order of the numbers."""
        return [(each, n) for each, n in self.numbers.items() if each in row.evidence_ids]

    def _waterfall(self, most: int = 10_000, *, marked: bool = True) -> blocks.Waterfall:
        rows = self.signal.waterfall
        rule, delta, total, reason = map(self.label, ("rule", "delta", "sum", "reason"))
        return blocks.Waterfall(
            head=(rule, delta, total, reason),
            tone=sections.tone_of(self.signal.verdict),
            steps=tuple(
                blocks.WaterfallStep(
                    rule=self.name("rule", row.rule),
                    delta=row.delta,
                    total=total,
                    reason=cut(one_line(self.say(row.reason, **row.params)), most),
                    marks=tuple(
                        blocks.Mark(number=number, evidence_id=each)
                        for each, number in (self._marked(row) if marked else ())
                    ),
                )
                for row, total in zip(rows, running_sums(rows), strict=True)
            ),
        )

    def _told_claims(self) -> list[SignalClaim]:
        """Return the claims, unless the one that there is is the title, which the verdict judges."""
        claims = list(self.signal.claims)
        return [] if len(claims) == 1 and self._is_title(claims[0].text) else claims

    def _claims(self) -> Iterator[blocks.Block]:
        deep = self.signal.path == "deep"
        if claims := self._told_claims():
            yield blocks.Heading(text=self.label("claims"), name="claims")
            judged = (sections.judged(each, self.numbers, self.say) for each in claims)
            yield blocks.Sentences(items=tuple(judged))
        elif deep and not self.signal.claims:
            yield blocks.Heading(text=self.label("claims"), name="claims")
            yield blocks.Paragraph(spans=(blocks.TextSpan(text=self.label("no_claims")),))

    def _tools(self) -> Iterator[blocks.Statement]:
        previous = ""
        for result in self.signal.tools:
            # Rounds may search other lists for the same words, which are shown once.
            keyword = one_line(str(result.data.get("keyword") or ""))
            yield self._tool(result, "" if keyword == previous else keyword)
            previous = keyword or previous

    def _tool(self, result: ToolResult, keyword: str) -> blocks.Statement:
        name = self.say.name("tool_call.tool", result.tool)
        providers = self.say.listed(result.source.split(","), "provider")
        source = f" · {providers}" if result.source not in ("", result.tool) else ""
        if result.error is not None:
            kind = self.say.name("failure", result.error.code)
            why = f"{self.say('state.failed')} ({kind}){self.say('list.colon')}"
            about = (f"{why}{self.say.phrase(result.error.phrase)}", keyword)
        else:
            counts = ((result.data.get(key), f"n.{code}") for key, code in _COUNTED)
            counted = (self.say(code, n=n) for n, code in counts if isinstance(n, int))
            bearing = self.name("bearing", result.bearing)
            about = (*counted, bearing, self.say(result.why, **result.params), keyword)
        tone = TONES.get(result.bearing, "")
        return blocks.Statement(text=f"{name}{source}", tone=tone, about=_joined(about))

    def _sightings(self) -> Iterator[blocks.Statement]:
        for each in self.signal.sightings:
            at = each.published_at or each.received_at
            how = f"{self.name('layer', each.layer)} {each.similarity:.2f}"
            about = _joined((each.author, f"{at:%Y-%m-%d %H:%M} UTC", how))
            yield blocks.Statement(text=each.source or each.message_id, about=about)

    def _facts(self) -> Iterator[blocks.Fact]:
        signal = self.signal
        yield sections.written_by(signal.reasoner, self.say)
        if signal.claims_by not in ("", EMBEDDED):
            yield blocks.Fact(name=self.label("claims_by"), value=signal.claims_by)
        cost = sections.spent(self.signal.cost, self.say)
        yield blocks.Fact(name=self.say("report.label.cost"), value=cost)
        yield blocks.Fact(name=self.label("version"), value=self.signal.confidence_version)


def _joined(parts: Sequence[str]) -> str:
    return " · ".join(part for part in parts if part)


def _next_steps(run: Run, *, archive_empty: bool) -> Sequence[blocks.NextStep]:
    """List what a person can do now, the most useful first."""
    if run.result is None:
        return ()
    signal = Signal.model_validate(run.result)
    say = words(signal.language)
    step = sections.hints(say)
    if signal.duplicate_of is not None:
        return [step(f"gw show {signal.duplicate_of}", "verify.hint.earlier")]
    steps = [
        step(f"gw feedback {run.id} true|false|partly", "verify.hint.feedback"),
        step(f"gw export {run.id} -f md", "verify.hint.export"),
    ]
    refused = [each.error.code for each in signal.tools if each.error is not None]
    if "quota" in [*refused, *(each.code for each in signal.degraded)]:
        return [step("GROUNDWIRE_BUDGET__DAY_TOOL_CALLS=…", "verify.hint.raise"), *steps]
    if signal.status == "degraded":
        return [step(f"gw resume {run.id}", "hint.resume"), *steps]
    if signal.path == "plain":
        code = "verify.hint.force" if run.input.get("gate") else "verify.hint.deep"
        return [step("gw verify TEXT", code), *steps]
    if signal.evidence:
        return steps
    return [sections.where_to_look(run, archive_empty=archive_empty, say=say), *steps]


def _sheet(run: Run) -> Sheet:
    return signal_sheet(run.id, None if run.result is None else Signal.model_validate(run.result))


REPORT = JobReport(
    result=_result,
    report=_report,
    sheet=_sheet,
    cites=_cites,
    picture=_picture,
    noun=Signal,
    next_steps=_next_steps,
)
