"""The evidence of a signal in its report: what is cited, what contradicts, the origins, the rest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from groundwire.jobs.verify.signal import Signal, SignalEvidence
from groundwire.jobs.verify.sources import citing, source_numbers, stance_behind
from groundwire.model.result import Sentence
from groundwire.model.run import Run
from groundwire.model.stance import StanceLabel
from groundwire.report import sections
from groundwire.report.blocks import (
    Block,
    Excerpt,
    Heading,
    Mark,
    OriginGroup,
    Origins,
    SourceEntry,
    Sources,
    Statement,
    Tone,
)
from groundwire.report.plain import day
from groundwire.words import Words, words

# A stance looks like the verdict that it leads to, and so does what a number says.
TONES: dict[str, Tone] = {
    "supports": "supported",
    "contradicts": "contradicted",
    "qualifies": "qualified",
    "unrelated": "unverified",
    "confirms": "supported",
}
_WEIGHT: dict[StanceLabel, int] = {"contradicts": 0, "supports": 1, "qualifies": 2, "unrelated": 3}
_ORIGINS = 8  # that a card shows


@dataclass
class SignalEvidenceParts:
    """A run's signal, with what its parts are written with, and the parts that are evidence."""

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
    def entries(self) -> dict[str, SourceEntry]:
        """All evidence; what is cited has its number and what is quoted from it."""
        quotes = sections.quotes_of(citing(self.signal))
        return {
            view.id: self._entry(view, quotes.get(view.id, [])) for view in self.signal.evidence
        }

    def _entry(self, view: SignalEvidence, quoted: Sequence[Excerpt]) -> SourceEntry:
        own = [Excerpt(text=view.quote, start=view.start, end=view.end)] if view.quote else []
        about = (self.label("official") if view.official else "", self.name("round", view.round))
        return sections.entry(
            view,
            self.say,
            view,
            about=[each for each in about if each],
            number=self.numbers.get(view.id, 0),
            quotes=tuple(_once([*quoted, *own])),
            tone=TONES[view.stance],
            word=self.name("stance", view.stance),
        )

    def finding(self, said: Sentence) -> Statement:
        """What pages say, with the side that they take."""
        stance = stance_behind(said, self.signal)
        return Statement(
            text=said.text,
            tone=TONES.get(stance, ""),
            word=self.name("stance", stance) if stance else "",
            marks=sections.marks_of(said, self.numbers),
        )

    def against(self) -> Iterator[Statement]:
        against = (each for each in self.signal.evidence if each.stance == "contradicts")
        for view in sorted(against, key=lambda each: self.numbers[each.id]):
            about = [day(view.published_at) or self.say("report.undated")]
            about += [self.label("official")] if view.official else []
            quote = Excerpt(text=view.quote, start=view.start, end=view.end)
            mark = Mark(
                number=self.numbers[view.id],
                quotes=(quote,) if view.quote else (),
                evidence_id=view.id,
            )
            yield Statement(
                text=sections.publisher(view),
                tone="contradicted",
                marks=(mark,),
                about=" · ".join(about),
            )

    def origin_title(self) -> str:
        signal, say = self.signal, self.say
        return " · ".join(
            (
                say("report.origins", articles=len(signal.evidence), origins=len(signal.origins)),
                say("n.supporting", n=signal.supporting_origins),
                say("n.contradicting", n=signal.contradicting_origins),
            )
        )

    def origins(self) -> Iterator[Block]:
        """Origins that take a stance first, the largest of them first; nothing is left out."""
        signal = self.signal
        stances: dict[str, StanceLabel] = {each.id: each.stance for each in signal.evidence}
        found: list[tuple[int, OriginGroup]] = []
        for group in sections.origin_groups(
            signal.evidence, signal.origins, self.entries, self.say
        ):
            held: list[StanceLabel] = [stances[each.evidence_id] for each in group.items]
            stance = min(held, key=lambda each: _WEIGHT[each])
            side = {"tone": TONES[stance], "word": self.name("stance", stance)}
            lead, *rest = group.items
            items = (lead.model_copy(update=side), *rest)
            found.append((_WEIGHT[stance], group.model_copy(update={"items": items})))
        if found:
            found.sort(key=lambda each: (each[0], -len(each[1].items)))
            yield Heading(text=self.origin_title(), name="origins")
            yield Origins(
                items=tuple(group for _, group in found),
                most=_ORIGINS,
                more=self.say("n.more", n=len(found) - _ORIGINS),
                supporting=signal.supporting_origins,
                contradicting=signal.contradicting_origins,
            )

    def sources(self) -> Iterator[Block]:
        cited = [each for each in self.entries.values() if each.number]
        if cited:
            yield Heading(text=self.label("links"), name="sources")
            yield Sources(items=tuple(sorted(cited, key=lambda each: each.number)))

    def also_read(self) -> Iterator[Block]:
        items = (
            Statement(
                text=sections.named(view),
                tone=found.tone,
                word=found.word,
                about=" · ".join((*found.about, *(f"“{each.text}”" for each in found.quotes))),
            )
            for view in self.signal.evidence
            if not (found := self.entries[view.id]).number
        )
        title = sections.titled(self.say("report.also_read"))
        yield from sections.section("also_read", title, items, brief=False)


def _once(quotes: Sequence[Excerpt]) -> list[Excerpt]:
    """Each once; one that stands within another says nothing more."""
    found = {each.text: each for each in reversed(quotes)}
    kept = [text for text in found if not any(text in other for other in found if other != text)]
    return [found[text] for text in reversed(kept)]
