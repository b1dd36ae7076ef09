"""How the runs of single tools are shown, and of jobs that have no view of their own."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import cast

from pydantic import ValidationError

from groundwire.doors.ui.draft import evidence_of
from groundwire.doors.ui.ledger import Ledger, ledger
from groundwire.doors.ui.quotes import Quotes, stored_page
from groundwire.doors.ui.view import Paper, Seen, View, about
from groundwire.model.base import Json, JsonObject
from groundwire.model.result import Degraded, Gap, Origin
from groundwire.model.run import Run
from groundwire.report.links import web_link

_ITEMS = 50  # of a list
_LONGEST_ITEM = 600
_LONGEST = 200_000  # characters of a result that are written out; the export has them all
# Said elsewhere on the page.
_ELSEWHERE = frozenset({"run_id", "status", "cost", "latency_ms", "evidence", "origins", "tool"})


def _about(run: Run) -> str:
    """The tool and what it is asked; of another job, the first words of its input."""
    given = run.input
    arguments = given.get("arguments")
    if isinstance(arguments, dict):
        asked = cast(JsonObject, arguments)
        return f"{given.get('tool', '')} {asked.get('query') or asked.get('url') or ''}".strip()
    words = [value for value in given.values() if isinstance(value, str) and value.strip()]
    return words[0] if words else run.kind


def _paper(seen: Seen) -> Paper:
    result = seen.run.result or {}
    output = result.get("output")
    rest = {name: value for name, value in result.items() if name not in _ELSEWHERE}
    shown: Json = output if output is not None else rest
    text = json.dumps(shown, ensure_ascii=False, indent=2) if shown else ""
    return Paper(
        values={
            "entries": _entries(shown),
            "lists": _lists(shown),
            "raw": text[:_LONGEST],
            "cut": len(text) > _LONGEST,
            "error": _error(result),
            "gaps": _gaps(result) or tuple(seen.draft.gaps),
            "degraded": _degraded(result),
        },
        title=about(seen.run),  # in the words of its own job, where only the result is not readable
        language=str(result.get("language", "")),
        ledger=_ledger(seen),
    )


def _error(result: JsonObject) -> JsonObject | None:
    error = result.get("error")
    return cast(JsonObject, error) if isinstance(error, dict) else None


def _entries(value: Json) -> list[tuple[str, str]]:
    """What a result says in single values."""
    if not isinstance(value, dict):
        return []
    held = cast(JsonObject, value)
    return [
        (name, str(item))
        for name, item in held.items()
        if isinstance(item, str | int | float) and str(item) and len(str(item)) <= 2_000
        if not isinstance(item, bool) or item
    ]


@dataclass(frozen=True)
class Item:
    """An entry of a list: what it is called, where it leads, what it says."""

    title: str
    href: str | None
    stored: bool  # it leads to a page of the archive
    text: str


def _lists(value: Json) -> list[tuple[str, list[Item], int]]:
    """The lists of a result, each with its first entries and how many there are."""
    held = cast(JsonObject, value) if isinstance(value, dict) else {}
    found: list[tuple[str, list[Item], int]] = []
    for name, listed in held.items():
        entries = cast("list[Json]", listed) if isinstance(listed, list) else []
        items = [_item(each) for each in entries[:_ITEMS]]
        if items:
            found.append((name, items, len(entries)))
    return found


def _item(value: Json) -> Item:
    if not isinstance(value, dict):
        return Item("", None, False, str(value)[:_LONGEST_ITEM])
    held = cast(JsonObject, value)
    url = str(held.get("url") or "")
    title = str(held.get("title") or held.get("name") or url)
    told = held.get("content") or held.get("text") or held.get("message") or ""
    if not title and not told:
        told = json.dumps(held, ensure_ascii=False)
    document = held.get("document_id")
    href = stored_page(document) if isinstance(document, str) and document else None
    return Item(title, href or web_link(url), href is not None, str(told)[:_LONGEST_ITEM])


def _gaps(result: JsonObject) -> tuple[Gap, ...]:
    try:
        return tuple(Gap.model_validate(each) for each in result.get("gaps", []))
    except (ValidationError, TypeError):
        return ()


def _degraded(result: JsonObject) -> tuple[Degraded, ...]:
    try:
        return tuple(Degraded.model_validate(each) for each in result.get("degraded", []))
    except (ValidationError, TypeError):
        return ()


def _ledger(seen: Seen) -> Ledger | None:
    """Results of all jobs share the names of their parts: evidence is shown where there is any."""
    result = seen.run.result or {}
    listed = result.get("evidence", [])
    try:
        evidence = [found for each in listed if (found := evidence_of(each)) is not None]
        origins = tuple(Origin.model_validate(each) for each in result.get("origins", []))
    except (ValidationError, TypeError):
        evidence, origins = [], ()
    if not evidence:
        evidence, origins = list(seen.draft.views()), seen.draft.origins
    if not evidence:
        return None
    return ledger(seen.run.id, evidence, origins, Quotes(seen.run.id, evidence, origins))


VIEW = View(about=_about, paper=_paper, template="views/tool.html")
