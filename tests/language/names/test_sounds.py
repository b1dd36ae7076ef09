"""Names of the other script, compared by their sound."""

from __future__ import annotations

import pytest

from groundwire.language.names.sounds import compare_sounds, dotted_names
from groundwire.language.text.characters import normalise


@pytest.mark.parametrize(
    ("latin", "chinese"),
    [
        ("Jeremy", "杰里米"), ("Jeremy", "傑瑞米"), ("Allaire", "阿莱尔"), ("Allaire", "阿萊爾"), ("Musk", "马斯克"),
        ("Armstrong", "阿姆斯特朗"), ("Zuckerberg", "扎克伯格"), ("Nadella", "纳德拉"), ("Harris", "哈里斯"),
        ("Johnson", "约翰逊"), ("Starmer", "斯塔默"), ("Meloni", "梅洛尼"), ("Williams", "威廉姆斯"),
    ],
)  # fmt: skip
def test_a_name_is_known_by_its_sound(latin: str, chinese: str) -> None:
    assert compare_sounds(latin, normalise(chinese).text) == "same"


@pytest.mark.parametrize(
    ("latin", "chinese"),
    [("Ardoino", "杰里米"), ("Armstrong", "阿莱尔"), ("Musk", "贝佐斯"), ("Zuckerberg", "纳德拉")],
)  # fmt: skip
def test_another_name_sounds_otherwise(latin: str, chinese: str) -> None:
    assert compare_sounds(latin, chinese) == "other"


@pytest.mark.parametrize("chinese", ["汇丰", "刘德海", "微软", "库"])
def test_a_name_that_is_no_sound_is_not_compared(chinese: str) -> None:
    assert compare_sounds("Hartwell", chinese) == ""


def test_dotted_names_are_found_without_what_stands_around_them() -> None:
    text = "Circle首席执行官杰里米·阿莱尔周六表示，唐纳德·约翰·特朗普不在场。"
    found = [text[start:end] for start, end in dotted_names(text)]
    assert found == ["杰里米", "阿莱尔", "唐纳德", "约翰", "特朗普"]
