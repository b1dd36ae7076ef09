"""A date that slipped: planned, moved and happened are one event, each step with who said it when."""

from __future__ import annotations

from datetime import date

import pytest
from timeline_pages import held, read

from groundwire.jobs.timeline.proposal import Plan
from groundwire.jobs.timeline.result import Node
from groundwire.jobs.timeline.skeleton import candidates_of, skeleton_of
from groundwire.jobs.timeline.threads import usual_threads
from groundwire.model.source import Evidence

TODAY = date(2024, 12, 1)
ENGLISH = (
    held("The Velmora Bridge will open to traffic on 3 May 2024, the ministry said.", "2024-02-01",
         "Velmora Bridge to open in May"),
    held("The opening of the Velmora Bridge was postponed from 3 May 2024 to 7 June 2024 because of cracks.", "2024-04-02",
         "Opening of the Velmora Bridge postponed"),
    held("The Velmora Bridge opened to traffic on 9 June 2024, the ministry said.", "2024-06-10",
         "Velmora Bridge opens to traffic"),
)  # fmt: skip
CHINESE = (
    held("维尔莫拉大桥将于2024年5月3日通车。", "2024-02-01", "维尔莫拉大桥5月通车"),
    held("维尔莫拉大桥通车时间由2024年5月3日推迟到2024年6月7日。", "2024-04-02", "维尔莫拉大桥推迟通车"),
    held("维尔莫拉大桥2024年6月9日正式通车。", "2024-06-10", "维尔莫拉大桥正式通车"),
)  # fmt: skip
TAIWAN = (
    held("維爾莫拉大橋將於2024年5月3日通車。", "2024-02-01", "維爾莫拉大橋5月通車"),
    held("維爾莫拉大橋通車時間由2024年5月3日延後至2024年6月7日。", "2024-04-02", "維爾莫拉大橋延後通車"),
    held("維爾莫拉大橋2024年6月9日正式通車。", "2024-06-10", "維爾莫拉大橋正式通車"),
)  # fmt: skip


def nodes(pages: tuple[Evidence, ...], topic: str, language: str, today: date) -> tuple[Node, ...]:
    threads = usual_threads("light", language)
    plan = Plan(topic=topic, language=language, level="light", threads=threads)
    return skeleton_of(plan, candidates_of(plan, pages, {}, language, today)).nodes


@pytest.mark.parametrize(
    ("pages", "topic", "language"),
    [
        (ENGLISH, "Velmora Bridge", "en"),
        (CHINESE, "维尔莫拉大桥", "zh"),
        (TAIWAN, "維爾莫拉大橋", "zh-Hant"),
    ],
)
def test_what_was_planned_and_moved_is_the_history_of_what_came(
    pages: tuple[Evidence, ...], topic: str, language: str
) -> None:
    (node,) = nodes(pages, topic, language, TODAY)
    assert (node.date, node.standing) == ("2024-06-09", "happened")
    assert [each.date for each in node.history] == ["2024-05-03", "2024-06-07"]
    for step, page in zip(node.history, pages, strict=False):
        (said,) = step.said.citations[:1]
        assert (said.evidence_id, said.published_at) == (page.id, page.document.published_at)
        assert said.quote in page.document.text


@pytest.mark.parametrize(
    ("pages", "topic", "language"),
    [
        (ENGLISH, "Velmora Bridge", "en"),
        (CHINESE, "维尔莫拉大桥", "zh"),
        (TAIWAN, "維爾莫拉大橋", "zh-Hant"),
    ],
)
def test_what_was_moved_and_has_not_come_is_due_on_the_new_day(
    pages: tuple[Evidence, ...], topic: str, language: str
) -> None:
    (node,) = nodes(pages[:2], topic, language, date(2024, 4, 10))
    assert (node.date, node.standing) == ("2024-06-07", "due")
    assert [each.date for each in node.history] == ["2024-05-03"]


def test_what_comes_again_is_no_slipped_date() -> None:
    pages = (
        held("Velmora Bridge tolls will rise on 1 July 2023, the ministry said.", "2023-05-01", "Velmora tolls to rise"),
        held("The Velmora Bridge was closed on 9 August 2023 after a crane fell.", "2023-08-10", "Velmora Bridge closed"),
    )  # fmt: skip
    assert [each.history for each in nodes(pages, "Velmora Bridge", "en", TODAY)] == [(), ()]


def test_nothing_comes_sooner_than_it_was_planned_unless_somebody_says_so() -> None:
    pages = (
        held("The Velmora Bridge will open to traffic on 9 June 2024, the ministry said.", "2024-02-01", "Bridge to open"),
        held("The Velmora Bridge opened to traffic on 3 May 2024, the ministry said.", "2024-05-04", "Velmora Bridge opens"),
    )  # fmt: skip
    assert all(not each.history for each in nodes(pages, "Velmora Bridge", "en", TODAY))


@pytest.mark.parametrize(
    ("sentence", "before", "after"),
    [
        ("The launch was delayed from 3 May 2024 to 7 June 2024.", "2024-05-03", "2024-06-07"),
        ("Originally planned for 3 May 2024, the launch was moved to 7 June 2024.", "2024-05-03", "2024-06-07"),
        ("The launch was pushed back to June 2024.", "", "2024-06-01"),
        ("原定2024年5月3日的發射延至2024年6月7日。", "2024-05-03", "2024-06-07"),
        ("发射由2024年6月7日提前到2024年5月3日。", "2024-06-07", "2024-05-03"),
        ("上市时间推迟至2024年6月。", "", "2024-06-01"),
        ("The firm moved its office on 3 May 2024.", "", "2024-05-03"),
        ("公司2024年5月3日宣布推迟上市。", "", "2024-05-03"),
        ("The firm said on 3 May 2024 that the launch was moved to 7 June 2024.", "", "2024-05-03"),
    ],
)  # fmt: skip
def test_a_sentence_by_which_a_date_was_moved_tells_of_the_new_one(
    sentence: str, before: str, after: str
) -> None:
    (account,) = read(sentence, "2024-04-02").accounts
    assert (account.moved_from.first.isoformat() if account.moved_from else "") == before
    assert account.times[0].first.isoformat() == after


@pytest.mark.parametrize(
    ("pages", "topic", "language"),
    [
        (
            (
                held("Velmora Bank said on Tuesday 11 March 2025 that the report of a merger with Orland Bank was false.", "2025-03-11T15:00:00Z", "Velmora Bank says talk of a merger on 17 March is false"),
                held("Velmora Bank has denied that it will merge with Orland Bank on 17 March.", "2025-03-12", "Velmora Bank denies merger on 17 March"),
            ),
            "Velmora Bank",
            "en",
        ),
        (
            (
                held("2025年3月11日，维尔莫拉银行回应称，与奥兰银行合并的消息不实。", "2025-03-11T15:00:00Z", "维尔莫拉银行否认3月17日合并"),
                held("维尔莫拉银行否认将于3月17日与奥兰银行合并。", "2025-03-12", "维尔莫拉银行否认3月17日合并传闻"),
            ),
            "维尔莫拉银行",
            "zh",
        ),
        (
            (
                held("2025年3月11日，維爾莫拉銀行回應稱，與奧蘭銀行合併的消息不實。", "2025-03-11T15:00:00Z", "維爾莫拉銀行否認3月17日合併"),
                held("維爾莫拉銀行否認將於3月17日與奧蘭銀行合併。", "2025-03-12", "維爾莫拉銀行否認3月17日合併傳聞"),
            ),
            "維爾莫拉銀行",
            "zh-Hant",
        ),
    ],
)  # fmt: skip
def test_a_denial_is_not_told_again_on_the_day_that_was_denied(
    pages: tuple[Evidence, ...], topic: str, language: str
) -> None:
    (node,) = nodes(pages, topic, language, date(2025, 6, 1))
    assert node.date == "2025-03-11"
    assert [each.date for each in node.history] == ["2025-03-17"]
