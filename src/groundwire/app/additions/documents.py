"""From what a file held to documents: addresses of their own for what the web does not know."""

from __future__ import annotations

import hashlib
import os
from datetime import datetime
from pathlib import Path
from urllib.parse import quote

from groundwire.errors import InputError
from groundwire.evidence.sources.urls import canonical_url, scrub_url
from groundwire.fetch.extracted import Extracted, Record
from groundwire.fetch.reader import document_of
from groundwire.model.source import Document
from groundwire.report.links import LOCAL_SUFFIX

_NOBODY = "local file"


def address(file: Path, where: str = "") -> str:
    """The address of a file, or of a place in it: a host of its own that can never resolve.

    Its own, because two files of one folder are not one site; hashed, because an export must not
    tell where on the disk it lay.
    """
    path = file.resolve()
    host = hashlib.sha256(os.fsencode(path)).hexdigest()[:16]
    name = os.fsencode(path.name).decode("utf-8", "replace")
    inside = f"/{quote(where, safe='')}" if where else ""
    return f"https://f{host}{LOCAL_SUFFIX}/{quote(name)}{inside}"


def upload_address(sha256: str, name: str, where: str = "") -> str:
    """The address of what somebody sent: by its content, so that the same file is one document
    however often and by whomever it is sent."""
    inside = f"/{quote(where, safe='')}" if where else ""
    return f"https://f{sha256[:16]}{LOCAL_SUFFIX}/{quote(name, safe='')}{inside}"


def of_file(here: str, found: Extracted, now: datetime) -> Document:
    """A file that is one article; `here` is its address."""
    return document_of(found, here, here, _NOBODY, now)


def of_record(here: str, record: Record, now: datetime) -> Document:
    """An article among many in a file; `here` is the address of its place in there.

    It stands under the address that it names, if it names one: the file is the user's own word
    for it. Where it was read is kept beside it.
    """
    return document_of(record.found, here, _named(record.url) or here, _NOBODY, now)


def _named(url: str) -> str:
    try:
        return canonical_url(scrub_url(url)) if url else ""
    except InputError:
        return ""
