"""The model stub answers verify's questions from the prompt alone, in their schemas, or lies."""

from __future__ import annotations

from typing import Any

import pytest
from lab.stubs.faults import Fault, lying
from lab.stubs.models import ModelRequest, compose

from groundwire.jobs.verify import classify_message, decide_tools, translate_message, weigh_message
from groundwire.llm.prompts import load, render
from groundwire.model.source import NumberedPassage
from groundwire.reasoning.question import Question

SEED = "5eed" * 8
PAGES = {
    1: "Nova Bridge said on Tuesday that an attacker had drained $41 million. The team paused it.",
    2: "Nova Bridge denies that $41 million was drained. It calls the post false.",
    3: "It rained in Lisbon. Trams stood still.",
}


def passage(number: int, text: str) -> NumberedPassage:
    return NumberedPassage(
        number=number,
        passage_id=f"p{number}",
        evidence_id=f"e{number}",
        title="A page",
        publisher="P",
        date="2025-06-03",
        language="en",
        tier="trade",
        origin_id=f"o{number}",
        flags=(),
        relevance=0.5,
        text=text,
    )


def answer_of(question: Question[Any, Any], given: Any, fault: Fault | None = None) -> Any:
    """Parse the stub's answer as the question's own output, which refuses a wrong form."""
    rendered = render(load(question.prompt, "en"), question.variables(given, SEED))
    schema = question.output.model_json_schema()
    draft = compose(
        ModelRequest([rendered.user], [rendered.system, rendered.user], None, schema), fault
    )
    assert draft.text is not None
    return question.output.model_validate_json(draft.text)


def decide_input(**more: Any) -> decide_tools.DecideInput:
    values = {"message": "Nova Bridge drained of $41 million", "language": "en"}
    return decide_tools.DecideInput(**{**values, "event_type": "hack", **more})


def weigh_input() -> weigh_message.WeighInput:
    return weigh_message.WeighInput(
        message="Nova Bridge drained of $41 million",
        language="en",
        claims=("An attacker drained $41 million from Nova Bridge",),
        passages=tuple(
            weigh_message.ShownPassage(passage=passage(number, text))
            for number, text in PAGES.items()
        ),
    )


@pytest.mark.parametrize(
    ("text", "profile", "event_type", "asset"),
    [
        ("$NOVA bridge hacked, 41M stolen on-chain", "crypto", "hack", "NOVA"),
        ("某交易所将上线代币（NOVA）", "crypto", "listing", "NOVA"),
        ("某交易所將上線代幣（NOVA）", "crypto", "listing", "NOVA"),
        ("Kelda Foods appoints a new CEO", "general", "personnel", "Kelda Foods"),
        ("Nothing much", "general", "other", "Nothing"),
    ],
)
def test_it_classifies_by_a_few_words(text: str, profile: str, event_type: str, asset: str) -> None:
    given = classify_message.ClassifyInput(message=text, language="en")
    found = answer_of(classify_message.QUESTION, given)
    assert (found.profile, found.event_type, found.assets[0]) == (profile, event_type, asset)
    assert classify_message.QUESTION.fault_of(given, found) is None


def test_it_names_the_allowed_tools_and_gives_keywords() -> None:
    given = decide_input(allowed=("search", "price"))
    found = answer_of(decide_tools.QUESTION, given)
    assert found.tools == ("search", "price")
    assert "Nova Bridge" in found.search_keywords
    assert decide_tools.QUESTION.fault_of(given, found) is None


def test_each_passage_is_weighed_once_by_words_that_stand_there() -> None:
    given = weigh_input()
    found = answer_of(weigh_message.QUESTION, given)
    assert {each.passage: each.stance for each in found.stances} == {
        1: "supports",
        2: "contradicts",
        3: "unrelated",
    }
    assert weigh_message.QUESTION.fault_of(given, found) is None


def test_it_hands_a_message_back_for_a_translation() -> None:
    given = translate_message.TranslateInput(text="Nova Bridge fue vaciado", language="en")
    assert answer_of(translate_message.QUESTION, given).text == "Nova Bridge fue vaciado"


def test_a_liar_is_sure_names_unknown_tools_and_supports_everything() -> None:
    text = classify_message.ClassifyInput(message="Nova hacked", language="en")
    assert answer_of(classify_message.QUESTION, text, lying()).confidence == 1.0
    tools = answer_of(decide_tools.QUESTION, decide_input(allowed=("search",)), lying()).tools
    assert tools == ("shell", "browser", "search")
    stances = answer_of(weigh_message.QUESTION, weigh_input(), lying()).stances
    assert {each.stance for each in stances} == {"supports"}


def test_a_liar_may_write_links_which_every_question_refuses() -> None:
    for question, given in (
        (
            classify_message.QUESTION,
            classify_message.ClassifyInput(message="Nova", language="en"),
        ),
        (decide_tools.QUESTION, decide_input(allowed=("search",))),
        (weigh_message.QUESTION, weigh_input()),
    ):
        found = answer_of(question, given, lying("url"))
        fault = question.fault_of(given, found)
        assert fault is not None and fault.code == "fault.link"
