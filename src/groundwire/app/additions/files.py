"""The user's own files, added to the archive: found, parsed under limits, each failure named."""

from __future__ import annotations

import asyncio
import hashlib
import os
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from groundwire.app.additions.web import Added, Unadded
from groundwire.errors import (
    InputError,
    NotFoundHere,
    OutsideFailure,
    TooLarge,
    Unreadable,
    os_reason,
)
from groundwire.evidence.pages.own_exports import is_own_data, is_own_report
from groundwire.evidence.sources.urls import canonical_url, scrub_url
from groundwire.fetch.extracted import DOCX, XLSX, Extracted
from groundwire.fetch.reader import document_of
from groundwire.model.feed import Outline, Sitemap
from groundwire.model.source import LOCAL_FILE, Document
from groundwire.report.links import LOCAL_SUFFIX

if TYPE_CHECKING:
    from groundwire.app import App
    from groundwire.fetch.pool import Parsed, ParsePool

# The job of `fetch.jobs` and the media type, by ending.
KINDS: dict[str, tuple[str, str]] = {
    ".html": ("page", "text/html"),
    ".htm": ("page", "text/html"),
    ".pdf": ("page", "application/pdf"),
    ".txt": ("page", "text/plain"),
    ".md": ("page", "text/markdown"),
    ".docx": ("page", DOCX),
    ".xlsx": ("page", XLSX),
    ".csv": ("csv", "text/csv"),
    ".tsv": ("csv", "text/tab-separated-values"),
    ".json": ("json", "application/json"),
    ".jsonl": ("lines", "application/jsonl"),
    ".ndjson": ("lines", "application/jsonl"),
    ".eml": ("mail", "message/rfc822"),
    ".mbox": ("mailbox", "application/mbox"),
    ".opml": ("xml", "text/x-opml"),
    ".xml": ("xml", "application/xml"),
    ".rss": ("xml", "application/rss+xml"),
    ".atom": ("xml", "application/atom+xml"),
}
_PACKED = (".pdf", ".docx", ".xlsx")  # binary on the disk
_BATCH = 50
_DOCUMENTS = 500  # stored in one transaction
_DATA = (".csv", ".tsv", ".json", ".jsonl", ".ndjson")
_CHUNK = 4_000_000  # bytes of a file of lines that are parsed at a time
_WALL, _CPU = 60.0, 50  # seconds: ten thousand rows take longer than a page


@dataclass(frozen=True, slots=True)
class Found:
    """The outcome of adding files, and the addresses that lists among them name."""

    added: Added
    feeds: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()


def files_in(paths: Sequence[Path]) -> tuple[list[Path], dict[str, int]]:
    """Find the files that are meant: named ones, and those in named folders, hidden ones not.

    Second, how many files of which ending were skipped in folders.
    """
    found: dict[Path, None] = {}
    skipped: Counter[str] = Counter()
    for path in paths:
        if path.is_dir():
            inside = sorted(_inside(path))
            readable = [file for file in inside if file.suffix.lower() in KINDS]
            if not readable:
                raise NotFoundHere("error.no_readable_file", kinds=_kinds(), path=path)
            found.update(dict.fromkeys(readable))
            others = (file.suffix.lower() for file in inside)
            skipped.update(kind or "skipped.no_ending" for kind in others if kind not in KINDS)
        elif path.exists():
            found[path] = None
        else:
            raise NotFoundHere("error.no_path", path=path)
    return list(found), dict(sorted(skipped.items()))


def _kinds() -> str:
    return ", ".join(sorted(kind[1:] for kind in KINDS))


def _inside(folder: Path) -> Iterator[Path]:
    def complain(error: OSError) -> None:
        raise InputError(
            "error.unreadable_file", path=error.filename, why=os_reason(error)
        ) from error

    # Links to folders are not followed: they may form a loop.
    for at, folders, names in os.walk(folder, onerror=complain):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            # Reading a pipe or a device might never end.
            if not name.startswith(".") and (file := Path(at) / name).is_file():
                yield file


async def add_files(
    app: App,
    files: Sequence[Path],
    progress: Callable[[int, int], None] = lambda _at, _of: None,
    *,
    sent: Mapping[Path, str] | None = None,
) -> Found:
    """Parse and store files; a failure is listed and stops nothing else.

    `sent` names uploaded files: their path on this machine is nobody's business.
    """
    from groundwire.fetch.pool import ParsePool

    workers = app.settings.fetch.workers
    pool = ParsePool(workers=workers, wall_seconds=_WALL, cpu_seconds=_CPU)
    work = _Files(app, pool, asyncio.Semaphore(workers * 2), sent or {})
    try:
        # In batches, so that the rest stays on the disk.
        for start in range(0, len(files), _BATCH):
            batch = files[start : start + _BATCH]
            await asyncio.gather(*(work.add(file) for file in batch))
            await work.save(0)
            progress(start + len(batch), len(files))
    finally:
        await pool.close()
    return Found(work.total, tuple(work.feeds), tuple(work.pages))


class _Files:
    """The files of one addition and their outcome."""

    def __init__(
        self, app: App, pool: ParsePool, gate: asyncio.Semaphore, sent: Mapping[Path, str]
    ) -> None:
        self._app = app
        self._pool = pool
        self._gate = gate
        self._sent = sent
        self._hashes: dict[Path, str] = {}
        self._waiting: list[Document] = []
        self.total = Added()
        self.feeds: dict[str, None] = {}
        self.pages: dict[str, None] = {}

    async def add(self, file: Path) -> None:
        async with self._gate:
            job, kind = KINDS.get(file.suffix.lower(), ("page", ""))
            try:
                if not await asyncio.to_thread(file.is_file):
                    raise Unreadable("outside.file_endless")
                if file in self._sent:
                    self._hashes[file] = await asyncio.to_thread(_hash, file)
                # UTF-16 cannot be split at the byte of a newline.
                if job == "lines" and not await asyncio.to_thread(_is_wide, file):
                    await self._lines(file)
                    return
                most = self._app.settings.fetch.max_bytes
                body = await asyncio.to_thread(_bytes, file, most)
                today, url = self._app.clock().date(), self._address(file)
                await self._take(file, await self._pool.work(job, body, kind, url, today))
            except OutsideFailure as error:
                self._fail(self._name(file), error)

    def _name(self, file: Path) -> str:
        return self._sent.get(file, str(file))

    def _address(self, file: Path, where: str = "") -> str:
        if file in self._sent:
            # By its content: the same file is one document, whoever uploads it and how often.
            return _address(self._hashes[file], self._sent[file], where)
        return address(file, where)

    async def _lines(self, file: Path) -> None:
        """Read a file of lines, which may have any size, in pieces."""
        before, empty = 0, True
        for piece in _pieces(file):
            if before == 0:
                _refuse_own(file, piece)
            today = self._app.clock().date()
            try:
                found = await self._pool.work("lines", piece, latest=today, before=before)
            except OutsideFailure as error:
                self._fail(self._name(file), error)
            else:
                await self._take(file, found)
            before += piece.count(b"\n")
            empty = False
        if empty:
            raise Unreadable("outside.file_empty")

    def _fail(self, what: str, error: OutsideFailure) -> None:
        failed = Unadded.because(what, error.code, error.kept)
        self.total = self.total.plus(Added(failed=(failed,)))

    async def _take(self, file: Path, parsed: Parsed) -> None:
        now = self._app.clock()
        if parsed.page is not None:
            if await asyncio.to_thread(is_own_report, parsed.page.text):
                raise Unreadable("outside.own_report")
            self._waiting.append(_document(self._address(file), parsed.page, now))
        elif parsed.records is not None:
            self._waiting += [
                _document(self._address(file, each.where), each.found, now, each.url)
                for each in parsed.records.records
            ]
            name = self._name(file)
            failed = tuple(
                Unadded.because(f"{name}, {each.where}", "unreadable", each.reason)
                for each in parsed.records.refused
            )
            self.total = self.total.plus(Added(failed=failed, skipped=parsed.records.skipped))
        elif parsed.kind == "outline":
            outline = Outline.model_validate_json(parsed.listed)
            self.feeds.update({link.url: None for link in outline.feeds})
        else:
            sitemap = Sitemap.model_validate_json(parsed.listed)
            self.pages.update({page.url: None for page in sitemap.pages})
            self.feeds.update(dict.fromkeys(sitemap.sitemaps))
        await self.save(_DOCUMENTS)

    async def save(self, least: int) -> None:
        """Store what waits, if it is enough to be worth a transaction."""
        while self._waiting and len(self._waiting) >= least:
            batch, self._waiting = self._waiting[:_DOCUMENTS], self._waiting[_DOCUMENTS:]
            new = await self._app.archive.add(batch)
            self.total = self.total.plus(Added(new=new, known=len(batch) - new))


@contextmanager
def _reading() -> Generator[None]:
    try:
        yield
    except OSError as error:
        raise Unreadable("outside.file_unreadable", why=error.strerror) from error


def _pieces(file: Path) -> Iterator[bytes]:
    """Yield whole lines, a few megabytes at a time."""
    with _reading(), file.open("rb") as opened:
        rest = b""
        while block := opened.read(_CHUNK):
            whole, cut, rest = (rest + block).rpartition(b"\n")
            if len(rest) > _CHUNK * 4:
                raise TooLarge("outside.line_long")
            if cut:
                yield whole + cut
        if rest:
            yield rest


def _bytes(file: Path, most: int) -> bytes:
    if file.suffix and file.suffix.lower() not in KINDS:
        raise Unreadable("outside.file_kind", kind=file.suffix, known=_kinds())
    with _reading():
        size = file.stat().st_size
        if size > most:
            raise TooLarge("outside.file_size", size=f"{size:,}", most=f"{most:,}")
        body = file.read_bytes()
    if file.suffix.lower() not in _PACKED and b"\x00" in body[:8192] and not _utf16(body):
        raise Unreadable("outside.file_binary")
    _refuse_own(file, body)
    return body


def _refuse_own(file: Path, body: bytes) -> None:
    """Refuse rows and objects of our own results: as documents they could not be recognised."""
    if file.suffix.lower() in _DATA and is_own_data(body[:_CHUNK].decode(errors="replace")):
        raise Unreadable("outside.own_report")


def _hash(file: Path) -> str:
    with _reading(), file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def _is_wide(file: Path) -> bool:
    with _reading(), file.open("rb") as opened:
        return _utf16(opened.read(2))


def _utf16(body: bytes) -> bool:
    return body.startswith((b"\xff\xfe", b"\xfe\xff"))


def address(file: Path, where: str = "") -> str:
    """Return the address of a file, or of a place in it: a host of its own that never resolves.

    Its own, because two files of one folder are not one site; hashed, because an export must not
    reveal the path.
    """
    path = file.resolve()
    name = os.fsencode(path.name).decode("utf-8", "replace")
    return _address(hashlib.sha256(os.fsencode(path)).hexdigest(), name, where)


def _address(sha256: str, name: str, where: str) -> str:
    inside = f"/{quote(where, safe='')}" if where else ""
    return f"https://f{sha256[:16]}{LOCAL_SUFFIX}/{quote(name, safe='')}{inside}"


def _document(place: str, found: Extracted, now: datetime, named: str = "") -> Document:
    """Build the document of an article in a file; `place` is the address of its place in there.

    It gets the address that it names, if any: the user vouches for the file. Where it was read is
    kept beside it.
    """
    try:
        url = canonical_url(scrub_url(named)) if named else place
    except InputError:
        url = place
    return document_of(found, place, url, LOCAL_FILE, now)
