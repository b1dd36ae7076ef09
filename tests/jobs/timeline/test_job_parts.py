"""The parts of the timeline job that need no run: topics, threads, searches, eras, calendar, sheet."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from test_changes import node

import groundwire
from groundwire.doors.ui import guessing
from groundwire.jobs.timeline.entries import reduced
from groundwire.jobs.timeline.proposal import MOST_THREADS, SIZES, Plan, searches_of
from groundwire.jobs.timeline.result import Interval
from groundwire.jobs.timeline.subject import topic_of
from groundwire.jobs.timeline.synthesis import MOST_ERAS, eras_of, thin_years
from groundwire.jobs.timeline.threads import (
    Strands,
    in_other_language,
    queries_of,
    usual_name,
    usual_threads,
)
from groundwire.jobs.timeline.titles import shortened
from groundwire.jobs.timeline.types import confined


@pytest.mark.parametrize(
    ("typed", "topic"),
    [
        ("timeline of DeepSeek", "DeepSeek"),
        ("Give me a short history of the Suez Canal", "Suez Canal"),
        ("DeepSeek timeline", "DeepSeek"),
        ("DeepSeek 时间线", "DeepSeek"),
        ("深度求索的发展历程", "深度求索"),
        ("高鐵大事記", "高鐵"),
        ("時間軸：台灣高鐵", "台灣高鐵"),
        ("Timeline", "Timeline"),  # nothing would be left
        ("history", "history"),
        ("比特币 ETF", "比特币 ETF"),
    ],
)
def test_words_that_only_ask_for_a_history_are_no_part_of_the_topic(typed: str, topic: str) -> None:
    assert topic_of(typed) == topic


@pytest.mark.parametrize("typed", ["timeline of DeepSeek", "DeepSeek 时间线", "台灣高鐵大事記"])
def test_the_command_bar_knows_what_asks_for_a_history(typed: str) -> None:
    assert guessing.guess(typed).kind == "timeline"


def test_a_name_alone_stays_with_the_job_that_answers() -> None:
    assert guessing.guess("DeepSeek").kind != "timeline"


@pytest.mark.parametrize("language", ["en", "zh", "zh-Hant"])
def test_a_level_has_its_threads_and_nodes_in_every_language(language: str) -> None:
    for level, size in SIZES.items():
        threads = usual_threads(level, language)
        assert len(threads) == size.threads
        assert size.least <= sum(each.estimated_nodes for each in threads) <= size.most
        assert all(usual_name(each.name) for each in threads)


def test_searches_are_counted_as_the_plan_makes_them() -> None:
    plan = Plan(topic="x", language="en", level="light", threads=usual_threads("light", "en"))
    assert searches_of(plan, 3) == 2 * 2 * 2 + 20 + 3
    alone = plan.model_copy(update={"both_languages": False, "nodes_per_search": 4})
    assert searches_of(alone, 3) == 2 * 2 + 5 + 3


def test_the_searches_of_a_thread_are_in_both_languages_with_the_years_of_the_clock() -> None:
    thread = usual_threads("light", "zh")[0]
    found = queries_of("比特币 ETF", thread, "zh", both=True, today=date(2026, 11, 18), most=10)
    assert [each.text for each in found] == [
        "比特币 ETF 发展历程 里程碑 时间线 历史",
        "比特币 ETF 发展历程 最新 2026 2025",
        "Bitcoin ETF development milestones timeline history",
        "Bitcoin ETF development latest 2026 2025",
    ]
    hant = queries_of(
        "比特幣 ETF", usual_threads("light", "zh-Hant")[0], "zh-Hant",
        both=False, today=date(2026, 11, 18), most=10,
    )  # fmt: skip
    assert hant[0].text == "比特幣 ETF 發展歷程 里程碑 時間軸 歷史"


@pytest.mark.parametrize(
    ("topic", "other"),
    [
        ("比特币 ETF", "Bitcoin ETF"),
        ("比特幣 ETF", "Bitcoin ETF"),
        ("歐盟", "European Union"),
        ("Silicon Valley Bank", "硅谷银行"),
        # A Latin name is written so in Chinese, too.
        ("Velmora Bridge", "Velmora Bridge"),
        ("the hack of Velmora Bridge in 2023", "黑客攻击 Velmora Bridge 2023年"),
        ("Velmora Bridge 攻击", "Velmora Bridge attack"),
        # A word that is not known there leaves a part of the topic only.
        ("Tesla robotaxi", ""),
        ("quokka husbandry", ""),
        ("天山公司", ""),
        ("維爾莫拉大橋", ""),
    ],
)
def test_a_topic_is_searched_for_in_the_other_language_where_all_of_it_is_known(
    topic: str, other: str
) -> None:
    assert in_other_language(topic) == other


def test_a_latin_name_is_searched_for_in_chinese_with_chinese_words() -> None:
    found = queries_of(
        "Velmora Bridge", usual_threads("light", "en")[0], "en",
        both=True, today=date(2026, 11, 18), most=10,
    )  # fmt: skip
    assert [(each.language, each.text) for each in found[2:]] == [
        ("zh", "Velmora Bridge 发展历程 里程碑 时间线 历史"),
        ("zh", "Velmora Bridge 发展历程 最新 2026 2025"),
    ]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("The regulator fined the company and a court upheld the order.", 1),
        ("法院裁定该禁令有效，监管机构随后展开调查。", 1),
        ("主管機關下令調查並處以罰款。", 1),
        ("The company presented its second phone.", 0),
        ("公司发布了第二款手机。", 0),
        ("公司發表了第二款手機。", 0),
    ],
)
def test_an_event_belongs_to_the_thread_of_its_words(text: str, place: int) -> None:
    strands = Strands(usual_threads("light", "en"))
    assert strands.thread_of(text, {}) == place


def test_what_words_do_not_tell_the_searches_do() -> None:
    threads = tuple(
        each.model_copy(update={"name": name, "description": ""})
        for each, name in zip(usual_threads("light", "en"), ("ships", "trains"), strict=True)
    )
    assert Strands(threads).thread_of("A bridge opened.", {1: 3, 0: 1}) == 1
    assert Strands(threads).thread_of("Two ships collided.", {1: 3}) == 0


@pytest.mark.parametrize(
    ("place", "fields"),
    [
        ("archive", {"within": "archive"}),
        ("/home/ann/papers", {"within": "/home/ann/papers"}),
        ("./papers", {"within": "./papers"}),
        ("last", {"pages_of": "last"}),
        ("ask-0123456789", {"pages_of": "ask-0123456789"}),
    ],
)
def test_a_place_is_the_archive_a_folder_or_a_run(place: str, fields: dict[str, str]) -> None:
    assert confined(place) == fields


def test_a_date_is_written_as_exactly_as_it_is_known() -> None:
    day = date(2023, 5, 6)
    assert reduced(day, "day") == "2023-05-06"
    assert reduced(day, "month") == "2023-05"
    assert reduced(day, "year") == "2023"


@pytest.mark.parametrize(
    ("sentence", "title"),
    [
        ("Shares fell.", "Shares fell"),
        ("公司宣布停產。", "公司宣布停產"),
    ],
)
def test_a_short_sentence_is_its_own_title(sentence: str, title: str) -> None:
    assert shortened(sentence) == title


def test_a_history_without_nodes_has_no_thin_year() -> None:
    assert list(thin_years(())) == []


def test_there_are_no_more_eras_than_can_be_chosen_from() -> None:
    halves = [
        node(f"{year}-{month:02}-10", f"t{year}{month}")
        for year in (2022, 2023, 2024)
        for month in (2, 8)
    ]
    years = [
        node(f"{year}-01-01", f"y{year}").model_copy(
            update={
                "date": str(year),
                "precision": "year",
                "interval": Interval(begin=date(year, 1, 1), end=date(year, 12, 31)),
            }
        )
        for year in (2022, 2023, 2024)
    ]
    both = sorted([*halves, *years], key=lambda each: each.interval.begin)
    assert [each.name for each in eras_of(both)] == ["2022", "2023", "2024"]
    assert len(eras_of(halves)) == 6
    for sheet in ("doors/ui/static/run.css", "report/templates/report.css"):
        style = (Path(groundwire.__file__).parent / sheet).read_text("utf-8")
        for most, name in ((MOST_ERAS, "era"), (MOST_THREADS, "thread")):
            assert f".tl-{name}-{most}:checked" in style
