"""`gw bench` and `gw eval`: run what `lab/` of a checkout measures, and show its table."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from groundwire.doors.cli import render, session
from groundwire.doors.cli.group import Group
from groundwire.doors.cli.root import DESK, Json, cli, command, group
from groundwire.errors import InputError, MissingExtra
from groundwire.words import words

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator

    from lab.bench.table import Report
    from lab.evaluation.figures import EvaluationFigure, Floors, Measured
    from rich.console import RenderableType


_HELP = ".bench.help"


class Benches(Group):
    """Finds the jobs that can be measured by their words; `lab/bench/<job>.py` measures them."""

    def list_commands(self, ctx: Any) -> list[str]:
        return [*super().list_commands(ctx), *_measured_jobs()]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        found = super().get_command(ctx, cmd_name)
        return _job_command(cmd_name) if found is None and cmd_name in _measured_jobs() else found


def _measured_jobs() -> list[str]:
    return sorted(code.removesuffix(_HELP) for code in words("en").codes() if code.endswith(_HELP))


bench = group("bench", DESK, "Measure this machine, on loopback.", Benches)
Quick = Annotated[bool, typer.Option("--quick")]
Large = Annotated[bool, typer.Option("--large")]


@command(bench)
def gateway(quick: Quick = False, as_json: Json = False) -> None:
    """Measure the CPU per cached and uncached call of the whole policy stack."""
    _bench("gateway", as_json, quick=quick)


@command(bench)
def archive(
    documents: Annotated[int, typer.Option(min=1_000)] = 100_000,
    queries: Annotated[int, typer.Option(min=1)] = 200,
    as_json: Json = False,
) -> None:
    """Measure additions per second and time per query, in a library made for it."""
    _bench("archive", as_json, documents=documents, queries=queries)


@command(bench)
def desk(quick: Quick = False, as_json: Json = False) -> None:
    """Measure pages, the first event, long runs, and a thousand followers of one."""
    _bench("desk", as_json, quick=quick)


def _job_command(kind: str) -> Any:
    """Make the command that measures a job."""

    def measure(quick: Quick = False, as_json: Json = False) -> None:
        _bench(kind, as_json, quick=quick)

    def measure_more(quick: Quick = False, as_json: Json = False, large: Large = False) -> None:
        _bench(kind, as_json, quick=quick, large=large)

    say = words("en")
    work = measure_more if say.has(f"{kind}.bench.large") else measure
    work.__doc__ = say(f"{kind}{_HELP}")
    app = typer.Typer(add_completion=False, rich_markup_mode="rich")
    command(app, kind)(work)
    return typer.main.get_command(app)


def _bench(name: str, as_json: bool, **options: int) -> None:
    """Run one measurement of `lab.bench` and show its table."""
    import asyncio

    session.settings()
    _find_lab()
    module = import_module(f"lab.bench.{name}")
    work = cast("Callable[..., Coroutine[None, None, Report]]", vars(module)[f"bench_{name}"])
    report = asyncio.run(work(**options))
    render.answer(as_json, report.as_json(), *_report_lines(report))


@command(cli, "eval", panel=DESK)
def evaluate(
    kind: Annotated[str, typer.Argument(metavar="KIND")],
    folder: Annotated[Path, typer.Argument(metavar="DIR")],
    limit: Annotated[int, typer.Option(min=0, metavar="N")] = 0,
    floors: Annotated[Path, typer.Option(metavar="FILE")] = Path("evals/floors.json"),
    reader: Annotated[float | None, typer.Option(min=0, max=1, metavar="SKILL")] = None,
    as_json: Json = False,
) -> int | None:
    """Measure quality on public data, with the sample's size, beside the floors."""
    import asyncio

    session.settings()
    _find_lab()
    from lab.evaluation.figures import below, read_floors

    from groundwire import plugins

    wanted = read_floors(floors)
    kinds = plugins.load("lab.evaluation.kinds")
    if kind not in kinds:
        raise plugins.unknown("noun.evaluation", kind, kinds)
    if reader is None:
        measured: Measured = asyncio.run(kinds[kind].measure(folder, limit))
    elif hasattr(kinds[kind], "measure_with_reader"):
        measured = asyncio.run(kinds[kind].measure_with_reader(folder, limit, reader))
    else:
        raise InputError("error.no_reader", kind=kind)
    fallen = below(measured, wanted)
    if as_json:
        names = {"floors": wanted.get(kind, {}), "below": [each.name for each in fallen]}
        render.put_json({**measured.model_dump(mode="json"), **names})
    else:
        _show_figures(measured, wanted, fallen)
    return session.FAILED if fallen else None


def _find_lab() -> None:
    """Put a checkout's `lab` on the path; an installed package comes without it."""
    root = Path(__file__).resolve().parents[4]
    if root / "src" not in Path(__file__).resolve().parents or not (root / "lab").is_dir():
        raise MissingExtra("error.needs_checkout", hint="hint.lab")
    if str(root) not in sys.path:
        sys.path.insert(0, str(root))


def _report_lines(report: Report) -> Iterator[RenderableType]:
    yield render.shown(report.title, "bold")
    rows = [
        (
            name,
            (f"{value} {unit}", "bold"),
            (target, "soft"),
            (met, {"yes": "supported", "no": "contradicted"}.get(met, "")),
            (note, "soft"),
        )
        for name, value, unit, target, met, note in (row.cells() for row in report.rows)
    ]
    yield render.table(("figure", "value", "target", "met", "note"), rows)
    yield from (render.shown(line, "soft") for line in report.notes)


def _show_figures(measured: Measured, floors: Floors, fallen: list[EvaluationFigure]) -> None:
    wanted = floors.get(measured.kind, {})
    rows = [
        (
            (each.set, "bold"),
            each.metric,
            (f"{each.value:.3f}", "contradicted" if each in fallen else "supported"),
            (f"≥ {wanted[each.name]:g}" if each.name in wanted else "–", "soft"),
            f"{each.sample:,} {each.of}",
            (each.note, "soft"),
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
