"""Exported reports are recognised as our own, and are no evidence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from groundwire.evidence.pages.assembly import page_evidence
from groundwire.model.query import Hit
from tests.evidence.builders import document

from .conftest import Gw

QUESTIONS = (
    ("ask", "Did USDC lose its peg in March 2023, and why?"),
    ("verify", "USDC在2023年3月跌破0.90美元。"),
    ("verify", "USDC在2023年3月跌破0.90美元，多家媒體報導。"),
)


@pytest.mark.parametrize(("job", "text"), QUESTIONS)
def test_no_form_of_a_report_comes_into_the_archive(
    gw: Gw, tmp_path: Path, job: str, text: str
) -> None:
    run = json.loads(gw(job, text, "--json").out)["run_id"]
    for form in ("md", "html", "csv", "json"):
        file = tmp_path / f"report.{form}"
        assert gw("export", run, "-o", str(file)).code == 0
        result = gw("archive", "add", str(file))
        assert "0 added" in result.out + result.err, form
        assert "a report that we made ourselves" in " ".join(result.err.split()), form
    lines = tmp_path / "results.jsonl"
    lines.write_text(gw(job, text, "--json").out)
    assert "0 added" in (result := gw("archive", "add", str(lines))).out + result.err


def test_a_report_that_somebody_put_on_the_web_is_flagged(gw: Gw) -> None:
    run = json.loads(gw(*QUESTIONS[0], "--json").out)["run_id"]
    page = document(gw("export", run, "-f", "md").out)
    hit = Hit(title="", url=page.url, content="", provider="web", rank=0)
    assert "own_report" in page_evidence(page, hit).flags
    other = document("Run-of-the-mill news, made by hand; see order abc-0123456789.")
    assert "own_report" not in page_evidence(other, hit).flags
