"""Full-text tables, of the archive, of memory and of signals: statements for SQLite and PostgreSQL (DDL: `migrations.ddl`).

Both keep the terms of each document as they were cut, joined by spaces, so that a row can be
ranked and taken out exactly even after the tokeniser has changed. For SQLite a contentless table
with the terms compressed beside it (for the 'delete' command) was tried on 10,000 documents, one
run each on a busy machine: 41 MB against 61 MB as it is, and 4,100 to 5,800 documents/s depending
on merge settings against 7,600. The third of the space was given for DELETE by row, for terms that
can be read back when ranking, and for what looks like the faster add.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import text

from groundwire.errors import CorruptStore
from groundwire.store import bm25
from groundwire.store.bm25 import TITLE_WEIGHT, IndexEntry, Totals
from groundwire.store.dialect import Dialect
from groundwire.store.statement import Connection, Statement

_STRONG = "+"  # marks a term; no token starts with it
_STRONG_COUNT = 3
_STRONG_BONUS = 0.5  # what BM25 gives three occurrences over one, in a document of usual length
# Ranking in FTS5 costs by the posting. With this budget a query of the benchmark (100,000
# documents) took 56 ms of CPU in the median and 133 ms at p99.
_POSTINGS = 50_000
_LEAST_ROWS = 1_000
_VECTOR_BYTES = 900_000  # PostgreSQL refuses vectors of a megabyte


class Collection(NamedTuple):
    """What is found by its words: the name of its full-text tables, the table of its rows, and
    the column by which a row can be refused."""

    name: str
    rows: str
    address: str


ARCHIVE = Collection("archive", "documents", "canonical_url")
MEMORY = Collection("memory", "beliefs", "id")
SIGNALS = Collection("signals", "signals", "id")
COLLECTIONS = (ARCHIVE, MEMORY, SIGNALS)


class Where(NamedTuple):
    """Conditions on the rows, `AS d`, with `?` for each parameter."""

    sql: str = ""
    parameters: tuple[Any, ...] = ()


class Candidate(NamedTuple):
    """A row that may be an answer, with its terms."""

    num: int
    id: str
    address: str
    title: str
    body: str


class Matching(NamedTuple):
    """Rows, the most promising first, and what BM25 needs to rank them."""

    nums: list[int]
    frequencies: dict[str, int]
    weights: dict[str, float]  # of every term that occurs
    totals: Totals

    @property
    def mean(self) -> float:
        return self.totals.terms / max(1, self.totals.documents)

    def score(self, candidate: Candidate) -> float:
        return bm25.score(candidate.title.split(), candidate.body.split(), self.weights, self.mean)


class Fulltext(ABC):
    """The statements on one collection that the two databases word differently."""

    _begin: tuple[str, ...]
    _and: str
    _or: str
    _holding: str
    _frequency: Statement

    def __init__(self, collection: Collection) -> None:
        self._collection = collection
        self._totals = self._statement("SELECT documents, terms FROM {name}_totals")
        self._count = self._statement(
            "UPDATE {name}_totals SET documents = documents + :documents, terms = terms + :terms"
        )

    def _statement(self, template: str) -> Statement:
        return Statement(text(self._filled(template)))

    def _filled(self, template: str) -> str:
        return template.format(**self._collection._asdict())

    @contextmanager
    def snapshot(self, connection: Connection) -> Generator[None, None, None]:
        """Have every read inside see the same state of the database."""
        for sql in self._begin:
            connection.raw.execute(sql)
        try:
            yield
        finally:
            connection.raw.execute("ROLLBACK")

    @staticmethod
    @abstractmethod
    def _quoted(term: str) -> str:
        """Quote a term for a full-text query."""

    @abstractmethod
    def add(self, connection: Connection, rows: Sequence[tuple[int, IndexEntry]]) -> None: ...

    @abstractmethod
    def remove(self, connection: Connection, nums: Sequence[int]) -> None: ...

    def frequencies(self, connection: Connection, terms: Sequence[str]) -> dict[str, int]:
        """Count the rows in which each term occurs."""
        return {
            term: connection.cell(self._frequency, {"term": self._quoted(term)}) for term in terms
        }

    @abstractmethod
    def candidates(
        self, connection: Connection, idf: Mapping[str, float], where: Where, limit: int
    ) -> list[int]:
        """Return rows with any of the terms that meet the conditions, the most promising first."""

    def matching(
        self,
        connection: Connection,
        question: Sequence[bm25.QueryTerm],
        demands: Where,
        limit: int,
        postings: int = _POSTINGS,
    ) -> Matching:
        """Choose rows with any of the terms; inside a snapshot, so that counts and rows agree."""
        totals = self.totals(connection)
        counts = bm25.frequencies(question, lambda terms: self.frequencies(connection, terms))
        weights = bm25.weights(counts, totals)
        chosen = {term: weights[term] for term in bm25.affordable(counts, postings)}
        nums = self.candidates(connection, chosen, demands, limit) if chosen else []
        return Matching(nums, counts, weights, totals)

    def holding(self, groups: Sequence[Sequence[Sequence[str]]], *, every: bool) -> Where:
        """Choose rows with every group of terms, or any: with all terms of one of its wordings."""
        wordings = [
            self._or.join(f"({self._and.join(map(self._quoted, each))})" for each in group)
            for group in groups
        ]
        wanted = (self._and if every else self._or).join(f"({each})" for each in wordings)
        return Where(f"d.num IN ({self._filled(self._holding)})", (wanted,))

    def shares(
        self,
        connection: Connection,
        match: Matching,
        wordings: Sequence[Sequence[bm25.QueryTerm]],
        also: Sequence[int] = (),
    ) -> Iterator[tuple[Candidate, list[str], float | None]]:
        """Yield each matching row, and others, with its terms and best share of a wording's weight.

        In a small collection words weigh as in one of a thousand rows: among three, all are rare.
        """
        size = max(_LEAST_ROWS, match.totals.documents)
        weights = {term: bm25.weight(count, size) for term, count in match.frequencies.items()}
        for candidate in self.read(connection, list(dict.fromkeys([*match.nums, *also]))):
            body = candidate.body.split()
            shares = [_share(words, body, weights, match.mean) for words in wordings]
            yield candidate, body, max(shares, default=None)

    @abstractmethod
    def read(self, connection: Connection, nums: Sequence[int]) -> Iterator[Candidate]:
        """Yield rows with their terms, in the given order; those that are gone are left out."""

    @abstractmethod
    def size(self, connection: Connection) -> int:
        """Measure bytes on disk: the whole file in SQLite, the archive's tables in PostgreSQL."""

    def totals(self, connection: Connection) -> Totals:
        row = connection.one(self._totals, {})
        if row is None:
            raise CorruptStore("error.totals_lost", name=self._collection.name)
        return Totals(*row)

    def put_in(self, connection: Connection, rows: Sequence[tuple[int, IndexEntry]]) -> Totals:
        """Add rows; return the change of the totals."""
        if rows:
            self.add(connection, rows)
        return Totals(len(rows), sum(entry.length for _, entry in rows))

    def take_out(self, connection: Connection, nums: Sequence[int]) -> Totals:
        """Remove rows; return the change of the totals."""
        entries = [IndexEntry(row.title, row.body) for row in self.read(connection, nums)]
        if entries:
            self.remove(connection, nums)
        return Totals(-len(entries), -sum(entry.length for entry in entries))

    def count(self, connection: Connection, *changes: Totals) -> None:
        """Apply changes of the totals, last in a transaction: PostgreSQL's writers share a row."""
        documents, terms = (sum(each) for each in zip(*changes, strict=True))
        if documents or terms:
            connection.change(self._count, {"documents": documents, "terms": terms})


class SqliteFulltext(Fulltext):
    """FTS5: its own BM25 chooses the candidates."""

    _begin = ("BEGIN",)
    _and, _or = " AND ", " OR "
    _holding = "SELECT rowid FROM {name}_text WHERE {name}_text MATCH ?"

    def __init__(self, collection: Collection) -> None:
        super().__init__(collection)
        self._add = self._statement(
            "INSERT INTO {name}_text (rowid, title, body) VALUES (:num, :title, :body)"
        )
        self._remove = self._statement("DELETE FROM {name}_text WHERE rowid = :num")
        self._frequency = self._statement(
            "SELECT count(*) FROM {name}_text WHERE {name}_text MATCH :term"
        )
        self._read = self._statement(
            "SELECT d.num, d.id, d.{address}, f.title, f.body FROM {name}_text AS f "
            "JOIN {rows} AS d ON d.num = f.rowid WHERE f.rowid = :num"
        )

    @staticmethod
    def _quoted(term: str) -> str:
        """Quote a term as an FTS5 string, in which nothing has a meaning."""
        return '"' + term.replace('"', '""') + '"'

    def add(self, connection: Connection, rows: Sequence[tuple[int, IndexEntry]]) -> None:
        connection.many(self._add, [{"num": num, **entry._asdict()} for num, entry in rows])

    def remove(self, connection: Connection, nums: Sequence[int]) -> None:
        connection.many(self._remove, [{"num": num} for num in nums])

    def candidates(
        self, connection: Connection, idf: Mapping[str, float], where: Where, limit: int
    ) -> list[int]:
        match = " OR ".join(self._quoted(term) for term in idf)
        # CROSS JOIN keeps the order of the loops: rows come ranked, conditions are looked up.
        join = self._filled(" CROSS JOIN {rows} AS d") if where.sql else ""
        filters = f" AND d.num = f.rowid AND {where.sql}" if where.sql else ""
        table = self._filled("{name}_text")
        rows = connection.select(
            f"SELECT f.rowid FROM {table} AS f{join} "
            f"WHERE f.{table} MATCH ? AND f.rank MATCH ?{filters} ORDER BY f.rank LIMIT ?",
            (match, f"bm25({TITLE_WEIGHT}, 1.0)", *where.parameters, limit),
        )
        return [row[0] for row in rows]

    def read(self, connection: Connection, nums: Sequence[int]) -> Iterator[Candidate]:
        for num in nums:
            row = connection.one(self._read, {"num": num})
            if row is not None:
                yield Candidate(*row)

    def size(self, connection: Connection) -> int:
        pages = connection.raw.execute("PRAGMA page_count").fetchone()[0]
        return pages * connection.raw.execute("PRAGMA page_size").fetchone()[0]


class PostgresFulltext(Fulltext):
    """A GIN index chooses the candidates: by which terms they hold, and which they hold often."""

    # The planner does not know what reading a vector out of line costs, and compiling a query of
    # a few milliseconds takes longer than running it.
    _begin = (
        "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
        "SET LOCAL enable_seqscan = off",
        "SET LOCAL jit = off",
    )
    _and, _or = " & ", " | "
    _holding = "SELECT num FROM {name}_text WHERE vector @@ CAST(? AS tsquery)"

    def __init__(self, collection: Collection) -> None:
        super().__init__(collection)
        self._add = self._statement(
            "INSERT INTO {name}_text (num, title, body, vector) "
            "VALUES (:num, :title, :body, array_to_tsvector(CAST(:vector AS text[])))"
        )
        self._remove = self._statement("DELETE FROM {name}_text WHERE num = ANY(:nums)")
        self._frequency = self._statement(
            "SELECT count(*) FROM {name}_text WHERE vector @@ CAST(:term AS tsquery)"
        )
        self._read = self._statement(
            "SELECT d.num, d.id, d.{address}, f.title, f.body "
            "FROM unnest(CAST(:nums AS bigint[])) WITH ORDINALITY AS a (num, place) "
            "JOIN {name}_text AS f ON f.num = a.num JOIN {rows} AS d ON d.num = a.num "
            "ORDER BY a.place"
        )
        self._size = self._statement(
            "SELECT sum(pg_total_relation_size(CAST(name AS regclass)))::bigint "
            "FROM unnest(ARRAY['documents', 'bodies', 'archive_text']) AS name"
        )

    @staticmethod
    def _quoted(term: str) -> str:
        """Quote a term as a lexeme of a tsquery."""
        return "'" + term.replace("\\", "\\\\").replace("'", "''") + "'"

    def add(self, connection: Connection, rows: Sequence[tuple[int, IndexEntry]]) -> None:
        connection.many(
            self._add,
            [{"num": num, **entry._asdict(), "vector": _lexemes(entry)} for num, entry in rows],
        )

    def remove(self, connection: Connection, nums: Sequence[int]) -> None:
        connection.change(self._remove, {"nums": list(nums)})

    def candidates(
        self, connection: Connection, idf: Mapping[str, float], where: Where, limit: int
    ) -> list[int]:
        one_term = self._filled(
            "SELECT num, CAST(? AS float8) AS weight FROM {name}_text "
            "WHERE vector @@ CAST(? AS tsquery)"
        )
        parameters: list[Any] = []
        for term, weight in idf.items():
            parameters += [
                weight,
                self._quoted(term),
                weight * _STRONG_BONUS,
                self._quoted(_STRONG + term),
            ]
        union = " UNION ALL ".join([one_term] * (2 * len(idf)))
        rows = self._collection.rows
        join = f" JOIN {rows} AS d ON d.num = f.num WHERE {where.sql}" if where.sql else ""
        sql = (
            f"SELECT f.num FROM ({union}) AS f{join} "
            "GROUP BY f.num ORDER BY sum(f.weight) DESC, f.num LIMIT ?"
        )
        found = connection.select(sql, (*parameters, *where.parameters, limit))
        return [row[0] for row in found]

    def read(self, connection: Connection, nums: Sequence[int]) -> Iterator[Candidate]:
        for row in connection.all(self._read, {"nums": list(nums)}):
            yield Candidate(*row)

    def size(self, connection: Connection) -> int:
        return int(connection.cell(self._size, {}))


def fulltext_of(dialect: Dialect, collection: Collection = ARCHIVE) -> Fulltext:
    return _fulltext(dialect.name, collection)


@cache  # its statements are compiled once
def _fulltext(dialect: str, collection: Collection) -> Fulltext:
    return (SqliteFulltext if dialect == "sqlite" else PostgresFulltext)(collection)


def _lexemes(entry: IndexEntry) -> list[str]:
    """List every term once, and once more with a mark if the document is much about it."""
    body = Counter(entry.body.split())
    title = set(entry.title.split())
    body.update(title)
    left = _VECTOR_BYTES
    found: list[str] = []
    for term, count in body.items():
        names = [term] if count < _STRONG_COUNT and term not in title else [term, _STRONG + term]
        left -= sum(len(name.encode()) + 8 for name in names)
        if left < 0:
            break
        found += names
    return found


def _share(
    words: Sequence[bm25.QueryTerm], body: Sequence[str], weights: Mapping[str, float], mean: float
) -> float:
    """Compute the part of the question's weight that a text has, in [0, 1].

    A term that stands once in a text of usual length has a BM25 of exactly its weight.
    """
    whole = matched = 0.0
    for query_term in words:
        weight = weights[query_term.term]
        presence = bm25.score((), body, {query_term.term: 1.0}, mean)
        if not presence and query_term.parts:
            # The word was cut differently here: all of its characters count, or nothing.
            presence = min(bm25.score((), body, {part: 1.0}, mean) for part in query_term.parts)
        whole += weight
        matched += weight * min(1.0, presence)
    return matched / whole if whole else 0.0
