"""`gw look`: a picture shown to a model, and what it reports."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from groundwire.doors.cli import session
from groundwire.doors.cli.asking import typed, web_address
from groundwire.doors.cli.card import show
from groundwire.errors import InputError, NotFoundHere, SettingsError, why

if TYPE_CHECKING:
    from groundwire.app import App


def look(what: str, wanted: str, language: str | None, as_json: bool) -> NoReturn:
    async def work(app: App) -> int:
        if not app.outside.chosen_tiers().vision:
            raise _nobody_sees(app)
        said = typed(wanted, "noun.question") if wanted.strip() else ""
        which = await _which(app, what)
        chosen = language or app.settings.language
        run = await app.tool("look", **which, wanted=said, language=chosen)
        await show(app, run, as_json=as_json)
        from groundwire.doors.cli.following import code_of

        return await code_of(app, run)

    session.with_app(work)


def _nobody_sees(app: App) -> SettingsError:
    return SettingsError(
        "error.nobody_sees", hint="hint.sees_online" if app.settings.offline else "hint.set_vision"
    )


async def _which(app: App, what: str) -> dict[str, object]:
    """The picture as the tool takes it: an address, or a file that is kept from now on."""
    from groundwire.model.picture import Picture

    if "://" in what:
        return {"url": web_address(what)}
    picture = Picture.of(_bytes(what))
    await app.archive.keep(picture)
    return {"picture": picture.ref.model_dump(mode="json")}


def _bytes(what: str) -> bytes:
    from groundwire.model.picture import MOST_BYTES, too_large

    path = Path(what).expanduser()
    try:
        if not path.is_file():
            raise NotFoundHere("error.no_file", name=what[:200], hint="hint.picture_file")
        if (size := path.stat().st_size) > MOST_BYTES:
            raise too_large(size)
        with path.open("rb") as file:
            return file.read(MOST_BYTES + 1)  # it may have grown
    except OSError as error:
        raise InputError("error.unreadable_file", path=what[:200], why=why(error)) from error
