"""`gw look`: a picture shown to a model, and what it reports."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from groundwire.doors.cli import session
from groundwire.doors.cli.asking import typed, web_address
from groundwire.doors.cli.card import show
from groundwire.errors import InputError, NotFoundHere, SettingsError

if TYPE_CHECKING:
    from groundwire.app import App


def look(what: str, wanted: str, language: str | None, as_json: bool) -> NoReturn:
    async def work(app: App) -> int:
        if not app.outside.chosen_tiers().vision:
            raise _nobody_sees(app)
        said = typed(wanted, "question") if wanted.strip() else ""
        which = await _which(app, what)
        chosen = language or app.settings.language
        run = await app.tool("look", **which, wanted=said, language=chosen)
        await show(app, run, as_json=as_json)
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
    await app.archive.keep(picture)
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
