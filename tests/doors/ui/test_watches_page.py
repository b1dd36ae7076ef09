"""Watches on pages, without a script: made, looked at over time, paused, removed; news on the desk."""

from __future__ import annotations

from datetime import UTC, datetime

import httpx2
import pytest

from groundwire.app.schedule_views import Spending, Terms
from groundwire.model.schedule import Schedule
from groundwire.words import words
from tests.doors.ui.conftest import Site, csrf_of, words_of


async def _kept(site: Site, text: str = "one two", **given: object) -> Schedule:
    usd = Spending(month=5)
    terms = Terms(schedule="每天 9点", to=("webhook:https://hooks.example/x",), budgets_usd=usd)
    return await site.app.schedules.add("echo", {"words": text, **given}, terms)


async def _run(site: Site, kept: Schedule, day: int) -> str:
    moment = datetime(2026, 3, day, 12, tzinfo=UTC)
    return (await site.app.ended((await site.app.schedules.run(kept, at=moment)).id)).id


async def _send(browser: httpx2.AsyncClient, path: str, **form: str) -> httpx2.Response:
    csrf = csrf_of(await browser.get("/watches"))
    return await browser.post(path, data={"csrf": csrf, **form})


@pytest.mark.parametrize("language", ["en", "zh", "zh-Hant"])
async def test_one_is_made_shown_paused_and_removed(site: Site, language: str) -> None:
    browser, say = await site.browser(), words(language)
    browser.cookies.set("gw_language", language)
    empty = words_of(await browser.get("/watches"))
    assert say("schedule.none") in empty
    text = "DeepSeek 有什么新消息"
    made = await _send(browser, "/watches", text=text, schedule="每6小時", zone="UTC")
    assert made.status_code == 303, made.text
    path = made.headers["location"]
    shown = words_of(await browser.get(path))
    assert text in shown
    assert say("watches.not_run") in shown
    listed = words_of(await browser.get("/watches"))
    assert text in listed
    assert say("schedule.nobody") in listed  # no desk starts it in this test
    for act, code in (("pause", "watches.resume"), ("resume", "watches.pause")):
        answer = await _send(browser, f"{path}/act", act=act)
        assert answer.headers["location"] == path
        assert say(code) in words_of(await browser.get(path))
    gone = await _send(browser, f"{path}/act", act="remove")
    assert gone.headers["location"] == "/watches"
    assert (await browser.get(path)).status_code == 404


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"schedule": "every 1s"}, "once a minute"),
        ({"schedule": "0 0 30 2 *"}, "never comes"),
        ({"schedule": "every 6h", "zone": "Mars"}, "time zone"),
        ({"schedule": "every 6h", "quiet": "night"}, "quiet hours"),
        ({"schedule": "every 6h", "to": "pigeon:x"}, "pigeon"),
        ({"schedule": "every 6h", "month_usd": "lots"}, "budget"),
    ],
)
async def test_what_cannot_be_kept_is_said_beside_what_was_typed(
    site: Site, form: dict[str, str], said: str
) -> None:
    browser = await site.browser()
    answer = await _send(browser, "/watches", text="a story that goes on", **form)
    assert answer.status_code == 422
    assert said in words_of(answer)
    assert 'value="a story that goes on"' in answer.text
    assert await site.app.schedules.listed() == []


@pytest.mark.parametrize(
    ("language", "condition"),
    [("en", "price < 2"), ("zh", "价格低于 2"), ("zh-Hant", "價格低於 2")],
)
async def test_what_it_looks_for_and_where_is_typed_and_shown(
    site: Site, language: str, condition: str
) -> None:
    browser, say = await site.browser(), words(language)
    browser.cookies.set("gw_language", language)
    asked = {"conditions": condition, "platforms": "news, hackernews", "days": "30"}
    asked |= {"review": "true", "language": "zh-Hant", "run_usd": "0.5", "day_usd": "2"}
    made = await _send(browser, "/watches", text="DeepSeek", schedule="every 6h", **asked)
    assert made.status_code == 303, made.text
    (line,) = await site.app.schedules.listed()
    given = line.schedule.input
    assert (given["conditions"], given["platforms"]) == ([condition], ["news", "hackernews"])
    assert (given["days"], given["review"], given["language"]) == (30, True, "zh-Hant")
    assert line.schedule.budgets == {"run": 500_000, "day": 2_000_000}
    listed = words_of(await browser.get("/watches"))
    assert f"{say('watch.field.conditions')}{say('list.colon')}{condition}" in listed
    assert f"{say('watch.field.review')}{say('list.colon')}{say('report.label.yes')}" in listed
    shown = words_of(await browser.get(made.headers["location"]))
    assert say("watch.field.conditions") in shown
    assert condition in shown
    refused = await _send(
        browser, "/watches", text="DeepSeek", schedule="every 6h", conditions="soon"
    )
    assert refused.status_code == 422
    assert say("watch.input.condition", text="soon") in words_of(refused)
    assert 'value="soon"' in refused.text


async def test_the_slider_shows_what_was_believed_then(echo: None, site: Site) -> None:
    kept = await _kept(site)
    first = await _run(site, kept, 1)
    last = await _run(site, kept.model_copy(update={"input": {"words": "three", "loud": True}}), 3)
    browser = await site.browser()
    newest = await browser.get(f"/watches/{kept.id}")
    assert last in newest.text
    assert "THREE" in words_of(newest)
    assert 'max="1" value="1"' in newest.text
    for query in ("?at=0", "?day=2026-03-02", "?day=2026-03-01"):
        then = await browser.get(f"/watches/{kept.id}{query}")
        assert f'href="/runs/{first}"' in then.text
        assert "one two" in words_of(then).partition(words("en")("watches.believed"))[2]
    before = words_of(await browser.get(f"/watches/{kept.id}?day=2025-01-01"))
    assert "nothing was believed by 2025-01-01" in before
    assert "$0.00 / $5.00" in words_of(newest)
    assert "webhook:https://hooks.example/x" in words_of(newest)


async def test_the_desk_tells_what_changed_until_the_reader_has_looked(
    echo: None, site: Site
) -> None:
    kept = await _kept(site, "hear", loud=True)
    await _run(site, kept, 1)
    browser = await site.browser()
    unseen = words("en")("watches.unseen")
    assert unseen in words_of(await browser.get("/"))
    await browser.get(f"/watches/{kept.id}")
    assert unseen not in words_of(await browser.get("/"))


async def test_a_finished_run_is_turned_into_one(echo: None, site: Site) -> None:
    run = await site.app.ended((await site.app.submit("echo", {"words": "again"})).id)
    browser = await site.browser()
    shown = await browser.get(f"/runs/{run.id}")
    assert words("en")("watches.turn") in words_of(shown)
    refused = await _send(browser, "/watches", run=run.id, schedule="never")
    assert refused.status_code == 422
    assert "does not say how often" in words_of(refused)
    made = await _send(browser, "/watches", run=run.id, schedule="every 6h", zone="")
    assert made.status_code == 303
    (line,) = await site.app.schedules.listed()
    assert (line.schedule.kind, line.runs) == ("echo", 1)


async def test_while_it_looks_it_does_not_look_twice(echo: None, site: Site) -> None:
    kept = await _kept(site)
    await site.app.store.schedules.adopt((await site.queued("echo", {"words": "x"})).id, kept.id)
    answer = await _send(await site.browser(), f"/watches/{kept.id}/act", act="run")
    assert answer.status_code == 409
    assert "still goes on" in words_of(answer)


async def test_those_of_others_do_not_exist_and_readers_change_nothing(
    echo: None, locked: Site
) -> None:
    kept = await _kept(locked)
    other = await locked.signed_in("run", name="mei")
    assert (await other.get(f"/watches/{kept.id}")).status_code == 404
    assert (await _send(other, f"/watches/{kept.id}/act", act="remove")).status_code == 404
    reader = await locked.signed_in("read", name="li")
    assert words("en")("watches.make") not in words_of(await reader.get("/watches"))
    denied = await _send(reader, "/watches", text="x y z", schedule="every 6h")
    assert denied.status_code == 403
    root = await locked.signed_in("admin", name="root")
    forged = await root.post(f"/watches/{kept.id}/act", data={"act": "remove"})
    assert forged.status_code == 403
    assert len(await locked.app.schedules.listed()) == 1
