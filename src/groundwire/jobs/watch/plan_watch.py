"""Into which sub-tasks a standing question is divided: each with its searches, where, and why."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import zip_longest

from pydantic import Field

from groundwire.jobs.watch.aspects import whose_is
from groundwire.jobs.watch.proposal import FEWEST, LONGEST_QUERY, MOST, MOST_QUERIES, SubTask
from groundwire.language.text.links import has_link
from groundwire.language.text.wording import is_han
from groundwire.model.base import JsonObject, Value
from groundwire.model.phrase import Phrase, phrase
from groundwire.reasoning.exam import Exam
from groundwire.reasoning.exam_words import clean_share, has_any, share
from groundwire.reasoning.plan_queries import in_both_languages
from groundwire.reasoning.question import Question
from groundwire.search.platforms import platforms
from groundwire.words import words

# Under the words `watch.task.NAME`, `.why` and `watch.query.NAME`; the last only where people talk.
_TASKS = ("latest", "offer", "business", "rules", "work")
_TALK = "talk"
_BETWEEN = "|"  # searches of one task, in words
_SITE = re.compile(r"\bsite:", re.IGNORECASE)


class PlanInput(Value):
    """What is watched, where one may look, and the words that the last run found useful."""

    command: str
    subject: str
    language: str
    today: str
    platforms: tuple[str, ...] = ()  # chosen by the person; (): the plan may choose
    days: int | None = None
    known: tuple[str, ...] = ()


class Planned(Value):
    """The sub-tasks, most important first."""

    tasks: tuple[SubTask, ...] = Field(min_length=FEWEST, max_length=MOST)


def names_of(subject: str) -> tuple[str, ...]:
    """Return a subject as written, whose it is, and both in the other language where it is known there."""
    names = [each for whose in (subject, whose_is(subject)) if whose for each in _in_both(whose)]
    return tuple(dict.fromkeys(names))


def _in_both(subject: str) -> tuple[str, ...]:
    own, other = in_both_languages(subject)
    whole = len(other.split()) >= len(own.split()) or is_han(other) != is_han(subject)
    return tuple(each for each in (subject, other if whole else "") if each)


def _variables(given: PlanInput, seed: str) -> Mapping[str, str]:
    del seed  # no page enters this prompt
    return {
        "command": given.command,
        "subject": given.subject,
        "language": given.language,
        "today": given.today,
        "platforms": ", ".join(given.platforms or platforms()),
        "days": str(given.days or "-"),
        "known": ", ".join(given.known) or "-",
    }


def _fault_of(given: PlanInput, planned: Planned) -> Phrase | None:
    allowed = given.platforms or tuple(platforms())
    looked_for = [frozenset(each.queries) for each in planned.tasks]
    if len(set(looked_for)) < len(looked_for):
        return phrase("watch.fault.same_task")
    # Faults are shown to people, so they name places and repeat none of the model's words.
    for place, each in enumerate(planned.tasks, start=1):
        if any(_SITE.search(query) or has_link(query) for query in each.queries):
            return phrase("fault.query_address", n=place)
        if has_link(f"{each.task} {each.why}"):
            return phrase("fault.beside_link")
        if not set(each.platforms) <= set(allowed):
            return phrase("watch.fault.platform", n=place)
    return None


def _embedded(given: PlanInput) -> Planned:
    """Take the parts that most subjects have, each searched for in both languages."""
    say = words(given.language)
    talks = _talking(given.platforms)
    names = (*_TASKS[: MOST - 1], _TALK) if talks else _TASKS
    return Planned(
        tasks=tuple(
            SubTask(
                task=say(f"watch.task.{name}", subject=given.subject)[:120],
                queries=_queries(given.subject, name),
                platforms=_where(given.platforms, talks, name),
                days=given.days,
                why=say(f"watch.task.{name}.why"),
            )
            for name in names
        )
    )


def _talking(chosen: Sequence[str]) -> tuple[str, ...]:
    """Return those of the chosen platforms on which people talk."""
    return tuple(each for each in chosen if each not in ("news", "web"))


def _where(chosen: Sequence[str], talks: Sequence[str], name: str) -> tuple[str, ...]:
    """Look for talk where people talk, and for everything else wherever reports are."""
    if name == _TALK:
        return tuple(talks)
    return tuple(each for each in chosen if each not in talks) or tuple(chosen)


def _queries(subject: str, name: str) -> tuple[str, ...]:
    """Write the searches of a part, the two languages by turns, and its two names, too."""
    names = names_of(subject)
    latin = [each for each in names if not is_han(each)]
    english = _lines("en", name, latin)
    # A name in Latin letters is written so in Chinese pages, too; a Chinese one is its own.
    chinese = _lines("zh", name, (subject,) if is_han(subject) else names)
    own, other = (chinese, english) if is_han(subject) else (english, chinese)
    turns = (each for pair in zip_longest(own, other) for each in pair if each)
    return tuple(dict.fromkeys(turns))[:MOST_QUERIES]


def _lines(language: str, name: str, known: Sequence[str]) -> list[str]:
    lines = words(language).template(f"watch.query.{name}").split(_BETWEEN) if known else []
    return [
        line.replace("{subject}", known[place % len(known)]).strip()[:LONGEST_QUERY]
        for place, line in enumerate(lines)
    ]


class _Expected(Value):
    parts: tuple[tuple[str, ...], ...]  # what is watched: of each group one, in some search
    names: tuple[str, ...]  # of the subject: one in every search
    languages: frozenset[str]
    without: tuple[str, ...] = ()  # what nobody asked for, or nobody said


_PARTS_WORTH, _NAMES_WORTH, _LANGUAGES_WORTH, _CLEAN_WORTH = 0.5, 0.2, 0.15, 0.15


def _score(given: PlanInput, planned: Planned, expect: JsonObject) -> float:
    """Score what the searches would look for, by what name, in which languages, and what they add."""
    del given
    expected = _Expected.model_validate(expect)
    queries = [query for each in planned.tasks for query in each.queries]
    text = "\n".join(queries)
    spoken = {"zh" if is_han(each) else "en" for each in queries}
    return (
        _PARTS_WORTH * share(text, expected.parts)
        + _NAMES_WORTH * sum(has_any(each, expected.names) for each in queries) / len(queries)
        + _LANGUAGES_WORTH * len(spoken & expected.languages) / len(expected.languages)
        + _CLEAN_WORTH * clean_share(text, expected.without)
    )


QUESTION: Question[PlanInput, Planned] = Question(
    prompt="watch/plan_watch",
    tier="light",
    output=Planned,
    variables=_variables,
    embedded=_embedded,
    fault_of=_fault_of,
    prose=lambda planned: "\n".join(f"{each.task} {each.why}" for each in planned.tasks),
    exam=Exam(items="watch/plan_watch", read=PlanInput.model_validate, score=_score),
)
