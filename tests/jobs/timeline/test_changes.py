"""A living timeline beside an earlier run of it: what is new, moved, turned and withdrawn."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from timeline_world import ENGLISH, begun, desk, gone_on, page, scenario

from groundwire.app import exports
from groundwire.app.exports import replay_run
from groundwire.jobs.timeline.changes import compare, known_again, told
from groundwire.jobs.timeline.report import REPORT
from groundwire.jobs.timeline.result import Interval, Node, Standing, TimelineResult
from groundwire.model.claim import CitationView
from groundwire.model.result import Sentence
from groundwire.report import blocks

TOPIC = "Velmora Bridge"
ANEW = {"search.cache_ttl": 0}  # the days between two runs take no time here


def node(day: str, title: str, standing: Standing = "happened", url: str = "") -> Node:
    begin = date.fromisoformat(day if len(day) == 10 else f"{day}-01")
    cited = CitationView(
        evidence_id="e", published_at=None, quote=title, start=0, end=len(title),
        url=url or f"https://{len(title)}.example/", title="", publisher="",
    )  # fmt: skip
    return Node(
        id=f"{day} {title}",
        date=day,
        precision="day" if len(day) == 10 else "month",
        interval=Interval(begin=begin, end=begin + timedelta(days=0 if len(day) == 10 else 27)),
        first_seen=f"{day if len(day) == 10 else day + '-01'}T00:00:00Z",  # type: ignore[arg-type]
        title=title,
        description=(Sentence(text=title, verdict="supported", citations=(cited,)),),
        standing=standing,
        thread="t",
        citations=("e",),
        origins=1,
        date_sources=(),
    )


@pytest.mark.parametrize(
    ("topic", "before", "after"),
    [
        ("Velmora Bridge", "The toll rises to six dollars", "The toll rises at last to six dollars for cars"),
        ("维尔莫拉大桥", "大桥过桥费上涨到六元", "大桥的过桥费终于上涨到六元"),
        ("維爾莫拉大橋", "大橋過橋費上漲到六元", "大橋的過橋費終於上漲到六元"),
    ],
)  # fmt: skip
def test_an_event_that_moved_and_is_told_otherwise_keeps_its_id(
    topic: str, before: str, after: str
) -> None:
    earlier = [told(node("2025-05-02", before, "due"))]
    moved, other = node("2025-05-30", after, "due"), node("2019-03-04", "Zirkon")
    assert [each.id for each in known_again([other, moved], earlier, [topic])] == [
        other.id,
        earlier[0].node,
    ]


def kinds(before: Sequence[Node], after: Sequence[Node], topic: str) -> list[tuple[str, str, str]]:
    found = compare([told(each) for each in before], after, [topic]).rows
    return [
        (each.kind, each.before.date if each.before else "", each.after.date if each.after else "")
        for each in found
    ]


@pytest.mark.parametrize(
    ("topic", "before", "after", "changes"),
    [
        # the same, told in other words
        (
            "Halcyon",
            [node("2022-04-11", "The Halcyon probe lifted off from the Marrow Coast")],
            [node("2022-04-11", "Lift-off of the Halcyon probe from the Marrow Coast on 11 April")],
            [],
        ),
        # planned, and put off by a year
        (
            "Carrow tramway",
            [node("2024-05-01", "The Carrow tramway is to open with 14 stops on 1 May 2024", "due")],
            [node("2025-04-12", "The Carrow tramway is to open with 14 stops in April 2025", "due")],
            [("moved", "2024-05-01", "2025-04-12")],
        ),
        # what was due has come
        (
            "Carrow tramway",
            [node("2025-04-12", "The Carrow tramway opens with 14 stops", "due")],
            [node("2025-04-12", "The Carrow tramway opened with 14 stops")],
            [("turned", "2025-04-12", "2025-04-12")],
        ),
        # two acts of one day are two events
        (
            "Lake Oram",
            [node("2020-08-24", "The army closed the breach of the dam with sandbags")],
            [node("2020-08-24", "The minister for water, Petra Lind, resigned")],
            [("new", "", "2020-08-24"), ("withdrawn", "2020-08-24", "")],
        ),
        # a month became a day: it is known better, not moved
        (
            "云杉科技",
            [node("2022-07", "云杉科技在港交所挂牌")],
            [node("2022-07-08", "云杉科技在港交所正式挂牌")],
            [],
        ),
        (
            "临川地铁8号线",
            [node("2022-12-28", "临川地铁8号线计划年底开通运营", "due")],
            [node("2023-06-28", "临川地铁8号线计划开通运营", "due"), node("2022-11-02", "市政府追加预算")],
            [("new", "", "2022-11-02"), ("moved", "2022-12-28", "2023-06-28")],
        ),
        (
            "曜石半導體",
            [node("2024-06-03", "曜石半導體南科晶圓廠開始量產"), node("2021-11-11", "曜石半導體南科晶圓廠動土")],
            [node("2024-06-03", "曜石半導體南科晶圓廠開始量產")],
            [("withdrawn", "2021-11-11", "")],
        ),
        # told from a page in another language
        (
            "星海航空",
            [node("2020-02-10", "星海航空停飛全部國際航線", url="https://one.example/")],
            [node("2020-02-10", "All routes abroad were suspended", url="https://one.example/")],
            [],
        ),
    ],
)  # fmt: skip
def test_events_are_found_again(
    topic: str, before: list[Node], after: list[Node], changes: list[tuple[str, str, str]]
) -> None:
    assert sorted(kinds(before, after, topic)) == sorted(changes)


# --- over a web that changed -----------------------------------------------------------------

CHANGED = [
    *ENGLISH[:3],
    {**ENGLISH[3], "text": "The Velmora Bridge opened to traffic on 12 August 2023."},
    {
        **ENGLISH[4],
        "text": "The Velmora Bridge is to get a second deck, which opens on 1 March 2028.",
    },
    page(
        "harbournews.example", "2025-05-20", "Wind closes the Velmora Bridge",
        "A storm closed the Velmora Bridge to lorries on 19 May 2025 for eleven hours.",
    ),
]  # fmt: skip


async def test_a_later_run_tells_what_the_web_has_changed(tmp_path: Path) -> None:
    async with desk(tmp_path, scenario()) as app:
        first = await gone_on(app, await begun(app, TOPIC))
    async with desk(tmp_path, scenario(CHANGED), **ANEW) as app:
        run = await gone_on(app, await begun(app, TOPIC, since=first.id))
        report = REPORT.report(run)
        made = {
            form: (await exports.export(app, run, form)).data for form in ("md", "html", "docx")
        }
        replayed = await replay_run(app, run)
    result = TimelineResult.model_validate(run.result)
    assert result.changes is not None
    found = {
        (each.kind, each.before.date if each.before else "", each.after.date if each.after else "")
        for each in result.changes.rows
    }
    assert found == {
        ("new", "", "2025-05-19"),
        ("moved", "2027-10-01", "2028-03-01"),
        ("withdrawn", "2024-01", ""),
    }
    assert result.changes.certain
    diff = next(each for each in report.blocks if isinstance(each, blocks.Diff))
    assert {each.change for each in diff.rows} == {"added", "changed", "removed"}
    assert all(each.after_marks for each in diff.rows if each.after)
    assert "2027-10-01" in made["md"].decode()
    assert "no longer told" in made["html"].decode()
    assert "2027-10-01" in ZipFile(BytesIO(made["docx"])).read("word/document.xml").decode()
    assert (replayed.identical, replayed.differences) == (True, ())


async def test_where_a_search_failed_nothing_is_said_to_be_gone(tmp_path: Path) -> None:
    async with desk(tmp_path, scenario()) as app:
        first = await gone_on(app, await begun(app, TOPIC))
    async with desk(tmp_path, scenario(CHANGED), down=["latest"], **ANEW) as app:
        run = await gone_on(app, await begun(app, TOPIC, since=first.id))
        report = REPORT.report(run, "en")
    result = TimelineResult.model_validate(run.result)
    assert result.changes is not None
    if any(each.kind == "withdrawn" for each in result.changes.rows):
        assert not result.changes.certain
        assert "no longer told" not in report.model_dump_json()


async def test_a_run_that_is_no_timeline_is_named_and_not_compared_with(tmp_path: Path) -> None:
    async with desk(tmp_path, scenario()) as app:
        asked = await app.submit("ask", {"question": "When did the Velmora Bridge open?"})
        await app.finished(asked.id)
        run = await gone_on(app, await begun(app, TOPIC, since=asked.id))
    result = TimelineResult.model_validate(run.result)
    assert result.changes is None
    assert "timeline.gap.no_earlier" in [each.why for each in result.gaps]


async def test_another_topic_is_not_compared_with(tmp_path: Path) -> None:
    async with desk(tmp_path, scenario()) as app:
        other = await gone_on(app, await begun(app, "almanac of toll roads"))
        run = await gone_on(app, await begun(app, TOPIC, since=other.id))
    result = TimelineResult.model_validate(run.result)
    assert result.changes is None
    assert "timeline.gap.other_topic" in [each.why for each in result.gaps]
