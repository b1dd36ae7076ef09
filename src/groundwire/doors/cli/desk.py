"""`gw graph`, `schema` and `db`: what jobs and their results look like, and where they are kept."""

from __future__ import annotations

from typing import Annotated

from groundwire.doors.cli import render, session
from groundwire.doors.cli.reader import say
from groundwire.doors.cli.root import DESK, argument, cli, command, group
from groundwire.words import coded

db = group("db", DESK, "The database.")


@command(cli, panel=DESK)
def graph(
    job: Annotated[str, argument("The name of a job, as in `gw --help`.", metavar="JOB")],
) -> None:
    """The steps of a job, as a Mermaid graph."""
    from groundwire.jobs import find

    render.raw(find(job).draw())


@command(cli, panel=DESK)
def schema(
    name: Annotated[str, argument("A job, or the name of its result.", metavar="JOB|RESULT")],
) -> None:
    """The JSON schema of a job's result."""
    from groundwire.jobs import find, offered

    # A result may be known by a name of its own.
    named = {job.result.__name__.lower(): job.kind for job in offered()}
    render.put_json(find(named.get(name, name)).result.model_json_schema())


@command(db)
def upgrade() -> None:
    """Bring the database to the schema of this version."""
    from groundwire.app.facade import upgrade_database

    done, revision = upgrade_database(session.settings().settings)
    said = say("cli.revision_now", revision=revision, done=coded(f"cli.done.{done}"))
    render.put(render.shown(said))
