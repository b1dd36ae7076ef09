"""Every row of the contract's table, how the rows meet, and what holds for any features."""

from __future__ import annotations

import itertools
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.jobs.verify.confidence import VERSION, action_of, judge
from groundwire.jobs.verify.feature_types import Features, Judgement, Side, Timeliness
from groundwire.jobs.verify.signal import Preliminary
from groundwire.model.outcome import Calibration
from groundwire.model.result import WaterfallRow
from groundwire.words import words

NOW = datetime(2025, 6, 1, tzinfo=UTC)


def side(origins: int, primaries: int = 0, prefix: str = "s") -> Side:
    ids = tuple(f"ev_{prefix}{n}" for n in range(origins))
    return Side(
        origins=tuple(f"or_{prefix}{n}" for n in range(origins)),
        evidence_ids=ids,
        primary_ids=ids[:primaries],
    )


def features(**given_: Any) -> Features:
    """Build features of a successful search on a message of first impression 0.80, with these changes."""
    return Features(**{"preliminary": 0.8, "search": "worked", **given_})


def rows(found: Judgement) -> list[tuple[str, float]]:
    return [(row.rule, row.delta) for row in found.waterfall]


def old(hours: float | None, **given_: Any) -> Timeliness:
    by = "nobody" if hours is None else "evidence"
    return Timeliness(**{"age_hours": hours, "dated_by": by, "reason": "2025-06-01", **given_})


def calibration(*steps: tuple[float, float], samples: int = 30) -> Calibration:
    return Calibration(
        fitted_at=NOW,
        samples=samples,
        scores=tuple(left for left, _ in steps),
        values=tuple(value for _, value in steps),
    )


S, C, Q = "supports", "contradicts", "qualifies"
TABLE: list[tuple[str, dict[str, Any], list[tuple[str, float]], str, tuple[str, ...]]] = [
    ("0", {"search": "not_searched"}, [("not_searched", 0)], "unverified", ("not_searched",)),
    (
        "1",
        {"search": "failed"},
        [("search_failed", 0)],
        "unverified",
        ("search_failed", "data_incomplete"),
    ),
    (
        "2",
        {C: side(1, 1, "c")},
        [("primary_contradicts", 0), ("cap", -0.6)],
        "contradicted",
        ("confidence_low",),
    ),
    (
        "3",
        {S: side(1), C: side(1, 0, "c")},
        [("contested", -0.2)],
        "contested",
        ("data_incomplete",),
    ),
    (
        "3, primaries on both sides",
        {S: side(1, 1), C: side(1, 1, "c")},
        [("contested", -0.2)],
        "contested",
        ("data_incomplete",),
    ),
    (
        "3, a denial against the press",
        {S: side(4), C: side(1, 1, "c")},
        [("contested", -0.2)],
        "contested",
        ("data_incomplete",),
    ),
    (
        "4",
        {C: side(2, 0, "c")},
        [("only_contradicting", -0.3), ("cap", -0.15)],
        "contradicted",
        ("confidence_low",),
    ),
    (
        "4, below its cap",
        {C: side(2, 0, "c"), "preliminary": 0.5},
        [("only_contradicting", -0.3)],
        "contradicted",
        ("confidence_low",),
    ),
    (
        "5",
        {S: side(3, 1), "mean_relevance": 0.6},
        [("multi_source_official", 0.18)],
        "supported",
        (),
    ),
    ("6", {S: side(1, 1), "mean_relevance": 0.6}, [("official_primary", 0.1)], "supported", ()),
    ("6, and one more", {S: side(2, 1)}, [("official_primary", 0.1)], "supported", ()),
    ("7", {S: side(3), "mean_relevance": 0.61}, [("multi_source", 0.0805)], "supported", ()),
    ("7a", {"numbers": "confirms"}, [("numbers_confirm", 0.1)], "supported", ()),
    ("7b", {Q: side(2, 0, "q")}, [("only_qualifying", -0.1)], "qualified", ()),
    ("8", {S: side(2)}, [("under_threshold", -0.1)], "insufficient", ()),
    ("9", {S: side(1)}, [("single_source", -0.15)], "insufficient", ("single_source",)),
    ("10", {}, [("no_evidence", -0.2)], "insufficient", ("no_evidence",)),
]


@pytest.mark.parametrize(
    ("given_", "expected", "verdict", "flags"),
    [row[1:] for row in TABLE],
    ids=[row[0] for row in TABLE],
)
def test_each_row_of_the_table(
    given_: dict[str, Any],
    expected: list[tuple[str, float]],
    verdict: str,
    flags: tuple[str, ...],
) -> None:
    case = features(**given_)
    found = judge(case)
    assert rows(found) == [("preliminary", case.preliminary), *expected]
    assert (found.verdict, found.risk_flags) == (verdict, flags)
    assert found.confidence == pytest.approx(sum(row.delta for row in found.waterfall), abs=1e-9)
    assert found.version == VERSION


# Who comes first when two rows could apply.
FIRST = [
    ("not searched, and yet a denial", {"search": "not_searched", C: side(1, 1)}, "not_searched"),
    ("not searched, but measured", {"search": "not_searched", "numbers": "confirms"}, "numbers_confirm"),
    ("a failed search, though measured", {"search": "failed", "numbers": "confirms"}, "search_failed"),
    ("a failed search with a denial", {"search": "failed", C: side(1, 1)}, "search_failed"),
    ("a denial, and numbers for it", {C: side(1, 1), "numbers": "confirms"}, "primary_contradicts"),
    ("both sides, and numbers for it", {S: side(1), C: side(1), "numbers": "confirms"}, "contested"),
    ("a denial and parts of it", {C: side(1, 1), Q: side(3)}, "primary_contradicts"),
    ("others deny, others tell a part", {C: side(1), Q: side(3)}, "only_contradicting"),
    ("three, and parts", {S: side(3), Q: side(2)}, "multi_source"),
    ("three, and numbers", {S: side(3), "numbers": "confirms"}, "multi_source"),
    ("a party, and numbers", {S: side(1, 1), "numbers": "confirms"}, "official_primary"),
    ("two, and numbers", {S: side(2), "numbers": "confirms"}, "numbers_confirm"),
    ("parts, and numbers", {Q: side(2), "numbers": "confirms"}, "numbers_confirm"),
    ("two, and parts", {S: side(2), Q: side(2)}, "under_threshold"),
    ("one, and parts", {S: side(1), Q: side(2)}, "single_source"),
    ("two are enough", {S: side(2), "multi_source_threshold": 2}, "multi_source"),
    ("one is enough", {S: side(1), "multi_source_threshold": 1}, "multi_source"),
    ("none is never enough", {"multi_source_threshold": 0}, "no_evidence"),
    ("four of five", {S: side(4), "multi_source_threshold": 5}, "under_threshold"),
]  # fmt: skip


@pytest.mark.parametrize(("given_", "rule"), [row[1:] for row in FIRST], ids=[r[0] for r in FIRST])
def test_the_first_match_wins(given_: dict[str, Any], rule: str) -> None:
    assert judge(features(**given_)).waterfall[1].rule == rule


MEMORY = {"memory_similarity": 0.9}


@pytest.mark.parametrize(
    ("ended", "similarity", "delta"),
    [
        (0.95, 0.9, 0.1),  # from 0.60, by at most a tenth
        (0.65, 0.9, 0.05),
        (0.6, 0.9, 0.0),
        (0.52, 0.9, -0.08),
        (0.0, 0.9, -0.1),
        (0.95, 0.8, None),  # not above the limit
        (None, 0.9, None),  # how it ended is not known
    ],
)
def test_memory_moves_towards_how_it_ended(
    ended: float | None, similarity: float, delta: float | None
) -> None:
    found = judge(features(memory_confidence=ended, memory_similarity=similarity))
    expected = [] if delta is None else [("memory", delta)]
    assert rows(found)[2:] == expected


@pytest.mark.parametrize(
    ("given_", "cap"),
    [
        ({C: side(1, 1)}, 0.2),
        ({C: side(2)}, 0.35),
        ({"search": "failed"}, 0.8),
    ],
)
def test_a_cap_holds_to_the_end(given_: dict[str, Any], cap: float) -> None:
    """Neither memory nor calibration lifts a score above it."""
    found = judge(
        features(
            **given_,
            **MEMORY,
            memory_confidence=1.0,
            calibration=calibration((0.0, 0.9)),
        )
    )
    assert found.confidence == cap
    assert ("memory", 0.1) in rows(found)
    assert rows(found)[-2:] == [("cap", -0.1), ("calibration", 0.0)]


def test_a_cap_does_not_lift_what_is_below_it() -> None:
    assert judge(features(preliminary=0.1, **{C: side(1, 1)})).confidence == 0.1


@pytest.mark.parametrize(
    ("hours", "delta", "verdict", "flags"),
    [
        (0.0, 0.0, "supported", ()),
        (0.99, 0.0, "supported", ()),
        (1.0, -0.1, "supported", ()),
        (3.0, -0.1, "supported", ()),
        (3.01, -0.15, "supported", ()),
        (24.0, -0.15, "supported", ()),
        (24.01, -0.2, "stale", ("stale_event",)),
        (9000.0, -0.2, "stale", ("stale_event",)),
    ],
)
def test_the_age_of_the_event(
    hours: float, delta: float, verdict: str, flags: tuple[str, ...]
) -> None:
    found = judge(features(**{S: side(1, 1)}, timeliness=old(hours)))
    assert rows(found)[2:] == [("timeliness", delta)]
    assert (found.verdict, found.risk_flags) == (verdict, flags)


@pytest.mark.parametrize(
    ("days", "delta", "verdict"),
    [(0, 0.0, "supported"), (1, -0.15, "supported"), (2, -0.2, "stale"), (400, -0.2, "stale")],
)
@pytest.mark.parametrize("coarse", [False, True])
def test_an_age_in_days_costs_by_days(
    days: int, delta: float, verdict: str, *, coarse: bool
) -> None:
    # Whatever the hours are between two moments that stand for their days.
    for hours in (0.0, 41.0):
        found = judge(features(**{S: side(1, 1)}, timeliness=old(hours, days=days, coarse=coarse)))
        assert rows(found)[2:] == [("timeliness", delta)]
        assert (found.verdict, "stale_event" in found.risk_flags) == (verdict, verdict == "stale")


@pytest.mark.parametrize("kind", ["retrospective", "opinion"])
def test_what_is_no_news_loses_most_and_only_once(kind: str) -> None:
    aged = judge(features(**{S: side(1, 1)}, timeliness=old(9000, kind=kind)))
    undated = judge(features(**{S: side(1, 1)}, timeliness=old(None, kind=kind)))
    assert rows(aged)[2:] == rows(undated)[2:] == [("timeliness", -0.4)]
    assert aged.verdict == undated.verdict == "stale"
    assert aged.risk_flags == ("stale_event", "analysis_not_news")
    assert undated.risk_flags == ("analysis_not_news",)


@pytest.mark.parametrize(
    ("given_", "verdict"),
    [
        ({S: side(3)}, "stale"),
        ({S: side(1)}, "stale"),
        # what nobody reports is nobody's old news
        ({Q: side(1)}, "qualified"),
        ({}, "insufficient"),
        ({C: side(1, 1)}, "contradicted"),
        ({C: side(2)}, "contradicted"),
        ({S: side(1), C: side(1)}, "contested"),
        ({"search": "failed"}, "unverified"),
    ],
)
def test_stale_replaces_what_was_not_decided_against(given_: dict[str, Any], verdict: str) -> None:
    found = judge(features(**given_, timeliness=old(100)))
    assert found.verdict == verdict
    assert "stale_event" in found.risk_flags
    assert ("timeliness", -0.2) in rows(found)


def test_a_message_that_dates_the_event_itself_sells_nothing_as_new() -> None:
    found = judge(features(**{S: side(3)}, timeliness=old(100, admitted=True)))
    assert (found.verdict, found.risk_flags) == ("supported", ("stale_event",))
    assert ("timeliness", -0.2) in rows(found)


@pytest.mark.parametrize(
    ("time", "delta"),
    [
        (old(100), None),  # others date it: nobody was asked
        (old(100, dated_by="message"), -0.2),
        (old(None, kind="opinion"), None),
        (old(None, kind="retrospective", dated_by="message"), -0.4),
    ],
)
def test_unsearched_only_the_messages_own_date_counts(
    time: Timeliness, delta: float | None
) -> None:
    found = judge(features(search="not_searched", timeliness=time))
    assert [row.delta for row in found.waterfall if row.rule == "timeliness"] == (
        [] if delta is None else [delta]
    )
    assert found.verdict == "unverified"


def test_numbers_that_contradict() -> None:
    found = judge(features(**{S: side(3, 1)}, numbers="contradicts", numbers_reason="at $0.9998"))
    assert rows(found)[2:] == [("data_conflict", -0.25)]
    assert found.verdict == "supported"
    assert found.risk_flags == ("data_conflict",)
    assert found.waterfall[-1].params["why"]["code"] == "at $0.9998"


@pytest.mark.parametrize(
    ("given_", "expected", "confidence"),
    [
        ({"preliminary": 0.95, S: side(3, 1), "mean_relevance": 1.0}, ("clamp", -0.15), 1.0),
        ({"preliminary": 0.1}, ("clamp", 0.1), 0.0),
        (
            {"preliminary": 0.1, "numbers": "contradicts", "timeliness": old(100)},
            ("clamp", 0.55),
            0.0,
        ),
    ],
)
def test_clamps_are_rows(
    given_: dict[str, Any], expected: tuple[str, float], confidence: float
) -> None:
    found = judge(features(**given_))
    assert rows(found)[-1] == expected
    assert found.confidence == confidence


def test_everything_at_once_in_order() -> None:
    found = judge(
        features(
            **{C: side(2)},
            **MEMORY,
            memory_confidence=0.9,
            timeliness=old(5),
            numbers="contradicts",
            calibration=calibration((0.0, 0.05), (0.3, 0.5)),
        )
    )
    assert rows(found) == [
        ("preliminary", 0.8),
        ("only_contradicting", -0.3),
        ("cap", -0.15),
        ("memory", 0.1),
        ("cap", -0.1),
        ("timeliness", -0.15),
        ("data_conflict", -0.25),
        ("clamp", 0.05),
        ("calibration", 0.05),
    ]
    assert found.risk_flags == ("data_conflict", "confidence_low")


@pytest.mark.parametrize(
    ("preliminary", "steps", "samples", "delta"),
    [
        (0.8, ((0.0, 0.1), (0.5, 0.55), (0.7, 0.9)), 30, -0.05),  # 0.60 was worth 0.55
        (0.8, ((0.65, 0.7),), 30, 0.1),  # below the first step the first holds
        (0.8, ((0.6, 0.62),), 30, 0.02),  # a step begins at its left end
        (0.8, ((0.0, 0.1),), 29, None),
        (0.8, (), 30, 0.0),
    ],
)
def test_calibration_is_the_last_row(
    preliminary: float,
    steps: tuple[tuple[float, float], ...],
    samples: int,
    delta: float | None,
) -> None:
    found = judge(
        features(preliminary=preliminary, calibration=calibration(*steps, samples=samples))
    )
    assert rows(found)[2:] == ([] if delta is None else [("calibration", delta)])


def test_low_is_said_of_the_last_value() -> None:
    lifted = judge(features(preliminary=0.5, calibration=calibration((0.0, 0.6))))
    lowered = judge(features(**{S: side(3, 1)}, calibration=calibration((0.0, 0.3))))
    assert "confidence_low" not in lifted.risk_flags
    assert lowered.risk_flags == ("confidence_low",)
    assert judge(features(preliminary=0.6)).confidence == 0.4
    assert "confidence_low" not in judge(features(preliminary=0.6)).risk_flags
    assert "confidence_low" in judge(features(preliminary=0.5999)).risk_flags


def preliminary(**given_: Any) -> Preliminary:
    return Preliminary(
        **{
            "profile": "crypto",
            "event_type": "hack",
            "action": "sell",
            "confidence": 0.8,
            "summary": "…",
            **given_,
        }
    )


@pytest.mark.parametrize(
    ("given_", "first", "action"),
    [
        ({S: side(3, 1)}, {}, "sell"),
        ({S: side(3)}, {"action": "buy"}, "buy"),
        ({Q: side(1)}, {}, "sell"),
        ({S: side(3, 1)}, {"profile": "general"}, "observe"),
        ({S: side(3, 1)}, {"action": "observe"}, "observe"),
        ({S: side(2)}, {}, "observe"),
        ({}, {}, "observe"),
        ({"search": "failed"}, {}, "observe"),
        ({"search": "not_searched"}, {}, "observe"),
        ({C: side(1, 1)}, {}, "observe"),
        ({S: side(1), C: side(1)}, {}, "observe"),
        ({S: side(3), "timeliness": old(100)}, {}, "observe"),
        ({S: side(3), "preliminary": 0.3}, {}, "observe"),  # supported, but under 0.40
    ],
)
def test_the_action_is_taken_only_where_the_judgement_carries_it(
    given_: dict[str, Any], first: dict[str, Any], action: str
) -> None:
    assert action_of(judge(features(**given_)), preliminary(**first)) == action


LANGUAGES = ("en", "zh", "zh-Hant")
REASONS = [
    ({"search": "not_searched", "search_reason": "macro"}, 1, "nothing was searched: macro",
     "没有进行搜索：macro", "沒有進行搜尋：macro"),
    ({"search": "failed", "search_reason": "timeout"}, 1,
     "every search failed, which says nothing of the message: timeout",
     "所有搜索都失败了，这说明不了消息的真假：timeout", "所有搜尋都失敗了，這說明不了訊息的真假：timeout"),
    ({S: side(1), C: side(2)}, 1, "independent origins on both sides: 1 supports, 2 contradict",
     "正反双方都有独立来源：1个支持，2个反驳", "正反雙方都有獨立來源：1個支持，2個反駁"),
    ({S: side(2)}, 1, "2 independent origins support it, fewer than the 3 that are asked for",
     "2个独立来源支持，少于要求的3个", "2個獨立來源支持，少於要求的3個"),
    ({C: side(1, 1)}, 2, "may not exceed 0.20 with this verdict", "在此结论下不得超过0.20",
     "在此結論下不得超過0.20"),
    ({"own_ids": ("ev_1",)}, 1,
     "the search worked, and nothing that was found supports it; a page that is the message itself is not counted",
     "搜索正常，但没有找到任何支持的内容；消息本身所在的页面不计入",
     "搜尋正常，但沒有找到任何支持的內容；訊息本身所在的頁面不計入"),
    ({"timeliness": old(100)}, 2, "the event was at least 4 days old (by what was found: “2025-06-01”)",
     "事件至少已过4天（据查到的内容：“2025-06-01”）", "事件至少已過4天（據查到的內容：「2025-06-01」）"),
    ({"timeliness": old(5, dated_by="message", reason="今早")}, 2,
     "the event was at least 5 hours old (by the message: “今早”)",
     "事件至少已过5小时（据消息：“今早”）", "事件至少已過5小時（據訊息：「今早」）"),
    ({"timeliness": old(1.5)}, 2, "the event was at least 1 hour old (by what was found: “2025-06-01”)",
     "事件至少已过1小时（据查到的内容：“2025-06-01”）", "事件至少已過1小時（據查到的內容：「2025-06-01」）"),
    ({"timeliness": old(10, days=1, coarse=True, dated_by="message", reason="last month")}, 2,
     "the event was at least 1 day old (by the message: “last month”)",
     "事件至少已过1天（据消息：“last month”）", "事件至少已過1天（據訊息：「last month」）"),
    ({"timeliness": old(0, days=0, coarse=True, dated_by="message", reason="this week")}, 2,
     "the event was within the time that is named, which gives no day (by the message: “this week”)",
     "事件发生在所说的时段之内，未说明是哪一天（据消息：“this week”）",
     "事件發生在所說的時段之內，未說明是哪一天（據訊息：「this week」）"),
    ({Q: side(1)}, 1, "the sources say only a part of it, or give estimates: 1 origin",
     "各来源只说到一部分，或只是估计：1个独立来源", "各來源只說到一部分，或只是估計：1個獨立來源"),
    ({S: side(1), "multi_source_threshold": 1}, 1,
     "1 independent origin supports it, none of them a party to the event; mean relevance 0.00",
     "1个独立来源支持，均非事件当事方；平均相关度0.00", "1個獨立來源支持，均非事件當事方；平均相關度0.00"),
    ({"timeliness": old(0, dated_by="message", planned=True, reason="tomorrow")}, 2,
     "the event is still to come: “tomorrow”", "事件尚未发生：“tomorrow”", "事件尚未發生：「tomorrow」"),
    ({"memory_similarity": 0.91, "memory_confidence": 0.6, "memory_reason": "USDC 脱锚"}, 2,
     "a past event like it (similarity 0.91) ended at 0.60: USDC 脱锚",
     "相似的过往事件（相似度0.91）最终为0.60：USDC 脱锚", "相似的過往事件（相似度0.91）最終為0.60：USDC 脱锚"),
    ({"calibration": calibration((0.0, 0.5), samples=41)}, 2,
     "calibrated on 41 signals with a known outcome, 2025-06-01", "按41条已知结果的信号校准，2025-06-01",
     "依41個已知結果的訊號校準，2025-06-01"),
]  # fmt: skip


@pytest.mark.parametrize(("given_", "at", "en", "zh", "hant"), REASONS)
def test_reasons_are_in_the_desks_language(
    given_: dict[str, Any], at: int, en: str, zh: str, hant: str
) -> None:
    case = features(**given_)
    row = judge(case).waterfall[at]
    texts = [words(language)(row.reason, **row.params) for language in LANGUAGES]
    assert texts == [en, zh, hant]


def test_rows_name_the_evidence_that_they_rest_on() -> None:
    found = judge(
        features(**{S: side(2, 1), C: side(1, 0, "c")}, timeliness=old(5, evidence_ids=("ev_s0",)))
    )
    by_rule = {row.rule: row.evidence_ids for row in found.waterfall}
    assert by_rule["contested"] == ("ev_c0", "ev_s0", "ev_s1")
    assert by_rule["timeliness"] == ("ev_s0",)
    denied = judge(features(**{C: side(3, 1, "c")}))
    assert {row.evidence_ids for row in denied.waterfall[1:]} == {("ev_c0",)}


def test_a_verdict_that_rests_on_snippets_alone_says_so() -> None:
    denied = {C: side(2, 0, "c")}
    only = judge(features(**denied, snippet_ids=("ev_c0", "ev_c1")))
    some = judge(features(**denied, snippet_ids=("ev_c0",)))
    assert only.verdict == some.verdict == "contradicted"
    assert "snippets_only" in only.risk_flags
    assert "snippets_only" not in some.risk_flags


# Anything at all.
share = st.floats(0, 1)
any_sides = st.builds(
    lambda n, p, prefix: side(n, min(n, p), prefix),
    st.integers(0, 6), st.integers(0, 3), st.sampled_from("abc"),
)  # fmt: skip
times = st.builds(
    Timeliness,
    age_hours=st.none() | st.floats(0, 1e5),
    kind=st.sampled_from(["news", "retrospective", "opinion"]),
    dated_by=st.sampled_from(["message", "evidence", "nobody"]),
    planned=st.just(False),
    reason=st.text(max_size=8),
)
calibrations = st.builds(
    lambda scores, values, samples: calibration(
        *zip(sorted(scores), sorted(values), strict=False), samples=samples
    ),
    st.lists(share, min_size=1, max_size=5), st.lists(share, min_size=1, max_size=5),
    st.integers(0, 90),
)  # fmt: skip
anything = st.builds(
    Features,
    preliminary=share,
    search=st.sampled_from(["not_searched", "failed", "worked"]),
    search_reason=st.text(max_size=8),
    supports=any_sides,
    contradicts=any_sides,
    qualifies=any_sides,
    own_ids=st.sampled_from([(), ("ev_own",)]),
    multi_source_threshold=st.integers(0, 6),
    mean_relevance=share,
    numbers=st.sampled_from(["confirms", "contradicts", "silent"]),
    numbers_reason=st.text(max_size=8),
    memory_similarity=share,
    memory_confidence=st.none() | share,
    memory_reason=st.text(max_size=8),
    timeliness=times,
    calibration=st.none() | calibrations,
)
CORROBORATION = {
    "not_searched", "search_failed", "primary_contradicts", "contested", "only_contradicting",
    "multi_source_official", "official_primary", "multi_source", "numbers_confirm",
    "only_qualifying", "under_threshold", "single_source", "no_evidence",
}  # fmt: skip
CAPS = {"primary_contradicts": 0.2, "only_contradicting": 0.35}


def caps_of(case: Features, waterfall: tuple[WaterfallRow, ...]) -> float:
    rule = waterfall[1].rule
    return waterfall[0].delta if rule == "search_failed" else CAPS.get(rule, 1.0)


@settings(max_examples=600, deadline=None, derandomize=True)
@given(case=anything)
def test_whatever_is_given_the_rows_make_the_score(case: Features) -> None:
    found = judge(case)
    rules = [row.rule for row in found.waterfall]
    assert 0 <= found.confidence <= 1
    assert abs(sum(row.delta for row in found.waterfall) - found.confidence) < 1e-9
    assert round(found.confidence, 4) == found.confidence
    assert all(round(row.delta, 4) == row.delta for row in found.waterfall)
    assert rules[0] == "preliminary"
    assert [rule for rule in rules if rule in CORROBORATION] == [rules[1]]
    once = ("memory", "timeliness", "data_conflict", "clamp", "calibration")
    assert all(rules.count(rule) <= 1 for rule in once)
    order = [once.index(rule) for rule in rules if rule in once]
    assert order == sorted(order)
    cap = caps_of(case, found.waterfall)
    assert found.confidence <= cap
    # Once it holds, no step shows a score above it; every second value follows a rise by memory.
    running = list(itertools.accumulate(row.delta for row in found.waterfall))
    assert all(
        value <= cap + 1e-9
        for at, value in enumerate(running)
        if at > 1 and rules[at] != "memory" and (rules[1] in CAPS or cap < 1)
    )
    assert ("confidence_low" in found.risk_flags) == (found.confidence < 0.4)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(case=anything)
def test_every_reason_has_words_and_is_the_same_twice(case: Features) -> None:
    found = judge(case)
    assert found == judge(case)
    for row in found.waterfall:
        assert words("zh").has(row.reason)
        assert "{" not in words("en")(row.reason, **{**row.params, "mark": ""})


@settings(max_examples=300, deadline=None, derandomize=True)
@given(case=anything, more=st.integers(1, 3), step=share)
def test_more_support_and_a_better_impression_never_lower_a_score(
    case: Features, more: int, step: float
) -> None:
    """As far as the contract goes: nobody contradicts, and a calibration never falls."""
    case = case.model_copy(update={"contradicts": Side(), "numbers": "silent"})
    behind = case.supports
    if behind.origins or not case.qualifies.origins:
        # From parts alone to one that says all of it, the contract takes more off (7b, 9).
        larger = side(len(behind.origins) + more, len(behind.primary_ids))
        assert judge(case).confidence <= (
            judge(case.model_copy(update={"supports": larger})).confidence
        )
    higher = min(1.0, case.preliminary + step)
    better = judge(case.model_copy(update={"preliminary": higher}))
    assert judge(case).confidence <= better.confidence


@settings(max_examples=200, deadline=None, derandomize=True)
@given(case=anything)
def test_an_error_is_never_a_verdict(case: Features) -> None:
    """Law 4: with every search failed nothing is decided, whatever else is there."""
    found = judge(case.model_copy(update={"search": "failed"}))
    assert found.verdict == "unverified"
    assert {"search_failed", "data_incomplete"} <= set(found.risk_flags)
    assert action_of(found, preliminary()) == "observe"
