"""What is found wrong with a sentence, and why a stance is taken: one list of texts, in both languages."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

_TEXTS: dict[str, tuple[str, str]] = {
    "no_quote": ("no quote was given", "没有给出引文"),
    "no_passage": ("there is no passage {}", "没有第{}段"),
    "empty_quote": ("the quote for passage {} is empty", "第{}段的引文是空的"),
    "not_found": ("quote not found in passage {}", "在第{}段中找不到引文"),
    "too_short": (
        "the quote for passage {} is too short to say anything",
        "第{}段的引文太短，说明不了什么",
    ),
    "cut": (
        "the quote for passage {} is cut inside a word or a figure",
        "第{}段的引文截断了词语或数字",
    ),
    "link": (
        "the sentence holds a link; links are filled by code",
        "句中带有链接；链接只由程序填写",
    ),
    "absent": ("{} is in no quote", "引文中没有{}"),
    "opposite": ("the quote says the opposite", "引文的意思正好相反"),
    "other": ("the quote is about something else", "引文说的是另一回事"),
    "question": ("the quote only asks it", "引文只是提问"),
    "bound": ("the quote bounds {} differently", "引文对{}的界限说法不同"),
    "roles": ("the quote has the parts the other way round", "引文中双方的角色相反"),
    "apart": ("no one quote says {} of {}", "没有一处引文说{}是{}的"),
    "uncertain": (
        "the quote is not certain of it, the sentence is",
        "引文并不确定，句子却说得确定",
    ),
    "undecided": (
        "the quote is in another language and too few of its words are known",
        "引文是另一种语言，认得的词太少，无法判断",
    ),
    "loose": ("the quote does not give {} as exact", "引文没有说{}是确切的数字"),
    "same": ("the passage says the same", "文中说法相同"),
    "part": ("the passage says only a part of it", "文中只说到其中一部分"),
    "other_figure": ("the passage gives another figure", "文中给出了另一个数字"),
    "other_date": ("the passage gives another date", "文中给出了另一个日期"),
    "estimate": (
        "the passage gives an estimate, a bound or a part",
        "文中给出的只是估计、界限或其中一部分",
    ),
    "withdrawn": ("the page says this to withdraw it", "该页面提到这一点是为了撤回它"),
    "corrected": ("the page was corrected", "该页面经过更正"),
    "retracted": ("the page was retracted", "该页面已被撤回"),
    "satire": ("satire counts for nothing", "讽刺内容不作为依据"),
}


def problem(code: str, *parts: str | int) -> str:
    """The English text of a problem, as results keep it."""
    return _TEXTS[code][0].format(*parts)


def problem_text(text: str, language: str) -> str:
    """A problem as its reader should see it; one that is not known stays as it is."""
    if not language.startswith("zh"):
        return text
    for pattern, chinese in _patterns():
        found = pattern.fullmatch(text)
        if found:
            return chinese.format(*found.groups())
    return text


def problems_text(texts: Iterable[str], language: str) -> str:
    """Problems one after the other, as their reader should see them."""
    return ("；" if language.startswith("zh") else "; ").join(
        problem_text(text, language) for text in texts
    )


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    # Texts without a part come first, so that none of them is taken for a part.
    ordered = sorted(_TEXTS.values(), key=lambda pair: pair[0].count("{}"))
    return tuple(
        (re.compile(re.escape(english).replace(r"\{\}", "(.+)"), re.DOTALL), chinese)
        for english, chinese in ordered
    )
