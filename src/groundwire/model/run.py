"""A run: a pure function of its input, its clock, its settings and its records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias, cast

from pydantic import Field

from groundwire.model.base import Instant, Json, JsonObject, Value, fingerprint
from groundwire.model.proposal import Proposal

RunState = Literal["queued", "running", "waiting", "complete", "degraded", "failed", "cancelled"]
FINISHED: frozenset[str] = frozenset({"complete", "degraded", "failed", "cancelled"})
RESTING = FINISHED | {"waiting"}  # it goes on only if a person says so

# Left out of a digest at any depth: they may differ between two runs of the same record, or are
# worked out of the rest of the result, so that runs from before they were are still the same.
_UNSTABLE = frozenset(
    [
        "run_id", "cost", "latency_ms", "node_latency_ms", "tool_calls", "cached", "timing",
        "recovered", "course", "parcels", "steps", "first_seen",
    ]
)  # fmt: skip


def digest(result: JsonObject) -> str:
    """Hash a result without what depends on when and how often it was computed."""
    return fingerprint(_stable(result))


def _stable(value: Json) -> Json:
    match value:
        case dict():
            fields = cast(JsonObject, value)
            return {name: _stable(item) for name, item in fields.items() if name not in _UNSTABLE}
        case list():
            return [_stable(item) for item in cast(list[Json], value)]
        case _:
            return value


@dataclass(frozen=True)
class NamesRun:
    """A marker of input fields that name a run, or are empty: only its owner may submit them."""

    last_is_own: bool = False  # what `last` means is the job's to say: it looks for it itself


RunName: TypeAlias = Annotated[str, Field(max_length=80), NamesRun()]
LAST = "last"  # names the last run at every door


class Versions(Value):
    """What code, prompts and data a run was made with (ledger rule i)."""

    code: str
    prompts: str
    data: str


class RunHead(Value):
    """What an engine has to know of a run before it claims it: nothing that must be parsed."""

    id: str
    state: RunState
    fence: int
    lease_owner: str | None = None
    lease_until: Instant | None = None
    cancel_requested: bool = False
    kind: str = ""
    owner: str = "local"  # this and the next are only set for a run looked up by its id
    last_seq: int = 0


class NewRun(Value):
    """Everything that is fixed at submit."""

    id: str
    kind: str
    input: JsonObject
    settings: JsonObject  # effective, without secrets
    now: Instant
    seed: str  # secret of the run: delimiters are derived from it
    versions: Versions
    created_at: Instant
    idempotency_key: str | None = None
    owner: str = "local"  # the token that submitted it; local: somebody at the machine itself
    owner_day_micro: int | None = None  # what the owner may spend in a day, in micro-dollars
    text: str = ""  # what a person typed: lists are searched by it
    # Limits of its own, in micro-dollars: `run` is its budget; others are scopes that it shares
    # with other runs, such as `schedule:ID:month` or `schedule:ID:day`.
    budgets: dict[str, int] = Field(default_factory=dict)
    schedule_id: str | None = None  # the standing run that it is a run of


class Run(NewRun):
    """The run row: the truth about a run."""

    state: RunState = "queued"
    attempt: int = 1
    fence: int = 0
    restarts: int = 0  # times it was claimed after its first claim in this attempt
    lease_owner: str | None = None
    lease_until: Instant | None = None
    cancel_requested: bool = False
    waiting: Proposal | None = None  # what a person is asked
    last_seq: int = 0
    result: JsonObject | None = None
    digest: str | None = None
    error: str | None = None
    updated_at: Instant
    finished_at: Instant | None = None


class RunFilter(Value):
    """Which runs are listed; what is None is not asked."""

    owner: str | None = None
    kind: str | None = None
    state: RunState | None = None
    text: str = ""  # occurs in what was typed


class RunPage(Value):
    """A stretch of the runs, newest first, and where the next one begins."""

    runs: tuple[Run, ...]
    next: str | None = None
