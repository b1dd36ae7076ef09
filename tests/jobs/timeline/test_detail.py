"""What is told of an event besides: sentences around those that tell of it, and no others."""

from __future__ import annotations

import pytest
from test_changes import node
from timeline_pages import read

from groundwire.gather.weighing import cited
from groundwire.jobs.timeline.detail import detail_of
from groundwire.model.result import Sentence

NEWS = {
    "en": [
        "The Velmora Bridge opened to traffic on 12 August 2023.",
        "The Velmora Bridge carries four lanes and cost $840 million.",
        "The crane that fell on 19 November 2021 weighed 90 tonnes.",
        "Two workers of Halden Cranes were hurt.",
    ],
    "zh": [
        "维尔莫拉大桥2023年8月12日正式通车。",
        "维尔莫拉大桥有四条车道，总投资8.4亿美元。",
        "2021年11月19日倒下的吊车重90吨。",
        "事故造成2名工人受伤。",
    ],
    "zh-Hant": [
        "維爾莫拉大橋2023年8月12日正式通車。",
        "維爾莫拉大橋有四條車道，總投資8.4億美元。",
        "2021年11月19日倒下的吊車重90噸。",
        "事故造成2名工人受傷。",
    ],
}  # fmt: skip
NOTES = {
    "en": "We apologise to our readers for this.",
    "zh": "特此更正，并向读者致歉。",
    "zh-Hant": "特此更正，並向讀者致歉。",
}


def facts(sentences: list[str], language: str) -> list[str]:
    """Return the facts of the event that the first sentence tells."""
    gap = " " if language == "en" else ""
    page = read(gap.join(sentences), "2023-08-13")
    first = sentences[0]
    quote = cited(page.evidence, first, 0, len(first))
    told = Sentence(text=first, verdict="supported", citations=(quote,))
    event = node("2023-08-12", first).model_copy(
        update={"description": (told,), "citations": (page.evidence.id,)}
    )
    return [each.text for each in detail_of(event, [page], language).key_features]


@pytest.mark.parametrize("language", NEWS)
def test_what_follows_a_sentence_of_another_time_is_no_fact_of_the_event(language: str) -> None:
    assert facts(NEWS[language], language) == [NEWS[language][1]]


@pytest.mark.parametrize("language", NEWS)
def test_a_note_on_the_text_is_no_fact(language: str) -> None:
    first, second, *_ = NEWS[language]
    assert facts([first, NOTES[language], second], language) == [second]
