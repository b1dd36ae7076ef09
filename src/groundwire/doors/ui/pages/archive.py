"""The archive: search it, narrow it down, add to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from markupsafe import Markup, escape

from groundwire.app.additions.files import KINDS
from groundwire.app.additions.web import WantedPages, collect
from groundwire.app.submission import address
from groundwire.doors.ui.render import page
from groundwire.doors.ui.visits import OwnForm, VisitHere
from groundwire.errors import InputError
from groundwire.evidence.sources.tiers import tier_of
from groundwire.evidence.sources.urls import host_of
from groundwire.model.catalogue import CatalogueHit, Facet, Look, Shelf
from groundwire.model.source import Tier, publisher_name
from groundwire.report.links import local_name, web_link
from groundwire.words import Words

router = APIRouter(include_in_schema=False)
_PAGE = 20
_LONGEST = 500  # characters of a search
_MOST_CHOSEN = 30
_SHOWN = 8  # sources that are seen at once
_HIDDEN = 92  # further ones, behind a click


class ArchiveEntry(NamedTuple):
    """A document of the list."""

    found: CatalogueHit
    title: Markup
    snippet: Markup
    publisher: str
    tier: Tier
    stored: str  # where the stored page is, with the passage
    original: str | None
    where: str


class Choice(NamedTuple):
    """A value of a facet, and the address that chooses it or takes it back."""

    facet: Facet
    name: str
    href: str
    shared: bool = False  # others have the same name; the domain tells them apart


class Way(NamedTuple):
    """The links around a list."""

    look: Look

    def to(self, **changes: object) -> str:
        """Return the address of this list with changes, on its first page unless `page` says."""
        number = changes.pop("page", 1)
        look = self.look.model_copy(update=changes)
        values = {
            "q": look.text,
            "source": look.sources,
            "language": look.languages,
            "since": look.since,
            "until": look.until,
            "words": "some" if look.some else "",
            "order": "newest" if look.newest else "",
            "page": number if number != 1 else "",
        }
        query = urlencode({name: each for name, each in values.items() if each}, doseq=True)
        return f"/archive?{query}" if query else "/archive"

    def toggled(self, name: str, value: str) -> str:
        chosen: tuple[str, ...] = getattr(self.look, name)
        others = tuple(each for each in chosen if each != value)
        return self.to(**{name: others if value in chosen else (*chosen, value)})

    def year(self, facet: Facet) -> str:
        if facet.chosen:
            return self.to(since=None, until=None)
        year = int(facet.value)
        return self.to(since=date(year, 1, 1), until=date(year, 12, 31))


@router.get("/archive")
async def archive(visit: VisitHere) -> HTMLResponse:
    app = visit.app
    wanted, number, unread = _parse_query(visit.request)
    stats = await app.archive.stats()
    shelf = await app.archive.look(wanted)
    way = Way(wanted)
    return page(
        visit,
        "archive.html",
        active="archive",
        stats=stats,
        languages_of=sorted(stats.by_language.items(), key=lambda item: (-item[1], item[0])),
        asked=wanted,
        shelf=shelf,
        way=way,
        entries=[_entry(found, visit.say) for found in shelf.found],
        unread=unread,
        pages=max(1, -(-shelf.reach // _PAGE)),
        number=number,
        narrowed=bool(wanted.sources or wanted.languages or wanted.since or wanted.until),
        choices=_choices(shelf, way),
        may_add=visit.who.may("run"),
        offline=app.settings.offline,
        most_bytes=app.settings.desk.max_upload_bytes,
        kinds=",".join(sorted(KINDS)),
    )


@router.post("/archive/sample")
async def sample(visit: VisitHere, _form: OwnForm) -> Response:
    """Add the sample archive, so that there is something to look at."""
    visit.check("run")
    await visit.app.archive.add_sample()
    return RedirectResponse("/archive", 303)


@router.post("/archive/addresses")
async def addresses(visit: VisitHere, form: OwnForm) -> Response:
    """Add the addresses of a form sent without a script: each becomes a run."""
    visit.check("run")
    lines = (line.strip() for line in form.get("urls", "").splitlines())
    wanted = list(dict.fromkeys(line for line in lines if line))[:_MOST_CHOSEN]
    if not wanted:
        raise InputError("error.nothing_to_add", hint="hint.such_address")
    checked = [address(url) for url in wanted]
    runs = [await collect(visit.app, url, WantedPages(), visit.who) for url in checked]
    return RedirectResponse(f"/runs/{runs[0].id}" if len(runs) == 1 else "/runs", 303)


def _parse_query(request: Request) -> tuple[Look, int, tuple[str, ...]]:
    """Return what the address asks for, its page number, and the fields that could not be read."""
    params = request.query_params
    unread: list[str] = []

    def day(name: str) -> date | None:
        text = params.get(name, "").strip()
        try:
            return date.fromisoformat(text) if text else None
        except ValueError:
            unread.append(name)
            return None

    number = params.get("page", "1")[:5]
    page_number = max(1, int(number)) if number.isascii() and number.isdigit() else 1
    look = Look(
        text=_plain(params.get("q", ""))[:_LONGEST],
        some=params.get("words") == "some",
        sources=_values(params.getlist("source")),
        languages=_values(params.getlist("language")),
        since=day("since"),
        until=day("until"),
        newest=params.get("order") == "newest",
        skip=(page_number - 1) * _PAGE,
        limit=_PAGE,
    )
    return look, page_number, tuple(unread)


def _values(given: Sequence[str]) -> tuple[str, ...]:
    found = dict.fromkeys(_plain(value) for value in given[:_MOST_CHOSEN])
    return tuple(value for value in found if value and len(value) <= 253)


def _plain(text: str) -> str:
    # No database text can hold NUL, and it means nothing anywhere.
    return text.replace("\0", "").encode("utf-8", "ignore").decode().strip()


def _entry(found: CatalogueHit, say: Words) -> ArchiveEntry:
    document = found.document
    until = found.snippet_start + len(found.snippet)
    place = f"?start={found.snippet_start}&end={until}" if found.marks else ""
    local = local_name(document.canonical_url)
    before = "… " if document.text[: found.snippet_start].strip() else ""
    after = " …" if document.text[until:].strip() else ""
    return ArchiveEntry(
        found=found,
        title=highlight(document.title or document.canonical_url, found.title_marks),
        snippet=escape(before) + highlight(found.snippet, found.marks) + escape(after),
        publisher=publisher_name(document.publisher, say),
        tier=tier_of(document),
        stored=f"/evidence/{document.id}{place}",
        original=web_link(document.canonical_url),
        where=local if local is not None else _host(document.canonical_url),
    )


def _host(url: str) -> str:
    try:
        return host_of(url)
    except InputError:
        return url[:80]


def highlight(text: str, places: Sequence[tuple[int, int]]) -> Markup:
    """Escape a text and mark its places."""
    parts: list[Markup] = []
    at = 0
    for start, end in places:
        parts += [escape(text[at:start]), Markup("<mark>{}</mark>").format(text[start:end])]
        at = end
    return Markup().join([*parts, escape(text[at:])])


def _choices(shelf: Shelf, way: Way) -> dict[str, list[Choice]]:
    """List what narrows the list down; chosen sources first, then the most frequent."""
    facets = sorted(shelf.sources, key=lambda each: not each.chosen)[: _SHOWN + _HIDDEN]
    names = Counter(each.label for each in facets if each.label)
    sources = [
        Choice(
            each,
            each.label or each.value,
            way.toggled("sources", each.value),
            shared=names[each.label] > 1,
        )
        for each in facets
    ]
    languages = shelf.languages
    return {
        "languages": [Choice(e, e.value, way.toggled("languages", e.value)) for e in languages],
        "sources": sources[:_SHOWN],
        "more_sources": sources[_SHOWN:],
        "years": [Choice(each, each.value, way.year(each)) for each in shelf.years],
    }
