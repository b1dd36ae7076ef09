"""An address pasted where a command, a question or a message belongs: the page is read, and the person
chooses what to do with it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from groundwire import jobs
from groundwire.doors.cli import render, session
from groundwire.doors.cli.asking import web_address
from groundwire.doors.cli.card import code_of, show
from groundwire.doors.cli.job_command import RunOptions, run_one
from groundwire.jobs.pages import Offer, offers
from groundwire.words import Words, words

if TYPE_CHECKING:
    from groundwire.app import App

_BEGINNING = 600  # characters of the page that are shown; `gw read` shows all


def read_and_offer(url: str, *, ignore_robots: bool = False) -> int:
    """Read a page, show its beginning, start what is chosen, and return the exit code."""
    address = web_address(url)
    code, chosen = session.with_app(lambda app: _read_and_ask(app, address, ignore_robots))
    if chosen is None:
        return code
    return run_one(jobs.find(chosen.kind), chosen.given, RunOptions())


async def _read_and_ask(app: App, url: str, ignore_robots: bool) -> tuple[int, Offer | None]:
    """Show the page's beginning and ask; None: nothing was chosen."""
    run = await app.tool("read", url=url, ignore_robots=ignore_robots)
    await show(app, run, as_json=False, most=_BEGINNING)
    code, page = await code_of(app, run), jobs.report_of(run).page(run)
    if page is None or not render.somebody_sits_here():
        return code, None
    say = words(page.language)
    found = offers(page, say)
    return code, await asyncio.to_thread(choose, found, say) if found else None


def choose(found: tuple[Offer, ...], say: Words) -> Offer | None:
    """Ask by number until one is named, or none is wanted."""
    listed = " · ".join(f"{n} {say(f'{each.kind}.page')}" for n, each in enumerate(found, start=1))
    while True:
        answer = render.ask(f"{render.clean(say('page.choice', choices=listed))} ")
        if not answer or answer == "q":
            return None
        if answer.isdecimal() and 0 < int(answer) <= len(found):
            return found[int(answer) - 1]
