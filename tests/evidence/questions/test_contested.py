"""Another figure or another day for the same thing, by an independent origin."""

from __future__ import annotations

import pytest

from groundwire.evidence.questions.candidates import Candidate, candidates
from groundwire.evidence.questions.contested import Kind, contradictions, outweighs, strength
from groundwire.evidence.questions.intent import parse_question
from groundwire.model.source import NumberedPassage, Tier


def candidate(text: str, origin: str, tier: Tier = "established") -> Candidate:
    page = NumberedPassage(
        number=1,
        passage_id=f"ps_{origin}",
        evidence_id=f"ev_{origin}",
        title="",
        publisher="",
        date="2023-03-14",
        language="en",
        tier=tier,
        origin_id=origin,
        flags=(),
        relevance=1.0,
        text=text,
    )
    return candidates(parse_question("Circle USDC DeepSeek"), [page])[0]


def kinds(a: str, b: str, *, same_origin: bool = False) -> list[Kind]:
    pool = [candidate(a, "a"), candidate(b, "a" if same_origin else "b")]
    return [each.kind for each in contradictions(pool, ("figure", "date"))]


@pytest.mark.parametrize(
    ("a", "b", "kind"),
    [
        (
            "Circle had $3.3 billion of its reserves at Silicon Valley Bank.",
            "Circle had $3.8 billion of its reserves at Silicon Valley Bank.",
            "figure",
        ),
        # across languages and scripts
        (
            "Circle had $3.8 billion of its reserves at Silicon Valley Bank.",
            "Circle表示，有33亿美元储备存放在硅谷银行。",
            "figure",
        ),
        (
            "Circle有100亿美元储备卡在硅谷银行，大家小心。",
            "Circle表示，有33億美元儲備存放在矽谷銀行。",
            "figure",
        ),
        (
            "The stablecoin USDC hit its low on Friday 10 March 2023, at about $0.87.",
            "稳定币USDC于2023年3月11日跌至约0.87美元的低点。",
            "date",
        ),
        (
            "2025年1月20日，DeepSeek正式发布推理模型R1并开源。",
            "2025年1月22日，DeepSeek正式發佈推理模型R1並開源。",
            "date",
        ),
    ],
)
def test_independent_origins_that_differ_are_two_sides(a: str, b: str, kind: Kind) -> None:
    assert kinds(a, b) == [kind]
    assert kinds(b, a) == [kind]
    assert kinds(a, b, same_origin=True) == []


@pytest.mark.parametrize(
    ("a", "b"),
    [
        # rounded, close, or bounded
        (
            "Training DeepSeek V3 cost $5.576 million.",
            "Training DeepSeek V3 cost about $5.6 million.",
        ),
        ("Circle's USDC traded at $0.87 that day.", "Circle's USDC traded at $0.88 that day."),
        (
            "Circle redeemed over $3 billion of USDC.",
            "Circle redeemed $3.8 billion of USDC tokens.",
        ),
        (
            "Circle redeemed under $4 billion of USDC.",
            "Circle redeemed $3.8 billion of USDC tokens.",
        ),
        # another thing
        (
            "Training DeepSeek R1 cost $294,000 in all.",
            "Training DeepSeek V3 cost $5.6 million in all.",
        ),
        (
            "Circle redeemed $3.8 billion of USDC.",
            "Circle kept $3.3 billion at Silicon Valley Bank.",
        ),
        ("Circle holds $3 million of USDC reserves.", "Circle holds $3 billion of USDC reserves."),
        (
            "Circle USDC reserves fell by 8% that day.",
            "Circle USDC reserves were $40 billion that day.",
        ),
        # a sentence with both figures explains the difference
        (
            "Circle USDC reserves at the bank were $3.3 billion and not $3.8 billion.",
            "Circle USDC reserves at the bank were $3.8 billion.",
        ),
        # no name in common
        ("The bank had $3.3 billion of reserves.", "The bank had $3.8 billion of reserves."),
        # from a day, until a day
        (
            "Circle USDC redemptions at the bank resume from 13 March 2023.",
            "Circle USDC redemptions at the bank stopped on 10 March 2023.",
        ),
        (
            "Circle宣布USDC赎回业务自2023年3月13日起在银行恢复。",
            "Circle宣布USDC赎回业务2023年3月10日在银行恢复。",
        ),
        # another year is another event
        (
            "Circle USDC reserves were reported at the bank on 10 March 2023.",
            "Circle USDC reserves were reported at the bank on 10 March 2024.",
        ),
        # two days in one sentence: nothing says which is meant
        (
            "Circle USDC reserves moved on 9 March 2023 and on 10 March 2023.",
            "Circle USDC reserves moved on 11 March 2023.",
        ),
        ("Circle USDC reserves are $0 at the bank.", "Circle USDC reserves are $3 at the bank."),
    ],
)
def test_what_can_both_be_true_is_no_dispute(a: str, b: str) -> None:
    assert kinds(a, b) == []


def test_the_side_with_more_and_better_origins_comes_first() -> None:
    low = "Circle had $3.8 billion of its reserves at Silicon Valley Bank."
    high = "Circle had $3.3 billion of its reserves at Silicon Valley Bank."
    pool = [
        candidate(low, "a", "aggregator"),
        candidate(high, "b", "wire"),
        candidate(high, "c", "primary"),
    ]
    (found,) = contradictions(pool, ("figure",))
    assert [side[0].value for side in found.sides] == ["$3.3 billion", "$3.8 billion"]
    assert strength(found.sides[0]) > strength(found.sides[1])
    copies = [candidate(high, "b", "wire"), candidate(high, "b", "trade")]
    (again,) = contradictions([pool[0], *copies], ("figure",))
    assert strength(again.sides[0]) == strength(again.sides[0][:1])


def test_only_the_kinds_asked_for_are_looked_at() -> None:
    low = "Circle had $3.8 billion of its reserves at Silicon Valley Bank."
    high = "Circle had $3.3 billion of its reserves at Silicon Valley Bank."
    assert contradictions([candidate(low, "a"), candidate(high, "b")], ("date",)) == ()


def test_a_side_that_differs_only_from_another_side_is_left_out() -> None:
    strong = "Circle had $3.3 billion of its reserves at Silicon Valley Bank."
    pool = [
        candidate(strong, "a", "primary"),
        candidate(strong, "b", "wire"),
        candidate("Circle had $3.8 billion of its reserves at Silicon Valley Bank.", "c"),
        candidate("DeepSeek spent $5 million to train its V3 model in China.", "d"),
        candidate("DeepSeek spent $9 million to train its V3 model in China.", "e"),
    ]
    (found,) = contradictions(pool, ("figure",))
    assert [side[0].value for side in found.sides] == ["$3.3 billion", "$3.8 billion"]


def _of(question: str, a: str, b: str) -> list[Kind]:
    parts = parse_question(question)
    pool = [
        candidates(parts, [candidate(text, origin).passage])[0] for origin, text in _origins(a, b)
    ]
    return [each.kind for each in contradictions(pool, ("figure", "date"), parts)]


def _origins(*texts: str) -> list[tuple[str, str]]:
    return [(f"o{number}", text) for number, text in enumerate(texts)]


@pytest.mark.parametrize(
    ("question", "a", "b"),
    [
        (
            "英伟达2024年第一季度营收是多少？",
            "英伟达2024年第一季度营收为12.5亿元。",
            "英伟达2024年第一季度营收为15.9亿元。",
        ),
        (
            "輝光公司2024年營收是多少？",
            "輝光公司2024年營收為12.5億元。",
            "輝光公司2024年營收為15.9億元。",
        ),
        (
            "How much revenue did Zorblax report in 2024?",
            "Zorblax reported revenue of $12 million in 2024.",
            "Zorblax revenue was $19 million in 2024.",
        ),
    ],
)
def test_short_clauses_that_hold_all_of_the_question_are_compared(
    question: str, a: str, b: str
) -> None:
    assert _of(question, a, b) == ["figure"]


@pytest.mark.parametrize(
    ("question", "a", "b"),
    [
        # two events on two days
        (
            "Did the US Treasury guarantee SVB deposits?",
            "The US Treasury said on 12 March 2023 that SVB deposits are guaranteed.",
            "US regulators closed SVB and its deposits on 10 March 2023.",
        ),
        (
            "硅谷银行是哪天被关闭的？",
            "硅谷银行于2023年3月10日被关闭。",
            "硅谷银行于2023年3月27日被收购。",
        ),
        (
            "矽谷銀行是哪天被關閉的？",
            "矽谷銀行於2023年3月10日被關閉。",
            "矽谷銀行於2023年3月27日被收購。",
        ),
        # its denial, the day before
        (
            "When did the agency approve the Zorblax fund?",
            "The agency approved the Zorblax fund on 10 January 2024.",
            "The agency said on 9 January 2024 that it has not approved the Zorblax fund.",
        ),
        (
            "监管机构什么时候批准Zorblax基金？",
            "监管机构于2024年1月10日批准Zorblax基金。",
            "监管机构2024年1月9日表示并未批准Zorblax基金。",
        ),
        (
            "主管機關何時核准Zorblax基金？",
            "主管機關於2024年1月10日核准Zorblax基金。",
            "主管機關2024年1月9日表示並未核准Zorblax基金。",
        ),
        # two years
        (
            "How much revenue did Zorblax report?",
            "Zorblax reported revenue of $12 million in 2023.",
            "Zorblax reported revenue of $19 million in 2024.",
        ),
    ],
)
def test_another_event_or_another_year_is_no_dispute(question: str, a: str, b: str) -> None:
    assert _of(question, a, b) == []


@pytest.mark.parametrize(
    ("one", "other", "settled"),
    [
        ([("a", "primary"), ("b", "wire")], [("c", "trade")], True),
        ([("a", "primary"), ("a", "primary")], [("c", "trade")], False),  # one origin
        ([("a", "wire"), ("b", "wire")], [("c", "trade")], False),  # nobody who must know
        ([("a", "primary"), ("b", "wire")], [("c", "primary")], False),
        ([("a", "primary"), ("b", "wire")], [("c", "trade"), ("d", "trade")], False),
    ],
)
def test_a_primary_and_others_settle_a_point_against_one_lesser_page(
    one: list[tuple[str, Tier]], other: list[tuple[str, Tier]], settled: bool
) -> None:
    assert outweighs(one, other) is settled
