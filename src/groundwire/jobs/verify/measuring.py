"""The tools that measure: what each is asked about a message, and what its numbers say of it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from groundwire.context import Context
from groundwire.errors import OutsideFailure
from groundwire.jobs.verify.market_bearing import Told, of_macro, of_onchain, of_price
from groundwire.jobs.verify.types import State
from groundwire.model.tool import ToolFailure, ToolName, ToolResult
from groundwire.tools import macro, onchain, price

_MOST = 5
_LONGEST = 40  # characters of a name that a source of prices may know
_SYMBOL, _NAME, _TEXT = 40, 80, 20_000  # longest that the tools take: no symbol is longer


async def measure(context: Context, state: State, tool: ToolName) -> ToolResult:
    """One tool's outcome; a failure is a value and never has a bearing."""
    match tool:
        case "price":
            return await _price(context, state)
        case "onchain":
            return await _onchain(context, state)
        case _:
            return await _macro(context, state)


def failed(tool: ToolName, failure: ToolFailure, at: datetime) -> ToolResult:
    return ToolResult(tool=tool, source=tool, timestamp=at, success=False, error=failure)


def _told(state: State) -> Told:
    return Told(state.preliminary, state.text, state.message.at)


def _assets(state: State) -> tuple[str, ...]:
    preliminary = state.preliminary
    return askable((preliminary.asset, *preliminary.assets), _SYMBOL)


def askable(names: Iterable[str], longest: int) -> tuple[str, ...]:
    """The first few names that a tool can be asked for."""
    found = dict.fromkeys(name.strip() for name in names)
    return tuple(name for name in found if 0 < len(name) <= longest)[:_MOST]


async def _price(context: Context, state: State) -> ToolResult:
    assets = _assets(state)
    if not assets:
        return price.tool_result(price.Result(at=context.now()), context.now())
    try:
        found = await price.run(context, price.Input(assets=assets))
    except OutsideFailure as error:
        return price.tool_result(error, context.now())
    return price.tool_result(found, context.now(), of_price(_told(state), found.quotes))


async def _onchain(context: Context, state: State) -> ToolResult:
    names = askable((state.preliminary.asset_name, *_assets(state)), _NAME)
    asked = onchain.Input(assets=_assets(state), names=names, at=state.message.at)
    try:
        found = await onchain.run(context, asked)
    except OutsideFailure as error:
        return onchain.tool_result(error, context.now())
    finding = of_onchain(
        _told(state), found.at, pegs=found.pegs, thefts=found.thefts, locked=found.locked
    )
    return onchain.tool_result(found, context.now(), finding)


async def _macro(context: Context, state: State) -> ToolResult:
    try:
        found = await macro.run(context, macro.Input(text=state.text[:_TEXT], at=state.message.at))
    except OutsideFailure as error:
        return macro.tool_result(error, context.now())
    finding = None if found.series is None else of_macro(_told(state), found.series)
    return macro.tool_result(found, context.now(), finding)
