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
from lab.stubs.reader import ReaderOptions

_TIMEOUT = 10.0  # seconds for a control call
_CALLS = TypeAdapter(list[Call])


class StubsFailed(RuntimeError):
    """The stub process did not start, or refused a control call."""


class StubOptions(BaseModel):
    """The options of a stub process."""

    model_config = ConfigDict(extra="forbid")

    stubs: tuple[str, ...] = ("model", "tavily", "web")
    articles: Path | None = None  # folder of articles instead of the shipped sample
    pages: int = 240  # least number of ordinary pages
    spread: int = 1  # serve the web on 127.0.0.1 to 127.0.0.N
    public_urls: bool = False  # whether search results keep the sites' own addresses
    now: AwareDatetime | None = None  # the moment that time_range counts from
    reader: ReaderOptions | None = None  # who answers behind the models' wire forms


class Stubs:
    """A running stub process; use it as `with`, or call `start` and `stop`."""

    def __init__(self, options: StubOptions) -> None:
        self._options = options
        self._addresses: dict[str, str] = {}

    def start(self) -> Self:
        """Start the process and wait until it serves; it ends when its standard input does."""
        self._process = subprocess.Popen(
            [sys.executable, "-m", "lab.stubs.serve", self._options.model_dump_json()],
            # On the path, so that nothing has to be installed.
            env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, PATHS))},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        assert self._process.stdout is not None
        output = self._process.stdout.readline()
        if not output.startswith(b"{"):
            output += self._process.stdout.read()
            self.stop()
            raise StubsFailed(f"the stubs did not start: {output.decode(errors='replace')[-2000:]}")
        self._addresses = json.loads(output)
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

    def url(self, name: str) -> str:
        """Return the base URL of a stub; that of the model ends in /v1."""
        return self._addresses[name]

    def page(self, host: str, path: str) -> str:
        """Return the address of a page of the web."""
        return f"{self.url('web')}/p/{host}/{path.lstrip('/')}"

    def log(self) -> list[Call]:
        """Return all calls since the last reset, in order of receipt."""
        return _CALLS.validate_python(self._control("GET", "log")["calls"])

    def faults(self, *rules: Rule | Fault) -> None:
        """Set the rules in force; a bare fault strikes every call; none at all clears them."""
        full = [rule if isinstance(rule, Rule) else Rule(rule) for rule in rules]
        self._control("POST", "faults", [asdict(rule) for rule in full])

    def kill(self, pid: int | Path, at: int) -> None:
        """Kill the process (SIGKILL) when call `at`, counted from 0 since the reset, is received."""
        victim = pid if isinstance(pid, int) else str(pid)
        self._control("POST", "kill", {"victim": victim, "at": at})

    def latency(
        self, model: float | None = None, search: float | None = None, page: float | None = None
    ) -> None:
        """Change latencies in seconds."""
        latencies = {"model": model, "tavily": search, "web": page}
        self._control("POST", "latency", {k: v for k, v in latencies.items() if v is not None})

    def reset(self) -> None:
        """Empty the log, clear faults and the kill; latencies stay."""
        self._control("POST", "reset")

    def _control(self, method: str, command: str, body: object = None) -> Any:
        url = httpx2.URL(next(iter(self._addresses.values()))).join(f"/_stub/{command}")
        response = httpx2.request(
            method, url, json=body, trust_env=False, verify=False, timeout=_TIMEOUT
        )
        answer = response.json()
        if response.status_code != 200:
            raise StubsFailed(str(answer.get("error")))
        return answer


def running_stubs(*stubs: str, **options: object) -> Stubs:
    """Prepare stubs in a process that ends with the block or with its parent.

    They are model, tavily and web unless named; `options` are those of `StubOptions`.
    """
    named = {"stubs": stubs} if stubs else {}
    return Stubs(StubOptions.model_validate({**named, **options}))
