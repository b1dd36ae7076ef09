"""Stances taken without a model, and what is refused in a model's answer."""

from __future__ import annotations

import pytest

from groundwire.errors import NoEvidence
from groundwire.llm.prompts import load, render
from groundwire.model.source import NumberedPassage
from groundwire.reasoning.take_stance import QUESTION, PassageStance, StanceInput, Stances


def passage(
    number: int, text: str, *, flags: tuple[str, ...] = (), date: str = ""
) -> NumberedPassage:
    return NumberedPassage(
        number=number,
        passage_id=f"ps_{number}",
        evidence_id=f"ev_{number}",
        title="",
        publisher="news.example",
        date=date,
        language="en",
        tier="unknown",
        origin_id=f"og_{number}",
        flags=flags,
        relevance=1.0,
        text=text,
    )


GIVEN = StanceInput(
    claim="Norvik Bank closed 12 branches.",
    language="en",
    passages=(
        passage(1, "Norvik Bank closed 12 branches last year."),
        passage(2, "Norvik Bank has not closed any branches, it said."),
        passage(3, "諾維克銀行否認關閉分行。"),
        passage(4, "Norvik Bank closed 12 branches last year.", flags=("satire",)),
        passage(7, "Norvik Bank closed at least 10 branches."),
    ),
)


def taken(*stances: tuple[int, str, str]) -> Stances:
    return Stances.model_validate(
        {"stances": [{"passage": n, "stance": label, "quote": q} for n, label, q in stances]}
    )


def test_without_a_model_every_passage_gets_one_stance_with_its_own_words() -> None:
    answer = QUESTION.embedded(GIVEN)
    labels = {each.passage: each.stance for each in answer.stances}
    assert labels == {
        1: "supports",
        2: "contradicts",
        3: "unrelated",
        4: "unrelated",
        7: "qualifies",
    }
    assert QUESTION.fault_of(GIVEN, answer) is None


def test_a_page_of_the_day_supports_what_the_claim_dates() -> None:
    claim = "On 3 May 2024 Norvik Bank closed 12 branches."
    page = passage(1, "Norvik Bank closed 12 branches.", date="2024-05-03")
    for date, label in (("2024-05-03", "supports"), ("", "qualifies")):
        given = StanceInput(
            claim=claim, language="en", passages=(page.model_copy(update={"date": date}),)
        )
        assert QUESTION.embedded(given).stances[0].stance == label


def test_no_passages_raise() -> None:
    nothing = StanceInput(claim="x", language="en", passages=())
    with pytest.raises(NoEvidence):
        QUESTION.embedded(nothing)
    with pytest.raises(NoEvidence):
        QUESTION.variables(nothing, "seed")


ALL = (
    (1, "supports", "Norvik Bank closed 12 branches"),
    (2, "contradicts", "Norvik Bank has not closed any branches"),
    (3, "contradicts", "诺维克银行否认关闭分行"),  # the other script is the same words
    (4, "unrelated", ""),
    (7, "qualifies", "at least 10 branches"),
)


@pytest.mark.parametrize(
    ("stances", "complaint"),
    [
        (ALL, None),
        (ALL[:4], "passage 7 needs exactly one stance"),
        ((*ALL, ALL[0]), "passage 1 needs exactly one stance"),
        ((*ALL, (9, "unrelated", "")), "there is no passage 9"),
        (((1, "supports", ""), *ALL[1:]), "passage 1 has no quote"),
        (
            ((1, "supports", "Norvik Bank shut 12 branches"), *ALL[1:]),
            "the quote of passage 1 is not in it",
        ),
        # A quote from another passage does not do.
        (
            ((1, "contradicts", "Norvik Bank has not closed any branches"), *ALL[1:]),
            "the quote of passage 1 is not in it",
        ),
    ],
)
def test_a_models_answer_is_refused_by_place(
    stances: tuple[tuple[int, str, str], ...], complaint: str | None
) -> None:
    assert QUESTION.fault_of(GIVEN, taken(*stances)) == complaint


def test_a_stance_that_nobody_knows_is_no_answer() -> None:
    with pytest.raises(ValueError, match="stance"):
        PassageStance.model_validate({"passage": 1, "stance": "agrees", "quote": ""})


@pytest.mark.parametrize("language", ["zh", "zh-Hant", "en"])
def test_the_prompt_holds_the_claim_and_the_passages_as_data(language: str) -> None:
    rendered = render(load(QUESTION.prompt, language), QUESTION.variables(GIVEN, "seed"))
    assert GIVEN.claim in rendered.user
    assert "<<data" in rendered.user
    assert "【7】" in rendered.user
    for label in ("supports", "contradicts", "qualifies", "unrelated"):
        assert f'"{label}"' in rendered.system
