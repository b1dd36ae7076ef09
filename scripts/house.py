"""Count how the source is built: lines by folder, presentation a job, homonyms, reaching through.

.venv/bin/python -m scripts.house
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCE, LAB = ROOT / "src" / "groundwire", ROOT / "lab"
# What a job shows itself by; its rules, steps and questions are no presentation.
PRESENTATION = ("report*.py", "command.py", "desk.py", "page.py", "sources.py")
REGISTERED = {"Provider", "Options", "Input", "Result"}  # one in each file of a registry


def put(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def lines_of(files: Iterable[Path]) -> int:
    return sum(file.read_text(encoding="utf-8").count("\n") for file in files)


def folder_of(file: Path) -> str:
    """Return the folder that a file is counted under: two deep in the package, `lab` as a whole."""
    if file.is_relative_to(LAB):
        return "lab"
    return "/".join(file.relative_to(SOURCE).parts[:-1][:2]) or "(root)"


def main() -> None:
    files = sorted([*SOURCE.rglob("*.py"), *LAB.rglob("*.py")])
    sizes = sorted(lines_of([file]) for file in files)
    put(
        f"{sum(sizes)} lines in {len(files)} files; median {sizes[len(sizes) // 2]}, "
        f"largest {sizes[-1]}"
    )
    by_folder: Counter[str] = Counter()
    for file in files:
        by_folder[folder_of(file)] += lines_of([file])
    for folder, count in sorted(by_folder.items()):
        put(f"  {folder:<28}{count:>7}")
    for job in sorted(path for path in (SOURCE / "jobs").iterdir() if (path / "job.py").exists()):
        shown = {file for pattern in PRESENTATION for file in job.glob(pattern)}
        put(f"presentation of {job.name}: {lines_of(shown)} lines")
    root = [file.stem for file in SOURCE.glob("*.py") if not file.name.startswith("__")]
    put(f"modules at the root: {len(root)} ({' '.join(sorted(root))})")
    doors = [file for file in files if "doors" in file.parts]
    reaching = sum(len(re.findall(r"\.store\b", file.read_text("utf-8"))) for file in doors)
    put(f".store above the facade: {reaching}")
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in files]
    names = Counter(
        node.name
        for tree in trees
        for node in tree.body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    twins = {k: v for k, v in names.most_common() if v > 2 and k not in REGISTERED}
    put(f"classes of one name in more than two modules: {twins or 'none'}")
    put(f"broad excepts: {sum(map(broad, trees))}")


def broad(tree: ast.Module) -> int:
    """Count the handlers that catch everything."""
    return sum(
        isinstance(node, ast.ExceptHandler)
        and (node.type is None or getattr(node.type, "id", "") in ("Exception", "BaseException"))
        for node in ast.walk(tree)
    )


if __name__ == "__main__":
    main()
