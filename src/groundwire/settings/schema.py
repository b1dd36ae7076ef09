"""Every setting: its name, type, default, limits and one line of meaning."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, SecretStr

from groundwire.settings.fields import (
    Count,
    DatabaseUrl,
    Domains,
    Feeds,
    Keywords,
    Models,
    Most,
    Networks,
    Ports,
    Providers,
    Proxies,
    Seconds,
    Section,
    Shares,
    Some,
    Usd,
    Words,
)


class ModelSettings(Section):
    light: Models = Field(default=(), description="models for quick questions, tried in order")
    heavy: Models = Field(default=(), description="models for hard questions, tried in order")
    vision: Models = Field(default=(), description="models that see pictures, tried in order")
    embed: Models = Field(
        default=(),
        description="model for embeddings; only the first is used, as vectors of two cannot be compared",
    )
    dimensions: int = Field(
        default=256,
        ge=32,
        le=4096,
        description="length of vectors, where the vendor lets us choose",
    )
    exam: Literal["first_use", "off"] = Field(
        default="first_use",
        description="first_use: a model sits the exam of a question before its answers count for more "
        "than advice; off: no exam, every model advises",
    )
    exam_usd: Usd = Field(
        default=1.0,
        description="most that the exams of one run may spend on first use, beside `budget.run_usd`; `none`: no limit",
    )
    providers: Providers = Field(
        default_factory=dict, description="options of a vendor: api_key, base_url, kind…"
    )


class SearchSettings(Section):
    chain: Words = Field(
        default=(),
        description="providers in order of preference; empty: every one that can be used",
    )
    cache_ttl: Count = Field(
        default=600, description="seconds that an answer is shared between runs"
    )
    timeout: Seconds = Field(default=10.0, description="seconds a search may take")
    max_results: Some | None = Field(
        default=None,
        le=50,
        description="results of a search where no number is given; unset: 5, and what a job has as `results` for itself",
    )
    mode: Literal["failover", "all"] = Field(
        default="failover",
        description="failover: one provider after the other until one finds something; "
        "all: every one at once, their lists fused",
    )
    per_domain: Some = Field(default=3, description="results of one site in a list")
    providers: Providers = Field(
        default_factory=dict, description="options of a provider: api_key, base_url…"
    )


class FetchSettings(Section):
    allow_private: Networks = Field(
        default=(), description="private networks that pages may be read from, such as 127.0.0.0/8"
    )
    allow_ports: Ports = Field(
        default=(), description="ports that pages may be read from beside 80, 443"
    )
    timeout: Seconds = Field(default=15.0, description="seconds a page may take")
    max_bytes: int = Field(
        default=10_000_000, ge=1_000, le=1_000_000_000, description="decoded bytes a page may have"
    )
    workers: int = Field(default=2, ge=1, le=64, description="processes that parse pages")
    concurrency: int = Field(default=16, ge=1, le=1_000, description="pages read at once")
    per_host: int = Field(default=2, ge=1, le=100, description="pages read at once from one host")
    robots: bool = Field(default=True, description="whether robots.txt of a site is obeyed")
    proxies: Proxies = Field(
        default=(),
        description="your own HTTP proxies, such as http://USER:PASSWORD@HOST:PORT: a page that a site refuses (403) is asked for once more through one of them",
    )
    delay: float = Field(
        default=0.5,
        ge=0,
        le=60,
        description="least seconds between two pages of one host; robots.txt may ask for more",
    )


class BudgetSettings(Section):
    run_usd: Usd = Field(default=0.50, description="most that one run may spend; `none`: no limit")
    day_usd: Usd = Field(default=5.0, description="most that a day may spend; `none`: no limit")
    month_usd: Usd = Field(
        default=30.0, description="most that a month may spend; `none`: no limit"
    )
    run_faults: Most = Field(
        default=100,
        description="calls of one run that may fail at the other side before it makes no more; `none`: no limit",
    )
    day_tool_calls: Count = Field(default=50, description="tool calls that jobs may make in a day")


class MemorySettings(Section):
    enabled: bool = Field(
        default=True, description="whether runs remember what they find, and recall it"
    )


class ToolOn(Section):
    enabled: bool = Field(default=True, description="whether the tool may be used")


class ToolOff(Section):
    # A tool that needs a key is off until it is wanted.
    enabled: bool = Field(default=False, description="whether the tool may be used")


class _PegTool(ToolOn):
    peg_percent: float = Field(
        default=1.0, gt=0, le=100, description="deviation from a peg that is worth a signal"
    )


class PriceTool(_PegTool):
    move_percent: float = Field(
        default=10.0, gt=0, le=100, description="move in 24 hours that is worth a signal"
    )


class OnchainTool(_PegTool):
    drop_percent: float = Field(
        default=30.0, gt=0, le=100, description="loss of locked value in a day worth a signal"
    )


class ToolSettings(Section):
    search: ToolOn = Field(default_factory=ToolOn)
    price: PriceTool = Field(default_factory=PriceTool)
    onchain: OnchainTool = Field(default_factory=OnchainTool)
    macro: ToolOff = Field(default_factory=ToolOff)
    timeout: Seconds = Field(default=5.0, description="seconds a source of numbers may take")
    providers: Providers = Field(
        default_factory=dict, description="options of a source of numbers: api_key, base_url…"
    )


class DedupSettings(Section):
    exact: bool = Field(
        default=True, description="whether a text that came within a day is only seen again"
    )
    hash: bool = Field(
        default=True, description="whether the same words, however dressed, are only seen again"
    )
    near: bool = Field(
        default=True, description="whether nearly the same text within 7 days is only seen again"
    )
    signal: bool = Field(
        default=True, description="whether the same event within 6 hours is only seen again"
    )


class TelegramSettings(Section):
    channels: Words = Field(default=(), description="channels to listen to, by name or number")
    api_id: Annotated[int, Field(ge=1)] | None = Field(
        default=None, description="number of your application at my.telegram.org"
    )
    api_hash: SecretStr | None = Field(
        default=None, description="secret of your application at my.telegram.org"
    )


class IntakeSettings(Section):
    dedup: DedupSettings = Field(default_factory=DedupSettings)
    secret: SecretStr | None = Field(
        default=None, description="signs messages that arrive by webhook"
    )
    allow: Keywords = Field(
        default=(), description="words of which a message from a source needs one; empty: any"
    )
    deny: Keywords = Field(default=(), description="words that turn a message from a source away")
    priority: Shares = Field(
        default=(),
        description="confidence from which a source's messages go deep: telegram:whales=0.5",
    )
    concurrency: int = Field(default=8, ge=1, le=32, description="messages verified at once")
    feeds: Feeds = Field(default=(), description="feeds to listen to: RSS, Atom or JSON")
    feed_seconds: Annotated[float, Field(ge=1, le=86_400)] = Field(
        default=120.0, description="seconds between two looks at a feed"
    )
    telegram: TelegramSettings = Field(default_factory=TelegramSettings)


class DeskSettings(Section):
    host: str = Field(
        default="127.0.0.1",
        min_length=1,
        description="address that the desk listens at; any but this machine's own demands tokens",
    )
    port: int = Field(default=8600, ge=0, le=65535, description="port; 0: any that is free")
    hosts: Domains = Field(
        default=(),
        description="names under which browsers may reach the desk, beside its address; demand tokens",
    )
    url: Annotated[str, Field(pattern=r"^(https?://\S+)?$")] = Field(
        default="",
        description="address under which people reach the desk, for links in messages; empty: host and port",
    )
    require_token: bool = Field(
        default=False, description="whether a token is needed on this machine, too"
    )
    https: bool = Field(
        default=False,
        description="whether browsers reach the desk through HTTPS, by a proxy; demands tokens",
    )
    session_days: int = Field(default=14, ge=1, le=365, description="days that a sign-in holds")
    max_upload_bytes: int = Field(
        default=20_000_000, ge=1_000, le=1_000_000_000, description="bytes that an upload may have"
    )
    followers: int = Field(
        default=2_000, ge=1, le=100_000, description="streams of events at once, in one process"
    )
    confirm_days: Annotated[float, Field(gt=0, le=365)] = Field(
        default=7.0, description="days that a run waits for a person to confirm what it proposes"
    )
    at_once: int = Field(
        default=32, ge=1, le=1_000, description="runs of one kind that a process executes at once"
    )

    def address(self) -> str:
        """Return the address that links to the desk begin with."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return self.url or f"http://{host}:{self.port}"


class LogSettings(Section):
    level: Literal["debug", "info", "warning", "error"] = Field(
        default="warning", description="least level that is written to stderr"
    )
    format: Literal["plain", "json"] = Field(default="plain", description="form of a log line")


class Sections(Section):
    """The tree of all settings that no job owns; `Settings` adds behaviour."""

    home: Path | None = Field(default=None, description="data folder; default: the platform's")
    database_url: DatabaseUrl | None = Field(
        default=None, description="database; default: SQLite in the data folder"
    )
    offline: bool = Field(default=False, description="archive only, no attempt at the network")
    language: Literal["auto", "zh", "zh-Hant", "en"] = Field(
        default="auto", description="language of results"
    )
    durability: Literal["normal", "full"] = Field(
        default="normal", description="full: a commit survives a power cut, at the price of speed"
    )
    models: ModelSettings = Field(default_factory=ModelSettings)
    search: SearchSettings = Field(default_factory=SearchSettings)
    fetch: FetchSettings = Field(default_factory=FetchSettings)
    budget: BudgetSettings = Field(default_factory=BudgetSettings)
    memory: MemorySettings = Field(default_factory=MemorySettings)
    tools: ToolSettings = Field(default_factory=ToolSettings)
    intake: IntakeSettings = Field(default_factory=IntakeSettings)
    desk: DeskSettings = Field(default_factory=DeskSettings)
    notify: Providers = Field(
        default_factory=dict,
        description="channels that tell of results: webhook.url, mail.host, telegram.token …; `kind` says what one of another name is",
    )
    log: LogSettings = Field(default_factory=LogSettings)
