"""The words of the pages: whole in both languages, there when they are used, used when there."""

from __future__ import annotations

import re
from importlib.resources import files
from string import Formatter

import pytest

from groundwire.doors.ui.wording import Words, all_words
from groundwire.errors import IllegalState

_HAN = re.compile(r"[\u3400-\u9fff]")
_TOLD = re.compile(r"""\bt(?:\.maybe)?\(\s*['"]([\w.\-]+)['"]\s*[,)]""")


def _fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def _sources() -> dict[str, str]:
    folder = files("groundwire.doors.ui")
    found: dict[str, str] = {}
    waiting = [folder]
    while waiting:
        for each in waiting.pop().iterdir():
            if each.is_dir() and each.name not in ("words", "__pycache__"):
                waiting.append(each)
            elif each.name.endswith((".py", ".html", ".js", ".svg")):
                found[str(each)] = each.read_text(encoding="utf-8")
    return found


@pytest.mark.parametrize("name", sorted(all_words()))
def test_each_word_is_whole(name: str):
    word = all_words()[name]
    assert set(word) == {"en", "zh"}
    assert word["en"].strip() and word["zh"].strip()
    assert _fields(word["en"]) == _fields(word["zh"])
    bare = re.sub(r"\{\w*\}", "", word["zh"])
    same = word["zh"] == word["en"]  # a name: PDF, English
    assert _HAN.search(bare) or same or not re.search(r"[^\W\d_]", bare)


def test_every_word_that_a_template_names_is_there():
    named = {
        (path.rpartition("/")[2], name)
        for path, text in _sources().items()
        if path.endswith(".html")
        for name in _TOLD.findall(text)
    }
    assert named
    assert {each for each in named if each[1] not in all_words()} == set()


def test_every_word_is_used():
    text = "\n".join(_sources().values())
    assert [name for name in all_words() if not _used(name, text)] == []


def _used(name: str, text: str) -> bool:
    """As a whole, or put together of parts of which some are only known later."""
    dots = [match.start() for match in re.finditer(r"[._]", name)]
    whole = [f"'{name}'", f'"{name}"']
    begins = [f"{name[: dot + 1]}{mark}" for dot in dots for mark in "'\"{"]
    ends = [f"{mark}{name[dot:]}{end}" for dot in dots for mark in "'\"}" for end in "'\""]
    middles = [f"}}{name[one : two + 1]}{{" for one in dots for two in dots if one < two]
    return any(each in text for each in (*whole, *begins, *ends, *middles))


def test_traditional_words_are_made_of_the_simplified_ones():
    assert Words("zh")("shell.archive") == "档案"
    assert Words("zh-Hant")("shell.archive") == "檔案"
    assert Words("zh-Hant")("shell.today", usd="$1.00") == "今日 $1.00"
    assert Words("en")("shell.today", usd="$1.00") == "$1.00 today"


def test_a_word_that_is_not_there_is_no_empty_one():
    with pytest.raises(IllegalState):
        Words("en")("shell.nothing")
    assert Words("en").maybe("nothing.kind", "nothing") == "nothing"
