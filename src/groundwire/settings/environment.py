"""The process environment, the files beside it, and the terminal's language; imports no schema."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from groundwire.settings.names import env_name
from groundwire.words import language_of_locale

FILE = "groundwire.toml"


def environment() -> Mapping[str, str]:
    """Return the process environment; nothing else in Groundwire reads it."""
    return os.environ


def home_path(env: Mapping[str, str], below: str) -> str | None:
    """Return a path below the home folder, if there is one."""
    home = env.get("HOME") or env.get("USERPROFILE")
    return str(Path(home) / below) if home else None


def config_files(cwd: Path, env: Mapping[str, str]) -> list[Path]:
    """Return the files that are read, weakest first; they need not exist."""
    folder = env.get("XDG_CONFIG_HOME") or home_path(env, ".config")
    files = [Path(folder) / "groundwire" / FILE] if folder else []
    return list(dict.fromkeys([*files, cwd / FILE]))


def terminal_language() -> str:
    """Return the language to speak at a terminal before settings are loaded: `zh_TW` is zh-Hant.

    It reads this one setting by itself, because `gw --help` has no time to import the schema.
    """
    env = environment()
    language = next(_set_languages(env), "auto")
    if language != "auto":
        return language
    locale = next((env[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if env.get(name)), "")
    return language_of_locale(locale)


def _set_languages(env: Mapping[str, str]) -> Iterator[str]:
    """Yield the `language` of each source that sets it, strongest first."""
    if variable := env.get(env_name("language"), "").strip():
        yield variable
    for path in reversed(config_files(Path.cwd(), env)):
        if path.is_file() and isinstance(value := _read_key(path, "language"), str):
            yield value.strip()


def _read_key(path: Path, key: str) -> object:
    """Return a key of a TOML file; loading the settings reports a file that cannot be read."""
    import tomllib

    try:
        return tomllib.loads(path.read_bytes().decode("utf-8-sig")).get(key)
    except (OSError, ValueError):
        return None
