"""Environment variables that people already have set, and the settings they stand for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

PREFIX = "GROUNDWIRE_"
LEVEL = "__"


class Alias(NamedTuple):
    """A foreign name of a setting; `convert` turns its value into ours."""

    setting: str
    convert: Callable[[str], str] = str.strip


def _ollama(value: str) -> str:
    """Turn `OLLAMA_HOST`, as Ollama reads it, into its OpenAI-compatible address."""
    scheme, found, rest = value.strip().rstrip("/").partition("://")
    if not found:
        scheme, rest = "http", scheme
    host, slash, path = rest.partition("/")
    bare = host.rpartition("]")[2] if host.startswith("[") else host
    if ":" not in bare:
        host = f"{host}:{443 if scheme == 'https' else 11434}"
    # The server's "listen everywhere" address; a client reaches it on this machine.
    host = host.replace("0.0.0.0", "127.0.0.1", 1).replace("[::]", "[::1]", 1)
    base = f"{scheme}://{host}{slash}{path}"
    return base if base.endswith("/v1") else f"{base}/v1"


def _searxng(value: str) -> str:
    """Clean a server's address, written without a scheme or with the path of its search."""
    text = value.strip().partition("?")[0].rstrip("/").removesuffix("/search")
    return text if "://" in text or not text else f"http://{text}"


# Strongest last: where two names mean one setting, the later one wins. A job declares its own
# beside its settings.
SEED_ALIASES: Mapping[str, Alias] = {
    "DEEP_ANALYSIS_TOOL_TIMEOUT": Alias("search.timeout"),
    "DEEP_ANALYSIS_TOOL_DAILY_LIMIT": Alias("budget.day_tool_calls"),
    "DEEP_ANALYSIS_MONTHLY_BUDGET": Alias("budget.month_usd"),
    "DEEP_ANALYSIS_SEARCH_PROVIDER": Alias("search.chain"),
    "TOOL_SEARCH_ENABLED": Alias("tools.search.enabled"),
    "TOOL_PRICE_ENABLED": Alias("tools.price.enabled"),
    "TOOL_MACRO_ENABLED": Alias("tools.macro.enabled"),
    "TOOL_ONCHAIN_ENABLED": Alias("tools.onchain.enabled"),
    "SEARCH_MAX_RESULTS": Alias("search.max_results"),
    "SEARCH_CACHE_TTL_SECONDS": Alias("search.cache_ttl"),
}

_KEYS = {
    "search": "TAVILY BRAVE EXA SERPER BOCHA",
    "tools": "COINGECKO FRED",
    "models": "OPENAI ANTHROPIC OPENROUTER DEEPSEEK",
}
WELL_KNOWN: Mapping[str, Alias] = {
    **{
        f"{name}_API_KEY": Alias(f"{group}.providers.{name.lower()}.api_key")
        for group, names in _KEYS.items()
        for name in names.split()
    },
    "TAVILY_BASE_URL": Alias("search.providers.tavily.base_url"),
    # Not GOOGLE_API_KEY: that one is Gemini's.
    "GOOGLE_CSE_API_KEY": Alias("search.providers.google.api_key"),
    "GOOGLE_CSE_KEY": Alias("search.providers.google.api_key"),
    "GOOGLE_CSE_ID": Alias("search.providers.google.cx"),
    "SEARXNG_URL": Alias("search.providers.searxng.base_url", _searxng),
    "SEARXNG_BASE_URL": Alias("search.providers.searxng.base_url", _searxng),
    "OPENAI_BASE_URL": Alias("models.providers.openai.base_url"),
    "GOOGLE_API_KEY": Alias("models.providers.google.api_key"),
    "GEMINI_API_KEY": Alias("models.providers.google.api_key"),
    "OLLAMA_HOST": Alias("models.providers.ollama.base_url", _ollama),
}


def env_name(setting: str) -> str:
    """Return the variable of a setting: `search.cache_ttl` → `GROUNDWIRE_SEARCH__CACHE_TTL`."""
    return PREFIX + setting.replace(".", LEVEL).upper()
