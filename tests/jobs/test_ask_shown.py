"""A model is shown few passages, and no report twice."""

from __future__ import annotations

import pytest

from groundwire.jobs.ask.shown import MOST, worth_showing
from groundwire.model.source import NumberedPassage

_REPORTS = {
    "en": (
        "The regulator approved the bridge on Tuesday after a hearing of three hours in Lyon.",
        "The regulator approved the bridge on Tuesday after a hearing of three hours in Lyon, it said.",
        "Residents had asked for a tunnel instead, and will appeal to the court in Paris.",
    ),
    "zh": (
        "监管机构周二在里昂举行三小时听证会后批准了这座大桥的建设方案。",
        "据通讯社消息，监管机构周二在里昂举行三小时听证会后批准了这座大桥的建设方案。",
        "当地居民此前要求改建隧道，并将向巴黎的法院提起上诉。",
    ),
    "zh-Hant": (
        "監管機構週二在里昂舉行三小時聽證會後核准了這座大橋的建設方案。",
        "據通訊社消息，監管機構週二在里昂舉行三小時聽證會後核准了這座大橋的建設方案。",
        "當地居民此前要求改建隧道，並將向巴黎的法院提起上訴。",
    ),
}


def passage(number: int, text: str, origin: str) -> NumberedPassage:
    return NumberedPassage(
        number=number,
        passage_id=f"ps_{number}",
        evidence_id=f"ev_{number}",
        title="",
        publisher="",
        date="",
        language="en",
        tier="unknown",
        origin_id=origin,
        flags=(),
        relevance=1.0,
        text=text,
    )


@pytest.mark.parametrize("language", _REPORTS)
def test_a_copy_of_an_origins_report_is_shown_once(language: str) -> None:
    first, copied, other = _REPORTS[language]
    shown = worth_showing(
        [passage(1, first, "wire"), passage(2, copied, "wire"), passage(3, other, "wire")]
    )
    assert [each.number for each in shown] == [1, 3]


@pytest.mark.parametrize("language", _REPORTS)
def test_two_origins_that_say_the_same_are_both_shown(language: str) -> None:
    first, copied, _ = _REPORTS[language]
    shown = worth_showing([passage(1, first, "wire"), passage(2, copied, "paper")])
    assert [each.number for each in shown] == [1, 2]


def test_no_more_are_shown_than_a_model_reads_with_care() -> None:
    many = [passage(n, f"Report {n} tells of matter {n * 7919}.", f"o{n}") for n in range(1, 30)]
    assert [each.number for each in worth_showing(many)] == list(range(1, MOST + 1))
