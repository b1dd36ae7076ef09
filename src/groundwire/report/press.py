"""Sets reports with typst: the data for its template, and the process that sets it with limits."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal, cast

from groundwire.errors import IllegalState, TooBig
from groundwire.model.base import Json, JsonObject
from groundwire.report.blocks import Course, Figure, Origins, Report, Waterfall
from groundwire.report.plain import cut
from groundwire.report.statements import CHANGES
from groundwire.report.tokens import LIGHT
from groundwire.report.waterfall import printed_bars

Form = Literal["pages", "card"]
Output = Literal["pdf", "png"]
SECONDS = 100.0
_PLACES = threading.BoundedSemaphore(2)  # a large report needs hundreds of megabytes
_RUNNING = 90  # characters of the title on top of each page
_UNBROKEN = 36  # characters of one word; a line may break inside of longer ones
_CHUNK = 12
_LONG_WORD = re.compile(rf"[^\s\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]{{{_UNBROKEN},}}")
_JOINTS = re.compile(r"(?<=[/.?&=_,;:-])(?=[^/.?&=_,;:-])")
# What neither our Chinese face nor typst's own fonts have: most emoji, Hangul, Thai and other
# scripts. Found by drawing every character (see tests/report/test_pdf.py).
_UNDRAWN = re.compile(
    "(?:[\u0700-\u08ff\u0980-\u0dff\u0e01-\u0e3a\u0e40-\u0eff\u0f00-\u10cf\u1100-\u1cff\u2c00-\u2c5f"
    "\u26bf-\u2700\u2705\u270a\u270b\u2728\u274c\u274e\u2753-\u2755\u2757\u2795-\u2797\u27b0"
    "\ua000-\ua62b\ua840-\uab2f\uabc0-\ud7ff\U00010000-\U0001d1ff\U0001d800-\U0001f0ff"
    "\U0001f1ad-\U0001f1ff\U0001f260-\U0001f6d0\U0001f6d2-\U0001f773\U0001f900-\U0001fbff]"
    "[\ufe0e\ufe0f\u200d\U0001f3fb-\U0001f3ff]*)"
)
_BOX = "□"


def render(report: Report, form: Form = "pages", output: Output = "pdf") -> bytes:
    """Render the report as a file; the same report always gives the same bytes."""
    request = json.dumps(
        {
            "report": json.dumps(_template_data(report, form), ensure_ascii=False),
            "output": output,
            "moment": int(report.made_at.timestamp()),
        }
    )
    with _PLACES, TemporaryDirectory(prefix="groundwire-press-") as empty:
        return _set(request.encode(), Path(empty))


def _set(request: bytes, empty: Path) -> bytes:
    """Set it in a process of its own.

    typst keeps what it has computed until its process ends, and only a process can be stopped.
    """
    # Only the import path is passed on: the process must not see keys in our environment.
    path = os.pathsep.join(path for path in sys.path if path)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "groundwire.report.typesetter", str(empty)],
            input=request,
            capture_output=True,
            timeout=SECONDS,
            check=False,
            env={"PYTHONPATH": path},
            start_new_session=True,
        )
    except subprocess.TimeoutExpired:
        raise TooBig("error.report_too_slow", seconds=SECONDS, hint="hint.forms_unset") from None
    if done.returncode < 0:  # ended by a signal: a limit of its own
        raise TooBig("error.report_too_large", hint="hint.forms_unset")
    if done.returncode != 0:
        why = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        raise IllegalState(f"the report could not be set: {why}", hint="hint.forms_unset")
    return done.stdout


def _template_data(report: Report, form: Form) -> JsonObject:
    """Build the template's data: the report, with figures and characters made drawable."""
    value: JsonObject = report.model_dump(mode="json", exclude={"unseen"})
    for shown, block in zip(value["blocks"], report.blocks, strict=True):
        if isinstance(block, Waterfall):
            for step, bar in zip(shown["steps"], printed_bars(block), strict=True):
                step.update(bar._asdict())
        elif isinstance(block, Origins):
            shown["items"] = [each.model_dump(mode="json") for each in block.statements()]
        elif isinstance(block, Course):
            shown.clear()
            shown |= block.table.model_dump(mode="json")
        elif isinstance(block, Figure) and block.picture is not None:
            # The template has no way to decode text; numbers it can take for bytes.
            shown["picture"]["data"] = list(block.picture.data)
    value["score"] = None if report.score is None else f"{report.score:.2f}"
    drawn: JsonObject = _drawable(value)
    undrawn = _BOX in json.dumps(drawn, ensure_ascii=False)
    return {
        "report": drawn,
        "form": form,
        "tokens": dict(LIGHT),
        "changes": dict(CHANGES),
        "running": _text(cut(report.title, _RUNNING)),
        "note": report.unseen if undrawn else "",
    }


def _drawable(value: Json, name: str = "") -> Json:
    match value:
        case str():
            return value if name == "link" else _text(value)
        case list() if name == "data":
            return cast(list[Json], value)
        case dict():
            fields = cast(JsonObject, value)
            return {key: _drawable(item, key) for key, item in fields.items()}
        case list():
            return [_drawable(item) for item in cast(list[Json], value)]
        case _:
            return value


def _text(text: str) -> str:
    """Replace what cannot be drawn, and add places at which a very long word may break."""
    return _LONG_WORD.sub(_breakable, _UNDRAWN.sub(_BOX, text))


def _breakable(found: re.Match[str]) -> str:
    """Allow breaks after the marks that divide an address, and inside what is long without any."""
    return "\u200b".join(
        piece[at : at + _CHUNK]
        for piece in _JOINTS.split(found[0])
        for at in range(0, len(piece), _CHUNK)
    )
