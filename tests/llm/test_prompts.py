"""Prompt files: declared variables, equal shape in both languages, literal insertion."""

from __future__ import annotations

import hashlib
import re
from importlib import resources

import pytest

from groundwire.errors import IllegalState
from groundwire.llm.prompts import LANGUAGES, load, names, parse, prompt_hash, render

FILE = "---\nid: a/b\nversion: 3\nvars: x, y\nreturns: z\n---\n\n# system\nS {{x}}\n\n# user\nU {{y}} {{x}}\n"


# Files that have moved since they were first asked: records know them by their first name.
MOVED = {"search/plan_queries": "ask/plan_queries"}


def test_prompts_of_jobs_and_those_that_jobs_share_are_there() -> None:
    assert {"search/plan_queries", "ask/write_answer", "llm/repair"} <= set(names())


@pytest.mark.parametrize("language", LANGUAGES)
def test_records_know_a_prompt_by_where_it_lies_or_lay_at_first(language: str) -> None:
    ids = {name: load(name, language).id for name in names()}
    assert {name: id for name, id in ids.items() if id != name} == MOVED
    assert len(set(ids.values())) == len(ids)


@pytest.mark.parametrize(
    ("language", "sha256"),
    [
        ("en", "6a8ad176e16a5942a5f79cc936c995af8e60fac1b71e490a22a621447ec725eb"),
        ("zh", "4e1793743e37bfd2d90e0c424d4e4ba6755bed8db3b9adfcb6735662aa11bf5d"),
    ],
)
def test_a_moved_prompt_is_recorded_as_before(language: str, sha256: str) -> None:
    """Name and hash are part of a call's key: with another, no recorded run would replay."""
    prompt = load("search/plan_queries", language)
    assert (prompt.label, prompt.sha256) == ("ask/plan_queries@1", sha256)


@pytest.mark.parametrize("name", names())
def test_both_languages_have_the_same_variables_version_and_result(name: str) -> None:
    zh, en = load(name, "zh"), load(name, "en")
    assert zh.vars == en.vars
    assert zh.version == en.version
    assert zh.returns == en.returns
    assert zh.sha256 != en.sha256


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_prompt_renders_the_same_twice_and_leaves_no_variable(
    name: str, language: str
) -> None:
    prompt = load(name, language)
    values = {var: f"<{var}>" for var in prompt.vars}
    first = render(prompt, values)
    assert first == render(prompt, values)
    assert "{{" not in first.system + first.user
    assert all(f"<{var}>" in first.system + first.user for var in prompt.vars)
    assert f"{MOVED.get(name, name)}@{prompt.version}" == first.prompt


@pytest.mark.parametrize("name", names())
def test_each_prompt_is_written_in_its_language(name: str) -> None:
    def chinese(text: str) -> int:
        return len(re.findall(r"[一-鿿]", text))

    assert chinese(load(name, "zh").system) > 20
    assert chinese(load(name, "en").system) == 0


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_prompt_holds_a_url(name: str, language: str) -> None:
    prompt = load(name, language)
    assert not re.search(r"https?:|www\.", prompt.system + prompt.user)


@pytest.mark.parametrize(
    ("language", "code"), [("zh", "zh"), ("zh-Hant", "zh"), ("en", "en"), ("und", "en")]
)
def test_chinese_of_any_script_reads_the_chinese_file(language: str, code: str) -> None:
    assert code == load("ask/write_answer", language).language


def test_a_value_is_inserted_literally_and_never_expanded_again() -> None:
    prompt = parse(FILE, "a/b", "en")
    rendered = render(prompt, {"x": r"{{y}} \1 {{x}} $0", "y": "{{x}}"})
    assert rendered.system == r"S {{y}} \1 {{x}} $0"
    assert rendered.user == r"U {{x}} {{y}} \1 {{x}} $0"


@pytest.mark.parametrize("values", [{"x": "1"}, {"x": "1", "y": "2", "z": "3"}, {}])
def test_a_missing_or_undeclared_value_is_refused(values: dict[str, str]) -> None:
    with pytest.raises(IllegalState):
        render(parse(FILE, "a/b", "en"), values)


@pytest.mark.parametrize(
    "text",
    [
        FILE.replace("vars: x, y", "vars: x"),  # used, not declared
        FILE.replace("vars: x, y", "vars: x, y, z"),  # declared, not used
        FILE.replace("id: a/b", "id: a/c"),  # another's name
        FILE.replace("version: 3\n", ""),  # no version
        FILE.replace("# user", "# person"),  # no user section
        "S {{x}}",
    ],
)
def test_a_file_that_breaks_the_form_is_refused(text: str) -> None:
    with pytest.raises(IllegalState):
        parse(text, "a/b", "en")


def test_an_unknown_prompt_is_refused() -> None:
    with pytest.raises(IllegalState):
        load("../errors", "en")


def test_the_hash_of_a_prompt_is_that_of_its_file_and_all_make_one() -> None:
    file = resources.files("groundwire") / "jobs/ask/prompts/write_answer.zh.md"
    assert hashlib.sha256(file.read_bytes()).hexdigest() == load("ask/write_answer", "zh").sha256
    assert re.fullmatch("[0-9a-f]{64}", prompt_hash())
