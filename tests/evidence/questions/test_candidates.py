"""Sentences as possible answers: which are quotable, and what they say of a question."""

from __future__ import annotations

import pytest

from groundwire.evidence.questions.candidates import Candidate, candidates, usable
from groundwire.evidence.questions.coverage import named_in
from groundwire.evidence.questions.intent import parse_question
from groundwire.evidence.questions.quotable import completeness
from groundwire.model.source import NumberedPassage, Tier


def passage(
    text: str,
    *,
    title: str = "",
    tier: Tier = "established",
    flags: tuple[str, ...] = (),
    day: str = "2023-03-11",
    publisher: str = "",
) -> NumberedPassage:
    return NumberedPassage(
        number=1,
        passage_id="ps_1",
        evidence_id="ev_1",
        title=title,
        publisher=publisher,
        date=day,
        language="en",
        tier=tier,
        origin_id="o1",
        flags=flags,
        relevance=1.0,
        text=text,
    )


def of(question: str, text: str, **more: str) -> list[Candidate]:
    return candidates(parse_question(question), [passage(text, **more)])  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    "sentence",
    [
        "Why did it happen to USDC at all?",
        "USDC为什么会脱锚？",
        "Photo: a bank.",
        "更正：本文此前的版本有误，特此说明。",
        "Correction: an earlier version of this article said that trading was halted.",
        "See https://a.example/x for the whole report of the company.",
        "Short one.",
        "很短。",
    ],
)
def test_questions_captions_notices_and_links_are_not_quoted(sentence: str) -> None:
    assert completeness(sentence) == 0.0


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (
            "Circle said the deposit was safe and whole.",
            "It said the deposit was safe and whole again.",
        ),
        ("硅谷银行于三月十日被监管机构正式关闭。", "此举导致银行于三月十日被监管机构关闭。"),
        ("硅谷銀行於三月十日被監管機構正式關閉。", "這導致銀行於三月十日被監管機構關閉。"),
        ("Circle held the money there for months.", "The company held the money there for months."),
        (
            "Circle held ten billion dollars there.",
            "Reportedly Circle held ten billion dollars there.",
        ),
        (
            "Circle lost the money over the weekend.",
            "I think Circle lost the money over the weekend.",
        ),
        ("Circle says that its reserves are safe.", "Circle says that its reserves are safe"),
        ("Circle says so to all.", "It says so and " + "on and " * 60 + "on."),
        (
            "Circle published a long and very calm statement late on that same day.",
            "Circle is calm and well today.",
        ),
    ],
)
def test_a_sentence_that_stands_alone_is_better(better: str, worse: str) -> None:
    assert completeness(better) > completeness(worse)


def test_a_sentence_without_its_subject_comes_with_the_one_before() -> None:
    text = "Circle said on Friday that the money was there. It was later paid out in full to all."
    assert of("Circle", text)[1].text == text
    alone = (
        "Circle said on Friday that the money was there.\n\nIt was later paid out in full to all."
    )
    assert of("Circle", alone)[1].text.startswith("It was")
    long = "Circle " + "said and " * 60 + "went on. It was later paid out in full to all."
    assert of("Circle", long)[1].text.startswith("It was")
    both = "It was there for a long time. It was later paid out in full to all."
    assert of("Circle", both)[1].text.startswith("It was later")


def test_a_dateline_is_not_part_of_the_sentence() -> None:
    text = "北辰通讯社香港电　稳定币USDC失去1美元的锚定。此举引发市场上投资者的恐慌。"
    first, second = of("USDC", text)
    assert first.text == "稳定币USDC失去1美元的锚定。"
    assert second.text.startswith("稳定币USDC")


@pytest.mark.parametrize(
    ("tier", "flags", "expected"),
    [
        ("established", (), True),
        ("social", (), True),
        ("satire", (), False),
        ("trade", ("satire",), False),
        ("primary", ("injection",), False),
    ],
)
def test_satire_and_injected_pages_give_no_sentence(
    tier: Tier, flags: tuple[str, ...], expected: bool
) -> None:
    page = passage("Circle kept the money at the bank.", tier=tier, flags=flags)
    assert usable(page) is expected
    assert bool(candidates(parse_question("Circle"), [page])) is expected


def test_better_sources_and_fewer_flags_weigh_more() -> None:
    def quality(tier: Tier, *flags: str) -> float:
        page = passage("Circle kept the money at the bank.", tier=tier, flags=flags)
        return candidates(parse_question("Circle"), [page])[0].quality

    order: list[Tier] = ["primary", "wire", "established", "trade", "aggregator", "social"]
    found = [quality(tier) for tier in order]
    assert found == sorted(found, reverse=True)
    assert quality("wire", "correction") > quality("wire") > quality("wire", "opinion")
    assert quality("wire", "opinion") > quality("wire", "retraction")


@pytest.mark.parametrize(
    ("question", "text", "facet"),
    [
        ("Why did USDC fall?", "USDC fell because a bank had failed.", 1.0),
        ("Why did USDC fall?", "USDC fell after the news on the bank.", 0.4),
        ("Why did USDC fall?", "USDC fell to ninety cents that day.", 0.0),
        ("USDC為何下跌？", "由於銀行倒閉，USDC一度大幅下跌。", 1.0),
        ("When did USDC fall?", "USDC fell on 11 March 2023 to its low.", 1.0),
        ("When did USDC fall?", "USDC fell in March 2023 to its low.", 0.8),
        ("When did USDC fall?", "USDC fell on Saturday to its low.", 0.3),
        ("When did USDC fall?", "USDC fell a lot and then it rose.", 0.0),
        ("How much did USDC fall?", "USDC fell by 12% to its low point.", 1.0),
        ("How much did USDC fall?", "USDC fell a lot and then it rose.", 0.0),
        ("Who founded DeepSeek?", "Liang Wenfeng founded DeepSeek long ago.", 1.0),
        ("Who founded DeepSeek?", "DeepSeek was founded a long time ago.", 0.0),
        ("Did Circle do it?", "Circle denied the whole story on that day.", 1.0),
        ("Did Circle do it?", "Circle did the whole thing on that day.", 0.3),
        ("Did Circle hold $10 billion there?", "Circle held $3.3 billion there at the time.", 1.0),
    ],
)
def test_whether_a_sentence_has_what_is_asked_for(question: str, text: str, facet: float) -> None:
    assert of(question, text)[0].facet == facet


def test_what_happened_is_told_by_leads_with_days_and_figures() -> None:
    text = (
        "USDC lost its peg on 11 March 2023 and fell to $0.87. Circle is the issuer of USDC tokens."
    )
    lead, other = of("What happened to USDC?", text)
    assert lead.facet == 1.0 > other.facet


def test_title_publisher_and_reference_count_in_part() -> None:
    text = "Regulators closed Silicon Valley Bank. The bank failed on that very day."
    first, second = of("Silicon Valley Bank", text)
    assert first.coverage == 1.0 > second.coverage > 0.5
    titled = of("Silicon Valley Bank", "All depositors will get their money.", title="On SVB")
    assert titled[0].coverage == 0.5 and not titled[0].own
    primary = of("Circle", "We hold the money in cash there.", publisher="Circle", tier="primary")
    assert primary[0].coverage == 1.0
    trade = of("Circle", "We hold the money in cash there.", publisher="Circle", tier="trade")
    assert trade[0].coverage == 0.5


def test_a_question_without_terms_is_covered_by_nothing() -> None:
    assert of("what is it", "Circle kept the money at the bank.")[0].coverage == 0.0


def test_a_sentence_about_another_subject_weighs_less() -> None:
    on_subject = of("USDC", "USDC fell when traders of other coins were selling all they had.")[0]
    other = of("USDC", "DAI fell when traders of other coins were selling, and so was USDC.")[0]
    assert on_subject.quality > other.quality


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("33亿美元", True),
        ("38亿美元", False),
        ("2023年3月10日", True),
        ("2023年3月12日", False),
        ("矽谷銀行", True),
        ("签名银行", False),
    ],
)
def test_figures_days_and_names_are_found_in_another_language(question: str, named: bool) -> None:
    page = passage("On 10 March 2023 Circle had $3.3 billion at Silicon Valley Bank.", day="")
    assert named_in(parse_question(question).terms[0], page) is named
