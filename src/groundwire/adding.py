"""Files of the user's own into the archive: found, parsed under limits, each failure named."""

from __future__ import annotations

import asyncio
import hashlib
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from pydantic import Field

from groundwire.errors import InputError, NotFoundHere, OutsideFailure, TooLarge, Unreadable
from groundwire.model.base import Noun, short_id
from groundwire.model.source import Document
from groundwire.report.outline import LOCAL_SUFFIX

if TYPE_CHECKING:
    from groundwire.app import App
    from groundwire.fetch.extracted import Extracted
    from groundwire.fetch.pool import ParsePool

KINDS = {
    ".html": "text/html",
    ".htm": "text/html",
    ".pdf": "application/pdf",
    ".txt": "text/plain",
    ".md": "text/markdown",
}
_BATCH = 100


class Unadded(Noun):
    """Something that could not be added, and why."""

    what: str
    code: str
    reason: str


class Added(Noun):
    """What came of an addition: new, already there, failed, and skipped by kind."""

    new: int = 0
    known: int = 0
    failed: tuple[Unadded, ...] = ()
    skipped: Mapping[str, int] = Field(default_factory=dict)  # by ending, of files in folders

    def plus(self, other: Added) -> Added:
        kinds = sorted({*self.skipped, *other.skipped})
        return Added(
            new=self.new + other.new,
            known=self.known + other.known,
            failed=(*self.failed, *other.failed),
            skipped={
                kind: self.skipped.get(kind, 0) + other.skipped.get(kind, 0) for kind in kinds
            },
        )


def files_in(paths: Sequence[Path]) -> tuple[list[Path], dict[str, int]]:
    """The files that are meant: a file by its name, a folder by what is in it, hidden ones not.

    Second, how many files of which ending were passed over in folders.
    """
    found: dict[Path, None] = {}
    skipped: Counter[str] = Counter()
    for path in paths:
        if path.is_dir():
            inside = sorted(_inside(path))
            readable = [file for file in inside if file.suffix.lower() in KINDS]
            if not readable:
                kinds = ", ".join(sorted(kind[1:] for kind in KINDS))
                raise NotFoundHere(f"no file of a kind that is read ({kinds}) in {path}")
            found.update(dict.fromkeys(readable))
            others = (file.suffix.lower() for file in inside)
            skipped.update(kind or "no ending" for kind in others if kind not in KINDS)
        elif path.exists():
            found[path] = None
        else:
            raise NotFoundHere(f"there is no file or folder {path}")
    return list(found), dict(sorted(skipped.items()))


def _inside(folder: Path) -> Iterator[Path]:
    def complain(error: OSError) -> None:
        raise InputError(f"{error.filename} cannot be read: {error.strerror}") from error

    # Links to folders are not followed: they may lead back here.
    for at, folders, names in os.walk(folder, onerror=complain):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            if not name.startswith("."):
                yield Path(at) / name


async def add_files(
    app: App, files: Sequence[Path], progress: Callable[[int, int], None] = lambda _at, _of: None
) -> Added:
    """Parse and store files; a file that fails is listed and stops no other."""
    from groundwire.fetch.pool import ParsePool

    workers = app.settings.fetch.workers
    pool = ParsePool(workers=workers)
    total = Added()
    try:
        # As many at a time as the pool can chew on: the rest stays on the disk.
        for start in range(0, len(files), _BATCH):
            batch = files[start : start + _BATCH]
            gate = asyncio.Semaphore(workers * 2)
            outcomes = await asyncio.gather(*(_one(app, pool, gate, file) for file in batch))
            documents = [each for each in outcomes if isinstance(each, Document)]
            new = await app.add(documents)
            failed = tuple(each for each in outcomes if isinstance(each, Unadded))
            total = total.plus(Added(new=new, known=len(documents) - new, failed=failed))
            progress(start + len(batch), len(files))
    finally:
        await pool.close()
    return total


async def _one(
    app: App, pool: ParsePool, gate: asyncio.Semaphore, file: Path
) -> Document | Unadded:
    async with gate:
        try:
            body = await asyncio.to_thread(_bytes, file, app.settings.fetch.max_bytes)
            now = app.clock()
            kind = KINDS.get(file.suffix.lower(), "")
            found = await pool.parse(body, kind, address(file), now.date())
            return _document(file, found, now)
        except OutsideFailure as error:
            return Unadded(what=str(file), code=error.code, reason=error.message)


def _bytes(file: Path, most: int) -> bytes:
    if file.suffix and file.suffix.lower() not in KINDS:
        kinds = ", ".join(sorted(kind[1:] for kind in KINDS))
        raise Unreadable(f"files of the kind {file.suffix} are not read; {kinds} are")
    try:
        size = file.stat().st_size
        if size > most:
            raise TooLarge(f"the file has {size:,} bytes; fetch.max_bytes is {most:,}")
        body = file.read_bytes()
    except OSError as error:
        raise Unreadable(f"the file cannot be read: {error.strerror}") from error
    if not file.suffix.lower() == ".pdf" and b"\x00" in body[:8192] and not _utf16(body):
        raise Unreadable("the file is binary, not text")
    return body


def _utf16(body: bytes) -> bool:
    return body.startswith((b"\xff\xfe", b"\xfe\xff"))


def address(file: Path) -> str:
    """The address of a file in the archive: a host of its own that can never resolve.

    Its own, because two files of one folder are not one site; hashed, because an export must not
    tell where on the disk it lay.
    """
    path = file.resolve()
    host = hashlib.sha256(os.fsencode(path)).hexdigest()[:16]
    name = os.fsencode(path.name).decode("utf-8", "replace")
    return f"https://f{host}{LOCAL_SUFFIX}/{quote(name)}"


def _document(file: Path, found: Extracted, now: datetime) -> Document:
    sha256 = hashlib.sha256(found.text.encode()).hexdigest()
    url = address(file)
    return Document(
        id=short_id("doc", [url, sha256]),
        url=url,
        canonical_url=url,
        publisher=found.publisher or "local file",
        title=found.title,
        author=found.author,
        published_at=_moment(found.published_at),
        published_how=found.published_how,
        language=found.language,
        text=found.text,
        sha256=sha256,
        media_type=found.media_type,
        fetched_at=now,
    )


def _moment(text: str | None) -> datetime | None:
    if not text:
        return None
    found = datetime.fromisoformat(text)
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)


async def add_url(app: App, url: str) -> Added:
    """One page through the gateway, as a small run."""
    before = (await app.store.index.stats()).documents
    run = await app.tool("read", url=url)
    result = run.result or {}
    error = result.get("error")
    if error is not None:
        return Added(failed=(Unadded(what=url, code=error["code"], reason=error["message"]),))
    if run.state != "complete":
        reason = run.error or f"the run is {run.state}"
        return Added(failed=(Unadded(what=url, code="failed", reason=reason),))
    new = (await app.store.index.stats()).documents > before
    return Added(new=int(new), known=int(not new))
