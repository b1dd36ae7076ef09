"""What a reader who has earned it may change about a check, and what nobody may."""

from __future__ import annotations

import pytest
from tests.evidence.builders import evidence

from groundwire.evidence.citations.checker import check, reviewed

# Page, quote, a right sentence that reading refuses, and a lie that a veto refuses.
CASES = {
    "en": (
        "Orrin's councillors debated until midnight. By 19 votes to 12 they approved the plan for a second tram line, "
        "which the mayor had opposed, but put off the decision on fares until April.",
        "which the mayor had opposed, but put off the decision on fares until April",
        "Councillors have yet to settle what a ride will cost.",
        "Councillors put off the decision on fares until May.",
    ),
    "zh": (
        "诺港市长梁启文周三宣布辞职，称将把更多时间留给家人。",
        "诺港市长梁启文周三宣布辞职，称将把更多时间留给家人",
        "这位市长想多陪陪妻儿。",
        "诺港市长梁启文3月5日宣布辞职。",
    ),
    "zh-Hant": (
        "諾港市長梁啟文週三宣布辭職，稱將把更多時間留給家人。",
        "諾港市長梁啟文週三宣布辭職，稱將把更多時間留給家人",
        "這位市長想多陪陪妻兒。",
        "諾港市長梁啟文3月5日宣布辭職。",
    ),
}


@pytest.mark.parametrize("language", CASES)
def test_a_refusal_by_reading_can_be_lifted_and_a_veto_cannot(language: str) -> None:
    text, quote, right, lie = CASES[language]
    page = evidence(text, url="https://a.example/1")
    passages = {1: (page, page.passages[0])}
    refused = check(right, [(1, quote)], passages)
    assert refused.result == "unsupported"
    assert refused.standing
    lifted = reviewed(refused, carried=True)
    assert lifted.result == "supported"
    assert [each.quote for each in lifted.citations] == [quote]
    assert reviewed(refused, carried=False).result == "unsupported"
    vetoed = check(lie, [(1, quote)], passages)
    assert not vetoed.standing
    assert reviewed(vetoed, carried=True).result == "unsupported"


@pytest.mark.parametrize("language", CASES)
def test_what_passed_is_refused_by_a_second_reading(language: str) -> None:
    text, quote, _, _ = CASES[language]
    page = evidence(text, url="https://a.example/1")
    passed = check(quote, [(1, quote)], {1: (page, page.passages[0])})
    assert passed.result == "supported"
    refused = reviewed(passed, carried=False)
    assert (refused.result, refused.citations) == ("unsupported", ())
    assert [each.code for each in refused.problems] == ["problem.not_carried"]
    assert reviewed(passed, carried=True) == passed
