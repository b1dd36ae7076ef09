"""The sheet: one row for each citation, Chinese that spreadsheets read, and never a formula."""

from __future__ import annotations

import csv
import io

import pytest
from tests.made_reports import (
    LANGUAGES,
    PRICED,
    QUOTES,
    SEARCHED,
    answer,
    ask_run,
    failed_run,
    file_as,
    hostile_answer,
    hostile_signal,
    tool_run,
    verify_run,
)

from groundwire.jobs.verify.signal import Signal
from groundwire.model.run import Run
from groundwire.report import csv as form
from groundwire.report.csv import Sheet

_FORMULA = tuple("=+-@\t\r＝＋－＠")


def rows(data: bytes) -> list[dict[str, str]]:
    assert data.startswith(b"\xef\xbb\xbf")
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def formulas(data: bytes) -> list[str]:
    """List the cells that a spreadsheet would compute, also within lists divided by semicolons."""
    text = data.decode("utf-8-sig")
    found: list[str] = []
    for row in csv.reader(io.StringIO(text, newline="")):
        found += [cell for cell in row if cell.startswith(_FORMULA) and not _is_number(cell)]
    for row in csv.reader(io.StringIO(text, newline=""), delimiter=";"):
        found += [cell for cell in row if cell.startswith(_FORMULA) and not _is_number(cell)]
    return found


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_answer_has_a_row_for_each_citation(language: str) -> None:
    found = rows(file_as("csv", ask_run(language)))
    result = answer(language)
    cited = [row for row in found if row["part"] == "answer"]
    assert [row["sentence"] for row in cited] == [
        result.answer[0].text,
        result.answer[0].text,
        result.answer[1].text,
    ]
    assert [row["quote"] for row in cited] == [QUOTES[0], QUOTES[1], QUOTES[1]]
    assert [row["source"] for row in cited] == ["1", "2", "2"]
    assert cited[0]["published"] == "2023-03-11"
    assert cited[0]["tier"] == "wire"
    assert cited[0]["flags"] == "sample"
    assert [row["part"] for row in found[3:]] == [
        "contested",
        "contested",
        "unsupported",
        "missing",
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_signal_has_its_citations_its_evidence_and_its_rules(language: str) -> None:
    run = verify_run(language)
    signal = Signal.model_validate(run.result)
    found = rows(file_as("csv", run))
    first = found[0]
    assert (first["part"], first["verdict"]) == ("signal", signal.verdict)
    assert float(first["confidence"]) == signal.confidence
    for claim in signal.claims:
        claim_rows = [row for row in found if row["part"] == "claim" and row["text"] == claim.text]
        assert len(claim_rows) == max(1, len(claim.citations))
    assert {row["quote"] for row in found if row["quote"]} >= {e.quote for e in signal.evidence}
    rules = [row for row in found if row["part"] == "rule"]
    deltas = sum(round(float(row["delta"]) * 10_000) for row in rules)
    assert deltas == round(signal.confidence * 10_000)


def test_a_search_has_a_row_for_each_hit_and_a_tool_one_for_each_value() -> None:
    hits = rows(file_as("csv", tool_run("search", SEARCHED)))
    assert [row["content"] for row in hits] == list(QUOTES)
    values = {row["name"]: row["value"] for row in rows(file_as("csv", tool_run("price", PRICED)))}
    assert values["price"] == "0.9998"
    assert values["points.1.price"] == "0.88"
    assert values["nested.deep.er.2.x"] == "y"
    assert values["pegged"] == "yes"


@pytest.mark.parametrize("kind", ["ask", "verify", "tool"])
def test_a_run_without_a_result_has_a_head(kind: str) -> None:
    data = file_as("csv", failed_run(kind, "zh"))
    assert data.decode("utf-8-sig").startswith("run,")


@pytest.mark.parametrize("run", [hostile_answer(), hostile_signal()])
def test_no_text_is_a_formula(run: Run) -> None:
    assert formulas(file_as("csv", run)) == []


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        ("=1+1", "'=1+1"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'=1"),
        ("\r\n=1", "'=1"),
        ("＝1", "'＝1"),
        ("a;=1+1;b", "a; =1+1;b"),
        ('a;"=1+1"', 'a; "=1+1"'),
        ("a = b", "a = b"),
        ("2023-03-11", "2023-03-11"),
        ("不变；=", "不变； ="),
    ],
)
def test_what_begins_like_a_formula_is_marked_as_text(cell: str, written: str) -> None:
    sheet = Sheet(head=("a",), rows=((cell,),))
    (row,) = rows(form.render(sheet))
    assert row["a"] == written


def test_numbers_stay_numbers() -> None:
    (row,) = rows(form.render(Sheet(head=("a", "b", "c"), rows=((-0.2, 3, None),))))
    assert row == {"a": "-0.2", "b": "3", "c": ""}


def test_the_check_sees_a_sheet_without_its_guard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(form, "_cell", lambda value: "" if value is None else value)
    found = formulas(file_as("csv", hostile_answer()))
    assert any(cell.startswith("=HYPERLINK") for cell in found)
    assert any(cell.startswith("@SUM") for cell in found)


@pytest.mark.parametrize("count", [1_000, pytest.param(10_000, marks=pytest.mark.slow)])
def test_thousands_of_sentences_are_all_there(count: int) -> None:
    found = rows(file_as("csv", hostile_answer(sentences=count)))
    assert sum(row["sentence"].endswith("句。") for row in found) == count
