"""The audit bundle: one run in one file that can be checked and replayed anywhere.

A bundle is a zip with stored (uncompressed) members in one canonical byte form. Any bundle can
therefore be rebuilt from its members and compared byte by byte, so a changed byte is found even
where it changes no member: in a header, a time stamp, the directory.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping, Sequence

from pydantic import BaseModel, ValidationError

from groundwire.errors import InputError
from groundwire.model.base import Json, JsonObject, Value
from groundwire.model.call import CallRecord
from groundwire.model.event import Event
from groundwire.model.run import Run
from groundwire.model.source import Document

FORMAT = "groundwire-bundle/1"
MANIFEST = "manifest.json"
SEAL = "manifest.sha256"
_MOST = 1_000_000_000  # bytes of a bundle that is opened at all


class Bundle(Value):
    """One run, whole: what a bundle holds and a replay needs."""

    run: Run
    events: tuple[Event, ...]
    calls: tuple[CallRecord, ...]
    pages: tuple[Document, ...]
    claims: tuple[JsonObject, ...]
    report: str


def write(bundle: Bundle) -> bytes:
    """Write the bundle; the same bundle always gives the same bytes."""
    members: dict[str, bytes] = {
        "run.json": _json(bundle.run.model_dump(mode="json", exclude={"result"})),
        "result.json": _json(bundle.run.result),
        "events.jsonl": _lines(bundle.events),
        "calls.jsonl": _lines(bundle.calls),
        "claims.json": _json(list(bundle.claims)),
        "report.md": bundle.report.encode(),
    }
    for page in bundle.pages:
        members[f"pages/{page.id}.json"] = _json(page.model_dump(mode="json"))
    manifest = _json(
        {
            "format": FORMAT,
            "run_id": bundle.run.id,
            "digest": bundle.run.digest,
            "files": {name: sha(data) for name, data in sorted(members.items())},
        }
    )
    return pack({**members, MANIFEST: manifest, SEAL: f"{sha(manifest)}\n".encode()})


def pack(members: Mapping[str, bytes]) -> bytes:
    """Zip members in the one canonical form."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(members):
            info = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
            info.create_system = 3
            info.external_attr = 0o644 << 16
            archive.writestr(info, members[name])
    return out.getvalue()


def unpack(data: bytes) -> dict[str, bytes]:
    """Unpack the members; refuse whatever is not a bundle of ours, in one sentence."""
    if len(data) > _MOST:
        raise InputError("error.bundle_too_large")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            infos = archive.infolist()
            # Stored members cannot unfold: a bomb is refused by its first entry.
            if any(info.compress_type != zipfile.ZIP_STORED for info in infos):
                raise InputError("error.bundle_compressed")
            if sum(info.file_size for info in infos) > len(data):
                raise InputError("error.bundle_swollen")
            return {info.filename: _member(archive, info) for info in infos}
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError, EOFError) as error:
        raise InputError("error.zip_damaged", why=error) from error


def _member(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    # Without zipfile's CRC check: our own hashes name the member, and a CRC is only a header.
    with archive.open(info) as member:
        member._expected_crc = None  # type: ignore[attr-defined]
        return member.read()


def read(data: bytes) -> Bundle:
    """Read the run in a bundle, for replay. Use `check` to learn whether it can be trusted."""
    members = unpack(data)
    try:
        pages = [name for name in sorted(members) if name.startswith("pages/")]
        fields = {
            "run": {
                **json.loads(members["run.json"]),
                "result": json.loads(members["result.json"]),
            },
            "events": _rows(members["events.jsonl"]),
            "calls": _rows(members["calls.jsonl"]),
            "pages": [json.loads(members[name]) for name in pages],
            "claims": json.loads(members["claims.json"]),
            "report": members["report.md"].decode(),
        }
        return Bundle.model_validate(fields)
    except KeyError as error:
        raise InputError("error.bundle_lacks", name=error.args[0]) from error
    except (ValueError, TypeError, AttributeError, ValidationError, RecursionError) as error:
        raise InputError("error.bundle_unreadable", why=type(error).__name__) from error


def _rows(content: bytes) -> list[JsonObject]:
    return [json.loads(line) for line in content.decode().split("\n") if line]


def _json(value: Json) -> bytes:
    text = json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True)
    return f"{text}\n".encode()


def _lines(values: Sequence[BaseModel]) -> bytes:
    lines = (
        json.dumps(value.model_dump(mode="json"), ensure_ascii=False, sort_keys=True)
        for value in values
    )
    return "".join(f"{line}\n" for line in lines).encode()


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
