"""A run as a door starts it: what a caller may set, whose it is, and what was asked for before."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from typing import Any, Literal, cast
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from groundwire.app import App, explained
from groundwire.app.budget import own_limits
from groundwire.errors import Conflict, InputError
from groundwire.jobs import find as job
from groundwire.model.access import Caller
from groundwire.model.base import JsonObject, Value, canonical
from groundwire.model.run import Run
from groundwire.runs.receiving import received

SOURCE = "api"  # of a message that does not say where it came from
_EXACT = 2**53  # beyond, a float is not one number
_DEEPEST = 100  # objects in objects of an input


class Options(Value):
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
    ask_queries: int | None = Field(
        default=None, alias="ask.queries", ge=1, le=50, description="searches of a round"
    )
    ask_results: int | None = Field(
        default=None, alias="ask.results", ge=1, le=50, description="results taken from a search"
    )
    ask_pages: int | None = Field(
        default=None, alias="ask.pages", ge=0, le=200, description="pages read in a round"
    )
    ask_passages: int | None = Field(
        default=None, alias="ask.passages", ge=1, le=200, description="passages to write from"
    )
    verify_results: int | None = Field(
        default=None, alias="verify.results", ge=1, le=50, description="results taken from a search"
    )
    verify_pages: int | None = Field(
        default=None, alias="verify.pages", ge=0, le=50, description="pages read in a round"
    )
    tool_calls: int | None = Field(
        default=None,
        alias="verify.max_tool_calls",
        ge=0,
        le=10,
        description="tool calls for one message",
    )
    remembers: bool | None = Field(
        default=None,
        alias="memory.enabled",
        description="whether the run recalls what was found before, and is remembered",
    )

    def settings(self) -> dict[str, object]:
        """Those that were set, by their dotted names."""
        return self.model_dump(by_alias=True, exclude_none=True)


def options_of(given: JsonObject) -> Options:
    """What a caller wants set, refused by its name where it is none of these."""
    return Options.model_validate(as_said(Options, "options", given))


NAMES = tuple(field.alias or name for name, field in Options.model_fields.items())


async def start(
    app: App,
    who: Caller,
    kind: str,
    given: JsonObject,
    options: Options | None = None,
    key: str | None = None,
    budget_usd: float | None = None,
) -> Run:
    """Start a run for a caller. The same key again gives the run that has it, unless something
    else is asked for now: that is a conflict."""
    asked = _completed(app, kind, as_said(job(kind).input, kind, given))
    if kind == "tool":
        without_password(str(asked["arguments"].get("url") or ""))
    settings = (options or Options()).settings()
    run = await app.submit(
        kind,
        asked,
        idempotency_key=key,
        settings=settings,
        owner=who,
        budget_usd=budget_usd,
    )
    limits = own_limits(budget_usd, {}, who)
    if key is not None and not _same(app, run, kind, asked, settings, limits):
        raise Conflict(
            "this Idempotency-Key belongs to another request", hint=f"its run is {run.id}"
        )
    if kind == "verify" and who.may("admin"):
        await _kept(app, run, asked)
    return run


async def _kept(app: App, run: Run, asked: JsonObject) -> None:
    """The message, so that sources are compared with it. Only of who sees all runs: others could
    silence a source by having asked before it."""
    message_id = await received(app.store.messages, asked, app.clock())
    if message_id:
        await app.store.messages.handed(message_id, run.id)


def as_said(form: type[BaseModel], name: str, given: JsonObject) -> JsonObject:
    """What a program sent, taken at its word: a number is no text that looks like one. Fields that
    it left out stay out."""
    plain(given)
    try:
        made = form.model_validate_json(canonical(_whole(given)), strict=True)
    except ValidationError as error:
        raise InputError(explained(name, error)) from None
    return made.model_dump(mode="json", by_alias=True, exclude_unset=True)


def plain(value: object) -> None:
    """Refuse what JSON can carry and nothing here can keep: halves of characters, NaN, towers."""
    try:
        canonical(value)
    except (ValueError, RecursionError) as error:
        raise InputError(
            "the input holds what cannot be kept: invalid text, a number that is none, or too "
            "much in one another"
        ) from error
    level: list[object] = [value]
    for _ in range(_DEEPEST):
        level = [inner for each in level for inner in _inside(each)]
        if not level:
            return
    raise InputError(f"the input has more than {_DEEPEST} levels")


def without_password(url: str) -> None:
    """Refuse an address with somebody's password in it: what is submitted is kept in clear, and no
    such address is ever asked."""
    try:
        named = "@" in urlsplit(url.strip()).netloc
    except ValueError:  # no address at all; who reads it says so
        return
    if named:
        raise InputError(
            "an address with a user name or password in it is not asked", hint="leave them out"
        )


def _whole(value: Any) -> Any:
    """To JSON, 3.0 is the number 3."""
    if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT:
        return int(value)
    if isinstance(value, dict):
        return {name: _whole(each) for name, each in cast(JsonObject, value).items()}
    if isinstance(value, list):
        return [_whole(each) for each in cast("list[Any]", value)]
    return value


def _inside(value: object) -> list[object]:
    if isinstance(value, dict):
        return list(cast("dict[str, object]", value).values())
    return list(cast("list[object]", value)) if isinstance(value, list | tuple) else []


def _completed(app: App, kind: str, given: Mapping[str, object]) -> JsonObject:
    """The input with what this desk prefers where the caller says nothing."""
    language = app.settings.language
    preferred: JsonObject = {}
    if kind == "ask":
        preferred = {"language": language}
    if kind == "verify":
        preferred = {"desk_language": language, "source": SOURCE}
    return app.checked(kind, {**preferred, **given})


def _same(
    app: App,
    run: Run,
    kind: str,
    asked: JsonObject,
    settings: Mapping[str, object],
    limits: Mapping[str, int],
) -> bool:
    """Whether a run is what is asked for now; settings that nobody sets are the desk's."""
    if (run.kind, run.input, run.budgets) != (kind, asked, limits):
        return False
    now = app.outside.run_settings(settings)
    return all(_at(run.settings, name) == _at(now, name) for name in NAMES)


def _at(view: JsonObject, name: str) -> Any:
    return reduce(lambda node, part: node.get(part, {}), name.split("."), view)
