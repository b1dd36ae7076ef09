"""How the reader of adjustable skill answers the questions about a watch."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lab.stubs.answering import says
from lab.stubs.brain import Prompt
from lab.stubs.keys import AnyOf
from lab.stubs.passages import Shown, first_sentence, passages_in
from lab.stubs.reading import falsified
from lab.stubs.skill import Skill
from lab.stubs.terms import Json, is_chinese, sentences, terms
from lab.stubs.watch_keys import (
    BriefKey,
    PlanKey,
    PointKey,
    PointsKey,
    SideKey,
    WatchKeys,
    WordsKey,
)

_FEWEST = 3  # sub-tasks
_ENDS = (".", "。", "!", "！", "?", "？")
_MOST_TOLD = 6  # sentences of a brief
_LISTED = re.compile(r"(?m)^- \[(\d+)\] (?:changed|contested|new|standing)$")


def watched(
    fields: set[str], prompt: Prompt, keys: WatchKeys, skill: Skill
) -> dict[str, Json] | None:
    """Answer a question about a watch; None without a key, or where it is another question."""
    if fields == {"tasks"}:
        plan = keys.of_command(prompt.text)
        return None if plan is None else {"tasks": _tasks(plan, skill)}
    if fields == {"words"}:
        words = keys.of_pages(prompt.text, WordsKey)
        return None if words is None else {"words": _words(*words, skill)}
    if fields == {"points"}:
        points = keys.of_pages(prompt.text, PointsKey)
        return None if points is None else {"points": _points(*points, skill)}
    if fields == {"sentences"}:
        brief = keys.of_pages(prompt.text, BriefKey)
        told = _as_listed(prompt) if brief is None else _sentences(*brief, skill)
        return {"sentences": told} if told else None
    return None


def _tasks(key: PlanKey, skill: Skill) -> list[Json]:
    """Search for each part by the name of the subject; wrong: for anything, without the name."""
    rows: list[Json] = []
    for part in key.parts:
        queries: list[Json] = [_query(key, part, each) for each in key.languages]
        if skill.errs("plan_watch", key.command, part[0]):
            queries = ["官方声明" if is_chinese(part[0]) else "official statement"]
        rows.append(
            {
                "task": part[0],
                "queries": list(dict.fromkeys(map(str, queries))),
                "days": None,
                "why": part[0],
            }
        )
    return (rows * _FEWEST)[: max(_FEWEST, len(rows))]


def _query(key: PlanKey, part: AnyOf, language: str) -> str:
    chinese = language.startswith("zh")
    name, word = (
        next((each for each in ways if is_chinese(each) == chinese), ways[0])
        for ways in (key.names, part)
    )
    return f"{name} {word}"


def _words(key: WordsKey, shown: Sequence[Shown], skill: Skill) -> list[Json]:
    """Suggest the words of the key as the pages write them; wrong: any word of theirs."""
    found: list[Json] = []
    for ways in key.words:
        row = next(
            ((each.number, word) for word in ways for each in shown if word in each.text), None
        )
        if row is None:
            continue
        if skill.errs("suggest_keywords", *row[1:], *key.texts[:1]):
            row = _any_word(shown, skill, row[1])
        found.append({"word": row[1], "passage": row[0]})
    if not key.words and skill.errs("suggest_keywords", *key.texts[:1]):
        number, word = _any_word(shown, skill, "")
        found.append({"word": word, "passage": number})
    return found


def _any_word(shown: Sequence[Shown], skill: Skill, instead: str) -> tuple[int, str]:
    last = shown[-1]
    known = [each for each in terms(last.text) if each in last.text]
    return last.number, skill.pick(known or [last.text[:4]], "suggest_keywords", instead, last.text)


def _points(key: PointsKey, shown: Sequence[Shown], skill: Skill) -> list[Json]:
    """Set the sides of the key next to each other; wrong: none of a point, or two sides of different things."""
    found: list[Json] = []
    for number, point in enumerate(key.points):
        sides: list[Json] = [row for side in point.sides if (row := _side(side, shown)) is not None]
        if not skill.errs("find_contradictions", str(number), *key.texts):
            found.append({"point": _about(point), "sides": sides})
        elif skill.pick((True, False), "find_contradictions", str(number), *key.texts):
            found.append(_false_point(shown))
    if not key.points and skill.errs("find_contradictions", *key.texts):
        found.append(_false_point(shown))
    return found


def _about(point: PointKey) -> str:
    return "说法不一" if is_chinese(point.sides[0].says[0]) else "accounts differ"


def _side(side: SideKey, shown: Sequence[Shown]) -> Json:
    for each in shown:
        for sentence in sentences(each.text) if each.number in side.passages else ():
            if says(sentence, side.says):
                return {"passage": each.number, "quote": sentence}
    return None


def _false_point(shown: Sequence[Shown]) -> Json:
    sides: list[Json] = [
        {"passage": each.number, "quote": sentences(each.text)[-1]} for each in shown[:2]
    ]
    return {"point": "-", "sides": sides}


def _sentences(key: BriefKey, shown: Sequence[Shown], skill: Skill) -> list[Json]:
    """Write the sentences of the key; wrong: one of them made false."""
    found: list[Json] = []
    for each in key.right:
        wrong = skill.errs("write_brief", each.text, each.quote)
        quotes: list[Json] = [{"passage": each.passage, "quote": each.quote}]
        found.append({"text": falsified(each.text) if wrong else each.text, "quotes": quotes})
    if not found:
        text = first_sentence(shown[0].text)
        found.append({"text": text, "quotes": [{"passage": shown[0].number, "quote": text}]})
    return found


def _as_listed(prompt: Prompt) -> list[Json]:
    """Tell pages without a key in the order of the list, each by its first whole sentence; a headline is none."""
    shown = {
        each.number: next((one for one in _of_lines(each.text) if one.endswith(_ENDS)), "")
        for each in passages_in(prompt.text)
    }
    numbers = dict.fromkeys(int(each) for each in _LISTED.findall(prompt.text))
    # Of another language a sentence would have to be translated.
    told = [
        (number, text)
        for number in numbers
        if (text := shown.get(number)) and is_chinese(text) == prompt.chinese
    ]
    return [
        {"text": text, "quotes": [{"passage": number, "quote": text}]}
        for number, text in told[:_MOST_TOLD]
    ]


def _of_lines(text: str) -> list[str]:
    return [sentence for line in text.splitlines() for sentence in sentences(line)]
