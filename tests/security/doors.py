"""Every door that there is, found in the routes themselves: a new one is attacked without being listed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import httpx2

from groundwire.doors.api.application import ROUTES
from groundwire.doors.serving import PAGES
from tests.doors.api.conftest import Api
from tests.openapi import document

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
HTML = {"Accept": "text/html"}
MCP = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
# Told to anybody who can reach the desk: nothing in them is anybody's.
OPEN = frozenset(
    {
        ("GET", "/healthz"),
        ("GET", "/readyz"),
        ("GET", "/api/openapi.json"),
        ("GET", "/sign-in"),
        ("POST", "/sign-in"),
        ("GET", "/static/{given}/{name}"),
        ("GET", "/favicon.ico"),
        ("POST", "/look/language"),
        ("POST", "/look/theme"),
    }
)
# They know who asks by other means than a token or a session.
SIGNED = ("POST", "/api/intake")
KEYED = ("POST", "/api/handed")
NOBODY = "ask-ffffffffff"


@dataclass(frozen=True)
class Door:
    """A method at an address."""

    method: str
    path: str
    page: bool  # of the pages, which know sessions only

    @property
    def name(self) -> tuple[str, str]:
        return self.method, self.path

    @property
    def unsafe(self) -> bool:
        return self.method not in SAFE

    def filled(self, **names: str) -> str:
        return re.sub(r"{(\w+)}", lambda found: names.get(found[1], "x"), self.path)

    async def knock(
        self, client: httpx2.AsyncClient, form: str = "", headers: dict[str, str] | None = None,
        **names: str,
    ) -> httpx2.Response:  # fmt: skip
        """Send the least that the door takes, with these headers."""
        kind: dict[str, str] = {}
        body: bytes | None = None
        if self.path == "/mcp":
            kind, body = MCP, b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}'
        elif self.page:
            kind = HTML | (FORM if self.unsafe else {})
            body = form.encode() if self.unsafe else None
        elif self.unsafe:
            kind, body = {"Content-Type": "application/json"}, b"{}"
        else:
            kind = {"Accept": "application/json"}
        return await client.request(
            self.method,
            self.filled(**names),
            content=body if self.unsafe else None,
            headers=kind | (headers or {}),
        )


def doors() -> list[Door]:
    """List the doors of REST, of the pages, and of MCP."""
    found = [Door(method, path, False) for method, path in _of(ROUTES)]
    found += [Door(method, path, True) for method, path in _of(PAGES)]
    found += [Door(method, "/mcp", False) for method in ("GET", "POST", "DELETE")]
    return [*found, Door("GET", "/api/openapi.json", False)]


def _of(modules: object) -> Iterator[tuple[str, str]]:
    for name in sorted(modules):  # type: ignore[call-overload]
        for route in modules[name].router.routes:  # type: ignore[index]
            for method in sorted(route.methods):
                yield method, route.path


def scopes() -> dict[tuple[str, str], str]:
    """Return the scope that each operation says it needs."""
    found: dict[tuple[str, str], str] = {}
    for path, operations in document()["paths"].items():
        for method, operation in operations.items():
            for way in operation.get("security", ()):
                for scope in way.get("token", ()):
                    found[method.upper(), path] = scope
    return found


async def signed_in(api: Api, scope: str, name: str = "") -> tuple[httpx2.AsyncClient, str]:
    """Sign in with a token of this scope; return the browser and its CSRF token."""
    from groundwire.app import access
    from groundwire.doors.api.door import COOKIE

    name = name or f"browser-{scope}-{len(api.people)}"
    made = await api.app.access.create(name, scope=scope)
    api.people[name] = access.caller(made.token)
    client = await api.client()
    answer = await client.post("/sign-in", data={"token": made.secret})
    assert answer.status_code == 303, answer.text
    return client, access.csrf_of(client.cookies[COOKIE])
