"""The price of a call in whole micro-dollars: estimated before it, exact after it was counted."""

from __future__ import annotations

from functools import cache
from math import ceil
from typing import NamedTuple

from groundwire.llm.model import ModelCall, Usage
from groundwire.llm.spec import ModelSpec
from groundwire.model.base import JsonObject, canonical


class Rate(NamedTuple):
    """Dollars per million tokens, which is micro-dollars per token."""

    input: float
    output: float


# List prices on 2026-11-16, for when the price tables are not installed or do not know the model.
DATED: dict[tuple[str, str], Rate] = {
    ("openai", "gpt-5.4-mini"): Rate(0.75, 4.5),
    ("openai", "gpt-5.4"): Rate(2.5, 15),
    ("openai", "gpt-4.1-mini"): Rate(0.4, 1.6),
    ("openai", "gpt-4.1"): Rate(2, 8),
    ("deepseek", "deepseek-flash"): Rate(0.3, 1.2),
    ("deepseek", "deepseek-v4-pro"): Rate(1.32, 3.96),
    ("google", "gemini-3.5-flash-lite"): Rate(0.3, 2.5),
    ("google", "gemini-3.8-flash"): Rate(0.75, 3.75),
    ("google", "gemini-2.5-flash"): Rate(0.3, 2.5),
    ("anthropic", "claude-haiku-5-5"): Rate(0.1, 0.5),
    ("anthropic", "claude-sonnet-5-5"): Rate(2, 10),
    ("anthropic", "claude-opus-5-5"): Rate(4, 20),
    ("openrouter", "openai/gpt-5.4-mini"): Rate(0.75, 4.5),
    ("openrouter", "openai/gpt-5.4"): Rate(2.5, 15),
}
# What an unlisted model is taken to cost: as much as the dearest here, so that a budget is reached too early rather
# than too late, and an exam can still be paid for.
ASSUMED = Rate(
    max(rate.input for rate in DATED.values()), max(rate.output for rate in DATED.values())
)

# A wide upper bound for English (4 bytes a token) and Chinese (3 bytes a character, one token).
_BYTES_PER_TOKEN = 2
_LETTERS_PER_TOKEN = 4
_OVERHEAD_TOKENS = 64  # roles, tool framing
_PICTURE_TOKENS = 6_000  # above what any vendor counted for one picture on 2026-11-16


def tokens_of(*texts: str) -> int:
    """Bound the number of tokens in texts from above, without a tokenizer."""
    size = sum(len(text.encode("utf-8", "replace")) for text in texts)
    return ceil(size / _BYTES_PER_TOKEN)


def usual_tokens(*texts: str) -> int:
    """Count the tokens in texts as vendors usually do: four letters, or one Chinese character."""
    letters = sum(each.isascii() for text in texts for each in text)
    return ceil(letters / _LETTERS_PER_TOKEN) + sum(len(text) for text in texts) - letters


def picture_tokens(call: ModelCall) -> int:
    """Bound the tokens that the pictures of a request count as from above."""
    return _PICTURE_TOKENS * len(call.pictures)


def estimate(spec: ModelSpec, request: JsonObject) -> int:
    """Estimate the most that a call may cost: reserved before it is sent."""
    call = ModelCall.read(request)
    schema = canonical(call.output_schema).decode()
    input_tokens = (
        tokens_of(call.system, call.user, schema) + picture_tokens(call) + _OVERHEAD_TOKENS
    )
    return price(spec, Usage(input_tokens=input_tokens, output_tokens=call.settings.max_tokens))


def price(spec: ModelSpec, usage: Usage) -> int:
    """Price tokens of this model: as the user says, as listed, or as assumed."""
    known = _known_price(spec, usage)
    return _at_rate(ASSUMED, usage) if known is None else known


def window(spec: ModelSpec) -> int | None:
    """Return how many tokens a model reads at once: as the user says, or as listed; None: nobody says."""
    if spec.options.context_window is not None:
        return spec.options.context_window
    table = spec.options.prices or spec.declared().PRICES
    return None if table is None else _listed_window(table, spec.name)


def is_priced(spec: ModelSpec) -> bool:
    """Tell whether the price of a model is known, not only assumed."""
    return _known_price(spec, Usage()) is not None


def _known_price(spec: ModelSpec, usage: Usage) -> int | None:
    declared, options = spec.declared(), spec.options
    if options.input_usd is not None and options.output_usd is not None:
        return _at_rate(Rate(options.input_usd, options.output_usd), usage)
    if declared.LOCAL:
        return 0
    table = options.prices or declared.PRICES
    if table is not None:
        # Searching the tables in vain takes longer than all the rest here.
        listed = _listed(table, spec.name, usage) if _in_tables(table, spec.name) else None
        if listed is not None:
            return listed
        dated = DATED.get((table, spec.name))
        if dated is not None:
            return _at_rate(dated, usage)
    return None


def _at_rate(rate: Rate, usage: Usage) -> int:
    micro = usage.input_tokens * rate.input + usage.output_tokens * rate.output
    return ceil(round(micro, 6))


@cache
def _in_tables(vendor: str, model: str) -> bool:
    from importlib.util import find_spec

    return bool(find_spec("genai_prices")) and _listed(vendor, model, Usage()) is not None


@cache
def _listed_window(vendor: str, model: str) -> int | None:
    if not _in_tables(vendor, model):
        return None
    from genai_prices.data_snapshot import get_snapshot

    _, found = get_snapshot().find_provider_model(model, None, vendor, None)
    return found.context_window


def _listed(vendor: str, model: str, usage: Usage) -> int | None:
    from genai_prices import Usage as Counted
    from genai_prices import calc_price

    counted = Counted(
        input_tokens=usage.input_tokens,
        cache_read_tokens=usage.cache_read_tokens,
        cache_write_tokens=usage.cache_write_tokens,
        output_tokens=usage.output_tokens,
    )
    try:
        found = calc_price(counted, model, provider_id=vendor)
    except LookupError:
        return None
    return ceil(found.total_price * 1_000_000)
