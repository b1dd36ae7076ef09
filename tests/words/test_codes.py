"""Every code in the source has words, and every word is used."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

from jinja2 import Environment, nodes
from tests.catalogues import catalogue

import groundwire
from groundwire import errors

_ROOT = Path(groundwire.__file__).parent
_CODE = re.compile(r"[a-z][\w-]*(?:\.[\w-]+)+")
# Whoever is called by one of these names says the code that it is given first.
_TAKES_CODE = frozenset(
    {"say", "t", "phrase", "Phrase", "words", "maybe", "template", "has", "counted"}
)
_ERRORS = frozenset(
    name
    for name, each in vars(errors).items()
    if isinstance(each, type) and issubclass(each, errors.GroundwireError)
)
_TEMPLATE_CODE = re.compile(r"""\bt(?:\.\w+)?\(\s*['"]([\w.\-]+)['"]\s*[,)]""")
_QUOTED = re.compile(r"""['"]([a-z][\w.\-]*)['"]""")
# Values that name a part of their code only when they are stored: of plug-ins, flags, kinds.
_TEXTS = (".html", ".js")


@cache
def _modules() -> tuple[tuple[Path, ast.Module], ...]:
    return tuple((path, ast.parse(path.read_text("utf-8"))) for path in sorted(_ROOT.rglob("*.py")))


@cache
def _pages() -> str:
    found = (path for path in sorted(_ROOT.rglob("*")) if path.suffix in _TEXTS)
    return "\n".join(path.read_text("utf-8") for path in found)


def _name(call: ast.Call) -> str:
    match call.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def _literal_codes() -> Iterator[tuple[str, str]]:
    """Yield the codes that are written out, each with its place."""
    for path, tree in _modules():
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call):
                continue
            name = _name(node)
            given = [*node.args[:1], *(k.value for k in node.keywords if k.arg in ("code", "hint"))]
            for each in given:
                if not (isinstance(each, ast.Constant) and isinstance(each.value, str)):
                    continue
                text = each.value
                if name == "problem" and each in node.args:
                    yield f"problem.{text}", f"{path.name}:{node.lineno}"
                elif _CODE.fullmatch(text) and (name in _TAKES_CODE or name in _ERRORS):
                    yield text, f"{path.name}:{node.lineno}"
    for code in _TEMPLATE_CODE.findall(_pages()):
        if "." in code:
            yield code, "a template"


def _built_codes() -> Iterator[tuple[str, str]]:
    """Yield the codes that templates put together from a name whose values are written out there.

    A name has those of the list that its loop goes over, or those that its macro is called with.
    """
    for path in sorted(_ROOT.rglob("*.html")):
        tree = Environment(extensions=["jinja2.ext.do"]).parse(path.read_text("utf-8"))
        values: dict[str, set[str]] = defaultdict(set)
        for loop in tree.find_all(nodes.For):
            if isinstance(loop.target, nodes.Name) and isinstance(loop.iter, nodes.Tuple):
                values[loop.target.name] |= _constants(loop.iter.items)
        for macro in tree.find_all(nodes.Macro):
            for call in tree.find_all(nodes.Call):
                if isinstance(call.node, nodes.Name) and call.node.name == macro.name:
                    for name, given in zip(macro.args, call.args, strict=False):
                        values[name.name] |= _constants([given])
        for call in tree.find_all(nodes.Call):
            if isinstance(call.node, nodes.Name) and call.node.name == "t" and call.args:
                yield from ((code, path.name) for code in _joined(call.args[0], values))


def _constants(found: Iterable[nodes.Node]) -> set[str]:
    return {str(each.value) for each in found if isinstance(each, nodes.Const)}


def _joined(code: nodes.Node, values: Mapping[str, set[str]]) -> Iterator[str]:
    """Yield what a head and a name together can be; nothing where the name may be anything."""
    match code:
        case nodes.Add(left=nodes.Const(value=str(head)), right=nodes.Name(name=name)):
            yield from (head + each for each in sorted(values.get(name, ())))
        case nodes.Concat(nodes=[nodes.Const(value=str(head)), nodes.Name(name=name)]):
            yield from (head + each for each in sorted(values.get(name, ())))
        case _:
            return


def _spelled() -> tuple[set[str], set[str]]:
    """Collect every string that may be a code, and every prefix that codes are built from."""
    whole: set[str] = set(_QUOTED.findall(_pages()))
    begun: set[str] = {
        match.rstrip("'\"{ ~")
        for match in re.findall(r"""['"]([a-z][\w.\-]*[._])['"]\s*[~+]""", _pages())
    }
    begun |= {f"*{tail}" for tail in re.findall(r"[~+]\s*['\"](\.[\w.]+)['\"]", _pages())}
    for _, tree in _modules():
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                whole.add(node.value)
                if node.value.endswith("."):
                    begun.add(node.value)
            elif isinstance(node, ast.Call) and _name(node) in ("name", "Part"):
                # Values under a family: say.name("verdict", …), Part("tools", "verify.tool").
                begun.update(
                    f"{each.value}."
                    for each in node.args[:2]
                    if isinstance(each, ast.Constant) and isinstance(each.value, str)
                )
            elif isinstance(node, ast.JoinedStr):
                head = node.values[0]
                if isinstance(head, ast.Constant) and isinstance(head.value, str):
                    begun.add(head.value)
                else:  # f"{kind}.step.{name}"
                    tails = [
                        part.value
                        for part in node.values
                        if isinstance(part, ast.Constant) and isinstance(part.value, str)
                    ]
                    begun.update(f"*{tail}" for tail in tails if tail.startswith("."))
    return whole, begun


def test_every_code_that_is_said_has_words() -> None:
    known = catalogue("en")
    said = {*_literal_codes(), *_built_codes()}
    assert sorted((code, at) for code, at in said if code not in known) == []


def test_codes_that_templates_put_together_are_seen() -> None:
    built = {code for code, _ in _built_codes()}
    assert {"settings.sources", "run.feedback.true", "column.rate"} <= built


def test_every_error_has_words_for_want_of_better() -> None:
    known = catalogue("en")
    made = [getattr(errors, name) for name in sorted(_ERRORS)]
    assert [each().says for each in made if each().says not in known] == []


def test_every_word_is_said() -> None:
    whole, begun = _spelled()
    tails = {each.removeprefix("*") for each in begun if each.startswith("*")}

    def used(code: str) -> bool:
        if code in whole:
            return True
        ends = [at.end() for at in re.finditer(r"[._]", code)]
        if any(code[:end] in begun for end in ends if code[end - 1] == "." or end > 4):
            return True
        if code.removesuffix("_detail") in begun:  # f"outside.plan_limit{detail}"
            return True
        middle = code[code.find(".") :]
        return any(middle == tail or middle.startswith(tail) for tail in tails if len(tail) > 2)

    assert sorted(code for code in catalogue("en") if not used(code)) == []
