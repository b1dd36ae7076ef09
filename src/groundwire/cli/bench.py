"""`gw bench`: runs a measurement and shows its table; what it needs is an extra."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from groundwire.cli import render, session
from groundwire.errors import MissingExtra

if TYPE_CHECKING:
    from groundwire.bench.table import Report

_EXTRA = frozenset({"starlette", "uvicorn", "psutil"})


def gateway(quick: bool, as_json: bool) -> NoReturn:
    async def work() -> Report:
        from groundwire.bench.gateway import bench_gateway, postgres_in_settings

        return await bench_gateway(200 if quick else 2000, postgres_in_settings())

    _bench(work, as_json)


def archive(documents: int, queries: int, as_json: bool) -> NoReturn:
    async def work() -> Report:
        from groundwire.bench.table import Report

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

    from groundwire.app import open_app
    from groundwire.bench.archive import bench_archive
    from groundwire.settings import Settings

    with tempfile.TemporaryDirectory() as folder:
        loaded = Settings.load({"home": folder}, cwd=Path(folder), env={"HOME": folder})
        async with open_app(loaded) as app:
            return await bench_archive(app.store.index, documents, queries)


def ask(quick: bool, as_json: bool) -> NoReturn:
    async def work() -> Report:
        from groundwire.bench.ask import bench_ask

        return await bench_ask(quick=quick)

    _bench(work, as_json)


def _bench(work: Callable[[], Awaitable[Report]], as_json: bool) -> NoReturn:
    def body() -> int:
        import asyncio

        session.settings()
        try:
            report = asyncio.run(_made(work))
        except ModuleNotFoundError as error:
            if error.name not in _EXTRA:
                raise
            raise MissingExtra(
                f"this measurement needs {error.name}, which is not installed",
                hint="pip install 'groundwire[bench]'",
            ) from error
        _show(report, as_json)
        return session.DONE

    session.finish(body)


async def _made(work: Callable[[], Awaitable[Report]]) -> Report:
    return await work()


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
