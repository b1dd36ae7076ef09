"""On from a finished run, without a script: a further question, a deeper one, one sentence; and when
a message was said."""

from __future__ import annotations

import re
from datetime import datetime

import httpx2
import pytest

from groundwire.model.run import Run
from groundwire.words import words
from tests.doors.ui.conftest import Site, csrf_of, words_of

QUESTION = "Did Euler Finance lose money in a flash loan attack?"


async def _answered(site: Site, **given: object) -> Run:
    await site.app.archive.add_sample()
    run = await site.app.submit("ask", {"question": QUESTION, **given})
    return await site.app.ended(run.id)


async def _send(browser: httpx2.AsyncClient, run: Run, **form: str) -> httpx2.Response:
    csrf = csrf_of(await browser.get(f"/runs/{run.id}"))
    return await browser.post("/command/further", data={"csrf": csrf, "run": run.id, **form})


async def _started(site: Site, answer: httpx2.Response) -> Run:
    assert answer.status_code == 303, answer.text
    return await site.app.runs.find(answer.headers["location"].rpartition("/")[2])


@pytest.mark.parametrize("language", ["en", "zh", "zh-Hant"])
async def test_a_further_question_follows_the_run(site: Site, language: str):
    run = await _answered(site, as_of="2024-01-01T00:00:00Z")
    browser, say = await site.browser(), words(language)
    browser.cookies.set("gw_language", language)
    page = await browser.get(f"/runs/{run.id}")
    shown = words_of(page)
    assert say("ask.follow_up.label") in shown and say("ask.deeper") in shown
    asked = "And how much was returned?"
    later = await _started(site, await _send(browser, run, follow_up="ask", text=asked))
    assert (later.kind, later.input["question"], later.input["after"]) == ("ask", asked, run.id)
    assert later.input["as_of"] == run.input["as_of"]  # of the same moment
    await site.app.ended(later.id)
    page = await browser.get(f"/runs/{later.id}")
    assert f'<a href="/runs/{run.id}">{QUESTION}</a>' in page.text
    assert say("ask.after") in words_of(page)


async def test_an_empty_question_is_refused_beside_its_box(site: Site):
    run = await _answered(site)
    browser = await site.browser()
    for text in ("  ", "x" * 5000):
        page = await _send(browser, run, follow_up="ask", text=text)
        assert page.status_code == 422
        assert page.text.count('<p class="error" role="alert">') == 1
        assert f'value="{text}"' in page.text
    assert len(await site.app.runs.recent()) == 1


async def test_the_same_is_asked_deeper_up_to_the_most(site: Site):
    run = await _answered(site)
    browser = await site.browser()
    for deep in (2, 4, 5):
        earlier = run.id
        run = await _started(site, await _send(browser, run, deeper="ask"))
        assert (run.kind, run.input["question"], run.input["deep"]) == ("ask", QUESTION, deep)
        run = await site.app.ended(run.id)
        page = await browser.get(f"/runs/{run.id}")
        assert words("en")("ask.after.deeper", n=deep) in words_of(page)
        assert f'<a href="/runs/{earlier}">{QUESTION}</a>' in page.text
    assert 'name="deeper"' not in (await browser.get(f"/runs/{run.id}")).text
    assert (await _send(browser, run, deeper="ask")).status_code == 409


async def test_a_sentence_is_verified_in_the_words_of_the_result(site: Site):
    run = await _answered(site)
    browser = await site.browser()
    page = await browser.get(f"/runs/{run.id}")
    assert run.result is not None
    stated = run.result["answer"][0]
    (first, *_rest) = re.findall(r'name="sentence" value="([^"]+)"', page.text)
    # Words of the form's own are never looked at.
    answer = await _send(browser, run, sentence=first, text="The moon is made of cheese")
    started = await _started(site, answer)
    assert (started.kind, started.input["text"]) == ("verify", stated["text"])
    newest = max(datetime.fromisoformat(each["published_at"]) for each in stated["citations"])
    assert datetime.fromisoformat(started.input["published_at"]) == newest
    for wrong in ("verify:s999", "verify:", "ask:s1", "tool:s1", "nothing"):
        assert (await _send(browser, run, sentence=wrong)).status_code == 409, wrong


async def test_what_is_not_over_or_not_offered_starts_nothing(site: Site):
    run = await site.queued("ask", {"question": QUESTION})
    browser = await site.browser()
    page = await browser.get(f"/runs/{run.id}")
    assert "/command/further" not in page.text and 'name="deeper"' not in page.text
    for form in (
        {"follow_up": "ask", "text": "Why?"},
        {"deeper": "ask"},
        {"sentence": "verify:s1"},
        {},
    ):
        assert (await _send(browser, run, **form)).status_code == 409
    assert len(await site.app.runs.recent()) == 1


async def test_only_its_owner_goes_on_from_a_run(locked: Site):
    run = await _answered(locked)
    for scope in ("read", "run"):
        browser = await locked.signed_in(scope)
        csrf = csrf_of(await browser.get("/"))
        for form in (
            {"follow_up": "ask", "text": "Why?"},
            {"deeper": "ask"},
            {"sentence": "verify:s1"},
        ):
            sent = {"csrf": csrf, "run": run.id, **form}
            answer = await browser.post("/command/further", data=sent)
            assert answer.status_code == (403 if scope == "read" else 404)
    assert len(await locked.app.runs.recent()) == 1


async def test_a_message_has_the_moment_it_was_said(site: Site):
    browser = await site.browser()
    page = await browser.get("/")
    assert 'data-said="published_at"' in page.text and 'name="said_at"' in page.text

    async def send(said_at: str, kind: str = "verify") -> httpx2.Response:
        form = {"csrf": csrf_of(page), "text": "USDC 脱锚", "kind": kind, "said_at": said_at}
        return await browser.post("/command", data=form)

    run = await _started(site, await send("2023-03-11T09:30"))
    assert run.input["published_at"] == "2023-03-11T09:30:00Z"
    asked = await _started(site, await send("2023-03-11T09:30", kind="ask"))
    assert "published_at" not in asked.input
    assert (await _started(site, await send(""))).input["published_at"] is None


@pytest.mark.parametrize("language", ["en", "zh", "zh-Hant"])
async def test_a_wrong_moment_is_refused_in_one_sentence(site: Site, language: str):
    browser, say = await site.browser(), words(language)
    browser.cookies.set("gw_language", language)
    csrf = csrf_of(await browser.get("/"))
    later = say("error.published_later", day="2999-01-01")
    unread = say("error.no_publication_time", text="banana")
    for said_at, sentence in (("2999-01-01T00:00", later), ("banana", unread)):
        form = {"csrf": csrf, "text": "USDC 脱锚", "kind": "verify", "said_at": said_at}
        page = await browser.post("/command", data=form)
        assert page.status_code == 422
        assert sentence[1:] in words_of(page)
        assert f'value="{said_at}"' in page.text
    assert await site.app.runs.recent() == []
