"""`gw check`: whether a bundle is whole, and whether its quotes are really in its pages."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import cast

from groundwire.errors import InputError
from groundwire.evidence.citations.standing import stands
from groundwire.model.base import Json, JsonObject, Value, short_id
from groundwire.model.phrase import Phrase, phrase, phrase_of
from groundwire.model.run import digest
from groundwire.model.source import Document
from groundwire.report.bundle import FORMAT, MANIFEST, SEAL, Bundle, pack, read, sha, unpack


class Problem(Value):
    """What is wrong, and where."""

    where: str  # a member of the bundle, or "zip structure"
    what: Phrase


class Checkup(Value):
    """The finding: without problems, every byte is as exported and every quote is in its page."""

    run_id: str = ""
    files: int = 0
    quotes: int = 0
    problems: tuple[Problem, ...] = ()

    @property
    def ok(self) -> bool:
        return not self.problems


def _wrong(where: str, code: str, **params: object) -> Problem:
    return Problem(where=where, what=phrase(code, **params))


def check(data: bytes) -> Checkup:
    """Check hashes first, and the content only when the bundle is whole."""
    try:
        members = unpack(data)
    except InputError as error:
        return Checkup(problems=(Problem(where="zip structure", what=phrase_of(error)),))
    problems = [*_hashes(members)] or [*_structure(data, members)]
    if problems:
        return Checkup(files=len(members), problems=tuple(problems))
    try:
        bundle = read(data)
        problems = [*_content(bundle)]
        quotes = sum(1 for _ in citations(bundle.run.result or {}))
    except InputError as error:
        wrong = Problem(where=MANIFEST, what=phrase_of(error))
        return Checkup(files=len(members), problems=(wrong,))
    except (KeyError, TypeError, AttributeError, ValueError, RecursionError) as error:
        # Its hashes fit, but its contents make no sense: it is not of our making.
        wrong = _wrong("result.json", "check.shape", error=type(error).__name__)
        return Checkup(files=len(members), problems=(wrong,))
    found = tuple(problems)
    return Checkup(run_id=bundle.run.id, files=len(members), quotes=quotes, problems=found)


def _hashes(members: Mapping[str, bytes]) -> Iterator[Problem]:
    manifest_bytes = members.get(MANIFEST)
    if manifest_bytes is None:
        yield _wrong(MANIFEST, "check.missing")
        return
    seal = members.get(SEAL, b"").decode(errors="replace")
    if seal != f"{sha(manifest_bytes)}\n":
        yield _wrong(MANIFEST, "check.seal", seal=SEAL)
    try:
        manifest = cast(JsonObject, json.loads(manifest_bytes))
        files = cast(dict[str, str], manifest["files"])
        known = manifest["format"] == FORMAT
        names = sorted(files.keys() | members.keys() - {MANIFEST, SEAL})
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        yield _wrong(MANIFEST, "check.unreadable")
        return
    if not known:
        yield _wrong(MANIFEST, "check.format", format=FORMAT)
    for name in names:
        if name not in members:
            yield _wrong(name, "check.missing")
        elif name not in files:
            yield _wrong(name, "check.foreign")
        elif sha(members[name]) != files[name]:
            yield _wrong(name, "check.changed")


def _structure(data: bytes, members: Mapping[str, bytes]) -> Iterator[Problem]:
    """Compare the whole file with what we would write, once all members are right."""
    expected = pack(members)
    if expected == data:
        return
    at = next(
        (i for i, (a, b) in enumerate(zip(data, expected, strict=False)) if a != b),
        min(len(data), len(expected)),
    )
    near = max(
        (name for name in members if _offset(expected, name) <= at),
        default="",
        key=lambda n: _offset(expected, n),
    )
    yield _wrong("zip structure", "check.bytes", at=at, near=near)


def _offset(data: bytes, name: str) -> int:
    """Find where a member's local header begins."""
    return data.find(b"PK\x03\x04", max(0, data.find(name.encode()) - 30))


def _content(bundle: Bundle) -> Iterator[Problem]:
    run = bundle.run
    if run.result is not None and digest(run.result) != run.digest:
        yield _wrong("result.json", "check.digest")
    for page in bundle.pages:
        sha256 = sha(page.text.encode())
        if sha256 != page.sha256 or page.id != short_id("doc", [page.canonical_url, sha256]):
            yield _wrong(f"pages/{page.id}.json", "check.text")
    if [event.seq for event in bundle.events] != list(range(1, len(bundle.events) + 1)):
        yield _wrong("events.jsonl", "check.events")
    yield from _quotes(bundle)
    yield from _sum(run.result or {})


def _quotes(bundle: Bundle) -> Iterator[Problem]:
    result = bundle.run.result or {}
    pages = {page.id: page for page in bundle.pages}
    listed = cast(list[JsonObject], result.get("evidence", []))
    holders: dict[str, Document | None] = {
        str(each["id"]): pages.get(str(each.get("document_id"))) for each in listed
    }
    for citation in citations(result):
        evidence_id = str(citation["evidence_id"])
        page = holders.get(evidence_id)
        if page is None:
            yield _wrong("result.json", "check.no_page", id=evidence_id)
            continue
        start, end = int(citation["start"]), int(citation["end"])
        found = stands(page.text, str(citation["quote"]), start, end)
        if not found or citation["url"] != page.canonical_url:
            yield _wrong("result.json", "check.quote", id=evidence_id)


def _sum(result: JsonObject) -> Iterator[Problem]:
    """Check that the confidence is the sum of its waterfall, to the last place (law 6)."""
    if "waterfall" not in result:
        return
    rows = cast(list[JsonObject], result["waterfall"])
    total = sum(round(float(row["delta"]) * 10_000) for row in rows)
    if total != round(float(result["confidence"]) * 10_000):
        yield _wrong("result.json", "check.sum")
    known = {str(each["id"]) for each in cast(list[JsonObject], result.get("evidence", []))}
    for row in rows:
        for evidence_id in cast(list[str], row.get("evidence_ids", [])):
            if evidence_id not in known:
                yield _wrong("result.json", "check.unlisted", id=evidence_id)


def citations(value: Json) -> Iterator[JsonObject]:
    """Yield every citation in a result, wherever it is."""
    match value:
        case dict():
            fields = cast(JsonObject, value)
            if "evidence_id" in fields and "quote" in fields:
                yield fields
            elif fields.get("document_id") and fields.get("quote"):
                # Evidence of a signal: the words by which it takes its stance.
                yield {**fields, "evidence_id": fields["id"]}
            for item in fields.values():
                yield from citations(item)
        case list():
            for item in cast(list[Json], value):
                yield from citations(item)
        case _:
            return
