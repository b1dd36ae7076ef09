"""Reloaded settings: later work follows them, and a broken file is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundwire.app import open_app
from groundwire.app.reloading import reload
from groundwire.errors import SettingsError, UserError
from groundwire.jobs.sections import Settings, settings_type


async def test_a_reload_takes_what_the_file_says_now(tmp_path: Path):
    file = tmp_path / "groundwire.toml"
    env = {
        "HOME": str(tmp_path),
        "GROUNDWIRE_HOME": str(tmp_path / "data"),
        "GROUNDWIRE_OFFLINE": "1",
    }
    file.write_text("[budget]\nrun_usd = 1.0\n")
    loaded = settings_type().load(cwd=tmp_path, env=env)
    async with open_app(loaded) as app:
        before = await app.submit("ask", {"question": "What is USDC?"})
        old = app.outside
        file.write_text(
            "[budget]\nrun_usd = 2.0\n[search.providers.tavily]\napi_key = 'tvly-fresh-key-1'\n"
        )
        done = await reload(app)
        assert "budget.run_usd" in done.changed
        assert app.settings.budget.run_usd == 2.0
        assert app.outside is not old
        assert app.outside.clock is app.clock
        assert "tvly-fresh-key-1" not in app.redactor.text("the key is tvly-fresh-key-1")
        assert "tvly-fresh-key-1" not in app.known.text("the key is tvly-fresh-key-1")
        assert (await app.ended(before.id)).settings == before.settings
        file.write_text("[budget]\nrun_usd = 'much'\n")
        with pytest.raises(SettingsError):
            await reload(app)
        file.write_text("[search]\nchain = ['tavilly']\n")
        with pytest.raises(UserError, match="tavilly"):
            await reload(app)
        assert app.settings.budget.run_usd == 2.0
        after = await app.submit("ask", {"question": "What is DAI?"})
        assert (await app.ended(after.id)).state in ("complete", "failed")


async def test_settings_made_in_code_are_not_read_anew(tmp_path: Path):
    async with open_app(Settings(home=tmp_path, offline=True)) as app:
        with pytest.raises(SettingsError, match="made in code"):
            await reload(app)
