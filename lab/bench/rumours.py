"""The world of `gw bench verify`: made-up events, the messages about them, and their press.

Sites are loopback addresses; those of `PREFERRED` are on the list that is searched first. Half of
the messages are English, half Chinese.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

PREFERRED = tuple(f"127.0.0.{number}" for number in range(2, 8))
OTHERS = tuple(f"127.0.0.{number}" for number in range(8, 14))
SPREAD = 13  # addresses of the small web
SITES = 6  # reports of one event
_LETTERS = "aeioukmnprstvwxz"
_AGE = timedelta(minutes=20)


def spell(number: int) -> str:
    """Spell a number in four letters, for made-up names."""
    return "".join(_LETTERS[number // 16**place % 16] for place in range(4))


@dataclass(frozen=True, slots=True)
class Rumour:
    """One message, and how many sites of the preferred list report its event."""

    number: int
    listed: int = SITES

    @property
    def name(self) -> str:
        return f"Q{spell(self.number)}x"

    @property
    def chinese(self) -> bool:
        return self.number % 2 == 1

    @property
    def million(self) -> int:
        return 11 + self.number % 80

    @property
    def text(self) -> str:
        if self.chinese:
            amount = f"{self.million * 100} 万美元"
            return f"DeFi 协议 {self.name} 遭黑客攻击，损失 {amount}，团队已暂停提款。"
        return (
            f"DeFi protocol {self.name} was hacked and lost ${self.million} million;"
            " the team has paused withdrawals."
        )


# `press.json`: one report per site, each in its own words and with its own details (copies would be
# one origin), and parts of asides that make a page as long as a real one: who did what, where.
_PRESS = json.loads(Path(__file__).with_name("press.json").read_text(encoding="utf-8"))
_ASIDES = 24  # sentences


def _asides(seed: str, chinese: bool) -> str:
    dice = Random(seed)
    words: list[list[str]] = _PRESS["asides"]["zh" if chinese else "en"]
    lines: list[str] = []
    for _ in range(_ASIDES):
        who, did, what, where = map(dice.choice, words)
        lines.append(f"{where}，{who}{did}{what}。" if chinese else f"{who} {did} {what} {where}.")
    joint = "" if chinese else " "
    return "\n\n".join(joint.join(lines[at : at + 4]) for at in range(0, len(lines), 4))


def chatter(number: int) -> str:
    """Make up a message that no gate lets through and that repeats no other."""
    dice = Random(f"chatter/{number}")
    words = ["".join(dice.choices(_LETTERS, k=dice.randrange(4, 9))) for _ in range(6)]
    one, two, three, four, five, six = words
    if number % 2:
        return f"早上好，{one} 和 {two} 周末去 {three} 吗？我想带 {four} 看 {five}，顺便吃 {six}。"
    return (
        f"Morning {one} and {two}, who joins us at {three}? We sing {four} and {five} with {six}."
    )


def write_press(folder: Path, rumours: Sequence[Rumour], now: datetime) -> None:
    """Write the articles of the world in the form that the stubs read."""
    for rumour in rumours:
        for site in range(SITES):
            name = f"r-{rumour.number:05d}-{site}.md"
            (folder / name).write_text(_article(rumour, site, now), encoding="utf-8")


def _article(rumour: Rumour, site: int, now: datetime) -> str:
    host = PREFERRED[site] if site < rumour.listed else OTHERS[site]
    published = now - _AGE
    language = "zh" if rumour.chinese else "en"
    report = _PRESS["reports"][language][site]
    parts = {
        "name": rumour.name,
        "million": rumour.million,
        "amount": rumour.million * 100,
        "day": f"{published.month} 月 {published.day} 日"
        if rumour.chinese
        else f"{published.day} {published:%B}",
    }
    meta = {
        "url": f"http://{host}/{rumour.name.lower()}/{site}",
        "title": report["title"].format(**parts),
        "publisher": f"Site {host.rpartition('.')[2]}",
        "published_at": published.isoformat(),
        "language": language,
        "event": rumour.name,
    }
    lines = "\n".join(f"{key}: {value}" for key, value in meta.items())
    body = "\n\n".join(report["text"]).format(**parts)
    asides = _asides(f"{rumour.number}/{site}", rumour.chinese)
    return f"---\n{lines}\n---\n\n{body}\n\n{asides}\n"
