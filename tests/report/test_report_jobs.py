"""The reports of the jobs: everything that a result says is in them, in its language."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from tests.made_reports import (
    LANGUAGES,
    PRICED,
    QUOTES,
    SEARCHED,
    TITLES,
    answer,
    ask_run,
    failed_run,
    run_of,
    tool_run,
    verify_run,
)

from groundwire.jobs import report_of_kind
from groundwire.jobs.verify.signal import Signal
from groundwire.model.run import Run
from groundwire.report import markdown
from groundwire.report.blocks import Report, Waterfall
from groundwire.report.csv import Sheet
from groundwire.words import words


def report_of(run: Run) -> Report:
    return report_of_kind(run.kind).report(run)


def texts(value: Any) -> Iterator[str]:
    """Yield every text of a report."""
    if isinstance(value, dict):
        for item in value.values():
            yield from texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from texts(item)
    elif isinstance(value, str):
        yield value


def whole(report: Report) -> str:
    return "\n".join(texts(report.model_dump(mode="json")))


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_answer_is_all_there(language: str) -> None:
    run = ask_run(language)
    text = whole(report_of(run))
    result = answer(language)
    for sentence in (*result.answer, *result.contested[0].sides):
        assert sentence.text in text
    for part in (*QUOTES, *TITLES, "It was 12 %.", "tavily", "the amount that"):
        assert part in text
    assert run.id in text
    assert run.digest is not None
    assert run.digest in text
    assert "$0.0123" in text
    assert "https://site1.example/a?b=1&c=2" in text
    say = words(language)
    for label in ("answer", "contested", "missing", "degraded", "sources", "unsupported"):
        assert say(f"report.{label}") in text
    assert say("report.origins", articles=4, origins=2) in text
    for verdict in ("supported", "qualified", "contested"):
        assert say.name("verdict", verdict) in text


@pytest.mark.parametrize(
    ("language", "sample"), [("en", "sample"), ("zh", "示例"), ("zh-Hant", "範例")]
)
def test_what_rests_on_the_sample_says_so(language: str, sample: str) -> None:
    assert report_of(ask_run(language)).sample == sample
    assert report_of(verify_run(language)).sample == ""


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_signal_is_all_there(language: str) -> None:
    run = verify_run(language)
    report = report_of(run)
    text = whole(report)
    signal = Signal.model_validate(run.result)
    for claim in signal.claims:
        assert claim.text in text
    for each in signal.evidence:
        assert each.quote in text
        assert each.title in text
    assert signal.message.text in text
    assert signal.summary in text
    (fall,) = [block for block in report.blocks if isinstance(block, Waterfall)]
    assert sum(round(step.delta * 10_000) for step in fall.steps) == round(
        signal.confidence * 10_000
    )
    assert fall.steps[-1].total == signal.confidence
    assert [step.reason for step in fall.steps] == [
        words(language)(row.reason, **row.params) for row in signal.waterfall
    ]
    assert report.score == signal.confidence
    assert (
        words(language)(
            "report.origins", articles=len(signal.evidence), origins=len(signal.origins)
        )
        in text
    )


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", ["ask", "verify", "tool"])
def test_a_run_without_a_result_says_why(kind: str, language: str) -> None:
    run = failed_run(kind, language)
    report = report_of(run)
    text = whole(report)
    assert "every search failed" in text
    assert words(language).name("state", "failed") in text
    assert report.language == language
    assert run.id in text


def test_a_search_lists_its_hits_and_who_failed() -> None:
    text = whole(report_of(tool_run("search", SEARCHED)))
    for part in (
        *TITLES,
        *QUOTES,
        f"tavily ({words('en').name('failure', 'auth')})",
        "the key was refused",
    ):
        assert part in text


def test_any_tool_has_a_report() -> None:
    """Names, values, tables, and what is neither as it came."""
    text = whole(report_of(tool_run("price", PRICED)))
    for part in ("USDC", "0.9998", "yes", "2023-03-11", "0.88", '"er"', "one line", "第二行"):
        assert part in text


def test_a_search_of_another_version_is_shown_as_data() -> None:
    text = whole(report_of(tool_run("search", {"found": 3, "list": ["a", "b"]})))
    assert "found" in text
    assert "3" in text


def test_a_tool_that_failed_says_why() -> None:
    run = tool_run("read", None, error={"code": "not_found", "message": "no such page"})
    assert "no such page" in whole(report_of(run))


def test_a_job_without_a_file_of_its_own_has_every_form_of_text() -> None:
    """A job may come before its report does."""
    run = run_of({"status": "complete", "headline": "Eleven funds", "dates": [{"d": 1}]}, "later")
    assert "Eleven funds" in whole(report_of(run))
    assert "Eleven funds" in markdown.text(report_of(run))
    assert report_of_kind("later").picture is None


@pytest.mark.parametrize("run", [ask_run(), verify_run(), tool_run("search", SEARCHED)])
def test_a_sheet_has_a_cell_for_each_name(run: Run) -> None:
    sheet: Sheet = report_of_kind(run.kind).sheet(run)
    assert sheet.rows
    assert {len(row) for row in sheet.rows} == {len(sheet.head)}


def test_json_is_the_result_as_it_is() -> None:
    run = ask_run()
    assert report_of_kind("ask").result(run) == run.result
    assert json.dumps(report_of_kind("verify").result(failed_run("verify")))
