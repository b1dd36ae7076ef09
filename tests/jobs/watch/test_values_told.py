"""What values are called for a reader: in his language and writing, with their noun, or not at all."""

from __future__ import annotations

import pytest

from groundwire.jobs.watch.ledger.attributes import attributes, called, state_called
from groundwire.jobs.watch.ledger.claims import Change, Side, ValueKind
from groundwire.jobs.watch.letter import told_once, values_of
from groundwire.jobs.watch.result import Noticed
from groundwire.jobs.watch.values_told import told_value
from groundwire.words import words


def side(value: str, key: str, unit: str = "", of: ValueKind | None = "money") -> Side:
    return Side(text=f"It is {value}.", value=value, key=key, unit=unit, of=of)


@pytest.mark.parametrize(
    ("language", "attribute", "value", "noun", "told"),
    [
        ("en", "cost", side("557.6万美元", "5576000", "USD"), "cost", "$5.576 million"),
        ("zh", "cost", side("557.6万美元", "5576000", "USD"), "预算", "557.6万美元"),
        ("zh-Hant", "reserves", side("$40 billion", "40000000000", "USD"), "儲備", "400億美元"),
        ("zh", "price", side("$249", "249", "USD"), "价格", "$249"),
        ("en", "users", side("三百万", "3000000", of="count"), "users", "3 million"),
        ("en", "launch", side("1月20日", "2025-01-20", of="date"), "launch", "2025-01-20"),
        ("zh-Hant", "closing", side("Monday", "2023-03-13", of="date"), "關閉", "2023-03-13"),
        ("en", "investigation", side("展开", "opened", of="state"), "investigation", "opened"),
        ("zh", "bill", side("passed", "passed", of="state"), "法案", "通过"),
        ("zh-Hant", "bill", side("passed", "passed", of="state"), "法案", "通過"),
        ("en", "head", side("玛塔", "玛塔", of="name"), "head", ""),
        ("zh", "head", side("Marta Lindqvist", "x", of="name"), "首席执行官", "Marta Lindqvist"),
        ("en", "", side("2美元", "2", "USD"), "", ""),  # of what nobody says
        ("en", "launch", side("R2", "not launch", of="act"), "launch", ""),
    ],
)
def test_a_value_is_told_in_the_readers_language(
    language: str, attribute: str, value: Side, noun: str, told: str
) -> None:
    assert told_value(attribute, value.of, value, language) == (noun, told)


@pytest.mark.parametrize("language", ["en", "zh", "zh-Hant"])
def test_every_attribute_and_every_state_has_a_name(language: str) -> None:
    for each in attributes().values():
        name = called(each.id, language)
        assert name
        assert name.isascii() == (language == "en")
    assert state_called("investigation", "no such state", language) == ""
    assert all(
        state_called(name, state, language)
        for name, state in (("licence", "revoked"), ("strike", "ended"), ("deal", "agreed"))
    )


def changed(attribute: str, before: Side | None, after: Side | None) -> Noticed:
    change = Change(kind="changed", claim_id="c", attribute=attribute, before=before, after=after)
    return Noticed(**change.model_dump(), said_before="Before.", said_after="After.")


def test_a_change_names_what_it_is_a_value_of_and_a_new_claim_its_value() -> None:
    say = words("en")
    old, new = side("$249", "249", "USD"), side("199美元", "199", "USD")
    assert values_of(changed("price", old, new), say) == "price: $249 → $199"
    assert values_of(changed("price", None, new), say) == "price: $199"
    assert values_of(changed("price", new, None), say) == "price: $199"
    assert values_of(changed("price", new, new), say) == "price: $199"
    assert values_of(changed("", old, new), say) == ""


def test_a_sentence_with_two_figures_is_told_once() -> None:
    old, new = side("$249", "249", "USD"), side("$199", "199", "USD")
    rows = told_once([changed("price", old, new), changed("cost", old, new)])
    assert [len(each) for each in rows] == [2]
