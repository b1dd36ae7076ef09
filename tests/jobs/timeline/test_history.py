"""Documents in, dated and cited milestones out."""

from __future__ import annotations

from datetime import date
from itertools import pairwise

import pytest
from timeline_pages import held, read

from groundwire.jobs.timeline.collection import Collection
from groundwire.jobs.timeline.history import Wanted, history_of
from groundwire.jobs.timeline.milestones import Milestone
from groundwire.jobs.timeline.pages import page_of
from groundwire.jobs.timeline.topic import Topic
from groundwire.model.source import Evidence

FILLING = {
    "en": "The harbour town has many visitors. Boats leave every hour for the islands.",
    "zh": "这座港口城市游客众多。每小时都有船开往各岛。",
    "zh-Hant": "這座港口城市遊客眾多。每小時都有船開往各島。",
}
STORIES = {
    "en": (
        ("Velden",),
        [
            ("2024-03-13", "The Velden bridge collapsed on Tuesday, killing three people."),
            ("2024-03-14", "Three people died when the Velden bridge collapsed on Tuesday."),
            ("2024-04-02", "The Velden bridge collapsed on March 12 and killed three."),
            ("2024-04-03", "Police arrested the builder of the Velden bridge on Tuesday."),
            (
                "2024-05-20",
                "The builder of the Velden bridge was arrested on April 2, police said.",
            ),
        ],
    ),
    "zh": (
        ("维尔登大桥",),
        [
            ("2024-03-13", "维尔登大桥周二坍塌，造成三人死亡。"),
            ("2024-03-14", "维尔登大桥于12日坍塌，三人死亡，多人受伤。"),
            ("2024-04-02", "3月12日，维尔登大桥坍塌，三人死亡。"),
            ("2024-04-03", "警方4月2日逮捕了维尔登大桥的承建商。"),
            ("2024-05-20", "维尔登大桥的承建商于4月2日被警方逮捕，案件仍在调查。"),
        ],
    ),
    "zh-Hant": (
        ("維爾登大橋",),
        [
            ("2024-03-13", "維爾登大橋週二坍塌，造成三人死亡。"),
            ("2024-03-14", "維爾登大橋於12日坍塌，三人死亡，多人受傷。"),
            ("2024-04-02", "3月12日，維爾登大橋坍塌，三人死亡。"),
            ("2024-04-03", "警方4月2日逮捕了維爾登大橋的承建商。"),
            ("2024-05-20", "維爾登大橋的承建商於4月2日被警方逮捕，案件仍在調查。"),
        ],
    ),
}


def story(language: str) -> tuple[tuple[str, ...], list[Evidence]]:
    topic, told = STORIES[language]
    return topic, [held(f"{text}\n{FILLING[language]}", day) for day, text in told]


def told_in(evidence: list[Evidence], wanted: Wanted) -> tuple[Milestone, ...]:
    return history_of([page_of(each) for each in evidence], wanted)


def dates(history: tuple[Milestone, ...]) -> list[str]:
    return [each.date for each in history]


@pytest.mark.parametrize("language", STORIES)
def test_the_days_are_those_on_which_it_happened(language: str) -> None:
    topic, pages = story(language)
    history = told_in(pages, Wanted(topic, nodes=2))
    assert dates(history) == ["2024-03-12", "2024-04-02"]


@pytest.mark.parametrize("language", STORIES)
def test_every_sentence_is_quoted_from_its_passage(language: str) -> None:
    topic, pages = story(language)
    known = {each.id: each for each in pages}
    for milestone in told_in(pages, Wanted(topic, nodes=5)):
        assert milestone.sentences
        for sentence in milestone.sentences:
            cited = sentence.citation
            page = known[cited.evidence_id]
            passage = next(each for each in page.passages if each.id == cited.passage_id)
            assert page.document.text[cited.start : cited.end] == cited.quote == sentence.text
            assert passage.start <= cited.start < cited.end <= passage.end


@pytest.mark.parametrize("language", STORIES)
def test_equal_pages_in_any_order_make_an_equal_history(language: str) -> None:
    topic, pages = story(language)
    wanted = Wanted(topic, nodes=3)
    assert told_in(pages, wanted) == told_in(pages[::-1], wanted)


def test_nothing_is_made_of_nothing() -> None:
    wanted = Wanted(("Velden",), nodes=5)
    assert told_in([], wanted) == ()
    assert told_in([held("   ", "2024-03-13")], wanted) == ()
    assert told_in([held("The harbour town has many visitors.")], wanted) == ()


def test_pages_about_something_else_tell_nothing() -> None:
    pages = [held("The parliament of Orland passed the budget on Tuesday.", "2024-03-13")]
    assert told_in(pages, Wanted(("Velden",), nodes=5)) == ()


def test_one_page_is_enough() -> None:
    page = held("The Velden bridge was opened on 4 June 1931 by the king of Orland.")
    assert dates(told_in([page], Wanted(("Velden",), nodes=5))) == ["1931-06-04"]


@pytest.mark.parametrize(
    ("text", "topic", "when", "precision"),
    [
        ("The Velden bridge was opened in 1931 by the king.", "Velden", "1931", "year"),
        ("维尔登大桥于1931年5月竣工通车。", "维尔登大桥", "1931-05", "month"),
        ("維爾登大橋於1931年竣工通車。", "維爾登大橋", "1931", "year"),
    ],
)
def test_a_year_stays_a_year(text: str, topic: str, when: str, precision: str) -> None:
    (made,) = told_in([held(text, "2024-03-13")], Wanted((topic,), 1))[:1]
    assert (made.date, made.precision) == (when, precision)
    assert made.interval[0].day == 1 < made.interval[1].day


def test_a_year_that_is_told_by_its_day_is_told_once() -> None:
    pages = [
        held("The king of Orland opened the Velden bridge in 1931.", "2024-03-13"),
        held("On 4 June 1931 the king of Orland opened the Velden bridge.", "2024-03-15"),
    ]
    history = told_in(pages, Wanted(("Velden",), nodes=9, until=date(2000, 1, 1)))
    assert dates(history) == ["1931-06-04"]


def test_two_events_of_a_day_are_two_nodes() -> None:
    pages = [
        held("A fire destroyed the Velden theatre on Tuesday, firefighters said.", "2024-03-13"),
        held("The Velden theatre was destroyed by a fire on Tuesday night.", "2024-03-14"),
        held("Voters in Velden elected Mira Tolk mayor on Tuesday.", "2024-03-13"),
        held("Mira Tolk was elected mayor of Velden on March 12.", "2024-03-15"),
    ]
    apart = told_in(pages, Wanted(("Velden",), nodes=9, until=date(2024, 3, 12)))
    assert dates(apart) == ["2024-03-12", "2024-03-12"]


def test_a_sentence_is_told_once_and_stands_alone() -> None:
    pages = [
        held("He resigned on Tuesday. Mayor Tolk of Velden resigned on Tuesday.", "2024-03-13"),
        held("Mayor Tolk of Velden resigned on Tuesday. Why did Velden wait?", "2024-03-13"),
    ]
    history = told_in(pages, Wanted(("Velden",), nodes=5, sentences=3))
    told = [each.text for one in history for each in one.sentences]
    assert told == ["Mayor Tolk of Velden resigned on Tuesday."]


def test_the_range_bounds_the_days() -> None:
    topic, pages = story("en")
    wanted = Wanted(topic, nodes=5, since=date(2024, 4, 1), until=date(2024, 4, 2))
    assert set(dates(told_in(pages, wanted))) == {"2024-04-02"}


def test_nodes_come_in_order() -> None:
    topic, pages = story("en")
    history = told_in(pages, Wanted(topic, nodes=9))
    assert all(one.interval <= other.interval for one, other in pairwise(history))


@pytest.mark.parametrize(
    ("topic", "own", "told"),
    [
        ("Velden", "I saw the Velden bridge fall on 12 March 2024.", "The Velden bridge fell on 12 March 2024."),
        ("维尔登大桥", "我看见维尔登大桥于2024年3月12日坍塌。", "我国的维尔登大桥于2024年3月12日坍塌。"),
        ("維爾登大橋", "我看見維爾登大橋於2024年3月12日坍塌。", "我國的維爾登大橋於2024年3月12日坍塌。"),
    ],
)  # fmt: skip
def test_history_is_told_by_nobody_in_the_first_person(topic: str, own: str, told: str) -> None:
    pages = [held(own, "2024-03-13"), held(told, "2024-03-13")]
    (made,) = told_in(pages, Wanted((topic,), nodes=1, sentences=1))
    assert [each.text for each in made.sentences] == [told]


def test_a_common_word_of_a_name_is_not_the_topic() -> None:
    pages = [
        read("The Suez Canal was blocked on 23 March 2021 by a ship.", "2021-03-24"),
        read("The canal reopened. The Erie Canal was drained on 4 May 2021.", "2021-05-05"),
        read("Ms Jackson met Michael Jackson on 4 May 2021.", "2021-05-05"),
    ]
    canal = Collection(pages, Topic(("Suez Canal",)))
    told = {each.text.split(" was")[0]: canal.bearing(each) for each in canal.accounts}
    assert told["The Suez Canal"] == 1.0
    assert told["The Erie Canal"] == 0.0
    person = Collection(pages, Topic(("Michael Jackson",)))
    assert all(person.bearing(each) for each in person.accounts if "Jackson" in each.text)


# News of a day, and behind it sentences that name no time: what was before, what somebody thinks.
BACKGROUND = {
    "en": (
        "Velden",
        "The Velden bridge was closed on Tuesday after a crack was found. The Velden bridge has four lanes and two"
        " towers of steel. Every merchant of Velden depends on the bridge for deliveries.",
    ),
    "zh": ("维尔登", "维尔登大桥周二因发现裂缝关闭。维尔登大桥设有四条车道和两座钢塔。维尔登的商户都依赖大桥运货。"),
    "zh-Hant": ("維爾登", "維爾登大橋週二因發現裂縫關閉。維爾登大橋設有四條車道和兩座鋼塔。維爾登的商戶都依賴大橋運貨。"),
}  # fmt: skip


@pytest.mark.parametrize("language", sorted(BACKGROUND))
def test_what_a_page_says_without_a_time_behind_its_news_begins_no_event(language: str) -> None:
    topic, text = BACKGROUND[language]
    found = history_of([read(text, "2024-03-13")], Wanted((topic,), 10))
    assert [(each.date, len(each.sentences)) for each in found] == [("2024-03-12", 1)]
