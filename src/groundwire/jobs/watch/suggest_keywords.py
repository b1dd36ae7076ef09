"""Which words in the passages that were found are worth a search of their own."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field

from groundwire.jobs.watch import suggest_keywords_exam
from groundwire.jobs.watch.keywords import worthwhile
from groundwire.language.text.characters import simplify
from groundwire.language.text.links import has_link
from groundwire.language.text.tokens import content_tokens
from groundwire.model.base import JsonObject, Value
from groundwire.model.phrase import Phrase, phrase
from groundwire.model.source import NumberedPassage
from groundwire.reasoning.exam import Exam
from groundwire.reasoning.passages import render_passages
from groundwire.reasoning.question import Question

LONGEST_WORD = 60
MOST = 12


class Suggestion(Value):
    """A word, and the passage that has it."""

    word: str = Field(description="as the passage writes it")
    passage: int = Field(description="number of the passage")


class SuggestInput(Value):
    """What is watched, what was searched for, passages, and the words that code counted in them."""

    command: str
    subject: str
    language: str
    tried: tuple[str, ...]
    counted: tuple[str, ...]  # candidates of code, best first
    passages: tuple[NumberedPassage, ...]
    drafted: tuple[
        Suggestion, ...
    ] = ()  # that code would search for; only an exam compares the two


class Suggested(Value):
    """Words that are worth a search, best first."""

    words: tuple[Suggestion, ...] = Field(max_length=MOST)


def _variables(given: SuggestInput, seed: str) -> Mapping[str, str]:
    return {
        "command": given.command,
        "subject": given.subject,
        "language": given.language,
        "tried": " / ".join(given.tried),
        "counted": ", ".join(given.counted),
        "most": str(MOST),
        "passages": render_passages(given.passages, seed),
    }


def _fault_of(given: SuggestInput, suggested: Suggested) -> Phrase | None:
    texts = {each.number: simplify(f"{each.title}\n{each.text}").lower() for each in given.passages}
    for place, each in enumerate(suggested.words, start=1):
        if each.passage not in texts:
            return phrase("fault.no_passage", n=each.passage)
        if has_link(each.word) or not each.word.strip() or len(each.word) > LONGEST_WORD:
            return phrase("watch.fault.word", n=place)
        if simplify(each.word).strip().lower() not in texts[each.passage]:
            return phrase("watch.fault.absent", n=place)
    return None


def usable(given: SuggestInput, suggested: Suggested) -> tuple[Suggestion, ...]:
    """Keep the words that stand in their passage, say something, and are in no search that was made."""
    texts = {each.number: simplify(f"{each.title}\n{each.text}").lower() for each in given.passages}
    old = " ".join(simplify(text).lower() for text in given.tried)
    return tuple(
        each
        for each in suggested.words
        if (key := simplify(each.word).strip().lower())
        and key in texts.get(each.passage, "")
        and key not in old
        and content_tokens(key)
    )


def _read(given: JsonObject) -> SuggestInput:
    item = suggest_keywords_exam.ItemGiven.model_validate(given)
    words = suggest_keywords_exam.counted(item)
    shown = item.shown()
    numbers = {each.evidence_id: each.number for each in shown}
    return SuggestInput(
        command=item.command,
        subject=item.subject,
        language=item.language,
        tried=item.tried,
        counted=tuple(each.word for each in words),
        passages=shown,
        drafted=tuple(
            Suggestion(word=each.word, passage=numbers[each.found_in])
            for each in worthwhile(words, suggest_keywords_exam.MOST)
        ),
    )


def _score(given: SuggestInput, suggested: Suggested, expect: JsonObject) -> float:
    return suggest_keywords_exam.score([each.word for each in usable(given, suggested)], expect)


QUESTION: Question[SuggestInput, Suggested] = Question(
    prompt="watch/suggest_keywords",
    tier="light",
    output=Suggested,
    variables=_variables,
    # What the embedded reasoner finds is counted in the pages before anybody is asked.
    embedded=lambda given: Suggested(words=given.drafted),
    fault_of=_fault_of,
    prose=lambda _suggested: "",  # words stand in the language of their passage
    exam=Exam(items="watch/suggest_keywords", read=_read, score=_score),
)
