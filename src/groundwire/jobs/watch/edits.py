"""Cited pages that were changed without a word: the stored text that was cited, and today's, where they differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from groundwire.context import Context
from groundwire.errors import OutsideFailure
from groundwire.jobs.watch.ledger.claims import Change, Holder
from groundwire.jobs.watch.result import EditedPage, EditedPart
from groundwire.language.text.sentences import sentences
from groundwire.model.query import Hit
from groundwire.model.source import Document, Evidence

_MOST = 12  # parts of a page that are shown
_LONGEST = 1_200  # characters of a part
_BY_THE_PAGE = frozenset({"changed", "withdrawn"})


class _Edited(NamedTuple):
    holder: Holder  # what it said, and in which stored text
    after: Document
    claims: tuple[str, ...]


async def edits(
    context: Context, changes: Sequence[Change], pages: Sequence[Evidence]
) -> tuple[EditedPage, ...]:
    """Show what was edited in the pages whose edit changed a claim, or took it back."""
    found: list[EditedPage] = []
    for number, each in enumerate(_edited(changes, pages)):
        before = await _stored(context.step(f"edit{number}"), each.holder)
        if before is None:
            continue
        parts = tuple(_parts(before.text, each.after.text))[:_MOST]
        if parts:
            found.append(
                EditedPage(
                    url=each.holder.url,
                    title=each.after.title,
                    publisher=each.after.publisher,
                    before=before.id,
                    after=each.after.id,
                    claims=each.claims,
                    parts=parts,
                )
            )
    return tuple(found)


def _edited(changes: Sequence[Change], pages: Sequence[Evidence]) -> Iterator[_Edited]:
    """Yield each page that held a changed claim in another text than today's, once."""
    now = _texts_now(pages)
    held: dict[tuple[str, str], tuple[Holder, list[str]]] = {}
    for change in changes:
        if change.kind not in _BY_THE_PAGE or change.before is None:
            continue
        for holder in change.before.citations:
            after = now.get(holder.url)
            if after is not None and after.id != holder.document_id:
                key = (holder.url, holder.document_id)
                held.setdefault(key, (holder, []))[1].append(change.claim_id)
    for (url, _), (holder, claims) in held.items():
        yield _Edited(holder, now[url], tuple(dict.fromkeys(claims)))


def _texts_now(pages: Sequence[Evidence]) -> Mapping[str, Document]:
    return {each.document.canonical_url: each.document for each in pages if each.kind != "snippet"}


async def _stored(context: Context, holder: Holder) -> Document | None:
    """Return the text that was cited; None where it was forgotten."""
    hit = Hit(
        title=holder.title,
        url=holder.url,
        content="",
        provider="ledger",
        rank=1,
        document_id=holder.document_id,
    )
    try:
        return (await context.read(hit)).document
    except OutsideFailure:
        return None


def _parts(before: str, after: str) -> Iterator[EditedPart]:
    """Yield what differs, sentence by sentence."""
    old, new = ([text[start:end] for start, end in sentences(text)] for text in (before, after))
    for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            yield EditedPart(before=_joined(old[a:b]), after=_joined(new[c:d]))


def _joined(lines: Sequence[str]) -> str:
    text = " ".join(" ".join(lines).split())
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
