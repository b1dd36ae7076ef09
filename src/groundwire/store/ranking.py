"""Which rows of a collection may answer a question, and what its terms weigh there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from groundwire.store import bm25
from groundwire.store.fulltext import Candidate, Fulltext, Where
from groundwire.store.statement import Connection

# Ranking in FTS5 costs by the posting. With this budget a query of the benchmark (100,000
# documents) took 56 ms of CPU in the median and 133 ms at p99.
_POSTINGS = 50_000


class Matching(NamedTuple):
    """The rows, the most promising first, and what BM25 needs to rank them."""

    nums: list[int]
    frequencies: dict[str, int]
    weights: dict[str, float]  # of every term that occurs
    totals: bm25.Totals

    @property
    def mean(self) -> float:
        return self.totals.terms / max(1, self.totals.documents)

    def score(self, candidate: Candidate) -> float:
        return bm25.score(candidate.title.split(), candidate.body.split(), self.weights, self.mean)


def matching(
    connection: Connection,
    fulltext: Fulltext,
    question: Sequence[bm25.QueryTerm],
    demands: Where,
    limit: int,
    postings: int = _POSTINGS,
) -> Matching:
    """Rows with any of the terms; inside a snapshot, so that counts and rows agree."""
    totals = fulltext.totals(connection)
    frequencies = bm25.frequencies(question, lambda terms: fulltext.frequencies(connection, terms))
    weights = bm25.weights(frequencies, totals)
    chosen = {term: weights[term] for term in bm25.affordable(frequencies, postings)}
    nums = fulltext.candidates(connection, chosen, demands, limit) if chosen else []
    return Matching(nums, frequencies, weights, totals)


def share(
    words: Sequence[bm25.QueryTerm], body: Sequence[str], weights: Mapping[str, float], mean: float
) -> float:
    """The part of the question's weight that a text has, in [0, 1].

    A term that stands once in a text of usual length has a BM25 of exactly its weight.
    """
    whole = got = 0.0
    for asked in words:
        weight = weights[asked.term]
        has = bm25.score((), body, {asked.term: 1.0}, mean)
        if not has and asked.parts:
            # A word that was cut otherwise here: all of its characters, or nothing.
            has = min(bm25.score((), body, {part: 1.0}, mean) for part in asked.parts)
        whole += weight
        got += weight * min(1.0, has)
    return got / whole if whole else 0.0
