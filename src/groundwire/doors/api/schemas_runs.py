"""Runs as the API takes and shows them; the forms of each job come from the jobs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, Union, cast

from pydantic import Field, GetJsonSchemaHandler, Strict, TypeAdapter, create_model
from pydantic.json_schema import JsonSchemaValue

from groundwire.app.budget import OWN
from groundwire.app.submission import options_type
from groundwire.doors.api.schemas import Links, Told, links, translate
from groundwire.jobs import Job, kinds, offered
from groundwire.jobs import find as job
from groundwire.log import Redactor
from groundwire.model.base import Instant, JsonObject, Value
from groundwire.model.call import MICRO, CallRecord
from groundwire.model.outcome import Outcome
from groundwire.model.proposal import Offered
from groundwire.model.run import Run, RunState, Versions
from groundwire.runs import replay
from groundwire.words import Words, unkept

BudgetUsd = Annotated[
    Annotated[float, Strict()] | None,  # `false` is no amount
    Field(ge=0, le=1e6, description="the most that this run may cost; the desk's limits hold, too"),
]


class Wanted(Value):
    """A run to start: the kind of job, its input, and settings for this run alone."""

    kind: str = Field(max_length=40)
    input: JsonObject
    options: JsonObject = Field(default_factory=dict)
    budget_usd: BudgetUsd = None

    @classmethod
    def __get_pydantic_json_schema__(
        cls, _schema: Any, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Describe one form for each job, so that a client knows what each takes."""
        return handler(_either([_start_form(each) for each in offered()]))


class Started(Value):
    """A run that is stored, and will be worked on whatever becomes of this connection."""

    id: str
    kind: str
    state: RunState
    created_at: Instant
    links: Links


class Proposed(Value):
    """What a run waits for a person to confirm."""

    id: str
    form: str
    fields: JsonObject
    until: Instant | None = Field(description="then the run is cancelled")
    offers: tuple[Offered, ...] = Field(
        default=(), description="finished runs that may already be what is wanted"
    )


class RunHead(Started):
    """The fields of a run that every view shows."""

    input: JsonObject
    owner: str = Field(description="the token's id, or `local`")
    error: Told | None = Field(description="why it failed")
    attempt: int
    updated_at: Instant
    finished_at: Instant | None


class RunBrief(RunHead):
    """A run in a list: without its result."""

    cost_usd: float


class RunList(Value):
    """A page of runs, newest first."""

    runs: tuple[RunBrief, ...]
    next: str | None = Field(description="the `cursor` of the stretch after this one")


class _RunFields(RunHead):
    """The fields of a run, whatever its job."""

    result: JsonObject | None
    digest: str | None = Field(description="hash of the result, without times and costs")
    restarts: int
    cancel_requested: bool
    waiting: Proposed | None = Field(description="what it waits for; confirm lets it go on")
    budget_usd: float | None = Field(description="the most that it may cost, by its own budget")
    last_seq: int = Field(description="number of its newest event")
    now: Instant = Field(description="the run's own clock, which never moves")
    versions: Versions


class RunView(_RunFields):
    """A run as a whole; `result` is there when it has ended, in the form of its job."""

    @classmethod
    def __get_pydantic_json_schema__(
        cls, _schema: Any, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return handler(_either([_run_form(job(kind)) for kind in kinds()]))


class Confirming(Value):
    """A person's confirmation of what a run proposes."""

    edited: JsonObject = Field(
        default_factory=dict, description="fields of the proposal that are to be otherwise"
    )
    proposal: str = Field(
        default="", max_length=64, description="id of the one that was seen; another is refused"
    )


class Judged(Value):
    """The outcome of a signal, as somebody reports it."""

    outcome: Outcome
    note: str = Field(default="", max_length=2_000, description="how that is known")


class CallView(CallRecord):
    """A call that a run made, or a read that it recorded; without keys and other secrets."""

    response: JsonObject | None = Field(default=None, description="only when it is asked for")


class CallList(Value):
    """Everything that a run sent for or read, in order of time."""

    calls: tuple[CallView, ...]


def started(run: Run) -> Started:
    fields = run.model_dump(include={"id", "kind", "state", "created_at"})
    return Started(**fields, links=links(run.id))


def brief(run: Run, redactor: Redactor, say: Words) -> RunBrief:
    cost = cast(JsonObject, (run.result or {}).get("cost") or {})
    return RunBrief(
        **run.model_dump(include=_FIELDS & set(RunBrief.model_fields) - {"input", "error"}),
        error=_error(run, redactor, say),
        input=cast(JsonObject, redactor.value(run.input)),
        cost_usd=float(cost.get("usd", 0.0)),
        links=links(run.id),
    )


def view(run: Run, redactor: Redactor, say: Words) -> JsonObject:
    """Return a run as JSON; its stored result is not built anew."""
    shown = run.model_dump(mode="json", include=_FIELDS & set(RunView.model_fields) - {"waiting"})
    proposal = run.waiting
    shown["waiting"] = proposal and {
        "id": proposal.id,
        **proposal.model_dump(mode="json", exclude={"occasion"}),
    }
    budget = run.budgets.get(OWN)
    return {
        **cast(JsonObject, redactor.value(shown)),
        "error": None if (error := _error(run, redactor, say)) is None else error.model_dump(),
        "budget_usd": None if budget is None else budget / MICRO,
        "links": links(run.id).model_dump(),
    }


def _error(run: Run, redactor: Redactor, say: Words) -> Told | None:
    """Return why it failed: the run's own error, or a tool's instead of its output."""
    code, params = cast("tuple[str, JsonObject]", unkept(run.error or ""))
    failed = cast("JsonObject", (run.result or {}).get("error") or {})
    if not code and failed:
        code, params = str(failed.get("message") or ""), cast(JsonObject, failed.get("params"))
    masked = cast(JsonObject, redactor.value({"code": code, "params": params or {}}))
    return translate(masked["code"], masked["params"], say) if code else None


class Replayed(replay.Replayed):
    """What a replay found."""

    differences: tuple[Told, ...] = ()  # pyright: ignore[reportIncompatibleVariableOverride]


def replayed(found: replay.Replayed, say: Words) -> Replayed:
    differences = tuple(translate(each.code, each.params, say) for each in found.differences)
    return Replayed(**found.model_dump(exclude={"differences"}), differences=differences)


_FIELDS = set(Run.model_fields)


def _start_form(each: Job) -> Any:
    options = options_type()
    fields = {
        "input": (each.input, ...),
        "options": (options, options()),
        "budget_usd": (BudgetUsd, None),
    }
    return _form(f"Start{each.kind.capitalize()}", Value, each.kind, each.input.__doc__, fields)


def _run_form(each: Job) -> Any:
    fields = {"input": (each.input, ...), "result": (each.result | None, ...)}
    name = f"{each.kind.capitalize()}Run"
    return _form(name, _RunFields, each.kind, f"A run of {each.kind}.", fields)


def _form(
    name: str, base: type[Value], kind: str, doc: str | None, fields: Mapping[str, Any]
) -> Any:
    all_fields: dict[str, Any] = {"kind": (cast(Any, Literal)[kind], ...), **fields}
    return create_model(name, __base__=base, __doc__=doc, **all_fields)


def _either(forms: Sequence[Any]) -> Any:
    """Return the core schema of one of these forms, told apart by `kind`."""
    union = cast(Any, Union)[tuple(forms)]
    tagged: Any = cast(Any, Annotated)[union, Field(discriminator="kind")]
    return TypeAdapter[Any](tagged).core_schema
