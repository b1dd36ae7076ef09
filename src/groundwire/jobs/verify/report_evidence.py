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
from groundwire.report import blocks, sections
from groundwire.report.plain import day
from groundwire.words import Words, words

# A stance looks like the verdict that it leads to, and so does what a number says.
TONES: dict[str, blocks.Tone] = {
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
    def entries(self) -> dict[str, blocks.SourceEntry]:
        """All evidence; what is cited has its number and what is quoted from it."""
        quotes = sections.quotes_of(citing(self.signal))
        return {
            view.id: self._entry(view, quotes.get(view.id, [])) for view in self.signal.evidence
        }

    def _entry(self, view: SignalEvidence, quoted: Sequence[blocks.Excerpt]) -> blocks.SourceEntry:
        own = (
            [blocks.Excerpt(text=view.quote, start=view.start, end=view.end)] if view.quote else []
        )
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

    def finding(self, said: Sentence) -> blocks.Statement:
        """What pages say, with the side that they take."""
        stance = stance_behind(said, self.signal)
        return blocks.Statement(
            text=said.text,
            tone=TONES.get(stance, ""),
            word=self.name("stance", stance) if stance else "",
            marks=sections.marks_of(said, self.numbers),
        )

    def against(self) -> Iterator[blocks.Statement]:
        against = (each for each in self.signal.evidence if each.stance == "contradicts")
        for view in sorted(against, key=lambda each: self.numbers[each.id]):
            about = [day(view.published_at) or self.say("report.undated")]
            about += [self.label("official")] if view.official else []
            quote = blocks.Excerpt(text=view.quote, start=view.start, end=view.end)
            mark = blocks.Mark(
                number=self.numbers[view.id],
                quotes=(quote,) if view.quote else (),
                evidence_id=view.id,
            )
            yield blocks.Statement(
                text=sections.publisher(view),
                tone="contradicted",
                marks=(mark,),
                about=" · ".join(about),
            )

    def origin_title(self) -> str:
        signal, say = self.signal, self.say
        return " · ".join(
            (
                sections.counted(signal.evidence, signal.origins, say),
                say("n.supporting", n=signal.supporting_origins),
                say("n.contradicting", n=signal.contradicting_origins),
            )
        )

    def origins(self) -> Iterator[blocks.Block]:
        """Origins that take a stance first, the largest of them first; nothing is left out."""
        signal = self.signal
        stances: dict[str, StanceLabel] = {each.id: each.stance for each in signal.evidence}
        found: list[tuple[int, blocks.OriginGroup]] = []
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
            yield blocks.Heading(text=self.origin_title(), name="origins")
            yield blocks.Origins(
                items=tuple(group for _, group in found),
                most=_ORIGINS,
                more=self.say("n.more", n=len(found) - _ORIGINS),
                supporting=signal.supporting_origins,
                contradicting=signal.contradicting_origins,
            )


def _once(quotes: Sequence[blocks.Excerpt]) -> list[blocks.Excerpt]:
    """Each once; one that stands within another says nothing more."""
    found = {each.text: each for each in reversed(quotes)}
    kept = [text for text in found if not any(text in other for other in found if other != text)]
    return [found[text] for text in reversed(kept)]
