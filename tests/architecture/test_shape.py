"""The house style in numbers: sizes, types, docstrings, broad excepts, left-overs."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest
from source_tree import ROOT, Tree, called, last_name, plant, read_tree

FILE_LINES = 400
FUNCTION_LINES = 60
TEXT_LENGTH = 400
LINES_PER_BROAD_EXCEPT = 1000

# SQL and prompts are long texts by nature.
LONG_TEXT = ("store", "prompts")
BROAD_EXCEPT = re.compile(r"runs/(?:runner|engine)\.py|doors/(?:cli|api|mcp)/.*")
VAGUE = frozenset(
    [
        "utils",
        "util",
        "helpers",
        "helper",
        "common",
        "core",
        "manager",
        "managers",
        "service",
        "services",
        "misc",
    ]
)
LEFT_OVER = re.compile(
    r"\b(?:" + "|".join(["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"]) + r")\b"
)
# Words that no order begins with; ruff's D401 finds nouns and other forms of verbs.
NO_ORDER = re.compile(
    r"(?:an?|all|another|as|at|both|by|each|every|for|from|how|if|in|its?|no|of|on|one|the|th[eo]se|this|to|until"
    r"|what|when|where|whether|which|who(?:ever|se)?|why|with(?:out)?)\b",
    re.IGNORECASE,
)

Function = ast.FunctionDef | ast.AsyncFunctionDef


def long_files(tree: Tree) -> Iterator[str]:
    for module in tree:
        lines = module.text.count("\n")
        if lines > FILE_LINES:
            yield f"{module.name}: {lines} lines"


def long_functions(tree: Tree) -> Iterator[str]:
    for module in tree:
        for node in _functions(module.tree):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > FUNCTION_LINES:
                yield f"{module.name}:{node.lineno}: {node.name} has {lines} lines"


def long_texts(tree: Tree) -> Iterator[str]:
    """Long literals: a prompt or a page of text belongs in a file of its own."""
    for module in tree:
        if module.part in LONG_TEXT:
            continue
        skipped = {id(node) for node in _docstrings(module.tree)}
        for node in module.nodes:
            if id(node) not in skipped and _text_length(node) > TEXT_LENGTH:
                yield f"{module.name}:{node.lineno}: a text of {_text_length(node)} characters"


def _text_length(node: ast.AST) -> int:
    if isinstance(node, ast.JoinedStr):
        return sum(_text_length(part) for part in node.values)
    if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
        return len(node.value)
    return 0


def _docstrings(tree: ast.Module) -> Iterator[ast.Constant]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | Function) and node.body:
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                yield first.value


def _functions(tree: ast.Module) -> Iterator[Function]:
    return (node for node in ast.walk(tree) if isinstance(node, Function))


def broad_excepts(tree: Tree) -> Iterator[str]:
    """Every place that stops whatever comes.

    A clean-up that ends in a bare `raise` stops nothing and is not counted.
    """
    for module in tree:
        for node in module.nodes:
            if isinstance(node, ast.ExceptHandler):
                caught = [] if node.type is None else _alternatives(node.type)
                broad = node.type is None or any(_is_broad(kind) for kind in caught)
                if broad and not _raises_again(node):
                    yield f"{module.name}:{node.lineno}"
            elif (
                isinstance(node, ast.Call)
                and called(node) == "suppress"
                and any(_is_broad(kind) for kind in node.args)
            ):
                yield f"{module.name}:{node.lineno}"


def _raises_again(handler: ast.ExceptHandler) -> bool:
    last = handler.body[-1]
    leaves = any(
        isinstance(node, ast.Return | ast.Continue | ast.Break) for node in ast.walk(handler)
    )
    return isinstance(last, ast.Raise) and last.exc is None and not leaves


def _alternatives(kind: ast.expr) -> list[ast.expr]:
    return kind.elts if isinstance(kind, ast.Tuple) else [kind]


def _is_broad(kind: ast.expr) -> bool:
    return last_name(kind) in ("Exception", "BaseException")


def strayed_broad_excepts(tree: Tree) -> Iterator[str]:
    return (
        f"{place}: catches everything"
        for place in broad_excepts(tree)
        if not BROAD_EXCEPT.fullmatch(place.rpartition(":")[0])
    )


def too_many_broad_excepts(tree: Tree) -> Iterator[str]:
    lines = sum(module.text.count("\n") for module in tree)
    found = list(broad_excepts(tree))
    if len(found) > max(1, lines // LINES_PER_BROAD_EXCEPT):
        yield f"{len(found)} broad excepts in {lines} lines: {', '.join(found)}"


def untyped(tree: Tree) -> Iterator[str]:
    """Functions with a parameter or a result that has no type."""
    for module in tree:
        for owner, node in _methods_and_functions(module.tree):
            arguments = [*node.args.posonlyargs, *node.args.args]
            static = any(last_name(each) == "staticmethod" for each in node.decorator_list)
            if owner and arguments and not static:
                arguments = arguments[1:]
            stars = [each for each in (node.args.vararg, node.args.kwarg) if each is not None]
            bare = [
                each.arg
                for each in [*arguments, *node.args.kwonlyargs, *stars]
                if each.annotation is None
            ]
            if node.returns is None:
                bare.append("its result")
            if bare:
                yield f"{module.name}:{node.lineno}: {node.name} does not type {', '.join(bare)}"


def _methods_and_functions(tree: ast.Module) -> Iterator[tuple[bool, Function]]:
    for node in ast.walk(tree):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, Function):
                yield isinstance(node, ast.ClassDef), child


def undocumented(tree: Tree) -> Iterator[str]:
    for module in tree:
        text = ast.get_docstring(module.tree)
        if not text:
            yield f"{module.name}: no docstring"
        elif not text.splitlines()[0].rstrip().endswith((".", ":", "?")):
            first = text.partition("\n\n")[0].rstrip()
            if not first.endswith((".", ":", "?")):
                yield f"{module.name}: its docstring does not open with a sentence"


def described(tree: Tree) -> Iterator[str]:
    """Functions whose docstring says what they are instead of what they do; a property is a noun."""
    for module in tree:
        for node in _functions(module.tree):
            text = ast.get_docstring(node) or ""
            is_property = any("property" in last_name(each) for each in node.decorator_list)
            if not is_property and NO_ORDER.match(text):
                yield f"{module.name}:{node.lineno}: {node.name} does not open with a verb"


def undated_annotations(tree: Tree) -> Iterator[str]:
    """Modules that define something without `from __future__ import annotations`."""
    for module in tree:
        defines = any(
            isinstance(node, ast.ClassDef | ast.AnnAssign | Function) for node in module.tree.body
        )
        if defines and "__future__.annotations" not in {name for name, _ in module.imports()}:
            yield f"{module.name}: no `from __future__ import annotations`"


def vague_names(tree: Tree) -> Iterator[str]:
    for module in tree:
        for part in module.name.removesuffix(".py").split("/"):
            if part in VAGUE:
                yield f"{module.name}: {part} says nothing"


def left_overs(tree: Tree) -> Iterator[str]:
    """Notes to oneself in comments, docstrings and messages."""
    for module in tree:
        if not LEFT_OVER.search(module.text):
            continue
        for token in tokenize.generate_tokens(io.StringIO(module.text).readline):
            if token.type in (tokenize.COMMENT, tokenize.STRING) and LEFT_OVER.search(token.string):
                yield f"{module.name}:{token.start[0]}: {token.string.strip()[:60]}"


RULES = [
    long_files,
    long_functions,
    long_texts,
    strayed_broad_excepts,
    too_many_broad_excepts,
    untyped,
    undocumented,
    described,
    undated_annotations,
    vague_names,
    left_overs,
]


@pytest.mark.parametrize("rule", RULES)
def test_the_source_keeps_the_rule(package: Tree, rule) -> None:
    assert list(rule(package)) == []


@pytest.mark.parametrize("folder", ["tests", "scripts"])
def test_no_notes_to_oneself_elsewhere(folder: str) -> None:
    assert list(left_overs(read_tree(ROOT / folder))) == []


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (long_files, "x = 1\n" * (FILE_LINES + 1)),
        (long_functions, "def f():\n" + "    x = 1\n" * FUNCTION_LINES),
        (long_texts, f"x = {'a' * (TEXT_LENGTH + 1)!r}"),
        (long_texts, f"x = f'{{y}}{'a' * (TEXT_LENGTH + 1)}'"),
        (long_texts, "x = (\n" + f"  {'a' * 100!r}\n" * 5 + ")"),
        (strayed_broad_excepts, "try: pass\nexcept: pass"),
        (strayed_broad_excepts, "try: pass\nexcept Exception: pass"),
        (strayed_broad_excepts, "try: pass\nexcept (ValueError, BaseException): pass"),
        (strayed_broad_excepts, "try: pass\nexcept Exception:\n    if x: raise"),
        (
            strayed_broad_excepts,
            "def f():\n  try: pass\n  except Exception:\n    if x: return\n    raise",
        ),
        (strayed_broad_excepts, "with contextlib.suppress(Exception): pass"),
        (too_many_broad_excepts, "try: pass\nexcept Exception: pass\n" * 2),
        (untyped, "def f(a) -> None: ..."),
        (untyped, "def f(a: int): ..."),
        (untyped, "def f(*a, **b) -> None: ..."),
        (untyped, "class A:\n    def f(self, b) -> None: ..."),
        (untyped, "class A:\n    @staticmethod\n    def f(b) -> None: ..."),
        (untyped, "def f() -> None:\n    async def g(x): ..."),
        (undocumented, "x = 1"),
        (undocumented, '"""not a sentence"""'),
        (described, 'def f() -> int:\n    """The number of pages."""'),
        (described, 'class A:\n    def f(self) -> bool:\n        """Whether it is one."""'),
        (undated_annotations, '"""A."""\nclass A: ...'),
        (left_overs, "x = 1  # " + "TO" + "DO: later"),
        (left_overs, 'def f():\n    """' + "FIX" + 'ME"""'),
    ],
)
def test_a_planted_violation_is_found(tmp_path: Path, rule, text: str) -> None:
    assert list(rule(plant(tmp_path, evidence__x=text)))


def test_a_vague_name_is_found(tmp_path: Path) -> None:
    assert list(vague_names(plant(tmp_path, search__utils="", core__x=""))) != []


@pytest.mark.parametrize(
    "name",
    ["runs__runner", "runs__engine", "doors__cli__main", "doors__api__errors", "doors__mcp__x"],
)
def test_the_named_files_may_catch_everything_once(tmp_path: Path, name: str) -> None:
    tree = plant(tmp_path, **{name: "try: pass\nexcept Exception as error: keep(error)"})
    assert [*strayed_broad_excepts(tree), *too_many_broad_excepts(tree)] == []


@pytest.mark.parametrize(
    "text",
    [
        f'"""One sentence.\n\n{"a " * TEXT_LENGTH}"""',
        '"""A sentence."""\n\nfrom __future__ import annotations\n\n\n'
        "class A:\n    def f(self, b: int = 1, *c: str) -> None:\n        lambda x: x\n",
        '"""A."""\ntry: pass\nexcept BaseException:\n    undo()\n    raise\n',
        '"""A sentence that goes\non for two lines."""\n',
    ],
)
def test_good_style_is_left_alone(tmp_path: Path, text: str) -> None:
    tree = plant(tmp_path, evidence__x=text)
    assert [found for rule in RULES for found in rule(tree)] == []


def test_no_document_holds_a_placeholder() -> None:
    """A figure that nobody measured stays out of the documents."""
    root = Path(__file__).resolve().parents[2]
    documents = [*root.glob("*.md"), *(root / "docs").rglob("*.md")]
    left = [
        f"{path.name}: {word}"
        for path in documents
        for word in re.findall(r"\b(?:FIGURES?|GATEWAY\d|TBD)\b", path.read_text("utf-8"))
    ]
    assert documents
    assert left == []
