"""The exam of suggested words: of those that would be searched for, which lead on."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.jobs.watch.keywords import candidates
from groundwire.jobs.watch.plan_watch import names_of
from groundwire.jobs.watch.result import Keyword
from groundwire.model.base import JsonObject, Value
from groundwire.reasoning.exam_pages import OnPages
from groundwire.reasoning.exam_words import agreement, has_any

MOST = 3  # words that a round searches for
_LONGER = 12  # characters that a word may have more than the one that is meant


class ItemGiven(OnPages):
    """A watch, the searches that were made, and the pages that they brought."""

    command: str
    subject: str
    language: str
    tried: tuple[str, ...]


class Expected(Value):
    """The words that are worth a search, each in the ways that it may be given; all others are not."""

    words: tuple[tuple[str, ...], ...] = ()


def counted(item: ItemGiven) -> list[Keyword]:
    """Count the words of the pages as code does in a run."""
    return candidates(item.pages(), names_of(item.subject), item.tried, (), item.language)


def score(words: Sequence[str], expect: JsonObject) -> float:
    """Score the words that a round would search for: how many are right, and how many were to be had."""
    searched = list(dict.fromkeys(words))[:MOST]
    return agreement(searched, Expected.model_validate(expect).words, _is_one_of, MOST)


def _is_one_of(word: str, ways: tuple[str, ...]) -> bool:
    return any(has_any(word, (each,)) and len(word) <= len(each) + _LONGER for each in ways)
