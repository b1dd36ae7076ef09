"""What is refused has a code: no sentence is put into an error, so that every reader can be told."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.catalogues import catalogue

import groundwire
from groundwire import errors
from groundwire.words import LANGUAGES

_ROOT = Path(groundwire.__file__).parent
# Of these only the log is told: a bug of ours has no words for people.
_BUGS = frozenset({"IllegalState"})
_CODE = re.compile(r"[a-z][\w-]*(?:\.[\w-]+)+")


@cache
def _modules() -> tuple[tuple[str, tuple[ast.AST, ...]], ...]:
    """Every module with its nodes: to walk a tree costs more than to read it."""
    found = sorted(_ROOT.rglob("*.py"))
    return tuple(
        (str(path.relative_to(_ROOT)), tuple(ast.walk(ast.parse(path.read_text("utf-8")))))
        for path in found
    )


@cache
def _errors() -> frozenset[str]:
    """Every class of the tree of errors, those that modules derive for themselves too."""
    names = {
        name
        for name, each in vars(errors).items()
        if isinstance(each, type) and issubclass(each, errors.GroundwireError)
    }
    while True:
        more = {
            node.name
            for _, nodes in _modules()
            for node in nodes
            if isinstance(node, ast.ClassDef) and any(_called(base) in names for base in node.bases)
        }
        if more <= names:
            return frozenset(names - _BUGS)
        names |= more


def _called(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def _raised() -> Iterator[tuple[str, ast.expr]]:
    """What errors are made with, sentence and hint, each with where."""
    for path, nodes in _modules():
        for node in nodes:
            if not (isinstance(node, ast.Call) and _called(node.func) in _errors()):
                continue
            given = [*node.args[:1], *(each.value for each in node.keywords if each.arg == "hint")]
            for each in given:
                yield f"{path}:{node.lineno}", each


def _literals(node: ast.expr) -> Iterator[ast.Constant | ast.JoinedStr]:
    """The texts that an expression may be, one of each branch."""
    match node:
        case ast.IfExp(body=first, orelse=second):
            yield from _literals(first)
            yield from _literals(second)
        case ast.BoolOp(values=values):
            for each in values:
                yield from _literals(each)
        case ast.BinOp(left=left):
            yield from _literals(left)
        case ast.Constant(value=str()) | ast.JoinedStr():
            yield node
        case _:
            return


def _wrong(text: ast.Constant | ast.JoinedStr) -> str:
    """What is no code of ours: a sentence, or an f-string that does not begin as a code does."""
    if isinstance(text, ast.Constant):
        said = str(text.value)
        return "" if not said or said in catalogue("en") else said
    head = text.values[0] if text.values else None
    begun = str(head.value) if isinstance(head, ast.Constant) else ""
    known = bool(_CODE.match(begun) or begun.endswith(".")) and any(
        code.startswith(begun) for code in catalogue("en")
    )
    return "" if known else ast.unparse(text)


def test_no_error_is_raised_with_a_sentence() -> None:
    found = [
        (where, wrong)
        for where, given in _raised()
        for text in _literals(given)
        if (wrong := _wrong(text))
    ]
    assert found == []


def test_the_law_sees_sentences() -> None:
    """A sentence, an f-string and a hint are seen; a code and one that is put together are not."""
    seen = {
        '"there is no run here"': True,
        'f"there is no run {name!r}"': True,
        '"error.no_such_code"': True,
        'f"input.{code}"': False,
        '"error.no_run"': False,
        '"error.no_run" if one else "hint.runs are listed"': True,
    }
    for text, wrong in seen.items():
        node = ast.parse(text, mode="eval").body
        assert any(_wrong(each) for each in _literals(node)) is wrong, text


def _has_words(code: str, language: str) -> bool:
    """Tell whether it is a code, or the family of names that codes share: `cli.state`."""
    return code in catalogue(language) or any(
        each.startswith(f"{code}.") for each in catalogue(language)
    )


def test_each_code_that_stands_in_the_source_has_words_in_each_language() -> None:
    """Literals that look like a code of a family of ours: none can reach a person as it is."""
    families = {code.partition(".")[0] for code in catalogue("en")}
    begun = {code.rpartition(".")[0] for code in catalogue("en")}  # say.name("cli.kind", …)
    spelled = {"error", "hint", "gap", "outside", "problem", "noun", "takes", "os", "cli", "said"}
    spelled |= {"check", "replay", "beat"}
    assert spelled <= families
    found = [
        (path, node.value, language)
        for path, nodes in _modules()
        for node in nodes
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and _CODE.fullmatch(node.value)
        and node.value.partition(".")[0] in spelled
        and node.value not in begun
        for language in LANGUAGES
        if not _has_words(node.value, language)
    ]
    assert found == []
