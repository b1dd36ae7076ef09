"""Labels in traditional characters for those who ask in them."""

from __future__ import annotations

from groundwire.language.text.characters import detect_language
from groundwire.report.words import words


def test_traditional_labels_are_the_simplified_ones_in_the_other_script() -> None:
    old, new = words("zh-Hant"), words("zh")
    assert (old.missing, old.sources) == ("尚缺", "來源")
    assert old.verdict("contested") == "◐ 有爭議"
    assert detect_language(old.made_by) == "zh-Hant"
    assert old.verdicts.keys() == new.verdicts.keys()
    assert words("zh-hant") is old


def test_checks_count_what_is_contested_in_every_language() -> None:
    for language in ("en", "zh", "zh-Hant"):
        assert "{contested}" in words(language).checks
