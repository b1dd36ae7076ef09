"""The input of watch: what to look for, where, how far back, and what is worth telling."""

from __future__ import annotations

import re
from typing import Annotated, Literal, cast

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints

from groundwire.errors import Unfit, UnknownName
from groundwire.jobs.watch.conditions import parsed
from groundwire.jobs.watch.subject import names_something
from groundwire.model.base import JsonObject, Value
from groundwire.model.run import RunName
from groundwire.search.platforms import platform

LONGEST_COMMAND = 400
_MOST = 20  # platforms, feeds or conditions


def _split(separators: str) -> BeforeValidator:
    """Take a list, or one text with separators, as a command line gives it."""

    def split(given: object) -> object:
        if isinstance(given, str):
            return tuple(part.strip() for part in re.split(separators, given) if part.strip())
        # A program's list: behind a validator it is no JSON any more, and strictly no tuple.
        return tuple(cast("list[object]", given)) if isinstance(given, list) else given

    return BeforeValidator(split)


def known_platform(name: str) -> str:
    """Return a platform's name; an unknown one is refused with the nearest."""
    try:
        return platform(name).name
    except UnknownName as error:
        # What a validator raises is reported beside its field.
        about: JsonObject = dict(error.params)
        raise Unfit(error.says, **about) from None


def _readable(condition: str) -> str:
    parsed(condition)
    return condition


def _about_something(command: str) -> str:
    if not names_something(command):
        raise Unfit("watch.input.subject", text=command[:40])
    return command


Platforms = Annotated[
    tuple[Annotated[str, AfterValidator(known_platform)], ...],
    _split(r"[,，、\s]+"),
    Field(max_length=_MOST),
]
Feeds = Annotated[
    tuple[Annotated[str, StringConstraints(min_length=1, max_length=2000)], ...],
    _split(r"\s+"),
    Field(max_length=_MOST),
]
Conditions = Annotated[
    tuple[Annotated[str, AfterValidator(_readable)], ...],
    _split(r"[;；\n]+"),
    Field(max_length=_MOST),
]


class WatchInput(Value):
    """A standing question. `previous` names the finished run that this one is compared with."""

    command: Annotated[
        str,
        StringConstraints(
            strip_whitespace=True, min_length=1, max_length=LONGEST_COMMAND, pattern=r"\w"
        ),
        AfterValidator(_about_something),
    ] = Field(description="what to watch")
    language: Literal["auto", "zh", "zh-Hant", "en"] = Field(
        default="auto", description="of the brief; auto: the command's"
    )
    platforms: Platforms = Field(
        default=(), description="where to look: news,zhihu,hackernews; unset: the plan says"
    )
    days: int | None = Field(
        default=None, le=36_500, description="how many days back searches look; unset: no limit"
    )
    feeds: Feeds = Field(
        default=(), description="feeds that are read first; searches then only confirm"
    )
    conditions: Conditions = Field(
        default=(), description="what alerts: price < 2; verdict turns contradicted; origins >= 2"
    )
    max_steps: int = Field(default=10, ge=1, le=100, description="the most rounds of searching")
    review: bool = Field(default=False, description="wait for a word on the plan")
    watch: str = Field(default="", max_length=80)  # the standing run that this is a run of
    previous: RunName = Field(
        default="", description="the finished run that this one is compared with"
    )
