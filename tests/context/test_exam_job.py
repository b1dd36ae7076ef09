"""Exams that a person asks for: the job, what it costs, and the table at every door."""

from __future__ import annotations

from pathlib import Path

import httpx2
import pytest

from groundwire.app.exports import replay_run
from groundwire.doors.serving import application, assemble
from groundwire.errors import RateLimited, UnknownName
from groundwire.jobs import report_of
from groundwire.model.run import Run
from groundwire.report import markdown
from groundwire.words import LANGUAGES

from .conftest import MODEL, Desk, right, wrong

QUIZ = "quiz/is_even"


async def sat(app, who: str = "", *, again: bool = False) -> Run:
    return await app.finished((await app.exams.sit(who, (QUIZ,), again=again)).id)


async def test_models_sit_the_exam_that_they_are_asked_to(desk: Desk) -> None:
    async with desk.open(**{"models.exam": "off"}) as app:
        run = await sat(app)
        assert run.state == "complete", run.error
        embedded, model = (run.result or {})["rows"]
        assert (embedded["who"], embedded["score"], embedded["grade"]) == ("embedded", 0.5, None)
        assert (model["who"], model["score"], model["grade"]) == (MODEL, 1.0, "decides")
        assert (model["cost_micro"], model["run_id"]) == (1200, run.id)
        assert (await replay_run(app, run)).identical
        # Valid marks are shown, not earned again, unless it is asked for.
        asked = len(desk.asked)
        assert (await sat(app)).result is not None
        assert len(desk.asked) == asked
        desk.says = wrong
        again = await sat(app, MODEL, again=True)
        assert (again.result or {})["rows"][1]["grade"] == "not_asked"
        assert len(desk.asked) == 2 * asked


async def test_an_outage_fails_the_run_so_that_it_can_be_resumed(desk: Desk) -> None:
    desk.says = lambda n: RateLimited() if n == 20 else right(n)
    async with desk.open() as app:
        run = await sat(app)
        assert run.state == "failed"
        assert (run.result or {})["rows"][1]["why"]["code"] == "standing.why.outage"
        asked = len(desk.asked)
        desk.says = right
        ended = await app.finished((await app.resume(run)).id)
        assert ended.state == "complete", ended.result
        assert sorted(desk.asked[asked:]) == [20, 21, 22, 23, 24]


async def test_the_cost_is_known_before_anything_is_asked(desk: Desk) -> None:
    async with desk.open() as app:
        (due,) = await app.exams.due("", (QUIZ,), again=False)
        assert (due.question, due.model, due.cost.items) == (QUIZ, MODEL, 24)
        assert 0 < due.cost.likely < due.cost.most
        assert desk.asked == []
        await sat(app)
        assert await app.exams.due("", (QUIZ,), again=False) == []
        assert len(await app.exams.due("light", (QUIZ,), again=True)) == 1
        assert await app.exams.due("heavy", (QUIZ,), again=True) == []


async def test_a_model_that_no_tier_names_can_be_tried(desk: Desk) -> None:
    other = "openai:gpt-4.1"
    async with desk.open() as app:
        assert [each.model for each in await app.exams.due(other, (QUIZ,), again=False)] == [other]
        run = await sat(app, other)
        assert (run.result or {})["rows"][1]["who"] == other
        assert [row.who for row in await app.exams.rows() if row.question == QUIZ] == [
            "embedded",
            MODEL,
        ]


async def test_a_small_budget_for_runs_does_not_keep_a_person_from_the_exam(desk: Desk) -> None:
    async with desk.open(**{"budget.run_usd": 0.03}) as app:
        run = await sat(app)
        assert (run.result or {})["rows"][1]["grade"] == "decides", run.result


async def test_a_person_gets_what_they_agreed_to(desk: Desk) -> None:
    """Whatever a run may usually spend: the stated cost is the limit of this one."""
    async with desk.open(**{"budget.run_usd": 0.0001}) as app:
        assert (await sat(app)).state == "failed"
        (due,) = await app.exams.due("", (QUIZ,), again=False)
        run = await app.exams.sit("", (QUIZ,), again=False, agreed=due.cost.most)
        run = await app.finished(run.id)
        assert (run.result or {})["rows"][1]["grade"] == "decides", run.result
        assert run.budgets == {"agreed": due.cost.most}


async def test_what_is_stated_is_near_what_it_costs(desk: Desk) -> None:
    """Of English and Chinese prompts, with answers as they usually are."""
    from groundwire.llm.prices import usual_tokens

    english = "Coinbase said on Friday that it will list the token next week."
    chinese = "交易所周五表示，下周将上线该代币。"
    assert 12 <= usual_tokens(english) <= 16  # 13 by the tokenizers of 2026
    assert 12 <= usual_tokens(chinese) <= 18
    assert usual_tokens(english, chinese) == usual_tokens(english) + usual_tokens(chinese)


async def test_one_reason_for_many_is_said_once_and_the_sum_at_the_end(desk: Desk) -> None:
    from groundwire.jobs.exam.report import REPORT

    async with desk.open() as app:
        run = await sat(app)
        text = markdown.text(REPORT.report(run, "en"))
        assert "1 model exam, 24 items asked: $0.0012 in all" in text
        desk.says = lambda _n: RateLimited()
        failed = await sat(app, MODEL, again=True)
    rows = (failed.result or {})["rows"]
    twice = failed.model_copy(
        update={
            "result": {**(failed.result or {}), "rows": [*rows, {**rows[1], "question": "a/b"}]}
        }
    )
    for language, said in (("en", "could not sit"), ("zh", "未能完成"), ("zh-Hant", "未能完成")):
        text = markdown.text(REPORT.report(twice, language))
        assert text.count(said) == 1, text


async def test_a_question_is_named_once_beside_the_embedded_answer(desk: Desk) -> None:
    from groundwire.model.exam import ExamRow
    from groundwire.report import exams as wording
    from groundwire.words import words

    def row(who: str, **more: object) -> ExamRow:
        fields = {"question": QUIZ, "who": who, "items": 24, "score": 0.5, "low": 0.3, "high": 0.7}
        return ExamRow.model_validate({**fields, **more})

    behind = {"ahead_low": -0.014, "ahead_high": 0.4, "grade": "advises"}
    rows = [row("embedded"), row("a:b", **behind), row("c:d", **behind)]
    first, second = (each.cells for each in wording.lines(rows, words("en")))
    assert first[:3] == ("Is it even? (n=24)", "0.50 (0.30–0.70)", "a:b")
    assert second[:3] == ("", "", "c:d")
    assert first[4] == "−0.01 … +0.40"
    assert wording.lines(rows[:1], words("en"))[0].cells[:3] == (*first[:2], "")


async def test_an_unknown_question_is_refused_with_its_name(desk: Desk) -> None:
    async with desk.open() as app:
        with pytest.raises(UnknownName, match="is_odd"):
            await app.exams.sit("", ("quiz/is_odd",), again=False)


async def test_the_report_shows_the_table_in_every_language(desk: Desk) -> None:
    async with desk.open() as app:
        run = await sat(app)
        for language in LANGUAGES:
            text = markdown.text(report_of(run).report(run, language))
            assert all(each in text for each in (MODEL, "1.00", "0.50", "$0.0012")), text
        assert len(report_of(run).sheet(run).rows) == 2


async def test_a_run_shows_who_decided(desk: Desk) -> None:
    from groundwire.model.result import Decided
    from groundwire.report import exams as wording
    from groundwire.words import words

    async with desk.open() as app:
        run = await desk.quiz(app)
    found = [Decided.model_validate(each) for each in (run.result or {})["decided"]]
    heading, points = wording.decided(found, words("en"))
    assert heading.text == "Who decided"  # pyright: ignore
    (line,) = points.items  # pyright: ignore
    # Said in words everywhere: the shape of a judgement, ▨ above all, means something else.
    assert (line.text, line.tone, line.word) == (f"Is it even?: {MODEL} · decides", "", "")
    assert "1.00 against 0.50" in line.about
    assert list(wording.decided((), words("en"))) == []


async def test_the_page_and_the_api_show_the_same_table(desk: Desk, tmp_path: Path) -> None:
    async with desk.open() as app:
        await sat(app)
        web = application(assemble(app, open_here=True))
        transport = httpx2.ASGITransport(app=web)
        async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            found = (await client.get("/api/models")).json()["exams"]
            page = (await client.get("/trust")).text
        assert [(row["who"], row["grade"]) for row in found if row["question"] == QUIZ] == [
            ("embedded", None), (MODEL, "decides"),
        ]  # fmt: skip
        assert 'id="marks"' in page and "1.00" in page and MODEL in page
