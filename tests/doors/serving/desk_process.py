"""A desk as a process of its own: started, asked, stopped, killed."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests import nursery
from tests.signals import listening

_DRIP = Path(__file__).with_name("drip_desk.py")
_PATIENCE = 120.0  # a busy machine; nothing waits for it when all is well


@dataclass
class Answer:
    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class DeskProcess:
    """`gw serve` on a data folder, with the job `drip` beside the others."""

    home: Path
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    process: subprocess.Popen[bytes] | None = None
    url: str = ""

    @property
    def log(self) -> Path:
        return self.home / "desk.log"

    @property
    def note(self) -> Path:
        return self.home / "data" / "desk.json"

    def environment(self) -> dict[str, str]:
        return {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "GROUNDWIRE_HOME": str(self.home / "data"),
            "GROUNDWIRE_OFFLINE": "1",
            **self.env,
        }

    def start(self, *, port: int = 0) -> DeskProcess:
        self.home.mkdir(parents=True, exist_ok=True)
        self.note.unlink(missing_ok=True)
        with self.log.open("ab") as log:
            self.process = nursery.Popen(
                [sys.executable, str(_DRIP), "serve", "--port", str(port)],
                cwd=self.home,
                env=self.environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                preexec_fn=listening,
            )
        self._wait_until_ready()
        return self

    def _wait_until_ready(self) -> None:
        assert self.process is not None
        until = time.monotonic() + _PATIENCE
        while time.monotonic() < until:
            assert self.process.poll() is None, self.output()
            with contextlib.suppress(OSError, ValueError, KeyError):
                note = json.loads(self.note.read_text(encoding="utf-8"))
                self.url = note["url"]
                if note["pid"] == self.process.pid and self.get("/healthz").status == 200:
                    return
            time.sleep(0.02)
        raise AssertionError(f"the desk did not start: {self.output()}")

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    @property
    def port(self) -> int:
        return urlsplit(self.url).port or 0

    def output(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace") if self.log.exists() else ""

    def ask(
        self,
        method: str,
        path: str,
        body: object = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=_PATIENCE)
        try:
            sent = None if body is None else json.dumps(body)
            kind = {} if body is None else {"Content-Type": "application/json"}
            connection.request(method, path, sent, {**kind, **(headers or {})})
            response = connection.getresponse()
            found = {name.lower(): value for name, value in response.getheaders()}
            return Answer(response.status, found, response.read())
        finally:
            connection.close()

    def get(self, path: str, **headers: str) -> Answer:
        return self.ask("GET", path, headers={k.replace("_", "-"): v for k, v in headers.items()})

    def submit(self, kind: str, **given: object) -> str:
        answer = self.ask("POST", "/api/runs", {"kind": kind, "input": given})
        assert answer.status == 202, answer.body
        return answer.json()["id"]

    def run(self, run_id: str) -> dict[str, Any]:
        return self.get(f"/api/runs/{run_id}").json()

    def wait(self, run_id: str, *states: str) -> dict[str, Any]:
        until = time.monotonic() + _PATIENCE
        while time.monotonic() < until:
            found = self.run(run_id)
            if found["state"] in states:
                return found
            time.sleep(0.02)
        raise AssertionError(f"{run_id} is {found['state']}: {self.output()}")

    def journal(self, run_id: str) -> list[dict[str, Any]]:
        """Read all events by polling, as a program does."""
        events: list[dict[str, Any]] = []
        while True:
            after = events[-1]["seq"] if events else 0
            page = self.get(
                f"/api/runs/{run_id}/events?after={after}", Accept="application/json"
            ).json()
            events += page["events"]
            if not page["events"]:
                return events

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def signal(self, number: signal.Signals) -> None:
        os.kill(self.pid, number)

    def ended(self) -> int:
        assert self.process is not None
        return self.process.wait(timeout=_PATIENCE)

    def stop(self) -> int:
        self.signal(signal.SIGTERM)
        return self.ended()


@contextlib.contextmanager
def house() -> Iterator[list[DeskProcess]]:
    """Collect desks, and kill those still running, whatever becomes of the test."""
    desks: list[DeskProcess] = []
    try:
        yield desks
    finally:
        for desk in desks:
            if desk.process is not None and desk.process.poll() is None:
                desk.kill()
