"""What jobs share whose result rests on evidence: how it is read and cited, how it failed, what comes next."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, Protocol, Self, TypeVar, cast

from pydantic import BaseModel

from groundwire.model.base import JsonObject
from groundwire.model.result import (
    Checks,
    Cost,
    Degraded,
    EvidenceView,
    Gap,
    ResultStatus,
    Sentence,
)
from groundwire.model.run import FINISHED, Run
from groundwire.report import blocks, sections
from groundwire.report.csv import Sheet
from groundwire.report.reporting import (
    CitedText,
    Failure,
    JobReport,
    MakeReport,
    ended_without,
    why_failed,
)
from groundwire.words import Words, words


class Found(Protocol):
    """What such results have in common."""

    @property
    def run_id(self) -> str: ...
    @property
    def status(self) -> ResultStatus: ...
    @property
    def language(self) -> str: ...
    @property
    def evidence(self) -> tuple[EvidenceView, ...]: ...
    @property
    def gaps(self) -> tuple[Gap, ...]: ...
    @property
    def degraded(self) -> tuple[Degraded, ...]: ...
    @property
    def checks(self) -> Checks: ...
    @property
    def reasoner(self) -> str: ...
    @property
    def cost(self) -> Cost: ...
    @property
    def latency_ms(self) -> int: ...
    @classmethod
    def model_validate(cls, obj: Any) -> Self: ...


R = TypeVar("R", bound=Found)
V = TypeVar("V", bound=EvidenceView)


class Command(NamedTuple):
    """What a person can type, and the code of its purpose."""

    text: str
    purpose: str


_REPLAY = Command("gw replay {run}", "hint.replay")


@dataclass(frozen=True)
class Findings(Generic[R]):
    """The runs of a job, read as its result; one that ended without says so in the same shape."""

    noun: type[R]
    subject: str  # the field of its input, and of its result, that says what was looked for
    sentences: Callable[[R], Iterable[Sentence]]  # in the order in which a reader meets them
    exports: tuple[Command, ...]  # that a person is shown below a result
    # What a result without anything found needs besides.
    bare: Callable[[Run], Mapping[str, object]] = lambda _run: {}
    # What is more useful than to resume it, or to look at it again; None: nothing.
    further: Callable[[Run, R], Command | None] = lambda _run, _result: None
    cause: Callable[[Sequence[Gap]], Sequence[Gap]] = lambda gaps: gaps  # what it failed of

    def of(self, run: Run) -> R:
        """Return a run's result."""
        if run.result is not None:
            return self.noun.model_validate(run.result)
        about = str(run.input.get(self.subject, ""))
        return self.noun.model_validate(
            {
                "run_id": run.id,
                "status": run.state if run.state in FINISHED else "failed",
                self.subject: about,
                "language": sections.language_of(run, about),
                "gaps": (Gap.of(about, ended_without(run)),),
                **self.bare(run),
            }
        )

    def cites(self, run: Run) -> CitedText:
        """Return its cited sentences; none of a run without a result."""
        if run.result is None:
            return CitedText()
        result = self.of(run)
        return CitedText(tuple(self.sentences(result)), result.evidence)

    def failure(self, run: Run) -> Failure | None:
        """Give the reason in one sentence, with whatever failed first."""
        result = self.of(run)
        if result.status != "failed":
            return None
        return why_failed(run, result.language, self.cause(result.gaps), result.degraded)

    def next_steps(self, run: Run, *, archive_empty: bool) -> Sequence[blocks.NextStep]:
        """List what a person can do now, the most useful first."""
        result = self.of(run)
        say = words(result.language)
        step = sections.hints(say)
        again = step(f"gw resume {run.id}", "hint.resume")
        if result.status == "failed":
            return [again, step("gw doctor", "hint.doctor")]
        if result.status == "cancelled":
            return [again]
        if not result.evidence:
            return [sections.where_to_look(run, archive_empty=archive_empty, say=say)]
        steps = [step(e.text.format(run=run.id), e.purpose) for e in (*self.exports, _REPLAY)]
        if further := self.further(run, result):
            return [step(*further), *steps]
        return [again, *steps] if result.status == "degraded" else steps

    def report(self, report: MakeReport, sheet: Callable[[R], Sheet], **more: Any) -> JobReport:
        """Declare how its runs are reported."""

        def result(run: Run) -> JsonObject:
            return run.result or cast(BaseModel, self.of(run)).model_dump(mode="json")

        return JobReport(
            result=result,
            report=report,
            sheet=lambda run: sheet(self.of(run)),
            cites=self.cites,
            noun=cast("type[BaseModel]", self.noun),
            failure=self.failure,
            next_steps=self.next_steps,
            **more,
        )


def source_entries(
    sentences: Sequence[Sentence],
    evidence: Sequence[V],
    say: Words,
    *,
    quoting: Iterable[Sentence] | None = None,
    about: Callable[[V, bool], Sequence[str]] = lambda _view, _cited: (),
) -> dict[str, blocks.SourceEntry]:
    """Make the entry of all evidence; what is cited is numbered and comes first.

    It shows what the sentences quote, or those of `quoting` alone; `about` says more of a page,
    cited or not.
    """
    known = {each.id: each for each in evidence}
    quotes = sections.quotes_of(sentences if quoting is None else quoting)
    cited = {c.evidence_id: c for each in reversed(sentences) for c in each.citations}
    found: dict[str, blocks.SourceEntry] = {}
    for name, number in sections.numbered(sentences).items():
        view = known.get(name)
        found[name] = sections.entry(
            cited[name],
            say,
            view,
            about=about(view, True) if view else (),
            number=number,
            quotes=tuple(quotes.get(name, ())),
        )
    for view in evidence:
        if view.id not in found:
            found[view.id] = sections.entry(view, say, view, about=about(view, False))
    return found


def how_made(result: Found, say: Words) -> Iterator[blocks.Fact]:
    """Say what was checked, who wrote it, and what it cost."""
    yield blocks.Fact(name=say("report.label.checks"), value=_checked(result.checks, say))
    yield sections.written_by(result.reasoner, say)
    yield blocks.Fact(name=say("report.label.cost"), value=sections.spent(result.cost, say))


def imprint(result: Found, say: Words) -> Iterator[str]:
    """Say the same in the lines below a card, with how long it took."""
    yield _checked(result.checks, say)
    took = say("span.seconds", n=f"{result.latency_ms / 1000:.1f}")
    yield sections.imprint(result.reasoner, result.cost, say, took, result.run_id)


def _checked(checks: Checks, say: Words) -> str:
    """Count the sentences by what the check made of them; what never happened is not counted out."""
    counts = checks.model_dump()
    told = (say(f"report.checks.{name}", n=n) for name, n in counts.items() if n)
    return " · ".join(told) or say("report.checks.none")
