"""What a question asks beyond its asking word: the sort of value, key words, light words."""

from __future__ import annotations

import pytest

from groundwire.evidence.questions.facets import Facet
from groundwire.evidence.questions.intent import parse_question
from groundwire.language.data import data_lines
from groundwire.language.names.names import is_country
from groundwire.language.text.wording import is_han


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Zorblax2024年的净利润是多少？", "Zorblax"),
        ("Zorblax2024年的淨利潤是多少？", "Zorblax"),
        ("Circle2023年3月發生了什麼？", "Circle"),
    ],
)
def test_a_year_or_month_does_not_belong_to_the_name_before_it(question: str, name: str) -> None:
    terms = parse_question(question).terms
    assert (terms[0].written, terms[0].kind) == (name, "name")
    assert terms[1].kind == "date"


@pytest.mark.parametrize(
    ("question", "facet", "sort"),
    [
        ("DeepSeek V3 training cost", "how_much", "money"),
        ("DeepSeek V3 训练成本", "how_much", "money"),
        ("DeepSeek V3 訓練費用", "how_much", "money"),
        ("R1 发布日期", "when", ""),
        ("DeepSeek founder", "who", ""),
        ("DeepSeek 總部", "where", ""),
        ("How many parameters does V3 have?", "how_much", "count"),
        ("V3有多少参数？", "how_much", "count"),
        ("What percentage of reserves was there?", "how_much", "percent"),
        ("占比是百分之几？", "how_much", "percent"),
        ("Which countries restricted it?", "where", "country"),
        ("哪些國家限制了它？", "where", "country"),
        ("USDC Circle", "what", ""),
    ],
)
def test_key_words_ask_too_and_the_sort_of_value_is_known(
    question: str, facet: str, sort: str
) -> None:
    found = parse_question(question)
    assert found.facets[0] == facet
    assert found.sort == sort


@pytest.mark.parametrize(
    ("question", "light"),
    [
        ("Did the US Treasury guarantee SVB deposits?", ["US"]),
        ("How much USDC did Circle redeem after the depeg?", ["depeg"]),
        ("Did Circle go bankrupt?", ["go"]),
        ("苹果公司营收是多少？", ["公司"]),
        ("Tether在脫錨期間受到影響嗎？", ["脫錨", "期間", "受到"]),
        ("Did China ban Bitcoin?", []),
    ],
)
def test_some_terms_say_little_of_what_is_asked(question: str, light: list[str]) -> None:
    assert [term.written for term in parse_question(question).terms if term.light] == light


@pytest.mark.parametrize("question", ["訓練成本是多少？", "What is the training cost?"])
def test_a_compound_is_its_parts(question: str) -> None:
    assert len(parse_question(question).terms) == 2


def test_what_stands_before_company_is_a_name() -> None:
    assert parse_question("輝光公司營收是多少？").terms[0].kind == "name"
    assert parse_question("辉光公司营收是多少？").terms[0].kind == "name"
    assert [term.kind for term in parse_question("Who founded Zorblax Corporation?").terms][
        1
    ] == "name"


def test_countries_are_known_by_name_and_adjective() -> None:
    assert is_country("Italian") and is_country("意大利") and not is_country("Circle")


def test_the_list_of_related_words_is_long_and_in_both_languages() -> None:
    rows = [line.split("|") for line in data_lines("related.tsv")]
    assert len(rows) >= 200
    both = [row for row in rows if any(map(is_han, row)) and not all(map(is_han, row))]
    assert len(both) >= 0.95 * len(rows)


@pytest.mark.parametrize(
    ("question", "facets", "sort"),
    [
        # the noun says what is asked for
        ("What was the price of Bitcoin on 13 March 2023?", ("how_much",), "money"),
        ("What was Apple's revenue in 2025?", ("how_much",), "money"),
        ("What is the release date of R1?", ("when",), ""),
        ("比特币的价格是什么？", ("how_much",), "money"),
        ("比特幣的價格是什麼？", ("how_much",), "money"),
        ("What is the capital of Mongolia?", ("what",), ""),
        # what a thing is
        ("What is a flash loan?", ("what",), "meaning"),
        ("What are flash loans", ("what",), "meaning"),
        ("闪电贷是什么？", ("what",), "meaning"),
        ("什麼是閃電貸？", ("what",), "meaning"),
        ("閃電貸是什麼意思？", ("what",), "meaning"),
        ("What is happening at OpenAI?", ("what",), ""),
        ("SEC批准比特币现货ETF的投票结果是什么？", ("what",), ""),
        # how thin, how heavy
        ("How thin is the iPhone Air?", ("how_much",), ""),
        ("iPhone Air有多薄？", ("how_much",), ""),
    ],
)
def test_what_sort_of_answer_a_noun_asks_for(
    question: str, facets: tuple[str, ...], sort: str
) -> None:
    found = parse_question(question)
    assert (found.facets, found.sort) == (facets, sort)


@pytest.mark.parametrize(
    ("question", "present", "absent"),
    [
        # a plural is its singular, as it was written
        ("Did the SEC approve spot bitcoin ETFs?", "ETFs", ""),
        ("Did China ban iPhones?", "iPhones", ""),
        # a single character is a word of its own or none
        ("纳斯达克跌了多少？", "跌", ""),
        ("香港虛擬資產現貨ETF", "虛擬", "擬"),
        # 请 is politeness, 申请 is not
        ("贝莱德什么时候申请比特币ETF？", "申请", "申"),
        ("請問貝萊德何時申請？", "申請", "請"),
        # a phrase is one thing
        ("When did the law take effect?", "take effect", "effect"),
        ("歐盟法案何時生效？", "生效", ""),
    ],
)
def test_words_are_taken_whole(question: str, present: str, absent: str) -> None:
    written = [term.written for term in parse_question(question).terms]
    assert present in written
    assert not absent or absent not in written


@pytest.mark.parametrize(
    ("question", "act"),
    [
        ("Who closed Silicon Valley Bank?", "closed"),
        ("谁关闭了硅谷银行？", "关闭"),
        ("誰關閉了矽谷銀行？", "關閉"),
        ("Who pleaded guilty in the case?", "pleaded"),
        ("2024年手机出货量谁排第一？", "排第一"),
        ("SEC主席是谁？", None),
        ("When was the bank closed?", None),
    ],
)
def test_what_somebody_did_stands_after_who(question: str, act: str | None) -> None:
    found = parse_question(question)
    assert (None if found.act is None else found.terms[found.act].written) == act


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        (
            "DeepSeek R1是什么时候发布的，训练花了多少钱？",
            {"when": ["发布"], "how_much": ["训练", "花了"]},
        ),
        ("Euler被盜了多少錢？還了嗎？", {"how_much": ["被盜"], "whether": ["還了"]}),
        (
            "When was Euler attacked, and how much was stolen?",
            {"when": ["attacked"], "how_much": ["stolen"]},
        ),
        # a part without words of its own has those of the whole
        (
            "Did the SEC approve the law, and when?",
            {"whether": ["approve", "law"], "when": ["approve", "law"]},
        ),
        ("硅谷银行倒闭，是真的吗？", {"whether": ["倒闭"]}),
    ],
)
def test_each_part_of_a_question_has_its_own_words(
    question: str, parts: dict[Facet, list[str]]
) -> None:
    found = parse_question(question)
    assert {facet: [found.terms[n].written for n in found.words(facet)] for facet in parts} == parts
