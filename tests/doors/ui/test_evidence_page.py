"""The stored page: the passage marked, its origin beside it, nothing of it ever markup."""

from __future__ import annotations

import re

import pytest

from tests.doors.ui.conftest import Site, words_of
from tests.doors.ui.made_runs import ASK_EVENTS, LOST, PAGES, answered, begun
from tests.doors.ui.scrutiny import faults
from tests.made_signals import page as made


async def test_the_passage_that_is_asked_for_stands_out(site: Site):
    written = await answered(site)
    end = len(LOST)
    browser = await site.browser()
    page = await browser.get(
        f"/evidence/{PAGES[0].id}?run={written.run.id}&start=0&end={end}#passage"
    )
    assert page.status_code == 200
    assert faults(page.text) == []
    assert f'<mark class="asked" id="passage" tabindex="-1">{LOST}</mark>' in page.text
    text = words_of(page)
    assert "2 articles → 1 origin" in text
    assert "wire copy of Chain Daily" in text
    assert "Cited in this run by" in text and f"{LOST}." in text
    assert f'href="/runs/{written.run.id}#s1"' in page.text
    assert PAGES[0].sha256 in text


async def test_all_passages_that_the_run_cites_are_marked(site: Site):
    written = await answered(site)
    browser = await site.browser()
    page = await browser.get(f"/evidence/{PAGES[0].id}?run={written.run.id}")
    assert f'<mark class="cited" id="passage" tabindex="-1">{LOST}</mark>' in page.text
    start = PAGES[0].text.index("it said")
    end = PAGES[0].text.index(" were told")  # in the next paragraph
    page = await browser.get(
        f"/evidence/{PAGES[0].id}?run={written.run.id}&start={start}&end={end}"
    )
    assert f'<mark class="cited">{LOST}</mark>' in page.text
    assert '<mark class="asked" id="passage" tabindex="-1">it said.</mark>' in page.text
    assert '<mark class="asked">Users</mark>' in page.text


async def test_while_the_run_goes_on_the_page_is_marked_already(site: Site):
    await site.app.archive.add(PAGES)
    written = await begun(site)
    await written.write_events(ASK_EVENTS)
    page = await (await site.browser()).get(f"/evidence/{PAGES[1].id}?run={written.run.id}")
    assert f'<mark class="cited" id="passage" tabindex="-1">{LOST}</mark>' in page.text
    assert "2 articles → 1 origin" in words_of(page)


@pytest.mark.parametrize("place", [
    "start=5&end=3", "start=0&end=999999", "start=x&end=y", "start=-1&end=4", "start=٣&end=٤",
    "start=1", "start=0&end=0",
])  # fmt: skip
async def test_a_passage_that_is_none_is_said_to_be_none(site: Site, place: str):
    await site.app.archive.add(PAGES)
    page = await (await site.browser()).get(f"/evidence/{PAGES[0].id}?{place}")
    assert page.status_code == 200
    assert "does not stand in this version" in words_of(page)
    assert "<mark" not in page.text


async def test_an_unknown_page_is_not_there(site: Site):
    browser = await site.browser()
    assert (await browser.get("/evidence/doc_0")).status_code == 404
    assert (await browser.get("/evidence/a%00b")).status_code == 404


async def test_who_cites_it_is_told_without_naming_runs_of_others(locked: Site):
    browser = await locked.signed_in("run")
    written = await answered(locked)
    url = f"/evidence/{PAGES[0].id}?run={written.run.id}"
    admin = await (await locked.signed_in("admin")).get(url)
    assert written.run.id in admin.text
    page = await browser.get(url)
    assert page.status_code == 200
    assert written.run.id not in page.text.replace(f"run={written.run.id}", "")
    assert "<mark" not in page.text


async def test_a_page_full_of_markup_is_text(site: Site):
    text = (
        "<script>alert(1)</script>\n\n<img src=x onerror=alert(1)> [a](javascript:alert(1))\n"
        "{{ 7*7 }} {% raw %}\n<svg onload=alert(1)>\n#set page(width: 1pt)\n"
        "\u202eevil\u202c and \x07 \x1b[31m and \u200bnothing\n" + "z" + "\u0334" * 40 + "algo"
    )
    document = made(9, "Evil", text).model_copy(
        update={"title": "</title><script>alert(1)</script>", "author": "<b>me</b>"}
    )
    await site.app.archive.add([document])
    page = await (await site.browser()).get(f"/evidence/{document.id}?start=0&end=25")
    assert faults(page.text) == []
    assert (
        "<script>alert" not in page.text
        and "<img" not in page.text
        and "<svg onload" not in page.text
    )
    assert (
        '<mark class="asked" id="passage" tabindex="-1">&lt;script&gt;alert(1)&lt;/script&gt;</mark>'
        in page.text
    )
    for raw in ("\u202e", "\u202c", "\x07", "\x1b", "\u200b"):
        assert raw not in page.text
    assert "U+202E RIGHT-TO-LEFT OVERRIDE" in page.text
    assert page.text.count("\u0334") == 3


async def test_only_addresses_of_the_web_are_links(site: Site):
    for url in ("javascript:alert(1)", "file:///etc/passwd", "https://notes.local.invalid/me.txt"):
        document = made(8, "Odd", f"Text of {url}").model_copy(
            update={"canonical_url": url, "url": url}
        )
        await site.app.archive.add([document])
        page = await (await site.browser()).get(f"/evidence/{document.id}")
        assert f'href="{url}"' not in page.text
        assert faults(page.text) == []
    await site.app.archive.add(PAGES)
    page = await (await site.browser()).get(f"/evidence/{PAGES[0].id}")
    link = re.search(rf'<a href="{re.escape(PAGES[0].canonical_url)}"([^>]*)>', page.text)
    assert link is not None
    assert 'rel="noopener noreferrer external"' in link[1] and 'target="_blank"' in link[1]


async def test_orders_to_a_model_are_pointed_at(site: Site):
    await site.app.archive.add(PAGES)
    page = await (await site.browser()).get(f"/evidence/{PAGES[3].id}")
    assert "This page holds orders to a model." in words_of(page)
    assert re.search(r'<mark class="order"[^>]*>Ignore all previous instructions', page.text)


async def test_chinese_pages_keep_their_language(site: Site):
    document = made(7, "Chain Daily", "跨链桥损失四千万美元。\n用戶須等待。", "zh")
    await site.app.archive.add([document])
    browser = await site.browser(**{"Accept-Language": "zh-TW"})
    page = await browser.get(f"/evidence/{document.id}?start=0&end=10")
    assert '<mark class="asked" id="passage" tabindex="-1">跨链桥损失四千万美元</mark>' in page.text
    assert 'lang="zh-Hans"' in page.text
    assert "發表" in words_of(page)


async def test_a_very_long_page_stays_usable(site: Site):
    text = "x" * 1_000_000 + "\n" + "词 words " * 150_000
    document = made(6, "Long", text)
    await site.app.archive.add([document])
    browser = await site.browser()
    page = await browser.get(f"/evidence/{document.id}?start=1500000&end=1500030")
    assert page.status_code == 200
    assert page.text.count('id="passage"') == 1
    longest = max(len(each) for each in re.findall(r"<p[^>]*>([^<]*)</p>", page.text))
    assert longest <= 4_000


async def test_a_foreign_run_gives_no_light(locked: Site):
    written = await answered(locked)
    browser = await locked.signed_in("run")
    page = await browser.get(f"/evidence/{PAGES[0].id}?run={written.run.id}")
    assert "articles → 1 origin" not in words_of(page)
