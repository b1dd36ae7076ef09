"""An event told alike in several languages is shown in the reader's: his own script, the other one, another language."""

from __future__ import annotations

from datetime import date

import pytest
from timeline_pages import held

from groundwire.jobs.timeline.entries import Entry, Material
from groundwire.jobs.timeline.history import Wanted
from groundwire.jobs.timeline.planning import language_of
from groundwire.jobs.timeline.skeleton import events_told
from groundwire.jobs.timeline.types import TimelineInput
from groundwire.language.text.script import language_distance
from groundwire.model.source import Evidence

_SAID = {
    "en": held("Regulators closed Qinghe Bank on 10 March 2023.", "2023-03-10", "Regulators close Qinghe Bank"),
    "zh": held("监管机构2023年3月10日关闭清河银行，储户排队取款。", "2023-03-10", "监管机构关闭清河银行"),
    "zh-Hant": held("主管機關2023年3月10日關閉清河銀行，存戶排隊提款。", "2023-03-10", "主管機關關閉清河銀行"),
}  # fmt: skip
_TOPIC = ("Qinghe Bank", "清河银行")


def _shown(pages: tuple[Evidence, ...], language: str) -> list[Entry]:
    material = Material.of(pages, language, date(2024, 1, 1))
    told, _ = events_told(material, Wanted(_TOPIC, nodes=8))
    return list(told)


@pytest.mark.parametrize(
    ("languages", "reader", "shown"),
    [
        (("zh", "zh-Hant"), "zh-Hant", "zh-Hant"),
        (("zh", "zh-Hant"), "zh", "zh"),
        (("en", "zh"), "zh-Hant", "zh"),
        (("en", "zh", "zh-Hant"), "zh-Hant", "zh-Hant"),
        (("en", "zh", "zh-Hant"), "zh", "zh"),
    ],
)
@pytest.mark.parametrize("backwards", [False, True])
def test_the_headline_is_in_the_readers_own_script(
    languages: tuple[str, ...], reader: str, shown: str, *, backwards: bool
) -> None:
    pages = tuple(_SAID[each] for each in languages)
    titles = [each.title for each in _shown(pages[::-1] if backwards else pages, reader)]
    assert titles == [_SAID[shown].document.title]


@pytest.mark.parametrize(
    ("written", "wanted", "far"),
    [
        ("zh-Hant", "zh-Hant", 0),
        ("zh", "zh-Hant", 1),
        ("zh-Hant", "zh", 1),
        ("en", "zh-Hant", 2),
        ("zh", "en", 2),
        ("en", "en", 0),
        ("und", "en", 2),
    ],
)
def test_how_far_a_language_is_from_the_readers(written: str, wanted: str, far: int) -> None:
    assert language_distance(written, wanted) == far


@pytest.mark.parametrize(
    ("topic", "language"),
    [("人工智慧", "zh-Hant"), ("晶片", "zh-Hant"), ("人工智能", "zh"), ("chips", "en")],
)
def test_a_timeline_is_in_the_language_of_its_topic(topic: str, language: str) -> None:
    assert language_of(TimelineInput(topic=topic)) == language
