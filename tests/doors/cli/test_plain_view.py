"""A result that its job cannot read is shown as it is, never as nothing."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from groundwire.doors.cli.view import view, view_of
from groundwire.model.run import Run
from tests.made_reports import ask_run, verify_run


@pytest.mark.parametrize("made", [ask_run, verify_run])
async def test_a_result_of_another_version_is_put_out(
    made: Callable[[], Run], capsys: pytest.CaptureFixture[str]
):
    run = made()
    assert view_of(run) is view(run.kind)
    old = run.model_copy(update={"result": {"answer": "yes", "message": "旧"}})
    for as_json in (False, True):
        await view_of(old).show(None, old, as_json=as_json)  # pyright: ignore[reportArgumentType]
        assert json.loads(capsys.readouterr().out) == old.result
