"""The one way to submit a run: its input checked and completed, stored with all that it depends on."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from functools import cache, reduce
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, cast
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from groundwire import jobs
from groundwire.app.budget import own_limits
from groundwire.errors import Conflict, InputError
from groundwire.evidence.sources.urls import canonical_url
from groundwire.gather.as_of import refuse_future
from groundwire.jobs.sections import sections
from groundwire.model.access import LOCAL, Caller
from groundwire.model.base import JsonObject, Value, canonical, fingerprint
from groundwire.model.call import MICRO
from groundwire.model.message import Message
from groundwire.model.refusals import refused
from groundwire.model.run import LAST, NamesRun, NewRun, Run

if TYPE_CHECKING:
    from groundwire.app.facade import App
    from groundwire.settings import Settings

N = TypeVar("N", bound=BaseModel)
V = TypeVar("V", bound=Value)
DOOR = "api"  # the door of programs and pages
_EXACT = 2**53  # beyond it, a float does not stand for one whole number
_DEEPEST = 100  # levels of nesting in an input


class SharedOptions(Value):
    """What a caller may set for one run, under the names of the settings; no key, no address, no
    budget is among them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    offline: Literal[True] | None = Field(
        default=None, description="archive only, no attempt at the network"
    )
    search_mode: Literal["failover", "all"] | None = Field(
        default=None,
        alias="search.mode",
        description="failover: one provider after the other; all: every one at once",
    )
    cache_ttl: int | None = Field(
        default=None,
        alias="search.cache_ttl",
        ge=0,
        le=86_400,
        description="seconds that an answer of another run is good enough; 0: ask anew",
    )
    remembers: bool | None = Field(
        default=None,
        alias="memory.enabled",
        description="whether the run recalls what was found before, and is remembered",
    )

    def settings(self) -> dict[str, object]:
        """Return the options that were set, by their dotted names."""
        return self.model_dump(by_alias=True, exclude_none=True)


def options_type() -> type[SharedOptions]:
    """Build the type of a run's options: those that all jobs share, and those of each."""
    return _options(jobs.kinds())


@cache
def _options(kinds: tuple[str, ...]) -> type[SharedOptions]:
    groups = sections()
    fields: dict[str, Any] = {
        f"{kind}_{name}": _option(groups[kind].model_fields[name], f"{kind}.{name}", most)
        for kind in kinds
        for name, most in jobs.find(kind).options.items()
    }
    return create_model("Options", __base__=SharedOptions, __doc__=SharedOptions.__doc__, **fields)


def _option(setting: Any, name: str, most: int | None) -> Any:
    limits = [*setting.metadata, *(() if most is None else (Field(le=most),))]
    kind = setting.annotation
    if limits:
        kind = cast(Any, Annotated)[(kind, *limits)]
    return kind | None, Field(default=None, alias=name, description=setting.description)


def option_names() -> tuple[str, ...]:
    """List the dotted names of all options."""
    return tuple(field.alias or name for name, field in options_type().model_fields.items())


def options_of(given: JsonObject) -> dict[str, object]:
    """Parse a caller's options, by dotted names; what is no option is refused by its name."""
    return parse_strictly(options_type(), "options", given).settings()


async def submit(
    app: App,
    kind: str,
    given: Mapping[str, object],
    *,
    door: str = "",
    exact: bool = False,
    owner: Caller = LOCAL,
    settings: Mapping[str, object] | None = None,
    idempotency_key: str | None = None,
    now: datetime | None = None,
    message: Message | None = None,
    budget_usd: float | None = None,
    shared_usd: Mapping[str, float] | None = None,
    agreed_usd: float | None = None,
    schedule_id: str | None = None,
) -> Run:
    """Fix everything that a run depends on, store it, and pass it to the engine.

    `exact`: a program's input is parsed strictly, and its key used again for another input is a
    conflict. `settings` are this run's own, by their dotted names. `message` is the one that the
    run is about, received or not; without one, the job decides which to keep. `budget_usd` is the
    most that this run may cost; `shared_usd` are limits that it shares with other runs, by name
    (`schedule:ID:month`); `agreed_usd` is what a person agreed to, whatever runs may usually spend.
    `schedule_id` is the standing run that it is a run of.
    """
    from groundwire.versions import versions

    job = jobs.find(kind)
    value = prepared(job, app.settings, given, door=door, exact=exact)
    value = await _with_runs(app, value, owner, exact=exact)
    stored = value.model_dump(mode="json")
    at = app.clock()
    refuse_future(value, at)
    if message is None and owner.may("admin"):
        # Admins only: others could silence a source by asking before its message arrives.
        message = job.keeps(value, at)
    seed = secrets.token_hex(16)
    key = idempotency_key if idempotency_key is None else f"{owner.id}:{idempotency_key}"
    new = NewRun(
        id=f"{kind}-{fingerprint([kind, stored, at.isoformat(), seed])[:10]}",
        kind=kind,
        input=stored,
        settings=app.outside.run_settings(settings),
        now=now or at,
        seed=seed,
        versions=versions(),
        created_at=at,
        idempotency_key=key,
        owner=owner.id,
        owner_day_micro=None if owner.day_usd is None else round(owner.day_usd * MICRO),
        text=job.text(stored).replace("\0", ""),  # no database takes it
        budgets=own_limits(budget_usd, shared_usd or {}, owner, agreed_usd),
        schedule_id=schedule_id,
    )
    run = await app.engine.submit(new, message=message)
    if exact and key is not None and not _same(run, new):
        raise Conflict("error.key_of_another", run=run.id, hint="hint.its_run")
    return run


async def _with_runs(app: App, value: V, owner: Caller, *, exact: bool) -> V:
    """Return an input with the full ids of the runs that it names; those of others do not exist.

    A person may write the beginning of an id, or `last`; a program writes all of it.
    """
    found: dict[str, str] = {}
    for name, field in type(value).model_fields.items():
        run_id = getattr(value, name)
        marks = [mark for mark in field.metadata if isinstance(mark, NamesRun)]
        own = run_id == LAST and any(mark.last_is_own for mark in marks)
        if run_id and marks and not own:
            whole = run_id if exact else (await app.runs.find(run_id)).id
            found[name] = (await app.runs.get_owned(owner, whole)).id
    return value.model_copy(update=found) if found else value


def prepared(
    job: jobs.Job,
    settings: Settings,
    given: Mapping[str, object],
    *,
    door: str = "",
    exact: bool = False,
) -> Value:
    """Return the input as a run takes it: checked, with the desk's defaults where it says nothing.

    A door that must refuse before anything is opened or stored calls it directly, as a dry run.
    """
    return checked(job, {**job.prepare(settings, door), **given}, exact=exact)


def checked(job: jobs.Job, given: Mapping[str, object], *, exact: bool = False) -> Value:
    """Return the input as the job takes it; refuse it in one clear sentence."""
    if exact:
        for address in _addresses(given):
            without_password(address)
        return parse_strictly(job.input, job.kind, cast(JsonObject, dict(given)))
    try:
        return job.input.model_validate(dict(given))
    except ValidationError as error:
        raise refused(job.kind, error, job.input) from None


def parse_strictly(form: type[N], name: str, given: JsonObject) -> N:
    """Parse what a program sent without conversions: text that looks like a number is no number."""
    plain(given)
    try:
        return form.model_validate_json(canonical(_whole(given)), strict=True)
    except ValidationError as error:
        raise refused(name, error, form) from None


def plain(value: object) -> None:
    """Refuse what JSON can carry and nothing here can store: lone surrogates, NaN, deep nesting."""
    try:
        canonical(value)
    except (ValueError, RecursionError) as error:
        raise InputError("error.not_keepable") from error
    level: list[object] = [value]
    for _ in range(_DEEPEST):
        level = [inner for each in level for inner in _inside(each)]
        if not level:
            return
    raise InputError("error.too_deep", most=_DEEPEST)


def address(url: str) -> str:
    """Check that an address may be read: what is none, or holds a password, never becomes a run."""
    plain(url)
    canonical_url(url)
    without_password(url)
    return url


def without_password(url: str) -> None:
    """Refuse an address with a password: input is stored in clear, and no such address is read."""
    try:
        named = "@" in urlsplit(url.strip()).netloc
    except ValueError:  # no address at all; whoever reads it says so
        return
    if named:
        raise InputError("error.address_with_password", hint="hint.leave_out")


def _whole(value: Any) -> Any:
    """Turn whole floats into integers: to JSON, 3.0 is the number 3."""
    if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT:
        return int(value)
    if isinstance(value, dict):
        return {name: _whole(each) for name, each in cast(JsonObject, value).items()}
    if isinstance(value, list):
        return [_whole(each) for each in cast("list[Any]", value)]
    return value


def _inside(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return cast("dict[str, object]", value).values()
    return cast("list[object]", value) if isinstance(value, list | tuple) else ()


def _addresses(given: object) -> Iterator[str]:
    """Yield the addresses in an input's `url` fields."""
    if isinstance(given, Mapping):
        for name, value in cast("Mapping[str, object]", given).items():
            if name == "url" and isinstance(value, str):
                yield value
            else:
                yield from _addresses(value)


def _same(run: Run, new: NewRun) -> bool:
    """Tell whether a run is the one requested now; settings that nobody may set are not compared."""
    if (run.kind, run.input, run.budgets) != (new.kind, new.input, new.budgets):
        return False
    return all(_at(run.settings, name) == _at(new.settings, name) for name in option_names())


def _at(view: JsonObject, name: str) -> Any:
    return reduce(lambda node, part: node.get(part, {}), name.split("."), view)
