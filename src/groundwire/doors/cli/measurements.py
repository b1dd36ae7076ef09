"""`gw bench` and `gw eval`: run what `lab/` of a checkout measures, and show its table."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, cast

from groundwire.doors.cli import render, session
from groundwire.errors import MissingExtra

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from lab.bench.table import Report
    from lab.evaluation.figures import Evaluation, EvaluationFigure, Floors, Measured


def bench(name: str, as_json: bool, **options: int) -> NoReturn:
    """Run one measurement of `lab.bench` and show its table."""

    def body() -> int:
        import asyncio

        session.settings()
        _find_lab()
        module = import_module(f"lab.bench.{name}")
        work = cast("Callable[..., Coroutine[None, None, Report]]", vars(module)[f"bench_{name}"])
        _show_report(asyncio.run(work(**options)), as_json)
        return session.DONE

    session.finish(body)


def evaluate(kind: str, folder: Path, limit: int, floors: Path, as_json: bool) -> NoReturn:
    """Measure one kind of quality on a folder of data, beside its floors."""

    def body() -> int:
        import asyncio

        session.settings()
        _find_lab()
        from lab.evaluation.figures import below, read_floors

        wanted = read_floors(floors)
        measured = asyncio.run(_kind(kind).measure(folder, limit))
        fallen = below(measured, wanted)
        if as_json:
            render.put_json(
                {
                    **measured.model_dump(mode="json"),
                    "floors": wanted.get(kind, {}),
                    "below": [each.name for each in fallen],
                }
            )
        else:
            _show_figures(measured, wanted, fallen)
        return session.FAILED if fallen else session.DONE

    session.finish(body)


def _find_lab() -> None:
    """Put a checkout's `lab` on the path; an installed package comes without it."""
    root = Path(__file__).resolve().parents[4]
    if root / "src" not in Path(__file__).resolve().parents or not (root / "lab").is_dir():
        raise MissingExtra("error.needs_checkout", hint="hint.lab")
    if str(root) not in sys.path:
        sys.path.insert(0, str(root))


def _kind(name: str) -> Evaluation:
    from groundwire import plugins

    kinds = plugins.load("lab.evaluation.kinds")
    if name not in kinds:
        raise plugins.unknown("noun.evaluation", name, kinds)
    return cast("Evaluation", kinds[name])


def _show_report(report: Report, as_json: bool) -> None:
    if as_json:
        render.put_json(report.as_json())
        return
    render.put(render.shown(report.title, "bold"))
    rows = [
        (
            render.shown(name),
            render.shown(f"{value} {unit}", "bold"),
            render.shown(target, "soft"),
            render.shown(met, {"yes": "supported", "no": "contradicted"}.get(met, "")),
            render.shown(note, "soft"),
        )
        for name, value, unit, target, met, note in (row.cells() for row in report.rows)
    ]
    render.put(render.table(("figure", "value", "target", "met", "note"), rows))
    for line in report.notes:
        render.put(render.shown(line, "soft"))


def _show_figures(measured: Measured, floors: Floors, fallen: list[EvaluationFigure]) -> None:
    wanted = floors.get(measured.kind, {})
    rows = [
        (
            render.shown(each.set, "bold"),
            render.shown(each.metric),
            render.shown(f"{each.value:.3f}", "contradicted" if each in fallen else "supported"),
            render.shown(f"≥ {wanted[each.name]:g}" if each.name in wanted else "–", "soft"),
            render.shown(f"{each.sample:,} {each.of}"),
            render.shown(each.note, "soft"),
        )
        for each in measured.figures
    ]
    render.put(render.table(("set", "metric", "value", "floor", "sample", "note"), rows))
    for line in measured.notes:
        render.put(render.shown(line, "soft"))
    if measured.limited:
        render.note("only a part of the data was measured: floors are not judged")
    for each in fallen:
        render.note(f"{each.name} is below its floor", "failed")
