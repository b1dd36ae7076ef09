"""The page of a run: complete for what is stored, whatever its job and its state."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

import httpx2
import pytest

from groundwire.jobs import about
from groundwire.model.access import Caller
from groundwire.model.base import Json, JsonObject
from groundwire.model.phrase import phrase
from groundwire.model.result import Sentence
from groundwire.model.run import NewRun
from tests.doors.ui.conftest import Site, words_of
from tests.doors.ui.made_runs import (
    ASK_EVENTS,
    LOST,
    PAGES,
    QUESTION,
    Written,
    answer,
    answered,
    begun,
    cited,
)
from tests.doors.ui.made_runs import view as evidence_view
from tests.doors.ui.scrutiny import faults
from tests.made_signals import contradicted, plain, supported
from tests.made_signals import pages as signal_pages

HOSTILE = (
    '</script><script>alert(1)</script><img src=x onerror=alert(1)> {{ 7*7 }} "onmouseover="x'
    " javascript:alert(1) \u202eevil\x07 \x1b[31m"
)
STORY = re.compile(r'<script type="application/json" id="story-data">(.*?)</script>', re.DOTALL)


def story_of(page: httpx2.Response) -> JsonObject:
    found = STORY.search(page.text)
    assert found is not None
    return json.loads(found[1])


def steps_of(page: httpx2.Response) -> dict[str, str]:
    return dict(re.findall(r'data-step="(\w+)" data-state="(\w+)"', page.text))


def clean(page: httpx2.Response) -> list[str]:
    """List what our policy would refuse; the data that the script continues from is no script."""
    return faults(STORY.sub("", page.text))


async def test_an_answer_is_shown_with_all_that_it_rests_on(site: Site):
    written = await answered(site)
    page = await (await site.browser()).get(written.path)
    text = words_of(page)
    assert page.status_code == 200
    assert clean(page) == []
    assert f"{LOST}." in text
    assert "5 articles → 4 origins" in text
    assert "2 articles → 1 origin" in text
    assert "Coin Wire" in text and "wire copy of Chain Daily" in text
    assert "cited by 2 sentences" in text  # in the answer and among the contested
    assert "What is missing who did it — no page says so" in text
    assert "Unsupported, kept apart" in text and "It was a plot. — no quote says so" in text
    assert "It supports nothing here and is never a citation." in text
    assert "Flagged, set apart 1" in text
    assert "Read, not cited 1" in text and "Quiet News" in text
    assert steps_of(page) == dict.fromkeys(
        ("plan", "search", "read", "weigh", "write", "check"), "done"
    )


async def test_a_mark_leads_to_the_passage_and_describes_its_quote(site: Site):
    written = await answered(site)
    page = await (await site.browser()).get(written.path)
    first = cited(PAGES[0], LOST)
    href = (
        f"/evidence/{PAGES[0].id}?run={written.run.id}&amp;start={first.start}"
        f"&amp;end={first.end}#passage"
    )
    mark = re.search(
        r'<a class="cite" data-tier="trade" href="([^"]+)" data-card="([^"]+)"', page.text
    )
    assert mark is not None
    assert mark[1] == href
    card = page.text.partition(f'<div id="{mark[2]}"')[2].partition("\n</div>")[0]
    assert LOST in card and "Chain Daily" in card and "2026-11-10" in card
    assert "1 of 2 articles of one origin, led by Chain Daily" in card
    assert f'aria-describedby="{mark[2]}"' in page.text


@pytest.mark.parametrize(("language", "words"), [
    ("en", ("Story", "Evidence", "What is missing")),
    ("zh-CN", ("经过", "证据", "尚缺", "5 篇文章 → 4 个独立来源")),
    ("zh-TW", ("經過", "證據", "尚缺", "5 篇文章 → 4 個獨立來源")),
])  # fmt: skip
async def test_the_page_speaks_the_readers_language_and_the_result_its_own(
    site: Site, language: str, words: tuple[str, ...]
):
    written = await answered(site)
    page = await (await site.browser(**{"Accept-Language": language})).get(written.path)
    assert [each for each in words if each not in words_of(page)] == []
    assert f'<h1 id="run-title" lang="en" dir="auto">{QUESTION}</h1>' in page.text


async def test_what_is_told_so_far_is_shown_while_it_goes_on(site: Site):
    await site.app.archive.add(PAGES)
    written = await begun(site)
    browser = await site.browser()
    page = await browser.get(written.path)
    assert 'data-seq="0"' in page.text
    assert "data-over" not in page.text.partition("<article")[2].partition(">")[0]
    assert "Load it again to see more." in page.text  # for who has no scripts
    await written.write_events(ASK_EVENTS[:4])
    page = await browser.get(written.path)
    assert steps_of(page) == {
        "plan": "done", "search": "done", "read": "live",
        "weigh": "ahead", "write": "ahead", "check": "ahead",
    }  # fmt: skip
    assert "1 read, origins not counted yet" in words_of(page)
    await written.write_events(ASK_EVENTS[4:])
    for path in (written.path, f"{written.path}/parts"):
        page = await browser.get(path)
        assert f'data-seq="{len(ASK_EVENTS)}"' in page.text
        assert f"{LOST}." in words_of(page)
        assert "3 articles → 1 origin" in words_of(page)
        assert f"/evidence/{PAGES[0].id}?run={written.run.id}&amp;start=0" in page.text
        assert steps_of(page)["check"] == "live"


async def test_the_script_goes_on_from_where_the_page_stands(site: Site):
    written = await begun(site)
    await written.write_events(ASK_EVENTS)
    data = story_of(await (await site.browser()).get(written.path))
    assert data["steps"][data["index"]]["name"] == "check"
    assert data["counts"] == {
        "plan.queries": 1, "plan.round": 1, "search.searches": 1, "search.hits": 5, "search.failures": 0,
        "read.pages": 3, "weigh.origins": 2, "weigh.passages": 4, "check.sentences": 1,
    }  # fmt: skip
    assert data["seconds"]["plan"] == 1.0


async def test_parts_bring_the_thoughts_only_where_they_are_looked_at(site: Site):
    written = await answered(site)
    browser = await site.browser()
    whole = await browser.get(written.path)
    assert len(re.findall(r'<li data-key="\d+" data-type=', whole.text)) == len(ASK_EVENTS)
    assert 'data-type="' not in (await browser.get(f"{written.path}/parts")).text
    assert 'data-type="thought"' in (await browser.get(f"{written.path}/parts?thoughts=1")).text


async def test_a_new_attempt_begins_anew(site: Site):
    written = await begun(site)
    await written.write_events(ASK_EVENTS)
    await written.end("failed", error="the network is down")
    browser = await site.browser()
    page = await browser.get(written.path)
    assert "It failed. the network is down" in words_of(page)
    assert 'data-act="resume"' in page.text
    assert steps_of(page)["check"] == "broken"
    await site.app.store.runs.reopen(written.run.id, site.app.clock())
    now = site.app.clock()
    lease = await site.app.store.runs.claim(written.run.id, "test", now, now)
    assert lease is not None
    written.lease = lease
    await written.write_events(ASK_EVENTS[:2])
    page = await browser.get(written.path)
    assert "attempt 2" in words_of(page)
    assert story_of(page)["counts"] == {"plan.queries": 1, "plan.round": 1}
    assert LOST not in words_of(page)


_OTHER = phrase("run.restarted.version", before="1", after="2").model_dump()


@pytest.mark.parametrize(
    ("reason", "language", "expected"),
    [
        (_OTHER, "en", "It began anew: made with 1, goes on with 2"),
        (_OTHER, "zh-CN", "已重新开始：由 1 版开始，由 2 版继续"),
        (_OTHER, "zh-TW", "已重新開始：由 1 版開始，由 2 版繼續"),
        # As older versions wrote it.
        ("made with 1, goes on with 2", "zh-CN", "已重新开始：made with 1, goes on with 2"),
    ],
)
async def test_under_another_version_the_draft_is_cleared(
    site: Site, reason: Json, language: str, expected: str
):
    written = await begun(site)
    await written.write_events(ASK_EVENTS)
    again: JsonObject = {"restarted": True, "reason": reason, "unmatched_calls": None}
    await written.write_events([("run", "restart/2", again)])
    browser = await site.browser()
    page = await browser.get(written.path, headers={"accept-language": language})
    assert expected in words_of(page)
    assert f"{LOST}." not in words_of(page).partition("Story")[0].partition("经过")[0]


async def test_a_deeper_round_replaces_what_the_round_before_it_said(site: Site):
    written = await begun(site)
    await written.write_events(ASK_EVENTS)
    other: JsonObject = {"text": "It was $38 million.", "verdict": "supported", "citations": []}
    again: JsonObject = {"phase": "plan", "queries": [{"text": "more"}]}
    await written.write_events(
        [("thought", "round1/plan", again), ("answer", "round1/check/0", other)]
    )
    page = await (await site.browser()).get(written.path)
    assert len(re.findall(r'<div class="said"', page.text)) == 1
    assert story_of(page)["counts"]["check.sentences"] == 1


@pytest.mark.parametrize(("state", "sentence", "act"), [
    ("failed", "It failed.", "resume"),
    ("cancelled", "It was stopped.", "resume"),
])  # fmt: skip
async def test_without_a_result_there_is_a_sentence_and_a_next_step(
    site: Site, state: str, sentence: str, act: str
):
    for kind in ("ask", "verify"):
        written = await begun(site, kind)
        await written.end(state, error=HOSTILE)  # type: ignore[arg-type]
        page = await (await site.browser()).get(written.path)
        assert sentence in words_of(page)
        assert f'data-act="{act}"' in page.text
        assert clean(page) == []


async def test_who_waits_is_told_so(site: Site):
    run = await site.queued("ask", {"question": QUESTION})
    page = await (await site.browser()).get(f"/runs/{run.id}")
    assert "It waits for its turn." in words_of(page)
    assert 'data-act="cancel"' in page.text


async def test_nothing_found_names_what_to_do(site: Site):
    written = await begun(site)
    result = {
        "run_id": written.run.id,
        "status": "complete",
        "question": QUESTION,
        "language": "en",
    }
    await written.end("complete", result)
    text = words_of(await (await site.browser()).get(written.path))
    assert "Nothing was found that could be quoted. The archive is empty" in text
    await site.app.archive.add(PAGES)
    text = words_of(await (await site.browser()).get(written.path))
    assert "Offline, only the archive is searched." in text


async def test_a_failure_with_a_result_says_why(site: Site):
    written = await begun(site)
    result = {
        "run_id": written.run.id, "status": "failed", "question": QUESTION, "language": "en",
        "gaps": [{"what": QUESTION, "why": "every search failed"}],
        "degraded": [{"part": "search:tavily", "code": "auth", "reason": "key", "instead": "x"}],
    }  # fmt: skip
    await written.end("failed", result)
    page = await (await site.browser()).get(written.path)
    assert "It failed. every search failed" in words_of(page)
    assert "search:tavily (key refused): key — instead: x" in words_of(page)
    assert steps_of(page)["check"] == "skipped"  # it went all the way, and had nothing to check


@pytest.mark.parametrize("made", [supported, contradicted, plain])
async def test_a_signal_is_taken_apart(site: Site, made: object):
    signal = made()  # type: ignore[operator]
    await site.app.archive.add(signal_pages(signal.language))
    written = await begun(site, "verify")
    await written.end(signal.status, {**signal.model_dump(mode="json"), "run_id": written.run.id})
    page = await (await site.browser()).get(written.path)
    text = words_of(page)
    assert page.status_code == 200
    assert clean(page) == []
    assert f"{signal.confidence:.2f}" in text
    assert f'class="verdict" data-verdict="{signal.verdict}"' in page.text
    rows = re.findall(r'<tr role="row" data-tone="(\w+)">', page.text)
    assert len(rows) == len(signal.waterfall)
    for claim in signal.claims:
        assert claim.text in text
    assert 'id="feedback"' in page.text


async def test_a_signal_shows_sides_measures_and_what_was_seen_before(site: Site):
    signal = supported()
    written = await begun(site, "verify")
    await written.end("degraded", {**signal.model_dump(mode="json"), "run_id": written.run.id})
    page = await (await site.browser()).get(written.path)
    text = words_of(page)
    assert "3 support" in text
    assert "price · coingecko — failed (rate limit): too many requests" in text
    assert "3 origins" in text and "8 results" in text
    assert "0.84 Aurora Bridge pauses after a suspected exploit." in text
    assert "never a citation" in text
    assert "telegram:other" in text
    assert "official" in text
    assert 'href="#e1"' in page.text and 'id="e1"' in page.text


async def test_a_message_on_its_way_shows_the_first_impression(site: Site):
    written = await begun(site, "verify")
    first: JsonObject = {
        "phase": "preliminary",
        "event_type": "hack",
        "asset": "AURORA",
        "confidence": 0.7,
    }
    await written.write_events([("thought", "preliminary", first)])
    page = await (await site.browser()).get(written.path)
    assert "No verdict yet" in words_of(page)
    assert "impression hack · AURORA · 0.70" in words_of(page)
    assert steps_of(page)["context_gather"] == "live"


async def test_hostile_texts_are_words(site: Site):
    evil = evidence_view(PAGES[0], title=HOSTILE, publisher=HOSTILE, flags=(HOSTILE,))
    quote = cited(PAGES[0], LOST).model_copy(
        update={"quote": HOSTILE, "title": HOSTILE, "publisher": HOSTILE, "url": "javascript:1"}
    )
    sentence = Sentence(text=HOSTILE, verdict="supported", citations=(quote,))
    written = await answered(
        site,
        question=HOSTILE,
        answer=(sentence,),
        contested=({"point": HOSTILE, "sides": (sentence, sentence)},),
        unsupported=({"text": HOSTILE, "problems": (HOSTILE,)},),
        evidence=(evil,),
        gaps=[{"what": HOSTILE, "why": HOSTILE}],
        degraded=[{"part": HOSTILE, "code": HOSTILE, "reason": HOSTILE, "instead": HOSTILE}],
    )
    page = await (await site.browser()).get(written.path)
    assert clean(page) == []
    for raw in ("<script>alert", "<img", "\u202e", "\x07", "\x1b", 'x onerror="'):
        assert raw not in page.text
    assert "&lt;script&gt;alert(1)" in page.text
    assert "{{ 7*7 }}" in words_of(page)


async def test_hostile_events_are_words(site: Site):
    written = await begun(site, "ask", {"question": HOSTILE})
    bad: JsonObject = {"phase": "read", "url": HOSTILE, "message": HOSTILE, "instead": HOSTILE}
    query: JsonObject = {"phase": "search", "query": HOSTILE, "hits": 1, "failures": []}
    odd: JsonObject = {"phase": "plan", "queries": []}
    await written.write_events(
        [("warning", "a", bad), ("progress", "b", query), ("thought", HOSTILE, odd)]
    )
    page = await (await site.browser()).get(written.path)
    assert clean(page) == []
    assert "<script>alert" not in page.text and "\u202e" not in page.text


async def test_a_journal_of_another_shape_breaks_no_page(site: Site):
    written = await begun(site)
    await written.write_events([
        ("answer", "x", {"text": "only words"}),
        ("evidence", "y", {"phase": "read", "title": "of an older version"}),
        ("thought", "round0/weigh", {"phase": "weigh", "clusters": [{"no": "origin"}]}),
    ])  # fmt: skip
    assert (await (await site.browser()).get(written.path)).status_code == 200


async def test_a_tool_and_a_job_without_a_view_are_shown_plainly(site: Site):
    written = await begun(site, "tool", {"tool": "search", "arguments": {"query": "usdc <b>"}})
    output = {"hits": [{"title": HOSTILE}], "note": "all is well"}
    result = {"run_id": written.run.id, "status": "complete", "tool": "search", "output": output}
    await written.end("complete", result)
    page = await (await site.browser()).get(written.path)
    assert "usdc <b>" in words_of(page) and "all is well" in words_of(page)
    assert clean(page) == []


async def test_a_job_without_a_view_has_its_page(site: Site):
    """Results of all jobs share the names of their parts: evidence and gaps are shown with them."""
    ask_run = await site.queued("ask", {"question": QUESTION})
    run = await site.app.store.runs.create(
        NewRun.model_validate(
            {
                **ask_run.model_dump(include=set(NewRun.model_fields)),
                "id": "later-0000000001",
                "kind": "later",
                "input": {"topic": "the bridge <b>", "level": 2},
                "text": "the bridge <b>",
            }
        )
    )
    now = site.app.clock()
    lease = await site.app.store.runs.claim(run.id, "test", now, now)
    assert lease is not None
    written = Written(site, run, lease)
    await written.write_events(
        [("skeleton", "plan", {"threads": ["one", "two"]}), *ASK_EVENTS[3:5]]
    )
    browser = await site.browser()
    page = await browser.get(written.path)
    assert "the bridge <b>" in words_of(page)
    assert "2 read, origins not counted yet" in words_of(page)
    result = answer(run_id=run.id).model_dump(mode="json")
    await written.end("complete", {**result, "nodes": [{"title": "a node", "text": "of it"}]})
    page = await browser.get(written.path)
    assert clean(page) == []
    text = words_of(page)
    assert "5 articles → 4 origins" in text and "who did it — no page says so" in text
    assert "a node" in text
    assert about(run) == "the bridge <b>"


@pytest.mark.parametrize("path", ["", "/parts"])
async def test_to_others_a_run_is_not_there(locked: Site, path: str):
    other = Caller(id="tk_other", name="other", scope="run")
    run = await locked.queued("ask", {"question": QUESTION}, other)
    browser = await locked.signed_in("run")
    assert (await browser.get(f"/runs/{run.id}{path}")).status_code == 404
    assert (await browser.get(f"/runs/no-such-run{path}")).status_code == 404
    admin = await locked.signed_in("admin")
    assert (await admin.get(f"/runs/{run.id}{path}")).status_code == 200


async def test_who_may_only_read_changes_nothing(locked: Site):
    browser = await locked.signed_in("admin")
    reader = await locked.signed_in("read")
    run = await locked.queued("ask", {"question": QUESTION})
    own_run = await locked.queued(
        "ask", {"question": QUESTION}, await _holder(locked, "token-read")
    )
    assert 'data-act="cancel"' in (await browser.get(f"/runs/{run.id}")).text
    assert "data-act" not in (await reader.get(f"/runs/{own_run.id}")).text


async def _holder(site: Site, name: str) -> Caller:
    token = await site.app.store.access.named(name)
    assert token is not None
    return Caller(id=token.id, name=name, scope="read")


async def test_finished_runs_offer_every_form(site: Site):
    written = await answered(site)
    page = await (await site.browser()).get(written.path)
    forms = set(re.findall(rf"/api/runs/{written.run.id}/export\?format=(\w+)", page.text))
    assert {"md", "html", "pdf", "docx", "json", "csv", "bundle"} <= forms


async def test_a_real_question_and_a_real_message_have_their_pages(site: Site):
    """The whole way once: the sample, both jobs, both pages."""
    await site.app.archive.add_sample()
    inputs: Mapping[str, Mapping[str, object]] = {
        "ask": {"question": "Did USDC lose its peg in March 2023?"},
        "verify": {"text": "USDC 在2023年3月跌至0.88美元，因为硅谷银行倒闭"},
    }
    browser = await site.browser()
    for kind, given in inputs.items():
        run = await site.app.submit(kind, given)
        ended = await site.app.finished(run.id)
        assert ended.state == "complete"
        page = await browser.get(f"/runs/{run.id}")
        assert clean(page) == []
        assert re.search(r"\d+ articles → \d+ origins", words_of(page))
        (href, *_) = re.findall(r'<a class="cite"[^>]* href="(/evidence/[^"]+)"', page.text)
        stored = await browser.get(href.replace("&amp;", "&"))
        assert stored.status_code == 200
        assert 'class="asked" id="passage"' in stored.text
        assert clean(stored) == []
