"""The outcome of an addition; and pages added by address, each in a small run, so that every read is
recorded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, cast

from pydantic import Field

from groundwire.app.runs import failure_of
from groundwire.model.access import LOCAL, Caller
from groundwire.model.base import JsonObject, Value
from groundwire.model.run import Run
from groundwire.words import kept, words

if TYPE_CHECKING:
    from groundwire.app import App
    from groundwire.model.event import Event


class Unadded(Value):
    """Something that could not be added, and why."""

    what: str
    code: str
    reason: str  # in English, for programs
    kept: str = ""  # its code with parameters, for people's own language

    @classmethod
    def because(cls, what: str, code: str, kept: str) -> Unadded:
        """Record what could not be added, with the reason as errors keep it."""
        return cls(what=what, code=code, reason=words("en").stored(kept), kept=kept)


class Added(Value):
    """New, already there, failed, skipped by kind, and left out because of the limit."""

    new: int = 0
    known: int = 0
    failed: tuple[Unadded, ...] = ()
    skipped: Mapping[str, int] = Field(default_factory=dict)  # by ending or code
    left: int = 0

    def plus(self, other: Added) -> Added:
        skipped = Counter(self.skipped) + Counter(other.skipped)
        return Added(
            new=self.new + other.new,
            known=self.known + other.known,
            failed=(*self.failed, *other.failed),
            skipped=dict(sorted(skipped.items())),
            left=self.left + other.left,
        )


@dataclass(frozen=True, slots=True)
class WantedPages:
    """How an address is read: how many pages of a list, as a feed, with or without robots.txt."""

    limit: int = 100
    feed: bool = False
    ignore_robots: bool = False


async def collect(app: App, url: str, wanted: WantedPages, owner: Caller = LOCAL) -> Run:
    """Start reading a page, or all that a feed, an outline or a sitemap lists."""
    return await app.call("collect", {"url": url, **asdict(wanted)}, owner=owner)


async def add_url(
    app: App, url: str, wanted: WantedPages, progress: Callable[[str], None] = lambda _line: None
) -> Added:
    """Read an address to its end, through the gateway; return what is new."""
    before = (await app.archive.stats()).documents
    run = await collect(app, url, wanted)

    def show(event: Event) -> None:
        if event.type == "progress" and event.payload.get("url"):
            mark = "·" if event.payload.get("ok") else "✕"
            progress(f"{mark} {event.payload['url']}")

    run = await app.finished(run.id, on_event=show)
    output = cast("JsonObject | None", (run.result or {}).get("output"))
    if output is None:
        error = cast("JsonObject", (run.result or {}).get("error") or {})
        failed = Unadded.because(url, str(error.get("code") or "failed"), failure_of(run))
        return Added(failed=(failed,))
    count = len(output["kept"])
    new = max(0, min((await app.archive.stats()).documents - before, count))
    return Added(
        new=new,
        known=count - new,
        failed=tuple(
            Unadded.because(each["what"], each["code"], kept(each["message"], **each["params"]))
            for each in output["failed"]
        ),
        skipped=output["skipped"],
        left=output["left"],
    )
