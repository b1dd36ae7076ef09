"""The input of timeline, and what its steps hand on."""

from __future__ import annotations

import operator
from datetime import UTC, datetime
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from groundwire.context import Context
from groundwire.gather.as_of import AsOf
from groundwire.jobs.timeline.proposal import Plan
from groundwire.jobs.timeline.result import Changes, Left, Level, Link, Node, Synthesis
from groundwire.jobs.timeline.settings import TimelineSettings
from groundwire.model.base import Instant, JsonObject, Value
from groundwire.model.phrase import Phrase
from groundwire.model.query import Hit
from groundwire.model.result import Degraded, Gap, Origin, Recovered
from groundwire.model.run import NamesRun, RunName
from groundwire.model.source import Evidence

_NO_LIMIT = datetime.max.replace(tzinfo=UTC)
LONGEST_TOPIC = 200


class TimelineInput(Value):
    """A topic. `level` says how many events are wanted; `strict` leaves unsourced ones out."""

    topic: Annotated[
        str,
        StringConstraints(
            strip_whitespace=True, min_length=1, max_length=LONGEST_TOPIC, pattern=r"\w"
        ),
    ] = Field(description="the topic")
    level: Level = Field(default="medium", description="how many events: about 20, 35, 65 or 115")
    language: Literal["auto", "zh", "zh-Hant", "en"] = Field(
        default="auto", description="of the timeline; auto: the topic's"
    )
    within: str = Field(
        default="",
        max_length=400,
        description="only from documents that are here: archive, or a folder that was added to it",
    )
    pages_of: RunName = Field(
        default="",
        description="only from the pages of an earlier run: an id, its beginning, or last",
    )
    since: Annotated[str, NamesRun(last_is_own=True)] = Field(
        default="",
        max_length=80,
        description="what changed since an earlier timeline: an id, its beginning, or last of its topic",
    )
    standing: bool = False  # a run of a schedule, whose plan was confirmed once for all
    as_of: AsOf = Field(
        default=None,
        description="as it could be known then: 2026-11-10, 2026-11-10T09:30Z",
    )
    strict: bool = Field(default=False, description="leave events without a source out altogether")
    allow_model_memory: bool = Field(
        default=False,
        description="where no page is found for a thread, let a model say what it remembers: shown apart, as unsupported",
    )


ARCHIVE = "archive"  # everything that is here, as a place


def is_folder(given: TimelineInput) -> bool:
    """Tell whether a timeline is confined to a folder of the archive."""
    return given.within not in ("", ARCHIVE)


def is_living(context: Context, given: TimelineInput) -> bool:
    """Tell whether a timeline is told anew, so that its pages are asked for as they are now."""
    told_again = bool(given.since) and not given.within and not given.pages_of
    return told_again and not context.scope.offline


def confined(place: str) -> JsonObject:
    """Return the input fields that confine a timeline to a place: the archive, a folder, a run."""
    named = place == ARCHIVE or "/" in place or place.startswith((".", "~"))
    return {"within": place} if named else {"pages_of": place}


class Found(Value):
    """What the searches of one thread brought: hits, best first, and what failed."""

    thread: int
    round: int = 0
    hits: tuple[Hit, ...] = ()
    searches: int = 0
    failed: int = 0
    degraded: tuple[Degraded, ...] = ()
    recovered: tuple[Recovered, ...] = ()


class Detailed(Value):
    """What the research of one node brought: its detail, and the pages that were new."""

    node: Node  # with its detail, and the sources that the search added
    evidence: tuple[Evidence, ...] = ()
    searches: int = 0
    failed: int = 0
    degraded: tuple[Degraded, ...] = ()
    recovered: tuple[Recovered, ...] = ()


class State(Value):
    """What the graph carries. Steps return the fields they changed."""

    given: TimelineInput
    limits: TimelineSettings  # fixed at submit
    as_of: Instant = _NO_LIMIT
    language: str = "en"
    plan: Plan | None = None
    round: int = 0
    at: int = 0  # which thread or node a step that goes on beside others is for
    found: Annotated[tuple[Found, ...], operator.add] = ()
    evidence: tuple[Evidence, ...] = ()
    origins: tuple[Origin, ...] = ()
    nodes: tuple[Node, ...] = ()
    unsourced: tuple[Left, ...] = ()
    detailed: Annotated[tuple[Detailed, ...], operator.add] = ()
    looked_for: tuple[str, ...] = ()  # searches of a further round: thin years, missing causes
    again: bool = False  # whether a further round has something to look for or to tell
    synthesis: Synthesis = Synthesis()
    changes: Changes | None = None
    links: tuple[Link, ...] = ()
    short: Phrase | None = None
    gaps: tuple[Gap, ...] = ()
    unread: tuple[Gap, ...] = ()  # pages that could not be had
    reasoner: str = "embedded"
    degraded: tuple[Degraded, ...] = ()
    recovered: tuple[Recovered, ...] = ()
