"""What a run proposes, as a form on its page: of any job, from the fields alone."""

from __future__ import annotations

import pytest

from groundwire.doors.proposals import FormField, form_for
from groundwire.jobs.timeline.proposal import Plan, Spread, Thread
from groundwire.model.proposal import Proposal
from groundwire.words import words
from tests.doors.ui.conftest import Site, words_of
from tests.doors.ui.made_runs import QUESTION, begun
from tests.doors.ui.scrutiny import faults

FIELDS = {
    "title": "USDC <b>in March</b>",
    "parts": 3,
    "share": 0.5,
    "deep": True,
    "tags": ["one", "two"],
    "more": {"a": [1]},
}


async def waiting(site: Site):
    run = (await begun(site, "ask", {"question": QUESTION})).run
    return run.model_copy(
        update={"state": "waiting", "waiting": Proposal(form="Outline", fields=FIELDS)}
    )


async def test_each_field_is_edited_as_what_it_is(site: Site):
    run = await waiting(site)
    fields = form_for(run, words("en"))
    assert fields is not None
    assert [(each.name, each.kind, each.value) for each in fields] == [
        ("title", "text", "USDC <b>in March</b>"),
        ("parts", "integer", "3"),
        ("share", "number", "0.5"),
        ("deep", "boolean", "true"),
        ("tags", "list", "one\ntwo"),
        ("more", "json", '{\n  "a": [\n    1\n  ]\n}'),
    ]
    assert isinstance(fields[0], FormField)


PLAN = Plan(
    topic="DeepSeek",
    language="en",
    level="light",
    threads=(
        Thread(name="models", description="what was released", estimated_nodes=4),
        Thread(name="law", estimated_nodes=2),
    ),
    searches=31,
    cost_usd=Spread(least=0.004, most=0.12),
    minutes=Spread(least=2, most=2),
    budget_usd=0.5,
)


async def planned(site: Site):
    run = (await begun(site, "timeline", {"topic": "DeepSeek"})).run
    plan = Proposal(form="Plan", fields=PLAN.model_dump(mode="json"))
    return run.model_copy(update={"state": "waiting", "waiting": plan})


@pytest.mark.parametrize(
    ("language", "labels", "told"),
    [
        (
            "en",
            ["Topic", "Language of the timeline", "Threads"],
            ["$0.0040–$0.12", "2 min", "yes"],
        ),
        ("zh", ["主题", "时间线的语言", "线索"], ["$0.0040–$0.12", "2 分钟", "够"]),
        ("zh-Hant", ["主題", "時間軸的語言", "線索"], ["$0.0040–$0.12", "2 分鐘", "夠"]),
    ],
)
async def test_what_follows_is_told_and_the_rest_is_asked_in_words(
    site: Site, language: str, labels: list[str], told: list[str]
):
    run = await planned(site)
    fields = form_for(run, words(language))
    assert fields is not None
    kinds = {each.name: each.kind for each in fields}
    assert {name for name, kind in kinds.items() if kind == "told"} == {
        "level", "searches", "cost_usd", "minutes", "budget_usd", "enough",
    }  # fmt: skip
    assert kinds["threads"] == "rows"
    assert [each.label for each in fields if each.kind != "told"][:3] == labels
    assert set(told) <= {each.value for each in fields if each.kind == "told"}
    chosen = next(each for each in fields if each.name == "language")
    assert [each.value for each in chosen.options] == ["en", "zh", "zh-Hant"]
    threads = next(each for each in fields if each.name == "threads")
    assert [[(c.name, c.value) for c in row] for row in threads.rows] == [
        [("name", "models"), ("description", "what was released"), ("estimated_nodes", "4")],
        [("name", "law"), ("description", ""), ("estimated_nodes", "2")],
    ]
    assert [(each.name, each.value) for each in threads.blank] == [
        ("name", ""), ("description", ""), ("estimated_nodes", ""),
    ]  # fmt: skip


async def test_the_form_of_a_plan_shows_no_data(site: Site, monkeypatch: pytest.MonkeyPatch):
    run = await planned(site)

    async def own_run(*_given: object) -> object:
        return run

    monkeypatch.setattr("groundwire.app.runs.Runs.get_owned", own_run)
    page = await (await site.browser()).get(f"/runs/{run.id}")
    form = page.text.partition('<form class="panel proposal"')[2].partition("</form>")[0]
    assert faults(form) == []
    assert "{" not in form
    assert "estimated_nodes" not in words_of(page)


async def test_who_waits_for_nothing_has_no_form(site: Site):
    run = (await begun(site, "ask", {"question": QUESTION})).run
    assert form_for(run, words("en")) is None


@pytest.mark.parametrize(("language", "button"), [("en", "Let it go on"), ("zh-TW", "讓它繼續")])
async def test_the_page_of_a_run_that_waits_has_the_form(
    site: Site, monkeypatch: pytest.MonkeyPatch, language: str, button: str
):
    run = await waiting(site)

    async def own_run(*_given: object) -> object:
        return run

    monkeypatch.setattr("groundwire.app.runs.Runs.get_owned", own_run)
    page = await (await site.browser(**{"Accept-Language": language})).get(f"/runs/{run.id}")
    assert page.status_code == 200
    form = page.text.partition('<form class="panel proposal"')[2].partition("</form>")[0]
    assert faults(form) == []
    assert button in words_of(page)
    assert 'name="tags" data-type="list"' in form and "one\ntwo" in form
    assert "&lt;b&gt;in March" in form
    assert f'data-proposal="{run.waiting.id}"' in page.text


@pytest.mark.parametrize(
    ("language", "least", "most", "told"),
    [
        ("en", 0, 1, "at most 1 min"),
        ("en", 2, 9, "2–9 min"),
        ("zh", 0, 1, "至多 1 分钟"),
        ("zh-Hant", 0, 3, "至多 3 分鐘"),
    ],
)
async def test_an_interval_from_nothing_says_only_its_most(
    site: Site, language: str, least: int, most: int, told: str
):
    plan = Plan(
        topic="x",
        language="en",
        level="light",
        threads=(Thread(name="works", estimated_nodes=3),),
        minutes=Spread(least=least, most=most),
    )
    run = (await begun(site, "timeline", {"topic": "x"})).run
    proposal = Proposal(form="Plan", fields=plan.model_dump(mode="json"))
    fields = form_for(
        run.model_copy(update={"state": "waiting", "waiting": proposal}), words(language)
    )
    assert fields is not None
    assert next(each.value for each in fields if each.name == "minutes") == told
