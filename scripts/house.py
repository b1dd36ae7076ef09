"""Count how the source is built: lines by folder, presentation per job, homonyms, reaches into the store.

.venv/bin/python -m scripts.house             the working tree
.venv/bin/python -m scripts.house REVISION    a revision beside it
"""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import tarfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
# The files of a job that present it; its rules, steps and questions do not.
PRESENTATION = ("report*.py", "command.py", "desk.py", "page.py", "sources.py")
REGISTERED = {"Provider", "Options", "Input", "Result"}  # one in each file of a registry
# An attribute of this name, not the package `groundwire.store`.
_REACHES = re.compile(r"(?<!groundwire)\.store\b")


def put(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def lines_of(files: Iterable[Path]) -> int:
    return sum(file.read_text(encoding="utf-8").count("\n") for file in files)


@dataclass
class House:
    """The source under one root."""

    root: Path

    @property
    def source(self) -> Path:
        return self.root / "src" / "groundwire"

    @cached_property
    def files(self) -> list[Path]:
        return sorted([*self.source.rglob("*.py"), *(self.root / "lab").rglob("*.py")])

    @cached_property
    def texts(self) -> dict[Path, str]:
        return {file: file.read_text(encoding="utf-8") for file in self.files}

    @cached_property
    def trees(self) -> list[ast.Module]:
        return [ast.parse(text) for text in self.texts.values()]

    def folder_of(self, file: Path) -> str:
        """Return the folder that a file counts under: two levels deep in the package, or `lab`."""
        if file.is_relative_to(self.root / "lab"):
            return "lab"
        return "/".join(file.relative_to(self.source).parts[:-1][:2]) or "(root)"

    def by_folder(self) -> Counter[str]:
        found: Counter[str] = Counter()
        for file in self.files:
            found[self.folder_of(file)] += lines_of([file])
        return found

    def figures(self) -> Iterator[tuple[str, int]]:
        """Yield each figure with its name."""
        sizes = sorted(lines_of([file]) for file in self.files)
        yield "lines", sum(sizes)
        yield "files", len(sizes)
        yield "median file", sizes[len(sizes) // 2]
        yield "p90 file", sizes[len(sizes) * 9 // 10]
        yield "largest file", sizes[-1]
        jobs = [path for path in (self.source / "jobs").glob("*") if (path / "job.py").exists()]
        for job in sorted(jobs):
            presenting = {file for pattern in PRESENTATION for file in job.glob(pattern)}
            yield f"presentation of {job.name}", lines_of(presenting)
        root = [file for file in self.source.glob("*.py") if not file.name.startswith("__")]
        yield "modules at the root", len(root)
        yield ".store in doors", self._count_reaches("doors")
        yield ".store outside app", self._count_reaches()
        for job in sorted(jobs):
            yield f"files outside jobs that name {job.name}", self._count_naming(job.name)
        inner = (node for tree in self.trees for node in _within_functions(tree))
        yield (
            "imports inside functions",
            sum(isinstance(node, ast.Import | ast.ImportFrom) for node in inner),
        )
        yield "broad excepts", sum(map(broad, self.trees))
        for name, pattern in (
            ("Any", r"\bAny\b"),
            ("cast", r"\bcast\("),
            ("regexes", r"re\.compile"),
        ):
            yield name, sum(len(re.findall(pattern, text)) for text in self.texts.values())

    def _count_reaches(self, part: str = "") -> int:
        """Count accesses through the facade into the store: in one part, or everywhere but in `app`."""
        return sum(
            len(_REACHES.findall(text))
            for file, text in self.texts.items()
            if (part in file.parts if part else not file.is_relative_to(self.source / "app"))
        )

    def _count_naming(self, job: str) -> int:
        """Count the modules outside `jobs` that name a job.

        `tests/architecture/test_job_names.py` is stricter: it knows other meanings, and reads pages and words too.
        """
        named = re.compile(rf"[\"'./]{job}[\"'./]|\b{job}\b *=")
        return sum(
            named.search(text) is not None
            for file, text in self.texts.items()
            if file.is_relative_to(self.source) and "jobs" not in file.parts
        )

    def homonyms(self, *, private: bool) -> dict[str, int]:
        """Count the classes that share a name in more than two modules."""
        names = Counter(
            node.name
            for tree in self.trees
            for node in tree.body
            if isinstance(node, ast.ClassDef) and node.name.startswith("_") == private
        )
        return {k: v for k, v in names.most_common() if v > 2 and k not in REGISTERED}


def _within_functions(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield every node inside a function, once."""
    inside = {
        id(node): node
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in ast.walk(function)
    }
    yield from inside.values()


def broad(tree: ast.Module) -> int:
    """Count the handlers that catch everything."""
    return sum(
        isinstance(node, ast.ExceptHandler)
        and (node.type is None or getattr(node.type, "id", "") in ("Exception", "BaseException"))
        for node in ast.walk(tree)
    )


def report(houses: dict[str, House]) -> Iterator[str]:
    """Yield every figure as a line, with a column for each tree."""
    yield f"{'':<40}" + "".join(f"{name:>12}" for name in houses)
    for rows in (
        [dict(house.figures()) for house in houses.values()],
        [{f"  {k}": v for k, v in sorted(house.by_folder().items())} for house in houses.values()],
    ):
        for name in dict.fromkeys(name for row in rows for name in row):
            yield f"{name:<40}" + "".join(f"{row.get(name, 0):>12}" for row in rows)
    for title, private in (("classes", False), ("private classes", True)):
        for name, house in houses.items():
            found = house.homonyms(private=private)
            yield f"{title} of one name in more than two modules, {name}: {found or 'none'}"


def _git(*arguments: str) -> bytes:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, check=True)
    return done.stdout


def main() -> None:
    now = House(ROOT)
    if len(sys.argv) < 2:
        for line in report({"now": now}):
            put(line)
        return
    # An old revision has no lab.
    listed = _git("ls-tree", "--name-only", sys.argv[1], "src", "lab").decode().split()
    archived = _git("archive", sys.argv[1], *listed)
    with TemporaryDirectory() as folder, tarfile.open(fileobj=io.BytesIO(archived)) as tar:
        tar.extractall(folder, filter="data")
        for line in report({"before": House(Path(folder)), "now": now}):
            put(line)


if __name__ == "__main__":
    main()
