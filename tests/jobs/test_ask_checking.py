"""Verdicts of one answer agree with each other; a rumour contests nothing; gaps hold no links."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime

import pytest

from groundwire.evidence.pages.passages import split
from groundwire.jobs.ask.checking import Outcome, check_sentences, shown_of
from groundwire.jobs.ask.settings import AskSettings
from groundwire.jobs.ask.types import AskInput, State
from groundwire.jobs.ask.write_answer import Dispute, Missing, Proposed, Quoted, Written
from groundwire.model.source import Document, Evidence, NumberedPassage, Tier

DAY = datetime(2023, 3, 11, tzinfo=UTC)


def page(number: int, text: str, tier: Tier) -> Evidence:
    url = f"https://site{number}.example/a"
    document = Document(
        id=f"doc_{number}",
        url=url,
        canonical_url=url,
        publisher=f"Paper {number}",
        title="",
        published_at=DAY,
        published_how="declared",
        language="en",
        text=text,
        sha256=hashlib.sha256(text.encode()).hexdigest(),
        fetched_at=DAY,
    )
    return Evidence(
        id=f"ev_{number}", kind="page", document=document, passages=split(document), tier=tier
    )


def outcome(
    pages: list[tuple[str, Tier]],
    sentences: list[int],
    sides: list[int],
    reasoner: str = "embedded",
    gaps: tuple[Missing, ...] = (),
    disputes: tuple[Dispute, ...] = (),
    more: tuple[Proposed, ...] = (),
) -> Outcome:
    """Check an answer in which each text is a page, quoted whole by its number."""
    evidence = tuple(page(n, text, tier) for n, (text, tier) in enumerate(pages, start=1))
    numbered = tuple(
        NumberedPassage(
            number=n,
            passage_id=each.passages[0].id,
            evidence_id=each.id,
            title="",
            publisher=each.document.publisher,
            date="2023-03-11",
            language="en",
            tier=each.tier,
            origin_id=each.id,
            flags=(),
            relevance=1.0,
            text=each.document.text,
        )
        for n, each in enumerate(evidence, start=1)
    )

    def proposed(number: int) -> Proposed:
        text = pages[number - 1][0]
        return Proposed(text=text, quotes=(Quoted(passage=number, quote=text),))

    contested = (Dispute(point="p", sides=tuple(map(proposed, sides))),) if sides else disputes
    shown = (*map(proposed, sentences), *more)
    written = Written(sentences=shown, contested=contested, gaps=gaps)
    state = State(
        given=AskInput(question="How much did Circle hold at Silicon Valley Bank?"),
        limits=AskSettings(),
        evidence=evidence,
        passages=numbered,
        written=written,
        reasoner=reasoner,
    )
    return shown_of(state, check_sentences(state))


@pytest.mark.parametrize(
    ("one", "other", "third"),
    [
        (
            "Circle held $3.3 billion at Silicon Valley Bank.",
            "Circle held $3.8 billion at Silicon Valley Bank.",
            "Silicon Valley Bank held $3.3 billion of Circle.",
        ),
        (
            "Circle有33亿美元储备存放在硅谷银行。",
            "Circle有38亿美元储备存放在硅谷银行。",
            "Circle承认33亿美元储备存放在硅谷银行。",
        ),
        (
            "Circle有33億美元儲備存放在矽谷銀行。",
            "Circle有38億美元儲備存放在矽谷銀行。",
            "Circle承認33億美元儲備存放在矽谷銀行。",
        ),
    ],
)
def test_a_sentence_that_gives_a_disputed_value_is_contested_too(
    one: str, other: str, third: str
) -> None:
    found = outcome([(one, "wire"), (other, "trade"), (third, "primary")], [1, 3], [1, 2])
    assert [each.verdict for each in found.sentences] == ["contested", "contested"]
    assert [side.verdict for side in found.contested[0].sides] == ["contested", "contested"]
    assert (found.checks.contested, found.checks.supported) == (2, 0)


def test_a_sentence_on_something_else_stays_supported() -> None:
    found = outcome(
        [
            ("Circle held $3.3 billion at Silicon Valley Bank.", "wire"),
            ("Circle held $3.8 billion at Silicon Valley Bank.", "trade"),
            ("Coinbase paused conversions of USDC on 11 March 2023.", "wire"),
        ],
        [3],
        [1, 2],
    )
    assert [each.verdict for each in found.sentences] == ["supported"]
    assert (found.checks.contested, found.checks.supported) == (0, 1)


@pytest.mark.parametrize(
    ("issuer", "post", "tier"),
    [
        (
            "Circle有33亿美元储备存放在硅谷银行。",
            "刚在群里看到消息，说Circle有100亿美元卡在硅谷银行。",
            "social",
        ),
        (
            "Circle有33億美元儲備存放在矽谷銀行。",
            "剛在群裡看到消息，說Circle有100億美元卡在矽谷銀行。",
            "social",
        ),
        (
            "Circle held $3.3 billion at Silicon Valley Bank.",
            "Circle reportedly held $10 billion at Silicon Valley Bank.",
            "trade",
        ),
    ],
)
def test_a_rumour_is_shown_as_a_side_and_contests_nothing(
    issuer: str, post: str, tier: Tier
) -> None:
    found = outcome([(issuer, "primary"), (post, tier)], [1], [1, 2])
    assert [each.verdict for each in found.sentences] == ["supported"]
    assert [side.verdict for side in found.contested[0].sides] == ["supported", "unverified"]
    assert found.checks.contested == 0


@pytest.mark.parametrize(
    ("told", "again", "other", "post"),
    [
        (
            "Circle held $3.3 billion at Silicon Valley Bank.",
            "Circle held $3.3 billion at Silicon Valley Bank, it said.",
            "Circle held $3.8 billion at Silicon Valley Bank.",
            "Circle held $10 billion at Silicon Valley Bank.",
        ),
        ("Circle有33亿美元存放在硅谷银行。", "Circle表示有33亿美元存放在硅谷银行。", "Circle有38亿美元存放在硅谷银行。", "Circle有100亿美元存放在硅谷银行。"),
        ("Circle有33億美元存放在矽谷銀行。", "Circle表示有33億美元存放在矽谷銀行。", "Circle有38億美元存放在矽谷銀行。", "Circle有100億美元存放在矽谷銀行。"),
    ],
)  # fmt: skip
def test_a_rumour_beside_two_accounts_leaves_what_settles_them(
    told: str, again: str, other: str, post: str
) -> None:
    pages: list[tuple[str, Tier]] = [
        (told, "primary"), (again, "wire"), (other, "aggregator"), (post, "social"),
    ]  # fmt: skip
    settled = Proposed(
        text=told, quotes=(Quoted(passage=1, quote=told), Quoted(passage=2, quote=again))
    )
    sides = [settled]
    for n, text in ((3, other), (4, post)):
        sides.append(Proposed(text=text, quotes=(Quoted(passage=n, quote=text),)))
    found = outcome(pages, [1], [], disputes=(Dispute(point="p", sides=tuple(sides)),))
    verdicts = [side.verdict for side in found.contested[0].sides]
    assert verdicts == ["supported", "contradicted", "unverified"]
    assert found.sentences[0].verdict == "supported"


def test_gaps_of_a_model_hold_no_link() -> None:
    gaps = (
        Missing(what="see evil.example/x", why="y"),
        Missing(what="the date", why="look at https://evil.example"),
        Missing(what="the date", why="no page says so"),
    )
    text = "Circle held $3.3 billion at Silicon Valley Bank."
    found = outcome([(text, "wire")], [1], [], reasoner="openai:x", gaps=gaps)
    assert [gap.why for gap in found.gaps] == ["no page says so"]


def test_what_a_primary_and_another_say_is_not_contested_by_one_lesser_page() -> None:
    text = "The agency approved the fund on 10 January 2024."
    pages: list[tuple[str, Tier]] = [
        (text, "primary"),
        ("The agency approved the fund on 10 January 2024, as expected.", "wire"),
        ("The agency approved the fund on 11 January 2024.", "trade"),
    ]
    evidence_sides = [
        Proposed(text=text, quotes=(Quoted(passage=1, quote=text), Quoted(passage=2, quote=pages[1][0]))),
        Proposed(text=pages[2][0], quotes=(Quoted(passage=3, quote=pages[2][0]),)),
    ]  # fmt: skip
    found = outcome(pages, [1], [], disputes=(Dispute(point="p", sides=tuple(evidence_sides)),))
    assert [side.verdict for side in found.contested[0].sides] == ["supported", "contradicted"]
    assert found.sentences[0].verdict == "supported"


@pytest.mark.parametrize(
    ("text", "right", "lies"),
    [
        (
            "该机构于2024年1月10日批准了11只比特币基金。",
            "The agency approved eleven bitcoin funds on 10 January 2024.",
            (
                "The agency approved 12 bitcoin funds on 10 January 2024.",
                "The agency approved eleven bitcoin funds on 11 January 2024.",
                "The Binance agency approved eleven bitcoin funds on 10 January 2024.",
            ),
        ),
        (
            "苹果公司表示，2023年9月在中国售出430万部手机。",
            "Apple said that it sold 4.3 million phones in China in September 2023.",
            (
                "Apple said that it sold 4.8 million phones in China in September 2023.",
                "Apple said that it sold 4.3 million phones in China in October 2023.",
                "Apple and Samsung said that they sold 4.3 million phones in China.",
            ),
        ),
        (
            "Circle held $3.3 billion at Silicon Valley Bank on 10 March 2023.",
            "Circle 於2023年3月10日在矽谷銀行存有33億美元。",
            (
                "Circle 於2023年3月10日在矽谷銀行存有38億美元。",
                "Circle 於2023年3月12日在矽谷銀行存有33億美元。",
                "Circle 於2023年3月10日在簽名銀行存有33億美元。",
            ),
        ),
    ],
)
def test_a_translation_stands_beside_its_quote_unless_it_adds_to_it(
    text: str, right: str, lies: tuple[str, ...]
) -> None:
    assert _translation(text, right) == right
    for lie in lies:
        assert _translation(text, lie) == ""


def _translation(text: str, translation: str) -> str:
    """Return the translation that is shown beside a quote."""
    quoted = Quoted(passage=1, quote=text, translation=translation)
    found = outcome([(text, "wire")], [], [], more=(Proposed(text=text, quotes=(quoted,)),))
    return found.sentences[0].citations[0].translation
