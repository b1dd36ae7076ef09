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
        chinese = language.startswith("zh")
        ways = [_in_language(each, chinese) for each in words]
        # Chinese queries keep names in Latin letters; English ones have no Chinese words.
        text = " ".join(each for each in ways if chinese or not is_chinese(each))
        if not text or (erring and len(key.words) == 1):
            text = "官方声明" if chinese else "official statement"
        queries.append({"text": text, "language": language})
    return queries[:1] if erring else queries


def _in_language(ways: AnyOf, chinese: bool) -> str:
    """Return the way to say it in a language, else the first."""
    return next((each for each in ways if is_chinese(each) == chinese), ways[0])


def written(prompt: Prompt, keys: Sequence[QuestionKey], skill: Skill) -> dict[str, Json] | None:
    """Answer in sentences of the passages that state the facts; wrong: one of them made false."""
    key = knowing(keys, "facts")
    if key is None:
        return None
    passages = passages_in(prompt.text)
    found = [
        row for ways in key.facts if (row := stating(ways, passages, key.never, prompt.chinese))
    ]
    found = list(dict.fromkeys(found))
    if key.first:
        found.sort(key=lambda row: not says(row[1], key.first))
    if skill.errs("write_answer", prompt.question):
        return _false_answer(found, passages, key)
    stated: list[Json] = [_sentence(*row) for row in found]
    disputed = key.contested and len(stated) > 1
    point = " / ".join(ways[0] for ways in key.facts)
    why = "没有提到" if prompt.chinese else "not mentioned"
    missing = key.gaps if isinstance(key.gaps, tuple) else (prompt.question,) * key.gaps
    if not stated and not missing:
        missing = (prompt.question,)
    return {
        "sentences": [] if disputed else stated,
        "contested": [{"point": point, "sides": stated}] if disputed else [],
        "gaps": [{"what": what, "why": why} for what in missing],
    }


def stating(
    ways: AnyOf, passages: Sequence[Shown], never: Sequence[str], chinese: bool
) -> tuple[int, str] | None:
    """Find a sentence that states a fact and nothing forbidden, in the reader's language first."""
    found = [
        (number, sentence)
        for number, sentence in _sentences(passages)
        if says(sentence, ways) and not says(sentence, never)
    ]
    own = [row for row in found if is_chinese(row[1]) == chinese]
    return next(iter(own or found), None)


def _sentences(passages: Sequence[Shown]) -> list[tuple[int, str]]:
    return [(each.number, sentence) for each in passages for sentence in sentences(each.text)]


def says(text: str, ways: Sequence[str]) -> bool:
    """Tell whether a text says one of these."""
    low = fold(text)[0]
    return any(fold(each)[0] in low for each in ways)


def _sentence(number: int, quote: str, text: str = "") -> Json:
    plain = " ".join((text or quote).split())
    return {"text": plain, "quotes": [{"passage": number, "quote": quote}]}


def _false_answer(
    found: Sequence[tuple[int, str]], passages: Sequence[Shown], key: QuestionKey
) -> dict[str, Json]:
    """Say what must not be said where a passage does, else the answer with another figure."""
    forbidden = [row for row in _sentences(passages) if key.never and says(row[1], key.never)]
    others = [row for row in _sentences(passages) if len(row[1]) > 8]
    number, quote = next(iter([*forbidden, *found, *others]), (1, ""))
    if not quote:
        return {"sentences": [], "contested": [], "gaps": [{"what": "-", "why": "-"}]}
    text = quote if forbidden else falsified(quote)
    return {"sentences": [_sentence(number, quote, text)], "contested": [], "gaps": []}
