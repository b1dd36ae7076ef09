"""Ledger rule b and the security bans: what would make a run unrepeatable or run foreign code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from source_tree import Tree, called, dotted, plant

PURE = ("jobs", "language", "evidence", "reasoning")

# What differs between two executions of one run; `context.now()` and `context.seed` do not.
UNREPEATABLE_MODULES = frozenset({"random", "secrets", "uuid", "time"})
UNREPEATABLE_CALLS = frozenset(
    {
        "datetime.now", "datetime.utcnow", "datetime.today", "date.today", "os.urandom",
        "os.getpid", "hash",
    }
)  # fmt: skip

PICKLES = frozenset({"pickle", "cPickle", "marshal", "shelve", "dill", "cloudpickle", "joblib"})
RUNS_CODE = frozenset({"eval", "exec", "compile", "__import__"})
RUNS_SHELL = frozenset(
    {"os.system", "os.popen", "subprocess.getoutput", "subprocess.getstatusoutput"}
)

# Functions whose answer does not depend on the order of what they are given.
ORDERLESS = frozenset({"sorted", "len", "any", "all", "sum", "set", "frozenset", "bool", "Counter"})
ORDERED = frozenset({"list", "tuple", "enumerate", "zip", "map", "filter", "iter", "next", "join",
                     "reversed", "dict", "fromkeys", "chain", "extend", "islice"})  # fmt: skip
SET_METHODS = frozenset({"union", "intersection", "difference", "symmetric_difference"})


def unrepeatable(tree: Tree) -> Iterator[str]:
    """Find clocks, chance and process-dependent values in pure parts."""
    for module in tree.under(*PURE):
        for name, line in module.imports():
            if name.partition(".")[0] in UNREPEATABLE_MODULES:
                yield f"{module.name}:{line}: imports {name}"
        for node in module.nodes:
            if not isinstance(node, ast.Call):
                continue
            full = dotted(node.func)
            if full in UNREPEATABLE_CALLS or ".".join(full.split(".")[-2:]) in UNREPEATABLE_CALLS:
                yield f"{module.name}:{node.lineno}: calls {full}"


def set_order(tree: Tree) -> Iterator[str]:
    """Find iteration over sets in pure parts, as their order differs between processes."""
    for module in tree.under(*PURE):
        for scope in _scopes(module.tree):
            names = _set_names(scope)
            for node in _own_nodes(scope):
                for iterated in _iterated(node):
                    if _is_set(iterated, names):
                        yield f"{module.name}:{iterated.lineno}: iterates over a set; sort it first"


def _scopes(tree: ast.Module) -> Iterator[ast.AST]:
    yield tree
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node


def _own_nodes(scope: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a scope, without those of the scopes inside it."""
    for child in ast.iter_child_nodes(scope):
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield child
            yield from _own_nodes(child)


def _set_names(scope: ast.AST) -> frozenset[str]:
    """Find the names that hold a set in this scope: by annotation, or by every assignment."""
    found: set[str] = set()
    other: set[str] = set()
    if isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef):
        arguments = scope.args
        for argument in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]:
            if argument.annotation is not None and _is_set_type(argument.annotation):
                found.add(argument.arg)
    for node in _own_nodes(scope):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            (found if _is_set_type(node.annotation) else other).add(node.target.id)
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    (found if _is_set(node.value, frozenset(found)) else other).add(target.id)
    return frozenset(found - other)


def _is_set_type(annotation: ast.expr) -> bool:
    kind = annotation.value if isinstance(annotation, ast.Subscript) else annotation
    name = dotted(kind).rpartition(".")[2]
    return name in ("set", "frozenset", "Set", "AbstractSet", "MutableSet", "FrozenSet")


def _is_set(node: ast.expr, names: frozenset[str]) -> bool:
    match node:
        case ast.Set() | ast.SetComp():
            return True
        case ast.Name(id=name):
            return name in names
        case ast.Call(func=ast.Name(id="set" | "frozenset")):
            return True
        case ast.Call(func=ast.Subscript(value=ast.Name(id="set" | "frozenset"))):
            return True
        case ast.Call(func=ast.Attribute(value=owner, attr=method)) if method in SET_METHODS:
            return _is_set(owner, names)
        case ast.BinOp(
            left=left, right=right, op=ast.BitOr() | ast.BitAnd() | ast.Sub() | ast.BitXor()
        ):
            return _is_set(left, names) or _is_set(right, names)
        case ast.IfExp(body=body, orelse=orelse):
            return _is_set(body, names) or _is_set(orelse, names)
        case _:
            return False


def _iterated(node: ast.AST) -> Iterator[ast.expr]:
    """Yield the expressions whose order shows in the result."""
    match node:
        case ast.For(iter=iterated) | ast.AsyncFor(iter=iterated) | ast.Starred(value=iterated):
            yield iterated
        case ast.ListComp(generators=loops) | ast.DictComp(generators=loops):
            yield from (loop.iter for loop in loops)
        case ast.Call(args=arguments, keywords=keywords):
            name = called(node)
            keyed = any(keyword.arg == "key" for keyword in keywords)
            # Of equals, `min` and `max` give the first; sorting keeps them as they came.
            ties = name in ("min", "max", "sorted") and keyed
            if name in ORDERED or ties:
                yield from arguments
            for argument in arguments:
                if isinstance(argument, ast.GeneratorExp) and (name not in ORDERLESS or ties):
                    yield from (loop.iter for loop in argument.generators)


def foreign_code(tree: Tree) -> Iterator[str]:
    """Find pickle, eval and shells: nothing that is read may ever be executed."""
    for module in tree:
        for name, line in module.imports():
            if name.partition(".")[0] in PICKLES:
                yield f"{module.name}:{line}: imports {name}"
        for node in module.nodes:
            if not isinstance(node, ast.Call):
                continue
            full = dotted(node.func)
            shell = any(
                keyword.arg == "shell" and not _is_false(keyword.value) for keyword in node.keywords
            )
            if full in RUNS_CODE or full in RUNS_SHELL or full == "yaml.load" or shell:
                yield f"{module.name}:{node.lineno}: calls {full or called(node)}"


def _is_false(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is False


@pytest.mark.parametrize("rule", [unrepeatable, set_order, foreign_code])
def test_the_source_keeps_the_ban(package: Tree, rule) -> None:
    assert list(rule(package)) == []


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (unrepeatable, "from uuid import uuid4"),
        (unrepeatable, "import uuid"),
        (unrepeatable, "import random"),
        (unrepeatable, "def f():\n    import secrets"),
        (unrepeatable, "from time import time"),
        (unrepeatable, "now = datetime.now(UTC)"),
        (unrepeatable, "now = datetime.datetime.utcnow()"),
        (unrepeatable, "day = date.today()"),
        (unrepeatable, "key = hash('a')"),
        (unrepeatable, "salt = os.urandom(4)"),
        (set_order, "for x in {1, 2}: pass"),
        (set_order, "for x in set(y): pass"),
        (set_order, "a = [x for x in frozenset(y)]"),
        (set_order, "a = {x: 1 for x in {y for y in z}}"),
        (set_order, "a = list(set(y))"),
        (set_order, "a = ','.join({'a', 'b'})"),
        (set_order, "a = ','.join(x for x in set(y))"),
        (set_order, "a = tuple(set(y) - {1})"),
        (set_order, "a = [*set(y)]"),
        (set_order, "def f(y):\n    seen = set()\n    for x in seen: pass"),
        (set_order, "def f(y: set[str]):\n    return [x for x in y]"),
        (set_order, "def f(y):\n    seen: set[str] = other()\n    return list(seen | y)"),
        (set_order, "a = max(set(y), key=len)"),
        (set_order, "a = sorted(set(y), key=len)"),
        (set_order, "a = next(iter({1}.union(b)))"),
        (foreign_code, "import pickle"),
        (foreign_code, "from pickle import loads"),
        (foreign_code, "eval('1')"),
        (foreign_code, "exec(code)"),
        (foreign_code, "os.system('ls')"),
        (foreign_code, "subprocess.run('ls', shell=True)"),
    ],
)
def test_a_planted_violation_is_found(tmp_path: Path, rule, text: str) -> None:
    for part in PURE:
        assert list(rule(plant(tmp_path / part, **{f"{part}__x": text}))), part


@pytest.mark.parametrize(
    "text",
    [
        "a = sorted(set(y))",
        "a = len({1, 2}) + sum(x for x in set(y))",
        "a = {f(x) for x in set(y)}",
        "a = any(x > 1 for x in {1, 2})",
        "a = x in {1, 2}",
        "for x in sorted({1, 2}): pass",
        "def f(y):\n    seen = set()\n    seen = sorted(seen)\n    return list(seen)",
        "pattern = re.compile('a')\nmodel.eval(3)\ndef hashed(): return context.now()",
        "subprocess.run(['ls'], shell=False)",
        "when = datetime.fromisoformat(text)",
    ],
)
def test_what_is_repeatable_is_left_alone(tmp_path: Path, text: str) -> None:
    tree = plant(tmp_path, evidence__x=text)
    assert [*unrepeatable(tree), *set_order(tree), *foreign_code(tree)] == []


def test_the_ban_is_on_pure_parts_only(tmp_path: Path) -> None:
    tree = plant(tmp_path, gateway__retry="import random\nfor x in {1}: pass")
    assert [*unrepeatable(tree), *set_order(tree)] == []
