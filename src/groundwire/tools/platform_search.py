"""Search named platforms, each by its own API, by your feed generator, or by its sites."""

from __future__ import annotations

import asyncio
from typing import Annotated

from pydantic import AfterValidator, Field

from groundwire.context import Context
from groundwire.errors import Unfit, UnknownName
from groundwire.model.base import Value
from groundwire.model.call import CallError
from groundwire.model.query import Query, SearchReport
from groundwire.search.platforms import platform
from groundwire.tools.search import Span

_USUAL = 5  # results of a platform


def _known(name: str) -> str:
    try:
        return platform(name).name
    except UnknownName as error:
        raise Unfit(error.says, hint=error.hints, **error.params) from None


class Input(Value):
    """What to look for, and where."""

    query: str = Field(min_length=1, max_length=4000)
    platforms: tuple[Annotated[str, AfterValidator(_known)], ...] = Field(
        default=("web",), min_length=1, max_length=14
    )
    time_range: Span | None = None


class Searched(Value):
    """What the search of one platform brought, failures included."""

    platform: str
    report: SearchReport


class Result(Value):
    searched: tuple[Searched, ...]


def failure(result: Result) -> CallError | None:
    """Return why nothing is known where the search of every platform failed."""
    if not all(each.report.failed for each in result.searched):
        return None
    first = result.searched[0].report.failures[0]
    return CallError(code=first.code, message="gap.every_search_failed")


def degraded(result: Result) -> bool:
    """Tell whether a provider did not answer though others did."""
    return any(each.report.failures for each in result.searched)


async def run(context: Context, given: Input) -> Result:
    """Search each platform, side by side; hits keep platform, author and what readers did with them."""
    names = tuple(dict.fromkeys(given.platforms))
    reports = await asyncio.gather(
        *(
            context.step(name).search(
                Query(
                    text=given.query,
                    platform=name,
                    time_range=given.time_range,
                    max_results=context.parts.results or _USUAL,
                )
            )
            for name in names
        )
    )
    found = zip(names, reports, strict=True)
    return Result(searched=tuple(Searched(platform=name, report=each) for name, each in found))
