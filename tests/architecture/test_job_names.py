"""Nothing outside `jobs/` names a job: a new one is a folder, and no other file changes."""

from __future__ import annotations

import re
from pathlib import Path

import groundwire
from groundwire import jobs

SOURCE = Path(groundwire.__file__).parent
# The word of TLS clients, and the names under which records know a shared prompt.
OTHER_MEANINGS = {
    "gateway/transport.py": {"verify"},
    "llm/gemini.py": {"verify"},
    "reasoning/plan_queries.py": {"ask"},
}

# Measurements of single jobs that have not moved into their folders yet; this list only gets shorter.
LEFT = {
    "doors/cli/board.py: verify",
    "doors/cli/measurements.py: ask",
    "doors/cli/measurements.py: verify",
    "doors/cli/labelling.py: verify",
}


def naming(source: Path, kinds: tuple[str, ...]) -> set[str]:
    """The files that name a job, with the name."""
    found: set[str] = set()
    for path in source.rglob("*.py"):
        name = path.relative_to(source).as_posix()
        if name.startswith("jobs/"):
            continue
        text = path.read_text(encoding="utf-8")
        for kind in kinds:
            named = re.search(rf"[\"'./]{kind}[\"'./]|\b{kind}\b *=", text)
            if named and kind not in OTHER_MEANINGS.get(name, set()):
                found.add(f"{name}: {kind}")
    return found


def test_no_file_outside_jobs_names_a_job() -> None:
    assert naming(SOURCE, tuple(job.kind for job in jobs.offered())) <= LEFT


def test_a_planted_name_is_found(tmp_path: Path) -> None:
    (tmp_path / "door.py").write_text('if kind == "verify":\n    pass\n', encoding="utf-8")
    assert naming(tmp_path, ("ask", "verify")) == {"door.py: verify"}
