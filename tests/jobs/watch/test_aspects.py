"""Which side of a subject a command asks about, and what of its claims is kept."""

from __future__ import annotations

import pytest
from tests.jobs.watch.watch_days import Days, page

from groundwire.jobs.watch.aspects import aspect_of, narrowed, whose_is
from groundwire.jobs.watch.plan_watch import names_of


@pytest.mark.parametrize(
    ("subject", "whose", "attribute"),
    [
        ("iPhone prices", "iPhone", "price"),
        ("Nvidia share price", "Nvidia", "share_price"),
        ("OpenAI's leadership", "OpenAI", "head"),
        ("Federal Reserve interest rates", "Federal Reserve", "interest_rate"),
        ("英伟达股价", "英伟达", "share_price"),
        ("苹果的新品价格", "苹果", "price"),
        ("OpenAI 的领导层", "OpenAI", "head"),
        ("輝達股價", "輝達", "share_price"),
        ("台積電的管理層", "台積電", "head"),
    ],
)
def test_a_side_of_a_subject_is_parted_from_its_name(
    subject: str, whose: str, attribute: str
) -> None:
    found = aspect_of(subject)
    assert found is not None
    assert (whose_is(subject), attribute in found.attributes) == (whose, True)
    assert whose in names_of(subject)


@pytest.mark.parametrize(
    "subject",
    [
        "Federal Reserve", "DeepSeek", "Silicon Valley Bank's collapse", "Bitcoin ETF", "prices",
        "比特币现货ETF", "美联储", "美國聯準會", "Velmora's Aurin 5",
    ],
)  # fmt: skip
def test_a_name_is_whole_and_a_side_without_an_attribute_is_not_told_apart(subject: str) -> None:
    assert aspect_of(subject) is None


@pytest.mark.parametrize(
    ("subject", "kept"),
    [
        ("Norvale's prices", ["$199"]),
        ("Norvale 的价格", ["$199"]),
        ("Norvale 的價格", ["$199"]),
        ("Norvale", ["$199", "1,500", "$90 million"]),
    ],
)
def test_only_what_was_asked_about_is_kept_and_told(subject: str, kept: list[str]) -> None:
    watch = Days()
    watch.look(
        1,
        page("shop", 1, "Norvale's Aurin 5 costs $249, the firm said."),
        page("firm", 1, "Norvale employs 1,800 people."),
    )
    watch.look(
        2,
        page("shop", 1, "Norvale's Aurin 5 costs $199, the firm said."),
        page("firm", 1, "Norvale employs 1,500 people."),
        page("news", 2, "Norvale's revenue rose to $90 million in 2026."),
    )
    assert watch.last is not None
    found = narrowed(watch.last, subject)
    assert sorted(each.value for each in found.ledger.claims) == sorted(kept)
    assert sorted(c.after.value for c in found.changes if c.after) == sorted(kept)
