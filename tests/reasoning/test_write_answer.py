"""The extractive writer on the sample archive: what it says, on what, and when it says nothing."""

from __future__ import annotations

from functools import cache

import pytest
from tests.reasoning.archive import article, numbered, write

from groundwire.errors import NoEvidence
from groundwire.evidence.citations.checker import check
from groundwire.jobs.ask.write_answer import (
    QUESTION,
    Dispute,
    Missing,
    Proposed,
    Quoted,
    WriteInput,
    Written,
)
from groundwire.language.text.characters import simplify
from groundwire.llm.prompts import load, render
from groundwire.words import LANGUAGES, words

NEVER_CITED = (  # injected instructions, satire
    "usdc-injected-bisheng-zh",
    "usdc-injected-coinmirror",
    "usdc-satire-gherkin",
    "deepseek-korea-injected-zhhant",
)


@cache
def answer(question: str) -> tuple[Written, WriteInput]:
    return write(question)


def answer_text(question: str) -> str:
    return simplify(" ".join(each.text for each in answer(question)[0].sentences))


# Question, what the first sentence must say, what the whole answer must say (| between choices).
ANSWERED = [
    # why
    ("USDC为什么会脱锚？", "原因|因为", "33亿 硅谷银行 担心"),
    ("穩定幣USDC為什麼會脫鈎？", "33亿 硅谷银行", "担心|收回"),
    ("Why did USDC lose its peg in March 2023?", "because", "$3.3_billion Silicon_Valley_Bank"),
    ("Why did Nvidia shares fall in January 2025?", "fewer_chips", "27_January_2025"),
    ("Why did Italy block DeepSeek?", "because", "answers data"),
    ("DeepSeek为什么突然爆红？", "原因", "免费|价格"),
    ("Coinbase为什么暂停USDC兑换？", "银行", "周末"),
    # when
    ("When did USDC recover its peg?", "13_March_2023", "USDC"),
    ("USDC什么时候恢复锚定？", "3月13日", "1美元"),
    ("DeepSeek的R1是什么时候发布的？", "2025年1月20日", "R1"),
    ("硅谷银行是哪一天被关闭的？", "3月10日", "硅谷银行"),
    ("When did the Fed raise rates in March 2023?", "22_March_2023", "4.75%"),
    ("印度月船三号什么时候着陆？", "2023年8月23日", "月球南极"),
    # how much
    ("How much of USDC's reserves was held at Silicon Valley Bank?", "$3.3_billion", "Circle"),
    ("USDC最低跌到多少？", "0.88美元|0.87美元", "0.87美元"),
    ("英伟达市值一天蒸发了多少钱？", "5930亿美元", "17%"),
    ("How much did it cost to train DeepSeek V3?", "$5.6_million|$5.576_million", "V3"),
    ("How much did R1 cost to train?", "$294,000", "R1"),
    # who
    ("Who founded DeepSeek?", "Liang_Wenfeng", "2023"),
    ("DeepSeek的创始人是谁？", "梁文锋", "幻方"),
    ("Who is the chief executive of Circle?", "Jeremy_Allaire", "Circle"),
    ("谁收购了硅谷银行？", "第一公民银行", "收购"),
    # yes or no: rumours and denials
    ("Did Circle receive a Wells notice?", "denied", "Wells_notice not_received"),
    ("Does Tether have exposure to Silicon Valley Bank?", "no_exposure", "false"),
    ("DeepSeek会在3月17日发布R2吗？", "假消息", "R2"),
    ("Circle有100亿美元卡在硅谷银行，是真的吗？", "33亿美元", "硅谷银行"),
    ("V3的557.6万美元包括全部研发费用吗？", "不包括", "557.6万美元"),
    # what
    ("What did the US Treasury announce on 12 March 2023?", "fully_protected", "depositors"),
    ("DeepSeek有哪些官方账号？", "账号", "微信公众号 小红书"),
]  # fmt: skip


def _has(text: str, words: str) -> bool:
    return all(
        any(choice.replace("_", " ") in text for choice in word.split("|"))
        for word in words.split()
    )


@pytest.mark.parametrize(("question", "first", "whole"), ANSWERED, ids=lambda each: each[:24])
def test_the_answer_begins_with_what_was_asked_and_holds_the_facts(
    question: str, first: str, whole: str
) -> None:
    written, _ = answer(question)
    assert _has(simplify(written.sentences[0].text), first), written.sentences[0].text
    assert _has(answer_text(question), whole), answer_text(question)


@pytest.mark.parametrize("question", [row[0] for row in ANSWERED])
def test_every_sentence_and_every_side_passes_the_checker(question: str) -> None:
    written, given = answer(question)
    places = numbered(given)
    sides = [side for dispute in written.contested for side in dispute.sides]
    for each in (*written.sentences, *sides):
        quotes = [(quoted.passage, quoted.quote) for quoted in each.quotes]
        result = check(each.text, quotes, places, question)
        assert result.result == "supported", (each.text, result.problems)
        assert len(result.citations) == len(each.quotes)
    assert QUESTION.fault_of(given, written) is None


@pytest.mark.parametrize("question", [row[0] for row in ANSWERED])
def test_satire_and_injected_pages_are_never_cited(question: str) -> None:
    written, given = answer(question)
    sides = [side for dispute in written.contested for side in dispute.sides]
    for each in (*written.sentences, *sides):
        for quoted in each.quotes:
            assert not article(given, quoted.passage).startswith(NEVER_CITED)


@pytest.mark.parametrize("question", [row[0] for row in ANSWERED])
def test_the_answer_is_short_and_says_nothing_twice(question: str) -> None:
    written, _ = answer(question)
    texts = [each.text for each in written.sentences]
    assert 1 <= len(texts) <= 8
    assert len(set(texts)) == len(texts)
    for each in written.sentences:
        assert len({quoted.passage for quoted in each.quotes}) == len(each.quotes)


@pytest.mark.parametrize(
    "question",
    [
        "What is the capital of Mongolia?",
        "量子计算机的温度是多少？",
        "DeepSeek的溫度是多少？",
        "Did Nvidia buy DeepSeek?",  # only an injected instruction says so
        "Is DeepSeek banned in Germany?",
        "德国禁止DeepSeek了吗？",
        "Who won the 2022 World Cup?",
        "What is the temperature of USDC?",
        "How many employees does Tether have in Brazil?",
    ],
)
def test_what_the_pages_do_not_say_is_a_gap_and_no_answer(question: str) -> None:
    written, _ = answer(question)
    assert written.sentences == ()
    assert written.gaps and written.gaps[0].what == question


def test_the_gap_names_what_no_page_mentions() -> None:
    assert "Mongolia" in why(answer("What is the capital of Mongolia?")[0].gaps[0])
    assert "挪威" in why(answer("挪威禁止DeepSeek了吗？")[0].gaps[0])


def test_pages_that_are_not_relied_on_are_named_as_the_reason() -> None:
    written, _ = write("韩国什么时候暂停DeepSeek新下载？", "deepseek-korea-injected-zhhant")
    assert written.sentences == ()
    assert any("指令" in why(gap) for gap in written.gaps)


@pytest.mark.parametrize(
    ("question", "values", "articles"),
    [
        # the low: 10 March in one log, 11 March everywhere else
        (
            "When did USDC hit its low?",
            ("11 March 2023", "10 March 2023"),
            ("usdc-slips-below-peg", "usdc-low-dated-10-march"),
        ),
        (
            "DeepSeek的R1是什么时候发布的？",
            ("2025年1月20日", "2025年1月22日"),
            ("deepseek-r1-release-official-zh", "deepseek-r1-dated-22-january"),
        ),
        (
            "How much of USDC's reserves was held at Silicon Valley Bank?",
            ("$3.3 billion", "$3.8 billion"),
            ("usdc-circle-statement-12-march", "usdc-figure-38bn-newsheap"),
        ),
        (
            "英伟达市值一天蒸发了多少钱？",
            ("5930亿美元", "$589 billion"),
            ("deepseek-nvidia-rout-zh", "deepseek-nvidia-rout-wire"),
        ),
        # a rumour and the issuer
        (
            "Circle有100亿美元卡在硅谷银行，是真的吗？",
            ("33亿美元", "100亿美元"),
            ("usdc-recovers-zh", "usdc-rumour-10bn-social-zh"),
        ),
    ],
)
def test_what_origins_dispute_stands_side_by_side_the_better_supported_first(
    question: str, values: tuple[str, str], articles: tuple[str, str]
) -> None:
    written, given = answer(question)
    dispute = next(each for each in written.contested if all(v in point(each) for v in values))
    assert point(dispute).index(values[0]) < point(dispute).index(values[1])
    for value, name, side in zip(values, articles, dispute.sides, strict=False):
        assert simplify(value) in simplify(side.text)
        assert article(given, side.quotes[0].passage) == name


@pytest.mark.parametrize(
    ("question", "weaker"),
    [
        ("When did USDC hit its low?", "usdc-low-dated-10-march"),
        ("DeepSeek的R1是什么时候发布的？", "deepseek-r1-dated-22-january"),
        ("Circle有100亿美元卡在硅谷银行，是真的吗？", "usdc-rumour-10bn-social-zh"),
    ],
)
def test_the_weaker_side_is_no_sentence_of_the_answer(question: str, weaker: str) -> None:
    written, given = answer(question)
    first = [article(given, each.quotes[0].passage) for each in written.sentences]
    assert weaker not in first


def test_copies_of_one_report_are_one_origin_and_quoted_once() -> None:
    written, given = answer("Why did USDC lose its peg in March 2023?")
    origins = {p.number: p.origin_id for p in given.passages}
    for each in written.sentences:
        quoted = [origins[quote.passage] for quote in each.quotes]
        assert len(set(quoted)) == len(quoted)


def test_two_origins_that_say_the_same_are_both_quoted() -> None:
    written, given = answer("DeepSeek的R1是什么时候发布的？")
    cited = [article(given, quoted.passage) for quoted in written.sentences[0].quotes]
    assert cited[0] == "deepseek-r1-release-official-zh" and len(cited) > 1


@pytest.mark.parametrize(
    ("question", "chinese"),
    [("USDC为什么会脱锚？", True), ("Why did USDC lose its peg in March 2023?", False)],
)
def test_pages_in_the_language_of_the_question_come_first(question: str, chinese: bool) -> None:
    written, _ = answer(question)
    for each in written.sentences:
        assert any("\u4e00" <= char <= "\u9fff" for char in each.text) is chinese
    assert not any("外文" in why(gap) or "language" in why(gap) for gap in written.gaps)


def test_an_answer_from_the_other_language_says_so() -> None:
    written, _ = answer("How many parameters does DeepSeek-V2 have?")
    assert "2360亿" in written.sentences[0].text
    assert any("pages in another language" in why(gap) for gap in written.gaps)


@pytest.mark.parametrize(
    ("question", "text", "gap"),
    [
        (
            "When did Circle redeem USDC?",
            "Circle redeemed $3.8 billion of USDC tokens.",
            "the date",
        ),
        (
            "Why did Circle redeem USDC?",
            "Circle redeemed $3.8 billion of USDC tokens.",
            "the cause",
        ),
        ("Circle何时赎回USDC？", "Circle赎回了价值38亿美元的USDC代币。", "日期"),
        ("Circle為何贖回USDC？", "Circle贖回了價值38億美元的USDC代幣。", "原因"),
    ],
)
def test_what_is_asked_for_and_not_said_is_a_gap(question: str, text: str, gap: str) -> None:
    _, given = answer("USDC为什么会脱锚？")
    page = given.passages[0].model_copy(update={"text": text, "title": "", "number": 1})
    language = "zh" if gap in ("日期", "原因") else "en"
    one = given.model_copy(update={"question": question, "passages": (page,), "language": language})
    written = QUESTION.embedded(one)
    assert [each.text for each in written.sentences] == [text]
    assert what(written.gaps[0], language).startswith(gap)


def test_no_passages_is_no_evidence() -> None:
    empty = WriteInput(
        question="x", language="en", today="2025-01-01", max_sentences=8, passages=()
    )
    with pytest.raises(NoEvidence):
        QUESTION.embedded(empty)
    with pytest.raises(NoEvidence):
        QUESTION.variables(empty, "seed")


@pytest.mark.parametrize("most", [1, 2, 3, 8])
def test_never_more_sentences_than_allowed(most: int) -> None:
    _, given = answer("USDC为什么会脱锚？")
    shorter = given.model_copy(update={"max_sentences": most})
    assert len(QUESTION.embedded(shorter).sentences) <= most


def test_the_same_passages_give_the_same_answer() -> None:
    _, given = answer("USDC为什么会脱锚？")
    assert QUESTION.embedded(given) == QUESTION.embedded(given.model_copy())


def _proposed(text: str, *numbers: int) -> Proposed:
    return Proposed(text=text, quotes=tuple(Quoted(passage=n, quote="q") for n in numbers))


@pytest.mark.parametrize(
    ("written", "word"),
    [
        (Written(sentences=(_proposed("A.", 99),)), "no passage 99"),
        (Written(sentences=(_proposed("A."),)), "no quote"),
        (Written(sentences=(_proposed("See https://a.example/x", 1),)), "link"),
        (Written(sentences=(_proposed("见 www.a.com。", 1),)), "link"),
        (Written(sentences=tuple(_proposed(f"{n}.", 1) for n in range(9))), "more than 8"),
        (Written(sentences=()), "no gap"),
        (
            Written(sentences=(), contested=(Dispute(point="p", sides=(_proposed("A.", 1),)),)),
            "two sides",
        ),
        (
            Written(
                sentences=(),
                contested=(Dispute(point="p", sides=(_proposed("A.", 1), _proposed("B.", 77))),),
            ),
            "no passage 77",
        ),
    ],
)
def test_what_is_wrong_with_a_models_answer_is_named(written: Written, word: str) -> None:
    _, given = answer("USDC为什么会脱锚？")
    assert word in words("en").phrase(QUESTION.fault_of(given, written) or "")


def test_no_answer_with_a_gap_is_a_good_answer() -> None:
    _, given = answer("USDC为什么会脱锚？")
    written = Written(sentences=(), gaps=(Missing(what="x", why="y"),))
    assert QUESTION.fault_of(given, written) is None


def test_the_lock_looks_at_the_sentences_and_not_at_the_quotes() -> None:
    written = Written(sentences=(_proposed("USDC 脱锚。", 1), _proposed("原因。", 1)))
    assert QUESTION.prose(written) == "USDC 脱锚。\n原因。"


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_prompt_takes_exactly_what_is_given(language: str) -> None:
    _, given = answer("USDC为什么会脱锚？")
    shown = render(load(QUESTION.prompt, language), QUESTION.variables(given, "seed"))
    assert "【1】" in shown.user and "<<data " in shown.user and given.question in shown.user


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("Did Circle go bankrupt?", "closest pages"),
        ("Circle破产了吗？", "最接近的网页"),
        ("Circle破產了嗎？", "最接近的網頁"),
    ],
)
def test_no_match_is_called_so_and_names_the_closest_pages(question: str, word: str) -> None:
    written, _ = write(question, language="zh-Hant" if "網" in word else None)
    assert written.sentences == ()
    assert written.gaps[0].what == question
    assert word in why(written.gaps[0])


@pytest.mark.parametrize(
    ("question", "language", "word"),
    [
        ("Circle有100亿美元卡在硅谷银行，是真的吗？", "zh", "传闻"),
        ("Circle有100億美元卡在矽谷銀行，是真的嗎？", "zh-Hant", "傳聞"),
        ("Is it true that $10 billion of Circle was stuck at SVB?", "en", "rumour"),
    ],
)
def test_a_side_of_posts_alone_is_called_a_rumour(question: str, language: str, word: str) -> None:
    written, _ = write(question, language=language)
    assert any(word in point(each) for each in written.contested), written.contested


def test_a_gap_quotes_the_question_and_no_list_of_tokens() -> None:
    written, given = answer("USDC为什么会脱锚？")
    page = given.passages[0].model_copy(
        update={"text": "Circle赎回了价值38亿美元的USDC代币。", "title": "", "number": 1}
    )
    one = given.model_copy(update={"question": "Circle何时赎回USDC？", "passages": (page,)})
    assert what(QUESTION.embedded(one).gaps[0], "zh") == "日期：“Circle何时赎回USDC？”"
    assert written.sentences


def what(gap: Missing, language: str) -> str:
    return words(language)(gap.what, **gap.params)


def why(gap: Missing) -> str:
    """Say why it is missing, in every language."""
    return "\n".join(words(each)(gap.why, **gap.params) for each in LANGUAGES)


def point(dispute: Dispute) -> str:
    """Say what is contested, in every language."""
    return "\n".join(words(each)(dispute.point, **dispute.params) for each in LANGUAGES)
