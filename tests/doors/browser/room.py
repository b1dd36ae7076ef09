"""A desk as a process of its own, and the runs put into it before a test looks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests import nursery

SOURCE = Path(__file__).parents[3] / "src"
PATIENCE = 100.0  # seconds; a busy machine, and nothing waits for it when all is well
QUESTIONS = ("Did USDC lose its peg in March 2023, and why?", "USDC 为什么在2023年3月脱锚？")
MESSAGES = (
    "Euler Finance lost about 197 million dollars in a flash loan attack",
    "Coinbase 即将上线 XYZ 代币，下周公布",
)


def until(holds: Callable[[], bool]) -> None:
    """Wait for a condition here: the pages' policy forbids the browser to evaluate one."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.02)


class Room:
    """`gw serve` on a data folder of its own; as a context manager, it is stopped at the end."""

    def __init__(self, place: Path, env: Mapping[str, str] | None = None) -> None:
        self.place = place
        self._env = env or {}
        self.url = ""
        self._process: subprocess.Popen[bytes] | None = None

    def environment(self) -> dict[str, str]:
        return {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(SOURCE),
            "HOME": str(self.place),
            "LANG": "C.UTF-8",
            "GROUNDWIRE_HOME": str(self.place / "data"),
            "GROUNDWIRE_OFFLINE": "1",
            **self._env,
        }

    def gw(self, *args: str) -> str:
        code, out, err = nursery.gw(args, self.environment(), self.place)
        assert code == 0, err
        return out.decode()

    def __enter__(self) -> Room:
        self.place.mkdir(parents=True, exist_ok=True)
        return self

    def serve(self) -> Room:
        with (self.place / "log").open("ab") as log:
            self._process = nursery.Popen(
                [sys.executable, "-m", "groundwire", "serve", "--port", "0"],
                env=self.environment(),
                cwd=self.place,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        note = self.place / "data" / "desk.json"
        until = time.monotonic() + PATIENCE
        while True:
            assert time.monotonic() < until, self.log()
            assert self._process.poll() is None, self.log()
            try:
                read = json.loads(note.read_text("utf-8"))
                if read["pid"] == self._process.pid:
                    self.url = read["url"]
                    self.ask("GET", "/healthz")
                    return self
            except (OSError, ValueError):
                pass
            time.sleep(0.02)

    def fill(self, questions: Sequence[str], messages: Sequence[str]) -> None:
        """Submit questions and messages and wait for the results."""
        self.serve()
        for text in questions:
            self.finished(self.submit("ask", question=text))
        for text in messages:
            self.finished(self.submit("verify", text=text))

    def log(self) -> str:
        return (self.place / "log").read_text("utf-8", "replace")

    def ask(self, method: str, path: str, body: object = None) -> Any:
        connection = HTTPConnection(urlsplit(self.url).netloc, timeout=PATIENCE)
        try:
            sent = None if body is None else json.dumps(body)
            kind = {} if body is None else {"Content-Type": "application/json"}
            connection.request(method, path, sent, kind)
            answer = connection.getresponse()
            data = answer.read()
            assert answer.status < 400, data
            return json.loads(data) if data else None
        finally:
            connection.close()

    def submit(self, kind: str, **given: object) -> str:
        return self.ask("POST", "/api/runs", {"kind": kind, "input": given})["id"]

    def finished(self, run_id: str) -> dict[str, Any]:
        until = time.monotonic() + PATIENCE
        while True:
            run = self.ask("GET", f"/api/runs/{run_id}")
            if run["state"] in ("complete", "degraded", "failed", "cancelled"):
                return run
            assert time.monotonic() < until, run["state"]
            time.sleep(0.05)

    def proposed(self, kind: str, **given: object) -> dict[str, Any]:
        """Submit a run that proposes something, and return it once it waits."""
        run_id = self.submit(kind, **given)
        until = time.monotonic() + PATIENCE
        while (run := self.ask("GET", f"/api/runs/{run_id}"))["state"] != "waiting":
            assert time.monotonic() < until, run["state"]
            time.sleep(0.05)
        return run

    def tell(self, topic: str, **given: object) -> dict[str, Any]:
        """Tell a history, its plan confirmed as it is, and return the run."""
        run_id = self.proposed("timeline", topic=topic, level="light", **given)["id"]
        self.ask("POST", f"/api/runs/{run_id}/confirm", {})
        return self.finished(run_id)

    def newest(self, kind: str, **wanted: str) -> str:
        """Find the newest run of a kind whose input contains a text."""
        for run in self.ask("GET", f"/api/runs?kind={kind}&limit=50")["runs"]:
            if all(
                text in json.dumps(run["input"], ensure_ascii=False) for text in wanted.values()
            ):
                return run["id"]
        raise AssertionError(f"no run of {kind} with {wanted}")

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(PATIENCE)
