"""What cannot be watched as it was typed: one sentence in the reader's language, and nothing kept."""

from __future__ import annotations

import pytest

from groundwire.words import words
from tests.badinput.conftest import Door
from tests.badinput.test_in_chinese import english

BAD = {
    "never": (("--every", "0 0 30 2 *"), "schedule.never_fires"),
    "often": (("--every", "every 1s"), "schedule.too_often_or_seldom"),
    "platform": (("--platforms", "zihu"), "zhihu"),
    "channel": (("--to", "pigeon:x"), "pigeon"),
    "condition": (("--conditions", "soon"), "watch.input.condition"),
    "zone": (("--zone", "Mars"), "error.no_zone"),
    "quiet": (("--quiet", "night"), "schedule.no_quiet"),
}
_TYPED = {"never": "0 0 30 2 *", "often": "every 1s", "condition": "soon", "quiet": "night"}


def sentence(name: str, language: str) -> str:
    """Return what is said of a bad input: its sentence, or the name that it must hold."""
    code = BAD[name][1]
    return words(language)(code, text=_TYPED.get(name, ""), name="Mars")


@pytest.mark.parametrize("language", ["en", "zh", "zh-Hant"])
@pytest.mark.parametrize("name", BAD)
def test_the_command_refuses_it_in_one_sentence(empty: Door, name: str, language: str) -> None:
    result = empty("watch", "add", "DeepSeek", *BAD[name][0], GROUNDWIRE_LANGUAGE=language)
    assert result.code == 2, result
    first = result.err.splitlines()[0]
    assert sentence(name, language) in first
    assert ".0" not in first, "a place in a list says nothing to whoever typed one text"
    if language != "en" and name not in ("channel", "platform", "condition", "zone"):
        assert english(result.err) == [], result.err
    assert empty.rows() == []


@pytest.mark.parametrize("language", ["en", "zh", "zh-Hant"])
def test_with_nothing_to_keep_looking_at_the_command_to_keep_is_shown(
    empty: Door, language: str
) -> None:
    result = empty("watch", "add", GROUNDWIRE_LANGUAGE=language)
    assert result.code == 2
    assert 'gw watch add "…"' in result.err
    assert empty.rows() == []
