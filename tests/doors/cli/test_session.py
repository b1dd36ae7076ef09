"""How a command ends: one sentence, the right code, no traceback unless asked for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from groundwire import errors
from groundwire.doors.cli import session
from groundwire.doors.cli.session import Invocation, run_guarded


@pytest.fixture(autouse=True)
def options() -> Iterator[None]:
    Invocation.debug, Invocation.run_id = False, None
    yield
    Invocation.debug, Invocation.run_id = False, None


def fail(error: BaseException) -> int:
    raise error


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.InputError("the question is empty"), 2),
        (errors.SettingsError("a setting is wrong"), 2),
        (errors.UnknownName("no such name"), 2),
        (errors.MissingExtra("not installed"), 2),
        (errors.NotFoundHere("no such run"), 2),
        (errors.BudgetReached("the budget is used up"), 5),
        (errors.Timeout("no answer in time"), 4),
        (errors.DiskFull("the disk is full"), 4),
        (errors.NewerSchema("a newer version wrote it"), 4),
        (errors.StoreBusy("locked"), 4),
        (OSError(28, "No space left on device"), 4),
        (ValueError("a bug of ours"), 4),
        (RecursionError(), 4),
    ],
)
def test_every_failure_is_a_sentence_and_a_code(
    error: Exception, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_guarded(lambda: fail(error)) == code
    captured = capsys.readouterr()
    assert captured.out == ""
    assert getattr(error, "strerror", str(error)) in captured.err
    assert "Traceback" not in captured.err
    if not isinstance(error, errors.GroundwireError | OSError):
        assert "internal error" in captured.err
        assert "--debug" in captured.err


@pytest.mark.parametrize("error", [errors.InputError("x"), ValueError("x")])
def test_debug_lets_the_traceback_through(error: Exception) -> None:
    Invocation.debug = True
    with pytest.raises(type(error)):
        run_guarded(lambda: fail(error))


def test_an_internal_error_shows_no_key(capsys: pytest.CaptureFixture[str]) -> None:
    run_guarded(lambda: fail(ValueError("Authorization: Bearer tvly-secret-abcdefgh1234")))
    assert "secret" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("run_id", "sentence"), [(None, "interrupted"), ("ask-1", "gw follow ask-1")]
)
def test_an_interrupt_names_the_run(
    run_id: str | None, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Invocation.run_id = run_id
    assert run_guarded(lambda: fail(KeyboardInterrupt())) == session.INTERRUPTED
    assert sentence in capsys.readouterr().err


def test_a_result_is_its_code() -> None:
    assert run_guarded(lambda: 3) == 3


@pytest.mark.parametrize("stays", [False, True])
def test_only_a_process_that_stays_logs_whole_tracebacks(
    stays: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    from groundwire.log import get_logger

    monkeypatch.setattr(Invocation, "stays", stays)
    session.settings()
    try:
        raise ValueError("seen")
    except ValueError:
        get_logger("here").exception("request")
    log = capsys.readouterr().err
    assert "request" in log
    assert ("Traceback" in log) is stays
