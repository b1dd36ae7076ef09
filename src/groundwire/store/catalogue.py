"""The archive for readers: filtered, counted by source, language and year, a stretch at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from typing import NamedTuple

from sqlalchemy import bindparam, select

from groundwire.model.catalogue import FILES, CatalogueHit, Facet, Held, Look, Shelf
from groundwire.model.source import SNIPPET_TYPE, Document, is_local_file
from groundwire.store import bm25
from groundwire.store import documents as shelf
from groundwire.store.filters import AT, every, joined
from groundwire.store.fulltext import Fulltext, Where, fulltext_of
from groundwire.store.payload import DAY_US, to_us
from groundwire.store.schema import documents
from groundwire.store.snippet import marks, snippet
from groundwire.store.statement import Connection, Statement
from groundwire.store.table import DatabaseTable

_REACH = 300  # documents that are ranked by their words; nobody turns more pages
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
# What a page said before it was changed is kept, but it does not say it any more.
_STANDS = Where(
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

    async def look(self, asked: Look) -> Shelf:
        """Return a stretch of what fits, in one state of the archive: counts and documents agree."""
        question = bm25.asked(asked.text)
        if asked.text.strip() and not question:
            return Shelf(held="none", total=0, reach=0)  # signs only: there is nothing to find
        fulltext = fulltext_of(self.database.dialect)
        return await self.database.read(lambda c: _look(c, fulltext, asked, question))


class _Line(NamedTuple):
    """Documents that are alike."""

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
    least: int  # characters of a place worth marking: one of a longer question says nothing


def _look(
    connection: Connection, fulltext: Fulltext, asked: Look, question: Sequence[bm25.QueryTerm]
) -> Shelf:
    with fulltext.snapshot(connection):
        words = _words(connection, fulltext, asked, question)
        dated = _dated(asked)
        lines = _lines(connection, every(dated, words.chosen))
        ever = _lines(connection, words.chosen) if dated.sql else lines
        wide = [] if words.some is None else _lines(connection, every(dated, words.some))
        total = sum(line.size for line in lines if _fits(asked, line))
        demands = every(_of_facets(asked), dated, words.chosen)
        if question and not asked.newest:
            pages, reach = _best(connection, fulltext, asked, question, demands)
        else:
            pages, reach = _latest(connection, asked, demands), total
        sources = _sources(connection, lines, asked)
    return Shelf(
        held=words.held,
        total=total,
        reach=min(reach, total),
        more=max(0, sum(line.size for line in wide if _fits(asked, line)) - total),
        found=tuple(_found(page, score, words) for page, score in pages),
        sources=sources,
        languages=_languages(lines, asked),
        years=_years(ever, asked),
    )


# --- words -----------------------------------------------------------------------------------


def _words(
    connection: Connection, fulltext: Fulltext, asked: Look, question: Sequence[bm25.QueryTerm]
) -> _Words:
    """All of the words; where no document has them all, or the reader wants it so, some."""
    if not question:
        return _Words("none", Where(), None, {}, 1)
    counts = bm25.frequencies(question, lambda terms: fulltext.frequencies(connection, terms))
    weights = bm25.weights(counts, fulltext.totals(connection))
    least = min(2, max(len(each.term) for each in question))
    groups = [
        # A word that the dictionary does not know is cut otherwise elsewhere: its characters do.
        [(each.term,), *([each.parts] if each.parts else [])]
        for each in question
    ]
    some = fulltext.holding(groups, every=False)
    if asked.some or len(groups) == 1:
        return _Words("any" if len(groups) > 1 else "all", some, None, weights, least)
    whole = fulltext.holding(groups, every=True)
    standing = every(_STANDS, whole)
    sql = f"SELECT 1 FROM documents AS d WHERE {standing.sql} LIMIT 1"
    if not connection.worded(sql, standing.parameters):
        return _Words("any", some, None, weights, least)
    return _Words("all", whole, some, weights, least)


# --- filters and counts ----------------------------------------------------------------------


def _lines(connection: Connection, demands: Where) -> list[_Line]:
    """Documents that stand and fulfil the demands, counted by source, language and year."""
    name = connection.dialect.name
    where = every(_STANDS, demands)
    sql = (
        f"SELECT CASE WHEN {_IS_FILE} THEN ? ELSE d.domain END, d.language, {_YEAR[name]}, "
        f"count(*) FROM documents AS d WHERE {where.sql} GROUP BY 1, 2, 3"
    )
    rows = connection.worded(sql, (_FILE_HOSTS, FILES, *where.parameters))
    return [_Line(row[0], row[1], f"{row[2]:04d}", int(row[3])) for row in rows]


def _dated(asked: Look) -> Where:
    return every(
        Where() if asked.since is None else Where(f"{AT} >= ?", (_midnight(asked.since),)),
        Where() if asked.until is None else Where(f"{AT} < ?", (_midnight(asked.until) + DAY_US,)),
    )


def _midnight(day: date) -> int:
    return to_us(datetime(day.year, day.month, day.day, tzinfo=UTC))


def _of_facets(asked: Look) -> Where:
    either = [_in("d.domain", [source for source in asked.sources if source != FILES])]
    if FILES in asked.sources:
        either.append(Where(_IS_FILE, (_FILE_HOSTS,)))
    sources = joined(" OR ", [each for each in either if each.sql])
    return every(sources, _in("d.language", asked.languages))


def _in(column: str, values: Sequence[str]) -> Where:
    if not values:
        return Where()
    return Where(f"{column} IN ({', '.join('?' * len(values))})", tuple(values))


def _fits(asked: Look, line: _Line) -> bool:
    return _one_of(line.source, asked.sources) and _one_of(line.language, asked.languages)


def _one_of(value: str, wanted: Sequence[str]) -> bool:
    return not wanted or value in wanted


# --- facets ----------------------------------------------------------------------------------


def _sources(connection: Connection, lines: Iterable[_Line], asked: Look) -> tuple[Facet, ...]:
    """What a source would leave of the list; other sources do not take away from it."""
    fitting = (line for line in lines if _one_of(line.language, asked.languages))
    found = _facets(_counted(fitting, "source"), asked.sources)
    named = [
        each
        if each.value == FILES
        else each.model_copy(
            update={"label": _label(connection.cell(_PUBLISHER, {"of_domain": each.value}))}
        )
        for each in found[:_LABELLED]
    ]
    return (*named, *found[_LABELLED:])


def _label(publisher: str | None) -> str:
    return "" if publisher is None or is_local_file(publisher) else publisher


def _languages(lines: Iterable[_Line], asked: Look) -> tuple[Facet, ...]:
    fitting = (line for line in lines if _one_of(line.source, asked.sources))
    return _facets(_counted(fitting, "language"), asked.languages)


def _years(lines: Iterable[_Line], asked: Look) -> tuple[Facet, ...]:
    counts = _counted((line for line in lines if _fits(asked, line)), "year")
    span = (asked.since, asked.until)
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
    """The most frequent first; what is chosen stays in sight, so that it can be taken back."""
    for value in chosen:
        counts[value] += 0
    return tuple(
        Facet(value=value, count=count, chosen=value in chosen)
        for value, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    )


# --- documents -------------------------------------------------------------------------------


def _latest(connection: Connection, asked: Look, demands: Where) -> list[tuple[Document, float]]:
    where = every(_STANDS, demands)
    sql = (
        f"SELECT d.id FROM documents AS d WHERE {where.sql} "
        f"ORDER BY {AT} DESC, d.id LIMIT ? OFFSET ?"
    )
    rows = connection.worded(sql, (*where.parameters, asked.limit, asked.skip))
    pages = [shelf.get(connection, row[0]) for row in rows]
    return [(page, 0.0) for page in pages if page is not None]


def _best(
    connection: Connection,
    fulltext: Fulltext,
    asked: Look,
    question: Sequence[bm25.QueryTerm],
    demands: Where,
) -> tuple[list[tuple[Document, float]], int]:
    """A stretch of the best by BM25, and how many were ranked; with equal scores, by id."""
    found = fulltext.matching(connection, question, every(_STANDS, demands), _REACH)
    ranked: list[tuple[float, str]] = []
    read = 0
    for candidate in fulltext.read(connection, found.nums):
        ranked.append((-found.score(candidate), candidate.id))
        read += len(candidate.body)
        if read > _RANKED_CHARACTERS:
            break
    best = sorted(ranked)[asked.skip : asked.skip + asked.limit]
    pages = [(shelf.get(connection, id), -score) for score, id in best]
    return [(page, score) for page, score in pages if page is not None], len(ranked)


def _found(document: Document, score: float, words: _Words) -> CatalogueHit:
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
