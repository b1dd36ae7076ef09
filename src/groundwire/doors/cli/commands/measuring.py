"""Commands that measure: `gw bench` this machine, `gw eval` the quality on public data."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from groundwire.doors.cli.commands.root import DESK, Json, bench, cli

cli.add_typer(bench, name="bench", rich_help_panel=DESK)

Quick = Annotated[bool, typer.Option("--quick", help="A small version, for a first look.")]


@bench.command("gateway")
def bench_gateway(quick: Quick = False, json: Json = False) -> None:
    """CPU per cached and uncached call of the whole policy stack."""
    from groundwire.doors.cli import measurements

    measurements.bench("gateway", json, quick=quick)


@bench.command("archive")
def bench_archive(
    documents: Annotated[int, typer.Option(min=1_000, help="How many are added.")] = 100_000,
    queries: Annotated[int, typer.Option(min=1, help="How many are asked.")] = 200,
    json: Json = False,
) -> None:
    """Additions per second and time per query, in a library made for it."""
    from groundwire.doors.cli import measurements

    measurements.bench("archive", json, documents=documents, queries=queries)


@bench.command("ask")
def bench_ask(
    quick: Quick = False,
    large: Annotated[bool, typer.Option("--large", help="200 runs at once as well.")] = False,
    json: Json = False,
) -> None:
    """Whole questions against loopback stubs of search, web and model."""
    from groundwire.doors.cli import measurements

    measurements.bench("ask", json, quick=quick, large=large)


@bench.command("desk")
def bench_desk(quick: Quick = False, json: Json = False) -> None:
    """Pages, the first event, long runs, and a thousand who follow one."""
    from groundwire.doors.cli import measurements

    measurements.bench("desk", json, quick=quick)


@bench.command("verify")
def bench_verify(quick: Quick = False, json: Json = False) -> None:
    """Whole messages against loopback stubs: deep, gated, in a crowd, with faults."""
    from groundwire.doors.cli import measurements

    measurements.bench("verify", json, quick=quick)


@cli.command("eval", rich_help_panel=DESK)
def evaluate(
    kind: Annotated[str, typer.Argument(metavar="KIND", help="What: retrieval, extract, dates, …")],
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The data: a set, or sets in it.")],
    limit: Annotated[
        int, typer.Option(min=0, metavar="N", help="Only the first N of each set; 0: all.")
    ] = 0,
    floors: Annotated[
        Path, typer.Option(metavar="FILE", help="What must be reached; it only rises.")
    ] = Path("evals/floors.json"),
    json: Json = False,
) -> None:
    """Measure quality on public data, with the sample's size, beside the floors."""
    from groundwire.doors.cli import measurements

    measurements.evaluate(kind, folder, limit, floors, json)
