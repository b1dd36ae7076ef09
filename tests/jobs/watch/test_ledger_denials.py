"""A denial before the claim: who claims it after all contests it; who denied it himself tells news."""

from __future__ import annotations

import pytest
from tests.jobs.watch.watch_days import Days, page

_PAIRS = (
    (
        "The regulator has not approved Norvale's merger; a post saying that it did was false.",
        "The regulator approved Norvale's merger.",
    ),
    ("Norvale denied that it had laid off 500 people.", "Norvale laid off 500 people."),
    ("监管部门没有批准Norvale的合并，网传获批系谣言。", "监管部门批准了Norvale的合并。"),
    ("Norvale并未裁员500人，相关传闻不实。", "Norvale裁员500人。"),
    ("監管機關沒有核准Norvale的合併，網傳獲准是謠言。", "監管機關核准了Norvale的合併。"),
    ("Norvale並未裁員500人，相關傳聞不實。", "Norvale裁員500人。"),
)


@pytest.mark.parametrize(("denial", "claim"), _PAIRS)
def test_what_was_denied_before_is_contested_by_who_claims_it(denial: str, claim: str) -> None:
    days = Days()
    days.look(1, page("a", 1, denial))
    assert [kind for kind, *_ in days.look(2, page("b", 2, claim))] == ["contested"]
    assert [state for state, _ in days.states] == ["contested"]


@pytest.mark.parametrize(("denial", "claim"), _PAIRS)
def test_who_denied_it_and_now_tells_it_has_news(denial: str, claim: str) -> None:
    days = Days()
    days.look(1, page("a", 1, denial))
    assert [kind for kind, *_ in days.look(9, page("a", 9, claim))] == ["new"]


@pytest.mark.parametrize(("denial", "claim"), _PAIRS)
def test_a_denial_repeated_elsewhere_is_confirmed(denial: str, claim: str) -> None:
    days = Days()
    days.look(1, page("a", 1, denial))
    again = days.look(2, page("b", 2, f"{denial} 2026."))
    assert [kind for kind, *_ in again] in ([], ["confirmed"])
    assert [state for state, _ in days.states] == ["standing"]


@pytest.mark.parametrize(("denial", "claim"), _PAIRS)
def test_a_denial_stands_beside_values_of_other_kinds(denial: str, claim: str) -> None:
    days = Days()
    days.look(1, page("a", 1, denial))
    for other in (
        "Norvale's service is down.",
        "Norvale will open on 9 October.",
        "Norvale营收5亿元。",
    ):
        days.look(2, page("c", 2, other))
    assert ("contested", "denied") in {
        (kind, reason) for kind, reason, *_ in days.look(3, page("b", 3, claim))
    }
