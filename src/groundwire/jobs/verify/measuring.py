"""The measuring tools: what each is asked about a message, and what its numbers say of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from groundwire.context import Context
from groundwire.errors import OutsideFailure
from groundwire.jobs.verify.market_bearing import MarketMessage, of_macro, of_onchain, of_price
from groundwire.jobs.verify.types import State
from groundwire.model.measure import MeasuredBearing, failed_tool
from groundwire.model.tool import ToolFailure, ToolName, ToolResult
from groundwire.tools import macro, onchain, price

_MOST = 5
_SYMBOL, _NAME, _TEXT = 40, 80, 20_000  # the longest that the tools take


async def measure(context: Context, state: State, tool: ToolName) -> ToolResult:
    """Return one tool's outcome; a failure is a value and never has a bearing."""
    ask, result, source = _TOOLS[tool]
    try:
        return result(*await ask(context, state))
    except OutsideFailure as error:
        return failed_tool(tool, source, ToolFailure.of(error), context.now())


def _market_message(state: State) -> MarketMessage:
    return MarketMessage(state.preliminary, state.text, state.message.at)


def _assets(state: State) -> tuple[str, ...]:
    preliminary = state.preliminary
    return askable((preliminary.asset, *preliminary.assets), _SYMBOL)


def askable(names: Iterable[str], longest: int) -> tuple[str, ...]:
    """Return the first few names that a tool can be asked for."""
    found = dict.fromkeys(name.strip() for name in names)
    return tuple(name for name in found if 0 < len(name) <= longest)[:_MOST]


async def _price(context: Context, state: State) -> tuple[price.Result, MeasuredBearing | None]:
    assets = _assets(state)
    if not assets:
        return price.Result(at=context.now()), None
    found = await price.run(context, price.Input(assets=assets))
    return found, of_price(_market_message(state), found.quotes)


async def _onchain(context: Context, state: State) -> tuple[onchain.Result, MeasuredBearing]:
    names = askable((state.preliminary.asset_name, *_assets(state)), _NAME)
    onchain_input = onchain.Input(assets=_assets(state), names=names, at=state.message.at)
    found = await onchain.run(context, onchain_input)
    bearing = of_onchain(
        _market_message(state), found.at, pegs=found.pegs, thefts=found.thefts, locked=found.locked
    )
    return found, bearing


async def _macro(context: Context, state: State) -> tuple[macro.Result, MeasuredBearing | None]:
    found = await macro.run(context, macro.Input(text=state.text[:_TEXT], at=state.message.at))
    return found, None if found.series is None else of_macro(_market_message(state), found.series)


# For each tool: how it is asked, its outcome under the contract, and the source of a failure.
_TOOLS: dict[str, tuple[Callable[..., Awaitable[Any]], Callable[..., ToolResult], str]] = {
    "price": (_price, price.tool_result, "price"),
    "onchain": (_onchain, onchain.tool_result, "defillama"),
    "macro": (_macro, macro.tool_result, "fred"),
}
