"""The user's own profiles: read from a folder at submit, and kept in the run by content."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.laws.house import House

from groundwire.errors import InputError, SettingsError
from groundwire.evidence.messages.profiles import load_profiles
from groundwire.jobs.verify.settings import profile_texts

PROFILE = json.dumps(
    {"name": "sport", "about": "games", "types": [{"name": "other", "about": "everything"}]}
)


def test_files_of_other_kinds_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "sport.json").write_text(PROFILE, "utf-8")
    (tmp_path / "notes.txt").write_text("x", "utf-8")
    (tmp_path / "old.json").mkdir()
    assert profile_texts(str(tmp_path)) == {"sport.json": PROFILE}


@pytest.mark.parametrize("make", ["absent", "empty", "binary"])
def test_a_folder_that_gives_no_profile_is_refused(tmp_path: Path, make: str) -> None:
    folder = tmp_path / "profiles"
    if make != "absent":
        folder.mkdir()
    if make == "binary":
        (folder / "a.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SettingsError, match=r"verify\.profiles") as caught:
        profile_texts(str(folder))
    assert caught.value.hint


async def test_a_run_keeps_the_profiles_and_not_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "profiles"
    folder.mkdir()
    (folder / "sport.json").write_text(PROFILE, "utf-8")
    async with House(tmp_path / "home").open(**{"verify.profiles": str(folder)}) as app:
        view = app.outside.run_settings()
        (folder / "sport.json").write_text(PROFILE.replace("games", "changed"), "utf-8")
        kept = load_profiles(view["verify"]["profiles"])
        assert [(each.name, each.about) for each in kept] == [("sport", "games")]
        assert str(folder) not in json.dumps(view)


async def test_a_broken_profile_is_refused_before_it_is_a_run(tmp_path: Path) -> None:
    folder = tmp_path / "profiles"
    folder.mkdir()
    (folder / "sport.json").write_text('{"name": "sport"}', "utf-8")
    async with House(tmp_path / "home").open(**{"verify.profiles": str(folder)}) as app:
        with pytest.raises(InputError, match=r"sport\.json, about"):
            app.outside.run_settings()
