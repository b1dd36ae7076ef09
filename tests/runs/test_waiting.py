"""A job that waits for a person: confirmed, edited, refused, cancelled, expired, taken over, replayed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest

import groundwire.jobs
from groundwire import errors
from groundwire.app import App, confirmation, exports, open_app
from groundwire.jobs.sections import Settings
from groundwire.model.run import Run
from groundwire.words import words

Opened = Callable[..., AbstractAsyncContextManager[App]]


@pytest.fixture(autouse=True)
def outline_job() -> Iterator[None]:
    groundwire.jobs.__path__.append(str(Path(__file__).parents[1] / "doors" / "serving" / "jobs"))
    yield
    groundwire.jobs.__path__.pop()


@pytest.fixture
def opened(database_url: str, tmp_path: Path) -> Opened:
    @asynccontextmanager
    async def make(**more: object) -> AsyncIterator[App]:
        home = tmp_path / "home"
        home.mkdir(exist_ok=True)
        given = {
            "home": str(home),
            "offline": True,
            "database_url": database_url,
            "fetch.workers": 1,
            **{name.replace("__", "."): value for name, value in more.items()},
        }
        async with open_app(Settings.load(given, cwd=home, env={"HOME": str(home)})) as app:
            yield app

    return make


async def waiting_run(app: App, **given: object) -> Run:
    """Submit a run and wait until it asks its question."""
    run = await app.submit("outline", {"topic": "stablecoins", **given})
    async with asyncio.timeout(60):
        run = await app.ended(run.id)
    assert run.state == "waiting", run.error
    return run


async def over(app: App, run_id: str) -> Run:
    async with asyncio.timeout(60):
        return await app.finished(run_id)


async def types(app: App, run_id: str) -> list[tuple[str, object]]:
    events = await app.store.journal.read(run_id)
    return [(each.type, each.payload.get("confirmed")) for each in events]


async def test_a_confirmed_run_goes_on_in_the_same_attempt_and_asks_nothing_twice(
    opened: Opened,
) -> None:
    async with opened() as app:
        run = await waiting_run(app)
        assert run.waiting is not None
        assert run.waiting.fields == {"title": "stablecoins 1", "parts": 3, "tags": []}
        assert (run.lease_owner, run.finished_at) == (None, None)
        before = {each.key for each in await app.store.ledger.records(run.id)}
        await app.confirm(run, by="ana")
        ended = await over(app, run.id)
        assert (ended.state, ended.attempt, ended.restarts) == ("complete", 1, 0)
        assert ended.waiting is None
        result = await app.result(ended)
        assert result.model_dump()["titles"] == ("stablecoins 1",) * 3
        assert (result.model_dump()["edited"], result.model_dump()["by"]) == (0, "ana")
        after = await app.store.ledger.records(run.id)
        (word,) = (each for each in after if each.key not in before)
        assert (word.kind, word.provider, word.via, word.attempt) == ("read", "person", "local", 1)
        assert await types(app, run.id) == [
            ("run", None),
            ("proposal", False),
            ("proposal", True),
            ("progress", None),
            ("complete", None),
        ]
        replayed = await exports.replay_run(app, ended)
        assert replayed.identical, replayed.differences


async def test_an_edit_is_what_the_job_goes_on_with(opened: Opened) -> None:
    async with opened() as app:
        run = await waiting_run(app)
        await app.confirm(run, {"title": "稳定币", "parts": 1})
        ended = await over(app, run.id)
        assert ended.result is not None
        assert (ended.result["titles"], ended.result["edited"]) == (["稳定币"], 1)
        assert (await exports.replay_run(app, ended)).identical


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        ({"parts": 99}, "outline: parts is too large; the limit is 9"),
        ({"parts": "many"}, "outline: parts takes a whole number"),
        ({"title": ""}, "outline: title is empty"),
        ({"titel": "x"}, "unknown field 'titel'"),
        ({"title": "\ud800"}, "cannot be kept"),
    ],
)
async def test_a_wrong_edit_is_refused_in_one_sentence_and_the_run_waits_on(
    opened: Opened, edit: dict[str, object], expected: str
) -> None:
    async with opened() as app:
        run = await waiting_run(app)
        with pytest.raises(errors.UserError) as refusal:
            await app.confirm(run, edit)
        assert expected in refusal.value.message
        assert "\n" not in refusal.value.message
        assert (await app.runs.find(run.id)).state == "waiting"


async def test_a_second_question_waits_again_and_an_answer_to_the_first_is_not_taken_for_it(
    opened: Opened,
) -> None:
    async with opened() as app:
        first = await waiting_run(app, rounds=2)
        await app.confirm(first, {"parts": 1})
        second = await over(app, first.id)
        assert second.state == "waiting"
        assert first.waiting is not None
        assert second.waiting is not None
        assert second.waiting.id != first.waiting.id
        with pytest.raises(errors.Conflict, match="something else"):
            await confirmation.confirm(app, second, by="x", proposal=first.waiting.id)
        await app.confirm(second)
        ended = await over(app, first.id)
        assert ended.result is not None
        assert ended.result["titles"] == ["stablecoins 1", *["stablecoins 2"] * 3]


async def test_nobody_confirms_twice_or_what_does_not_wait(opened: Opened) -> None:
    async with opened() as app:
        run = await waiting_run(app)
        with pytest.raises(errors.Conflict, match="waits for a person"):
            await app.result(run)
        await app.confirm(run)
        await over(app, run.id)
        with pytest.raises(errors.Conflict, match="waits for nothing; it is complete"):
            await app.confirm(run)
        with pytest.raises(errors.NotFoundHere):
            await app.confirm("outline-nobody")


async def test_two_words_at_once_are_one(opened: Opened) -> None:
    async with opened() as app:
        run = await waiting_run(app)
        confirmations = [confirmation.confirm(app, run, {"title": each}, by=each) for each in "ab"]
        outcomes = await asyncio.gather(*confirmations, return_exceptions=True)
        assert sorted(type(each).__name__ for each in outcomes) == ["Conflict", "Run"]
        ended = await over(app, run.id)
        assert (ended.state, (ended.result or {})["by"]) in (("complete", "a"), ("complete", "b"))


async def test_a_waiting_run_can_be_cancelled(opened: Opened) -> None:
    async with opened() as app:
        run = await waiting_run(app)
        ended = await app.engine.cancel(run.id)
        assert (ended.state, ended.waiting) == ("cancelled", None)
        with pytest.raises(errors.Conflict):
            await app.confirm(run)


async def test_a_resume_of_a_waiting_run_leaves_it_waiting(opened: Opened) -> None:
    async with opened() as app:
        run = await waiting_run(app)
        again = await app.engine.resume(run.id)
        assert (again.state, again.attempt) == ("waiting", 1)


async def test_a_run_that_nobody_confirms_is_cancelled_in_time(opened: Opened) -> None:
    async with opened(desk__confirm_days=2) as app:
        run = await waiting_run(app)
        assert run.waiting is not None
        assert run.waiting.until is not None
        left = run.waiting.until - run.updated_at
        assert left == timedelta(days=2)
        assert await app.store.runs.expire(run.waiting.until - timedelta(seconds=1)) == []
        assert await app.store.runs.expire(run.waiting.until) == [run.id]
        ended = await app.runs.find(run.id)
        assert (ended.state, ended.error) == ("cancelled", "error.run_expired")
        last = (await app.store.journal.read(run.id))[-1]
        assert (last.type, last.payload["reason"]) == ("cancelled", "expired")


async def test_the_engine_looks_for_patience_that_ended(opened: Opened) -> None:
    async with opened(desk__confirm_days=0.00001) as app:
        run = await app.submit("outline", {"topic": "x"})
        async with asyncio.timeout(60):
            while (found := await app.runs.find(run.id)).state != "cancelled":
                await app.engine.start()
                app.engine._tended = float("-inf")  # pyright: ignore[reportPrivateUsage]
                await asyncio.sleep(0.05)
        assert words("en").stored(found.error) == "Nobody confirmed the run in time."


async def test_another_process_goes_on_where_the_first_one_waited(opened: Opened) -> None:
    async with opened() as first:
        run = await waiting_run(first)
    async with opened() as second:
        found = await second.runs.find(run.id)
        assert (found.state, found.waiting) == ("waiting", run.waiting)
        await second.confirm(found, {"parts": 2})
        ended = await over(second, run.id)
        assert (ended.state, ended.attempt, ended.fence) == ("complete", 1, 2)


async def test_a_word_that_nobody_could_act_on_yet_is_kept(opened: Opened) -> None:
    async with opened() as first:
        run = await waiting_run(first)
        fields = {"title": "kept", "parts": 1, "tags": []}
        from groundwire.model.proposal import Confirmed

        assert run.waiting is not None
        word = Confirmed(fields=fields, edited=True, by="ana")
        await first.engine.stop()
        await first.store.runs.confirm(run.id, run.waiting.id, word, first.clock())
    async with opened() as second:
        await second.engine.work()
        ended = await over(second, run.id)
        assert ended.result is not None
        assert ended.result["titles"] == ["kept"]


async def test_a_confirmed_run_replays_offline_with_nobody_asked(
    opened: Opened, tmp_path: Path
) -> None:
    async with opened() as app:
        run = await waiting_run(app, rounds=2)
        await app.confirm(run, {"title": "稳定币", "parts": 2}, by="ana")
        await app.confirm(await over(app, run.id), by="ben")
        ended = await over(app, run.id)
        bundle = await exports.bundle_of(app, ended)
        replayed = await exports.replay_run(app, ended)
        assert (replayed.replayed, replayed.differences) == (ended.digest, ())
        assert await app.runs.find(run.id) == ended
    assert ended.result is not None
    assert ended.result["titles"] == ["稳定币", "稳定币", *["stablecoins 2"] * 3]
    # Elsewhere nobody has heard of the run or could be asked: the bundle has the answers.
    elsewhere = {"home": str(tmp_path / "other"), "database_url": f"sqlite:///{tmp_path}/other.db"}
    async with opened(**elsewhere) as app:
        replayed = await exports.replay_run(app, bundle)
        assert (replayed.replayed, replayed.differences) == (ended.digest, ())
        unanswered = tuple(each for each in bundle.calls if each.provider != "person")
        lacking = await exports.replay_run(app, bundle.model_copy(update={"calls": unanswered}))
        assert (lacking.identical, lacking.replayed) == (False, None)
        codes = [each.code for each in lacking.differences]
        assert codes == ["replay.ended", "replay.no_record"]
        assert await app.store.runs.unfinished() == []
        assert await app.runs.get(run.id) is None
