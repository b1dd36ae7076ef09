"""`gw graph`, `schema`, `tools` and `db`: the steps and results of jobs, the tools, the database."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from groundwire.doors.cli import render, session
from groundwire.doors.cli.reader import say
from groundwire.doors.cli.root import DESK, cli, command, group
from groundwire.words import coded

db = group("db", DESK, "The database.")


@command(cli, panel=DESK)
def graph(job: Annotated[str, typer.Argument(metavar="JOB")]) -> None:
    """Draw the steps of a job as a Mermaid graph."""
    from groundwire.jobs import find

    render.raw(find(job).draw())


@command(cli, panel=DESK)
def schema(name: Annotated[str, typer.Argument(metavar="JOB|RESULT")]) -> None:
    """Print the JSON schema of a job's result."""
    from groundwire.jobs import find, offered

    # A result may have a name of its own.
    kinds = {job.result.__name__.lower(): job.kind for job in offered()}
    render.put_json(find(kinds.get(name, name)).result.model_json_schema())


@command(cli, panel=DESK)
def tools(
    form: Annotated[
        Literal["openai", "gemini"] | None, typer.Option("--form", metavar="API")
    ] = None,
) -> None:
    """List the tools, or define them as functions that a model can call."""
    from groundwire.jobs.functions import definitions

    if form is not None:
        render.put_json(definitions(form))
        return
    for each in definitions("gemini"):
        render.put(render.shown(f"{each['name']}: {each['description']}"))


@command(db)
def upgrade() -> None:
    """Bring the database to the schema of this version."""
    from groundwire.app.facade import upgrade_database

    done, revision = upgrade_database(session.settings().settings)
    text = say("cli.revision_now", revision=revision, done=coded(f"cli.done.{done}"))
    render.put(render.shown(text))
