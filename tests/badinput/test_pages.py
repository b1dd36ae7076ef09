"""Pages as the web has them: read into the archive, or refused with a reason and kept out of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from lab.stubs.launch import Stubs

from groundwire.app import open_app
from groundwire.doors.cli.card import code_of
from groundwire.jobs.sections import Settings
from groundwire.words import words

from .conftest import Door


@pytest.fixture
def settings(tmp_path: Path, online: dict[str, str]):
    env = {**online, "GROUNDWIRE_HOME": str(tmp_path / "data"), "HOME": str(tmp_path)}
    return Settings.load({}, tmp_path, env)


@pytest.mark.parametrize(
    ("path", "code", "says"),
    [
        ("/soft-404", "unreadable", "soft 404"),
        ("/consent", "unreadable", "consent wall"),
        ("/shell", "unreadable", "empty shell"),
        ("/hop/6", "unreadable", "redirects more than"),
        ("/loop", "unreadable", "redirects more than"),
        ("/to-private", "address", "10.0.0.1"),
        ("/to-metadata", "address", "metadata"),
        ("/to-file", "address", "file"),
        ("/bomb", "too_large", "unpacks"),
        ("/huge", "too_large", "bytes"),
        ("/html-as-json", "unreadable", "application/json"),
        ("/garbage", "unreadable", "binary"),
        ("/broken.pdf", "unreadable", "PDF is damaged"),
        ("/gone", "not_found", "410"),
        ("/nowhere", "not_found", "404"),
    ],
)
async def test_a_page_that_cannot_be_read_is_a_failure_with_its_reason(
    settings, stubs: Stubs, path: str, code: str, says: str
):
    async with open_app(settings) as app:
        run = await app.tool("read", url=stubs.page("odd.example", path))
        assert run.result is not None
        error = run.result["error"]
        assert (error["code"], run.state, await code_of(app, run)) == (code, "failed", 4)
        assert says in words("en").failure(error)
        assert (await app.store.index.stats()).documents == 0


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("/broken", "Wells notice"),
        ("/hop/3", "Wells notice"),
        ("/pdf-as-html", "Wells notice"),
        ("/report-1.pdf", "Wells notice"),
        ("/gzip", "硅谷银行"),
        ("/no-type", "硅谷银行"),
        ("/notes-gb.txt", "硅谷银行"),
        ("/gb18030-header", "硅谷银行"),
        ("/gb18030-meta", "硅谷银行"),
        ("/gb18030-bare", "硅谷银行"),
        ("/big5", "稳定币USDC"),
    ],
)
async def test_a_page_in_an_odd_form_is_read(settings, stubs: Stubs, path: str, text: str):
    async with open_app(settings) as app:
        run = await app.tool("read", url=stubs.page("odd.example", path))
        assert run.state == "complete", run.result
        assert run.result is not None
        document = run.result["output"]["document"]
        assert text in document["title"] + document["text"]
        assert "&#" not in document["title"]
        assert (await app.store.index.stats()).documents == 1


@pytest.mark.parametrize(
    ("url", "code", "says"),
    [
        ("http://127.0.0.1/x", 4, "not a public address"),
        ("http://169.254.169.254/latest", 4, "metadata"),
        ("http://2130706433/", 4, "disguised"),
        ("http://user:planted-secret@192.0.2.1/", 2, "password"),  # never becomes a run
        ("http://192.0.2.1:22/", 4, ""),
    ],
)
def test_an_address_that_is_not_asked(empty: Door, url: str, code: int, says: str):
    result = empty("read", url, GROUNDWIRE_OFFLINE="")
    assert result.code == code
    assert says in result.err
    assert "planted-secret" not in result.err
    assert "→" in result.err


def test_a_page_that_failed_is_read_by_resume_once_it_is_there(
    empty: Door, online: dict[str, str], stubs: Stubs
):
    from lab.stubs import faults

    stubs.faults(faults.error())
    result = empty("read", stubs.page("odd.example", "/gzip"), **online)
    assert result.code == 4
    assert "500" in result.err
    assert "gw resume last" in result.err
    stubs.reset()
    assert empty("resume", "last", **online).code == 0
    page = "/p/odd.example/gzip"
    assert [call.path for call in stubs.log()] == ["/robots.txt", page]  # both had failed
