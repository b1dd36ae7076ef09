"""Imports point down only; each driver has one home; one file reads the environment."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from source_tree import PACKAGE, Tree, called, dotted, plant

# From the ground up. Parts on one line are siblings: they never import each other.
LAYERS: tuple[frozenset[str], ...] = tuple(
    frozenset(line.split())
    for line in (
        "words __init__",
        "errors",
        "log plugins",
        "model",
        "language settings",
        "evidence",
        "gateway sample",
        "search fetch llm embed data store notify report",
        "reasoning versions",
        "context",
        "gather tools",
        "jobs",
        "runs",
        "app",
        "doors.language doors.proposals",  # what the ways in have in common
        "doors.api",
        "doors.mcp doors.ui",  # pages and MCP over HTTP come through the API's door
        "doors.serving",
        "doors.cli",
        "__main__ doors",
    )
)
RANK = {part: rank for rank, layer in enumerate(LAYERS) for part in layer}

# What people import from the package itself is looked up when they ask for it: see the test of
# the Python door that nothing is imported before.
PUBLIC = "__init__.py"

# Only these may know the store.
STORE_USERS = frozenset({"app", "store"})
# Of the facade, only itself and its groups go to the store; whoever else wants something kept or
# looked up asks one of them.
GROUPS = frozenset(
    f"app/{name}.py"
    for name in [
        "access",
        "archive",
        "costs",
        "exams",
        "facade",
        "forgetting",
        "health",
        "judgements",
        "memory",
        "runs",
        "schedules",
        "sources",
        "wiring",
    ]
)

# Third-party packages and the parts that may import them.
HOMES: dict[str, frozenset[str]] = {
    name: frozenset(parts.split())
    for names, parts in (
        ("sqlalchemy alembic psycopg sqlite3 duckdb", "store"),
        ("httpx2 httpcore2", "gateway search fetch llm embed data notify context app"),
        ("pydantic_ai openai anthropic google genai_prices", "llm embed"),
        ("langgraph langchain_core", "jobs"),
        ("trafilatura pypdfium2 protego fastfeedparser feedparser charset_normalizer", "fetch"),
        ("lxml", "fetch search"),
        ("htmldate", "fetch"),
        ("numpy", "store evidence"),
        ("onnxruntime", "evidence"),  # the reader's encoders: no network, no clock
        ("stamina pyrate_limiter", "gateway"),
        ("structlog", "log"),
        ("typer click", "doors.cli"),
        ("rich", "doors.cli report"),  # cards on a terminal
        ("fastapi starlette uvicorn", "doors.language doors.api doors.ui doors.mcp doors.serving"),
        ("jinja2", "doors.ui report"),
        ("typst docx markdown_it nh3", "report"),
        ("prometheus_client", "doors.api"),
        ("procrastinate", "runs store"),
        ("mcp", "doors.mcp"),
        ("telethon", "app"),
        ("croniter", "runs"),
        ("socket", "gateway runs doors.serving"),
        ("h11", "runs"),  # a command's way to the desk on the same machine; nothing outside
        ("platformdirs tomllib", "settings"),
        # The gateway is the one way out: nothing that people use needs another client.
        ("requests aiohttp httpx urllib3 http.client urllib.request ftplib", ""),
        ("smtplib", "gateway"),  # mail
    )
    for name in names.split()
}  # fmt: skip

CLIENT_HOME = "gateway/transport.py"
CLIENTS = frozenset({"AsyncClient", "Client", "AsyncHTTPTransport", "AsyncConnectionPool"})


def upward(tree: Tree) -> Iterator[str]:
    """Find imports of a part on the same layer or above, and parts without a layer."""
    for module in tree:
        if module.part not in RANK:
            yield f"{module.name}: {module.part} has no place in the layers"
            continue
        if module.name == PUBLIC:
            continue
        for name, line in module.imports():
            part = _part(name)
            if part is None or part == module.part:
                continue
            if part not in RANK:
                yield f"{module.name}:{line}: imports {name}, which has no place in the layers"
            elif RANK[part] >= RANK[module.part]:
                yield f"{module.name}:{line}: {module.part} imports {part} ({name})"


def _part(name: str) -> str | None:
    first, _, rest = name.partition(".")
    if first != PACKAGE:
        return None
    part, _, inner = rest.partition(".")
    if part == "doors" and inner:  # each way in is a part of its own
        return f"doors.{inner.partition('.')[0]}"
    return "__init__" if part in ("", "__version__") else part


def store_users(tree: Tree) -> Iterator[str]:
    """Imports of the store by anyone but the composition root."""
    for module in tree:
        for name, line in module.imports():
            if _part(name) == "store" and module.part not in STORE_USERS:
                yield f"{module.name}:{line}: imports the store"


def reaching_through(tree: Tree) -> Iterator[str]:
    """Find `.store` on anything, in doors and in use cases outside the facade."""
    for module in tree:
        if module.part == "store" or module.name in GROUPS:
            continue
        for node in module.nodes:
            if isinstance(node, ast.Attribute) and node.attr == "store":
                yield f"{module.name}:{node.lineno}: reaches through the facade into the store"


def strayed_drivers(tree: Tree) -> Iterator[str]:
    """Third-party packages imported outside their home."""
    for module in tree:
        for name, line in module.imports():
            for driver, homes in HOMES.items():
                if (name == driver or name.startswith(f"{driver}.")) and module.part not in homes:
                    yield f"{module.name}:{line}: imports {driver}"


def strayed_clients(tree: Tree) -> Iterator[str]:
    """Network clients built anywhere but in the guarded transport."""
    for module in tree:
        if module.name == CLIENT_HOME:
            continue
        for node in module.nodes:
            if not isinstance(node, ast.Call):
                continue
            full = dotted(node.func)
            one_shot = full.startswith("httpx2.") and called(node) in (
                "get", "post", "put", "patch", "delete", "head", "request", "stream",
            )  # fmt: skip
            if called(node) in CLIENTS or one_shot:
                yield f"{module.name}:{node.lineno}: builds {full or called(node)}"


def environment_readers(tree: Tree) -> Iterator[str]:
    """Uses of the process environment outside `settings`."""
    names = {"environ", "environb", "getenv", "putenv", "unsetenv"}
    for module in tree:
        if module.part == "settings":
            continue
        for node in module.nodes:
            used = isinstance(node, ast.Attribute) and node.attr in names
            taken = isinstance(node, ast.ImportFrom) and node.module == "os"
            if used or (taken and any(alias.name in names for alias in node.names)):
                yield f"{module.name}:{node.lineno}: reads the environment"


def printers(tree: Tree) -> Iterator[str]:
    """`print` anywhere but where results are rendered."""
    for module in tree:
        if module.name == "doors/cli/render.py":
            continue
        for node in module.nodes:
            if isinstance(node, ast.Name) and node.id == "print":
                yield f"{module.name}:{node.lineno}: prints"


RULES = [
    upward,
    store_users,
    reaching_through,
    strayed_drivers,
    strayed_clients,
    environment_readers,
    printers,
]


@pytest.mark.parametrize("rule", RULES)
def test_the_source_keeps_the_rule(package: Tree, rule) -> None:
    assert list(rule(package)) == []


@pytest.mark.parametrize(
    ("rule", "name", "text"),
    [
        (upward, "evidence__dates", "from groundwire.gateway.gateway import Gateway"),
        (upward, "language__dates", "import groundwire.settings"),
        (upward, "search__chain", "from groundwire.fetch import reader"),
        (upward, "search__chain", "from groundwire import fetch"),
        (upward, "search__chain", "def f():\n    from ..fetch import reader"),
        (upward, "log", "from groundwire.model.base import Json"),
        (upward, "reasoning__plan", 'plugins.load("groundwire.tools")'),
        (upward, "runs__engine", "if TYPE_CHECKING:\n    from groundwire.app import App"),
        (upward, "helpers__text", ""),
        (upward, "app", "import groundwire.helpers"),
        (store_users, "runs__runner", "from groundwire.store import open_store"),
        (
            store_users,
            "doors__cli__main",
            "if TYPE_CHECKING:\n    from groundwire.store import Store",
        ),
        (reaching_through, "doors__cli__runs", "runs = app.store.runs"),
        (reaching_through, "doors__ui__pages__run", "async def f(v):\n    v.desk.app.store.index"),
        (reaching_through, "app__intake__door", "self._app.store.messages"),
        (strayed_drivers, "runs__lock", "import sqlite3"),
        (strayed_drivers, "jobs__ask", "import httpx2"),
        (strayed_drivers, "search__http", "from urllib.request import urlopen"),
        (strayed_drivers, "app", "import sqlalchemy.exc"),
        (strayed_clients, "search__http", "client = httpx2.AsyncClient()"),
        (strayed_clients, "search__http", "from httpx2 import AsyncClient\nAsyncClient()"),
        (strayed_clients, "fetch__reader", "httpx2.get('http://x')"),
        (environment_readers, "llm__openai", "import os\nkey = os.environ['KEY']"),
        (environment_readers, "llm__openai", "from os import getenv"),
        (printers, "runs__engine", "print('here')"),
        (printers, "doors__cli__main", "list(map(print, [1]))"),
    ],
)
def test_a_planted_violation_is_found(tmp_path: Path, rule, name: str, text: str) -> None:
    assert len(list(rule(plant(tmp_path, **{name: text})))) == 1


@pytest.mark.parametrize(
    ("rule", "name", "text"),
    [
        (upward, "search__chain", "from groundwire.search.provider import Provider"),
        (upward, "search__chain", "from .provider import Provider"),
        (upward, "llm__model", "from groundwire import __version__"),
        (upward, "app", "from groundwire.store import open_store"),
        (store_users, "app__wiring", "if TYPE_CHECKING:\n    from groundwire.store import Store"),
        (reaching_through, "app__archive", "self._app.store.index"),
        (reaching_through, "doors__cli__runs", "app.runs.find(name)"),
        (strayed_drivers, "evidence__urls", "from urllib.parse import urlsplit"),
        (strayed_clients, "gateway__transport", "httpx2.AsyncClient()"),
        (environment_readers, "settings__sources", "import os\nos.environ"),
        (printers, "doors__cli__render", "print(1)"),
    ],
)
def test_what_is_allowed_is_left_alone(tmp_path: Path, rule, name: str, text: str) -> None:
    assert list(rule(plant(tmp_path, **{name: text}))) == []


def test_the_layers_are_those_of_the_overview() -> None:
    """The order that the specification draws, read off the ranks."""
    drawn = "doors.cli app runs jobs tools context reasoning search gateway evidence language model errors"
    ranks = [RANK[part] for part in drawn.split()]
    assert ranks == sorted(ranks, reverse=True)
    assert len(set(ranks)) == len(ranks)
