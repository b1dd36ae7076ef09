"""Runs and evidence as resources: addresses that a client can list, keep and read again."""

from __future__ import annotations

import re
from collections.abc import Callable

import mcp_types as types

from groundwire.doors.mcp.looking import RunLine, RunsWanted, page_of, runs_of, seen, stored
from groundwire.doors.mcp.running import DATA, found, readable
from groundwire.doors.mcp.visit import Visit
from groundwire.errors import NotFoundHere

_ADDRESS = re.compile(r"groundwire://(run|evidence)/([\w-]{1,80})")
_MARKDOWN, _JSON, _TEXT = "text/markdown", "application/json", "text/plain"
_LONGEST = 400  # of a cursor; more is none of ours either
_META = {"groundwire/untrusted": DATA}


def templates() -> types.ListResourceTemplatesResult:
    """The forms that addresses have."""
    return types.ListResourceTemplatesResult(
        resource_templates=[
            types.ResourceTemplate(
                uri_template="groundwire://run/{id}",
                name="run",
                title="A run",
                description=f"The report of a run, and the run with its result as JSON. {DATA}",
            ),
            types.ResourceTemplate(
                uri_template="groundwire://evidence/{id}",
                name="evidence",
                title="A stored page",
                description=(
                    "A page as it was read, by the `id` or `document_id` that results list: what "
                    f"is known of it as JSON, and its text. {DATA}"
                ),
            ),
        ]
    )


async def listed(visit: Visit, cursor: str | None) -> types.ListResourcesResult:
    """The newest runs of this caller."""
    page = await runs_of(visit, RunsWanted(cursor=cursor and cursor[:_LONGEST]))
    return types.ListResourcesResult(
        resources=[_resource(each, visit.app.known.text) for each in page.runs],
        next_cursor=page.next,
    )


def link(run_id: str) -> types.ResourceLink:
    """Where the run of a call is read again."""
    return types.ResourceLink(uri=f"groundwire://run/{run_id}", name=run_id, mime_type=_MARKDOWN)


def _resource(run: RunLine, mask: Callable[[str], str]) -> types.Resource:
    changed = run.finished_at or run.created_at
    return types.Resource(
        uri=f"groundwire://run/{run.id}",
        name=run.id,
        title=mask(f"{run.kind}: {run.about}"),
        description=f"{run.state}, {run.created_at:%Y-%m-%d %H:%M} UTC",
        mime_type=_MARKDOWN,
        annotations=types.Annotations(last_modified=changed.isoformat()),
    )


async def read(visit: Visit, uri: str) -> types.ReadResourceResult:
    """What stands at an address."""
    match = _ADDRESS.fullmatch(uri)
    if match is None:
        raise NotFoundHere("error.no_resource", uri=uri[:120], hint="hint.resources")
    kind, name = match.groups()
    parts = await (_run(visit, name) if kind == "run" else _evidence(visit, name))
    mask = visit.app.known.text
    return types.ReadResourceResult(
        contents=[
            types.TextResourceContents(uri=uri, mime_type=form, text=mask(text), _meta=_META)
            for form, text in parts
        ]
    )


async def _run(visit: Visit, name: str) -> list[tuple[str, str]]:
    run = await found(visit, name)
    return [(_MARKDOWN, readable(run)), (_JSON, seen(run).model_dump_json())]


async def _evidence(visit: Visit, name: str) -> list[tuple[str, str]]:
    page = page_of(await stored(visit, name))
    # The text whole and as it is: its hash is among what is known of it.
    return [(_JSON, page.model_dump_json(exclude={"text"})), (_TEXT, page.text)]
