"""The desk page and the list of runs."""

from __future__ import annotations

import re
from itertools import pairwise

import httpx2
import pytest

from groundwire.model.access import Caller
from tests.doors.ui.conftest import Site, csrf_of, words_of
from tests.doors.ui.made_runs import begun

OTHER_CALLER = Caller(id="tk_other", name="other", scope="run")


async def test_the_first_visit_has_a_next_step(site: Site):
    browser = await site.browser()
    page = await browser.get("/")
    assert "The archive is empty." in words_of(page)
    assert "No message was verified yet." in words_of(page)
    assert "No question was asked yet." in words_of(page)
    assert (await browser.post("/desk/sample", data={"csrf": ""})).status_code == 403
    assert (await site.app.store.index.stats()).documents == 0
    answer = await browser.post("/desk/sample", data={"csrf": csrf_of(page)})
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    page = await browser.get("/")
    assert "The archive is empty." not in words_of(page)
    assert "208 documents" in words_of(page)


async def test_only_an_admin_fills_the_archive(locked: Site):
    browser = await locked.signed_in("run")
    page = await browser.get("/")
    assert "Load the sample archive" not in words_of(page)
    assert "Somebody with an admin token can fill it." in words_of(page)
    answer = await browser.post("/desk/sample", data={"csrf": csrf_of(page)})
    assert answer.status_code == 403


async def test_what_goes_on_is_told_in_a_line(site: Site):
    run = await site.queued("ask", {"question": "<script>alert(1)</script> & why?"})
    browser = await site.browser()
    for path in ("/", "/desk/now", "/runs"):
        page = await browser.get(path)
        assert "queued" in words_of(page)
        assert f'href="/runs/{run.id}"' in page.text
        assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; why?" in page.text
        assert "<script>alert" not in page.text
    await site.app.engine.cancel(run.id)
    assert (await browser.get("/desk/now")).text.strip() == ""


async def test_one_sees_ones_own_runs(locked: Site):
    await locked.queued("ask", {"question": "Whose question is this?"}, OTHER_CALLER)
    for scope, seen in (("run", False), ("read", False), ("admin", True)):
        browser = await locked.signed_in(scope)
        for path in ("/", "/desk/now", "/runs", "/runs?q=whose"):
            assert ("Whose question" in words_of(await browser.get(path))) is seen, (scope, path)


async def test_results_stand_on_the_desk_in_each_language(site: Site):
    await site.app.archive.add_sample()
    ask_run = await site.app.submit("ask", {"question": "USDC 在 2023 年 3 月为什么脱锚？"})
    checked = await site.app.submit(
        "verify", {"text": "Circle confirms $3.3 billion of USDC reserves remain at SVB"}
    )
    for run in (ask_run, checked):
        assert (await site.app.finished(run.id)).state in ("complete", "degraded")
    browser = await site.browser()
    for language, signals, origins in (
        ("en", "Signals", "origins"),
        ("zh", "信号", "个独立来源"),
        ("zh-Hant", "訊號", "個獨立來源"),
    ):
        browser.cookies.set("gw_language", language)
        for path in ("/", "/desk/parts"):
            page = await browser.get(path)
            seen = words_of(page)
            assert signals in seen
            assert origins in seen
            assert "USDC 在 2023 年 3 月为什么脱锚？" in seen
            assert "Circle confirms $3.3 billion" in seen
            assert re.search(r'class="verdict" data-verdict="\w+">[^<]+<', page.text)
            assert re.search(r'class="fill" width="\d+\.\d\d"', page.text)
        listed = await browser.get("/runs?kind=verify")
        assert f'href="/runs/{checked.id}"' in listed.text
        assert ask_run.id not in listed.text
        assert 'data-verdict="' in listed.text


@pytest.fixture
async def many(site: Site) -> Site:
    for number in range(65):
        await site.queued("ask", {"question": f"Question number {number:03d}?"})
    await site.queued("verify", {"text": "第一条消息：50% 的 A_B"})
    return site


async def test_the_list_is_leafed_through(many: Site):
    browser = await many.browser()
    seen: list[str] = []
    path: str | None = "/runs?kind=ask"
    while path is not None:
        page = await browser.get(path)
        seen += re.findall(r"Question number (\d+)\?</a>", page.text)
        found = re.search(r'href="([^"]+)" rel="next"', page.text)
        path = None if found is None else found[1].replace("&amp;", "&")
    assert len(seen) == len(set(seen)) == 65
    assert all(later >= earlier for later, earlier in pairwise(seen))


async def test_the_list_is_filtered(many: Site):
    browser = await many.browser()

    async def rows(query: str) -> int:
        page = await browser.get(f"/runs?{query}")
        assert page.status_code == 200
        return page.text.count("<tr data-row>")

    assert await rows("q=NUMBER 012") == 1
    assert await rows("q=一条") == 1
    assert await rows("q=50%25") == 1  # a sign, no pattern
    assert await rows("q=a_b") == 1
    assert await rows("kind=verify") == 1
    assert await rows("kind=verify&state=queued") == 1
    assert await rows("kind=verify&state=complete") == 0
    assert await rows("kind=nothing&state=nothing") == 30  # what is no filter filters nothing
    page = await browser.get("/runs?q=zzz")
    assert "No run is like that." in words_of(page)
    assert 'value="zzz"' in page.text


async def test_an_empty_list_says_where_to_begin(browser: httpx2.AsyncClient):
    assert "There are no runs yet." in words_of(await browser.get("/runs"))


@pytest.mark.parametrize(
    ("kind", "given", "result"),
    [
        ("ask", {"question": "Did the old bridge fall?"}, {"answer": "yes", "gaps": ["a"]}),
        ("verify", {"text": "BREAKING: the old bridge fell"}, {"verdict": {}, "message": "old"}),
    ],
)
async def test_a_result_of_another_version_is_shown_plainly_everywhere(
    site: Site, kind: str, given: dict[str, object], result: dict[str, object]
):
    written = await begun(site, kind, given)
    await written.end("complete", {"evidence": [{"id": "e"}], **result})
    run = written.run
    browser = await site.browser()
    for path in ("/", "/desk/parts", "/runs", f"/runs/{run.id}", f"/runs/{run.id}/parts"):
        page = await browser.get(path)
        assert page.status_code == 200, path
        assert "he old bridge f" in words_of(page), path
    assert "stored by another version" in words_of(await browser.get("/"))
    for form in ("md", "html", "pdf", "docx", "json", "csv", "bundle"):
        found = await browser.get(f"/api/runs/{run.id}/export?format={form}")
        assert found.status_code == 200, (form, found.text)
    if kind == "verify":
        assert (await browser.get(f"/api/runs/{run.id}/export?format=png")).status_code == 409
        assert "format=png" not in (await browser.get(f"/runs/{run.id}")).text
