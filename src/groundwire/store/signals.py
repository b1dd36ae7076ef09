"""Signals as memory of events: found again by asset and words, judged later by what came of them."""

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
_POSTINGS = 10_000  # a message asks for all of its words: the rarest choose the candidates
_TWINS = 64
_FIELDS = ("run_id", "message_id", "event_type", "confidence", "at")
_LIKELY = 0.8  # from which an event may stand for this one, unless it differs in a fact

_now: Any = bindparam("now", type_=BigInteger())
_own = bindparam("own", type_=name_type())
_anybody: Any = bindparam("of_owner", type_=name_type())
_first = and_(_signals.c.path != "duplicate", _signals.c.id != _own)
_GET = Statement(select(*ROW).where(_signals.c.id == bindparam("of_id")))
_RECENT = Statement(
    select(*ROW)
    .join(_runs, _runs.c.id == _signals.c.id)
    .where(or_(_anybody.is_(None), _runs.c.owner == _anybody))
    .order_by(_signals.c.at.desc(), _signals.c.num.desc())
    .limit(bindparam("count"))
)
_of_asset = and_(_signals.c.asset_key == bindparam("asset"), _signals.c.at <= _now, _first)
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
_SAY = Statement(
    insert(_feedback).values({each.name: bindparam(each.name) for each in columns_of(_feedback)})
)
_LABEL = Statement(
    update(_signals)
    .where(_signals.c.id == bindparam("of_id"))
    .values({name: bindparam(f"to_{name}") for name in LABEL})
)
_SAID_OF = Rows(Feedback, [_feedback.c.who.label("by"), *columns_of(_feedback, "who")])
_HISTORY = Statement(
    select(*_SAID_OF.columns)
    .where(_feedback.c.run_id == bindparam("of_id"))
    .order_by(_feedback.c.num.desc())
)
_SAID = Statement(
    select(*_SAID_OF.columns, _signals.c.content)
    .join_from(_feedback, _signals, _signals.c.id == _feedback.c.run_id)
    .join(_runs, _runs.c.id == _feedback.c.run_id)
    .where(or_(_anybody.is_(None), _runs.c.owner == _anybody))
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
        """Return the newest first; of one owner's runs only, where one is named."""
        rows = connection.all(_RECENT, {"count": limit, "of_owner": owner})
        return [signal_of(row) for row in rows]

    async def similar(
        self, wish: EventQuery, now: datetime, *, apart_from: str = ""
    ) -> Sequence[PastEvent]:
        asked = await asyncio.to_thread(_asked, wish)
        return await self.database.read(
            lambda c: _similar(c, self._fulltext, asked, now, apart_from)
        )

    async def twin(
        self, asset: str, event_type: str, text: str, now: datetime, *, apart_from: str = ""
    ) -> PastEvent | None:
        values = {
            "asset": asset_key(asset),
            "event_type": event_type,
            "now": to_us(now),
            "since": to_us(now - dedup.SAME_SIGNAL_FOR),
            "own": apart_from,
        }
        rows = await self.database.read(lambda c: c.all(_LATELY, values))
        return await asyncio.to_thread(_twin, rows, text, now) if rows else None

    @writes
    def feedback(self, connection: Connection, said: Feedback) -> JudgedEventRow:
        """Keep what came of a signal; raise `NotFoundHere` or `InputError` where there is none."""
        _judgeable(connection, said.run_id)
        connection.change(_SAY, _SAID_OF.cells(said, who=said.by))
        label = {
            "of_id": said.run_id,
            "to_outcome": said.outcome,
            "to_labelled_at": to_us(said.at),
            "to_labelled_by": said.by,
            "to_note": said.note,
        }
        connection.change(_LABEL, label)
        found = connection.first(_GET, {"of_id": said.run_id}, signal_of)
        if found is None:
            raise CorruptStore("error.stored_gone", what=phrase("stored.signal", run=said.run_id))
        return found

    @reads
    def history(self, connection: Connection, run_id: str) -> Sequence[Feedback]:
        """Return all that was ever said of a signal, newest first."""
        return [_SAID_OF.value(row) for row in connection.all(_HISTORY, {"of_id": run_id})]

    @reads
    def said(
        self, connection: Connection, limit: int = 20, owner: str | None = None
    ) -> Sequence[FeedbackEntry]:
        """Return what was said last, newest first; of one owner's signals, where one is named."""
        return [_said(row) for row in connection.all(_SAID, {"count": limit, "of_owner": owner})]

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
    """Of each run the last word."""
    return {row[0]: row for row in connection.all(_LABELLED, {"now": to_us(now)})}.values()


def _said(row: Row) -> FeedbackEntry:
    *cells, content = row
    said = _SAID_OF.value(cells)
    judged = judged_event_of(said.run_id, content)
    about = {name: getattr(judged, name) for name in ("summary", "verdict", "confidence")}
    return FeedbackEntry(**dict(said), **about)


def asset_key(asset: str) -> str:
    """One key for all ways to write an asset: BTC, Bitcoin, 比特币."""
    return name_key(asset.strip()) if asset.strip() else ""


# --- finding again ---------------------------------------------------------------------------


class _Asked(NamedTuple):
    """A wish made ready off the database's threads."""

    wish: EventQuery
    wordings: tuple[tuple[bm25.QueryTerm, ...], ...]
    keywords: tuple[tuple[bm25.QueryTerm, ...], ...]  # of each, in each language
    asset: str


def _asked(wish: EventQuery) -> _Asked:
    spoken = likeness.wordings(wish.text) if wish.text.strip() else ()
    keywords = [likeness.wordings(word) for word in wish.keywords if word.strip()]
    return _Asked(
        wish,
        tuple(bm25.asked(words) for words in spoken),
        tuple(bm25.together(map(bm25.asked, each)) for each in keywords),
        asset_key(wish.asset),
    )


def _similar(
    connection: Connection, fulltext: Fulltext, asked: _Asked, now: datetime, own: str
) -> list[PastEvent]:
    found: list[PastEvent] = []
    with fulltext.snapshot(connection):
        question = bm25.together((*asked.wordings, *asked.keywords))
        where = Where("d.at <= ? AND d.id <> ?", (to_us(now), own))
        match = fulltext.matching(connection, question, where, _RANKED, _POSTINGS)
        values = {"asset": asked.asset, "now": to_us(now), "own": own}
        of_asset = connection.column(_ABOUT, values) if asked.asset else ()
        for each, body, text in fulltext.shares(connection, match, asked.wordings, of_asset):
            row = connection.one(_GET, {"of_id": each.id})
            if row is not None:
                words = _has_keywords(asked, body)
                found.append(_compared(asked, signal_of(row), text, words, now))
    found.sort(key=lambda each: (-each.similarity, -to_us(each.at), each.run_id))
    return found[: asked.wish.limit]


def _has_keywords(asked: _Asked, body: Sequence[str]) -> float | None:
    """The share of the wish's keywords that stand there, in either language."""
    if not asked.keywords:
        return None
    has = frozenset(body)
    return sum(any(word.term in has for word in each) for each in asked.keywords) / len(
        asked.keywords
    )


def _compared(
    asked: _Asked, past: JudgedEventRow, text: float | None, keywords: float | None, now: datetime
) -> PastEvent:
    wish = asked.wish
    assets = {asset_key(each) for each in (past.asset, past.asset_name, *past.assets)} - {""}
    how = likeness.similarity(
        likeness.EVENT_SHARES,
        text=text,
        subject=float(asked.asset in assets) if asked.asset else None,
        event=float(wish.event_type == past.event_type) if wish.event_type else None,
        keywords=keywords,
        recency=likeness.recency(past.at, now),
    )
    differs = ""
    if how.total > _LIKELY and wish.text:
        differs = dedup.differs(past.text, wish.text)
    total = min(how.total, likeness.APART) if differs else how.total
    event = _past(past, total, now)
    return event.model_copy(update={"parts": how.parts, "differs": differs})


@lru_cache(maxsize=1024)  # the signals of the last hours are looked at for every message
def _text(content: bytes) -> str:
    return str(unpack(content)["text"])


def _twin(rows: Sequence[Row], text: str, now: datetime) -> PastEvent | None:
    best: PastEvent | None = None
    for row in rows:
        # Most are something else: only a row that is not is read as a whole.
        alike = dedup.same_signal(_text(row[2]), text)
        if not alike.reaches(dedup.SAME_SIGNAL):
            continue
        past = _past(signal_of(row), alike.similarity, now)
        # What nobody could look into silences nothing.
        if past.verdict != "unverified" and (best is None or past.similarity > best.similarity):
            best = past
    return best


def _past(row: JudgedEventRow, similarity: float, now: datetime) -> PastEvent:
    return PastEvent(
        **{name: getattr(row, name) for name in (*_FIELDS, "summary", "asset", "verdict")},
        # What is known by now, not what became known since.
        outcome=row.outcome if row.labelled_at and row.labelled_at <= now else None,
        similarity=similarity,
        age_hours=round(max(0.0, (now - row.at).total_seconds() / 3600), 2),
    )


# --- what came of them -----------------------------------------------------------------------


def _judgeable(connection: Connection, run_id: str) -> None:
    """Only a finished signal can be judged; what else there is, is said."""
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
