"""The user's own profiles of verify: the texts of the files in their folder."""

from __future__ import annotations

from pathlib import Path

from groundwire.errors import SettingsError

_HINT = "a folder with one JSON file a profile, or leave verify.profiles out"


def profile_texts(folder: str) -> dict[str, str]:
    """Each file's text by its name; a folder that holds none, or cannot be read, is refused."""
    try:
        paths = sorted(path for path in Path(folder).expanduser().iterdir() if path.is_file())
        texts = {path.name: path.read_text("utf-8") for path in paths if path.suffix == ".json"}
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"verify.profiles: {folder} cannot be read", hint=_HINT) from error
    if not texts:
        raise SettingsError(f"verify.profiles: {folder} holds no profile", hint=_HINT)
    return texts
