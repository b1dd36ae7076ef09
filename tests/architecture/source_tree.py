"""Shared by the architecture tests: a tree of parsed Python files, and what each imports."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = "groundwire"


@dataclass(frozen=True)
class Module:
    """One source file; `name` is its path below the package, with slashes."""

    name: str
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text, self.name)

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """Every node, walked once for all rules."""
        return tuple(ast.walk(self.tree))

    @property
    def part(self) -> str:
        """The first folder or file below the package: the noun in the layer diagram. Each way in
        is a part of its own."""
        first, *rest = self.name.removesuffix(".py").split("/")
        return f"{first}.{rest[0]}" if first == "doors" and rest[0] != "__init__" else first

    def imports(self) -> tuple[tuple[str, int], ...]:
        """List the full names of all imports, by statement or by text, with their lines."""
        return self._imports

    @cached_property
    def _imports(self) -> tuple[tuple[str, int], ...]:
        return tuple(self._find_imports())

    def _find_imports(self) -> Iterator[tuple[str, int]]:
        for node in self.nodes:
            if isinstance(node, ast.Import):
                for alias in node.names:
                    yield alias.name, node.lineno
            elif isinstance(node, ast.ImportFrom):
                base = self._base(node)
                for alias in node.names:
                    yield f"{base}.{alias.name}" if base else alias.name, node.lineno
            elif isinstance(node, ast.Call) and called(node) in ("import_module", "load"):
                # `plugins.load("groundwire.tools")` is an import, too.
                for argument in node.args[:1]:
                    if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                        yield argument.value, node.lineno

    def _base(self, node: ast.ImportFrom) -> str:
        if node.level == 0:
            return node.module or ""
        folder = [PACKAGE, *self.name.split("/")[:-1]]
        folder = folder[: len(folder) - node.level + 1]
        return ".".join([*folder, node.module] if node.module else folder)


@dataclass(frozen=True)
class Tree:
    """The modules of a package."""

    modules: tuple[Module, ...]

    def __iter__(self) -> Iterator[Module]:
        return iter(self.modules)

    def under(self, *parts: str) -> Iterator[Module]:
        return (module for module in self.modules if module.part in parts)


def read_tree(package: Path) -> Tree:
    return Tree(
        tuple(
            Module(path.relative_to(package).as_posix(), path.read_text(encoding="utf-8"))
            for path in sorted(package.rglob("*.py"))
        )
    )


def called(node: ast.Call) -> str:
    """Return the last name of what is called: `datetime.now()` → `now`."""
    return last_name(node.func)


def last_name(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def dotted(node: ast.AST) -> str:
    """Return `os.path.join` for an expression of that form, else an empty text."""
    if isinstance(node, ast.Attribute):
        owner = dotted(node.value)
        return f"{owner}.{node.attr}" if owner else ""
    return node.id if isinstance(node, ast.Name) else ""


def plant(folder: Path, **files: str) -> Tree:
    """Write a small package with these files: `evidence__dates="import time"`."""
    for name, text in files.items():
        path = folder / f"{name.replace('__', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return read_tree(folder)
