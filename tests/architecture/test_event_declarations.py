"""An event has a type that all jobs share, or one that its job declares in its steps."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import ValidationError

import groundwire
from groundwire import jobs
from groundwire.model.event import Draft
from groundwire.model.story import SHARED, types_of

SOURCE = Path(groundwire.__file__).parent
TELLERS = ("context", "gather", "jobs", "tools")


def emitted(folder: Path) -> Iterator[tuple[Path, str]]:
    """List every event type emitted below a folder, with the file; a type that is no literal as ""."""
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(
                    func=ast.Attribute(attr="emit"), args=[ast.Constant(value=str(kind)), *_]
                ):
                    yield path.relative_to(folder), kind
                case ast.Call(func=ast.Attribute(attr="emit")):
                    yield path.relative_to(folder), ""
                case _:
                    pass


def undeclared(source: Path) -> set[str]:
    """Find events of a type that neither all jobs share nor their own job declares."""
    found: set[str] = set()
    for part in TELLERS:
        for path, kind in emitted(source / part):
            job = path.parts[0] if part == "jobs" and path.parts[0] in jobs.kinds() else ""
            known = types_of(jobs.steps(job)) if job else SHARED
            if kind not in known:
                found.add(f"{part}/{path.as_posix()}: {kind}")
    return found


def test_every_event_has_a_type_that_is_declared() -> None:
    assert {kind for part in TELLERS for _, kind in emitted(SOURCE / part)} >= {"thought", "answer"}
    assert undeclared(SOURCE) == set()


def test_a_planted_type_is_found(tmp_path: Path) -> None:
    for part in TELLERS:
        (tmp_path / part).mkdir()
    job_folder = tmp_path / "jobs" / jobs.kinds()[0]
    job_folder.mkdir()
    (job_folder / "nodes.py").write_text(
        'await context.step("a").emit("anwser", {})\n', encoding="utf-8"
    )
    (tmp_path / "tools" / "x.py").write_text("await context.emit(kind, {})\n", encoding="utf-8")
    assert undeclared(tmp_path) == {f"jobs/{jobs.kinds()[0]}/nodes.py: anwser", "tools/x.py: "}


@pytest.mark.parametrize("kind", ["", "two words", "a\nb", "data: x", "Signal", "a" * 41])
def test_a_type_is_one_word_of_a_stream(kind: str) -> None:
    with pytest.raises(ValidationError):
        Draft(key="k", attempt=1, step="", type=kind, payload={})
