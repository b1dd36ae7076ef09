"""Figures as each language writes them."""

from __future__ import annotations

from decimal import Decimal

import pytest

from groundwire.language.amounts.writing import written_figure


@pytest.mark.parametrize(
    ("value", "unit", "en", "zh", "hant"),
    [
        ("5576000", "USD", "$5.576 million", "557.6万美元", "557.6萬美元"),
        ("3300000000", "USD", "$3.3 billion", "33亿美元", "33億美元"),
        ("2788000", "", "2.788 million", "278.8万", "278.8萬"),
        ("249", "USD", "$249", "249美元", "249美元"),
        ("29900", "TWD", "NT$29,900", "2.99万新台币", "2.99萬新台幣"),
        ("0.9", "USD", "$0.90", "0.90美元", "0.90美元"),
        ("17", "%", "17%", "17%", "17%"),
        ("12.50", "BTC", "12.5 BTC", "12.5 BTC", "12.5 BTC"),
    ],
)
def test_a_figure_is_written_as_its_reader_writes_it(
    value: str, unit: str, en: str, zh: str, hant: str
) -> None:
    found = [written_figure(Decimal(value), unit, each) for each in ("en", "zh", "zh-Hant")]
    assert found == [en, zh, hant]
