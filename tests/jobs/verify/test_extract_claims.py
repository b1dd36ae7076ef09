"""The claims of a message by a model: made of its words, and how its exam is scored."""

from __future__ import annotations

import pytest

from groundwire.jobs.verify.extract_claims import MOST, QUESTION, Claims, ClaimsInput
from groundwire.llm.prompts import load, render

EN = (
    "GM everyone! Norvale Bank did not cut 300 jobs on Tuesday, and it will move its head office to"
    " Castelmere. Join our channel for more #banks"
)
ZH = "早上好！诺瓦银行周二没有裁员300人，并将把总部迁往卡斯特城。加群领取更多消息 #银行"
HANT = "早安！諾瓦銀行週二沒有裁員300人，並將把總部遷往卡斯特城。加群領取更多消息 #銀行"


def fault(message: str, *claims: str) -> str | None:
    given = ClaimsInput(message=message, language="en")
    found = QUESTION.fault_of(given, Claims(claims=claims))
    return None if found is None else found.code


@pytest.mark.parametrize(
    ("message", "claims"),
    [
        (EN, ()),
        (EN, ("Norvale Bank did not cut 300 jobs on Tuesday",)),
        (EN, ("Norvale Bank will move its head office to Castelmere",)),  # a subject for "it"
        (EN, ("Norvale Bank is moving its head office to Castelmere",)),  # another form
        (ZH, ("诺瓦银行周二没有裁员300人", "诺瓦银行将把总部迁往卡斯特城")),
        (HANT, ("諾瓦銀行週二沒有裁員300人", "諾瓦銀行將把總部遷往卡斯特城")),
    ],
)
def test_claims_made_of_the_messages_words_stand(message: str, claims: tuple[str, ...]) -> None:
    assert fault(message, *claims) is None


@pytest.mark.parametrize(
    ("message", "claim", "code"),
    [
        (EN, "Norvale Bank did not cut 500 jobs on Tuesday", "fault.claim_figure"),
        (EN, "Norvale Bank did not cut 300 jobs on 4 June 2026", "fault.claim_date"),
        (EN, "Harlow Bank will move its head office to Castelmere", "fault.claim_name"),
        (EN, "Norvale Bank will demolish its head office", "fault.claim_word"),
        (EN, "Norvale Bank cut 300 jobs on Tuesday", "fault.claim_turned"),
        ("Norvale Bank cut 300 jobs", "Norvale Bank did not cut 300 jobs", "fault.claim_turned"),
        (EN, "Norvale Bank https://x.example/ will move", "fault.link"),
        (EN, "  ", "fault.claim_length"),
        (ZH, "诺瓦银行周二没有裁员500人", "fault.claim_figure"),
        (ZH, "诺瓦银行将关闭总部", "fault.claim_word"),
        (ZH, "诺瓦银行周二裁员300人", "fault.claim_turned"),
        (HANT, "諾瓦銀行週二沒有裁員500人", "fault.claim_figure"),
        (HANT, "諾瓦銀行週二裁員300人", "fault.claim_turned"),
    ],
)
def test_what_the_message_does_not_say_is_no_claim_of_it(
    message: str, claim: str, code: str
) -> None:
    assert fault(message, claim) == code


def test_there_are_a_few_claims_each_once() -> None:
    claims = [f"Norvale Bank will move {n}" for n in range(MOST + 1)]
    assert fault(EN, *claims) == "fault.many_claims"
    same = "Norvale Bank will move its head office to Castelmere"
    assert fault(EN, same, same) == "fault.claim_twice"


EXPECT = {
    "claims": [
        "Norvale Bank did not cut 300 jobs on Tuesday",
        "Norvale Bank will move its head office to Castelmere",
    ],
    "never": ["Norvale Bank cut 300 jobs", "Join our channel for more"],
}
FIRST, SECOND = EXPECT["claims"]


def score(*claims: str) -> float:
    assert QUESTION.exam is not None
    given = QUESTION.exam.read({"message": EN, "language": "en", "published_at": "2026-03-04"})
    return QUESTION.exam.score(given, Claims(claims=claims), EXPECT)  # pyright: ignore[reportArgumentType]


def test_right_claims_score_one_and_each_fault_costs() -> None:
    assert score(FIRST, SECOND) == 1.0
    assert 0.4 < score(FIRST) < 0.6  # one is missing
    assert 0.6 < score(FIRST, SECOND, "Everyone moves on Tuesday") < 0.7  # one too many
    assert 0.8 < score(SECOND, FIRST) < 1.0  # the main one does not come first
    assert score(FIRST.replace("did not cut", "cut"), SECOND) < 0.1  # a "not" is lost
    assert score(FIRST.replace("300", "30"), SECOND) <= 0.5
    assert score(FIRST, "Join our channel for more") <= 0.1
    assert score() == 0.0


def test_a_message_without_claims_wants_none() -> None:
    exam = QUESTION.exam
    assert exam is not None
    given = ClaimsInput(message="GM everyone!", language="en")
    assert exam.score(given, Claims(claims=()), {"claims": []}) == 1.0
    assert exam.score(given, Claims(claims=("GM everyone",)), {"claims": []}) == 0.0


@pytest.mark.parametrize("language", ["en", "zh", "zh-Hant"])
def test_the_prompt_shows_the_message_as_data(language: str) -> None:
    given = ClaimsInput(message=EN, language=language, published_at="2026-03-04")
    rendered = render(load(QUESTION.prompt, language), QUESTION.variables(given, "seed"))
    assert "<<data" in rendered.user and "2026-03-04" in rendered.user
