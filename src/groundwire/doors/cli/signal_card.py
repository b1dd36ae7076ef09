"""The card of a signal: the verdict first, then its receipt, its quotes and where they come from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from groundwire.doors.cli.pieces import (
    bullets,
    cut,
    degraded,
    missing,
    next_rows,
    section,
    verdict_text,
)
from groundwire.doors.cli.prose import Prose
from groundwire.doors.cli.render import clean, shown
from groundwire.evidence.sources.publishers import shown_publisher
from groundwire.jobs.verify.signal import Signal, SignalEvidence
from groundwire.model.claim import CitationView
from groundwire.model.history import PastEvent
from groundwire.model.result import Sentence
from groundwire.model.tool import ToolResult
from groundwire.report.links import local_name, web_link
from groundwire.report.plain import day
from groundwire.report.signal_outline import (
    Cited,
    Family,
    cited,
    families,
    numbers,
    stance_of,
    steps,
    unquoted_against,
)
from groundwire.report.signal_words import STANCES, SignalWords, signal_words
from groundwire.report.words import Words

_BAR = 10
_MESSAGE = 600  # characters of the message that the card shows
_TITLE = 140
_ORIGINS = 8
_PAST = 3
_PARTS = " ▏▎▍▌▋▊▉█"


def signal_card(
    signal: Signal, *, links: bool = True, next_steps: Sequence[tuple[str, str]] = ()
) -> Group:
    """The whole card; `links` puts addresses behind titles, where the terminal can follow them."""
    own, say = signal_words(signal.language)
    return Group(*_Card(signal, own, say, cited(signal), links).parts(next_steps))


def bar(value: float) -> str:
    """A share of one, ten cells wide, in eighths of a cell; readable without colour."""
    eighths = round(min(max(value, 0.0), 1.0) * _BAR * 8)
    full, rest = divmod(eighths, 8)
    return ("█" * full + (_PARTS[rest] if rest else "")).ljust(_BAR, "·")


def signed(delta: float) -> str:
    """With its sign, to the last place that is not nothing."""
    digits = f"{abs(delta):.4f}".rstrip("0")
    whole, _, places = digits.partition(".")
    sign = "±" if not delta else "−" if delta < 0 else "+"
    return f"{sign}{whole}.{places.ljust(2, '0')}"


@dataclass(frozen=True)
class _Card:
    signal: Signal
    own: SignalWords
    say: Words
    sources: tuple[Cited, ...]
    links: bool

    def parts(self, next_steps: Sequence[tuple[str, str]]) -> list[RenderableType]:
        signal, label = self.signal, self.own.labels

        def hint(text: str) -> str:
            return self.own.hints.get(text) or self.say.hint(text)

        return [
            Rule(style="faint", characters="─"),
            self._verdict(),
            Prose(shown(signal.summary, "bold")),
            *self._about(),
            *section(f"{label['waterfall']} {signal.confidence:.2f}", self._waterfall()),
            *section(label["claims"], self._claims()),
            *section(label["findings"], bullets(self._finding(each) for each in signal.findings)),
            *section(label["against"], self._against()),
            *section(self._origin_title(), self._origins()),
            *section(label["tools"], bullets(self._tools())),
            *section(label["memory"], bullets(self._past(each) for each in signal.memory[:_PAST])),
            *section(label["sightings"], self._sightings()),
            *section(self.say.missing, missing(signal.gaps, self.say)),
            *section(self.say.degraded, degraded(signal.degraded, self.say)),
            *section(label["links"], self._sources()),
            Rule(style="faint", characters="─"),
            *self._foot(),
            *next_rows(next_steps, self.say.next, hint),
        ]

    def _verdict(self) -> Text:
        """SUPPORTED · 0.82, before anything else."""
        signal = self.signal
        head = Text.assemble(
            (self.own.shaped(signal.verdict), f"bold {signal.verdict}"),
            (f" · {signal.confidence:.2f} ", "bold"),
            (bar(signal.confidence), signal.verdict),
        )
        if signal.status != "complete":
            head.append(f" · {self.say.states[signal.status]}", signal.status)
        return head

    def _about(self) -> Iterator[RenderableType]:
        signal, own = self.signal, self.own
        what = [own.type(signal.event_type)]
        if signal.asset:
            named = signal.asset_name if signal.asset_name not in ("", signal.asset) else ""
            what.append(f"{signal.asset} ({named})" if named else signal.asset)
        what += [
            f"{own.labels['action']}{self.say.colon}{own.actions.get(signal.action, signal.action)}",
            f"{own.labels['direction']}{self.say.colon}"
            f"{own.directions.get(signal.direction, signal.direction)}",
            own.timeframes[signal.timeframe],
            f"{own.labels['strength']}{self.say.colon}"
            f"{own.strengths.get(signal.strength, signal.strength)}",
        ]
        yield Prose(shown(" · ".join(what), "soft"))
        if signal.risk_flags:
            listed = " · ".join(own.listed(signal.risk_flags))
            yield Prose(Text.assemble(("⚑ ", "degraded"), (listed, "degraded")))
        if path := own.paths[signal.path]:
            same = signal.duplicate_of
            path += f": {own.labels['same as']} {clean(same)}" if same else ""
            yield Prose(Text(path, "degraded"))
        if message := self._message():
            yield Text("")
            yield Padding(Prose(message), (0, 0, 0, 2))
        if signal.notes:
            yield Text("")
            yield Prose(shown(signal.notes))

    def _message(self) -> Text:
        message = self.signal.message
        text = cut(clean(message.text), _MESSAGE)
        line = Text.assemble(("“", "soft"), shown(text, "italic"), ("”", "soft"))
        if text == clean(self.signal.summary):
            line = Text("")  # it stands above
        about = [clean(each) for each in (message.source, message.author) if each]
        if message.published_at is not None:
            about.append(f"{message.published_at:%Y-%m-%d %H:%M} UTC")
        about += self.own.listed(self.signal.preliminary.risk_flags)
        return line.append(("\n" if line else "") + " · ".join(about), "soft")

    def _waterfall(self) -> Iterator[RenderableType]:
        """A receipt: every row with its sign and what the sum is after it."""
        rows = Table.grid(padding=(0, 1, 0, 0))
        rows.add_column(no_wrap=True)
        rows.add_column(no_wrap=True, justify="right")
        rows.add_column(no_wrap=True)
        rows.add_column(no_wrap=True, justify="right")
        rows.add_column(ratio=1)
        known = {source.view.id: source.number for source in self.sources}
        for step in steps(self.signal.waterfall):
            row = step.row
            style = "contradicted" if row.delta < 0 else "supported" if row.delta > 0 else "soft"
            marks = sorted(known[each] for each in row.evidence_ids if each in known)
            rows.add_row(
                Text(f"  {clean(self.own.rule(row.rule))}"),
                Text(signed(row.delta), style),
                Text(bar(step.total), "accent"),
                Text(f"{step.total:.2f}", "bold"),
                Prose(
                    Text.assemble(
                        shown(row.reason, "soft"), (_marks(marks), "accent") if marks else ""
                    )
                ),
            )
        yield rows

    def _claims(self) -> Iterator[RenderableType]:
        if not self.signal.claims and self.signal.path == "deep":
            yield Text(f"  {self.own.labels['no claims']}", "soft")
        if not self.signal.claims:
            return
        stances = {each.id: each.stance for each in self.signal.evidence}
        rows = Table.grid(padding=(0, 2, 0, 0))
        rows.add_column(no_wrap=True)
        rows.add_column(ratio=1)
        for claim in self.signal.claims:
            line = shown(claim.text)
            marks = numbers(claim, self.sources)
            if marks:
                line.append(_marks(marks), "accent")
            for each in claim.citations:
                line.append("\n").append_text(
                    self._quote(each, stances.get(each.evidence_id, "unrelated"))
                )
            rows.add_row(verdict_text(claim.verdict, self.say), Prose(line))
        yield Padding(rows, (0, 0, 0, 2))

    def _quote(self, citation: CitationView, stance: str) -> Text:
        number = next(
            (each.number for each in self.sources if each.view.id == citation.evidence_id), None
        )
        who = shown_publisher(citation.publisher, citation.url)
        return Text.assemble(
            (f"{self.own.stance(stance)} ", STANCES[stance]),
            ("“", "soft"),
            shown(cut(citation.quote), "italic"),
            ("”", "soft"),
            (f" [{number}]" if number else "", "accent"),
            (f" {clean(who)} · {day(citation.published_at) or self.say.undated}", "soft"),
        )

    def _finding(self, said: Sentence) -> Text:
        """What pages say, with the side that they take; the quotes stand by the sources."""
        stance = stance_of(said, self.signal)
        line = Text.assemble(
            (f"{self.own.stance(stance)} " if stance else "", STANCES.get(stance, "")),
            shown(said.text),
        )
        return line.append(_marks(numbers(said, self.sources)), "accent")

    def _against(self) -> Iterator[RenderableType]:
        return bullets(
            Text.assemble(
                ("✕ ", "contradicted"),
                shown(source.publisher, "bold"),
                (f" [{source.number}]", "accent"),
                (f" {self.own.labels['official']}" if source.view.official else "", "supported"),
                (f" · {day(source.view.published_at) or self.say.undated}", "soft"),
                *([("\n“", "soft"), shown(cut(quote), "italic"), ("”", "soft")] if quote else []),
            )
            for source, quote in unquoted_against(self.signal, self.sources)
        )

    def _origin_title(self) -> str:
        signal = self.signal
        counted = self.say.origin_line(len(signal.evidence), len(signal.origins))
        sides = [self.own.count("supporting", signal.supporting_origins)]
        sides.append(self.own.count("contradicting", signal.contradicting_origins))
        return f"{counted} · {' · '.join(sides)}"

    def _origins(self) -> Iterator[RenderableType]:
        found = families(self.signal)
        for family in found[:_ORIGINS]:
            yield Padding(Prose(self._family(family)), (0, 0, 0, 2))
        if len(found) > _ORIGINS:
            yield Text(f"  {self.own.count('more', len(found) - _ORIGINS)}", "soft")

    def _family(self, family: Family) -> Text:
        lead = family.lead
        line = Text.assemble(
            (f"{self.own.stance(family.stance)} ", STANCES[family.stance]),
            shown(_publisher(lead), "bold"),
            (f" · {self.own.labels['official']}" if lead.official else "", "supported"),
            (f" · {day(lead.published_at) or self.say.undated} · ", "soft"),
            shown(cut(lead.title or lead.url, _TITLE), "soft"),
        )
        for each in family.descendants:
            how = self.say.lineage.get(each.how, each.how)
            behind = f" — {how} {clean(_publisher(each.of))}" if each.of is not None else ""
            line.append("\n  ↳ ", "soft").append_text(shown(_publisher(each.view)))
            line.append(behind, "soft")
        return line

    def _tools(self) -> Iterator[Text]:
        asked = ""
        for result in self.signal.tools:
            line = self._tool(result)
            # Rounds may ask for the same words of other lists: they are said once.
            if (keyword := clean(result.data.get("keyword") or "")) not in ("", asked):
                line.append(f" · {keyword}", "faint")
                asked = keyword
            yield line

    def _tool(self, result: ToolResult) -> Text:
        line = Text(self.own.tools.get(result.tool, result.tool), "bold")
        if result.source not in ("", result.tool):
            line.append(f" · {clean(result.source)}", "soft")
        if result.error is not None:
            failed = f"{self.own.labels['failed']} ({result.error.code})"
            line.append(f" · {failed}{self.say.colon}{clean(result.error.message)}", "degraded")
            return line
        for key, counted in (
            ("source_count", "results"),
            ("unique_domains", "sites"),
            ("independent_origins", "origins"),
        ):
            value = result.data.get(key)
            if isinstance(value, int):
                line.append(f" · {self.own.count(counted, value)}", "soft")
        if bearing := self.own.bearings[result.bearing]:
            line.append(f" · {bearing}", STANCES.get(result.bearing, "supported"))
        if result.why:
            line.append(f" · {clean(result.why)}", "soft")
        return line

    def _past(self, event: PastEvent) -> Text:
        known = self.own.outcomes[event.outcome] if event.outcome else ""
        about = [
            self.own.age(event.age_hours),
            f"{self.say.verdict(event.verdict)} {event.confidence:.2f}",
            known or self.own.labels["outcome unknown"],
            *([clean(event.differs)] if event.differs else []),
            clean(event.run_id),
        ]
        return Text.assemble(
            (f"{event.similarity:.2f} ", "accent"),
            shown(cut(event.summary, _TITLE)),
            (" — " + " · ".join(about), "soft"),
        )

    def _sightings(self) -> Iterator[RenderableType]:
        return bullets(
            Text.assemble(
                shown(each.source or each.message_id),
                (f" · {clean(each.author)}" if each.author else "", "soft"),
                (f" · {(each.published_at or each.received_at):%Y-%m-%d %H:%M} UTC", "soft"),
                (f" · {self.own.layers[each.layer]} {each.similarity:.2f}", "soft"),
            )
            for each in self.signal.sightings
        )

    def _sources(self) -> Iterator[RenderableType]:
        rows = Table.grid(padding=(0, 1, 0, 0))
        rows.add_column(justify="right", no_wrap=True)
        rows.add_column(ratio=1)
        for source in self.sources:
            rows.add_row(Text(f"[{source.number}]", "accent"), Prose(self._source(source)))
        if self.sources:
            yield rows

    def _source(self, source: Cited) -> Text:
        view = source.view
        link = web_link(view.url)
        about = [day(view.published_at) or self.say.undated]
        about.append(self.say.tiers.get(view.tier, view.tier))
        about += [clean(flag) for flag in self.say.listed(view.flags)]
        if listed := self.own.rounds[view.round]:
            about.append(listed)
        name = local_name(view.url)
        where = f"{self.say.local_file} {clean(name)}" if name else clean(link or "")
        return Text.assemble(
            shown(source.publisher, "bold"),
            (f" · {self.own.labels['official']}" if view.official else "", "supported"),
            (" · " + " · ".join(about), "soft"),
            "\n",
            shown(view.title or view.url, link=link if self.links else None),
            (f"\n{where}" if where else "", "faint"),
        )

    def _foot(self) -> Iterator[RenderableType]:
        signal, cost = self.signal, self.signal.cost
        mind = self.say.embedded if signal.reasoner == "embedded" else clean(signal.reasoner)
        counted = [
            f"${cost.usd:.4f}",
            f"{cost.calls} {self.say.calls}",
            f"{cost.cached} {self.say.cached}",
            *([f"{cost.repeated} {self.say.repeated}"] if cost.repeated else []),
            f"{signal.latency_ms / 1000:.1f} s",
            f"{self.own.labels['version']} {clean(signal.confidence_version)}",
            clean(signal.run_id),
        ]
        yield Prose(Text(f"{self.say.reasoner} {mind} · " + " · ".join(counted), "soft"))


def _marks(found: Sequence[int]) -> str:
    return " " + "".join(f"[{number}]" for number in found)


def _publisher(view: SignalEvidence) -> str:
    return shown_publisher(view.publisher, view.url)
