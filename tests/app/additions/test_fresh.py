"""Reading again: the site is asked, and a stored copy is used only where it may be, and says so."""

from __future__ import annotations

from typing import Any

import pytest

from groundwire.app import App
from groundwire.app.exports import replay_run
from groundwire.model.base import JsonObject
from groundwire.model.run import Run
from tests.app.additions.site import Site, page

KEPT = {"ETag": '"1"'}
DATED = {"Last-Modified": "Sat, 01 Aug 2026 10:00:00 GMT"}
LASTING = {"Cache-Control": "max-age=86400"}


async def read(app: App, url: str, **more: Any) -> Run:
    return await app.tool("read", url=url, **more)


def output(run: Run) -> JsonObject:
    assert run.result is not None
    assert run.result.get("error") is None, run.result["error"]
    return run.result["output"]


def tried(run: Run) -> list[tuple[str, str, str]]:
    return [(each["error"], each["tried"], each["outcome"]) for each in output(run)["recoveries"]]


async def test_what_may_still_be_used_is_asked_for_again(app: App, site: Site) -> None:
    url = site.give("/a", page("First"), **LASTING)
    await read(app, url)
    site.give("/a", page("Second"), **LASTING)
    kept, fresh = await read(app, url), await read(app, url, fresh=True)
    assert output(kept)["document"]["title"] == "First"
    assert output(fresh)["document"]["title"] == "Second"
    assert "stored" not in output(fresh)["flags"]
    assert site.pages() == ["/a", "/a"]
    # What was read last is what the others share from now on.
    assert output(await read(app, url))["document"]["title"] == "Second"


@pytest.mark.parametrize("validators", [KEPT, DATED])
async def test_an_unchanged_page_is_the_stored_copy(
    app: App, site: Site, validators: dict[str, str]
) -> None:
    url = site.give("/a", page("First"), **LASTING, **validators)
    first = output(await read(app, url))
    again = await read(app, url, fresh=True)
    assert site.pages() == ["/a", "/a"]
    assert output(again)["document"]["id"] == first["document"]["id"]
    assert "stored" in output(again)["flags"]
    assert tried(again) == []
    assert "stored" not in output(await read(app, url))["flags"]


@pytest.mark.parametrize(
    ("status", "code"), [(500, "server"), (410, "not_found"), (403, "refused")]
)
async def test_a_site_that_fails_gives_the_stored_copy_and_says_so(
    app: App, site: Site, status: int, code: str
) -> None:
    url = site.give("/a", page("First"))
    await read(app, url)
    site.give("/a", b"Oops", status=status)
    again = await read(app, url, fresh=True)
    assert output(again)["document"]["title"] == "First"
    assert "stored" in output(again)["flags"]
    retried = [(code, "retry", "failed")] if status == 500 else []
    assert tried(again) == [*retried, (code, "stored", "worked")]
    assert (await replay_run(app, again)).identical


async def test_nothing_stored_is_the_failure_itself(app: App, site: Site) -> None:
    run = await read(app, site.give("/a", b"Oops", status=410), fresh=True)
    assert run.result is not None
    assert (run.state, run.result["error"]["code"]) == ("failed", "not_found")


async def test_what_is_forbidden_is_not_made_up_for(app: App, site: Site) -> None:
    url = site.give("/a", page("First"))
    await read(app, url, ignore_robots=True)
    site.give("/robots.txt", "User-agent: *\nDisallow: /", "text/plain")
    run = await read(app, url, fresh=True)
    assert run.result is not None
    assert run.result["error"]["code"] == "robots"


async def test_a_retry_that_worked_is_in_the_record(app: App, site: Site) -> None:
    url = site.give("/a", page("First"))
    site.answers["/a"].failures = 1
    run = await read(app, url)
    assert tried(run) == [("server", "retry", "worked")]
    calls = await app.store.ledger.records(run.id)
    (call,) = [each for each in calls if each.provider == "web"]
    assert (call.outcome, call.error, call.tries) == ("ok", None, 2)
    assert call.overcome is not None
    assert call.overcome.code == "server"


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ({"body": b"Forbidden", "status": 403}, "refused"),
        ({"body": b"pay", "status": 402}, "refused"),
        ({"body": b"x", "status": 403, "cf_mitigated": "challenge"}, "captcha"),
        ({"body": page("Just a moment...", "Checking your browser.")}, "captcha"),
        ({"body": page("安全验证", "请完成下方验证后继续访问")}, "captcha"),
        (
            {"body": b"<html><body><div id=app></div><script src=a.js></script></body></html>"},
            "unreadable",
        ),
    ],
)
async def test_kinds_of_failure_stay_apart(
    app: App, site: Site, answer: dict[str, Any], code: str
) -> None:
    run = await read(app, site.give("/a", **answer))
    assert run.result is not None
    assert run.result["error"]["code"] == code
