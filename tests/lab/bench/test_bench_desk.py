"""The short version of `gw bench desk`: it runs and counts what it must; nothing is timed here."""

from __future__ import annotations

import pytest
from lab.bench.desk import DeskPlan, bench_desk
from lab.bench.visitors import Follower, PageReply, Visitor, places_in

from groundwire.errors import IllegalState

_SMALL = DeskPlan(visits=1, starts=1, events=300, followers=20, late=30)


@pytest.mark.timeout(300)
async def test_pages_events_and_a_crowd_are_measured_with_what_was_counted() -> None:
    report = await bench_desk(_SMALL)
    figures = {row.name: row for row in report.rows}
    assert all(row.value >= 0 for row in report.rows)
    for path in ("/", "/runs", "/archive", "/trust", "/costs", "/settings", "/runs/ANSWER"):
        row = figures[f"first byte of {path}"]
        assert row.value > 0
        assert " 0 kB" not in row.note  # a page, its parts, and both compressed weigh something
    assert "first byte of /runs/RUN OF 300" in figures
    assert figures["first event after submit, at the follower"].value > 0
    assert figures["a run of 300 events, all at one follower"].value > 0
    live = figures["20 follow one run, live: the end at the last after the first"]
    assert "all in order once" in live.note
    assert "600 in " in figures["20 come late to 30 events"].note
    assert figures["memory of the server: at the end"].value > 20


def test_a_follower_that_missed_something_is_no_figure() -> None:
    follower = Follower(1, "run", seqs=[1, 2, 4])
    with pytest.raises(IllegalState):
        follower.check(3)
    Follower(1, "run", seqs=[1, 2, 3]).check(3)


def _got(text: str) -> PageReply:
    return PageReply(text.encode())


def test_the_pages_are_those_of_the_navigation() -> None:
    page = _got(
        '<a href="/x">x</a><nav class="places" aria-label="Main">\n<a href="/">Desk</a>'
        '<a href="/runs" data-key="r">运行</a><a href="/runs">again</a></nav><a href="/y">y</a>'
    )
    assert places_in(page) == ("/", "/runs")
    assert places_in(_got("<p>nothing</p>")) == ()


async def test_scripts_are_weighed_with_what_they_import(monkeypatch: pytest.MonkeyPatch) -> None:
    scripts = {
        "/static/1/app.js": 'import { a } from "./keys.js";\nimport "./look.js";\nconst x = "./no.js"',
        "/static/1/keys.js": "export const a = 'x';\nexport { b } from './deep/b.js';",
        "/static/1/look.js": 'import { a } from "./keys.js";\nexport function f() { g("time[x]"); }',
        "/static/1/deep/b.js": "export const b = 1;",
    }

    async def get(_self: Visitor, path: str) -> PageReply:
        return _got(scripts[path])

    monkeypatch.setattr(Visitor, "get", get)
    page = _got(
        '<link rel="icon" href="/static/1/mark.svg"><link rel="stylesheet" href="/static/1/a.css">'
        '<script type="module" src="/static/1/app.js"></script>'
    )
    found = await Visitor(1).parts_of(page)
    assert sorted(found) == sorted(["/static/1/a.css", *scripts])
