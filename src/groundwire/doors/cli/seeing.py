"""`gw look`: a picture shown to a model, and what it reports."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from groundwire.doors.cli import render, session
from groundwire.doors.cli.asking import show_tool, tool_result, typed, web_address
from groundwire.errors import InputError, NotFoundHere, SettingsError

if TYPE_CHECKING:
    from groundwire.app import App
    from groundwire.model.base import JsonObject
    from groundwire.tools.look import Result

_FLAGS = {
    "injection": "the picture holds instructions to machines; they were not followed",
    "links_removed": "addresses in the picture are left out: none comes from a model",
}


def look(what: str, wanted: str, language: str | None, as_json: bool) -> NoReturn:
    async def work(app: App) -> int:
        if not app.outside.chosen_tiers().vision:
            raise _nobody_sees(app)
        said = typed(wanted, "question") if wanted.strip() else ""
        which = await _which(app, what)
        chosen = language or app.settings.language
        run = await app.tool("look", **which, wanted=said, language=chosen)
        if as_json:
            render.put_json(tool_result(run))
        else:
            show_tool(run)
        from groundwire.doors.cli.following import code_of

        return await code_of(app, run)

    session.with_app(work)


def _nobody_sees(app: App) -> SettingsError:
    if app.settings.offline:
        hint = "unset GROUNDWIRE_OFFLINE; a picture is shown to a model over the network"
    else:
        hint = "set GROUNDWIRE_MODELS__VISION=vendor:model, such as google:gemini-3.5-flash-lite"
    return SettingsError("no model that sees pictures is set up", hint=hint)


async def _which(app: App, what: str) -> dict[str, object]:
    """The picture as the tool takes it: an address, or a file that is kept from now on."""
    from groundwire.model.picture import Picture

    if "://" in what:
        return {"url": web_address(what)}
    picture = Picture.of(_bytes(what))
    await app.store.pictures.put(picture)
    return {"picture": picture.ref.model_dump(mode="json")}


def _bytes(what: str) -> bytes:
    from groundwire.model.picture import MOST_BYTES, too_large

    path = Path(what).expanduser()
    try:
        if not path.is_file():
            raise NotFoundHere(
                f"there is no file {what[:200]!r}", hint="give a picture file or its address"
            )
        if (size := path.stat().st_size) > MOST_BYTES:
            raise too_large(size)
        with path.open("rb") as file:
            return file.read(MOST_BYTES + 1)  # it may have grown
    except OSError as error:
        raise InputError(f"{what[:200]} cannot be read: {error.strerror}") from error


def show_seen(seen: Result, result: JsonObject) -> None:
    """What was seen on stdout; by whom and for how much beside it."""
    from groundwire.doors.cli.prose import Prose

    render.put(Prose(render.shown(seen.description)))
    if seen.lines:
        render.put("", *(render.indented(line, 2, "soft") for line in seen.lines))
    if seen.unclear:
        render.put("", render.shown(f"? {seen.unclear}", "soft"))
    for flag in seen.flags:
        render.note(_FLAGS.get(flag, flag), "degraded")
    cost = float(result.get("cost", {}).get("usd", 0.0))
    kind, size = seen.picture.media_type, f"{seen.picture.size:,} bytes"
    render.note(f"seen by {seen.by} · ${cost:.4f} · {kind}, {size} · {result.get('run_id')}")
