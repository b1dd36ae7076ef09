"""`gw feedback` and `gw calibration`: what came of signals, and what confidences were worth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from groundwire.doors.cli import render, session
from groundwire.doors.cli.reader import say as spoken
from groundwire.doors.cli.reader import words_for
from groundwire.doors.cli.root import ASK, By, Json, RunName, cli, command
from groundwire.words import coded

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

    from groundwire.app import App
    from groundwire.app.judgements import CalibrationReport, Labelling
    from groundwire.model.outcome import Calibration, SourceRecord, Tenth

_WIDTH = 40  # cells of the chart
_SOURCES = 15
_STYLES = {"true": "supported", "false": "contradicted", "partly": "qualified"}


@command(cli, panel=ASK)
async def feedback(
    app: App,
    run: RunName,
    outcome: Annotated[str, typer.Argument(metavar="true|false|partly")],
    note: Annotated[str, typer.Option(metavar="TEXT")] = "",
    by: By = "",
    as_json: Json = False,
) -> None:
    """Say what came of a signal: calibration learns from it, and so does memory."""
    labelling = await app.judgements.label(
        run, outcome, by=session.person(by), note=render.clean(note)
    )
    render.answer(as_json, labelling, *_label_lines(labelling))


@command(cli, panel=ASK)
async def calibration(app: App, as_json: Json = False) -> None:
    """Show what confidences were worth so far: Brier score, reliability, hit rates of sources."""
    found = await app.judgements.calibration()
    render.answer(as_json, found, *_calibration_lines(found))


def _label_lines(labelling: Labelling) -> Iterator[RenderableType]:
    from groundwire.report.terminal import judged
    from groundwire.report.wrapping import Wrapped

    row = labelling.signal
    say = words_for(row.summary)
    yield Wrapped(render.shown(row.summary, "bold"))
    outcome = row.outcome or ""
    yield render.line(
        judged(row.verdict, say.name("verdict", row.verdict)),
        f" {row.confidence:.2f} → ",
        (say.name("outcome", outcome), _STYLES.get(outcome, "")),
        (f" · {render.clean(row.labelled_by)}", "soft"),
        (f" · {render.clean(row.note)}" if row.note else "", "soft"),
    )
    for before in labelling.history[1:]:
        outcome = say.name("outcome", before.outcome)
        earlier = f"{before.at:%Y-%m-%d %H:%M} UTC {outcome} · {render.clean(before.by)}"
        yield render.line((spoken("cli.before", was=earlier), "faint"))
    left = max(0, labelling.fewest - labelling.labels)
    code = "cli.more_until" if left else "cli.see_calibration"
    counted = coded("cli.known_outcomes", n=labelling.labels)
    yield render.line((spoken(code, counted=counted, n=left), "soft"))


def _calibration_lines(found: CalibrationReport) -> Iterator[RenderableType]:
    yield render.line((spoken("cli.known_outcomes", n=found.labels), "bold"))
    if found.calibration is None:
        yield render.line((spoken("cli.uncalibrated", n=found.fewest), "degraded"))
    if not found.labels:
        yield render.line((spoken("cli.say_outcome"), "soft"))
        return
    score = spoken("cli.brier", score=f"{found.brier:.3f}")
    if found.brier_calibrated is not None:
        score = spoken("cli.brier_after", said=score, score=f"{found.brier_calibrated:.3f}")
    yield score
    yield ""
    yield from _chart(found.reliability)
    if found.calibration is not None:
        yield ""
        yield from _steps(found.calibration)
    if found.sources:
        yield ""
        yield _sources(found.sources)


def _chart(bins: Sequence[Tenth]) -> Iterator[RenderableType]:
    """Yield each tenth as a bar of what came true; │ marks where an exact one would end."""
    yield render.line((spoken("cli.reliability"), "soft"))
    for each in bins:
        yield render.line(
            f"{each.low:.1f}–{each.high:.1f}  ".rjust(12),
            f"{each.value:.2f}  " if each.value is not None else "   –  ",
            _bar(each),
            (f"  {each.samples}", "soft"),
        )


def _bar(each: Tenth) -> Text:
    full = round((each.value or 0.0) * _WIDTH)
    cells = ["█" if at < full else "·" for at in range(_WIDTH)]
    expected = each.score if each.score is not None else (each.low + each.high) / 2
    cells[min(_WIDTH - 1, int(expected * _WIDTH))] = "│"
    styles = {"█": "accent", "│": "bold"}
    return render.line(*((cell, styles.get(cell, "faint")) for cell in cells))


def _steps(fitted: Calibration) -> Iterator[RenderableType]:
    day = f"{fitted.fitted_at:%Y-%m-%d}"
    yield render.line((spoken("cli.calibrated_on", n=fitted.samples, day=day), "soft"))
    pairs = zip(fitted.scores, fitted.values, strict=True)
    yield "  ".join(f"{score:.2f}→{value:.2f}" for score, value in pairs)


def _sources(records: Sequence[SourceRecord]) -> RenderableType:
    rows = [
        (
            each.source or "–",
            (spoken(f"trust.kind.{each.kind}"), "soft"),
            "–" if each.rate is None else f"{each.rate:.0%}",
            (f"{each.hits} / {each.partly} / {each.misses}", "soft"),
        )
        for each in records[:_SOURCES]
    ]
    head = (spoken("column.source"), "", spoken("column.rate"), spoken("cli.true_partly_not"))
    return render.table(head, rows)
