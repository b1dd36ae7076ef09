"""The evidence of a signal in its report: citations, contradictions, origins, the rest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from groundwire.jobs.verify.signal import Signal, SignalEvidence
from groundwire.model.result import Sentence, WaterfallRow
from groundwire.model.run import Run
from groundwire.model.source import publisher_name
from groundwire.model.stance import StanceLabel
from groundwire.reasoning.question import EMBEDDED
from groundwire.report import blocks, sections
from groundwire.report.plain import day
from groundwire.words import Words, words

# A stance, or a bearing of numbers, looks like the verdict that it leads to.
TONES: dict[str, blocks.Tone] = {
    "supports": "supported",
    "contradicts": "contradicted",
    "qualifies": "qualified",
    "unrelated": "unverified",
    "confirms": "supported",
}
_WEIGHT: dict[StanceLabel, int] = {"contradicts": 0, "supports": 1, "qualifies": 2, "unrelated": 3}
_ORIGINS = 8  # that a card shows
_ORDERED = 12  # pages in their order


def citing(signal: Signal) -> tuple[Sentence, ...]:
    """Return every sentence of a signal that cites, in reading order."""
    return (*signal.claims, *signal.findings)


def source_numbers(signal: Signal) -> dict[str, int]:
    """Give numbers to the evidence that is cited or contradicts: in the order of `links`, which the marks
    in `notes` use, then in reading order."""
    known = {each.id for each in signal.evidence}
    by_url = {each.url: each.id for each in reversed(signal.evidence)}
    order = [by_url[url] for url in signal.links if url in by_url]
    cited = (each.evidence_id for sentence in citing(signal) for each in sentence.citations)
    order += [each for each in cited if each in known]
    order += [each.id for each in signal.evidence if each.stance == "contradicts"]
    order += [each.evidence_id for each in signal.later if each.evidence_id in known]
    return {name: number for number, name in enumerate(dict.fromkeys(order), start=1)}


def running_sums(rows: Sequence[WaterfallRow]) -> list[float]:
    """Return the sum after each row, in the units in which confidence is computed."""
    total = 0
    found: list[float] = []
    for row in rows:
        total += round(row.delta * 10_000)
        found.append(total / 10_000)
    return found


@dataclass
class SignalEvidenceParts:
    """The parts of a signal's report that show evidence, and what all its parts share."""

    run: Run
    language: str = ""  # of the reader; "": that of the signal

    @cached_property
    def signal(self) -> Signal:
        return Signal.model_validate(self.run.result)

    @cached_property
    def say(self) -> Words:
        return words(self.language or self.signal.language)

    @cached_property
    def numbers(self) -> dict[str, int]:
        return source_numbers(self.signal)

    def label(self, name: str) -> str:
        return self.say(f"verify.label.{name}")

    def name(self, family: str, value: str) -> str:
        return self.say.name(f"verify.{family}", value)

    @cached_property
    def entries(self) -> dict[str, blocks.SourceEntry]:
        """All evidence; what is cited has its number and its quotes."""
        quotes = sections.quotes_of(citing(self.signal))
        return {
            view.id: self._entry(view, quotes.get(view.id, [])) for view in self.signal.evidence
        }

    def _entry(self, view: SignalEvidence, quoted: Sequence[blocks.Excerpt]) -> blocks.SourceEntry:
        own_quote = _quote(view)
        about = (
            self.label("official") if view.official else "",
            self.name("round", view.round),
            self._reader(view),
        )
        return sections.entry(
            view,
            self.say,
            view,
            about=[each for each in about if each],
            number=self.numbers.get(view.id, 0),
            quotes=tuple(_once([*quoted, *own_quote])),
            tone=_tone(view),
            word=self.stance(view),
        )

    def _reader(self, view: SignalEvidence) -> str:
        """Say which model read the page; that rules read the others goes without saying."""
        model = view.read_by not in ("", EMBEDDED)
        return self.say("verify.read_by", who=view.read_by) if model else ""

    def stance(self, view: SignalEvidence) -> str:
        """Name the side that a page takes, and why it does not count where it does not."""
        parts = [self.name("stance", view.stance)]
        parts += [self.say("verify.read_differently")] if view.read_differently else []
        parts += [self.name("aside", view.aside)] if view.aside is not None else []
        return " · ".join(parts)

    def later(self) -> Iterator[blocks.Statement]:
        """Yield what is known now and was not when the message was said, in order."""
        for each in self.signal.later:
            number = self.numbers.get(each.evidence_id)
            quote = (blocks.Excerpt(text=each.quote),) if each.quote else ()
            mark = blocks.Mark(number=number or 0, quotes=quote, evidence_id=each.evidence_id)
            when = each.day.isoformat()
            who = publisher_name(each.publisher, self.say)
            text = self.say(f"verify.later.{each.kind}", day=when, who=who)
            yield blocks.Statement(text=text, marks=(mark,) if number else ())

    def finding(self, sentence: Sentence) -> blocks.Statement:
        """Show a finding with the side that its page takes."""
        views = {each.id: each for each in self.signal.evidence}
        pages = (
            views[each.evidence_id] for each in sentence.citations if each.evidence_id in views
        )
        page = next(pages, None)
        return blocks.Statement(
            text=sentence.text,
            tone="" if page is None else _tone(page),
            word="" if page is None else self.stance(page),
            marks=sections.marks_of(sentence, self.numbers),
        )

    def order(self) -> Iterator[blocks.Block]:
        """Show who said what when, where pages of another time are set aside."""
        sided = [each for each in self.signal.evidence if each.stance not in ("unrelated", "")]
        if not any(each.aside for each in sided):
            return
        sided.sort(key=lambda each: (each.published_at is None, each.published_at, each.id))
        yield blocks.Heading(text=self.label("order"), name="order")
        yield blocks.Timeline(items=tuple(map(self._node, sided[:_ORDERED])))

    def _node(self, view: SignalEvidence) -> blocks.TimelineNode:
        when = day(view.published_at) or self.say("report.undated")
        number = self.numbers.get(view.id)
        return blocks.TimelineNode(
            dates=(blocks.NodeDate(when=when),),
            text=f"{sections.publisher(view, self.say)}{self.say('list.colon')}{self.stance(view)}",
            marks=(blocks.Mark(number=number, evidence_id=view.id),) if number else (),
            tone=_tone(view),
        )

    def against(self) -> Iterator[blocks.Statement]:
        against = (each for each in self.signal.evidence if each.stance == "contradicts")
        for view in sorted(against, key=lambda each: self.numbers[each.id]):
            about = [day(view.published_at) or self.say("report.undated")]
            about += [self.label("official")] if view.official else []
            about += [self.name("aside", view.aside)] if view.aside else []
            number, name = self.numbers[view.id], sections.publisher(view, self.say)
            marks = (blocks.Mark(number=number, quotes=_quote(view), evidence_id=view.id),)
            yield blocks.Statement(
                text=name, tone=_tone(view), marks=marks, about=" · ".join(about)
            )

    def origin_title(self) -> str:
        signal, say = self.signal, self.say
        aside = sum(1 for each in signal.evidence if each.aside is not None)
        return " · ".join(
            (
                sections.counted(signal.evidence, signal.origins, say),
                say("n.supporting", n=signal.supporting_origins),
                say("n.contradicting", n=signal.contradicting_origins),
                *([say("verify.n.aside", n=aside)] if aside else []),
            )
        )

    def origins(self) -> Iterator[blocks.Block]:
        """Show origins that take a stance first, the largest first; nothing is left out."""
        signal = self.signal
        views = {each.id: each for each in signal.evidence}
        found: list[tuple[int, blocks.OriginGroup]] = []
        for group in sections.origin_groups(
            signal.evidence, signal.origins, self.entries, self.say
        ):
            # The page that speaks to the claim leads; one that counts comes before one that does not.
            shown = min((views[each.evidence_id] for each in group.items), key=_weight)
            side = {"tone": _tone(shown), "word": self.stance(shown)}
            lead, *rest = sorted(group.items, key=lambda each: each.evidence_id != shown.id)
            items = (lead.model_copy(update=side), *rest)
            found.append((_WEIGHT[shown.stance], group.model_copy(update={"items": items})))
        if found:
            found.sort(key=lambda each: (each[0], -len(each[1].items)))
            yield blocks.Heading(text=self.origin_title(), name="origins")
            yield blocks.Origins(
                items=tuple(group for _, group in found),
                most=_ORIGINS,
                more=self.say("n.more", n=len(found) - _ORIGINS),
                supporting=signal.supporting_origins,
                contradicting=signal.contradicting_origins,
            )


def _tone(view: SignalEvidence) -> blocks.Tone:
    """Return the tone of a page's stance; one set aside looks unchecked."""
    return TONES[view.stance] if view.aside is None else "unverified"


def _quote(view: SignalEvidence) -> tuple[blocks.Excerpt, ...]:
    found = blocks.Excerpt(text=view.quote, start=view.start, end=view.end)
    return (found,) if view.quote else ()


def _weight(view: SignalEvidence) -> tuple[int, bool]:
    return _WEIGHT[view.stance], view.aside is not None


def _once(quotes: Sequence[blocks.Excerpt]) -> list[blocks.Excerpt]:
    """Drop quotes that are repeated or contained in another."""
    found = {each.text: each for each in reversed(quotes)}
    kept = [text for text in found if not any(text in other for other in found if other != text)]
    return [found[text] for text in reversed(kept)]
