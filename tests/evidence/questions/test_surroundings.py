"""What a sentence takes from its headline, its day, its page and the sentence before it."""

from __future__ import annotations

import pytest

from groundwire.evidence.questions.candidates import Candidate, candidates
from groundwire.evidence.questions.intent import parse_question
from groundwire.model.source import NumberedPassage, Tier


def page(
    text: str,
    title: str = "",
    day: str = "",
    *,
    tier: Tier = "established",
    flags: tuple[str, ...] = (),
    name: str = "1",
    publisher: str = "",
) -> NumberedPassage:
    return NumberedPassage(
        number=1,
        passage_id=f"ps_{name}{text[:8]}",
        evidence_id=f"ev_{name}",
        title=title,
        publisher=publisher,
        date=day,
        language="en",
        tier=tier,
        origin_id=f"or_{name}",
        flags=flags,
        relevance=1.0,
        text=text,
    )


def last(question: str, *pages: NumberedPassage) -> Candidate:
    return candidates(parse_question(question), pages)[-1]


def terms(question: str, numbers: frozenset[int]) -> set[str]:
    return {parse_question(question).terms[n].written for n in numbers}


@pytest.mark.parametrize(
    ("question", "title", "text", "carried"),
    [
        # the lead says again what the headline says, in other words
        (
            "When did Italy block ChatGPT?",
            "Italy's privacy authority blocks ChatGPT",
            "Italy's authority told OpenAI on 31 March 2023 to switch ChatGPT off at once.",
            {"block"},
        ),
        (
            "灰度为什么胜诉？",
            "灰度胜诉：美国法院要求重审比特币现货ETF申请",
            "美国法院8月29日裁定，拒绝灰度公司现货ETF申请的决定缺乏充分理由。",
            {"胜诉"},
        ),
        (
            "灰度為什麼勝訴？",
            "灰度勝訴：美國法院要求重審比特幣現貨ETF申請",
            "美國法院8月29日裁定，拒絕灰度公司現貨ETF申請的決定缺乏充分理由。",
            {"勝訴"},
        ),
        # a denial, a question and a headline about something else assert nothing
        (
            "When did the SEC approve bitcoin funds?",
            "SEC says it has not approved bitcoin funds and that its account was hacked",
            "The SEC said on 9 January 2024 that its account on bitcoin funds was hacked.",
            set[str](),
        ),
        (
            "Coinbase什么时候上线瑞波币？",
            "Coinbase否认将上线瑞波币",
            "Coinbase在2018年3月5日发表声明，谈到瑞波币的传言。",
            set[str](),
        ),
        (
            "When did Italy block ChatGPT?",
            "Is Italy about to block ChatGPT?",
            "Italy has talked with OpenAI about ChatGPT since March of that year.",
            set[str](),
        ),
        (
            "When did Italy block ChatGPT?",
            "Italy's privacy authority blocks ChatGPT",
            "The weather in Rome was fine on 31 March 2023 and stayed so.",
            set[str](),
        ),
    ],
)
def test_a_sentence_that_restates_its_headline_has_the_headlines_words(
    question: str, title: str, text: str, carried: set[str]
) -> None:
    assert terms(question, last(question, page(text, title)).carried) == carried


@pytest.mark.parametrize(
    ("question", "day", "text", "flags", "met"),
    [
        # the day of the page, and the day after
        ("bitcoin price on 13 March 2023", "2023-03-13", "Bitcoin stood at $24,000.", (), True),
        ("bitcoin price on 13 March 2023", "2023-03-14", "Bitcoin stood at $24,000.", (), True),
        ("bitcoin price on 13 March 2023", "2023-03-16", "Bitcoin stood at $24,000.", (), False),
        ("2023年3月的比特币价格", "2023-03-30", "比特币价格站上2.4万美元。", (), True),
        ("2023年3月的比特幣價格", "2023-04-30", "比特幣價格站上2.4萬美元。", (), False),
        # the sentence speaks of another day; a day since when something holds is none
        (
            "bitcoin price on 13 March 2023",
            "2023-03-13",
            "Bitcoin stood at $20,000 on 2 January 2023.",
            (),
            False,
        ),
        (
            "bitcoin price on 11 January 2024",
            "2024-01-11",
            "Bitcoin touched $49,000, the highest price since December 2021.",
            (),
            True,
        ),
        # of what was published again nobody knows the day
        ("2025年3月的比特币价格", "2025-03-02", "比特币价格站上2.4万美元。", ("stale",), False),
    ],
)
def test_a_sentence_is_of_the_day_of_its_page_unless_it_names_another(
    question: str, day: str, text: str, flags: tuple[str, ...], met: bool
) -> None:
    found = last(question, page(text, day=day, flags=flags))
    dated = {n for n, term in enumerate(parse_question(question).terms) if term.date is not None}
    assert bool(dated & (found.own | found.near)) is met


@pytest.mark.parametrize(
    ("question", "text", "name"),
    [
        (
            "Who chairs the SEC?",
            "The Securities and Exchange Commission met. Gary Gensler, who chairs the commission, spoke.",
            "SEC",
        ),
        (
            "SEC主席是谁？",
            "证券交易委员会当天开会。主席根斯勒在委员会的会上发言支持。",
            "SEC",
        ),
        (
            "SEC主席是誰？",
            "證券交易委員會當天開會。主席根斯勒在委員會的會上發言支持。",
            "SEC",
        ),
    ],
)
def test_a_short_form_stands_for_a_long_name(question: str, text: str, name: str) -> None:
    assert name in terms(question, last(question, page(text)).near)


def test_what_no_passage_names_has_no_short_form() -> None:
    found = last("Who chairs the SEC?", page("Gary Gensler, who chairs the commission, spoke."))
    assert not found.near


@pytest.mark.parametrize(
    ("question", "lead", "text", "met"),
    [
        (
            "Did Trump revoke Biden's order?",
            "President Biden signed the order in October 2023.",
            "President Trump revoked it on 20 January 2025 in Washington.",
            True,
        ),
        (
            "特朗普撤销了拜登的命令吗？",
            "拜登总统2023年10月签署了这项行政命令。",
            "特朗普总统2025年1月20日撤销了它。",
            True,
        ),
        # no word for it, or none of the names
        (
            "Did Trump revoke Biden's order?",
            "President Biden signed the order in October 2023.",
            "President Trump revoked a rule on 20 January 2025 in Washington.",
            False,
        ),
        (
            "Did Trump revoke Biden's order?",
            "President Biden signed the order in October 2023.",
            "A court had revoked it on 20 January 2025 in Washington.",
            False,
        ),
    ],
)
def test_a_pronoun_beside_one_name_stands_for_the_other_name_of_the_page(
    question: str, lead: str, text: str, met: bool
) -> None:
    found = last(question, page(lead), page(text))
    assert ({"Biden", "拜登"} & terms(question, found.near) != set()) is met


@pytest.mark.parametrize(
    ("question", "text", "publisher"),
    [
        ("Does Coinbase charge listing fees?", "We never charge listing fees.", "Coinbase"),
        ("Coinbase收取上币费吗？", "我们从不收取任何上币费。", "Coinbase"),
        ("Coinbase收取上幣費嗎？", "我們從不收取任何上幣費。", "Coinbase"),
    ],
)
def test_we_on_a_primary_page_names_its_publisher_and_is_no_worse_for_it(
    question: str, text: str, publisher: str
) -> None:
    primary = last(question, page(text, tier="primary", publisher=publisher))
    assert "Coinbase" in terms(question, primary.own)
    relayed = last(question, page(text, tier="wire", publisher=publisher))
    assert "Coinbase" not in terms(question, relayed.own)
    assert primary.quality > relayed.quality


@pytest.mark.parametrize(
    ("question", "early", "late"),
    [
        (
            "Euler loss",
            "The lending protocol Euler Finance was attacked on Monday 13 March 2023 and lost $197 million.",
            "The lending protocol Euler Finance was attacked on Monday 13 March and lost $197 million.",
        ),
        (
            "SEC批准了什么",
            "美国证券交易委员会当地时间2024年1月10日批准11只比特币现货ETF上市。",
            "美国证券交易委员会当地时间1月10日批准11只比特币现货ETF上市。",
        ),
    ],
)
def test_an_old_report_that_is_shown_as_news_gives_no_sentence(
    question: str, early: str, late: str
) -> None:
    first, again = page(early, day="2024-01-11", name="1"), page(late, day="2025-03-02", name="2")
    found = candidates(parse_question(question), [again, first])
    assert [each.passage.evidence_id for each in found] == ["ev_1"]
    # A copy of the same week is a copy; without the old one nothing is known.
    copied = page(late, day="2024-01-12", name="2")
    assert len(candidates(parse_question(question), [copied, first])) == 2
    assert len(candidates(parse_question(question), [again])) == 1
    assert len(candidates(parse_question(question), [page(late, name="2"), first, again])) == 2
