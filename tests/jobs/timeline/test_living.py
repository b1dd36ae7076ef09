"""A timeline on a schedule, over a web that changes: who is told what, and when nobody is."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from test_changes import ANEW, CHANGED, TOPIC, node
from timeline_world import CHINESE, ENGLISH, NOW, TAIWAN, begun, desk, gone_on, page, scenario

from groundwire.app import App
from groundwire.app.schedule_views import Terms
from groundwire.jobs.timeline.changes import compare, told
from groundwire.jobs.timeline.ics import render
from groundwire.jobs.timeline.living import believes, changes, notice_of
from groundwire.jobs.timeline.report import REPORT
from groundwire.jobs.timeline.result import TimelineResult
from groundwire.model.run import Run
from groundwire.model.schedule import Schedule

DAILY = Terms(schedule="every 1d", to=("webhook:https://hooks.example/x",))


async def kept(folder: Path, web: list[dict[str, Any]] = ENGLISH, topic: str = TOPIC) -> Schedule:
    """Make a timeline and keep it on a schedule."""
    async with desk(folder, scenario(web)) as app:
        first = await gone_on(app, await begun(app, topic))
        return await app.schedules.add_from(first, DAILY)


async def run_on(app: App, schedule: Schedule, days: int) -> Run:
    at = datetime.fromisoformat(NOW) + timedelta(days=days)
    run = await app.schedules.run(schedule, at=at)
    return await app.finished(run.id)


def _entries(run: Run) -> dict[str, str]:
    """Return the day on which the calendar of a run puts each event, by its UID."""
    text = render(run, REPORT).decode().replace("\r\n ", "")
    return dict(re.findall(r"UID:(\S+)@groundwire.*?DTSTART;VALUE=DATE:(\d+)", text, re.DOTALL))


def result_of(run: Run) -> TimelineResult:
    return TimelineResult.model_validate(run.result)


async def test_a_living_timeline_tells_its_subscribers_once_what_changed(tmp_path: Path) -> None:
    schedule = await kept(tmp_path)
    async with desk(tmp_path, scenario(CHANGED), **ANEW) as app:
        changed = await run_on(app, schedule, 1)
        diff = await app.schedules.diff(schedule)
        sent = await app.schedules.sent(schedule)
        same = await run_on(app, schedule, 2)
        nothing = await app.schedules.diff(schedule)
        still = await app.schedules.sent(schedule)
        past = (await app.schedules.history(schedule)).runs
        believed = await app.schedules.believed(schedule)
    assert (changed.state, same.state) == ("complete", "complete")  # nobody was asked
    assert {each.kind for each in diff.changes} == {"new", "changed", "withdrawn"}
    moved = next(each for each in diff.changes if each.kind == "changed")
    assert moved.before is not None
    assert moved.after is not None
    assert (moved.before.value, moved.after.value) == (
        "2027-10-01 (still due)",
        "2028-03-01 (still due)",
    )
    assert moved.after.citations
    assert moved.after.id == moved.before.id
    letter = sent[0].letter
    assert letter.title == f"{TOPIC} · 1 moved · 1 no longer told · 1 new"
    assert "moved: 2027-10-01 (still due) → 2028-03-01 (still due)" in letter.lines[0]
    assert "planning.example 2025-05-02 https://" in letter.lines[1]
    assert (nothing.changes, len(still)) == ((), len(sent))
    uids = [_entries(each) for each in (changed, same)]
    assert uids[0] == uids[1]  # a calendar replaces what it has
    assert uids[0][moved.after.id] == "20280301"
    assert [each.told for each in past[:2]] == [False, True]
    assert "2025-05-19" in [each.value for each in believed.claims]


async def test_what_a_failed_search_did_not_find_is_not_told_as_gone_nor_as_new_after(
    tmp_path: Path,
) -> None:
    schedule = await kept(tmp_path)
    fewer = [ENGLISH[0], ENGLISH[2]]
    async with desk(tmp_path, scenario(fewer), down=["latest"], **ANEW) as app:
        less = await run_on(app, schedule, 1)
        assert await app.schedules.sent(schedule) == []
    found = result_of(less).changes
    assert found is not None
    assert not found.certain
    assert {each.kind for each in found.rows} <= {"withdrawn"}
    async with desk(tmp_path, scenario(), **ANEW) as app:
        back = await run_on(app, schedule, 2)
        assert await app.schedules.sent(schedule) == []
    again = result_of(back).changes
    assert again is not None
    assert again.rows == ()


async def test_a_living_timeline_keeps_the_threads_that_a_person_confirmed(tmp_path: Path) -> None:
    async with desk(tmp_path, scenario()) as app:
        threads = [{"name": "tolls", "description": "what a crossing costs", "estimated_nodes": 9}]
        first = await gone_on(app, await begun(app, TOPIC), threads=threads)
        schedule = await app.schedules.add_from(first, DAILY)
        run = await run_on(app, schedule, 1)
    assert [(each.name, each.estimated_nodes) for each in result_of(run).threads] == [("tolls", 9)]


@pytest.mark.parametrize(
    ("topic", "web", "title", "new"),
    [
        ("Velmora Bridge", ENGLISH, "1 new", "new: 2025-05-19"),
        ("维尔莫拉大桥", CHINESE, "新增 1", "新增：2025-05-19"),
        ("維爾莫拉大橋", TAIWAN, "新增 1", "新增：2025-05-19"),
    ],
)
async def test_a_letter_is_in_the_language_of_the_timeline(
    tmp_path: Path, topic: str, web: list[dict[str, Any]], title: str, new: str
) -> None:
    storms = {
        "Velmora Bridge": "A storm closed the Velmora Bridge to lorries on 19 May 2025.",
        "维尔莫拉大桥": "维尔莫拉大桥2025年5月19日因大风封闭，货车改道。",
        "維爾莫拉大橋": "維爾莫拉大橋2025年5月19日因強風封閉，貨車改道。",
    }
    more = [*web, page("fengbao.example", "2025-05-20", storms[topic], storms[topic])]
    schedule = await kept(tmp_path, web, topic)
    async with desk(tmp_path, scenario(more), **ANEW) as app:
        run = await run_on(app, schedule, 1)
    notice = notice_of(result_of(run))
    assert notice is not None
    assert notice.letter is not None
    assert notice.letter.title.endswith(title)
    assert notice.letter.lines[0].startswith(new)


async def test_last_means_the_last_timeline_of_the_topic(tmp_path: Path) -> None:
    async with desk(tmp_path, scenario()) as app:
        first = await gone_on(app, await begun(app, TOPIC))
        await gone_on(app, await begun(app, "almanac of toll roads"))
        run = await gone_on(app, await begun(app, TOPIC, since="last"))
        other = await gone_on(app, await begun(app, "harbour news of Carrow", since="last"))
    found = result_of(run).changes
    assert found is not None
    assert found.since == first.id
    assert result_of(other).changes is None
    assert "timeline.gap.none_yet" in [each.why for each in result_of(other).gaps]


@pytest.mark.parametrize(
    ("topic", "title"),
    [
        ("Lake Oram", "The minister for water, Petra Lind, resigned"),
        ("临川地铁", "临川市政府追加预算两亿元"),
        ("曜石半導體", "曜石半導體南科晶圓廠動土"),
    ],
)
def test_what_a_page_still_says_is_set_aside_and_not_new_when_it_is_back(
    topic: str, title: str
) -> None:
    before = [told(node("2020-08-24", title))]
    found = compare(before, [], [topic], [f"{title}。 And more."])
    assert (found.rows, found.aside) == ((), tuple(before))
    assert compare(found.aside, [node("2020-08-24", title)], [topic]).rows == ()
    unseen = compare(before, [], [topic], ["Another page."], certain=False)
    assert ([each.kind for each in unseen.rows], unseen.aside) == (["withdrawn"], tuple(before))
    gone = compare(before, [], [topic], ["Another page."])
    assert [each.kind for each in gone.rows] == ["withdrawn"]
    assert gone.aside == ()


async def test_changes_stand_in_the_sheet(tmp_path: Path) -> None:
    schedule = await kept(tmp_path)
    async with desk(tmp_path, scenario(CHANGED), **ANEW) as app:
        run = await run_on(app, schedule, 1)
    assert REPORT.sheet is not None
    rows = {str(each[1]): each for each in REPORT.sheet(run).rows}
    assert {"change.new", "change.moved", "change.withdrawn"} <= rows.keys()
    assert str(rows["change.moved"][-1]).startswith("2027-10-01 · ")
    result = result_of(run)
    assert len(changes(result, "en")) == 3
    assert len(believes(result, "en")) == len(result.nodes)
