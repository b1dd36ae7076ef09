"""Signing in and out: one answer for every wrong token, no way elsewhere, nothing kept."""

from __future__ import annotations

import re

import httpx2
import pytest

from groundwire.doors.api.door import Pace
from tests.doors.ui.conftest import Site, csrf_of, words_of

WRONG = "This token opens nothing here."


async def test_a_page_asks_for_a_session_and_leads_back(locked: Site):
    browser = await locked.browser()
    for path, location in (
        ("/", "/sign-in"),
        ("/runs?kind=ask", "/sign-in?next=%2Fruns%3Fkind%3Dask"),
        ("/desk/now", "/sign-in"),
    ):
        answer = await browser.get(path)
        assert (answer.status_code, answer.headers["location"]) == (303, location)
    scripts = await browser.get("/command/guess?text=a", headers={"Accept": "application/json"})
    assert (scripts.status_code, scripts.json()["hint"]) == (401, "load the page again")
    made = await locked.app.access.create("one")
    form = await browser.get("/sign-in?next=%2Fruns%3Fkind%3Dask")
    assert 'value="/runs?kind=ask"' in form.text
    given = {"token": f" {made.secret}\n", "next": "/runs?kind=ask"}
    answer = await browser.post("/sign-in", data=given)
    assert (answer.status_code, answer.headers["location"]) == (303, "/runs?kind=ask")
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "samesite=strict" in cookie.lower()
    assert made.secret not in cookie
    assert (await browser.get("/runs?kind=ask")).status_code == 200


async def test_every_wrong_token_is_told_the_same(locked: Site, capfd: pytest.CaptureFixture[str]):
    gone = await locked.app.access.create("gone")
    await locked.app.access.revoke("gone")
    made = await locked.app.access.create("one")
    browser = await locked.browser()
    texts: set[str] = set()
    for token in (gone.secret, made.secret[:-1], "gw_nobody", "", "x" * 300, "甲\0"):
        page = await browser.post("/sign-in", data={"token": token, "next": "/runs"})
        assert page.status_code == 401
        assert "set-cookie" not in page.headers
        assert token == "" or token not in page.text
        texts.add(words_of(page))
    assert len(texts) == 1
    assert WRONG in texts.pop()
    await browser.post("/sign-in", data={"token": made.secret})
    output = "".join(capfd.readouterr())
    stored = b"".join(each.read_bytes() for each in locked.app.settings.data_home().iterdir())
    for secret in (gone.secret, made.secret):
        assert secret not in output
        assert secret.encode() not in stored


@pytest.mark.parametrize(
    "target", ["//evil.example", "https://evil.example", "/\\evil.example", "/sign-in?next=/runs"]
)
async def test_nobody_is_sent_elsewhere(locked: Site, target: str):
    made = await locked.app.access.create("one")
    browser = await locked.browser()
    form = await browser.get("/sign-in", params={"next": target})
    signing = form.text.partition('action="/sign-in">')[2]
    assert re.findall(r'name="next" value="([^"]*)"', signing) == ["/"]
    answer = await browser.post("/sign-in", data={"token": made.secret, "next": target})
    assert answer.headers["location"] == "/"


async def test_tries_are_counted(locked: Site):
    time = [0.0]
    locked.desk.pace = Pace(lambda: time[0])
    made = await locked.app.access.create("one")
    browser = await locked.browser()
    for _ in range(10):
        assert (await browser.post("/sign-in", data={"token": "gw_x"})).status_code == 401
    page = await browser.post("/sign-in", data={"token": made.secret})
    assert page.status_code == 429
    assert int(page.headers["retry-after"]) > 0
    assert "Too many tries" in words_of(page)
    time[0] = 60.0
    assert (await browser.post("/sign-in", data={"token": made.secret})).status_code == 303


async def test_signing_out_ends_the_session(locked: Site):
    browser = await locked.signed_in()
    cookie = browser.cookies["gw_session"]
    csrf = csrf_of(await browser.get("/"))
    for wrong in ({"csrf": ""}, {"csrf": "0" * 64}, {"csrf": "é"}):
        assert (await browser.post("/sign-out", data=wrong)).status_code == 403
    assert (await browser.get("/")).status_code == 200
    answer = await browser.post("/sign-out", data={"csrf": csrf})
    assert (answer.status_code, answer.headers["location"]) == (303, "/sign-in")
    browser.cookies.set("gw_session", cookie)
    assert (await browser.get("/")).status_code == 303


async def test_a_new_session_takes_the_place_of_the_old(locked: Site):
    browser = await locked.signed_in("run")
    before = browser.cookies["gw_session"]
    made = await locked.app.access.create("other", scope="admin")
    await browser.post("/sign-in", data={"token": made.secret})
    assert browser.cookies["gw_session"] != before
    assert await locked.app.access.visitor(before) is None


async def test_a_revoked_token_ends_its_pages(locked: Site):
    browser = await locked.signed_in("run", "one")
    assert (await browser.get("/runs")).status_code == 200
    await locked.app.access.revoke("one")
    assert (await browser.get("/runs")).headers["location"] == "/sign-in?next=%2Fruns"


async def test_at_home_no_token_is_needed(browser: httpx2.AsyncClient):
    page = await browser.get("/")
    assert page.status_code == 200
    assert "Sign out" not in words_of(page)
    assert "no token is needed" in words_of(await browser.get("/sign-in"))
    csrf = csrf_of(page)
    assert csrf_of(await browser.get("/runs")) == csrf  # the session goes on
