"""`gw bench`: runs a measurement and shows its table; what it needs is an extra."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from groundwire.doors.cli import render, session
from groundwire.errors import MissingExtra

if TYPE_CHECKING:
    from lab.bench.table import Report


def gateway(quick: bool, as_json: bool) -> NoReturn:
    async def work() -> Report:
        from lab.bench.gateway import bench_gateway, postgres_in_settings

        return await bench_gateway(200 if quick else 2000, postgres_in_settings())

    _bench(work, as_json)


def archive(documents: int, queries: int, as_json: bool) -> NoReturn:
    async def work() -> Report:
        from lab.bench.table import Report

        figures = await _archive(documents, queries)
        report = Report(f"archive: {documents:,} documents of about 400 tokens, zh and en")
        report.add(
            "added a second", figures["adds_per_second"], "/s", target=2000, sense="at least"
        )
        report.add("five-word query, p50", figures["p50_ms"], "ms", target=100)
        report.add("five-word query, p99", figures["p99_ms"], "ms", target=300)
        report.add("size", figures["bytes"] / 1_000_000, "MB")
        report.notes.append(
            f"{figures['answered']:g} of {figures['queries']:g} queries found something"
        )
        return report

    _bench(work, as_json)


async def _archive(documents: int, queries: int) -> dict[str, float]:
    """In a folder of its own: the person's archive is not filled with inventions."""
    import tempfile

    from lab.bench.archive import bench_archive

    from groundwire.app import open_app
    from groundwire.jobs.sections import Settings

    with tempfile.TemporaryDirectory() as folder:
        loaded = Settings.load({"home": folder}, cwd=Path(folder), env={"HOME": folder})
        async with open_app(loaded) as app:
            return await bench_archive(app.store.index, documents, queries)


def ask(quick: bool, large: bool, as_json: bool) -> NoReturn:
    async def work() -> Report:
        _needs("uvicorn", "psutil")
        from lab.bench.ask import bench_ask

        return await bench_ask(quick=quick, large=large)

    _bench(work, as_json)


def verify(quick: bool, as_json: bool) -> NoReturn:
    async def work() -> Report:
        _needs("uvicorn", "psutil")
        from lab.bench.verify import bench_verify

        return await bench_verify(quick=quick)

    _bench(work, as_json)


def desk(quick: bool, as_json: bool) -> NoReturn:
    async def work() -> Report:
        _needs("psutil")
        from lab.bench.desk import bench_desk

        return await bench_desk(quick=quick)

    _bench(work, as_json)


def _needs(*names: str) -> None:
    """The stubs run in a process of their own: what they lack is said before they are started."""
    from importlib import import_module

    for name in names:
        try:
            import_module(name)
        except ModuleNotFoundError as error:
            raise MissingExtra(
                f"this measurement needs {name}, which is not installed",
                hint="pip install 'groundwire[bench]'",
            ) from error


def _bench(work: Callable[[], Coroutine[None, None, Report]], as_json: bool) -> NoReturn:
    def body() -> int:
        import asyncio

        session.settings()
        _show(asyncio.run(work()), as_json)
        return session.DONE

    session.finish(body)


def _show(report: Report, as_json: bool) -> None:
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
