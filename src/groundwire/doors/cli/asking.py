"""`gw listen`, and the single steps `gw search`, `gw read` and `gw look`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from groundwire.doors.cli import session
from groundwire.doors.cli.root import ASK, LOOK, Json, cli, command
from groundwire.errors import InputError, NotFoundHere, SettingsError, os_reason
from groundwire.words import coded

if TYPE_CHECKING:
    from groundwire.app import App

IgnoreRobots = Annotated[bool, typer.Option("--ignore-robots")]


@command(cli, panel=ASK)
async def listen(
    app: App,
    feed: Annotated[list[str] | None, typer.Option(metavar="URL")] = None,
    stdin: Annotated[bool, typer.Option("--stdin")] = False,
    once: Annotated[bool, typer.Option("--once")] = False,
    sign_in: Annotated[bool, typer.Option("--sign-in")] = False,
    as_json: Json = False,
) -> int | None:
    """Listen to feeds, Telegram channels and stdin for days: a line for each signal."""
    from groundwire.doors.cli import listening

    if sign_in:
        return await listening.sign_in(app)
    return await listening.listen(app, feed or (), stdin=stdin, once=once, as_json=as_json)


@command(cli, panel=LOOK)
async def search(
    app: App,
    query: str,
    results: Annotated[int | None, typer.Option("--results", "-n", min=1, max=50)] = None,
    topic: Annotated[str, typer.Option(metavar="TOPIC")] = "general",
    time: Annotated[str | None, typer.Option(metavar="RANGE")] = None,
    site: Annotated[list[str] | None, typer.Option(metavar="DOMAIN")] = None,
    without: Annotated[list[str] | None, typer.Option(metavar="DOMAIN")] = None,
    language: Annotated[str | None, typer.Option(metavar="CODE")] = None,
    as_json: Json = False,
) -> int:
    """Search the web and the archive."""
    arguments = {
        "query": typed(query, "noun.query"),
        "max_results": results,
        "topic": topic,
        "time_range": time,
        "include_domains": site or [],
        "exclude_domains": without or [],
        "language": language,
    }
    return await _call_tool(app, "search", arguments, as_json)


@command(cli, panel=LOOK)
def read(
    url: Annotated[str, typer.Argument(metavar="URL")],
    ignore_robots: IgnoreRobots = False,
    as_json: Json = False,
    offer: Annotated[bool, typer.Option("--offer", hidden=True)] = False,
) -> int | None:
    """Read a page into the archive and show it."""
    if offer and not as_json:  # `gw URL`
        from groundwire.doors.cli.pasting import read_and_offer

        return read_and_offer(url, ignore_robots=ignore_robots)
    arguments = {"url": web_address(url), "ignore_robots": ignore_robots}
    return session.with_app(lambda app: _call_tool(app, "read", arguments, as_json))


@command(cli, panel=LOOK)
async def look(
    app: App,
    picture: Annotated[str, typer.Argument(metavar="FILE|URL")],
    wanted: Annotated[str, typer.Argument(metavar="QUESTION")] = "",
    language: Annotated[str | None, typer.Option(metavar="CODE")] = None,
    as_json: Json = False,
) -> int:
    """Show a picture to a model: what is in it, and what is written there."""
    if not app.outside.chosen_tiers().vision:
        hint = "hint.sees_online" if app.settings.offline else "hint.set_vision"
        raise SettingsError("error.nobody_sees", hint=hint)
    arguments = await _picture_argument(app, picture)
    arguments["wanted"] = typed(wanted, "noun.question") if wanted.strip() else ""
    arguments["language"] = language or app.settings.language
    return await _call_tool(app, "look", arguments, as_json)


async def _call_tool(app: App, tool: str, arguments: Mapping[str, object], as_json: bool) -> int:
    """Call a tool as a small run and show its result."""
    from groundwire.doors.cli.card import show_end

    return await show_end(app, await app.tool(tool, **arguments), as_json=as_json)


def typed(text: str, noun_code: str) -> str:
    """Return what a person typed or piped (`-`) as one clean line; `noun_code` names it in errors."""
    from groundwire.doors.cli import render
    from groundwire.doors.cli.inputs import read_stdin, require_utf8

    noun = coded(noun_code)
    line = render.clean(require_utf8(read_stdin(noun) if text == "-" else text, noun))
    if not line:
        raise InputError("error.subject_empty", what=noun, hint="hint.in_quotes")
    if len(line) > LONGEST:
        size = {"n": len(line), "most": LONGEST}
        raise InputError("error.subject_too_long", what=noun, **size, hint="hint.one_thing")
    return line


def web_address(text: str) -> str:
    """Check an address that a person typed and return it."""
    from groundwire.app.submission import address

    return address(typed(text, "noun.address"))


LONGEST = 4000  # characters


async def _picture_argument(app: App, name: str) -> dict[str, object]:
    """Return the picture as the tool takes it: an address, or a file stored from now on."""
    from groundwire.model.picture import Picture

    if "://" in name:
        return {"url": web_address(name)}
    picture = Picture.of(_read_picture(name))
    await app.archive.keep(picture)
    return {"picture": picture.ref.model_dump(mode="json")}


def _read_picture(name: str) -> bytes:
    from groundwire.model.picture import MOST_BYTES, too_large

    path = Path(name).expanduser()
    try:
        if not path.is_file():
            raise NotFoundHere("error.no_file", name=name[:200], hint="hint.picture_file")
        if (size := path.stat().st_size) > MOST_BYTES:
            raise too_large(size)
        with path.open("rb") as file:
            return file.read(MOST_BYTES + 1)  # it may have grown
    except OSError as error:
        raise InputError("error.unreadable_file", path=name[:200], why=os_reason(error)) from error
