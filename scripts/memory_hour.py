"""An hour of memory: facts are learned, change, are corrected and withdrawn; then it tells what it believed.

Offline, on a data folder of its own, with pages invented for it. `make memory` prints it;
`tests/memory/test_hour.py` checks it.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from lab.archives import document

from groundwire.app import App, open_app
from groundwire.jobs.ask.answer import AskResult
from groundwire.jobs.sections import Settings
from groundwire.model.memory import ClaimHistory, MemoryQuery

NINE = datetime(2026, 11, 16, 9, 0, tzinfo=UTC)
RATE = "What is the savings rate of Harbor Light Bank?"
FARE = "海角渡轮公司的单程票价是多少？"
HEAD = "Who is the chief executive of Harbor Light Bank?"
# The moments at which its beliefs are asked for, in minutes after nine.
MOMENTS = (-5, 5, 20, 35, 50, 60)

BANK = ("https://www.harborlight.example/savings", "Savings at Harbor Light Bank", "en")
FERRY = ("https://www.haijiao-duchuan.example/piaojia", "海角渡轮公司票价", "zh")
PEOPLE = ("https://people.example/coast", "Who runs the banks of the coast", "en")
_BRANCHES = "The bank is based in Marlow and has eleven branches along the coast."
_TRIPS = "渡轮每天运行二十班，从海角码头开往对岸。"


@dataclass
class Hour:
    """The app with a clock that the story sets, and a log of what happened."""

    app: App
    at: datetime = NINE
    log: list[str] = field(default_factory=list[str])

    def set_clock(self, minutes: int) -> None:
        self.at = NINE + timedelta(minutes=minutes)

    def note(self, words: str) -> None:
        self.log.append(f"{self.at:%H:%M}  {words}")

    async def page(self, about: tuple[str, str, str], text: str) -> None:
        """Publish a page as it reads now; earlier versions stay in the archive under ids of their own."""
        url, title, language = about
        about = {"published_at": self.at, "published_how": "declared", "language": language}
        page = document(url, title, text, self.at, tier="established", **about)
        await self.app.archive.add([page])
        self.note(f"page   {title}: {text}")

    async def ask(self, question: str) -> AskResult:
        run = await self.app.submit("ask", {"question": question}, now=self.at)
        run = await self.app.finished(run.id)
        result = AskResult.model_validate(run.result)
        self.note(f"ask    {question}")
        for sentence in result.answer:
            self.note(f"       {sentence.verdict}: {sentence.text}")
        for each in result.recalled:
            if each.change in ("changed", "disputed", "withdrawn"):
                self.note(f"       {each.change} ({each.why}): {each.text}")
        return result

    async def believed(self, question: str, at: datetime) -> list[str]:
        found = await self.app.memory.recall(MemoryQuery(text=question, as_of=at, limit=3))
        return [
            f"{entry.similarity.total:.2f}  {entry.claim.text}"
            for entry in found.entries
            if entry.similarity.total > 0.8
        ]

    async def withdraw(self, question: str, *, who: str, why: str) -> None:
        (entry,) = (await self.app.memory.recall(MemoryQuery(text=question, limit=1))).entries
        held = await self.app.memory.withdraw(entry.claim.id, who=who, why=why)
        self.note(f"withdrawn by {who} ({why}): {held.claim.text}")

    async def story(self, question: str) -> ClaimHistory:
        return await self.app.memory.story(question)


async def live(hour: Hour) -> None:
    """Play what happens between nine and ten."""
    await hour.page(BANK, f"The savings rate of Harbor Light Bank is 4.2%. {_BRANCHES}")
    await hour.page(FERRY, f"海角渡轮公司的单程票价为12元。{_TRIPS}")
    await hour.page(PEOPLE, "The chief executive of Harbor Light Bank is Mara Quint.")
    for question in (RATE, FARE, HEAD):
        await hour.ask(question)
    hour.set_clock(15)  # the rate goes up
    await hour.page(BANK, f"The savings rate of Harbor Light Bank is 4.5%. {_BRANCHES}")
    await hour.ask(RATE)
    hour.set_clock(30)  # the fare is raised, by mistake
    await hour.page(FERRY, f"海角渡轮公司的单程票价为51元。{_TRIPS}")
    await hour.ask(FARE)
    hour.set_clock(45)  # the page is corrected, and somebody knows better about the bank's head
    await hour.page(FERRY, f"海角渡轮公司的单程票价为15元。{_TRIPS}")
    await hour.ask(FARE)
    await hour.withdraw(HEAD, who="analyst", why="the page took her for a namesake")
    hour.set_clock(55)  # the same page, read again, does not bring it back
    await hour.ask(HEAD)


async def look_back(hour: Hour) -> dict[int, dict[str, list[str]]]:
    """Ask, after the hour is over, what was believed at each moment."""
    hour.set_clock(60)
    return {
        minutes: {
            question: await hour.believed(question, NINE + timedelta(minutes=minutes))
            for question in (RATE, FARE, HEAD)
        }
        for minutes in MOMENTS
    }


async def spend(home: Path) -> tuple[Hour, dict[int, dict[str, list[str]]], Sequence[ClaimHistory]]:
    """Play the whole hour on a data folder."""
    loaded = Settings.load({"home": str(home), "offline": True}, cwd=home, env={"HOME": str(home)})
    async with open_app(loaded) as app:
        hour = Hour(app)
        app.clock = lambda: hour.at
        await live(hour)
        seen = await look_back(hour)
        stories = [await hour.story(question) for question in (RATE, FARE, HEAD)]
    return hour, seen, stories


def render(
    hour: Hour, seen: dict[int, dict[str, list[str]]], stories: Sequence[ClaimHistory]
) -> str:
    lines = ["The hour", *hour.log, "", "What was believed"]
    for minutes, found in seen.items():
        lines.append(f"as of {NINE + timedelta(minutes=minutes):%H:%M}")
        for question, claims in found.items():
            lines.append(f"   {question}")
            lines.extend(f"      {claim}" for claim in claims or ["–     nothing"])
    lines += ["", "How it came about"]
    for each in stories:
        texts = {held.claim.id: held.claim.text for held in each.claims}
        for moment in each.moments:
            then = f" → {texts[moment.successor]}" if moment.successor else ""
            why = f" ({moment.why})" if moment.why else ""
            lines.append(f"{moment.at:%H:%M}  {moment.kind:11} {texts[moment.claim_id]}{then}{why}")
    return "\n".join(lines)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        sys.stdout.write(render(*asyncio.run(spend(Path(folder)))) + "\n")


if __name__ == "__main__":
    main()
