"""What the pages do not answer, told in the language and script of the question."""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundwire.evidence.questions.candidates import usable
from groundwire.evidence.questions.contested import Contradiction, Kind
from groundwire.evidence.questions.coverage import named_in
from groundwire.evidence.questions.facets import Facet
from groundwire.evidence.questions.intent import Intent
from groundwire.jobs.ask.directness import NARROW, answering
from groundwire.jobs.ask.disputes import hearsay
from groundwire.jobs.ask.extract import Chosen, answers
from groundwire.language.text.links import has_link
from groundwire.language.text.script import in_script
from groundwire.model.source import NumberedPassage

_POINT: dict[Kind, tuple[str, str]] = {
    "figure": ("pages give different figures", "各网页的数字不一致"),
    "date": ("pages give different dates", "各网页的日期不一致"),
}
_RUMOUR = ("a rumour says otherwise, unconfirmed", "有未经证实的传闻，说法不同")
_WHAT: dict[Facet, tuple[str, str]] = {
    "why": ("the cause", "原因"),
    "when": ("the date", "日期"),
    "how_much": ("the figure", "数字"),
    "who": ("who it was", "相关人物或机构"),
    "where": ("the place", "地点"),
    "whether": ("whether it is true", "是否属实"),
    "how": ("how it went", "经过"),
    "what": ("what happened", "事情本身"),
}
_CLOSEST, _TITLE = 3, 80
_LONGEST_QUESTION = 200

# What and why; a writer makes its own noun of it.
Lack = tuple[str, str]


def say(language: str, en: str, zh: str, **parts: str) -> str:
    """A sentence of ours; what is put into it stays as it was written."""
    chosen = in_script(zh, language) if language.startswith("zh") else en
    return chosen.format(**parts)


def point(dispute: Contradiction, values: str, language: str) -> str:
    """What is contested; when one side is hearsay alone, that is said."""
    en, zh = _RUMOUR if _hearsay_sides(dispute) else _POINT[dispute.kind]
    return say(language, f"{en}: {{values}}", f"{zh}：{{values}}", values=values)


def _hearsay_sides(dispute: Contradiction) -> bool:
    rumours = [all(hearsay(said.candidate) for said in side) for side in dispute.sides]
    return any(rumours) and sum(not rumour for rumour in rumours) == 1


def shortened(question: str) -> str:
    flat = " ".join(question.split())
    return flat if len(flat) <= _LONGEST_QUESTION else f"{flat[: _LONGEST_QUESTION - 1]}…"


def nothing(
    question: str,
    asked: Intent,
    passages: Sequence[NumberedPassage],
    absent: tuple[str, ...],
    language: str,
) -> tuple[Lack, ...]:
    """Why there is no answer at all."""
    if absent:
        listed = ("、" if language.startswith("zh") else ", ").join(absent)
        why = say(
            language,
            "no page that was read mentions {listed}",
            "读到的网页都没有提到{listed}",
            listed=listed,
        )
    else:
        why = say(
            language,
            "no sentence of the pages could be matched to the question",
            "网页中没有找到能与问题对应的句子",
        )
        why += _closest(asked, passages, language)
    gaps = [(shortened(question), why)]
    terms = asked.of_kind("name", "word")
    refused = [passage for passage in passages if not usable(passage)]
    if any(named_in(term, passage) for passage in refused for term in terms):
        gaps.append(
            (
                say(language, "a page that can be relied on", "可以依据的网页"),
                say(
                    language,
                    "some pages on this are satire or hold instructions to machines, "
                    "and are not used",
                    "有的相关网页是讽刺作品，或者夹带对机器的指令，因此不予采用",
                ),
            )
        )
    return tuple(gaps)


def _closest(asked: Intent, passages: Sequence[NumberedPassage], language: str) -> str:
    """The titles of the pages that come closest, so that a person can look for themselves."""
    names = asked.of_kind("name")
    near = [
        passage
        for passage in passages
        if usable(passage) and all(named_in(term, passage) for term in names)
    ]
    near.sort(key=lambda passage: (-passage.relevance, passage.number))
    titles = dict.fromkeys(
        " ".join(passage.title.split())[:_TITLE]
        for passage in near
        if passage.title.strip() and not has_link(passage.title)
    )
    if not titles:
        return ""
    chinese = language.startswith("zh")
    shown = [f"《{title}》" if chinese else f"“{title}”" for title in list(titles)[:_CLOSEST]]
    listed = ("、" if chinese else ", ").join(shown)
    return say(language, "; closest pages: {listed}", "；最接近的网页：{listed}", listed=listed)


def lacking(
    question: str,
    asked: Intent,
    chosen: Sequence[Chosen],
    absent: tuple[str, ...],
    language: str,
) -> tuple[Lack, ...]:
    """What was asked for and not found, and where the answer had to quote another language."""
    found: list[Lack] = []
    worth = [answering(asked, each.first) for each in chosen]
    for facet in asked.facets:
        if facet not in (*NARROW, "why") or any(answers(facet, each) for each in worth):
            continue
        en, zh = _WHAT[facet]
        what = say(language, f"{en}: “{{q}}”", f"{zh}：“{{q}}”", q=shortened(question))
        why = say(language, "no page that was read says so", "读到的网页都没有说明")
        found.append((what, why))
    for name in absent:
        why = say(language, "no page that was read mentions it", "读到的网页都没有提到")
        found.append((name, why))
    home = "zh" if language.startswith("zh") else "en"
    foreign = sum(each.first.language != home for each in chosen)
    if foreign:
        what = say(
            language, "pages in English on: {about}", "中文网页：{about}", about=about(asked)
        )
        why = say(
            language,
            f"{foreign} of {len(chosen)} sentences are quoted in the language of their page",
            f"{len(chosen)} 句中有 {foreign} 句只能引用外文原文",
        )
        found.append((what, why))
    return tuple(found)


def about(asked: Intent) -> str:
    """The subject of a question as a person would name it: its names, else its words."""
    heavy = [term for term in asked.terms if not term.light]
    named = [term.written for term in heavy if term.kind == "name"]
    parts = named or [term.written for term in heavy] or [term.written for term in asked.terms]
    return re.sub(r"\s+", " ", " ".join(parts))
