"""Additions to the archive over HTTP: uploads and addresses, never a path on this machine."""

from __future__ import annotations

import asyncio
import re
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request, Response
from pydantic import Field
from starlette.datastructures import FormData, UploadFile

from groundwire.app.additions.files import KINDS, add_files
from groundwire.app.additions.web import Added, Unadded, WantedPages, collect
from groundwire.app.submission import address
from groundwire.doors.api.door import Desk, DeskHere, Reader, Runner
from groundwire.doors.api.schemas import MOST, takes
from groundwire.doors.api.schemas_runs import Started, started
from groundwire.doors.language import language_of
from groundwire.errors import InputError
from groundwire.model.base import Value
from groundwire.model.ports import ArchiveStats
from groundwire.words import words

router = APIRouter(prefix="/api/archive", tags=["evidence"])
_WEB = re.compile("https?://.")
_LONGEST = 8_000  # characters of an address
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]")
_FIELDS: dict[str, Any] = {
    "file": {
        "type": "array",
        "items": {"type": "string", "format": "binary"},
        "maxItems": MOST,
        "description": " ".join(kind.removeprefix(".") for kind in KINDS),
    },
    "url": {
        "type": "array",
        "items": {"type": "string", "maxLength": _LONGEST, "pattern": "^https?://."},
        "maxItems": MOST,
        "description": "pages, feeds, OPML files, sitemaps",
    },
    "limit": {
        "type": "integer",
        "minimum": 1,
        "maximum": 10_000,
        "default": 100,
        "description": "pages taken from one list at most",
    },
}
_FORM = {"type": "object", "properties": _FIELDS, "additionalProperties": False}
_BODY = takes("multipart/form-data", _FORM, required=False)


class Brought(Value):
    """The outcome of added files, and the runs that read the addresses."""

    added: Added = Field(description="of the files; what is no address is among its failures")
    runs: tuple[Started, ...] = Field(description="one for each address; see their results")


@router.post(
    "",
    status_code=200,
    summary="Add files and addresses",
    openapi_extra=_BODY,
    responses={202: {"model": Brought, "description": "Files are in; addresses are being read."}},
)
async def add(request: Request, response: Response, desk: DeskHere, who: Runner) -> Brought:
    """Add files and addresses to the archive.

    Files are parsed under limits and stored when this answers; each address becomes a small run
    that can be followed. What fails is named and stops nothing else.
    """
    async with request.form(max_files=MOST, max_fields=2 * MOST, max_part_size=100_000) as form:
        limit, urls, files = _parse_limit(form), _parse_urls(form), form.getlist("file")
        uploads = [each for each in files if isinstance(each, UploadFile)]
        if len(uploads) < len(files):
            raise InputError("error.file_part")
        added, listed = await _add_uploads(desk, uploads)
    added = added.plus(Added(left=max(0, len(listed) - limit)))
    runs: list[Started] = []
    for url in dict.fromkeys([*urls, *listed[:limit]]):
        try:
            address(url)
        except InputError as error:
            masked_url = desk.app.redactor.text(url)[:300]
            failed = Unadded.because(masked_url, "bad_address", error.kept)
            added = added.plus(Added(failed=(failed,)))
            continue
        runs.append(started(await collect(desk.app, url, WantedPages(limit=limit), who)))
    if runs:
        response.status_code = 202
    return Brought(added=_translate(added, language_of(request)), runs=tuple(runs))


def _translate(added: Added, language: str) -> Added:
    """Put the reasons of failures into the reader's language."""
    say = words(language)
    failed = (each.model_copy(update={"reason": say.stored(each.kept)}) for each in added.failed)
    return added.model_copy(update={"failed": tuple(failed)})


@router.get("/stats", summary="What the archive holds")
async def stats(desk: DeskHere, _who: Reader) -> ArchiveStats:
    """Count documents, publishers and languages, with the span of dates and the size on disk."""
    return await desk.app.archive.stats()


def _parse_limit(form: FormData) -> int:
    given = form.getlist("limit") or ["100"]
    text = given[0]
    if len(given) > 1 or not isinstance(text, str) or not re.fullmatch("[0-9]{1,5}", text):
        raise InputError("error.limit_no_number")
    if not 1 <= int(text) <= 10_000:
        raise InputError("error.limit_range")
    return int(text)


def _parse_urls(form: FormData) -> list[str]:
    """Return the addresses; refuse any other field."""
    for name in form:
        if name not in _FIELDS:
            raise InputError("error.not_taken", name=name[:40], hint="hint.taken")
    found: list[str] = []
    for each in form.getlist("url"):
        if not isinstance(each, str) or len(each) > _LONGEST or not _WEB.match(each):
            raise InputError("error.url_needed", most=_LONGEST, hint="hint.begins_with")
        found.append(each)
    if len(found) > MOST:
        raise InputError("error.too_many_addresses", n=len(found), most=MOST)
    return found


async def _add_uploads(desk: Desk, uploads: Sequence[UploadFile]) -> tuple[Added, Sequence[str]]:
    """Add files; return what came of them and the addresses that lists among them name."""
    if not uploads:
        return Added(), ()
    async with desk.uploading:
        folder = Path(await asyncio.to_thread(tempfile.mkdtemp, prefix="gw-upload-"))
        try:
            sent = await asyncio.to_thread(_save, folder, uploads)
            found = await add_files(desk.app, list(sent), sent=sent)
        finally:
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
    return found.added, (*found.feeds, *found.pages)


def _save(folder: Path, uploads: Sequence[UploadFile]) -> dict[Path, str]:
    """Save each upload under a number; only the ending of its own name is kept."""
    sent: dict[Path, str] = {}
    for number, upload in enumerate(uploads):
        name = _safe_name(upload.filename or "")
        file = folder / f"{number}{_ending(name)}"
        with file.open("wb") as opened:
            shutil.copyfileobj(upload.file, opened)
        sent[file] = name
    return sent


def _safe_name(name: str) -> str:
    """Return the last part of a file name, without hidden or reordering characters."""
    last = re.split(r"[/\\]", name.encode("utf-8", "replace").decode())[-1]
    return _UNSEEN.sub("", last).strip(" .")[-150:] or "upload"


def _ending(name: str) -> str:
    ending = Path(name).suffix.lower()
    return f".{re.sub('[^a-z0-9]', '', ending)[:10] or 'bin'}" if ending else ""
