"""What doors call: the forms, their names and kinds, and what is said of a run that has none."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import PurePath
from types import SimpleNamespace
from typing import Any

import pytest
from tests.made_reports import ask_run, failed_run, tool_run, verify_run

from groundwire.app import exports
from groundwire.errors import InputError, TooBig, UnknownName
from groundwire.jobs import report_of_kind
from groundwire.log import Redactor
from groundwire.model.run import Run
from groundwire.report.forms import FORMS, Form
from groundwire.report.reporting import JobReport

APP: Any = SimpleNamespace(known=Redactor(("marzipan-lantern-42",), shapes=False))


async def test_every_form_has_a_name_and_a_kind() -> None:
    run = verify_run("zh")
    for name, form in FORMS.items():
        made = await exports.export(APP, run, name)
        assert made.name == f"{run.id}{form.suffix}"
        assert made.media_type == form.media_type
        assert made.data


async def test_known_secrets_stay_here() -> None:
    run = ask_run(question="Was it marzipan-lantern-42?")
    made = await exports.export(APP, run, "html")
    assert b"marzipan" not in made.data
    assert b"Was it ***?" in made.data


@pytest.mark.parametrize(
    ("run", "pictured"),
    [
        (ask_run(), False),
        (verify_run(), True),
        (tool_run("x", {}), False),
        (failed_run("ask"), False),
    ],
)
def test_a_run_says_which_forms_it_has(run: Run, pictured: bool) -> None:
    wanted = {*FORMS, "bundle"} - (set() if pictured else {"png"})
    assert set(exports.forms_of(run)) == wanted


async def test_a_run_under_way_has_none_yet() -> None:
    run = ask_run().model_copy(update={"state": "running"})
    assert exports.forms_of(run) == ()
    with pytest.raises(InputError, match="only a finished run"):
        await exports.export(APP, run, "md")
    with pytest.raises(UnknownName, match="did you mean docx"):
        await exports.export(APP, ask_run(), "docxx")


@pytest.mark.parametrize(
    ("path", "form"),
    [("a.html", "html"), ("b/c.PDF", "pdf"), ("x.zip", "bundle"), ("x.txt", None), ("x", None)],
)
def test_a_file_name_asks_for_a_form(path: str, form: str | None) -> None:
    assert exports.form_named(PurePath(path)) == form


def test_binary_forms_are_not_for_a_terminal() -> None:
    assert {name for name, form in FORMS.items() if form.is_text} == {"md", "html", "json", "csv"}


async def test_what_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    import threading

    held = threading.Event()

    def slow(_run: Run, _job: JobReport) -> bytes:
        held.wait(30)
        return b""

    monkeypatch.setattr(exports, "_SECONDS", 0.05)
    monkeypatch.setattr(exports, "find_form", lambda _name: Form(".x", "text/x", slow))
    with pytest.raises(TooBig, match="too large for this form"):
        await exports.export(APP, ask_run(), "x")
    held.set()
    await asyncio.sleep(0)


async def test_a_job_can_add_a_form(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it fits; every door lists it from the registry."""
    form = Form(".vcf", "text/vcard; charset=utf-8", lambda run, _job: run.id.encode())
    extended = replace(report_of_kind("ask"), forms={"vcf": form})
    monkeypatch.setattr("groundwire.jobs.ask.report.REPORT", extended)
    assert "vcf" in exports.forms_of(ask_run())
    assert "vcf" not in exports.forms_of(verify_run())
    assert exports.form_named(PurePath("x.vcf")) == "vcf"
    assert (await exports.export(APP, ask_run(), "vcf")).name.endswith(".vcf")


async def test_a_form_of_another_job_is_refused() -> None:
    with pytest.raises(InputError, match="no dates for a calendar"):
        await exports.export(APP, verify_run(), "ics")
