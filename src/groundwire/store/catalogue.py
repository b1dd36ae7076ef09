"""The archive for readers: filtered, counted by source, language and year, page by page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from typing import NamedTuple

from sqlalchemy import bindparam, select

from groundwire.model.catalogue import FILES, CatalogueHit, Facet, Held, Look, Shelf
from groundwire.model.source import SNIPPET_TYPE, Document, is_local_file
from groundwire.store import bm25
from groundwire.store import documents as doc_rows
from groundwire.store.filters import AT, every, joined
from groundwire.store.fulltext import Fulltext, Where, fulltext_of
from groundwire.store.payload import DAY_US, to_us
from groundwire.store.schema import documents
from groundwire.store.snippet import marks, snippet
from groundwire.store.statement import Connection, Statement
from groundwire.store.table import DatabaseTable

_REACH = 300  # documents that are ranked by their words; nobody pages further
_RANKED_CHARACTERS = 12_000_000  # very long documents are expensive to count in
_LABELLED = 200  # sources whose publisher is looked up

_YEAR = {
    "sqlite": f"CAST(strftime('%Y', {AT} / 1000000, 'unixepoch') AS INTEGER)",
    "postgresql": (
        f"CAST(EXTRACT(YEAR FROM to_timestamp({AT} / 1000000.0) AT TIME ZONE 'UTC') AS INTEGER)"
    ),
}
# A host that never resolves is that of a file; see `app.additions.files.address`.
_IS_FILE = "(d.domain = '' OR d.domain LIKE ?)"
_FILE_HOSTS = "%.invalid"
# An older version of a changed page is kept, but no longer stands for the page.
_CURRENT = Where(
    "d.media_type <> ? AND NOT EXISTS (SELECT 1 FROM documents AS n "
    "WHERE n.canonical_url = d.canonical_url AND n.media_type <> ? AND (n.fetched_at > "
    "d.fetched_at OR (n.fetched_at = d.fetched_at AND n.id < d.id)))",
    (SNIPPET_TYPE, SNIPPET_TYPE),
)
_PUBLISHER = Statement(
    select(documents.c.publisher)
    .where(documents.c.domain == bindparam("of_domain"))
    .order_by(documents.c.fetched_at.desc(), documents.c.id)
    .limit(1)
)


class ArchiveCatalogue(DatabaseTable):
    """The archive for readers: pages as they were read last."""

    async def look(self, request: Look) -> Shelf:
        """Return a page of what matches; counts and documents are of one state of the archive."""
        question = bm25.query_terms(request.text)
        if request.text.strip() and not question:
            return Shelf(held="none", total=0, reach=0)  # punctuation only
        fulltext = fulltext_of(self.database.dialect)
        return await self.database.read(lambda c: _look(c, fulltext, request, question))


class _Line(NamedTuple):
    """A count of documents that share source, language and year."""

    source: str
    language: str
    year: str
    size: int


class _Words(NamedTuple):
    """How the words of a question choose documents."""

    held: Held
    chosen: Where  # documents that have them
    some: Where | None  # those that have some of them; None: it would be the same
    weights: dict[str, float]
    least: int  # characters worth marking: a single one of a longer question says nothing


def _look(
    connection: Connection, fulltext: Fulltext, request: Look, question: Sequence[bm25.QueryTerm]
) -> Shelf:
    with fulltext.snapshot(connection):
        words = _words(connection, fulltext, request, question)
        dated = _dated(request)
        lines = _lines(connection, every(dated, words.chosen))
        undated_lines = _lines(connection, words.chosen) if dated.sql else lines
        broader = [] if words.some is None else _lines(connection, every(dated, words.some))
        total = sum(line.size for line in lines if _fits(request, line))
        demands = every(_of_facets(request), dated, words.chosen)
        if question and not request.newest:
            pages, reach = _best(connection, fulltext, request, question, demands)
        else:
            pages, reach = _latest(connection, request, demands), total
        sources = _sources(connection, lines, request)
    return Shelf(
        held=words.held,
        total=total,
        reach=min(reach, total),
        more=max(0, sum(line.size for line in broader if _fits(request, line)) - total),
        found=tuple(_hit(page, score, words) for page, score in pages),
        sources=sources,
        languages=_languages(lines, request),
        years=_years(undated_lines, request),
    )


# --- words -----------------------------------------------------------------------------------


def _words(
    connection: Connection, fulltext: Fulltext, request: Look, question: Sequence[bm25.QueryTerm]
) -> _Words:
    """Require all words, or some where no document has all or the reader wants it so."""
    if not question:
        return _Words("none", Where(), None, {}, 1)
    counts = bm25.frequencies(question, lambda terms: fulltext.frequencies(connection, terms))
    weights = bm25.weights(counts, fulltext.totals(connection))
    least = min(2, max(len(each.term) for each in question))
    groups = [
        # A word unknown to the dictionary is cut differently elsewhere: search its characters.
        [(each.term,), *([each.parts] if each.parts else [])]
        for each in question
    ]
    some = fulltext.holding(groups, every=False)
    if request.some or len(groups) == 1:
        return _Words("any" if len(groups) > 1 else "all", some, None, weights, least)
    whole = fulltext.holding(groups, every=True)
    current = every(_CURRENT, whole)
    sql = f"SELECT 1 FROM documents AS d WHERE {current.sql} LIMIT 1"
    if not connection.select(sql, current.parameters):
        return _Words("any", some, None, weights, least)
    return _Words("all", whole, some, weights, least)


# --- filters and counts ----------------------------------------------------------------------


def _lines(connection: Connection, demands: Where) -> list[_Line]:
    """Count the current documents that meet the demands by source, language and year."""
    name = connection.dialect.name
    where = every(_CURRENT, demands)
    sql = (
        f"SELECT CASE WHEN {_IS_FILE} THEN ? ELSE d.domain END, d.language, {_YEAR[name]}, "
        f"count(*) FROM documents AS d WHERE {where.sql} GROUP BY 1, 2, 3"
    )
    rows = connection.select(sql, (_FILE_HOSTS, FILES, *where.parameters))
    return [_Line(row[0], row[1], f"{row[2]:04d}", int(row[3])) for row in rows]


def _dated(request: Look) -> Where:
    return every(
        Where() if request.since is None else Where(f"{AT} >= ?", (_midnight(request.since),)),
        Where()
        if request.until is None
        else Where(f"{AT} < ?", (_midnight(request.until) + DAY_US,)),
    )


def _midnight(day: date) -> int:
    return to_us(datetime(day.year, day.month, day.day, tzinfo=UTC))


def _of_facets(request: Look) -> Where:
    either = [_in("d.domain", [source for source in request.sources if source != FILES])]
    if FILES in request.sources:
        either.append(Where(_IS_FILE, (_FILE_HOSTS,)))
    sources = joined(" OR ", [each for each in either if each.sql])
    return every(sources, _in("d.language", request.languages))


def _in(column: str, values: Sequence[str]) -> Where:
    if not values:
        return Where()
    return Where(f"{column} IN ({', '.join('?' * len(values))})", tuple(values))


def _fits(request: Look, line: _Line) -> bool:
    return _one_of(line.source, request.sources) and _one_of(line.language, request.languages)


def _one_of(value: str, wanted: Sequence[str]) -> bool:
    return not wanted or value in wanted


# --- facets ----------------------------------------------------------------------------------


def _sources(connection: Connection, lines: Iterable[_Line], request: Look) -> tuple[Facet, ...]:
    """Count what each source would leave of the list, whatever other sources are chosen."""
    fitting = (line for line in lines if _one_of(line.language, request.languages))
    found = _facets(_counted(fitting, "source"), request.sources)
    return (*(_labelled(connection, each) for each in found[:_LABELLED]), *found[_LABELLED:])


def _labelled(connection: Connection, source: Facet) -> Facet:
    """Label a source with its publisher; files have none."""
    if source.value == FILES:
        return source
    name = connection.cell(_PUBLISHER, {"of_domain": source.value})
    known = name is not None and not is_local_file(name)
    return source.model_copy(update={"label": name}) if known else source


def _languages(lines: Iterable[_Line], request: Look) -> tuple[Facet, ...]:
    fitting = (line for line in lines if _one_of(line.source, request.sources))
    return _facets(_counted(fitting, "language"), request.languages)


def _years(lines: Iterable[_Line], request: Look) -> tuple[Facet, ...]:
    counts = _counted((line for line in lines if _fits(request, line)), "year")
    span = (request.since, request.until)
    return tuple(
        Facet(
            value=year, count=count, chosen=span == (date(int(year), 1, 1), date(int(year), 12, 31))
        )
        for year, count in sorted(counts.items(), reverse=True)
    )


def _counted(lines: Iterable[_Line], by: str) -> Counter[str]:
    counts: Counter[str] = Counter()
    for line in lines:
        counts[getattr(line, by)] += line.size
    return counts


def _facets(counts: Counter[str], chosen: Sequence[str]) -> tuple[Facet, ...]:
    """Order facets by count; what is chosen stays in sight, so that it can be taken back."""
    for value in chosen:
        counts[value] += 0
    return tuple(
        Facet(value=value, count=count, chosen=value in chosen)
        for value, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    )


# --- documents -------------------------------------------------------------------------------


def _latest(connection: Connection, request: Look, demands: Where) -> list[tuple[Document, float]]:
    where = every(_CURRENT, demands)
    sql = (
        f"SELECT d.id FROM documents AS d WHERE {where.sql} "
        f"ORDER BY {AT} DESC, d.id LIMIT ? OFFSET ?"
    )
    rows = connection.select(sql, (*where.parameters, request.limit, request.skip))
    pages = [doc_rows.get(connection, row[0]) for row in rows]
    return [(page, 0.0) for page in pages if page is not None]


def _best(
    connection: Connection,
    fulltext: Fulltext,
    request: Look,
    question: Sequence[bm25.QueryTerm],
    demands: Where,
) -> tuple[list[tuple[Document, float]], int]:
    """Return a page of the best by BM25 (with equal scores, by id), and how many were ranked."""
    found = fulltext.matching(connection, question, every(_CURRENT, demands), _REACH)
    ranked: list[tuple[float, str]] = []
    characters = 0
    for candidate in fulltext.read(connection, found.nums):
        ranked.append((-found.score(candidate), candidate.id))
        characters += len(candidate.body)
        if characters > _RANKED_CHARACTERS:
            break
    best = sorted(ranked)[request.skip : request.skip + request.limit]
    pages = [(doc_rows.get(connection, id), -score) for score, id in best]
    return [(page, score) for page, score in pages if page is not None], len(ranked)


def _hit(document: Document, score: float, words: _Words) -> CatalogueHit:
    shown = snippet(document.text, words.weights)
    return CatalogueHit(
        document=document,
        score=score,
        snippet=shown.text,
        snippet_start=shown.start,
        marks=_marks(shown.text, words),
        title_marks=_marks(document.title, words),
    )


def _marks(text: str, words: _Words) -> tuple[tuple[int, int], ...]:
    return tuple(at for at in marks(text, words.weights) if at[1] - at[0] >= words.least)
