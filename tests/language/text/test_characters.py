"""The normal form and its way back to the original offsets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.language.text.characters import detect_language, normalise, script_marks, simplify

_ALPHABET = st.sampled_from(
    list("硅谷銀行银倒閉闭，。、「」『』“”‘’—–-…ﬁ½²①\u3000 \n\t\u200b\u00ad\u0301\ufe0f")
    + list("aZé$０．８％İßΣ\u00a8\u212b")
)
_TEXTS = st.one_of(st.text(_ALPHABET, max_size=40), st.text(max_size=40))


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("硅谷銀行倒閉", "硅谷银行倒闭"),  # traditional
        ("ＵＳＤＣ　跌至０．８８美元", "USDC跌至0.88美元"),  # full width
        ("“Yes,” he said — ‘no’", "\"Yes,\" he said - 'no'"),  # quotes and dashes
        ("「是」『否』", "\"是\"'否'"),  # corner quotes
        ("a \n\n b\u00a0c", "a b c"),  # white space
        ("共 33 亿 美元", "共33亿美元"),  # white space inside Chinese
        ("Circle 公司", "Circle公司"),  # between scripts
        ("so\u00adft\u200b hyphen", "soft hyphen"),  # invisible
        ("10²① ½", "10²① ½"),  # would become other numbers
        ("ﬁne…", "fine..."),  # one to many
        ("cafe\u0301", "café"),  # composed
        ("ﬁ\u0301", "fi\u0301"),  # both
        ("", ""),
        ("\u200b", ""),
    ],
)
def test_normal_form(text: str, normal: str) -> None:
    assert simplify(text) == normal


def test_case_is_kept_unless_asked() -> None:
    assert normalise("USDC").text == "USDC"
    assert normalise("USDC İ", fold=True).text == "usdc İ"
    assert normalise("USDC", fold=True).text == "usdc"


@given(_TEXTS, st.data())
def test_original_slice_normalises_to_the_stretch(text: str, data: st.DataObject) -> None:
    """For any text and any stretch of its normal form, the original slice holds that stretch."""
    normal = normalise(text)
    start = data.draw(st.integers(0, len(normal.text)))
    end = data.draw(st.integers(start, len(normal.text)))
    left, right = normal.original(start, end)
    assert 0 <= left <= right <= len(text)
    assert normal.text[start:end] in simplify(text[left:right])


@given(_TEXTS)
def test_whole_text_maps_to_itself(text: str) -> None:
    """Every piece maps to the stretch it came from, in order and without overlap."""
    normal = normalise(text)
    done = 0
    for start, length, origin, origin_length in normal.pieces:
        assert origin >= done
        assert normal.original(start, start + length) == (origin, origin + origin_length)
        assert (
            simplify(text[origin : origin + origin_length]) == normal.text[start : start + length]
        )
        done = origin + origin_length


@given(_TEXTS)
def test_folding_keeps_offsets(text: str) -> None:
    """Case folding never changes the length."""
    assert len(normalise(text, fold=True).text) == len(normalise(text).text)


def test_find_gives_original_offsets() -> None:
    text = "据报道，　硅谷 銀行 於３月１０日倒閉。"
    found = normalise(text).find("硅谷银行于3月10日倒闭")
    assert found is not None
    assert text[slice(*found)] == "硅谷 銀行 於３月１０日倒閉"
    assert normalise(text).find("没有") is None
    assert normalise(text).find("") is None


def test_empty_stretch_is_empty() -> None:
    assert normalise("ﬁ硅 谷").original(0, 0) == (0, 0)
    assert normalise("ﬁ硅 谷").original(2, 2) == (1, 1)


def test_script_marks_are_disjoint() -> None:
    old, new = script_marks()
    assert "銀" in old and "银" in new
    assert not old & new
    assert "后" not in old | new  # written in both


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("硅谷银行倒闭", "zh"),
        ("硅谷銀行倒閉", "zh-Hant"),
        ("中国", "zh"),
        ("DeepSeek发布了R1模型", "zh"),
        # Characters of both scripts, words of one: Taiwan's, the mainland's.
        ("人工智慧", "zh-Hant"),
        ("晶片", "zh-Hant"),
        ("演算法", "zh-Hant"),
        ("人工智能", "zh"),
        ("算法", "zh"),
        # Words of both: a name of the mainland may begin as Taiwan's does.
        ("智慧城市", "zh"),
        ("塔吉克斯坦", "zh"),
        ("北京", "zh"),
        ("Silicon Valley Bank was closed", "en"),
        ("Silicon Valley Bank", "en"),
        # Small words that English shares with others.
        ("Norland names Marek as CEO", "en"),
        ("Brill recalls a car as a precaution", "en"),
        ("Rio de Janeiro police hold a man in de la Vega case", "en"),
        ("El banco fue cerrado por las autoridades de la ciudad", "es"),
        ("El banco central sube los tipos", "es"),
        ("O banco central do Brasil elevou a taxa de juros", "pt"),
        ("A empresa demitiu o presidente da filial", "pt"),
        ("Le patron de la banque quitte son poste", "fr"),
        ("Der Vorstand hat den Chef entlassen", "de"),
        ("Il governo ha approvato la legge", "it"),
        ("日本の銀行です", "ja"),
        ("Банк закрыт", "ru"),
        ("은행 파산", "ko"),
        ("", "und"),
        ("12345", "und"),
    ],
)
def test_language_by_script(text: str, language: str) -> None:
    assert detect_language(text) == language
