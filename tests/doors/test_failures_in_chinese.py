"""A search that is refused and pages that fail, told to Chinese readers: no English of ours is left.

`python -m scripts.failures` makes pictures of such runs.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import httpx2
import pytest
from lab.evaluation.scenarios import Scenario
from lab.evaluation.worlds import World
from lab.stubs.faults import Rule, error, rate_limited
from rich.console import Console

from groundwire.app import App, exports, open_app
from groundwire.app.clients import Clients
from groundwire.app.wiring import Wiring
from groundwire.doors.cli.story import LiveStory
from groundwire.doors.serving import application, assemble
from groundwire.jobs import report_of
from groundwire.jobs.sections import Settings
from groundwire.model.base import Json
from groundwire.model.event import Event
from groundwire.model.run import Run
from groundwire.report.terminal import card
from tests.doors.ui.conftest import HOST, HTML, words_of
from tests.pdf_text import pages, tight

LANGUAGES = ("zh", "zh-Hant")
FAILURES = {
    "429": Rule(rate_limited(60)),  # whoever is asked: the search and the markets
    "failed-page": Rule(error(), stub="web", path="/news/*"),  # not robots.txt
}
GIVEN = {
    ("ask", "zh"): {"question": "USDC 为什么在2025年6月被盗？"},
    ("ask", "zh-Hant"): {"question": "USDC 為什麼在2025年6月被盜？"},
    ("verify", "zh"): {"text": "突发：USDC 遭闪电贷攻击，损失约1.97亿美元"},
    ("verify", "zh-Hant"): {"text": "突發：USDC 遭閃電貸攻擊，損失約1.97億美元"},
}
# The pages say nothing in Latin letters but a name, so that what is left of them is not ours.
WORLD = Scenario.model_validate(
    {
        "id": "zh-failures-001",
        "kind": "failures",
        "message": {"text": "USDC 遭闪电贷攻击"},
        "now": "2025-06-03T09:25:00Z",
        "web": [
            {
                "url": f"https://www.{site}.example/news/1",
                "title": "USDC 被盗约1.97亿美元",
                "publisher": publisher,
                "published_at": "2025-06-03T08:00:00Z",
                "text": f"{publisher}报道，USDC 在2025年6月3日遭闪电贷攻击被盗，损失约1.97亿美元。"
                "USDC 被盗的原因是合约漏洞，团队已经暂停服务。",
            }
            for site, publisher in (("dongan", "东岸财经"), ("beichen", "北辰通讯社"))
        ],
        "expect": {"verdict": "supported"},
    }
)
SERVER_WORDS = "Too many requests, please slow down."  # of the stub's 429, quoted as they came
# What is the same in every language: names, forms of files, what is typed.
NAMES = frozenset(
    [
        *("Groundwire", "Enter", "Esc", "Alt", "URL", "UTC", "USDC"),
        *("Markdown", "PDF", "Word", "JSON", "CSV", "cron"),
        *("tavily", "defillama", "stablecoins", "coingecko", "binance", "kraken"),
    ]
)
_TYPED = re.compile(r"\bgw(?: [\w.|\"-]+)+")
_ADDRESS = re.compile(r"https?://[\x21-\x7e]+|(?:[\w-]+\.)+(?:example|com|fi|txt)\b")
_ID = re.compile(r"(?:ask|verify)-[0-9a-f]{10}|[0-9a-f]{12,}")
_WORD = re.compile(r"[A-Za-z]{3,}")
_BREAK = r"[\s\u200b\u2060\u00ad\ufffe\x02]*"
_QUERIES = frozenset(("query", "queries", "keyword", "keywords"))


@dataclass(frozen=True)
class Told:
    """A run that met a failure, and what its readers see of it."""

    run: Run
    brought: tuple[str, ...]  # queries and addresses, data of services, the digest
    texts: dict[str, str]  # by where they are seen


def english(text: str, brought: tuple[str, ...]) -> list[str]:
    """List the English words that nobody but us can have brought."""
    for each in (*brought, SERVER_WORDS, *(page.url for page in WORLD.web)):
        # A line may end within it.
        text = re.sub(_BREAK.join(map(re.escape, tight(each))), " ", text)
    for pattern in (_TYPED, _ADDRESS, _ID):
        text = pattern.sub(" ", text)
    # So may a page, with its foot.
    known = NAMES.union(*map(_WORD.findall, brought))
    return [word for word in _WORD.findall(text) if word not in known]


def _queries(value: Json, *, named: bool = False) -> Iterator[str]:
    """Yield what was searched for."""
    if isinstance(value, str) and value and named:
        yield value
    elif isinstance(value, list):
        for each in value:
            yield from _queries(each, named=named)
    elif isinstance(value, dict):
        for name, each in value.items():
            # A planned query is an object with its text.
            yield from _queries(each, named=name in _QUERIES or (named and name == "text"))


def drawn(run: Run, language: str) -> str:
    """Draw the card, so wide that no line of it is broken."""
    console = Console(file=(file := io.StringIO()), width=3000)
    console.print(card(report_of(run).report(run, language), links=False))
    return file.getvalue()


def _story(run: Run, events: list[Event], language: str) -> str:
    """Tell the live story: its lines in a pipe, and the block of a terminal at its end."""
    story = LiveStory("", run.kind, language)
    lines = [story.take(event) or "" for event in events]
    console = Console(file=(file := io.StringIO()), width=3000)
    console.print(story.block())
    return "\n".join((*lines, file.getvalue()))


async def _page(app: App, run: Run, language: str) -> str:
    transport = httpx2.ASGITransport(application(assemble(app, open_here=True)))
    headers = {**HTML, "Accept-Language": {"zh": "zh-CN", "zh-Hant": "zh-TW"}[language]}
    async with httpx2.AsyncClient(transport=transport, base_url=HOST, headers=headers) as client:
        page = await client.get(f"/runs/{run.id}")
    assert page.status_code == 200
    return words_of(page)


async def _told(app: App, run: Run, language: str) -> Told:
    events = [event async for event in app.runs.journal(run.id)]
    brought = {each for event in events for each in _queries(event.payload)} | {str(run.digest)}
    for call in (run.result or {}).get("tool_calls", []):
        brought |= {call["request"], call["params"].get("data", "")} - {""}
    texts = {
        "card": drawn(run, language),
        "story": _story(run, events, language),
        "page": await _page(app, run, language),
        "pdf": "\n".join(pages((await exports.export(app, run, "pdf")).data)),
    }
    return Told(run, tuple(sorted(brought, key=len, reverse=True)), texts)


async def runs_that_meet(rule: Rule, language: str, folder: Path) -> list[Told]:
    """Ask and verify on one desk while the rule is in force."""
    world = World(WORLD)
    world.desk.schedule.set([rule])
    settings = {
        "home": str(folder),
        "language": language,
        "search.chain": ["tavily"],
        "search.providers.tavily.api_key": "tvly-frozen",
        "fetch.delay": 0,
        "tools.providers.coingecko.per_second": 1000,
    }
    loaded = Settings.load(settings, cwd=folder, env={})
    wiring = partial(Wiring, clients=Clients(loaded.settings, world.transport))
    async with open_app(loaded, outside=wiring) as app:
        begun = [await app.submit(kind, GIVEN[kind, language]) for kind in ("ask", "verify")]
        ended = [await app.finished(run.id) for run in begun]
        return [await _told(app, run, language) for run in ended]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("failure", FAILURES)
async def test_a_run_that_meets_a_failure_is_told_in_chinese(
    failure: str, language: str, tmp_path: Path
) -> None:
    for told in await runs_that_meet(FAILURES[failure], language, tmp_path):
        result = told.run.result
        assert result is not None and result["degraded"], told.run.error
        left = {place: english(text, told.brought) for place, text in told.texts.items()}
        assert not any(left.values()), (told.run.kind, left)
        # An English sentence as the reason would be seen.
        first, *more = result["degraded"]
        worse = {**result, "degraded": [{**first, "reason": "the search was refused"}, *more]}
        changed = told.run.model_copy(update={"result": worse})
        assert english(drawn(changed, language), told.brought) == [
            "the",
            "search",
            "was",
            "refused",
        ]
