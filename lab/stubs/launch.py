"""Start the stubs as a process of their own and talk to their control paths."""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

from pydantic import AwareDatetime, BaseModel, ConfigDict, TypeAdapter

from lab import PATHS
from lab.stubs.calllog import Call
from lab.stubs.faults import Fault, Rule
from lab.stubs.terms import Json

_START_SECONDS = 30.0
_CALLS = TypeAdapter(list[Call])


class StubsFailed(RuntimeError):
    """The stub process did not start, or refused a control call."""


class StubOptions(BaseModel):
    """What a stub process is told; `parent` and `ready_file` are its starter's own business."""

    model_config = ConfigDict(extra="forbid")

    stubs: tuple[str, ...] = ("model", "tavily", "web")
    latency_model: float = 0.0  # seconds before each reply
    latency_search: float = 0.0
    latency_page: float = 0.0
    articles: Path | None = None  # folder of articles instead of the shipped sample
    pages: int = 240  # least number of ordinary pages
    spread: int = 1  # serve the web on 127.0.0.1 to 127.0.0.N
    public_urls: bool = False  # search results keep the sites' own addresses
    now: AwareDatetime | None = None  # the moment that time_range counts from
    ready_file: Path | None = None  # JSON with pid and addresses, written when serving
    parent: int = 0  # exit when this process is no longer the parent


class Stubs:
    """A running stub process; use it as `with`, or call `start` and `stop`."""

    def __init__(self, options: StubOptions) -> None:
        self._options = options
        self._process: subprocess.Popen[bytes] | None = None
        self._addresses: dict[str, str] = {}
        self.pid = 0

    def start(self) -> Self:
        """Start the process and wait until it serves."""
        with tempfile.TemporaryDirectory() as folder:
            ready, errors = Path(folder, "ready.json"), Path(folder, "errors")
            given = {"ready_file": ready, "parent": os.getpid()}
            told = self._options.model_copy(update=given).model_dump_json()
            with errors.open("wb") as sink:
                # Both are put on the path, so no installation is needed.
                self._process = subprocess.Popen(
                    [sys.executable, "-m", "lab.stubs.serve", told],
                    env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, PATHS))},
                    stdin=subprocess.DEVNULL,
                    stdout=sink,
                    stderr=sink,
                )
            limit = time.monotonic() + _START_SECONDS
            while not ready.exists():
                if self._process.poll() is not None or time.monotonic() > limit:
                    said = errors.read_text(encoding="utf-8", errors="replace")[-2000:]
                    self.stop()
                    raise StubsFailed(f"the stubs did not start: {said}")
                time.sleep(0.01)
            found: dict[str, str | int] = json.loads(ready.read_text(encoding="utf-8"))
        self.pid = int(found.pop("pid"))
        self._addresses = {name: str(value) for name, value in found.items()}
        return self

    def stop(self) -> None:
        """Kill the process and wait for it."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    @property
    def model_url(self) -> str:
        """Base URL of the model, ending in /v1."""
        return self._addresses["model_url"]

    @property
    def tavily_url(self) -> str:
        """Base URL of the Tavily."""
        return self._addresses["tavily_url"]

    def engine_url(self, name: str) -> str:
        """Base URL of an engine."""
        return self._addresses[f"{name}_url"]

    @property
    def web_url(self) -> str:
        """Origin of the web; pages are below /p/<host>/<path>."""
        return self._addresses["web_url"]

    def page(self, host: str, path: str) -> str:
        """Address of a page of the web."""
        return f"{self.web_url}/p/{host}/{path.lstrip('/')}"

    def log(self) -> list[Call]:
        """All calls since the last reset, in the order of receipt."""
        return _CALLS.validate_python(self._control("GET", "log")["calls"])

    def faults(self, *rules: Rule | Fault, append: bool = False) -> None:
        """Set the rules in force; a bare fault strikes every call; none at all clears them."""
        full = [rule if isinstance(rule, Rule) else Rule(rule) for rule in rules]
        self._control("POST", "faults", {"rules": [asdict(r) for r in full], "append": append})

    def kill(self, pid: int | Path, at: int) -> None:
        """SIGKILL the process when call `at` (counted from 0 since the reset) is received."""
        victim = pid if isinstance(pid, int) else str(pid)
        self._control("POST", "kill", {"victim": victim, "at": at})

    def latency(
        self, model: float | None = None, search: float | None = None, page: float | None = None
    ) -> None:
        """Change latencies in seconds."""
        given = {"model": model, "tavily": search, "web": page}
        self._control("POST", "latency", {k: v for k, v in given.items() if v is not None})

    def reset(self) -> None:
        """Empty the log, clear faults and the kill; latencies stay."""
        self._control("POST", "reset")

    def _control(
        self, method: str, what: str, body: dict[str, Json] | None = None
    ) -> dict[str, Json]:
        parts = urlsplit(next(iter(self._addresses.values())))
        connection = http.client.HTTPConnection(parts.hostname or "", parts.port or 0, timeout=10)
        try:
            connection.request(method, f"/_stub/{what}", json.dumps(body or {}))
            response = connection.getresponse()
            answer: dict[str, Json] = json.loads(response.read())
        finally:
            connection.close()
        if response.status != 200:
            raise StubsFailed(str(answer.get("error")))
        return answer


def running_stubs(*stubs: str, **options: object) -> Stubs:
    """Stubs (model, tavily, web unless named) in a process that ends with the block or with its
    parent; `options` are those of `StubOptions`."""
    named = {"stubs": stubs} if stubs else {}
    return Stubs(StubOptions.model_validate({**named, **options}))
