"""Runs and evidence as resources: addresses that a client can list, store and read again."""

from __future__ import annotations

import re
from collections.abc import Callable

import mcp_types as types

from groundwire.doors.mcp import looking
from groundwire.doors.mcp.running import DATA, find_run, readable
from groundwire.doors.mcp.visit import Visit
from groundwire.errors import NotFoundHere

_ADDRESS = re.compile(r"groundwire://(run|evidence)/([\w-]{1,80})")
_MARKDOWN, _JSON, _TEXT = "text/markdown", "application/json", "text/plain"
_LONGEST = 400  # of a cursor; a longer one is not ours
_META = {"groundwire/untrusted": DATA}


def templates() -> types.ListResourceTemplatesResult:
    """List the forms of addresses."""
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


async def list_runs(visit: Visit, cursor: str | None) -> types.ListResourcesResult:
    """List the newest runs of this caller."""
    page = await looking.runs_of(visit, looking.RunsWanted(cursor=cursor and cursor[:_LONGEST]))
    return types.ListResourcesResult(
        resources=[_resource(each, visit.app.known.text) for each in page.runs],
        next_cursor=page.next,
    )


def link(run_id: str) -> types.ResourceLink:
    """Return the link at which the run of a call can be read again."""
    return types.ResourceLink(uri=f"groundwire://run/{run_id}", name=run_id, mime_type=_MARKDOWN)


def _resource(run: looking.RunLine, mask: Callable[[str], str]) -> types.Resource:
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
    """Read the resource at an address."""
    match = _ADDRESS.fullmatch(uri)
    if match is None:
        raise NotFoundHere("error.no_resource", uri=uri[:120], hint="hint.resources")
    kind, name = match.groups()
    if kind == "run":
        run = await find_run(visit, name)
        parts = [(_MARKDOWN, readable(run)), (_JSON, looking.stored_run(run).model_dump_json())]
    else:
        page = looking.page_of(await looking.stored_page(visit, name))
        # The text as it is, whole: the JSON holds its hash.
        parts = [(_JSON, page.model_dump_json(exclude={"text"})), (_TEXT, page.text)]
    mask = visit.app.known.text
    return types.ReadResourceResult(
        contents=[
            types.TextResourceContents(uri=uri, mime_type=form, text=mask(text), _meta=_META)
            for form, text in parts
        ]
    )
