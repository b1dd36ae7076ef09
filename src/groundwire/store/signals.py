"""Signals as memory of events: found again by asset and words, and labelled with their outcome."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import BigInteger, and_, bindparam, insert, or_, select, update

from groundwire.errors import CorruptStore, InputError, NotFoundHere
from groundwire.evidence.memory import dedup
from groundwire.evidence.memory import similarity as likeness
from groundwire.language.names.names import name_key
from groundwire.model.history import EventQuery, JudgedEventRow, PastEvent
from groundwire.model.outcome import Feedback, FeedbackEntry, Labelled, SourceRecord
from groundwire.model.phrase import phrase
from groundwire.model.run import FINISHED
from groundwire.store import bm25, schema
from groundwire.store.columns import name_type
from groundwire.store.database import Database
from groundwire.store.fulltext import SIGNALS, Fulltext, Where, fulltext_of
from groundwire.store.payload import from_us, to_us, unpack
from groundwire.store.signal_rows import LABEL, ROW, judged_event_of, records_of, signal_of
from groundwire.store.statement import Connection, Row, Statement
from groundwire.store.table import DatabaseTable, Rows, columns_of, reads, writes

_signals, _feedback, _runs = schema.signals, schema.feedback, schema.runs
_OF_ASSET = 24
_RANKED = 60
_POSTINGS = 10_000  # a message queries all of its words: the rarest choose the candidates
_TWINS = 64
_FIELDS = ("run_id", "message_id", "event_type", "confidence", "at")
_BEARS = 0.6  # from which an event bears on another: less than that is chance
_LIKELY = 0.8  # from which an event may stand for this one, unless it differs in a fact

_now: Any = bindparam("now", type_=BigInteger())
_excluded = bindparam("excluded", type_=name_type())
_owner: Any = bindparam("of_owner", type_=name_type())
_is_first = and_(_signals.c.path != "duplicate", _signals.c.id != _excluded)
_GET = Statement(select(*ROW).where(_signals.c.id == bindparam("of_id")))
_RECENT = Statement(
    select(*ROW)
    .join(_runs, _runs.c.id == _signals.c.id)
    .where(or_(_owner.is_(None), _runs.c.owner == _owner))
    .order_by(_signals.c.at.desc(), _signals.c.num.desc())
    .limit(bindparam("count"))
)
_of_asset = and_(_signals.c.asset_key == bindparam("asset"), _signals.c.at <= _now, _is_first)
_ABOUT = Statement(
    select(_signals.c.num)
    .where(_of_asset)
    .order_by(_signals.c.at.desc(), _signals.c.num.desc())
    .limit(_OF_ASSET)
)
_LATELY = Statement(
    select(*ROW)
    .where(
        _of_asset,
        _signals.c.event_type == bindparam("event_type"),
        _signals.c.at >= bindparam("since", type_=BigInteger()),
        _signals.c.path == "deep",
    )
    .order_by(_signals.c.at.desc(), _signals.c.num.desc())
    .limit(_TWINS)
)
_RUN = Statement(select(_runs.c.kind, _runs.c.state).where(_runs.c.id == bindparam("of_id")))
_ADD_FEEDBACK = Statement(
    insert(_feedback).values({each.name: bindparam(each.name) for each in columns_of(_feedback)})
)
_LABEL = Statement(
    update(_signals)
    .where(_signals.c.id == bindparam("of_id"))
    .values({name: bindparam(f"to_{name}") for name in LABEL})
)
_FEEDBACK_ROWS = Rows(Feedback, [_feedback.c.who.label("by"), *columns_of(_feedback, "who")])
_HISTORY = Statement(
    select(*_FEEDBACK_ROWS.columns)
    .where(_feedback.c.run_id == bindparam("of_id"))
    .order_by(_feedback.c.num.desc())
)
_RECENT_FEEDBACK = Statement(
    select(*_FEEDBACK_ROWS.columns, _signals.c.content)
    .join_from(_feedback, _signals, _signals.c.id == _feedback.c.run_id)
    .join(_runs, _runs.c.id == _feedback.c.run_id)
    .where(or_(_owner.is_(None), _runs.c.owner == _owner))
    .order_by(_feedback.c.num.desc())
    .limit(bindparam("count"))
)
_LABELLED = Statement(
    select(*_feedback.c["run_id", "outcome", "at"], *_signals.c["score", "content"])
    .join_from(_feedback, _signals, _signals.c.id == _feedback.c.run_id)
    .where(_feedback.c.at <= _now, _signals.c.path != "duplicate")
    .order_by(_feedback.c.num)
)


class SignalTable(DatabaseTable):
    """Implements `ports.Signals`. Rows are written by `judged_events`, with a run's own end."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._fulltext = fulltext_of(database.dialect, SIGNALS)

    @reads
    def get(self, connection: Connection, run_id: str) -> JudgedEventRow | None:
        return connection.first(_GET, {"of_id": run_id}, signal_of)

    @reads
    def recent(
        self, connection: Connection, limit: int = 20, owner: str | None = None
    ) -> Sequence[JudgedEventRow]:
        """Return the newest signals first, of one owner's runs where one is named."""
        rows = connection.all(_RECENT, {"count": limit, "of_owner": owner})
        return [signal_of(row) for row in rows]

    async def similar(
        self, query: EventQuery, now: datetime, *, except_run: str = ""
    ) -> Sequence[PastEvent]:
        terms = await asyncio.to_thread(_prepare, query)
        return await self.database.read(
            lambda c: _similar(c, self._fulltext, terms, now, except_run)
        )

    async def twin(
        self, asset: str, event_type: str, text: str, now: datetime, *, except_run: str = ""
    ) -> PastEvent | None:
        values = {
            "asset": asset_key(asset),
            "event_type": event_type,
            "now": to_us(now),
            "since": to_us(now - dedup.SAME_SIGNAL_FOR),
            "excluded": except_run,
        }
        rows = await self.database.read(lambda c: c.all(_LATELY, values))
        return await asyncio.to_thread(_twin, rows, text, now) if rows else None

    @writes
    def feedback(self, connection: Connection, feedback: Feedback) -> JudgedEventRow:
        """Store a signal's outcome; raise `NotFoundHere` or `InputError` if there is no signal."""
        _check_judgeable(connection, feedback.run_id)
        connection.change(_ADD_FEEDBACK, _FEEDBACK_ROWS.cells(feedback, who=feedback.by))
        label = {
            "of_id": feedback.run_id,
            "to_outcome": feedback.outcome,
            "to_labelled_at": to_us(feedback.at),
            "to_labelled_by": feedback.by,
            "to_note": feedback.note,
        }
        connection.change(_LABEL, label)
        found = connection.first(_GET, {"of_id": feedback.run_id}, signal_of)
        if found is None:
            raise CorruptStore(
                "error.stored_gone", what=phrase("stored.signal", run=feedback.run_id)
            )
        return found

    @reads
    def history(self, connection: Connection, run_id: str) -> Sequence[Feedback]:
        """Return all feedback on a signal, newest first."""
        return [_FEEDBACK_ROWS.value(row) for row in connection.all(_HISTORY, {"of_id": run_id})]

    @reads
    def recent_feedback(
        self, connection: Connection, limit: int = 20, owner: str | None = None
    ) -> Sequence[FeedbackEntry]:
        """Return the newest feedback first, on one owner's signals where one is named."""
        return [
            _feedback_entry(row)
            for row in connection.all(_RECENT_FEEDBACK, {"count": limit, "of_owner": owner})
        ]

    @reads
    def labelled(self, connection: Connection, now: datetime) -> Sequence[Labelled]:
        found = [
            Labelled(run_id=run_id, outcome=outcome, labelled_at=from_us(at), score=score)
            for run_id, outcome, at, score, _ in _labelled(connection, now)
        ]
        return sorted(found, key=lambda each: (each.labelled_at, each.run_id))

    @reads
    def sources(self, connection: Connection, now: datetime) -> Sequence[SourceRecord]:
        rows = _labelled(connection, now)
        return records_of([(judged_event_of(row[0], row[4]), row[1]) for row in rows])


def _labelled(connection: Connection, now: datetime) -> Iterable[Row]:
    """Return the last feedback on each run."""
    return {row[0]: row for row in connection.all(_LABELLED, {"now": to_us(now)})}.values()


def _feedback_entry(row: Row) -> FeedbackEntry:
    *cells, content = row
    feedback = _FEEDBACK_ROWS.value(cells)
    judged = judged_event_of(feedback.run_id, content)
    about = {name: getattr(judged, name) for name in ("summary", "verdict", "confidence")}
    return FeedbackEntry(**dict(feedback), **about)


def asset_key(asset: str) -> str:
    """Return one key for all ways to write an asset: BTC, Bitcoin, 比特币."""
    return name_key(asset.strip()) if asset.strip() else ""


# --- finding again ---------------------------------------------------------------------------


class _Terms(NamedTuple):
    """A query and what it is found by, cut off the database's threads."""

    query: EventQuery
    wordings: tuple[tuple[bm25.QueryTerm, ...], ...]
    keywords: tuple[tuple[bm25.QueryTerm, ...], ...]  # of each, in each language
    asset: str


def _prepare(query: EventQuery) -> _Terms:
    wordings = likeness.wordings(query.text) if query.text.strip() else ()
    keywords = [likeness.wordings(word) for word in query.keywords if word.strip()]
    return _Terms(
        query,
        tuple(bm25.query_terms(words) for words in wordings),
        tuple(bm25.merge_terms(map(bm25.query_terms, each)) for each in keywords),
        asset_key(query.asset),
    )


def _similar(
    connection: Connection, fulltext: Fulltext, terms: _Terms, now: datetime, excluded: str
) -> list[PastEvent]:
    found: list[PastEvent] = []
    with fulltext.snapshot(connection):
        question = bm25.merge_terms((*terms.wordings, *terms.keywords))
        where = Where("d.at <= ? AND d.id <> ?", (to_us(now), excluded))
        match = fulltext.matching(connection, question, where, _RANKED, _POSTINGS)
        values = {"asset": terms.asset, "now": to_us(now), "excluded": excluded}
        of_asset = connection.column(_ABOUT, values) if terms.asset else ()
        for each, body, text in fulltext.shares(connection, match, terms.wordings, of_asset):
            row = connection.one(_GET, {"of_id": each.id})
            if row is not None:
                past = signal_of(row)
                event = _compare(terms, past, text, _keyword_share(terms, body), now)
                # The same text again tells nothing, unless it is known what came of it.
                told = event.outcome is not None or not _is_same(past.text, terms.query.text)
                if event.similarity >= _BEARS and told:
                    found.append(event)
    found.sort(key=lambda each: (-each.similarity, -to_us(each.at), each.run_id))
    return found[: terms.query.limit]


def _is_same(past: str, text: str) -> bool:
    return dedup.normal_form(past) == dedup.normal_form(text)


def _keyword_share(terms: _Terms, body: Sequence[str]) -> float | None:
    """Compute the share of the query's keywords that a text has, in either language."""
    if not terms.keywords:
        return None
    present = frozenset(body)
    return sum(any(word.term in present for word in each) for each in terms.keywords) / len(
        terms.keywords
    )


def _compare(
    terms: _Terms, past: JudgedEventRow, text: float | None, keywords: float | None, now: datetime
) -> PastEvent:
    query = terms.query
    assets = {asset_key(each) for each in (past.asset, past.asset_name, *past.assets)} - {""}
    similarity = likeness.similarity(
        likeness.EVENT_SHARES,
        text=text,
        subject=float(terms.asset in assets) if terms.asset else None,
        event=float(query.event_type == past.event_type) if query.event_type else None,
        keywords=keywords,
        recency=likeness.recency(past.at, now),
    )
    differs = ""
    if similarity.total > _LIKELY and query.text:
        differs = dedup.difference_between(past.text, query.text)
    total = min(similarity.total, likeness.APART) if differs else similarity.total
    event = _past_event(past, total, now)
    return event.model_copy(update={"parts": similarity.parts, "differs": differs})


@lru_cache(maxsize=1024)  # the signals of the last hours are looked at for every message
def _text(content: bytes) -> str:
    return str(unpack(content)["text"])


def _twin(rows: Sequence[Row], text: str, now: datetime) -> PastEvent | None:
    best: PastEvent | None = None
    for row in rows:
        # Most are about something else: only a match is read as a whole.
        alike = dedup.same_signal(_text(row[2]), text)
        if not alike.reaches(dedup.SAME_SIGNAL):
            continue
        past = _past_event(signal_of(row), alike.similarity, now)
        # An unverified signal silences nothing.
        if past.verdict != "unverified" and (best is None or past.similarity > best.similarity):
            best = past
    return best


def _past_event(row: JudgedEventRow, similarity: float, now: datetime) -> PastEvent:
    return PastEvent(
        **{name: getattr(row, name) for name in (*_FIELDS, "summary", "asset", "verdict")},
        # What is known by now, not what became known since.
        outcome=row.outcome if row.labelled_at and row.labelled_at <= now else None,
        similarity=similarity,
        age_hours=round(max(0.0, (now - row.at).total_seconds() / 3600), 2),
    )


# --- what came of them -----------------------------------------------------------------------


def _check_judgeable(connection: Connection, run_id: str) -> None:
    """Raise, with the reason, unless this is a finished signal that can be judged."""
    run = connection.one(_RUN, {"of_id": run_id})
    if run is None:
        raise NotFoundHere("error.no_run", run=run_id, hint="hint.list_runs")
    kind, state = run
    if state not in FINISHED:
        raise InputError(
            "error.run_not_over", run=run_id, state=phrase(f"state.{state}"), hint="hint.gw_follow"
        )
    row = connection.one(_GET, {"of_id": run_id})
    if row is None:
        raise InputError(
            "error.no_signal_left",
            run=run_id,
            kind=kind,
            state=phrase(f"state.{state}"),
            hint="hint.gw_resume",
        )
    first = signal_of(row).duplicate_of
    if first is not None:
        raise InputError("error.only_repeats", run=run_id, first=first, hint="hint.judge_first")
