"""Which words in the passages that were found are worth a search of their own."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field

from groundwire.language.text.characters import simplify
from groundwire.language.text.links import has_link
from groundwire.model.base import Value
from groundwire.model.phrase import Phrase, phrase
from groundwire.model.source import NumberedPassage
from groundwire.reasoning.passages import render_passages
from groundwire.reasoning.question import Question

LONGEST_WORD = 60
MOST = 12


class SuggestInput(Value):
    """What is watched, what was searched for, passages, and the words that code counted in them."""

    command: str
    subject: str
    language: str
    tried: tuple[str, ...]
    counted: tuple[str, ...]  # candidates of code, best first
    passages: tuple[NumberedPassage, ...]


class Suggestion(Value):
    """A word, and the passage that has it."""

    word: str = Field(description="as the passage writes it")
    passage: int = Field(description="number of the passage")


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


QUESTION: Question[SuggestInput, Suggested] = Question(
    prompt="watch/suggest_keywords",
    tier="light",
    output=Suggested,
    variables=_variables,
    # What the embedded reasoner finds is counted in the pages before anybody is asked.
    embedded=lambda _given: Suggested(words=()),
    fault_of=_fault_of,
    prose=lambda _suggested: "",  # words stand in the language of their passage
)
