"""A loopback site that serves what it was filled with and records every request."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SENTENCES = (
    "The Lantern Bridge over the river Aske was opened to traffic on 4 May 2021. "
    "It cost 212 million dollars, and the city council of Velmora paid for all of it. "
    "Engineers had closed the old crossing in 2018 after cracks were found in two of its piers. "
)


def page(title: str, text: str = SENTENCES, head: str = "") -> bytes:
    """Build an article of realistic length."""
    body = "".join(f"<p>{title}: {text}</p>" for _ in range(4))
    return (
        f"<!doctype html><html><head><title>{title}</title>{head}</head>"
        f"<body><article><h1>{title}</h1>{body}</article></body></html>"
    ).encode()


@dataclass
class Given:
    """One answer."""

    body: bytes
    kind: str = "text/html; charset=utf-8"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    failures: int = 0  # this often it is 503 first


@dataclass
class Site:
    """Answers by path; anything else is 404. `requested` holds method and path, in order."""

    url: str = ""
    answers: dict[str, Given] = field(default_factory=dict)
    requested: list[str] = field(default_factory=list)
    agents: set[str] = field(default_factory=set)

    def give(
        self, path: str, body: bytes | str, kind: str = "", status: int = 200, **more: str
    ) -> str:
        """Add an answer and return its address."""
        data = body.encode() if isinstance(body, str) else body
        headers = {name.replace("_", "-"): value for name, value in more.items()}
        self.answers[path] = Given(data, kind or "text/html; charset=utf-8", status, headers)
        return f"{self.url}{path}"

    def pages(self) -> list[str]:
        """List the paths that were requested, without robots.txt."""
        return [path for path in self.requested if path != "/robots.txt"]

    @property
    def port(self) -> str:
        return self.url.rpartition(":")[2]


@contextmanager
def serving(host: str = "127.0.0.1") -> Iterator[Site]:
    site = Site()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.requested.append(self.path)
            site.agents.add(self.headers.get("user-agent", ""))
            given = site.answers.get(self.path, Given(b"<h1>404</h1>", status=404))
            tag = given.headers.get("ETag")
            status = given.status
            since = given.headers.get("Last-Modified")
            if tag and self.headers.get("if-none-match") == tag:
                status = 304
            if since and self.headers.get("if-modified-since") == since:
                status = 304
            if given.failures:
                given.failures -= 1
                status = 503
            self.send_response(status)
            for name, value in given.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Type", given.kind)
            if status != 304:
                self.send_header("Content-Length", str(len(given.body)))
            self.end_headers()
            if status != 304:
                self.wfile.write(given.body)

        def log_message(self, format: str, *args: object) -> None:
            return

    server = ThreadingHTTPServer((host, 0), Handler)
    server.daemon_threads = True
    site.url = f"http://{host}:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
