"""What is shown beside a quote counts: posts in all their words, and a name that only the headline gives."""

from __future__ import annotations

import pytest
from tests.evidence.builders import evidence

from groundwire.evidence.citations.checker import check
from groundwire.evidence.citations.parties import names_in

_ALLAIRE = (
    "Jeremy Allaire, the chief executive of Circle, said on Saturday that the company would cover any shortfall"
    " with its own money."
)
_RAMAN = "Priya Raman, chief financial officer at Orvane, told analysts on Monday that the plant would reopen in May."


def passes(sentence: str, quote: str, title: str = "") -> bool:
    page = evidence(quote, title=title, published="2025-06-04")
    return check(sentence, [(1, quote)], {1: (page, page.passages[0])}).result != "unsupported"


@pytest.mark.parametrize(
    ("sentence", "quote"),
    [
        ("Circle's CEO Jeremy Allaire said the company would cover any shortfall.", _ALLAIRE),
        ("Circle CEO Jeremy Allaire said the company would cover any shortfall.", _ALLAIRE),
        ("Circle's boss Jeremy Allaire said the company would cover any shortfall.", _ALLAIRE),
        ("Jeremy Allaire, Circle's CEO, said the company would cover any shortfall.", _ALLAIRE),
        ("According to Jeremy Allaire, CEO of Circle, the company would cover any shortfall.", _ALLAIRE),
        ("Circle首席执行官杰里米·阿莱尔表示，公司会用自有资金弥补任何缺口。", _ALLAIRE),
        ("Circle執行長傑瑞米·阿萊爾表示，公司會以自有資金補足任何缺口。", _ALLAIRE),
        ("Orvane's CFO Priya Raman told analysts that the plant would reopen in May.", _RAMAN),
    ],
)  # fmt: skip
def test_who_somebody_is_may_stand_before_or_after_the_name(sentence: str, quote: str) -> None:
    assert passes(sentence, quote)


@pytest.mark.parametrize(
    ("sentence", "quote"),
    [
        ("Microsoft's CEO said Activision had bought the studio.",
         "Activision's CEO said Microsoft had bought the studio."),
        ("Orvane's chief executive Ada Holm sued Harrow's founder Tom Reed.",
         "Harrow's founder Tom Reed sued Orvane's chief executive Ada Holm."),
    ],
)  # fmt: skip
def test_those_who_act_still_may_not_swap_places(sentence: str, quote: str) -> None:
    assert not passes(sentence, quote)


@pytest.mark.parametrize(
    ("sentence", "quote", "title"),
    [
        ("The Orvane Nova costs $799.", "The phone, which replaces the Harrow Two, costs $799.", "Orvane launches the Nova"),
        ("The iPhone 15 costs $799 in America.", "The phone costs $799 in America, where AT&T will sell it first.",
         "Apple unveils the iPhone 15"),
        ("星辰八号由酒泉发射，重1.4吨。", "这颗卫星由酒泉发射，重1.4吨。", "星辰八号成功入轨"),
        ("星辰八號自酒泉發射，重1.4公噸。", "這顆衛星自酒泉發射，重1.4公噸。", "星辰八號成功入軌"),
    ],
)  # fmt: skip
def test_the_headline_names_what_the_quote_does_not(sentence: str, quote: str, title: str) -> None:
    assert passes(sentence, quote, title)


@pytest.mark.parametrize("sentence", ["The Harrow Two costs $799.", "The Telmar Three costs $799."])
def test_another_name_does_not_count(sentence: str) -> None:
    quote = "The phone costs $799, against $699 for the Harrow Two."
    assert not passes(sentence, quote, "Orvane launches the Nova")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Passengers on the ferry were unhurt.", []),
        ("Thirty-six of the outlets stay open.", []),
        ("He left. Auditors have yet to report on Harwell.", ["Harwell"]),
        ("Circle said it had no exposure.", ["Circle"]),
        ("Harrow fell on Friday.", ["Harrow"]),
        ("Target cut its forecast.", ["Target"]),
        ("乘客均未受伤。", []),
        ("乘客均未受傷。", []),
    ],
)
def test_a_common_word_that_opens_a_sentence_is_no_name(text: str, found: list[str]) -> None:
    assert [name.text for name in names_in(text)] == found


def test_a_number_in_words_needs_a_sure_reading() -> None:
    quote = "Without a booster, the protection of the vaccine fell to 58% in the second year."
    assert passes("The protection of the vaccine fell to 58% in year two without a booster.", quote)
    assert not passes(
        "Four banks collapsed the same night.", "Silicon Valley Bank collapsed the same night."
    )


_BOUGHT = "汇丰银行3月13日以1英镑收购硅谷银行英国子公司。"
_BOUGHT_HANT = "滙豐銀行3月13日以1英鎊收購矽谷銀行英國子公司。"
_SAFE = "Circle首席执行官杰里米·阿莱尔周六表示，客户的存款是安全的。"
_SAFE_HANT = "Circle執行長傑瑞米·阿萊爾週六表示，客戶的存款是安全的。"
_SAFE_EN = "Jeremy Allaire, the chief executive of Circle, said on Saturday that customers' deposits are safe."


@pytest.mark.parametrize(
    ("right", "lie", "quote"),
    [
        ("HSBC bought the British arm of Silicon Valley Bank for one pound.",
         "First Citizens bought the British arm of Silicon Valley Bank for one pound.", _BOUGHT),
        ("HSBC bought the British arm of Silicon Valley Bank for one pound.",
         "First Citizens bought the British arm of Silicon Valley Bank for one pound.", _BOUGHT_HANT),
        ("Circle's CEO, Jeremy Allaire, said that customers' deposits are safe.",
         "Circle's CEO, Paolo Ardoino, said that customers' deposits are safe.", _SAFE),
        ("Circle chief executive Jeremy Allaire said customers' deposits are safe.",
         "Circle chief executive Brian Armstrong said customers' deposits are safe.", _SAFE),
        ("Jeremy Allaire, the chief executive of Circle, said customers' deposits are safe.",
         "Paolo Ardoino, the chief executive of Circle, said customers' deposits are safe.", _SAFE_HANT),
        ("Circle首席执行官杰里米·阿莱尔表示客户的存款是安全的。",
         "Circle首席执行官保罗·阿尔多伊诺表示客户的存款是安全的。", _SAFE_EN),
        ("Circle執行長傑瑞米·阿萊爾表示，客戶的存款是安全的。",
         "Circle執行長保羅·阿爾多伊諾表示，客戶的存款是安全的。", _SAFE_EN),
        ("Circle執行長傑瑞米·阿萊爾表示，客戶的存款是安全的。",
         "Circle執行長保羅·阿爾多伊諾表示，客戶的存款是安全的。", _SAFE),
    ],
)  # fmt: skip
def test_a_name_in_the_other_language_is_told_by_a_list_or_its_sound(
    right: str, lie: str, quote: str
) -> None:
    page = evidence(quote, published="2023-03-13")
    found = [
        check(each, [(1, quote)], {1: (page, page.passages[0])}).result for each in (right, lie)
    ]
    assert found == ["supported", "unsupported"]


@pytest.mark.parametrize(
    ("right", "lie", "quote", "title"),
    [
        ("The iPhone 15 starts at $799.", "The iPhone 14 starts at $799.",
         "The phone starts at $799 and goes on sale on 22 September.", "Apple unveils the iPhone 15"),
        ("iPhone 15的起售价为799美元。", "iPhone 14的起售价为799美元。",
         "The phone starts at $799 and goes on sale on 22 September.", "Apple unveils the iPhone 15"),
        ("In Taiwan the iPhone 15 starts at NT$29,900.", "In Taiwan the iPhone 15 starts at $29,900.",
         "iPhone 15在台灣的售價為新台幣29,900元起。", "蘋果發表iPhone 15"),
        ("iPhone 15在台灣售價新台幣29,900元起。", "iPhone 15在台灣售價29,900美元起。",
         "In Taiwan the iPhone 15 starts at NT$29,900.", "Apple unveils the iPhone 15"),
        ("iPhone 15在台湾售价新台币29,900元起。", "iPhone 15在台湾售价人民币29,900元起。",
         "In Taiwan the iPhone 15 starts at NT$29,900.", "Apple unveils the iPhone 15"),
    ],
)  # fmt: skip
def test_numbers_of_names_and_currencies_count_in_either_language(
    right: str, lie: str, quote: str, title: str
) -> None:
    assert passes(right, quote, title)
    assert not passes(lie, quote, title)
