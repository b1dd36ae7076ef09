"""The data folder of a measured process: settings that lead to the stubs, and what was left in it."""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from pathlib import Path

from groundwire.app import App, open_app
from groundwire.errors import IllegalState
from groundwire.jobs.sections import Settings
from lab.bench import process
from lab.stubs import Stubs


@contextlib.contextmanager
def home(
    stubs: Stubs, models: tuple[str, str] | None = None, **more: str
) -> Generator[dict[str, str]]:
    """A fresh data folder, and settings that lead to the stubs and nowhere else.

    `models` are the light and the heavy one, `more` further settings (`budget__month_usd`).
    """
    settings = {
        "search__chain": "tavily",
        "fetch__allow_private": "127.0.0.0/8",
        # All sites are one machine here; being polite to it would be measured as slow.
        "fetch__per_host": "100",
        "search__providers__tavily__at_once": "64",
        "budget__run_usd": "none",
        "budget__day_usd": "none",
        "budget__month_usd": "none",
        **more,
    }
    env = {"TAVILY_BASE_URL": stubs.tavily_url, "TAVILY_API_KEY": "stub"}
    if models is not None:
        settings["models__light"], settings["models__heavy"] = models
        env |= {"OPENAI_BASE_URL": stubs.model_url, "OPENAI_API_KEY": "stub"}
    env |= {f"GROUNDWIRE_{name.upper()}": value for name, value in settings.items()}
    with tempfile.TemporaryDirectory() as folder:
        yield process.environment(Path(folder), env)


def opened(env: Mapping[str, str]) -> contextlib.AbstractAsyncContextManager[App]:
    """The app over the data folder of a measured process."""
    return open_app(Settings.load(cwd=Path(env["HOME"]), env=env))


async def timed_command(
    arguments: Sequence[str], env: Mapping[str, str], repeats: int
) -> list[process.Ended]:
    """A command of ours, in so many processes one after the other."""
    found: list[process.Ended] = []
    for _ in range(repeats):
        found.append(await asyncio.to_thread(process.run, ["-m", "groundwire", *arguments], env))
        if found[-1].code != 0:
            raise IllegalState(f"A measured command failed: {found[-1].error.strip()[-300:]}")
    return found


async def first_event(env: Mapping[str, str], ended: process.Ended) -> float:
    """Seconds from the start of a process to the first event that it stored."""
    async with opened(env) as app:
        run = await app.runs.find("last")
        events = await app.runs.events(run.id, limit=1)
        return (events[0].at - ended.began).total_seconds()


async def killed_at(at: int, stubs: Stubs, arguments: Sequence[str], env: Mapping[str, str]) -> int:
    """SIGKILL a process when the stubs have received call `at`; the calls that were in flight."""
    victim = process.start(arguments, env)
    stubs.kill(victim.pid, at)
    _, said = await asyncio.to_thread(victim.communicate)
    if victim.returncode != -9:
        raise IllegalState(f"All was over before call {at}: {said.decode()[-300:]}")
    async with opened(env) as app:
        runs = await app.runs.recent(limit=1000)
        records = [each for run in runs for each in await app.runs.calls(run.id)]
        return sum(1 for record in records if record.outcome == "intent")


def repeats(stubs: Stubs) -> tuple[int, int]:
    """How many different calls the stubs have seen, and how many came once more."""
    # By host too: /robots.txt has the same content on every site of the small web.
    seen = Counter((call.host, call.content) for call in stubs.log())
    return len(seen), sum(count - 1 for count in seen.values())
