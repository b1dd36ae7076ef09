"""The one door for messages: screened, received once, given a run, and followed to its signal."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from groundwire import jobs
from groundwire.errors import InputError
from groundwire.language.text.lexicon import Lexicon, low_form, low_forms
from groundwire.log import get_logger
from groundwire.model.base import short_id
from groundwire.model.message import Cursor, DedupRules, Message, Receipt, Taken
from groundwire.model.run import FINISHED, Run
from groundwire.words import kept, words

if TYPE_CHECKING:
    from groundwire.app import App

log = get_logger("groundwire.app.intake")


_RECOVERED = 100  # messages of an earlier process that are taken up at a time


class Lists:
    """Allowed and denied words, in any case, width and script. Deny wins over allow."""

    def __init__(self, allow: Sequence[str], deny: Sequence[str]) -> None:
        self._allow = _Words(allow) if allow else None
        self._deny = _Words(deny) if deny else None

    def screened(self, message: Message) -> tuple[Message, str]:
        """Return the message with the allowed words it has, and why it is turned away, if it is."""
        if not (self._allow or self._deny):
            return message, ""
        low = low_form(message.text)
        if self._deny and (denied := self._deny.found(low)):
            return message, kept("turned_away.deny", word=denied[0])
        allowed = self._allow.found(low) if self._allow else ()
        if self._allow and not allowed:
            return message, "turned_away.allow"
        return message.model_copy(update={"keywords_hit": allowed}), ""


class _Words:
    """Words as they were written, found by their low form."""

    def __init__(self, words: Sequence[str]) -> None:
        self._written = dict(zip(low_forms(words), words, strict=True))
        self._lexicon = Lexicon(words)

    def found(self, low: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self._written[name] for *_, name in self._lexicon.find(low)))


@dataclass(frozen=True)
class Ways:
    """How the messages of a door are verified. Sources are screened and gated; a person's are not."""

    gate: bool = True
    tools: bool = True
    dedup: bool = True
    lists: bool = True
    desk_language: str = "auto"


@dataclass
class Counts:
    """What has come through a door since it was opened."""

    received: int = 0
    known: int = 0  # the very same message again, as sources repeat themselves
    new: int = 0
    turned_away: Counter[str] = field(default_factory=Counter[str])  # by why
    repeated: Counter[str] = field(default_factory=Counter[str])  # by the layer that knew them
    ended: Counter[str] = field(default_factory=Counter[str])  # by path, or `failed`

    @property
    def signals(self) -> int:
        return self.ended.total() - self.ended["failed"]


class _Received(NamedTuple):
    """A message as it came, its receipt, and whether that very message was here before."""

    key: tuple[str, str]  # its id and its text
    receipt: Receipt
    known: bool


class Door:
    """Takes messages to their signals without losing one: a message is stored before it has a run, a
    run before it is executed, and each step can be repeated without effect."""

    def __init__(
        self,
        app: App,
        ways: Ways | None = None,
        *,
        at_once: int | None = None,
        on_end: Callable[[Run], None] = lambda _run: None,
    ) -> None:
        intake = app.settings.intake
        self._app = app
        self._job, self._intake = jobs.for_messages()
        self._ways = ways or Ways(desk_language=app.settings.language)
        self._lists = Lists(intake.allow, intake.deny) if self._ways.lists else Lists((), ())
        on, layers = self._ways.dedup, intake.dedup
        self._rules = DedupRules(
            exact=on and layers.exact, hash=on and layers.hash, near=on and layers.near
        )
        self._thresholds = _thresholds(intake.priority)
        self._free = asyncio.Semaphore(at_once or intake.concurrency)
        self._on_end = on_end
        self._followed: dict[str, asyncio.Task[None]] = {}
        self.counts = Counts()

    @property
    def in_flight(self) -> int:
        return len(self._followed)

    async def receive(self, messages: Sequence[Message]) -> Sequence[Receipt]:
        """Store messages in one transaction; return a receipt for each that was let in.

        What is turned away is counted and logged, not stored.
        """
        return [each.receipt for each in await self._received(messages, None)]

    async def answer(self, messages: Sequence[Message]) -> Sequence[Taken]:
        """Receive messages and start a run for each new one; return what became of each, in order.

        A sender who repeats a request because the answer was lost gets the same answer.
        """
        received = {each.key: each for each in await self._received(messages, None)}
        found: list[Taken] = []
        for message in messages:
            arrived = received.get((message.id, message.text))
            if arrived is None:
                _, why = self._lists.screened(message)
                found.append(Taken(message_id=message.id, state="turned_away", why=why))
                continue
            receipt = arrived.receipt
            run = await self._submit(receipt.message) if receipt.new else None
            state = "repeated" if run is None else "known" if arrived.known else "new"
            found.append(
                Taken(
                    message_id=receipt.message.id,
                    state=state,
                    why=receipt.why,
                    first_id=receipt.first_id,
                    run_id=None if run is None else run.id,
                )
            )
        return found

    async def take(self, messages: Sequence[Message], *, cursor: Cursor | None = None) -> int:
        """Receive what a source brought and start runs for what is new, as soon as there is room.

        Returns when all of it has a run, so that sources wait while too many are under way.
        """
        received = await self._received(messages, cursor)
        new = [each.receipt.message for each in received if each.receipt.new and not each.known]
        for message in new:
            await self.follow(message)
        return len(new)

    async def known(self, message_id: str) -> Message | None:
        """Return a message that was received before."""
        found = await self._app.messages.get(message_id)
        return None if found is None else found.message

    async def run_to_end(
        self,
        message: Message,
        given: Mapping[str, object] | None = None,
        budget_usd: float | None = None,
    ) -> Run:
        """Run a received message to its end; asked for again, return the same run.

        `given` is the caller's input: the ways that it names hold, not those of the door.
        """
        async with self._free:
            run = await self._submit(message, given, budget_usd)
            return run if run.state in FINISHED else await self._app.ended(run.id)

    async def follow(self, message: Message) -> None:
        """Start the run of a received message when there is room; `on_end` gets it at its end."""
        await self._free.acquire()
        try:
            run = await self._submit(message)
        except BaseException:
            self._free.release()
            raise
        if run.id in self._followed:
            self._free.release()
            return
        self._watch(run.id)

    async def recover(self) -> int:
        """Go on where an earlier process was killed: its runs, and its messages without one."""
        for head in await self._app.runs.unfinished():
            if head.id.startswith(f"{self._job.kind}-") and head.id not in self._followed:
                await self._free.acquire()
                self._watch(head.id)
        await self._app.engine.start()
        found = 0
        while left := await self._app.messages.unverified(_RECOVERED):
            for message in left:
                await self.follow(message)
            found += len(left)
        return found

    async def idle(self) -> None:
        """Wait for the end of everything under way."""
        while self._followed:
            await asyncio.wait(list(self._followed.values()))

    async def close(self, seconds: float = 0.0) -> None:
        """Give what is under way a moment; the engine hands the rest back for the next process."""
        if self._followed and seconds:
            await asyncio.wait(list(self._followed.values()), timeout=seconds)
        left = list(self._followed.values())
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    # --- steps -------------------------------------------------------------------------------

    async def _received(
        self, messages: Sequence[Message], cursor: Cursor | None
    ) -> list[_Received]:
        """Store messages; return a receipt for each that is let in, and whether it was known."""
        # A source may repeat a message within one batch.
        unique: dict[tuple[str, str], Message] = {}
        for each in messages:
            unique.setdefault((each.id, each.text), each)
        self.counts.received += len(messages)
        self.counts.known += len(messages) - len(unique)
        wanted = [each for each in map(self._screened, unique.values()) if each is not None]
        if not wanted and cursor is None:
            return []
        table = self._app.messages
        found: list[_Received] = []
        receipts = await table.receive_many(wanted, self._rules, cursor)
        for message, first in zip(wanted, receipts, strict=True):
            receipt = first
            if first.message.id == message.id and first.message.text != message.text:
                # The sender's id again with another text: an edit, which is a message of its own.
                name = short_id("msg", [message.id, message.text])
                edited = message.model_copy(update={"id": name})
                receipt = await table.receive(edited, self._rules)
            known = receipt.message.received_at != message.received_at
            if known:
                self.counts.known += 1
            elif receipt.layer is None:
                self.counts.new += 1
            else:
                self.counts.repeated[receipt.layer] += 1
            found.append(_Received((message.id, message.text), receipt, known))
        return found

    def _screened(self, message: Message) -> Message | None:
        screened, why = self._lists.screened(message)
        if not why:
            return screened
        self.counts.turned_away[why] += 1
        reason = words("en").stored(why)
        log.info("turned away", message=message.id, source=message.source, why=reason)
        return None

    async def _submit(
        self,
        message: Message,
        wanted: Mapping[str, object] | None = None,
        budget_usd: float | None = None,
    ) -> Run:
        """Submit the run of a message; asked for in another way (deep, not gated), it is another."""
        kind, how, ways = self._job.kind, self._ways, self._intake.ways
        threshold = self._thresholds.get(message.source.casefold())
        given = self._intake.given(message, how.gate, how.tools, how.desk_language, threshold)
        given |= {name: wanted[name] for name in ways if wanted is not None and name in wanted}
        submit = partial(self._app.submit, kind, given, message=message, budget_usd=budget_usd)
        run = await submit(idempotency_key=short_id(kind, message.id))
        if any(run.input.get(name) != given[name] for name in ways):
            key = short_id(kind, [message.id, *(given[name] for name in ways)])
            run = await submit(idempotency_key=key)
        return run

    def _watch(self, run_id: str) -> None:
        task = asyncio.create_task(self._ended(run_id))
        self._followed[run_id] = task
        task.add_done_callback(lambda _: self._done(run_id))

    async def _ended(self, run_id: str) -> None:
        run = await self._app.ended(run_id)
        self.counts.ended[self._intake.path_of(run)] += 1
        self._on_end(run)

    def _done(self, run_id: str) -> None:
        task = self._followed.pop(run_id)
        self._free.release()
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a signal was not followed to its end", run_id=run_id, reason=str(error))
            self.counts.ended["failed"] += 1


def _thresholds(priority: Sequence[str]) -> Mapping[str, float]:
    """Map sources to the confidence from which their messages go deep."""
    found: dict[str, float] = {}
    for each in priority:
        source, _, share = each.rpartition("=")
        name = source.strip()
        if name.casefold() in found:
            raise InputError("error.source_twice", name=name)
        found[name.casefold()] = float(share)
    return found
