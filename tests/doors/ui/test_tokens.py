"""One language of colours over pages and reports, and all of it can be read."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from groundwire.report.tokens import DARK, LIGHT, SHAPES

_BLOCK = re.compile(r"(:root[^{]*)\{([^{}]*)\}")
_TOKEN = re.compile(r"--([\w-]+): (#[0-9A-F]{6});")
_GROUNDS = ("paper", "raised", "wash")
_TEXT = ("ink", "soft", "faint", "accent", *SHAPES)


def _css() -> dict[str, dict[str, str]]:
    text = files("groundwire.doors.ui").joinpath("static", "tokens.css").read_text(encoding="utf-8")
    blocks = [(name.strip(), dict(_TOKEN.findall(body))) for name, body in _BLOCK.findall(text)]
    return {name: tokens for name, tokens in blocks if tokens}


def _light() -> dict[str, str]:
    return _css()[":root"]


def _dark() -> dict[str, str]:
    return _css()[':root[data-theme="dark"]']


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: str, two: str) -> float:
    darker, lighter = sorted((_luminance(one), _luminance(two)))
    return (lighter + 0.05) / (darker + 0.05)


def test_dark_is_the_same_whether_chosen_or_as_the_system_has_it():
    assert _css()[':root:not([data-theme="light"])'] == _dark()
    assert _dark().keys() == _light().keys()


def test_reports_have_the_colours_of_the_pages():
    for tokens, page_tokens in ((LIGHT, _light()), (DARK, _dark())):
        assert {name: page_tokens[name] for name in tokens} == {
            name: value.upper() for name, value in tokens.items()
        }


@pytest.mark.parametrize("tokens", [_light(), _dark()], ids=["light", "dark"])
def test_text_can_be_read_on_every_ground(tokens: dict[str, str]):
    for ground in _GROUNDS:
        for name in _TEXT:
            assert _contrast(tokens[name], tokens[ground]) >= 4.5, (name, ground)
    assert _contrast(tokens["edge"], tokens["raised"]) >= 3  # of a field
    assert _contrast(tokens["edge"], tokens["paper"]) >= 3
    assert _contrast(tokens["on-accent"], tokens["accent"]) >= 4.5
    assert _contrast(tokens["ink"], tokens["mark"]) >= 4.5
