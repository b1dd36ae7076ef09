"""What is planned and what has come: one notion, for the standing of an event and for telling events apart."""

from __future__ import annotations

from datetime import date

import pytest
from timeline_pages import held, read

from groundwire.jobs.timeline.plans import is_plan
from groundwire.jobs.timeline.proposal import Plan
from groundwire.jobs.timeline.skeleton import candidates_of, skeleton_of
from groundwire.jobs.timeline.threads import usual_threads

_TENTH = date(2024, 9, 10)


@pytest.mark.parametrize(
    ("text", "published", "day", "plan"),
    [
        # A report of the day where it had begun, from where it had not.
        ("Norvale released the Aurin 5 early on 10 September, Beijing time.", "2024-09-09T18:30:00Z", _TENTH, False),
        ("Norvale公司北京时间9月10日凌晨发布Aurin 5。", "2024-09-09T14:30:00-04:00", _TENTH, False),
        ("Norvale公司北京時間9月10日凌晨發表Aurin 5。", "2024-09-09T14:30:00-04:00", _TENTH, False),
        # On the page's own day.
        ("Norvale公司9月10日凌晨发布Aurin 5。", "2024-09-09T20:00:00Z", _TENTH, False),
        ("Norvale公司9月10日凌晨發表Aurin 5。", "2024-09-10T04:00:00+08:00", _TENTH, False),
        # Told as planned, or counted from the page's own day.
        ("Norvale will release the Aurin 5 on 10 September.", "2024-09-09T18:30:00Z", _TENTH, True),
        ("Norvale公司将于9月10日发布Aurin 5。", "2024-09-09T14:30:00-04:00", _TENTH, True),
        ("Norvale公司將於9月10日發表Aurin 5。", "2024-09-09T14:30:00-04:00", _TENTH, True),
        ("Norvale releases the Aurin 5 tomorrow.", "2024-09-09T18:30:00-04:00", _TENTH, True),
        ("Norvale公司明天发布Aurin 5。", "2024-09-09T14:30:00-04:00", _TENTH, True),
        # Days ahead nothing has come, however it is told.
        ("The Aurin 5 goes on sale on 20 September 2024.", "2024-09-10", date(2024, 9, 20), True),
        ("Aurin 5于9月20日发售。", "2024-09-10", date(2024, 9, 20), True),
        ("Aurin 5於9月20日開賣。", "2024-09-10", date(2024, 9, 20), True),
        # Nobody knows when it was written.
        ("The bridge will open on 3 May 2024.", "", date(2024, 5, 3), True),
        ("大桥将于2024年5月3日通车。", "", date(2024, 5, 3), True),
        ("The bridge opened on 3 May 2024.", "", date(2024, 5, 3), False),
        ("大橋已於2024年5月3日通車。", "", date(2024, 5, 3), False),
    ],
)  # fmt: skip
def test_what_is_told_as_to_come(text: str, published: str, day: date, plan: bool) -> None:
    (account,) = read(text, published).accounts
    assert is_plan(account, day) is plan


@pytest.mark.parametrize(
    ("chinese", "published"),
    [
        ("Norvale公司北京时间9月10日凌晨发布新手机Aurin 5。", "2024-09-10T04:00:00+08:00"),
        ("Norvale公司北京时间9月10日凌晨发布新手机Aurin 5。", "2024-09-09T20:00:00Z"),
        ("Norvale公司台北時間9月10日凌晨發表新手機Aurin 5。", "2024-09-09T20:00:00Z"),
    ],
)
def test_one_event_in_two_zones_has_happened_once(chinese: str, published: str) -> None:
    pages = (
        held("Norvale released its new phone, the Aurin 5, on Monday 9 September 2024.",
             "2024-09-09T20:30:00Z", "Norvale releases the Aurin 5"),
        held(chinese, published, "Norvale发布Aurin 5"),
    )  # fmt: skip
    threads = usual_threads("light", "en")
    plan = Plan(topic="Aurin 5", language="en", level="light", threads=threads)
    built = skeleton_of(plan, candidates_of(plan, pages, {}, "en", date(2024, 12, 1)))
    assert [(each.date, each.standing) for each in built.nodes] == [("2024-09-09", "happened")]
