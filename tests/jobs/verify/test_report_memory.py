"""In what an earlier event differs, told to people."""

from __future__ import annotations

import ast
import inspect
import re

import pytest

from groundwire.evidence.memory import novelty
from groundwire.jobs.verify import report_memory
from groundwire.jobs.verify.report_memory import difference
from groundwire.words import words


@pytest.mark.parametrize(
    ("language", "figure", "negation"),
    [
        ("en", "this one says $46,000, that one does not", "one of the two says that it is not so"),
        ("zh", "这条说的是 $46,000，那条不是", "两条中有一条说并非如此"),
        ("zh-Hant", "這則說的是 $46,000，那則不是", "兩則中有一則說並非如此"),
    ],
)
def test_a_difference_is_a_sentence(language: str, figure: str, negation: str) -> None:
    say = words(language)
    assert difference("another figure: $46,000", say) == figure
    assert difference("a negation", say) == negation
    assert difference("", say) == ""


def test_every_difference_that_is_found_has_its_sentence() -> None:
    """The texts that `novelty` returns are those that the report knows."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(inspect.getsource(novelty))):
        if isinstance(node, ast.Return) and node.value is not None:
            for each in ast.walk(node.value):
                if isinstance(each, ast.Constant) and isinstance(each.value, str):
                    found.add(each.value.partition(":")[0])
    kinds = {each for each in found if re.fullmatch(r"[a-z ]{5,}", each)}
    assert kinds == set(vars(report_memory)["_DIFFERENCES"])


def test_an_asset_is_written_in_the_readers_characters_and_an_old_days_words_as_a_quote() -> None:
    from tests.made_reports import run_of
    from tests.made_signals import supported

    from groundwire.jobs.verify.report import REPORT
    from groundwire.report import markdown

    run = run_of(supported(asset="欧盟", asset_name="欧盟"), "verify")
    assert "歐盟" in markdown.text(REPORT.report(run, "zh-Hant"))
    assert "欧盟" in markdown.text(REPORT.report(run, "zh"))
    for language, quoted in (
        ("en", "“Monday 13 March 2023”"),
        ("zh", "“Monday 13 March 2023”"),
        ("zh-Hant", "「Monday 13 March 2023」"),
    ):
        say = words(language)
        text = say("verify.reason.by_evidence", reason="x", mark="Monday 13 March 2023")
        assert quoted in text
