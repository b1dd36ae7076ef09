"""How the reader of adjustable skill answers the questions about a person's question."""

from __future__ import annotations

from collections.abc import Sequence

from lab.stubs.brain import Prompt
from lab.stubs.keys import AnyOf, QuestionKey, fold, knowing
from lab.stubs.passages import Shown, passages_in
from lab.stubs.reading import falsified
from lab.stubs.skill import Skill
from lab.stubs.terms import Json, is_chinese, sentences

_LANGUAGES = ("en", "zh")


def planned(prompt: Prompt, keys: Sequence[QuestionKey], skill: Skill) -> list[Json] | None:
    """Plan a query in each language with the words of the key; wrong: without the first of them."""
    key = knowing(keys, "words")
    if key is None:
        return None
    erring = skill.errs("plan_queries", prompt.question)
    words = key.words[1:] if erring and len(key.words) > 1 else key.words
    queries: list[Json] = []
    for language in key.languages or _LANGUAGES:
        text = " ".join(_in_language(each, language) for each in words)
        if erring and len(key.words) == 1:
            text = "官方声明" if language.startswith("zh") else "official statement"
        queries.append({"text": text, "language": language})
    return queries[:1] if erring else queries


def _in_language(ways: AnyOf, language: str) -> str:
    """Return the way to say it in a language, else the first."""
    chinese = language.startswith("zh")
    return next((each for each in ways if is_chinese(each) == chinese), ways[0])


def written(prompt: Prompt, keys: Sequence[QuestionKey], skill: Skill) -> dict[str, Json] | None:
    """Answer in sentences of the passages that state the facts; wrong: one of them made false."""
    key = knowing(keys, "facts", "gaps", "contested", "never")
    if key is None:
        return None
    passages = passages_in(prompt.text)
    found = [row for ways in key.facts if (row := _stating(ways, passages, key, prompt.chinese))]
    if key.first:
        found.sort(key=lambda row: not _says(row[1], key.first))
    if skill.errs("write_answer", prompt.question):
        return _false_answer(found, passages, key)
    sentences_found = [_sentence(number, quote) for number, quote in dict.fromkeys(found)]
    why = "没有提到" if prompt.chinese else "not mentioned"
    gaps: list[Json] = [
        {"what": _in_language(ways, "zh" if prompt.chinese else "en"), "why": why}
        for ways in key.gaps
    ]
    if not sentences_found and not gaps:
        gaps = [{"what": prompt.question, "why": why}]
    return {"sentences": sentences_found, "contested": _contested(key, passages), "gaps": gaps}


def _stating(
    ways: AnyOf, passages: Sequence[Shown], key: QuestionKey, chinese: bool
) -> tuple[int, str] | None:
    """Find a sentence that states a fact and nothing forbidden, in the question's language first."""
    found = [
        (number, sentence)
        for number, sentence in _sentences(passages)
        if _says(sentence, ways) and not _says(sentence, key.never)
    ]
    own = [row for row in found if is_chinese(row[1]) == chinese]
    return next(iter(own or found), None)


def _sentences(passages: Sequence[Shown]) -> list[tuple[int, str]]:
    return [(each.number, sentence) for each in passages for sentence in sentences(each.text)]


def _says(text: str, ways: AnyOf) -> bool:
    low = fold(text)[0]
    return any(fold(each)[0] in low for each in ways)


def _sentence(number: int, quote: str, text: str = "") -> Json:
    plain = " ".join((text or quote).split())
    return {"text": plain, "quotes": [{"passage": number, "quote": quote}]}


def _contested(key: QuestionKey, passages: Sequence[Shown]) -> list[Json]:
    """Give each side of a point that is contested a sentence that states it."""
    found: list[Json] = []
    for sides in key.contested:
        rows = [next((r for r in _sentences(passages) if _says(r[1], (s,))), None) for s in sides]
        stated: list[Json] = [_sentence(*row) for row in rows if row]
        if len(stated) > 1:
            found.append({"point": " / ".join(sides), "sides": stated})
    return found


def _false_answer(
    found: Sequence[tuple[int, str]], passages: Sequence[Shown], key: QuestionKey
) -> dict[str, Json]:
    """Say what must not be said where a passage does, else the answer with another figure."""
    forbidden = [row for row in _sentences(passages) if key.never and _says(row[1], key.never)]
    others = [row for row in _sentences(passages) if len(row[1]) > 8]
    number, quote = next(iter([*forbidden, *found, *others]), (1, ""))
    if not quote:
        return {"sentences": [], "contested": [], "gaps": [{"what": "-", "why": "-"}]}
    text = quote if forbidden else falsified(quote)
    return {"sentences": [_sentence(number, quote, text)], "contested": [], "gaps": []}
