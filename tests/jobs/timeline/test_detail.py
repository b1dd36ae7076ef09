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


LATER = {
    "en": ["The Halden Tunnel was closed on 3 May 2025.", "The Velmora Bridge opened to traffic on 12 August 2023.",
           "The Halden Tunnel cost $90 million and opened to traffic in stages."],
    "zh": ["哈尔登隧道2025年5月3日关闭。", "维尔莫拉大桥2023年8月12日正式通车。", "哈尔登隧道正式通车时总投资9000万美元。"],
    "zh-Hant": ["哈爾登隧道2025年5月3日關閉。", "維爾莫拉大橋2023年8月12日正式通車。",
                "哈爾登隧道正式通車時總投資9000萬美元。"],
}  # fmt: skip


@pytest.mark.parametrize("language", sorted(LATER))
def test_a_page_that_looks_back_on_an_event_adds_no_facts_to_its_news(language: str) -> None:
    gap = " " if language == "en" else ""
    pages = [
        read(gap.join(NEWS[language][:2]), "2023-08-13"),
        read(gap.join(LATER[language]), "2025-05-03"),
    ]
    first = NEWS[language][0]
    quotes = tuple(
        cited(each.evidence, first, at := each.text.index(first), at + len(first)) for each in pages
    )
    told = Sentence(text=first, verdict="supported", citations=quotes)
    event = node("2023-08-12", first).model_copy(
        update={
            "description": (told,),
            "citations": tuple(each.evidence.id for each in pages),
        }
    )
    found = [each.text for each in detail_of(event, pages, language).key_features]
    assert found == [NEWS[language][1]]
