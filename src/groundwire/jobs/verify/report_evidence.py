"""The evidence of a signal in its report: citations, contradictions, origins, the rest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from groundwire.evidence.pages.presence import until
from groundwire.jobs.verify.signal import CourseStep, Signal, SignalEvidence
from groundwire.model.result import Sentence, WaterfallRow
from groundwire.model.run import Run
from groundwire.model.source import publisher_name
from groundwire.model.stance import StanceLabel
from groundwire.reasoning.question import EMBEDDED
from groundwire.report import blocks, sections
from groundwire.report.plain import day, one_line, stamp
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
_STOPS = ".。"  # a quote may end before the stop of its sentence


def citing(signal: Signal) -> tuple[Sentence, ...]:
    """Return every sentence of a signal that cites, in reading order."""
    return (*signal.claims, *signal.findings)


def source_numbers(signal: Signal) -> dict[str, int]:
    """Give numbers to the evidence that is cited or takes a side: in the order of `links`, which the
    marks in `notes` use, then in reading order."""
    known = {each.id for each in signal.evidence}
    by_url = {each.url: each.id for each in reversed(signal.evidence)}
    order = [by_url[url] for url in signal.links if url in by_url]
    cited = (each.evidence_id for sentence in citing(signal) for each in sentence.citations)
    order += [each for each in cited if each in known]
    sided = sorted(signal.evidence, key=_weight)
    order += [each.id for each in sided if each.stance != "unrelated"]
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

    def sayings(self) -> Iterator[blocks.Statement]:
        """Yield what each page that takes a side says, under its number; the same words once.

        A sentence that was written and checked stands for the pages that it cites.
        """
        views = {each.id: each for each in self.signal.evidence}
        told: set[str] = set()
        found: list[blocks.Statement] = []
        for sentence in self.signal.findings:
            names = dict.fromkeys(each.evidence_id for each in sentence.citations)
            pages = [views[name] for name in names if name in self.numbers]
            same = [each for each in self._sided if each.quote == sentence.text]
            marks = sections.marks_of(sentence, self.numbers)
            words = sentence.text.rstrip(_STOPS)
            verbatim = any(words in one_line(each.quote) for each in sentence.citations)
            text = f"“{sentence.text}”" if verbatim else sentence.text
            found.append(self._saying(text, [*pages, *same], marks))
            told.update(each.id for each in (*pages, *same))
        rest: dict[str, list[SignalEvidence]] = {}
        for page in self._sided:
            if page.id not in told:
                words = f"“{page.quote}”" if page.quote else page.title
                rest.setdefault(words, []).append(page)
        found += (self._saying(text, pages) for text, pages in rest.items())
        yield from sorted(found, key=lambda each: min((m.number for m in each.marks), default=0))

    @cached_property
    def _sided(self) -> list[SignalEvidence]:
        """The pages that take a side, by their numbers."""
        sided = (each for each in self.signal.evidence if each.stance != "unrelated")
        return sorted(sided, key=lambda each: self.numbers[each.id])

    def _saying(
        self, text: str, pages: Sequence[SignalEvidence], marks: Sequence[blocks.Mark] = ()
    ) -> blocks.Statement:
        """Write one of the pages' sentences, with the side, who says it, and when."""
        known = {each.number: each for each in marks}
        for page in pages:
            number = self.numbers[page.id]
            own = blocks.Mark(number=number, quotes=_quote(page), evidence_id=page.id)
            known.setdefault(number, own)
        about = (self._who(each) for each in {each.id: each for each in pages}.values())
        return blocks.Statement(
            text=text,
            tone=_tone(pages[0]) if pages else "",
            word=self.stance(pages[0]) if pages else "",
            marks=tuple(known[number] for number in sorted(known)),
            about="; ".join(about),
        )

    def _who(self, view: SignalEvidence) -> str:
        when = day(view.published_at) or self.say("report.undated")
        official = [self.label("official")] if view.official else []
        return " · ".join((sections.publisher(view, self.say), when, *official))

    def course(self) -> Iterator[blocks.Block]:
        """Show how the verdict went as pages appeared, where it has more than one moment."""
        steps = self.signal.course
        if len(steps) < 2:
            return
        yield blocks.Heading(text=self.label("course"), name="course")
        dated = self.signal.message.published_at is not None
        why = self.say("verify.course.dated" if dated else "verify.course.undated")
        yield blocks.Paragraph(spans=(blocks.TextSpan(text=why),))
        before: set[str] = set()
        moments: list[blocks.CourseMoment] = []
        for step in steps:
            new = [each for each in self._sided if each.id in {*step.evidence_ids} - before]
            before.update(step.evidence_ids)
            moments.append(self._moment_of(step, new, last=step is steps[-1]))
        head = (self.label("when"), self.label("verdict"), self.label("sides"), self.label("new"))
        unknown = self.say("verify.course.unknown")
        yield blocks.Course(head=head, moments=tuple(moments), unknown=unknown)

    def _moment_of(
        self, step: CourseStep, new: Sequence[SignalEvidence], *, last: bool
    ) -> blocks.CourseMoment:
        say, when = self.say, stamp(step.at)
        if last and step.at >= self.run.now:
            when = say("verify.course.now")
        elif (said := self.signal.message.published_at) and step.at == until(said):
            when = say("verify.course.said", when=when)
        sides = (
            ("n.supporting", step.supporting_origins),
            ("n.contradicting", step.contradicting_origins),
        )
        counted = [say(code, n=n) for code, n in sides if n]
        return blocks.CourseMoment(
            when=when,
            tone=sections.tone_of(step.verdict),
            word=say.name("verdict", step.verdict),
            score=step.confidence,
            about=" · ".join(counted) or say("verify.course.nobody"),
            news=tuple(
                blocks.TextSpan(
                    text=f"{sections.publisher(each, say)}{say('list.colon')}{self.stance(each)}",
                    marks=(blocks.Mark(number=self.numbers[each.id], evidence_id=each.id),),
                )
                for each in new
            ),
            known=step.evidence_ids,
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
