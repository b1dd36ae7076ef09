"""Start the stubs as a process of their own and talk to their control paths."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any, Self

import httpx2
from pydantic import AwareDatetime, BaseModel, ConfigDict, TypeAdapter

from lab import PATHS
from lab.stubs.calllog import Call
from lab.stubs.faults import Fault, Rule

_PATIENCE = 10.0  # seconds for a control call
_CALLS = TypeAdapter(list[Call])


class StubsFailed(RuntimeError):
    """The stub process did not start, or refused a control call."""


class StubOptions(BaseModel):
    """What a stub process is told."""

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


class Stubs:
    """A running stub process; use it as `with`, or call `start` and `stop`."""

    def __init__(self, options: StubOptions) -> None:
        self._options = options
        self._addresses: dict[str, str] = {}

    def start(self) -> Self:
        """Start the process and wait until it serves; it ends when its standard input does."""
        self._process = subprocess.Popen(
            [sys.executable, "-m", "lab.stubs.serve", self._options.model_dump_json()],
            # Both are put on the path, so no installation is needed.
            env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, PATHS))},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        assert self._process.stdout is not None
        said = self._process.stdout.readline()
        if not said.startswith(b"{"):
            said += self._process.stdout.read()
            self.stop()
            raise StubsFailed(f"the stubs did not start: {said.decode(errors='replace')[-2000:]}")
        self._addresses = json.loads(said)
        return self

    def stop(self) -> None:
        """Kill the process and wait for it."""
        self._process.kill()
        self._process.communicate()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def model_url(self) -> str:
        """Base URL of the model, ending in /v1."""
        return self._addresses["model"]

    @property
    def tavily_url(self) -> str:
        """Base URL of the Tavily."""
        return self._addresses["tavily"]

    def engine_url(self, name: str) -> str:
        """Base URL of an engine."""
        return self._addresses[name]

    @property
    def web_url(self) -> str:
        """Origin of the web; pages are below /p/<host>/<path>."""
        return self._addresses["web"]

    def page(self, host: str, path: str) -> str:
        """Address of a page of the web."""
        return f"{self.web_url}/p/{host}/{path.lstrip('/')}"

    def log(self) -> list[Call]:
        """All calls since the last reset, in the order of receipt."""
        return _CALLS.validate_python(self._control("GET", "log")["calls"])

    def faults(self, *rules: Rule | Fault) -> None:
        """Set the rules in force; a bare fault strikes every call; none at all clears them."""
        full = [rule if isinstance(rule, Rule) else Rule(rule) for rule in rules]
        self._control("POST", "faults", [asdict(rule) for rule in full])

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

    def _control(self, method: str, what: str, body: object = None) -> Any:
        url = httpx2.URL(next(iter(self._addresses.values()))).join(f"/_stub/{what}")
        response = httpx2.request(
            method, url, json=body, trust_env=False, verify=False, timeout=_PATIENCE
        )
        answer = response.json()
        if response.status_code != 200:
            raise StubsFailed(str(answer.get("error")))
        return answer


def running_stubs(*stubs: str, **options: object) -> Stubs:
    """Stubs (model, tavily, web unless named) in a process that ends with the block or with its
    parent; `options` are those of `StubOptions`."""
    named = {"stubs": stubs} if stubs else {}
    return Stubs(StubOptions.model_validate({**named, **options}))
