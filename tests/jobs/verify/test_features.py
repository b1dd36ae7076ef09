"""From evidence, stances, tools and memory to features: who counts, and for what."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any, cast

import pytest
from tests.evidence.builders import evidence

from groundwire.context import Context
from groundwire.evidence.sources.origins import origins
from groundwire.jobs.verify.confidence import judge
from groundwire.jobs.verify.feature_types import Features, Side
from groundwire.jobs.verify.features import day_told, features, numbers_of, search_state
from groundwire.jobs.verify.result import signal_of
from groundwire.jobs.verify.search_result import search_confidence, search_summary, search_triggered
from groundwire.jobs.verify.settings import VerifySettings
from groundwire.jobs.verify.sides import parties_of
from groundwire.jobs.verify.signal import Preliminary
from groundwire.jobs.verify.types import Held, State, VerifyInput
from groundwire.model.history import PastEvent
from groundwire.model.message import Message
from groundwire.model.outcome import Outcome
from groundwire.model.phrase import phrase
from groundwire.model.query import Hit
from groundwire.model.source import Evidence
from groundwire.model.stance import Stance, StanceLabel, StanceScores
from groundwire.model.tool import ToolFailure, ToolResult
from groundwire.words import words

AT = datetime(2025, 6, 5, 10, 30, tzinfo=UTC)
MESSAGE = Message(
    id="m",
    text="Binance will delist Monero on June 20, traders say",
    language="en",
    source="telegram:fastnews",
    received_at=AT,
)
PRELIMINARY = Preliminary(
    profile="crypto", event_type="delisting", asset="XMR", confidence=0.8, summary="…"
)
FOUND = ToolResult(tool="search", source="tavily", timestamp=AT, success=True)


def stance(label: StanceLabel, quote: str = "") -> Stance:
    scores = StanceScores(supports=0, contradicts=0, qualifies=0, unrelated=0)
    return Stance(label=label, scores=scores, quote=quote, start=0, end=len(quote))


def weigh(
    pages: Mapping[StanceLabel, Sequence[Evidence]] | Sequence[tuple[Evidence, StanceLabel]],
    **given: Any,
) -> Features:
    """Compute the features of pages with their stances, clustered as in a run."""
    pairs = (
        [(page, label) for label, group in pages.items() for page in group]
        if isinstance(pages, Mapping)
        else list(pages)
    )
    held = tuple(
        Held(evidence=page, list="open", stances=(stance(label),)) for page, label in pairs
    )
    found = [page for page, _ in pairs]
    return features(state(**{"held": held, "origins": origins(found), "tools": (FOUND,), **given}))


def state(message: Message = MESSAGE, **given: Any) -> State:
    """Build what a run holds of a message."""
    values: dict[str, Any] = {
        "given": VerifyInput(text=message.text),
        "limits": VerifySettings(),
        "message": message,
        "language": "en",
        "text": message.text,
        "preliminary": PRELIMINARY,
        "claims": (),
        "as_of": message.at,
    }
    return State(**{**values, **given})


def own_report(n: int, **given: Any) -> Evidence:
    """Build a page of one publisher with sources of its own."""
    words = ("traders", "lawyers", "engineers", "auditors")[n % 4]
    return evidence(
        f"Monero leaves Binance this month, {n + 3} {words} with desk {n} told us in room {n * 7}.",
        url=f"https://house{n}.example/{n}",
        published="2025-06-04T12:00",
        **given,
    )


OFFICIAL = "https://www.binance.com/en/support/announcement/1"


def official(
    text: str = "Binance will delist Monero on 2025-06-20.", url: str = OFFICIAL, **given: Any
) -> Evidence:
    return evidence(text, url=url, published="2025-06-04T11:00", tier="primary", **given)


def test_origins_are_counted_by_stance_and_not_links() -> None:
    wire = (
        "Binance, the largest exchange, is about to remove the privacy coin Monero from its list "
        "of pairs, a desk note of a market maker says, and holders have until the end of the month."
    )
    copies = [
        evidence(wire + end, url=f"https://paper{n}.example/1", published=f"2025-06-04T0{n}:00")
        for n, end in enumerate(("", " More soon.", " (Agencies)"))
    ]
    found = weigh(
        {
            "supports": [*copies, own_report(1)],
            "contradicts": [own_report(2)],
            "qualifies": [own_report(3)],
            "unrelated": [own_report(0)],
        }
    )
    assert len(found.supports.origins) == 2
    assert len(found.supports.evidence_ids) == 4
    assert len(found.contradicts.origins) == 1
    assert len(found.qualifies.origins) == 1


@pytest.mark.parametrize(
    "flags",
    [
        {"flags": ("satire",)},
        {"tier": "satire"},
        {"flags": ("retraction",)},
        {"flags": ("own_report",)},
    ],
)
@pytest.mark.parametrize("label", ["supports", "contradicts", "qualifies"])
def test_satire_and_what_was_retracted_count_for_nothing(
    flags: dict[str, Any], label: StanceLabel
) -> None:
    found = weigh({label: [own_report(1, **flags)]})
    assert (found.supports, found.contradicts, found.qualifies) == (Side(), Side(), Side())


def test_a_corrected_page_qualifies_at_most() -> None:
    page = own_report(1, flags=("correction",))
    found = weigh({"supports": [page]})
    assert (found.supports, found.qualifies.evidence_ids) == (Side(), (page.id,))
    assert weigh({"contradicts": [page]}).contradicts.evidence_ids == (page.id,)


@pytest.mark.parametrize(
    ("page", "is_primary"),
    [
        (official(), True),
        (official(url="https://www.binance.com/zh-CN/support/announcement/2"), True),
        # A visitor's post on the party's own host.
        (official(url="https://www.binance.com/en/square/post/123"), False),
        # Another's host that looks like it.
        (official(url="https://binance-support.example/announcement/1"), False),
        # An official page of somebody who is no party.
        (official(url="https://www.coinbase.com/blog/monero"), False),
        # What a search showed of it is the party's text as well.
        (official(kind="snippet"), True),
    ],
)
def test_a_primary_is_a_partys_own_page(page: Evidence, is_primary: bool) -> None:
    found = weigh({"supports": [page]})
    assert found.supports.evidence_ids == (page.id,)
    assert bool(found.supports.primary_ids) == is_primary


@pytest.mark.parametrize(
    ("text", "assets", "expected"),
    [
        ("SEC sues Binance over unregistered tokens", (), {"sec", "binance"}),
        ("幣安宣布下架門羅幣", (), {"binance", "monero"}),
        ("币安宣布下架门罗币", (), {"binance", "monero"}),
        ("the stablecoin lost its peg", ("USDC",), {"circle"}),
        ("traders are afraid", (), set[str]()),
    ],
)
def test_parties_are_those_that_are_named_or_meant(
    text: str, assets: tuple[str, ...], expected: set[str]
) -> None:
    message = MESSAGE.model_copy(update={"text": text})
    first = PRELIMINARY.model_copy(update={"asset": "", "assets": assets})
    assert {party.id for party in parties_of(message, first)} == expected


class TestOneOriginOfTwoMinds:
    def test_the_partys_own_page_speaks_for_those_that_relay_it(self) -> None:
        denial = official("Binance said: we will not delist Monero.")
        relay = evidence(
            "According to a statement by Binance, Monero will be delisted.",
            url="https://relay.example/1",
            published="2025-06-04T12:00",
        )
        found = weigh([(denial, "contradicts"), (relay, "qualifies")])
        assert found.contradicts.primary_ids == (denial.id,)
        assert found.qualifies == Side()

    def test_who_takes_the_other_side_of_what_he_cites_is_an_origin(self) -> None:
        denial = official("Binance said: we will not delist Monero.")
        press = evidence(
            "Monero will leave the exchange. Binance said in a statement that it will not.",
            url="https://press.example/1",
            published="2025-06-04T12:00",
        )
        assert len(origins([denial, press])) == 1
        found = weigh([(denial, "contradicts"), (press, "supports")])
        assert (len(found.supports.origins), len(found.contradicts.origins)) == (1, 1)
        assert judge(found).verdict == "contested"

    def test_the_last_word_of_a_house_counts(self) -> None:
        first = evidence(
            "Monero will be delisted.", url="https://one.example/1", published="2025-06-03T09:00"
        )
        then = evidence(
            "The story about Monero was wrong.",
            url="https://one.example/2",
            published="2025-06-04T09:00",
        )
        found = weigh([(first, "supports"), (then, "contradicts")])
        assert (found.supports, found.contradicts.evidence_ids) == (Side(), (then.id,))
        turned = weigh([(first, "contradicts"), (then, "supports")])
        assert (turned.contradicts, turned.supports.evidence_ids) == (Side(), (then.id,))

    def test_a_plain_word_of_a_house_beats_a_qualified_one(self) -> None:
        first = evidence("Monero goes.", url="https://one.example/1", published="2025-06-03T09:00")
        then = evidence("Perhaps so.", url="https://one.example/2", published="2025-06-04T09:00")
        found = weigh([(first, "supports"), (then, "qualifies")])
        assert (found.supports.evidence_ids, found.qualifies) == ((first.id,), Side())

    def test_relays_speak_when_what_they_relay_is_silent(self) -> None:
        silent = official("Notice 4711")
        relay = evidence(
            "According to a statement by Binance, Monero goes.",
            url="https://relay.example/1",
            published="2025-06-04T12:00",
        )
        found = weigh([(silent, "unrelated"), (relay, "supports")])
        assert found.supports.evidence_ids == (relay.id,)
        assert found.supports.primary_ids == ()


RUMOUR = {
    "en": "Traders on several desks whisper that the exchange will remove the privacy coin from all "
    "pairs on June 20 and that withdrawals stay open until the end of September this year",
    "zh": "多家交易台的交易员私下传言，该交易所将于六月二十日从所有交易对中移除这一隐私币，提币通道则会开放到九月底",
    "zh-Hant": "多家交易台的交易員私下傳言，該交易所將於六月二十日從所有交易對中移除這一隱私幣，提幣通道則會開放到九月底",
}


class TestTheMessageItself:
    @pytest.mark.parametrize("language", RUMOUR)
    @pytest.mark.parametrize(
        ("url", "tier", "more", "left_out"),
        [
            ("https://t.me/fastnews/17", "social", "", True),
            ("https://t.me/s/fastnews", "social", " Another post. And one more.", True),
            ("https://copies.example/1", "unknown", "", True),
            ("https://copies.example/1", "aggregator", "!", True),
            # It answers for what it prints: the message is the copy.
            ("https://wire.example/1", "wire", "", False),
            (OFFICIAL, "primary", "", False),
            # Another text.
            ("https://press.example/1", "unknown", " We asked nine people in four houses, and all of "
             "them said that this is so: the pairs go first, then the deposits, then the coin is gone "
             "for good, and nobody there will miss it very much, least of all the lawyers.", False),
        ],
    )  # fmt: skip
    def test_it_does_not_support_itself(
        self, language: str, url: str, tier: Any, more: str, left_out: bool
    ) -> None:
        text = RUMOUR[language]
        message = MESSAGE.model_copy(update={"text": f"Binance: {text}", "language": language})
        page = evidence(text + more, url=url, published="2025-06-05T10:00", tier=tier)
        found = weigh({"supports": [page]}, message=message)
        assert found.own_ids == ((page.id,) if left_out else ())
        assert bool(found.supports.origins) != left_out
        if left_out:
            assert judge(found).waterfall[1].reason == "verify.reason.own_page"

    def test_the_page_of_its_feed_is_the_message_too(self) -> None:
        text = RUMOUR["en"]
        message = MESSAGE.model_copy(
            update={"text": text, "source": "feed:https://blog.example/rss"}
        )
        page = evidence(f"{text} Read on.", url="https://blog.example/1", tier="established")
        assert weigh({"supports": [page]}, message=message).own_ids == (page.id,)
        other = evidence(f"{text} Read on.", url="https://other.example/1", tier="established")
        assert weigh({"supports": [other]}, message=message).own_ids == ()

    def test_short_texts_are_alike_by_chance(self) -> None:
        message = MESSAGE.model_copy(update={"text": "Binance delists Monero"})
        page = evidence("Binance delists Monero", url="https://copies.example/1")
        assert weigh({"supports": [page]}, message=message).own_ids == ()


def failed(tool: str = "search", code: str = "timeout") -> ToolResult:
    error = ToolFailure.model_validate({"code": code, "message": "…"})
    return ToolResult.model_validate(
        {"tool": tool, "source": "tavily", "timestamp": AT, "success": False, "error": error}
    )


def measured(
    bearing: str, why: str = "", *, success: bool = True, tool: str = "price"
) -> ToolResult:
    return ToolResult.model_validate(
        {
            "tool": tool, "source": "coingecko", "timestamp": AT, "success": success,
            "bearing": bearing, "why": why,
        }
    )  # fmt: skip


@pytest.mark.parametrize(
    ("tools", "expected"),
    [
        ((), ("not_searched", "")),
        ((measured("confirms"),), ("not_searched", "")),
        ((FOUND,), ("worked", "")),
        ((failed(), FOUND), ("worked", "")),
        ((failed(), failed(code="rate_limit")), ("failed", "rate limit, timeout")),
        ((failed("price"),), ("not_searched", "")),
    ],
)
def test_a_failed_search_is_not_an_empty_one(
    tools: tuple[ToolResult, ...], expected: tuple[str, str]
) -> None:
    state, why = search_state(tools)
    assert (state, words("en").phrase(why or "")) == expected


@pytest.mark.parametrize(
    ("tools", "expected"),
    [
        ((), ("silent", "")),
        ((measured("silent", "no price"),), ("silent", "")),
        ((measured("confirms", "at $0.87"),), ("confirms", "at $0.87")),
        ((measured("confirms", "a"), measured("contradicts", "b", tool="onchain")), ("contradicts", "b")),
        ((measured("contradicts", "b", success=False),), ("silent", "")),
    ],
)  # fmt: skip
def test_what_the_numbers_say(tools: tuple[ToolResult, ...], expected: tuple[str, str]) -> None:
    bearing, why = numbers_of(tools)
    assert (bearing, words("en").phrase(why or "")) == expected


def past(similarity: float, outcome: Outcome | None = None, run_id: str = "run_1") -> PastEvent:
    return PastEvent(
        run_id=run_id,
        summary=f"summary of {run_id}",
        event_type="delisting",
        asset="XMR",
        verdict="supported",
        confidence=0.7,
        at=AT,
        outcome=outcome,
        similarity=similarity,
    )


def test_memory_is_the_most_alike_whose_outcome_is_known() -> None:
    events = (past(0.5, "true"), past(0.9, "false", "run_2"), past(0.95, None, "run_3"))
    found = weigh({}, memory=events)
    assert (found.memory_similarity, found.memory_confidence) == (0.9, 0.0)
    assert found.memory_reason == "summary of run_2"
    assert weigh({}).memory_confidence is None


def test_an_own_verdict_without_an_outcome_moves_nothing() -> None:
    assert weigh({}, memory=(past(1.0),)) == weigh({})


def test_why_nothing_was_searched_is_kept() -> None:
    found = weigh({}, tools=(), why_stopped=phrase("verify.why.no_claim"))
    assert (found.search, found.search_reason) == ("not_searched", phrase("verify.why.no_claim"))
    assert weigh({}, why_stopped=phrase("verify.why.no_claim")).search_reason is None


def test_relevance_is_the_mean_of_those_that_take_a_side() -> None:
    pages = [
        own_report(n).model_copy(update={"relevance": relevance})
        for n, relevance in enumerate((0.9, 0.5, 0.1))
    ]
    labels: tuple[StanceLabel, ...] = ("supports", "qualifies", "unrelated")
    assert weigh(list(zip(pages, labels, strict=True))).mean_relevance == 0.7


def test_the_age_is_that_of_the_supporting_pages() -> None:
    found = weigh({"supports": [own_report(1)], "contradicts": [own_report(2)]})
    # June 20 is still to come, by the message itself.
    assert found.timeliness.planned
    message = MESSAGE.model_copy(update={"text": "Binance delisted Monero"})
    aged = weigh({"supports": [own_report(1)]}, message=message)
    assert (aged.timeliness.age_hours, aged.timeliness.dated_by) == (22.5, "evidence")


@pytest.mark.parametrize(
    ("claim", "from_today"),
    [
        ("Tether has reserves at the bank", False),
        ("Tether在该银行有储备", False),
        ("Tether在該銀行有儲備", False),
        # A day of a month can be compared without its year.
        ("The model was released on January 20", False),
        ("该模型于1月20日发布", False),
        ("該模型於2025年1月20日發布", False),
        ("Tether froze the funds today", True),
        ("Tether昨天冻结了资金", True),
        ("Tether三天前凍結了資金", True),
        ("Tether froze the funds on Friday", True),
    ],
)
def test_only_a_time_of_its_own_tells_when_a_message_was_said(claim: str, from_today: bool) -> None:
    assert day_told(state(), claim) == (AT.date() if from_today else None)
    known = MESSAGE.model_copy(update={"published_at": AT})
    assert day_told(state(known), claim) == AT.date()
    as_of = VerifyInput(text=claim, as_of=AT)
    assert day_told(state(given=as_of), claim) == AT.date()


@pytest.mark.parametrize(
    ("text", "published_at", "count"),
    [
        # Old news that comes round again, denied when it did.
        ("Binance delisted Monero", AT, 0),
        ("币安下架门罗币", AT, 0),
        ("幣安下架門羅幣", AT, 0),
        # The message says itself that it is old, or nobody knows when it was said.
        ("Binance delisted Monero on 5 February 2024", AT, 1),
        ("币安于2024年2月5日下架门罗币", AT, 1),
        ("幣安於2024年2月5日下架門羅幣", AT, 1),
        ("Binance delisted Monero", None, 1),
    ],
)
def test_old_reports_count_for_what_is_told_as_old(
    text: str, published_at: datetime | None, count: int
) -> None:
    message = MESSAGE.model_copy(update={"text": text, "published_at": published_at})
    old = evidence("Monero left it.", url="https://a.example/1", published="2024-02-06T08:00")
    found = weigh({"supports": [old], "contradicts": [own_report(1)]}, message=message)
    assert (len(found.supports.origins), len(found.contradicts.origins)) == (count, 1)


@pytest.mark.parametrize(
    ("claim", "count"),
    [
        ("Binance will not list Monero", 0),
        ("币安不会上线门罗币", 0),
        ("幣安不會上架門羅幣", 0),
        ("Binance listed Monero", 1),
    ],
)
def test_what_came_later_does_not_deny_a_denial(claim: str, count: int) -> None:
    message = MESSAGE.model_copy(update={"text": claim, "published_at": AT})
    text = "Binance opened to it on 25 February 2026, a year after it had denied that."
    page = evidence(text, url="https://a.example/1", published="2026-02-26T12:00")
    held = Held(evidence=page, list="open", stances=(stance("contradicts", text),))
    found = features(state(message, held=(held,), origins=origins([page]), claims=(claim,)))
    assert len(found.contradicts.origins) == count


def test_what_was_reported_by_then_did_not_come_true_later() -> None:
    message = MESSAGE.model_copy(update={"text": "Binance delisted Monero", "published_at": AT})
    later = evidence(
        "Binance delisted Monero on 9 July 2025.",
        url="https://b.example/1",
        published="2025-07-10T12:00",
    )

    def kinds(*pages: Evidence) -> list[str]:
        held = tuple(
            Held(evidence=page, list="open", stances=(stance("supports", page.document.text),))
            for page in pages
        )
        known = state(message, held=held, origins=origins(pages), tools=(FOUND,))
        context = cast("Context", SimpleNamespace(run_id="verify-1"))
        return [each.kind for each in signal_of(context, known, "deep", None).later]

    assert kinds(later) == ["came_true_later"]
    assert kinds(later, own_report(1)) == []  # too few to call it supported


def test_no_order_changes_anything() -> None:
    pairs: list[tuple[Evidence, StanceLabel]] = [
        (own_report(0), "supports"),
        (own_report(1), "supports"),
        (official(), "supports"),
        (own_report(2), "contradicts"),
    ]
    memory = (past(0.9, "true"), past(0.9, "false", "run_2"))
    tools = (FOUND, failed(), measured("confirms", "a"), measured("confirms", "b"))
    expected = weigh(pairs, memory=memory, tools=tools)
    for order in itertools.permutations(pairs):
        again = weigh(order, memory=memory[::-1], tools=tools[::-1])
        assert again == expected
        assert judge(again) == judge(expected)


def hit(n: int, relevance: float = 0.6, text: str = "Monero leaves.") -> Hit:
    return Hit(
        title=f"Title {n}",
        url=f"https://site{n % 4}.example/{n}",
        content=text,
        score=0.5,
        relevance=relevance,
        provider="tavily",
        rank=n,
    )


def summary(hits: Sequence[Hit], **features: Any) -> dict[str, Any]:
    inputs = Features(**{"preliminary": 0.8, "search": "worked", **features})
    return search_summary(hits, (), inputs)


class TestSearchSummary:
    def test_it_has_the_fields_of_the_contract(self) -> None:
        found = summary([hit(0), hit(4), hit(1)])
        assert list(found) == [
            "results", "source_count", "unique_domains",
            "independent_origins", "multi_source", "official_primary", "official_language",
            "sentiment",
        ]  # fmt: skip
        assert found["results"][0] == {
            "title": "Title 0",
            "source": "site0.example",
            "url": "https://site0.example/0",
            "score": 0.5,
            "relevance": 0.6,
        }
        assert (found["source_count"], found["unique_domains"]) == (3, 2)
        assert found["sentiment"] is None

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("The exchange published an official announcement.", "plain"),
            ("交易所发布官方公告。", "plain"),
            ("交易所發布官方公告。", "plain"),
            ("There is no official statement yet.", "hedged"),
            ("官方否认了这一消息。", "hedged"),
            ("The report is unofficial.", None),
        ],
    )
    def test_official_words_are_a_hint_of_their_own(self, text: str, expected: str | None) -> None:
        found = summary([hit(0, text=text)])
        assert (found["official_language"], found["official_primary"]) == (expected, False)

    def test_moods_are_shares(self) -> None:
        found = summary(
            [hit(0, text="市场恐慌，价格暴跌。"), hit(1, text="Prices recover, a bounce.")]
        )
        assert found["sentiment"] == {"panic": 0.5, "neutral": 0.0, "optimistic": 0.5}

    @pytest.mark.parametrize(
        ("hits", "features", "confidence", "triggered"),
        [
            ([], {}, 0.0, False),
            ([hit(0, 0.6), hit(1, 0.4)], {}, 0.5, False),
            ([hit(n, 0.5) for n in range(5)], {}, 0.55, False),
            ([hit(n, 0.5) for n in range(3)], {"supports": Side(origins=("a", "b", "c"))}, 0.65, True),
            ([hit(n, 0.49) for n in range(3)], {"supports": Side(origins=("a", "b", "c"))}, 0.64, False),
            ([hit(0, 0.5)], {"supports": Side(origins=("a",), primary_ids=("e",))}, 0.6, False),
            ([hit(n, 0.95) for n in range(5)],
             {"supports": Side(origins=("a", "b", "c"), primary_ids=("e",))}, 1.0, True),
        ],
    )  # fmt: skip
    def test_its_confidence_and_whether_it_triggers(
        self, hits: Sequence[Hit], features: dict[str, Any], confidence: float, triggered: bool
    ) -> None:
        found = summary(hits, **features)
        assert search_confidence(found) == confidence
        assert search_triggered(found) is triggered


def test_a_translated_message_is_dated_and_told_by_its_translation() -> None:
    message = MESSAGE.model_copy(update={"text": "去年を振り返る", "language": "ja"})
    given = state(message, text="Looking back: one year ago today Binance delisted Monero")
    assert features(given).timeliness.kind == "retrospective"
