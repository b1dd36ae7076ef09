"""Figures in text, and when two of them are the same."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.language.amounts.numbers import figures, same_figure
from groundwire.language.amounts.numerals import chinese_integer, chinese_number, english_number


@pytest.mark.parametrize(
    ("text", "value", "unit", "qualifier"),
    [
        ("33亿美元", "3300000000", "USD", ""),
        ("３３億美元", "3300000000", "USD", ""),  # traditional, full width
        ("3.3 billion dollars", "3300000000", "USD", ""),
        ("3.3-billion-dollar", "3300000000", "USD", ""),
        ("US$3.3bn", "3300000000", "USD", ""),
        ("$40 bn", "40000000000", "USD", ""),
        ("$5m", "5000000", "USD", ""),
        ("五百万", "5000000", "", ""),
        ("五百萬", "5000000", "", ""),
        ("三点五亿元", "350000000", "CNY", ""),
        ("1.2万", "12000", "", ""),
        ("278.8万", "2788000", "", ""),
        ("2.788 million", "2788000", "", ""),
        ("1亿2000万美元", "120000000", "USD", ""),
        ("17%", "17", "%", ""),
        ("17 per cent", "17", "%", ""),
        ("百分之十七", "17", "%", ""),
        ("四成", "40", "%", ""),
        ("一成二", "12", "%", ""),
        ("三成半", "35", "%", ""),
        ("逾一成二。", "12", "%", "over"),
        ("三成三个月", "30", "%", ""),
        ("0.88美元", "0.88", "USD", ""),
        ("$0.88", "0.88", "USD", ""),
        ("88 cents", "0.88", "USD", ""),
        ("88美分", "0.88", "USD", ""),
        ("1,234,567", "1234567", "", ""),
        ("1/4", "0.25", "", ""),
        ("四分之一", "0.25", "", ""),
        ("20分之1", "0.05", "", ""),
        ("one-quarter", "0.25", "", ""),
        ("25 basis points", "25", "bp", ""),
        ("25個基點", "25", "bp", ""),
        ("2 percentage points", "2", "pp", ""),
        ("HK$50亿", "5000000000", "HKD", ""),
        ("RMB 5亿", "500000000", "CNY", ""),
        ("¥5亿日元", "500000000", "JPY", ""),
        ("¥5", "5", "¥", ""),
        ("15,000 BTC", "15000", "BTC", ""),
        ("671B", "671000000000", "", ""),
        ("10k users", "10000", "", ""),
        ("three million euros", "3000000", "EUR", ""),
        ("one hundred and twenty thousand", "120000", "", ""),
        ("twenty-five percent", "25", "%", ""),
        ("a billion", "1000000000", "", ""),
        ("half a million", "500000", "", ""),
        ("half million", "500000", "", ""),
        ("十七家", "17", "", ""),
        ("2000人", "2000", "", ""),
        ("2000 people", "2000", "", ""),
        ("about 0.87", "0.87", "", "about"),
        ("约33亿美元", "3300000000", "USD", "about"),
        ("約33億美元", "3300000000", "USD", "about"),
        ("近四成", "40", "%", "about"),
        ("100人左右", "100", "", ""),
        ("5%左右", "5", "%", "about"),
        ("more than $3.3 billion", "3300000000", "USD", "over"),
        ("超過100人", "100", "", "over"),
        ("30多亿", "3000000000", "", "over"),
        ("3亿多美元", "300000000", "USD", "over"),
        ("up to 5 percent", "5", "%", "under"),
        ("不到5%", "5", "%", "under"),
    ],
)
def test_one_figure(text: str, value: str, unit: str, qualifier: str) -> None:
    (figure,) = figures(text)
    assert (figure.value, figure.unit, figure.qualifier) == (Decimal(value), unit, qualifier)
    assert text[figure.start : figure.end] == figure.text


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("5–7%", [("5", "%"), ("7", "%")]),
        ("$5-7 billion", [("5000000000", "USD"), ("7000000000", "USD")]),
        ("30至40亿元", [("3000000000", "CNY"), ("4000000000", "CNY")]),
        ("from 1 to 0.88 dollars", [("1", "USD"), ("0.88", "USD")]),
        ("5.5%–5.75%", [("5.5", "%"), ("5.75", "%")]),
        ("between $3 billion and $5 billion", [("3000000000", "USD"), ("5000000000", "USD")]),
        ("3亿至2亿", [("300000000", ""), ("200000000", "")]),
        ("12家，5G，17%", [("12", ""), ("17", "%")]),
        ("在2023年投入5亿", [("500000000", "")]),
    ],
)
def test_several_figures(text: str, values: list[tuple[str, str]]) -> None:
    assert [(f.value, f.unit) for f in figures(text)] == [(Decimal(v), u) for v, u in values]


@pytest.mark.parametrize(
    "text",
    [
        "R1 V3 GPT-4 H800 A100 5G 3D COVID-19 iPhone15",  # names
        "2023年3月11日 10:30 in 2023, March 11, 1980s, 下午3点20分",  # dates and times
        "第33届 15th No. 5 Section 230 #7",  # ordinals
        "10-K 3.11.2 192.168.1.1",
        "十分重要，千万不要，万一，百姓，二十大，三家银行，三个月，第五十条",
        "one of the two banks; a hundred-year storm? hundreds of millions",
        "5m tall",
        "PLUSD5",
        "五分之七 7/5",
        "twenty twelve million",
        "",
    ],
)
def test_no_figure(text: str) -> None:
    assert [f.text for f in figures(text)] in ([], ["a hundred"])


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("33亿美元", "$3.3bn", True),
        ("33億美元", "3.3 billion dollars", True),
        ("3.3 billion", "33亿美元", True),  # a missing unit
        ("3.3 billion", "3.3 million", False),
        ("$3.3bn", "33亿元", False),
        ("¥5亿", "5亿元", True),
        ("¥5亿", "5亿日元", True),
        ("25 basis points", "0.25%", True),
        ("25个基点", "0.25个百分点", True),
        ("5%", "5个百分点", False),
        ("17%", "百分之十七", True),
        ("88 cents", "0.88美元", True),
        ("$0.87", "$0.88", False),
    ],
)
def test_same_figure(one: str, other: str, same: bool) -> None:
    (a,), (b,) = figures(one), figures(other)
    assert same_figure(a, b) is same
    assert same_figure(b, a) is same


@given(st.integers(1, 9999), st.sampled_from([("万", "0000"), ("亿", "00000000")]))
def test_scales_only_add_zeros(number: int, scale: tuple[str, str]) -> None:
    (figure,) = figures(f"共{number}{scale[0]}元")
    assert figure.value == Decimal(f"{number}{scale[1]}")


@given(st.text(st.sampled_from(list("3.,5%亿万美元$ b一百点two-/年 ")), max_size=30))
def test_any_text_can_be_read(text: str) -> None:
    """Figures are in order, do not overlap, and stand where they say."""
    done = 0
    for figure in figures(text):
        assert done <= figure.start < figure.end
        assert text[figure.start : figure.end] == figure.text
        done = figure.end


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("二〇二三", 2023),
        ("一万亿", 10**12),
        ("一亿二千万", 120_000_000),
        ("两千零五", 2005),
        ("十", 10),
        ("一点五万", 15000),
        ("百", None),
        ("千万", None),
        ("点五", None),
        ("一点", None),
        ("甲", None),
        ("甲点五", None),
        ("一点五百", None),
        ("", None),
    ],
)
def test_chinese_numerals(text: str, value: int | None) -> None:
    assert chinese_number(text) == value


def test_whole_numbers_only() -> None:
    assert chinese_integer("12") == 12
    assert chinese_integer("十二") == 12
    assert chinese_integer("一点五") is None
    assert chinese_integer("x") is None


def test_english_words() -> None:
    assert english_number(["twenty", "five"]) == 25
    assert english_number(["hundred"]) == 100
    assert english_number(["three", "two"]) is None
    assert english_number(["some"]) is None
    assert english_number(["million"]) == 10**6
