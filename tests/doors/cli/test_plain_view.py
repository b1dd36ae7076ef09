"""A result that its job cannot read is shown as it is, never as nothing."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from groundwire.doors.cli.card import show
from groundwire.jobs import report_of
from groundwire.model.run import Run
from groundwire.report.data import PLAIN
from tests.made_reports import ask_run, verify_run


@pytest.mark.parametrize("made", [ask_run, verify_run])
async def test_a_result_of_another_version_is_put_out(
    made: Callable[[], Run], capsys: pytest.CaptureFixture[str]
):
    run = made()
    assert report_of(run) is not PLAIN
    old = run.model_copy(update={"result": {"answer": "yes", "message": "旧"}})
    assert report_of(old) is PLAIN
    await show(None, old, as_json=True)  # pyright: ignore[reportArgumentType]
    assert json.loads(capsys.readouterr().out) == old.result
    await show(None, old, as_json=False)  # pyright: ignore[reportArgumentType]
    card = capsys.readouterr().out
    assert "yes" in card
    assert "旧" in card
