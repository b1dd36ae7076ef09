"""`gw eval`: a kind of evaluation on a folder, its figures beside their floors."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from groundwire.doors.cli import render, session

if TYPE_CHECKING:
    from lab.evaluation.figures import Evaluation, EvaluationFigure, Floors, Measured


def evaluate(kind: str, folder: Path, limit: int, floors: Path, as_json: bool) -> NoReturn:
    def body() -> int:
        import asyncio

        from lab.evaluation.figures import below, read_floors

        session.settings()
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
            _show(measured, wanted, fallen)
        return session.FAILED if fallen else session.DONE

    session.finish(body)


def _kind(name: str) -> Evaluation:
    from typing import cast

    from groundwire import plugins

    kinds = plugins.load("lab.evaluation.kinds")
    if name not in kinds:
        raise plugins.unknown("evaluation", name, kinds)
    return cast("Evaluation", kinds[name])


def _show(measured: Measured, floors: Floors, fallen: list[EvaluationFigure]) -> None:
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
