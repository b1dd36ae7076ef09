"""What passages say of claims: the form of an answer, the exam, and pages that were not read."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from tests.evidence.builders import evidence

from groundwire.jobs.verify.stances import keep_to_sides, sides_taken
from groundwire.jobs.verify.types import Held
from groundwire.jobs.verify.weigh_message import (
    QUESTION,
    Weighed,
    Weighing,
    WeighInput,
    shown_passage,
)
from groundwire.llm.prompts import load, render
from groundwire.model.base import JsonObject
from groundwire.model.stance import SILENT, StanceLabel

ITEM: JsonObject = {
    "message": "Norvale's council did NOT pass the congestion charge on Tuesday, and the mayor resigned",
    "said_at": "2026-03-04T09:00Z",
    "language": "en",
    "claims": [
        "Norvale's council did not pass the congestion charge on Tuesday",
        "The mayor of Norvale resigned",
    ],
    "pages": [
        {
            "title": "Charge falls",
            "publisher": "Norvale Courier",
            "published": "2026-03-04",
            "language": "en",
            "text": "Norvale's council did not pass the congestion charge on Tuesday. The mayor of Norvale resigned.",
        },
        {
            "title": "Drivers to pay",
            "publisher": "Harbour Wire",
            "published": "",
            "language": "en",
            "text": "Norvale's council passed the congestion charge on Tuesday.",
        },
    ],
}
EXPECT: JsonObject = {
    "stances": [
        {"page": 1, "claim": 1, "stance": "supports"},
        {"page": 1, "claim": 2, "stance": "supports"},
        {"page": 2, "claim": 1, "stance": "contradicts"},
        {"page": 2, "claim": 2, "stance": "unrelated"},
    ]
}


def item() -> WeighInput:
    assert QUESTION.exam is not None
    return QUESTION.exam.read(ITEM)


def said(passage: int, claim: int, stance: StanceLabel, quote: str | None = None) -> Weighed:
    text = "Norvale's council" if quote is None else quote
    return Weighed(passage=passage, claim=claim, stance=stance, quote=text)


RIGHT = (said(1, 1, "supports"), said(1, 2, "supports"), said(2, 1, "contradicts"))


def score(*stances: Weighed) -> float:
    assert QUESTION.exam is not None
    return QUESTION.exam.score(item(), Weighing(stances=stances), EXPECT)


def test_the_exam_counts_right_stances_and_takes_away_for_a_wrong_side() -> None:
    assert score(*RIGHT) == 1.0
    assert score(*RIGHT[:2]) == 0.75
    assert score(RIGHT[0], RIGHT[1], said(2, 1, "supports")) == 0.5
    assert score(said(1, 1, "contradicts"), said(1, 2, "contradicts"), said(2, 1, "supports")) == 0


def test_the_embedded_reader_sits_the_same_exam() -> None:
    given = item()
    found = QUESTION.embedded(given)
    assert found.towards(1, 1) is not None and found.towards(2, 1) is not None
    assert score(*found.stances) >= 0.5


@pytest.mark.parametrize(
    ("stances", "code"),
    [
        (RIGHT, None),
        ((*RIGHT, said(2, 2, "unrelated", "")), None),
        (RIGHT[:2], "fault.one_stance"),  # of the second passage nothing is said
        ((*RIGHT, said(3, 1, "supports")), "fault.no_passage"),
        ((*RIGHT, said(2, 3, "supports")), "fault.no_claim"),
        ((*RIGHT, RIGHT[0]), "fault.stance_twice"),
        ((said(1, 1, "supports", "It never says so"), RIGHT[2]), "fault.quote_elsewhere"),
    ],
)
def test_the_form_of_an_answer(stances: tuple[Weighed, ...], code: str | None) -> None:
    fault = QUESTION.fault_of(item(), Weighing(stances=stances))
    assert (fault.code if fault else None) == code


@pytest.mark.parametrize("language", ["en", "zh", "zh-Hant"])
def test_the_prompt_shows_times_claims_and_no_more_of_the_message_than_it_needs(
    language: str,
) -> None:
    given = item().model_copy(update={"message": "Norvale news. " * 400})
    text = render(load(QUESTION.prompt, language), QUESTION.variables(given, "seed")).user
    assert "2026-03-04T09:00Z" in text
    assert "(1) Norvale's council did not pass" in text and "(2) The mayor" in text
    assert "Norvale Courier · 2026-03-04" in text
    assert text.count("Norvale news.") < 50


@pytest.mark.parametrize(
    ("published", "shown"),
    [
        ("2024-01-09T21:45:00+00:00", "2024-01-09 21:45 UTC"),
        ("2024-01-10T05:45:00+08:00", "2024-01-09 21:45 UTC"),
        ("2024-01-09T00:00:00+00:00", "2024-01-09"),
        (None, ""),
    ],
)
def test_a_passage_has_its_minute_where_that_is_known(published: str | None, shown: str) -> None:
    page = evidence("The regulator denied it.")
    when = datetime.fromisoformat(published) if published else None
    document = page.document.model_copy(update={"published_at": when})
    page = page.model_copy(update={"document": document})
    assert shown_passage(1, page, page.passages[0], ()).passage.date == shown


def held(name: str, origin: str, label: StanceLabel) -> Held:
    page = evidence(f"A page on {name}", url=f"https://{name}.example/").model_copy(
        update={"origin_id": origin}
    )
    return Held(evidence=page, list="open", stances=(SILENT.model_copy(update={"label": label}),))


@pytest.mark.parametrize(
    ("read", "unread", "counts"),
    [
        ([("one", "supports")], ("one", "supports"), "supports"),
        ([("one", "contradicts")], ("one", "supports"), "qualifies"),  # its own origin says else
        ([("one", "unrelated")], ("one", "supports"), "qualifies"),
        ([("one", "contradicts"), ("two", "supports")], ("one", "supports"), "qualifies"),
        ([("two", "supports")], ("one", "supports"), "supports"),
        ([("two", "supports")], ("one", "contradicts"), "qualifies"),  # it opens no side
        ([("two", "supports")], ("one", "qualifies"), "qualifies"),
        ([("two", "supports")], ("one", "unrelated"), "unrelated"),
    ],
)
def test_an_unread_page_opens_no_side(
    read: list[tuple[str, StanceLabel]], unread: tuple[str, StanceLabel], counts: Any
) -> None:
    pages = [held(f"r{n}", origin, label) for n, (origin, label) in enumerate(read)]
    found = keep_to_sides(held("u", *unread), sides_taken(pages))
    assert found.stances[0].label == counts
