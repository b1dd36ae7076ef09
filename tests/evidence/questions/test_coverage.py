"""What a text names of a question, where it stands, and how much each term tells."""

from __future__ import annotations

import pytest

from groundwire.evidence.questions.coverage import named_things, rarity, weigh_terms
from groundwire.evidence.questions.intent import parse_question
from groundwire.model.source import NumberedPassage


def page(text: str, title: str = "") -> NumberedPassage:
    return NumberedPassage(
        number=1,
        passage_id="ps",
        evidence_id="ev",
        title=title,
        publisher="",
        date="",
        language="en",
        tier="unknown",
        origin_id="or",
        flags=(),
        relevance=1.0,
        text=text,
    )


@pytest.mark.parametrize(
    ("question", "text", "named"),
    [
        # a name that looks like the plural of a word is none
        ("What is a Wells notice?", "Circle received a Wells notice.", True),
        ("What is a Wells notice?", "It went well, they say.", False),
        ("Did the SEC approve ETFs?", "An ETF was approved.", True),
        ("比特币ETF", "比特幣現貨基金獲批。", True),
    ],
)
def test_a_name_is_not_stemmed_into_another_word(question: str, text: str, named: bool) -> None:
    term = next(t for t in parse_question(question).terms if t.written in ("Wells", "ETFs", "ETF"))
    assert named_things(text).names(term) is named


@pytest.mark.parametrize(
    ("text", "names", "found"),
    [
        ("Mira Murati took over at once.", ("tak over",), "took over"),
        ("Gary Gensler chairs it.", ("chair",), "chairs"),
        ("監管機構關閉了銀行。", ("关闭",), "关闭"),
        ("监管机构关闭了银行。", ("close", "关闭"), "关闭"),
        ("Nothing of it.", ("chair", "主席"), None),
    ],
)
def test_the_place_of_a_word_in_any_form(
    text: str, names: tuple[str, ...], found: str | None
) -> None:
    place = named_things(text).place(names)
    flat = "监管机构关闭了银行。" if "監" in text else text
    assert (flat[slice(*place)] if place else None) == found


def test_what_every_passage_names_weighs_less_than_what_few_name() -> None:
    question = parse_question("SEC批准比特币的投票结果")
    pages = [page("SEC批准比特币。")] * 9 + [page("SEC批准比特币，投票三比二。")]
    found = {term.written: term.weight for term in weigh_terms(question, pages).terms}
    plain = {term.written: term.weight for term in question.terms}
    assert found["SEC"] < 0.6 * plain["SEC"]
    assert found["投票"] == pytest.approx(plain["投票"])
    assert [question.terms[n].written for n in weigh_terms(question, pages).missing] == ["结果"]


@pytest.mark.parametrize(("count", "total", "least"), [(0, 24, 1.0), (1, 1, 1.0), (1, 24, 1.0)])
def test_what_one_text_has_is_rare(count: int, total: int, least: float) -> None:
    assert rarity(count, total) == pytest.approx(least)


def test_the_more_texts_have_it_the_less_rare_it_is() -> None:
    shares = [rarity(count, 24) for count in range(1, 25)]
    assert shares == sorted(shares, reverse=True)
    assert 0 < shares[-1] < 0.3
