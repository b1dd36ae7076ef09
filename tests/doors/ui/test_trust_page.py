"""The page of trust: honest with little, exact with more, and nobody sees another's feedback."""

from __future__ import annotations

import re
from typing import Any

import httpx2
import pytest

from groundwire.model.access import LOCAL_OWNER
from groundwire.model.outcome import Feedback
from groundwire.store import Store
from tests.doors.ui.conftest import Site, words_of
from tests.doors.ui.scrutiny import faults
from tests.store.make import NOW, Make
from tests.store.signals import end, judged_event, witness

EVIL = '"><img src=x onerror=alert(1)><script>alert(2)</script>'


async def judged(
    store: Store,
    number: int,
    outcome: Any,
    score: float = 0.5,
    *,
    owner: str = LOCAL_OWNER,
    by: str = "mei",
    note: str = "",
    **more: Any,
) -> str:
    """Write a signal and its outcome."""
    name = f"verify-{number:010d}"
    lease = await Make().lease(store, name, kind="verify", owner=owner)
    left = judged_event(message_id=f"m{number}", score=score, confidence=score, **more)
    await end(store, lease, left)
    feedback = Feedback(run_id=name, outcome=outcome, by=by, note=note, at=NOW)
    await store.signals.feedback(feedback)
    return name


@pytest.fixture
async def some(site: Site) -> Site:
    """Write forty outcomes: scores of a quarter came true a quarter of the time, nine tenths always."""
    site.app.clock = lambda: NOW
    for number in range(20):
        outcome = "true" if number < 5 else "false"
        await judged(site.app.store, number, outcome, 0.25, source="telegram:whales")
    for number in range(20, 40):
        of = {"source": "feed:wire", "evidence": (witness("wire.example"),)}
        await judged(site.app.store, number, "true", 0.9, **of)
    return site


async def test_without_outcomes_it_says_how_to_make_some(site: Site):
    page = await (await site.browser()).get("/trust")
    text = words_of(page)
    assert "Nobody has said yet what came of a signal. From 30 known outcomes on" in text
    assert "gw feedback RUN true|false|partly" in text
    assert '<svg class="chart' not in page.text


async def test_few_outcomes_are_counted_against_what_is_needed(site: Site):
    site.app.clock = lambda: NOW
    for number in range(7):
        await judged(site.app.store, number, "true", 0.8)
    text = words_of(await (await site.browser()).get("/trust"))
    assert "23 more are missing to the 30 that calibration needs" in text
    assert "after calibration" not in text
    assert "7 signals said 0.80 on average and 1.00 came true" in text


async def test_the_curve_its_sentence_and_its_numbers(some: Site):
    page = await (await some.browser()).get("/trust")
    text = words_of(page)
    report = await some.app.judgements.calibration()
    assert report.brier is not None and report.brier_calibrated is not None
    assert "40 signals said 0.57 on average and 0.62 came true: no more apart than chance" in text
    assert "At least 30 are needed: confidences are calibrated by them." in text
    assert f"{report.brier:.3f} as computed → {report.brier_calibrated:.3f} after" in text
    assert "0.2–0.3 20 0.25 25% 11%–47%" in text  # the row of a tenth, with Wilson's interval
    assert "0.9–1.0 20 0.90 100% 84%–100%" in text
    assert "0.4–0.5 0 – – –" in text
    assert page.text.count('class="dot-mark"') == 2
    assert page.text.count('class="interval"') == 6
    assert 'class="fitted"' in page.text


async def test_too_high_and_too_low_are_said(site: Site):
    site.app.clock = lambda: NOW
    for number in range(12):
        await judged(site.app.store, number, "false", 0.9)
    browser = await site.browser()
    assert "confidences have been too high" in words_of(await browser.get("/trust"))
    for number in range(12, 60):
        await judged(site.app.store, number, "true", 0.1)
    assert "confidences have been too low" in words_of(await browser.get("/trust"))


def names(page: httpx2.Response) -> list[str]:
    table = page.text.partition('<table class="table sources">')[2].partition("</table>")[0]
    return re.findall(r'<th scope="row">([^<]+)<', table)


async def test_sources_are_sorted_by_a_link(some: Site):
    browser = await some.browser()
    page = await browser.get("/trust")
    assert names(page) == ["feed:wire", "telegram:whales", "wire.example"]  # equally often
    assert "telegram:whales channel 25% 11% to 47% 20 5 true, 0 partly, 15 not" in words_of(page)
    link = re.search(r'href="(/trust\?sort=rate[^"]*)"', page.text)
    assert link is not None
    rated = await browser.get(link[1].replace("&amp;", "&").partition("#")[0])
    assert names(rated)[-1] == "telegram:whales"
    assert 'aria-sort="descending"' in rated.text
    turned = await browser.get("/trust?sort=rate&down=0")
    assert names(turned)[0] == "telegram:whales"
    assert names(await browser.get("/trust?sort=kind&down=1"))[0] == "wire.example"
    assert names(await browser.get("/trust?sort=nonsense&down=9")) == names(page)


async def test_many_sources_are_behind_a_link(site: Site):
    site.app.clock = lambda: NOW
    for number in range(15):
        await judged(site.app.store, number, "true", source=f"telegram:c{number:02}")
    browser = await site.browser()
    page = await browser.get("/trust")
    assert len(names(page)) == 12
    assert "3 more sources" in words_of(page)
    assert len(names(await browser.get("/trust?all=1"))) == 15


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("zh", "40 个信号平均给出 0.57，实际成真 0.62：差距未超出偶然范围"),
        ("zh-Hant", "40 個訊號平均給出 0.57，實際成真 0.62：差距未超出偶然範圍"),
    ],
)
async def test_it_is_read_in_chinese(some: Site, language: str, expected: str):
    page = await (await some.browser()).get("/trust", headers={"Accept-Language": language})
    assert expected in words_of(page)
    assert "came true" not in words_of(page)


async def test_what_people_wrote_is_text(site: Site):
    site.app.clock = lambda: NOW
    await judged(
        site.app.store, 1, "partly", by=EVIL, note=EVIL, source=EVIL, summary=EVIL, asset=EVIL
    )
    page = await (await site.browser()).get("/trust")
    assert "came true in part" in words_of(page)
    assert EVIL in words_of(page)
    assert faults(page.text) == []


async def test_feedback_is_shown_to_whose_signal_it_is(locked: Site):
    locked.app.clock = lambda: NOW
    mei = await locked.signed_in("run", name="mei")
    token = await locked.app.store.access.named("mei")
    assert token is not None
    await judged(locked.app.store, 1, "true", owner=token.id, summary="about hers")
    await judged(locked.app.store, 2, "false", summary="about another's")
    hers = words_of(await mei.get("/trust"))
    assert "about hers" in hers
    assert "about another" not in hers
    assert "Feedback on your own signals is shown" in hers
    assert "2 signals said" in hers  # counts are of the whole desk
    other = words_of(await (await locked.signed_in("read", name="li")).get("/trust"))
    assert "Nothing has been said of signals of yours yet." in other
    admin = words_of(await (await locked.signed_in("admin", name="root")).get("/trust"))
    assert "about another's" in admin
