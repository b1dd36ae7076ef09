"""Settings and providers read anew, without a restart; runs under way keep theirs."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from groundwire import log as logs
from groundwire.errors import SettingsError, UserError
from groundwire.log import get_logger
from groundwire.model.base import Value

if TYPE_CHECKING:
    from groundwire.app import App

log = get_logger("groundwire.app.reloading")


class Reloaded(Value):
    """The settings that changed, by their dotted names; values may be secrets."""

    changed: tuple[str, ...]


async def reload(app: App) -> Reloaded:
    """Apply what files and environment say now; on a mistake, refuse and keep the old settings."""
    again = app.loaded.again
    if again is None:
        raise SettingsError("error.settings_in_code")
    loaded = await asyncio.to_thread(again)
    old, new = app.settings, loaded.settings
    if (old.data_home(), old.database()) != (new.data_home(), new.database()):
        raise SettingsError("error.another_home", hint="hint.restart")
    # Before anything is built with them: an error may repeat a key.
    secrets = new.secrets()
    for redactor in (app.redactor, app.known):
        redactor.learn(secrets)
    logs.learn(secrets)
    fresh = app.wiring_for(new)
    try:
        fresh.run_settings()  # unknown providers, models and options are refused here
    except BaseException:
        await fresh.close()
        raise
    before = {name: shown for name, shown, _origin in app.loaded.describe()}
    now = loaded.describe()
    app.take_over(loaded, fresh)
    changed = sorted(name for name, shown, _origin in now if shown != before.get(name))
    return Reloaded(changed=tuple(changed))


async def reload_and_log(app: App) -> None:
    """Reload because of a signal: nobody waits for the answer, so it is logged."""
    try:
        done = await reload(app)
    except UserError as error:
        log.error("settings not reloaded", reason=error.message, hint=error.hint)
    else:
        log.warning("settings reloaded", changed=list(done.changed))
