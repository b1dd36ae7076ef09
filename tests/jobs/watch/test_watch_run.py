"""One run of a watch after the other, on a small world that changes from day to day."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from lab.months.web import evening
from lab.stubs.faults import Rule, error
from lab.stubs.harness import StubReply
from tests.jobs.watch.watch_world import (
    COMMAND,
    FIRST,
    WITH_MODEL,
    WatchWorld,
    desk,
    page,
    thoughts,
    watch,
)

from groundwire import jobs
from groundwire.app import confirmation
from groundwire.app.exports import export, replay_run
from groundwire.jobs import report_of
from groundwire.jobs.watch.letter import notice_of
from groundwire.jobs.watch.phases import MOVES
from groundwire.jobs.watch.result import WatchResult
from groundwire.model.memory import MemoryQuery
from groundwire.model.result import Sentence
from groundwire.words import words

CHEAPER = page("harbour.example", 2, "Velmora's Aurin 5 costs $199 from today, its newsroom said.")
COPY = page("relay.example", 3, "Velmora's Aurin 5 costs $199. (Source: harbour.example.)")
LATER = page("later.example", 5, "Velmora's Aurin 5 costs $99 from today.")


async def test_the_first_run_is_a_brief_of_checked_quotes(tmp_path: Path) -> None:
    async with desk(tmp_path, WatchWorld()) as app:
        result, run, events = await watch(app)
        stored = {
            each.document_id: await app.store.index.get(each.document_id)
            for each in result.evidence
        }
    assert (result.status, result.subject, result.alert, result.changes) == (
        "complete",
        "Velmora",
        False,
        (),
    )
    assert 3 <= len(result.plan) <= 5
    assert {"price", "users"} <= {each.attribute for each in result.claims}
    documents = {each.id: each.document_id for each in result.evidence}
    sentences: list[Sentence] = [
        *result.summary,
        *(s for part in result.sections for s in part.sentences),
    ]
    assert sentences
    for each in (citation for sentence in sentences for citation in sentence.citations):
        document = stored[documents[each.evidence_id]]
        assert document is not None
        assert document.text[each.start : each.end] == each.quote
    assert [each.name for each in result.sections] == ["new", "changed", "contested", "missing"]
    assert result.steps
    assert [each.phase for each in result.steps] == [each["phase"] for each in thoughts(events)]
    assert run.state == "complete"


async def test_the_thought_chain_moves_by_the_table_and_begins_before_anything_is_spent(
    tmp_path: Path,
) -> None:
    async with desk(tmp_path, WatchWorld()) as app:
        result, _, events = await watch(app)
    first = next(each for each in events if each.type != "run")
    assert (first.type, first.payload["phase"]) == ("thought", "idle")
    plan = next(n for n, each in enumerate(events) if each.payload.get("phase") == "planning")
    assert not any(each.type == "progress" for each in events[:plan])
    shown = [each["phase"] for each in thoughts(events)]
    line = [each for n, each in enumerate(shown) if n == 0 or shown[n - 1] != each]
    sides = {"searching", "scraping", "executing", "recovering"}
    for here, there in pairwise(line):
        assert there in MOVES[here] or {here, there} <= sides, (here, there)  # type: ignore[index]
    assert all("at" not in each and "tokens" not in each for each in thoughts(events))
    assert all(each.duration_ms >= 0 for each in result.steps)
    assert result.state.current_phase == "completed"


async def test_what_changed_is_told_once_and_a_quiet_day_says_so(tmp_path: Path) -> None:
    world = WatchWorld((*FIRST, CHEAPER, COPY))
    async with desk(tmp_path, world) as app:
        first, run, _ = await watch(app, 1)
        world.turn(2)
        second, again, _ = await watch(app, 2, previous=run.id)
        world.turn(4)
        third, last, _ = await watch(app, 4, previous=again.id)
        fourth, _, _ = await watch(app, 5, previous=last.id)
        report = report_of(again).report(again)
        quiet = report_of(last).report(last)
    assert first.changes == ()
    (change,) = second.changes
    assert (change.kind, change.attribute) == ("changed", "price")
    assert change.before is not None
    assert change.after is not None
    assert ("249" in change.before.value, "199" in change.after.value) == (True, True)
    assert second.alert
    letter = notice_of(second)
    assert letter is not None
    assert letter.letter is not None
    assert "→" in letter.letter.lines[0]
    assert any(each.type == "diff" for each in report.blocks)
    for each in (third, fourth):
        assert (each.changes, each.alert) == ((), False)
        assert notice_of(each) is None
    assert any("nothing changed" in line for line in quiet.meta)


async def test_a_page_of_a_later_day_is_neither_read_into_claims_nor_cited(tmp_path: Path) -> None:
    world = WatchWorld((*FIRST, LATER))
    world.turn(6)  # the page is there by now; the run is of an earlier evening
    async with desk(tmp_path, world) as app:
        result, _, _ = await watch(app, 1)
    assert result.claims
    cited = {each.url for claim in result.claims for each in claim.citations}
    assert not any("later.example" in url for url in cited)
    assert not any("later.example" in each.url for each in result.evidence)


async def test_a_run_of_another_day_takes_no_answer_of_this_one(tmp_path: Path) -> None:
    """The search cache counts by the run's own clock: what was kept later is not known yet."""
    world = WatchWorld((*FIRST, CHEAPER))
    async with desk(tmp_path, world, **{"search.cache_ttl": 86_400}) as app:
        world.turn(2)
        await watch(app, 2)
        asked = world.asked("tavily")
        await watch(app, 2)
        assert world.asked("tavily") == asked, "the same moment shares its searches"
        world.turn(1)
        await watch(app, 1)
    assert world.asked("tavily") > asked


async def test_every_page_that_claims_rest_on_is_read_again(tmp_path: Path) -> None:
    """Edited, gone and out of reach are told apart, though no search shows any of them."""
    pages = (
        page("edited.example", 1, "Velmora's Aurin 5 costs $249, its newsroom said.",
             edited={2: "Velmora's Aurin 5 costs $299, its newsroom said."}),
        page("gone.example", 1, "Velmora has 3.2 million monthly users in eleven countries.", gone=2),
        page("down.example", 1, "Velmora employs 1,800 people at its Leipzig plant.", down=(2,)),
    )  # fmt: skip
    world = WatchWorld(pages, failing=(2,))
    async with desk(tmp_path, world) as app:
        _, run, _ = await watch(app, 1)
        world.turn(2)
        result, _, events = await watch(app, 2, previous=run.id)
    changed = {each.attribute: each for each in result.changes}
    assert list(changed) == ["price"]
    assert changed["price"].reason == "edited"
    why = {each.why for each in result.not_seen}
    assert why == {"failed", "gone"}
    seen = next(each["observation"]["params"] for each in thoughts(events, "scraping"))
    assert (seen["read"], seen["gone"], seen["failed"]) == (1, 1, 1)
    assert result.status == "degraded"
    assert result.searched_to == evening(1), "a failed search has looked at nothing"


async def test_a_replay_is_identical_and_asks_nobody(tmp_path: Path) -> None:
    world = WatchWorld((*FIRST, CHEAPER))
    async with desk(tmp_path, world) as app:
        _, run, _ = await watch(app, 1)
        world.turn(2)
        _, again, _ = await watch(app, 2, previous=run.id)
        calls = len(world.desk.log.calls)
        found = await replay_run(app, again)
    assert found.identical, found.differences
    assert len(world.desk.log.calls) == calls


@pytest.mark.parametrize(
    ("given", "end"),
    [
        ({"max_steps": 1}, "max_steps"),
        ({}, "nothing_new"),
    ],
)
async def test_each_end_has_its_reason(tmp_path: Path, given: dict[str, object], end: str) -> None:
    async with desk(tmp_path, WatchWorld()) as app:
        result, _, _ = await watch(app, **given)
    assert result.end == end
    assert result.state.current_step <= result.state.max_steps


async def test_a_plan_without_words_to_follow_ends_as_planned(tmp_path: Path) -> None:
    async with desk(tmp_path, WatchWorld(), **{"watch.words": 0}) as app:
        result, _, _ = await watch(app)
    assert (result.end, result.keywords) == ("planned", ())


async def test_a_spent_budget_ends_it_with_what_there_is(tmp_path: Path) -> None:
    async with desk(tmp_path, WatchWorld()) as app:
        result, _, _ = await watch(app, budget_usd=0.03)
    assert result.end == "budget"
    assert result.claims
    assert any(each.code == "quota" for each in result.degraded)


async def test_a_run_in_which_too_much_fails_makes_no_more_calls(tmp_path: Path) -> None:
    """Errors have a budget as money has: it ends with what there is, and says so."""
    world = WatchWorld()
    world.fails(Rule(error(503), stub="tavily", share=0.4))
    async with desk(tmp_path, world, **{"budget.run_faults": 2}) as app:
        result, _, _ = await watch(app)
    assert (result.end, result.status) == ("budget", "degraded")
    assert result.state.error_count >= 2


async def test_memory_of_a_standing_run_at_another_time_is_of_that_time(tmp_path: Path) -> None:
    async with desk(tmp_path, WatchWorld()) as app:
        kept = await app.schedules.add("watch", {"command": COMMAND}, "every 6h")
        run = await app.schedules.run(kept, at=evening(3))
        await app.ended(run.id)
        known = await app.memory.recall(MemoryQuery(text="Velmora users", subject="Velmora"))
        assert {each.standing.learned_at for each in known.entries} == {evening(3)}


async def test_words_that_were_found_say_where_and_become_searches(tmp_path: Path) -> None:
    async with desk(tmp_path, WatchWorld()) as app:
        result, _, _ = await watch(app)
    assert result.keywords
    evidence = {each.id for each in result.evidence}
    planned = {query for task in result.plan for query in task.queries}
    for each in result.keywords:
        assert each.found_in in evidence
        assert each.query.startswith("Velmora ")
        assert each.query not in planned
        assert 0 < each.score <= 1


async def test_an_empty_time_range_is_widened_and_said(tmp_path: Path) -> None:
    async with desk(tmp_path, WatchWorld()) as app:
        result, _, _ = await watch(app, days=0)
    assert result.claims
    assert any(each.what == "watch.gap.days" for each in result.gaps)


async def test_conditions_narrow_what_alerts(tmp_path: Path) -> None:
    world = WatchWorld((*FIRST, CHEAPER))
    async with desk(tmp_path, world) as app:
        _, run, _ = await watch(app, 1)
        world.turn(2)
        dear, _, _ = await watch(app, 2, previous=run.id, conditions=("price > 300",))
        cheap, _, _ = await watch(app, 2, previous=run.id, conditions=("price < 200",))
    assert (dear.alert, cheap.alert) == (False, True)
    assert len(dear.changes) == len(cheap.changes) == 1


EDITED = page(
    "tidal.example",
    1,
    "Velmora's Aurin 7 costs $499. It is sold in eleven countries.",
    edited={2: "Velmora's Aurin 7 costs $459. It is sold in eleven countries."},
)


async def test_what_was_edited_in_a_cited_page_is_shown_as_its_texts_before_and_after(
    tmp_path: Path,
) -> None:
    world = WatchWorld((*FIRST, EDITED))
    async with desk(tmp_path, world) as app:
        _, run, _ = await watch(app, 1)
        world.turn(2)
        second, again, _ = await watch(app, 2, previous=run.id)
        replayed = await replay_run(app, again)
        exported = (await export(app, again, "md")).data.decode()
    (edit,) = second.edits
    assert edit.url == EDITED.url
    assert [(each.before, each.after) for each in edit.parts] == [
        ("Velmora's Aurin 7 costs $499.", "Velmora's Aurin 7 costs $459.")
    ]
    (change,) = second.changes
    assert (change.reason, edit.claims) == ("edited", (change.claim_id,))
    (told,) = jobs.changes_of(again)
    assert told.edits[0].parts == (
        ("Velmora's Aurin 7 costs $499.", "Velmora's Aurin 7 costs $459."),
    )
    assert words("en")("watch.edits") in exported
    assert replayed.identical


async def test_a_sentence_has_one_verdict_wherever_a_page_tells_it(tmp_path: Path) -> None:
    denied = page("denier.example", 2, "Velmora denied that its Aurin 5 costs $249.")
    world = WatchWorld((*FIRST, denied))
    async with desk(tmp_path, world) as app:
        _, run, _ = await watch(app, 1)
        world.turn(2)
        second, _, _ = await watch(app, 2, previous=run.id)
    told = [
        *second.summary,
        *(each for part in second.sections for each in part.sentences),
        *(side for point in second.contradictions for side in point.sides),
    ]
    verdicts: dict[str, set[str]] = {}
    for each in told:
        verdicts.setdefault(each.text, set()).add(each.verdict)
    assert any("contested" in each for each in verdicts.values())
    assert all(len(each) == 1 for each in verdicts.values()), verdicts


async def test_a_model_plans_and_writes_within_what_code_allows(tmp_path: Path) -> None:
    async with desk(tmp_path, WatchWorld(), **WITH_MODEL) as app:
        result, _, _ = await watch(app)
    assert 3 <= len(result.plan) <= 5
    assert any("Velmora" in query for query in result.plan[0].queries)
    assert result.claims
    for each in (*result.summary, *(s for part in result.sections for s in part.sentences)):
        assert each.citations


async def test_feeds_come_first_and_searches_only_confirm(tmp_path: Path) -> None:
    """A feed that cannot be read says nothing: then searches are made as ever."""
    world = WatchWorld()
    async with desk(tmp_path, world) as app:
        result, _, _ = await watch(app, feeds=("https://www.harbour.example/feed.xml",))
    assert result.claims
    assert any(each.what == "watch.gap.feed" for each in result.gaps)


def feed(*items: tuple[str, str]) -> StubReply:
    """Make a feed of titles and addresses."""
    listed = "".join(
        f"<item><title>{title}</title><link>{url}</link><description>{title}</description></item>"
        for title, url in items
    )
    body = f"<rss version='2.0'><channel><title>F</title>{listed}</channel></rss>"
    return StubReply(200, body.encode(), "application/rss+xml")


async def test_what_a_feed_brings_is_read_first_and_a_search_only_confirms_it(
    tmp_path: Path,
) -> None:
    brings = FIRST[0]
    confirms = page("second.example", 1, "The price of Velmora's Aurin 5 is $249.")
    world = WatchWorld((brings, confirms))
    world.refusing = {"feeds.example": feed(("Velmora sets a price", brings.url))}
    async with desk(tmp_path, world) as app:
        result, _, events = await watch(app, feeds=("https://feeds.example/all.xml",), max_steps=2)
    searching = [each["tool_calls"] for each in thoughts(events, "searching")]
    assert searching[0] == ["web_scrape: https://feeds.example/all.xml"]
    assert all(call.startswith("platform_search") for calls in searching[1:] for call in calls)
    read = [e.payload["url"] for e in events if e.type == "evidence" and "url" in e.payload]
    assert read[0] == brings.url
    (price,) = (each for each in result.claims if each.attribute == "price")
    assert {each.url for each in price.citations} == {brings.url, confirms.url}
    assert world.asked("tavily") > 0


async def test_a_feed_without_the_subject_costs_no_search(tmp_path: Path) -> None:
    world = WatchWorld()
    world.refusing = {"feeds.example": feed(("Nothing of interest", FIRST[0].url))}
    async with desk(tmp_path, world) as app:
        result, _, _ = await watch(app, feeds=("https://feeds.example/all.xml",))
    assert (result.end, world.asked("tavily"), result.claims) == ("nothing_new", 0, ())


async def test_the_tokens_of_a_run_are_those_of_its_steps(tmp_path: Path) -> None:
    async with desk(tmp_path, WatchWorld(), **WITH_MODEL) as app:
        result, _, _ = await watch(app, max_steps=1)
    spent = sum(each.tokens_used for each in result.steps)
    assert result.state.total_tokens == spent > 0


async def test_a_person_may_edit_the_plan_before_anything_is_spent(tmp_path: Path) -> None:
    world = WatchWorld()
    async with desk(tmp_path, world) as app:
        run = await app.submit("watch", {"command": COMMAND, "review": True}, now=evening(1))
        waiting = await app.finished(run.id)
        assert waiting.state == "waiting"
        assert world.asked("tavily") == 0
        task = {"task": "Prices", "queries": ["Velmora price"], "why": "What it costs."}
        await confirmation.confirm(app, waiting, {"tasks": [task]}, by="a reader")
        ended = await app.finished(run.id)
    result = WatchResult.model_validate(ended.result)
    assert [(each.task, each.queries) for each in result.plan] == [("Prices", ("Velmora price",))]
    assert result.claims
