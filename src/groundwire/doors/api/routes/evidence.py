"""Evidence: searching and browsing the archive, and a stored page with what cites it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import Field

from groundwire.app.archive import StoredPage
from groundwire.doors.api.door import DeskHere, Reader
from groundwire.doors.api.schemas import WHOLE, Day, Limit, Words, leads_to
from groundwire.model.base import Value
from groundwire.model.catalogue import Facet, Look
from groundwire.model.source import Document

router = APIRouter(prefix="/api/evidence", tags=["evidence"])
_FAR = 1_000_000  # nobody browses further
Span = tuple[int, int]
Where = Annotated[
    Annotated[int, Field(ge=0, le=100_000_000), WHOLE] | None,
    Query(description="an end of a passage, in characters of the text"),
]


class PageBrief(Document):
    """A page in a list; its text is left out."""

    text: str = Field(default="", exclude=True)


class FoundPage(Value):
    """A page that was found. `marks` and `title_marks` are the places of the words."""

    page: PageBrief
    score: float = Field(description="BM25; 0 where nothing was searched for")
    snippet: str
    snippet_start: int = Field(description="where it begins in the page's text")
    marks: tuple[Span, ...] = Field(description="in the snippet")
    title_marks: tuple[Span, ...] = Field(description="in the title")


class Pages(Value):
    """A part of the archive, and how it could be narrowed down."""

    total: int = Field(description="pages that fit")
    reach: int = Field(description="how many of them can be leafed to: only the best are ranked")
    hits: tuple[FoundPage, ...]
    sources: tuple[Facet, ...]
    languages: tuple[Facet, ...]
    years: tuple[Facet, ...]
    next: str | None = Field(description="the `cursor` of the stretch after this one")


@router.get(
    "",
    summary="Search the archive, or leaf through it",
    responses={200: leads_to("evidence_page", document_id="$response.body#/hits/0/page/id")},
)
async def search(
    desk: DeskHere,
    _who: Reader,
    q: Annotated[Words, Query(description="words; without any, the newest pages come first")] = "",
    language: Annotated[
        list[str], Query(max_length=20, description="`zh`, `zh-Hant`, `en`…; any of these")
    ] = [],  # noqa: B006 (FastAPI copies it)
    publisher: Annotated[
        list[str],
        Query(max_length=50, description="registrable domains, or `local files`; any of these"),
    ] = [],  # noqa: B006
    since: Annotated[
        Day | None, Query(description="published, else read, from this day on")
    ] = None,
    until: Annotated[Day | None, Query(description="up to this day, which belongs to it")] = None,
    cursor: Annotated[
        str | None, Query(pattern=r"^[0-9]{1,6}$", description="as `next` gave it")
    ] = None,
    limit: Limit = 20,
) -> Pages:
    """Search the archive, which the whole installation shares.

    All words are wanted first; where no page has them all, some are enough.
    """
    wanted = Look(
        text=_without_nul(q),
        sources=tuple(map(_without_nul, publisher)),
        languages=tuple(map(_without_nul, language)),
        since=since,
        until=until,
        skip=int(cursor or 0),
        limit=limit,
    )
    shelf = await desk.app.archive.look(wanted)
    end = wanted.skip + len(shelf.found)
    return Pages(
        **shelf.model_dump(include=set(Pages.model_fields)),
        hits=tuple(
            FoundPage(
                page=PageBrief(**found.document.model_dump(exclude={"text"})),
                **found.model_dump(exclude={"document"}),
            )
            for found in shelf.found
        ),
        next=str(end) if shelf.found and end < min(shelf.reach, _FAR) else None,
    )


@router.get("/{document_id}", summary="A stored page, and who cites it")
async def page(
    document_id: Annotated[
        str,
        Path(description="`document_id` or `id` of evidence", examples=["doc_1f3a5c7e90b2d4f6"]),
    ],
    desk: DeskHere,
    who: Reader,
    start: Where = None,
    end: Where = None,
) -> StoredPage:
    """Return the text as it was extracted, never the page's own markup.

    With `start` and `end`, as every citation has them, the passage that is meant, with its
    surroundings. Claims that rest on the page are shown to everybody, runs that cite it to their
    owner.
    """
    return await desk.app.archive.page(who, document_id, start, end)


def _without_nul(words: str) -> str:
    """Drop NUL, which no database text can hold."""
    return words.replace("\0", "")
