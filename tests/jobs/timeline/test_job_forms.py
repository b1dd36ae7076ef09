"""A timeline leaves the desk in every form, and names its source in each."""

from __future__ import annotations

import csv
import io
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from rich.console import Console
from timeline_world import TAIWAN, begun, desk, gone_on, scenario

from groundwire import jobs
from groundwire.app import exports
from groundwire.jobs.timeline.result import TimelineResult
from groundwire.model.source import LOCAL_FILE
from groundwire.report import blocks, html, markdown
from groundwire.report.terminal import card
from groundwire.words import words

TOPIC = "Velmora Bridge"
FALL = "A crane fell from the Velmora Bridge on 19 November 2021"


async def test_it_leaves_the_desk_in_every_form(tmp_path: Path) -> None:
    async with desk(tmp_path, scenario()) as app:
        run = await gone_on(app, await begun(app, TOPIC))
        made = {
            form: (await exports.export(app, run, form)).data
            for form in ("md", "html", "pdf", "docx", "png", "json", "csv", "ics")
        }
    result = TimelineResult.model_validate(run.result)
    for form in ("md", "html", "json", "csv"):
        assert FALL in made[form].decode(), form
    assert made["pdf"].startswith(b"%PDF")
    assert made["png"].startswith(b"\x89PNG")
    page = made["html"].decode()
    # At a glance, in parts that are chosen without a script, and with what is told of each event.
    assert page.count('<rect class="tick') == len(result.nodes)
    assert page.count('<li class="step') == len(result.nodes)
    assert page.count('<details class="more">') == sum(
        bool(each.key_features or each.impact or each.context or each.key_numbers)
        or bool(each.key_people or each.quote or each.location or each.tags)
        for node in result.nodes
        if (each := node.detail) is not None
    )
    assert "tl-thread-1" in page and "tl-era-1" in page and "<script" not in page
    told = " ".join(
        each.text for node in result.nodes if node.detail for each in node.detail.impact
    )
    assert told and told in made["md"].decode()
    assert "Velmora" in ZipFile(BytesIO(made["docx"])).read("word/document.xml").decode()
    rows = list(csv.DictReader(io.StringIO(made["csv"].decode("utf-8-sig"))))
    told = [row for row in rows if row["part"] == "node"]
    assert {row["node"] for row in told} == {each.id for each in result.nodes}
    assert all(row["quote"] and row["url"] and row["date"] for row in told)
    assert [row["part"] for row in rows if row["part"] == "missing"]


async def test_a_calendar_has_what_happened_and_what_is_due_on_its_days(tmp_path: Path) -> None:
    async with desk(tmp_path, scenario()) as app:
        run = await gone_on(app, await begun(app, TOPIC))
        data = (await exports.export(app, run, "ics")).data
    assert all(len(line) <= 75 for line in data.split(b"\r\n"))
    text = data.decode().replace("\r\n ", "")
    events = text.split("BEGIN:VEVENT")[1:]
    fell = next(each for each in events if "A crane fell" in each)
    assert "DTSTART;VALUE=DATE:20211119" in fell
    assert "DTEND;VALUE=DATE:20211120" in fell
    assert "STATUS:CONFIRMED" in fell
    ahead = next(each for each in events if "VALUE=DATE:20271001" in each)
    assert "STATUS:TENTATIVE" in ahead
    toll = next(each for each in events if "A toll of $6" in each)
    assert "DTSTART;VALUE=DATE:20240101" in toll
    assert "DTEND;VALUE=DATE:20240201" in toll  # the whole month, not its first day


@pytest.mark.parametrize("language", ["en", "zh", "zh-Hant"])
async def test_a_reader_gets_it_in_their_language(tmp_path: Path, language: str) -> None:
    async with desk(tmp_path, scenario(TAIWAN)) as app:
        run = await gone_on(app, await begun(app, "維爾莫拉大橋"))
    report = jobs.report_of(run).report(run, language)
    headings = [each.text for each, _ in report.sections() if each is not None]
    words = {"en": "What is missing", "zh": "尚缺", "zh-Hant": "尚缺"}
    assert words[language] in headings
    said = report.model_dump_json()
    assert "timeline." not in said  # no code is left without words


@pytest.mark.parametrize(
    ("language", "who"), [("en", "local file"), ("zh", "本地文件"), ("zh-Hant", "本機檔案")]
)
async def test_who_gives_another_date_is_named_in_words_with_the_date_in_every_form(
    tmp_path: Path, language: str, who: str
) -> None:
    async with desk(tmp_path, scenario()) as app:
        run = await gone_on(app, await begun(app, TOPIC))
    assert run.result is not None
    for node in run.result["nodes"]:
        for each in node["date_sources"]:
            each["publisher"] = LOCAL_FILE
    report = jobs.report_of(run).report(run, language)
    screen = io.StringIO()
    Console(file=screen, width=200).print(card(report))
    texts = {
        "md": markdown.text(report),
        "html": html.fragment(report),
        "screen": screen.getvalue(),
    }
    for form, text in texts.items():
        assert f"2023-08-14 · {who}" in text, form
        assert LOCAL_FILE not in text, form


async def test_while_it_is_made_its_events_are_shown_with_the_details_that_have_come(
    tmp_path: Path,
) -> None:
    async with desk(tmp_path, scenario()) as app:
        run = await gone_on(app, await begun(app, TOPIC))
        events = list(await app.store.journal.read(run.id))
    so_far = jobs.report_of(run).so_far
    say = words("zh")
    assert list(so_far([each for each in events if each.type == "proposal"], say)) == []
    at = next(place for place, each in enumerate(events) if each.type == "detail")
    _, shown = so_far(events[: at + 1], say)
    assert isinstance(shown, blocks.Timeline)
    skeleton = next(each for each in events if each.type == "skeleton")
    assert [each.text for each in shown.items] == [e["title"] for e in skeleton.payload["nodes"]]
    known = {each.name for each in shown.items if each.details}
    assert known <= {events[at].payload["node"]}
    _, whole = so_far(events, say)
    assert isinstance(whole, blocks.Timeline)
    assert any("8.4" in d.text or "840" in d.text for each in whole.items for d in each.details)
