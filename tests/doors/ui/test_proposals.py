"""What a run proposes, as a form on its page: of any job, from the fields alone."""

from __future__ import annotations

import pytest

from groundwire.doors.ui.pages.run import FormField, form_for
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
