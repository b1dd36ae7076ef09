"""`gw feedback` and `gw calibration`: what came of signals, and what confidences were worth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NoReturn

from groundwire.doors.cli import render, session

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

    from groundwire.app import App
    from groundwire.app.judgements import CalibrationReport, Labelling, Tenth
    from groundwire.model.outcome import Calibration, SourceRecord

_WIDTH = 40  # cells of the chart
_SOURCES = 15
_STYLES = {"true": "supported", "false": "contradicted", "partly": "qualified"}


def feedback(name: str, outcome: str, note: str, by: str, as_json: bool) -> NoReturn:
    async def work(app: App) -> int:
        told = await app.judgements.label(
            name, outcome, by=session.person(by), note=render.clean(note)
        )
        if as_json:
            render.put_json(told.model_dump(mode="json"))
        else:
            render.put(*_known(told))
        return session.DONE

    session.with_app(work)


def _known(told: Labelling) -> Iterator[RenderableType]:
    from rich.text import Text

    from groundwire.language.text.characters import detect_language
    from groundwire.report.terminal import judged
    from groundwire.report.wrapping import Wrapped
    from groundwire.words import words

    row = told.signal
    say = words(detect_language(row.summary))
    yield Wrapped(render.shown(row.summary, "bold"))
    outcome = row.outcome or ""
    yield Text.assemble(
        judged(row.verdict, say.name("verdict", row.verdict)),
        f" {row.confidence:.2f} → ",
        (say.name("verify.outcome", outcome), _STYLES.get(outcome, "")),
        (f" · {render.clean(row.labelled_by)}", "soft"),
        (f" · {render.clean(row.note)}" if row.note else "", "soft"),
    )
    for before in told.history[1:]:
        was = f"{before.at:%Y-%m-%d %H:%M} UTC {before.outcome} · {render.clean(before.by)}"
        yield Text(f"  before: {was}", "faint")
    left = max(0, told.fewest - told.labels)
    more = f"; {left} more until confidences are calibrated" if left else "; see: gw calibration"
    yield Text(f"{_counted(told.labels)}{more}", "soft")


def calibration(as_json: bool) -> NoReturn:
    async def work(app: App) -> int:
        found = await app.judgements.calibration()
        if as_json:
            render.put_json(found.model_dump(mode="json"))
        else:
            render.put(*_report(found))
        return session.DONE

    session.with_app(work)


def _report(found: CalibrationReport) -> Iterator[RenderableType]:
    from rich.text import Text

    yield Text(_counted(found.labels), "bold")
    if found.calibration is None:
        yield Text(
            f"fewer than {found.fewest}: confidences are shown as they are computed, "
            "and nothing is changed",
            "degraded",
        )
    if not found.labels:
        yield Text("say what came of a signal with: gw feedback RUN true|false|partly", "soft")
        return
    score = f"Brier score {found.brier:.3f} (0 is perfect, 0.25 is a coin)"
    if found.brier_calibrated is not None:
        score += f" · {found.brier_calibrated:.3f} after calibration, on the same labels"
    yield Text(score)
    yield Text("")
    yield from _chart(found.reliability)
    if found.calibration is not None:
        yield Text("")
        yield from _steps(found.calibration)
    if found.sources:
        yield Text("")
        yield _sources(found.sources)


def _chart(bins: Sequence[Tenth]) -> Iterator[RenderableType]:
    """Each tenth as a bar of what came true; │ is where the bar would end if it were exact."""
    from rich.text import Text

    yield Text("confidence  came true   (│ the confidence itself)", "soft")
    for each in bins:
        yield Text.assemble(
            f"{each.low:.1f}–{each.high:.1f}  ".rjust(12),
            f"{each.value:.2f}  " if each.value is not None else "   –  ",
            _bar(each),
            (f"  {each.samples}", "soft"),
        )


def _bar(each: Tenth) -> Text:
    from rich.text import Text

    full = round((each.value or 0.0) * _WIDTH)
    cells = ["█" if at < full else "·" for at in range(_WIDTH)]
    expected = each.score if each.score is not None else (each.low + each.high) / 2
    cells[min(_WIDTH - 1, int(expected * _WIDTH))] = "│"
    line = Text("")
    for cell in cells:
        line.append(cell, {"█": "accent", "│": "bold"}.get(cell, "faint"))
    return line


def _steps(fitted: Calibration) -> Iterator[RenderableType]:
    from rich.text import Text

    yield Text(
        f"calibrated on {fitted.samples} labels, {fitted.fitted_at:%Y-%m-%d}: from a score on, "
        "it is worth",
        "soft",
    )
    yield Text(
        "  ".join(
            f"{score:.2f}→{value:.2f}"
            for score, value in zip(fitted.scores, fitted.values, strict=True)
        )
    )


def _sources(records: Sequence[SourceRecord]) -> RenderableType:
    rows = [
        (
            render.shown(each.source or "–"),
            render.shown("channel" if each.kind == "message" else "publisher", "soft"),
            render.shown("–" if each.rate is None else f"{each.rate:.0%}"),
            render.shown(f"{each.hits} / {each.partly} / {each.misses}", "soft"),
        )
        for each in records[:_SOURCES]
    ]
    return render.table(("source", "", "right", "true / partly / not"), rows)


def _counted(labels: int) -> str:
    return f"{labels} signal{'' if labels == 1 else 's'} with a known outcome"
