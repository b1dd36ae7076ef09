"""Ask a small real language model on loopback: its schema output, usage and cut-offs are real.

A model of 135 million parameters answers badly. The point is that its failures are typed and
recorded, and that the result says what answered instead.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from groundwire.jobs.ask.answer import AskResult
    from groundwire.model.call import CallRecord

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / ".venv-model"
LOCK = ROOT / "scripts" / "realmodel.lock"
SERVER = ROOT / "scripts" / "realmodel_server.py"
QUESTIONS = ("Did USDC lose its peg in March 2023, and why?", "USDC 为什么在2023年3月脱锚？")
MODEL = "local:smollm2"
SECONDS = 600
# A model of this size goes on forever when it loses the thread.
LONGEST_ANSWER = 320  # tokens


def say(text: str = "") -> None:
    """Print a line at once: a small model on a busy machine takes its time."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def install() -> Path:
    """Set up a Python for the model, with the locked packages and nothing else; return its path."""
    python = FOLDER / ("Scripts" if os.name == "nt" else "bin") / "python"
    stamp, digest = FOLDER / ".stamp", hashlib.sha256(LOCK.read_bytes()).hexdigest()
    if not stamp.exists() or stamp.read_text() != digest:
        say(f"setting up {FOLDER.name} (once, 130 MB) …")
        venv.create(FOLDER, clear=True, with_pip=False)
        pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet"]
        options = ["--disable-pip-version-check", "--no-deps", "--require-hashes"]
        subprocess.run([*pip, *options, "-r", str(LOCK)], check=True)
        stamp.write_text(digest)
    return python


@contextmanager
def served(python: Path, log: Path) -> Iterator[str]:
    """Run the server during the block and yield its address."""
    with log.open("wb") as sink:
        command = [str(python), str(SERVER)]
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=sink, text=True
        )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        address = process.stdout.readline().strip()
        if not address:
            raise SystemExit(f"the model did not start:\n{log.read_text()[-2000:]}")
        yield address
    finally:
        process.stdin.close()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def environment(home: Path, address: str) -> dict[str, str]:
    """Build settings as a person would, small enough for this model: one search, two pages."""
    local = "GROUNDWIRE_MODELS__PROVIDERS__LOCAL__"
    return {
        "PATH": os.environ.get("PATH", ""),
        "HOME": str(home),
        "GROUNDWIRE_HOME": str(home),
        "GROUNDWIRE_SEARCH__CHAIN": "archive",
        "GROUNDWIRE_ASK__QUERIES": "1",
        "GROUNDWIRE_ASK__PAGES": "2",
        "GROUNDWIRE_ASK__PASSAGES": "4",
        "GROUNDWIRE_MODELS__LIGHT": MODEL,
        "GROUNDWIRE_MODELS__HEAVY": MODEL,
        # An exam at first use would take half an hour; --exam lets the model sit them.
        "GROUNDWIRE_MODELS__EXAM": "off",
        f"{local}KIND": "openai_compatible",
        f"{local}BASE_URL": f"{address}/v1",
        f"{local}OUTPUT": "schema",
        f"{local}TIMEOUT": str(SECONDS),
        f"{local}INPUT_USD": "0",
        f"{local}OUTPUT_USD": "0",
        f"{local}EXTRA_BODY": json.dumps({"max_tokens": LONGEST_ANSWER}),
    }


def gw(env: dict[str, str], *arguments: str) -> str:
    """Run a command and return its output; exit code 3, a degraded result, is expected here."""
    command = [sys.executable, "-m", "groundwire", *arguments]
    done = subprocess.run(
        command, env=env, cwd=env["HOME"], capture_output=True, text=True, check=False
    )
    if done.returncode not in (0, 3):
        raise SystemExit(f"gw {arguments[0]} ended with {done.returncode}:\n{done.stderr}")
    return done.stdout


def ask(env: dict[str, str], question: str) -> None:
    """Ask one question; print every call of the model, then the result."""
    from groundwire.jobs.ask.answer import AskResult

    say(f"\n? {question}")
    result = AskResult.model_validate_json(gw(env, "ask", question, "--json"))
    calls = asyncio.run(model_calls(env, result.run_id))
    for record in sorted(calls, key=lambda record: record.started_at):
        say(f"  {describe(record)}")
    report(result)


async def model_calls(env: dict[str, str], run_id: str) -> list[CallRecord]:
    """Read the calls of the model from the ledger."""
    from groundwire.app import open_app
    from groundwire.jobs.sections import Settings

    loaded = Settings.load(cwd=Path(env["HOME"]), env=env)
    async with open_app(loaded) as app:
        return [each for each in await app.store.ledger.records(run_id) if each.kind == "model"]


def describe(record: CallRecord) -> str:
    """Describe one call in a line: which, how it ended, tokens, time."""
    step = "repair" if "repair" in record.occasion else "first"
    head = f"{step:7} {record.latency_ms / 1000:6.1f} s  "
    if record.error is not None:
        return f"{head}{record.error.code}: {record.error.message}"
    response = record.response or {}
    usage, output = response["usage"], response["output"]
    shape = ", ".join(output) if isinstance(output, dict) else f"text of {len(output)} characters"
    counted = f"{usage['input_tokens']} in, {usage['output_tokens']} out"
    return f"{head}{response['finish']}: {counted}  {{{shape}}}"


def report(result: AskResult) -> None:
    """Print what answered, why, and with what."""
    spent = f"${result.cost.usd:g}, {result.latency_ms / 1000:.0f} s"
    found = f"{len(result.answer)} sentences, {len(result.gaps)} gaps"
    say(f"  status {result.status}; {found}; {spent}")
    for each in result.degraded:
        say(f"  degraded  {each.part}: {each.code}: {each.reason[:160]} → {each.instead}")
    for sentence in result.answer[:3]:
        quoted = sentence.citations[0].publisher if sentence.citations else "-"
        say(f"  {sentence.verdict:10} {sentence.text[:120]}  [{quoted}]")


def named_exams() -> list[str]:
    """Return the options for the exams that are named after --exam; all where none is."""
    return [
        part for name in sys.argv[sys.argv.index("--exam") + 1 :] for part in ("--question", name)
    ]


def main() -> None:
    python = install()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder, "home")
        home.mkdir()
        with served(python, Path(folder, "model.log")) as address:
            env = environment(home, address)
            gw(env, "archive", "add", "--sample")
            say(f"{MODEL} at {address}, over the sample archive")
            for question in QUESTIONS:
                ask(env, question)
            if "--exam" in sys.argv:
                say(gw(env, "models", "--exam", "--yes", *named_exams()))
    say("\nthe model has been stopped")


if __name__ == "__main__":
    main()
