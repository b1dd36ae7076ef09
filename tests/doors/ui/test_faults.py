"""Errors are pages for browsers and problems for programs."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx2
import pytest
from fastapi import APIRouter

from groundwire.doors.api.application import create, guarded
from groundwire.doors.ui.render import error_page
from groundwire.errors import Forbidden, GroundwireError, SignInNeeded, StoreBusy, TooMany
from tests.doors.ui.conftest import HOST, HTML, Site, words_of

ERRORS: dict[str, Exception] = {
    "forbidden": Forbidden("this needs the scope admin"),
    "busy": StoreBusy("the database /home/me/gw.db is locked"),
    "many": TooMany("too often", retry_after=7),
    "token": SignInNeeded(),
    "ours": GroundwireError("the wire is cut"),
    "bug": ZeroDivisionError("secret detail"),
}


@pytest.fixture
async def failing(site: Site) -> AsyncIterator[httpx2.AsyncClient]:
    """A desk with pages that fail."""
    router = APIRouter()

    @router.get("/fail/{name}")
    async def fail(name: str) -> None:
        raise ERRORS[name]

    api = create(site.desk, more=[router])
    api.state.error_page = error_page
    transport = httpx2.ASGITransport(guarded(api, site.desk, ()), raise_app_exceptions=False)
    async with httpx2.AsyncClient(transport=transport, base_url=HOST) as client:
        yield client


@pytest.mark.parametrize(
    ("name", "status", "en", "zh"),
    [
        ("forbidden", 403, "This is not allowed here", "此处不允许这样做"),
        ("busy", 503, "The store cannot be reached just now", "暂时无法访问存储"),
        ("many", 429, "That was too often", "请求过于频繁"),
        ("ours", 500, "Something went wrong here", "出了差错"),
        ("bug", 500, "Something went wrong here", "出了差错"),
    ],
)
async def test_a_browser_gets_a_page_in_its_language(
    failing: httpx2.AsyncClient, name: str, status: int, en: str, zh: str
):
    for language, expected, next_step in (("en", en, "To the desk"), ("zh", zh, "回到工作台")):
        page = await failing.get(f"/fail/{name}", headers={**HTML, "Accept-Language": language})
        assert page.status_code == status
        assert page.headers["content-type"].startswith("text/html")
        assert expected in words_of(page)
        assert next_step in words_of(page)
        assert "secret detail" not in page.text
        assert "/home/me" not in page.text
    plain = await failing.get(f"/fail/{name}", headers={"Accept": "application/json"})
    assert plain.headers["content-type"] == "application/problem+json"
    assert plain.json()["status"] == status


async def test_what_to_do_next_comes_with_it(failing: httpx2.AsyncClient):
    assert (await failing.get("/fail/many", headers=HTML)).headers["retry-after"] == "7"
    answer = await failing.get("/fail/token", headers=HTML)
    assert (answer.status_code, answer.headers["location"]) == (
        303,
        "/sign-in?next=%2Ffail%2Ftoken",
    )
    assert "this needs the scope admin" in words_of(
        await failing.get("/fail/forbidden", headers=HTML)
    ).replace("This needs", "this needs")


async def test_an_address_with_nothing_at_it(browser: httpx2.AsyncClient):
    page = await browser.get("/nowhere/<b>")
    assert page.status_code == 404
    assert "There is no such page" in words_of(page)
    assert "<b>" not in page.text
    for path in ("/api/nowhere", "/healthz/x"):
        answer = await browser.get(path)
        assert answer.headers["content-type"] == "application/problem+json", path


async def test_a_value_that_no_page_takes(browser: httpx2.AsyncClient):
    page = await browser.get("/runs?cursor=%00%00")
    assert page.status_code == 422
    assert "This cannot be done as asked" in words_of(page)
    assert (await browser.get("/runs?q=" + "a" * 300)).status_code == 422
