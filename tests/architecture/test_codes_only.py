"""What is refused or recorded has a code: no sentence of ours is put into an error, a result or an
event, so that every reader can be told."""

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
    """Parse every module and keep its nodes: walking a tree costs more than reading it."""
    found = sorted(_ROOT.rglob("*.py"))
    return tuple(
        (str(path.relative_to(_ROOT)), tuple(ast.walk(ast.parse(path.read_text("utf-8")))))
        for path in found
    )


@cache
def _errors() -> frozenset[str]:
    """List every error class, including those that modules derive."""
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
    """Yield the arguments of errors, sentence and hint, each with its place."""
    for path, nodes in _modules():
        for node in nodes:
            if not (isinstance(node, ast.Call) and _called(node.func) in _errors()):
                continue
            given = [*node.args[:1], *(each.value for each in node.keywords if each.arg == "hint")]
            for each in given:
                yield f"{path}:{node.lineno}", each


def _literals(node: ast.expr) -> Iterator[ast.Constant | ast.JoinedStr]:
    """Yield the texts that an expression may evaluate to, one per branch."""
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
    """Return a text that is no code: a sentence, or an f-string that does not begin as a code does."""
    if isinstance(text, ast.Constant):
        value = str(text.value)
        return "" if not value or value in catalogue("en") else value
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


# --- what results and events say -------------------------------------------------------------

_REASONS = frozenset({"why", "reason"})
# Only whoever runs the desk reads these, in English: logs, and what a test or a tool of ours says.
_LOGS = frozenset({"debug", "info", "warning", "error", "exception", "critical"})
# What events are made with, by the place of their payload.
_EVENTS = {"emit": 1, "_draft": 3, "Draft": 99}
_WORDS = re.compile(r"[^\W\d_]\S* +\S*[^\W\d_]")


@cache
def _places() -> dict[str, set[int]]:
    """Classes and functions of ours that are given a `why` or a `reason`, and at which place; of an
    exception that is none of the tree, its text."""
    found: dict[str, set[int]] = {}
    for _, nodes in _modules():
        for node in nodes:
            if isinstance(node, ast.ClassDef):
                if any(_called(base) == "Exception" for base in node.bases):
                    found.setdefault(node.name, set()).add(0)
                fields = [e.target for e in node.body if isinstance(e, ast.AnnAssign)]
                names = [e.id for e in fields if isinstance(e, ast.Name)]
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                given = [each.arg for each in (*node.args.posonlyargs, *node.args.args)]
                names = given[1:] if given[:1] in (["self"], ["cls"]) else given
            else:
                continue
            for place, name in enumerate(names):
                if name in _REASONS:
                    found.setdefault(node.name, set()).add(place)
    return found


def _reasons(nodes: tuple[ast.AST, ...]) -> Iterator[ast.expr]:
    """What is given, assigned, returned or counted as why something is so, and every value of an
    event's payload."""
    for node in nodes:
        match node:
            case ast.Call(func=func, args=args, keywords=keywords) if _called(func) not in _LOGS:
                yield from (each.value for each in keywords if each.arg in _REASONS)
                for place in _places().get(_called(func), ()):
                    yield from args[place : place + 1]
                payload = _EVENTS.get(_called(func), 99)
                payloads = [*args[payload : payload + 1]]
                payloads += [e.value for e in keywords if e.arg == "payload"]
                yield from (value for each in payloads for value in _held(each))
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in _REASONS:
                yield value
            case ast.Assign(targets=[ast.Subscript()], value=value):
                yield value
            case ast.AugAssign(target=ast.Subscript(slice=value)):
                yield value
            case ast.Return(value=ast.Tuple(elts=values)):
                yield from values
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                if name in _REASONS:
                    yield value
                elif name == "payload":
                    yield from _held(value)
            case ast.Dict(keys=keys, values=values):
                for key, value in zip(keys, values, strict=True):
                    if isinstance(key, ast.Constant) and key.value in _REASONS:
                        yield value
            case ast.FunctionDef(name=name) if name.lstrip("_") in _REASONS:
                returned = (each for each in ast.walk(node) if isinstance(each, ast.Return))
                yield from (each.value for each in returned if each.value is not None)
            case _:
                continue


def _held(payload: ast.expr) -> Iterator[ast.expr]:
    """Yield every value that a literal contains, however deep."""
    match payload:
        case ast.Dict(values=values) | ast.List(elts=values) | ast.Tuple(elts=values):
            for each in values:
                yield from _held(each)
        case _:
            yield payload


def _sentence(text: ast.Constant | ast.JoinedStr) -> str:
    """Return the text if it has words: two with a space between, or one beside a placeholder."""
    if isinstance(text, ast.Constant):
        value = str(text.value)
        return value if _WORDS.search(value) else ""
    template = "".join(
        str(each.value) if isinstance(each, ast.Constant) else "{}" for each in text.values
    )
    return template if re.search(r"[^\W\d_]{2,} |  *[^\W\d_]{2,}", template) else ""


def test_no_result_or_event_says_why_in_a_sentence() -> None:
    found = sorted(
        {
            (path, each.lineno, wrong)
            for path, nodes in _modules()
            for given in _reasons(nodes)
            for each in _literals(given)
            if (wrong := _sentence(each))
        }
    )
    assert found == []


def test_the_law_sees_sentences_in_reasons_and_events() -> None:
    """Given by name or by place, assigned, returned, or held in a payload; codes are not seen."""
    seen = {
        'Taken(why="it says nothing")': True,
        'Taken(why=f"it says {word}")': True,
        'Taken(why=kept("turned_away.deny", word=word))': False,
        'Gap(what=question, why="gap.nothing_found")': False,
        'Decision(why="never_searched")': False,
        'why = f"run {first} told of it"': True,
        'why = f"{head} told"': True,
        'reason = "made here" if one else "run.restarted.files"': True,
        'said["reason"] = "it is late"': True,
        'return_value = {"reason": "it took too long"}': True,
        'context.emit("progress", {"phase": "collect", "what": ["it goes on"]})': True,
        'context.emit("progress", {"phase": "collect", "says": phrase("run.story")})': False,
        'payload: JsonObject = {"text": "it began anew"}': True,
        'log.info("turned away", why="it says nothing")': False,
        'raise _Died("took too long")': True,
        'skipped["service message"] += 1': True,
        'silent[engine] = "no reason given"': True,
        'return message, "it says none of the words"': True,
        '_Repeats(first.id, layer, 1.0, f"the same {what} came")': True,
        'def reason(rivalry):\n    return "polarity: said → denied"': True,
    }
    for text, wrong in seen.items():
        nodes = tuple(ast.walk(ast.parse(text)))
        found = [each for given in _reasons(nodes) for each in _literals(given)]
        assert any(map(_sentence, found)) is wrong, text


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
