"""Which of several sentences answers: the right day, clause, doer, language and source."""

from __future__ import annotations

import pytest
from tests.reasoning.pages import answer, first, page

from groundwire.model.source import NumberedPassage, Tier
from groundwire.words import words


@pytest.mark.parametrize(
    ("question", "right", "wrong"),
    [
        # an amount of its own clause, not of the one beside it
        (
            "比特币的价格是多少？",
            "判决公布后，比特币价格一度上涨，超过2.7万美元。",
            "灰度比特币信托管理着160亿美元资产，长期以低于净值的价格交易。",
        ),
        (
            "比特幣的價格是多少？",
            "判決公布後，比特幣價格一度上漲，超過2.7萬美元。",
            "灰度比特幣信託管理着160億美元資產，長期以低於淨值的價格交易。",
        ),
        (
            "How much did Euler lose?",
            "Euler lost about $197 million in the attack of March.",
            "Euler, which had lost its funds in March, called off the reward, one million dollars.",
        ),
        # what is denied or only quoted is not what happened
        (
            "When did the SEC approve the bitcoin fund?",
            "The SEC approved the bitcoin fund on 10 January 2024.",
            "The SEC said on 9 January 2024 that it had not approved the bitcoin fund.",
        ),
        (
            "SEC什么时候批准比特币基金？",
            "SEC在2024年1月10日批准了比特币基金。",
            "SEC的账号在2024年1月9日发布了一条“已批准比特币基金”的消息。",
        ),
        (
            "Coinbase什么时候上线瑞波币？",
            "Coinbase在2019年2月25日上线了瑞波币。",
            "Coinbase在2018年3月5日发表声明，称没有上线瑞波币的决定。",
        ),
        # who did it, not to whom
        (
            "Who closed Acme Bank?",
            "The regulator Finma closed Acme Bank on Friday.",
            "Circle had money at Acme Bank when the lender was closed on Friday.",
        ),
        (
            "谁关闭了雅克银行？",
            "监管机构周五宣布关闭雅克银行。",
            "雅克银行周五被关闭，Circle在该行有存款。",
        ),
        # what it is, not what happened with it
        (
            "What is a flash loan?",
            "A flash loan is lent and paid back within one transaction.",
            "The platform lost $130 million on 27 October 2021 in an attack with a flash loan.",
        ),
        (
            "閃電貸是什麼？",
            "閃電貸是一種在同一筆交易內借出並還清的貸款。",
            "該平台2021年10月27日遭閃電貸攻擊，損失1.3億美元。",
        ),
        (
            "闪电贷是什么？",
            "闪电贷是一种在同一笔交易内借出并还清的贷款。",
            "该平台2021年10月27日遭闪电贷攻击，损失1.3亿美元。",
        ),
        # where it is done
        (
            "Coinbase在哪里公布新资产？",
            "Coinbase只在官方博客和经过认证的官方账号公布所有的新资产。",
            "美国交易平台Coinbase发表声明公布，没有新增资产的决定。",
        ),
        # its cause, not what it caused, nor why it matters
        (
            "Why did Coinbase pause conversions?",
            "Coinbase paused conversions because banks were closed over the weekend.",
            "The pause of conversions at Coinbase matters because it holds the token at its peg.",
        ),
        (
            "Why did Nvidia shares fall?",
            "Nvidia shares fell because investors feared for orders of its chips.",
            "Nvidia shares fell so far, which is why some traders bought them at once.",
        ),
        # a plain cause before a guess
        (
            "Why does the iPhone 15 overheat?",
            "The iPhone 15 overheats because of a bug in the system, Apple said.",
            "The titanium frame is the likely reason why the iPhone 15 overheats, one analyst wrote.",
        ),
    ],
)
def test_the_sentence_that_answers_comes_first(question: str, right: str, wrong: str) -> None:
    assert first(question, wrong, right) == right
    assert first(question, right, wrong) == right


@pytest.mark.parametrize(
    ("question", "text", "day"),
    [
        # another day
        (
            "What was the price of Bitcoin on 13 March 2023?",
            "The price of Bitcoin was $49,000.",
            "2024-01-11",
        ),
        (
            "2023年3月13日比特币的价格是多少？",
            "2024年1月11日，比特币的价格为4.9万美元。",
            "2023-03-13",
        ),
        (
            "2023年3月13日比特幣的價格是多少？",
            "2024年1月11日，比特幣的價格為4.9萬美元。",
            "2023-03-13",
        ),
        # another year, and a share is no amount of money
        (
            "What was Apple's revenue in 2025?",
            "Greater China brought in about 19 percent of Apple's revenue.",
            "2023-09-07",
        ),
        # what no page mentions, no page settles
        (
            "Did the hacker ask for a receipt?",
            "The hacker asked for understanding in a message.",
            "2023-04-04",
        ),
        ("黑客要了收据吗？", "黑客在链上留言，要求大家谅解。", "2023-04-04"),
    ],
)
def test_what_does_not_answer_is_no_answer_but_a_gap(question: str, text: str, day: str) -> None:
    written = answer(question, page(text, day=day))
    assert written.sentences == ()
    assert written.gaps


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("iPhone Air有多薄？", "苹果发布了iPhone 17和iPhone Air。"),
        ("How many phones did Apple show?", "Apple showed the iPhone 17 and other phones."),
    ],
)
def test_the_number_of_a_model_counts_nothing(question: str, text: str) -> None:
    assert answer(question, text).gaps


@pytest.mark.parametrize(
    ("question", "home", "abroad"),
    [
        (
            "How much does the iPhone 15 cost?",
            "The iPhone 15 starts at $799 in the United States.",
            "iPhone 15在中国大陆的售价为5999元起。",
        ),
        (
            "iPhone 15多少钱？",
            "iPhone 15在中国大陆的售价为5999元起。",
            "The iPhone 15 starts at $799 in the United States.",
        ),
    ],
)
def test_the_language_of_the_question_comes_first_where_it_has_an_answer(
    question: str, home: str, abroad: str
) -> None:
    assert first(question, abroad, home) == home
    assert first(question, abroad) == abroad


@pytest.mark.parametrize(
    ("question", "lead", "next_said"),
    [
        (
            "Why did Italy block ChatGPT?",
            "Italy's authority blocked ChatGPT on 31 March 2023.",
            "The authority said that there was no legal basis for the collection of data.",
        ),
        (
            "意大利为什么封锁ChatGPT？",
            "意大利监管机构2023年3月31日封锁ChatGPT。",
            "监管机构认为收集数据没有法律依据。",
        ),
    ],
)
def test_without_a_word_for_a_cause_the_page_itself_goes_on_and_the_gap_is_named(
    question: str, lead: str, next_said: str
) -> None:
    joint = "" if "。" in lead else " "
    written = answer(question, f"{lead}{joint}{next_said}")
    assert [each.text for each in written.sentences] == [f"{lead}{joint}{next_said}"]
    assert written.gaps


@pytest.mark.parametrize(
    ("question", "amount", "other"),
    [
        (
            "Euler被盗了多少钱？还了吗？",
            "Euler在3月13日被盗约1.97亿美元。",
            "Euler的资金已经全部归还。",
        ),
        (
            "DeepSeek R1什么时候发布的，训练花了多少钱？",
            "2025年1月20日，我们正式发布了DeepSeek R1模型。",
            "论文的材料说，DeepSeek R1的训练只花了29.4万美元。",
        ),
        (
            "How much did Euler lose, and when was it attacked?",
            "The lending protocol Euler lost about $197 million, firms said.",
            "The lending protocol Euler was attacked on 13 March 2023.",
        ),
    ],
)
def test_the_first_part_of_a_question_is_answered_first(
    question: str, amount: str, other: str
) -> None:
    texts = [each.text for each in answer(question, other, amount).sentences]
    assert texts == [amount, other]


def _relayed_guess(tier: Tier) -> NumberedPassage:
    return page("听说Acme被盗了10亿美元，大家快跑。", tier=tier)


def test_a_guess_that_is_only_relayed_gives_way_to_what_somebody_knows() -> None:
    known = "Acme在3月13日被盗约1.97亿美元。"
    for tier in ("social", "aggregator", "unknown"):
        texts = [
            each.text
            for each in answer("Acme被盗了多少钱？", _relayed_guess(tier), known).sentences
        ]
        assert texts == [known]
    # Where nobody knows better, a page's guess is better than nothing; a post's is not.
    assert answer("Acme被盗了多少钱？", _relayed_guess("unknown")).sentences
    assert not answer("Acme被盗了多少钱？", _relayed_guess("social")).sentences


def test_prices_of_two_days_do_not_dispute_each_other() -> None:
    march = page("比特币价格站上2.4万美元。", day="2023-03-13")
    august = page("比特币价格超过2.7万美元。", day="2023-08-30")
    later = page("比特币价格超过2.7万美元。", day="2023-03-14")
    assert answer("比特币的价格是多少？", march, august).contested == ()
    assert len(answer("比特币的价格是多少？", march, later).contested) == 1


@pytest.mark.parametrize(
    ("question", "one", "other"),
    [
        # released, but not the same thing
        (
            "When was the iPhone 15 released?",
            "Apple released the iPhone 15 on 12 September 2023.",
            "Apple released iOS 17.0.3 for iPhones on 4 October 2023.",
        ),
        (
            "iPhone 15什么时候发布？",
            "苹果在2023年9月12日发布iPhone 15。",
            "苹果在2023年10月4日发布iPhone的系统更新。",
        ),
    ],
)
def test_what_does_not_answer_disputes_nothing(question: str, one: str, other: str) -> None:
    pages = (page(one, day="2023-09-12"), page(other, day="2023-10-04"))
    assert answer(question, *pages).contested == ()


def test_one_of_two_questions_may_be_disputed() -> None:
    known = page("借贷协议Euler在3月13日被盗约1.97亿美元。", day="2023-03-14")
    rumour = page("群里都在传Euler被盗了10亿美元。", day="2023-03-14", tier="social")
    written = answer("Euler被盗了多少钱？还了吗？", known, rumour)
    say = words("zh")
    assert [say(each.point, **each.params) for each in written.contested] == [
        "有未经证实的传闻，说法不同：1.97亿美元 / 10亿美元"
    ]
