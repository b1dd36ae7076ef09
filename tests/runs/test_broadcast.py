"""One reader, many followers: each event in order, exactly once, whenever one joins or leaves."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from groundwire.errors import CorruptStore, IllegalState, StoreAway, StoreError, TooMany
from groundwire.model.call import Lease
from groundwire.model.ending import Ending
from groundwire.model.event import Draft, Event, event_key
from groundwire.model.run import NewRun, RunHead, RunState, Versions
from groundwire.runs import broadcast
from groundwire.runs.broadcast import Broadcasts, Frame, Frames
from groundwire.runs.journal import Bell
from groundwire.store import Store, open_store

NOW = datetime(2026, 11, 16, 8, 0, tzinfo=UTC)
RUN = "ask-1"
_LAST = 61  # sixty events and the end of the run


@dataclass
class Made:
    """A run and its journal in memory; reading it raises `trouble`."""

    bell: Bell = field(default_factory=Bell)
    state: RunState | None = "running"
    seqs: list[int] = field(default_factory=list[int])
    trouble: Exception | None = None
    encoded: list[int] = field(default_factory=list[int])
    heads: int = 0
    size: int = 1
    gate: asyncio.Event | None = None  # reads of events after `gated` wait for it
    gated: int = 0
    meanwhile: list[int] = field(default_factory=list[int])  # added while the head is read

    def add(self, count: int, *, ring: bool = True) -> None:
        self.seqs += range(len(self.seqs) + 1, len(self.seqs) + 1 + count)
        if ring:
            self.bell.ring(RUN)

    def end(self) -> None:
        self.add(1, ring=False)
        self.state = "complete"
        self.bell.ring(RUN, over=True)

    async def head(self, run_id: str) -> RunHead | None:
        self.heads += 1
        await asyncio.sleep(0)
        if self.trouble is not None:
            raise self.trouble
        last = self.seqs[-1] if self.seqs else 0
        if self.meanwhile:
            self.add(self.meanwhile.pop())
        return self.state and RunHead(id=run_id, state=self.state, fence=1, last_seq=last)

    async def read(self, run_id: str, after: int = 0, limit: int = 500) -> Sequence[Event]:
        found = [seq for seq in self.seqs if seq > after][:limit]
        if self.gate is not None and after == self.gated:
            await self.gate.wait()
        await asyncio.sleep(0)
        if self.trouble is not None:
            raise self.trouble
        return [_event(run_id, seq) for seq in found]

    def encode(self, event: Event) -> bytes:
        self.encoded.append(event.seq)
        return b"%d " % event.seq * self.size

    def tails(
        self, *, most: int = 2_000, poll: float = 30.0, heartbeat: float = 3600
    ) -> Broadcasts:
        return Broadcasts(
            self,  # type: ignore[arg-type]
            self,  # type: ignore[arg-type]
            self.bell,
            self.encode,
            most=most,
            poll=lambda: poll,
            heartbeat=heartbeat,
        )


def _event(run_id: str, seq: int) -> Event:
    return Event(
        run_id=run_id,
        seq=seq,
        key=str(seq),
        attempt=1,
        step="",
        type="progress",
        payload={},
        at=NOW,
    )


@dataclass
class Follower:
    """Reads in a task of its own; `pull` lets it take one more batch, `free` all that come."""

    tails: Broadcasts
    after: int = 0
    seen: list[int] = field(default_factory=list[int])
    error: Exception | None = None

    def __post_init__(self) -> None:
        self._may = asyncio.Semaphore(0)
        self._free = False
        self.task = asyncio.create_task(self._read())

    async def _read(self) -> None:
        try:
            async with aclosing(self.tails.follow(RUN, after=self.after)) as following:
                async for frames in following:
                    self.seen += [frame.seq for frame in frames]
                    if not self._free:
                        await self._may.acquire()
        except (StoreError, TooMany, IllegalState) as error:
            self.error = error

    def pull(self) -> None:
        self._may.release()

    def free(self) -> None:
        self._free = True
        self._may.release()

    async def ended(self) -> list[int]:
        self.free()
        async with asyncio.timeout(60):
            await self.task
        return self.seen

    async def leave(self) -> None:
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)

    @property
    def last(self) -> int:
        return self.seen[-1] if self.seen else self.after


async def turns(count: int = 20) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


async def until(found) -> None:
    async with asyncio.timeout(60):
        while not found():
            await asyncio.sleep(0)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every limit small, so that few events meet it."""
    for name, value in (("RECENT", 8), ("PAGE", 3), ("_BATCH", 2), ("_PAGES", 2), ("_MEMO", 3)):
        monkeypatch.setattr(broadcast, name, value)


def onward(after: int, last: int) -> list[int]:
    return list(range(after + 1, last + 1))


# --- the promise, on a real store ----------------------------------------------------------------


@pytest.fixture
async def store(database_url: str) -> AsyncIterator[Store]:
    async with open_store(database_url) as opened:
        yield opened


async def _claimed(store: Store) -> Lease:
    run = NewRun(
        id=RUN,
        kind="ask",
        input={},
        settings={},
        now=NOW,
        seed="00",
        versions=Versions(code="1", prompts="p", data="d"),
        created_at=NOW,
    )
    await store.runs.create(run)
    lease = await store.runs.claim(RUN, "here", NOW, NOW + timedelta(hours=1))
    assert lease is not None
    return lease


def _drafts(lease: Lease, start: int, count: int) -> list[Draft]:
    return [
        Draft(
            key=event_key(RUN, lease.attempt, str(number), "thought", 0),
            attempt=lease.attempt,
            step=str(number),
            type="thought",
            payload={"text": f"第{number}步 step {number}"},
        )
        for number in range(start, start + count)
    ]


async def _end(store: Store, lease: Lease) -> None:
    await store.runs.finish(lease, Ending("complete", NOW, {}))


@pytest.mark.parametrize("rings", [True, False], ids=["bell", "another process writes"])
async def test_the_stream_is_exactly_the_journal(store: Store, small: None, rings: bool) -> None:
    lease = await _claimed(store)
    bell = Bell()
    tails = Broadcasts(
        store.runs,
        store.journal,
        bell,
        lambda event: event.model_dump_json().encode(),
        poll=lambda: 30.0 if rings else 0.01,
    )

    async def read(after: int) -> list[Frame]:
        found: list[Frame] = []
        # Who is slower than these small limits on a busy machine is dropped, and comes back.
        while not found or found[-1].seq < _LAST:
            seen = found[-1].seq if found else after
            found += [each async for frames in tails.follow(RUN, after=seen) for each in frames]
        return found

    readers = [asyncio.create_task(read(after)) for after in (0, 0, 5, 40)]
    for number in range(0, 60, 4):
        await store.journal.append(lease, _drafts(lease, number, 4), NOW)
        if rings:
            bell.ring(RUN)
        if number == 32:  # some come late
            readers += [asyncio.create_task(read(after)) for after in (0, 20, 35)]
        await asyncio.sleep(0.002)
    await _end(store, lease)
    if rings:
        bell.ring(RUN, over=True)
    async with asyncio.timeout(60):
        found = await asyncio.gather(*readers)
    journal = await store.journal.read(RUN)
    stored = [event.model_dump_json().encode() for event in journal]
    assert len(stored) == _LAST
    assert [[frame.data for frame in frames] for frames in found] == [
        stored[after:] for after in (0, 0, 5, 40, 0, 20, 35)
    ]
    assert tails.followers == 0


async def test_a_resumed_run_is_followed_on_from_its_first_end(store: Store) -> None:
    lease = await _claimed(store)
    tails = Broadcasts(store.runs, store.journal, Bell(), lambda event: b".", poll=lambda: 0.01)

    async def read(after: int) -> list[int]:
        return [frame.seq async for frames in tails.follow(RUN, after=after) for frame in frames]

    await store.journal.append(lease, _drafts(lease, 0, 3), NOW)
    await _end(store, lease)
    assert await read(0) == [1, 2, 3, 4]
    assert await read(4) == []
    await store.runs.reopen(RUN, NOW)
    again = await store.runs.claim(RUN, "here", NOW, NOW + timedelta(hours=1))
    assert again is not None
    following = asyncio.create_task(read(4))
    await store.journal.append(again, _drafts(again, 0, 2), NOW)
    await _end(store, again)
    async with asyncio.timeout(60):
        assert await following == [5, 6, 7]
    assert await read(0) == [1, 2, 3, 4, 5, 6, 7]


# --- interleavings -------------------------------------------------------------------------------

_steps = st.lists(
    st.one_of(
        st.tuples(st.just("add"), st.integers(1, 12)),
        st.tuples(st.just("silent"), st.integers(1, 12)),
        st.tuples(st.just("join"), st.integers(0, 30)),
        st.tuples(st.just("again"), st.integers(0, 5)),
        st.tuples(st.just("pull"), st.integers(0, 5)),
        st.tuples(st.just("free"), st.integers(0, 5)),
        st.tuples(st.just("leave"), st.integers(0, 5)),
        st.tuples(st.just("turn"), st.integers(1, 6)),
    ),
    max_size=40,
)


@given(steps=_steps)
@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_whatever_happens_nobody_misses_or_repeats_an_event(small: None, steps) -> None:
    asyncio.run(_play(steps))


async def _play(steps: list[tuple[str, int]]) -> None:
    made = Made()
    tails = made.tails(poll=0.001)
    followers: list[Follower] = []
    left: set[int] = set()
    for what, number in steps:
        chosen = number % len(followers) if followers else None
        if what == "add":
            made.add(number)
        elif what == "silent":  # another process: no bell rings here
            made.add(number, ring=False)
        elif what == "join":
            followers.append(Follower(tails, after=number))
        elif what == "turn":
            await turns(number)
        elif chosen is None:
            continue
        elif what == "again":  # who was dropped or left comes back with what it has
            followers.append(Follower(tails, after=followers[chosen].last))
        elif what == "pull":
            followers[chosen].pull()
        elif what == "free":
            followers[chosen].free()
        else:
            left.add(chosen)
            await followers[chosen].leave()
    made.end()
    last = len(made.seqs)
    for number, follower in enumerate(followers):
        if number not in left:
            await follower.ended()
        assert follower.error is None
        # A stretch of the journal without a hole, whoever it was.
        assert follower.seen == onward(follower.after, follower.last)
    whole = [f for n, f in enumerate(followers) if n not in left]
    unfinished = [f for f in whole if f.last < last]
    assert len(unfinished) <= tails.dropped
    for follower in unfinished:
        back = Follower(tails, after=follower.last)
        back.free()
        assert follower.seen + await back.ended() == onward(follower.after, last)
    await turns()
    assert tails.followers == 0
    assert tails._open == {}
    assert made.bell._waiting == {}


# --- each by itself ------------------------------------------------------------------------------


async def test_each_event_is_read_and_written_out_once_for_all_who_follow() -> None:
    made = Made()
    tails = made.tails()
    early = [Follower(tails) for _ in range(50)]
    made.add(3_000)
    await until(lambda: early[0].seen)
    late = [Follower(tails) for _ in range(50)]
    for follower in (*early, *late):
        follower.free()
    made.end()
    for follower in (*early, *late):
        assert await follower.ended() == onward(0, 3_001)
    # What came while they followed: once; what had gone by when the late ones came: once more.
    assert len(made.encoded) <= 2 * 3_001


async def test_many_who_come_late_share_what_is_read_for_them() -> None:
    made = Made(state="complete", seqs=onward(0, 5_000))
    tails = made.tails()
    followers = [Follower(tails) for _ in range(100)]
    for follower in followers:
        follower.free()
    for follower in followers:
        assert await follower.ended() == onward(0, 5_000)
    assert len(made.encoded) < 5_000 + 2 * broadcast.RECENT


async def test_who_has_most_of_it_does_not_make_the_tail_read_it_again() -> None:
    made = Made(seqs=onward(0, 1_000))
    follower = Follower(made.tails(), after=998)
    await until(lambda: follower.seen)
    made.end()
    assert await follower.ended() == [999, 1_000, 1_001]
    assert made.encoded == [999, 1_000, 1_001]


async def test_no_batch_is_larger_than_a_connection_should_hold(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(broadcast, "_BATCH_BYTES", 100)
    made = Made(size=10, state="complete", seqs=onward(0, 50))
    batches = [frames async for frames in made.tails().follow(RUN)]
    assert [frame.seq for frames in batches for frame in frames] == onward(0, 50)
    assert max(len(frames.data) for frames in batches) <= 100
    assert all(frames.data == b"".join(frame.data for frame in frames) for frames in batches)


async def test_an_event_that_is_larger_than_that_goes_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(broadcast, "_BATCH_BYTES", 5)
    made = Made(size=10, state="complete", seqs=onward(0, 4))
    assert [len(frames) async for frames in made.tails().follow(RUN)] == [1, 1, 1, 1]


async def test_large_events_are_kept_by_size_not_by_number(
    small: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broadcast, "RECENT", 1_000)
    monkeypatch.setattr(broadcast, "BYTES", 1_000)
    made = Made(size=100)
    tails = made.tails()
    quick = Follower(tails)
    quick.free()
    for _ in range(30):
        made.add(3)
        last = len(made.seqs)
        await until(lambda last=last: quick.last == last)
    kept = tails._open[RUN]
    assert kept._size == sum(len(frame.data) for frame in kept._frames) <= 2 * 1_000
    assert len(kept._frames) < 30
    made.end()
    assert await quick.ended() == onward(0, 91)
    assert tails.dropped == 0


async def test_a_burst_of_large_events_drops_nobody_who_was_up_to_date(
    small: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broadcast, "BYTES", 10)
    made = Made(size=100)
    tails = made.tails()
    followers = [Follower(tails) for _ in range(3)]
    await turns()
    made.add(3)
    made.end()
    for follower in followers:
        assert await follower.ended() == [1, 2, 3, 4]
    assert tails.dropped == 0


async def test_what_is_written_while_the_tail_looks_is_heard() -> None:
    made = Made(meanwhile=[2, 1])
    follower = Follower(made.tails(poll=3600))
    follower.free()
    await until(lambda: follower.seen == [1, 2, 3])
    await follower.leave()


async def test_a_slow_follower_is_dropped_and_comes_back(small: None) -> None:
    made = Made()
    tails = made.tails()
    slow, quick = Follower(tails), Follower(tails)
    quick.free()
    made.add(2)
    await until(lambda: slow.seen)  # it has these, and takes no more
    for _ in range(20):
        made.add(3)
        last = len(made.seqs)
        await until(lambda last=last: quick.last == last)
    seen = await slow.ended()
    assert seen == onward(0, len(seen))
    assert len(seen) < 62
    assert (tails.dropped, tails.followers) == (1, 1)
    back = Follower(tails, after=slow.last)
    back.free()
    made.end()
    assert seen + await back.ended() == onward(0, 63)
    assert await quick.ended() == onward(0, 63)
    assert tails.dropped == 1


@pytest.mark.parametrize("pause", range(6))
async def test_who_comes_when_the_last_one_leaves_does_not_share_its_end(pause: int) -> None:
    made = Made()
    tails = made.tails()
    first = Follower(tails)
    await until(lambda: made.heads)
    await turns()
    first.task.cancel()  # its tail is cancelled with it, but does not end at once
    await turns(pause)
    second = Follower(tails)
    second.free()
    await turns()
    made.add(3)
    made.end()
    assert await second.ended() == [1, 2, 3, 4]


async def test_one_who_leaves_takes_nothing_from_the_others(small: None) -> None:
    made = Made(seqs=onward(0, 30), gate=asyncio.Event())
    tails = made.tails()
    leaving, staying = Follower(tails), Follower(tails)
    staying.free()
    await turns()
    await leaving.leave()
    assert made.gate is not None
    made.gate.set()
    made.end()
    assert await staying.ended() == onward(0, 31)


async def test_older_events_that_were_looked_up_too_early_are_looked_up_again(small: None) -> None:
    """A page of the past is shared, also while it is read; it may be older than who shares it."""
    made = Made(seqs=onward(0, 10), gate=asyncio.Event(), gated=9)
    assert made.gate is not None
    tails = made.tails()
    quick = Follower(tails, after=10)
    quick.free()
    await until(lambda: made.heads)
    early = Follower(tails, after=9)
    await turns()
    for _ in range(20):
        made.add(3)
        last = len(made.seqs)
        await until(lambda last=last: quick.last == last)
    late = Follower(tails, after=10)
    await turns()
    made.gate.set()
    late.free()
    early.free()
    made.end()
    assert await late.ended() == onward(10, 71)
    assert await early.ended() == onward(9, 71)
    assert await Follower(tails, after=9).ended() == onward(9, 71)


async def test_when_nobody_follows_nothing_is_read() -> None:
    made = Made()
    tails = made.tails(poll=0.001)
    follower = Follower(tails)
    await until(lambda: made.heads > 3)
    await follower.leave()
    assert tails.followers == 0
    await turns()
    before = made.heads
    await asyncio.sleep(0.02)
    assert made.heads == before
    assert made.bell._waiting == {}


async def test_trouble_in_the_store_reaches_all_and_the_next_one_looks_anew() -> None:
    made = Made(trouble=StoreAway("the database is away", hint="see to it"))
    tails = made.tails()
    followers = [Follower(tails) for _ in range(3)]
    for follower in followers:
        assert await follower.ended() == []
        assert isinstance(follower.error, StoreAway)
        assert (follower.error.message, follower.error.hint) == (
            "the database is away",
            "see to it",
        )
    assert len({id(follower.error) for follower in followers}) == 3
    made.trouble = None
    made.end()
    assert await Follower(tails).ended() == [1]


async def test_trouble_while_the_past_is_read_is_not_kept(small: None) -> None:
    made = Made(seqs=onward(0, 30))
    tails = made.tails()
    quick = Follower(tails, after=30)
    await until(lambda: made.heads)
    await turns()
    made.trouble = StoreAway()
    late = Follower(tails)
    await late.ended()
    assert isinstance(late.error, StoreAway)
    made.trouble = None
    back = Follower(tails)
    back.free()
    made.end()
    assert await back.ended() == onward(0, 31)
    assert await quick.ended() == [31]


async def test_a_hole_in_the_journal_is_said_aloud() -> None:
    made = Made(state="complete", seqs=[1, 2, 4])
    follower = Follower(made.tails())
    await follower.ended()
    assert isinstance(follower.error, CorruptStore)
    assert follower.seen == []


async def test_a_fault_of_ours_is_no_end_of_the_run() -> None:
    made = Made(state="complete", seqs=[1])
    made.encode = lambda event: 1 / 0  # type: ignore[method-assign,return-value]
    follower = Follower(made.tails())
    await follower.ended()
    assert isinstance(follower.error, IllegalState)


async def test_a_run_that_is_deleted_ends_its_stream() -> None:
    made = Made(seqs=[1, 2])
    tails = made.tails()
    follower = Follower(tails)
    follower.free()
    await until(lambda: follower.seen)
    made.state, made.seqs = None, []
    made.bell.ring(RUN)
    assert await follower.ended() == [1, 2]
    assert follower.error is None


async def test_while_nothing_happens_there_is_a_heartbeat() -> None:
    made = Made()
    beats = 0
    following: AsyncGenerator[Frames] = made.tails(heartbeat=0.001).follow(RUN)
    async with aclosing(following):
        async for frames in following:
            assert not frames
            beats += 1
            if beats == 3:
                break
    assert beats == 3


async def test_at_the_end_all_are_let_go_and_nobody_is_let_in() -> None:
    made = Made()
    tails = made.tails()
    followers = [Follower(tails) for _ in range(3)]
    for follower in followers:
        follower.free()
    made.add(2)
    await until(lambda: all(follower.seen for follower in followers))
    await tails.close()
    for follower in followers:
        assert await follower.ended() == [1, 2]
        assert follower.error is None
    late = Follower(tails)
    await late.ended()
    assert isinstance(late.error, StoreAway)
    assert tails.followers == 0


async def test_no_more_may_follow_than_are_allowed() -> None:
    made = Made()
    tails = made.tails(most=2)
    first, second = Follower(tails), Follower(tails)
    await turns()
    third = Follower(tails)
    await third.ended()
    assert isinstance(third.error, TooMany)
    await first.leave()
    made.end()
    assert await Follower(tails).ended() == [1]
    assert await second.ended() == [1]


async def test_who_asks_for_what_is_yet_to_come_gets_only_that() -> None:
    made = Made(seqs=onward(0, 5))
    follower = Follower(made.tails(), after=7)
    follower.free()
    await until(lambda: made.heads)
    made.add(4)
    made.end()
    assert await follower.ended() == [8, 9, 10]
