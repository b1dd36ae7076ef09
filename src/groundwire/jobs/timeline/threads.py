"""The strands of a history: which are proposed, how each is searched for, which an event belongs to; pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from functools import lru_cache

from groundwire.evidence.questions.intent import parse_question
from groundwire.jobs.timeline.proposal import SIZES, Thread
from groundwire.jobs.timeline.result import Level
from groundwire.language.text.characters import folded, normalise, simplify
from groundwire.language.text.phrases import patterns
from groundwire.language.text.stems import stem
from groundwire.language.text.tokens import content_tokens
from groundwire.language.text.wording import is_han
from groundwire.model.query import Query
from groundwire.reasoning.plan_queries import LONGEST_QUERY, in_both_languages
from groundwire.words import LANGUAGES, Words, words

# A topic is no sentence: in it a capital makes a name.
_LATIN_NAME = re.compile(r"\b[A-Z][\w.&'’-]*(?: [A-Z0-9][\w.&'’-]*)*")
# In the order in which a level takes them; what no other claims belongs to the first.
USUAL = ("course", "response", "market", "people", "research", "effects")
FIRST = USUAL[0]
_cues = patterns("threads.txt", "groundwire.jobs.timeline", re.IGNORECASE)


def usual_threads(level: Level, language: str, names: Sequence[str] = USUAL) -> tuple[Thread, ...]:
    """Return the strands that most histories have, as many as the level takes, in the order of their names."""
    say, size = words(language), SIZES[level]
    taken = names[: size.threads]
    each, rest = divmod(size.nodes, size.threads)
    return tuple(
        Thread(
            name=say(f"timeline.thread.{name}"),
            description=say(f"timeline.thread.{name}.about"),
            estimated_nodes=each + (place < rest),
        )
        for place, name in enumerate(taken)
    )


def speaks_to(name: str, texts: Sequence[str]) -> int:
    """Count the texts that have a word of a usual strand."""
    return sum(bool(name != FIRST and _cues[name].search(_flat(each))) for each in texts)


def _flat(text: str) -> str:
    return folded(normalise(simplify(text)).text)


@lru_cache(maxsize=64)
def usual_name(name: str) -> str:
    """Return which of the usual strands has this name in some language; "": none."""
    for usual in USUAL:
        if any(words(language)(f"timeline.thread.{usual}") == name for language in LANGUAGES):
            return usual
    return ""


def named_in(language: str, threads: Sequence[Thread]) -> tuple[Thread, ...]:
    """Name the usual strands in a language; a name of a person's own stays."""
    own = {thread.name: thread for thread in threads}
    say = words(language)
    for name, thread in own.items():
        if usual := usual_name(name):
            about = thread.description
            if any(about == words(each)(f"timeline.thread.{usual}.about") for each in LANGUAGES):
                about = say(f"timeline.thread.{usual}.about")
            named = {"name": say(f"timeline.thread.{usual}"), "description": about}
            own[name] = thread.model_copy(update=named)
    return tuple(own.values())


def in_other_language(topic: str) -> str:
    """Return a topic in the other language; "" unless every word of it is known there: a part of
    it would bring what the whole is not about.

    A Latin name that is not known there stays what it is, as Chinese pages write it.
    """
    if found := _translated(topic):
        return found
    parts: list[str] = []
    at = 0
    for name in _LATIN_NAME.finditer(topic):
        parts += [topic[at : name.start()], name.group()]
        at = name.end()
    parts = [each for each in (*parts, topic[at:]) if _terms(each)]
    if len(parts) == 1:
        return topic if _LATIN_NAME.fullmatch(topic) else ""
    told = [in_other_language(each.strip()) for each in parts]
    return " ".join(told) if told and all(told) else ""


def _terms(topic: str) -> list[str]:
    return [each.written for each in parse_question(topic, None).terms if not each.light]


def _translated(topic: str) -> str:
    terms = _terms(topic)
    known = [in_both_languages(each)[1] for each in terms]
    return in_both_languages(topic)[1] if terms and all(known) else ""


def both_names(topic: str) -> tuple[str, ...]:
    """Return a topic as written, and in the other language where it is known there."""
    return tuple(dict.fromkeys(each for each in (topic, in_other_language(topic)) if each))


def queries_of(
    topic: str, thread: Thread, language: str, *, both: bool, today: date, most: int
) -> tuple[Query, ...]:
    """Return the searches of a strand: its history and its newest, in one language or in both."""
    own = language if is_han(topic) and language.startswith("zh") else _language_of(topic)
    wanted = [(own, topic)]
    if both:
        other = "en" if own.startswith("zh") else "zh"
        wanted.append((other, in_other_language(topic) or topic))
    found: list[Query] = []
    for code, written in wanted:
        say = words(code)
        name = _name_in(thread, say)
        for kind in ("history", "latest"):
            text = say(
                f"timeline.query.{kind}",
                topic=written,
                thread=name,
                this_year=today.year,
                last_year=today.year - 1,
            )
            text = " ".join(text.split())[:LONGEST_QUERY]
            found.append(Query(text=text, language=code[:2], max_results=most))
    return tuple(found)


def gap_query(text: str, language: str, most: int) -> Query:
    """Return a search of the gap round."""
    return Query(text=text[:LONGEST_QUERY], language=language[:2], max_results=most)


def node_query(topic: str, titles: str, year: int, most: int) -> Query:
    """Return the search for an event, or for several that share one."""
    return Query(text=f"{topic} {titles} {year}"[:LONGEST_QUERY], max_results=most)


def _language_of(topic: str) -> str:
    return "zh" if is_han(topic) else "en"


def _name_in(thread: Thread, say: Words) -> str:
    """Name a strand in a language: a usual one by its words, another by what is known of its words."""
    usual = usual_name(thread.name)
    if usual:
        return say(f"timeline.thread.{usual}")
    if is_han(thread.name) == say.language.startswith("zh"):
        return thread.name
    return in_both_languages(thread.name)[1]


class Strands:
    """The threads of a plan, to each of which an event can be told to belong."""

    def __init__(self, threads: Sequence[Thread]) -> None:
        self._threads = tuple(threads)
        self._usual = [usual_name(each.name) for each in threads]
        self._words = [_stems(f"{each.name} {each.description}") for each in threads]

    def thread_of(self, text: str, finders: Mapping[int, int]) -> int:
        """Return the place of the thread that an event's text belongs to.

        `finders` says how many of its pages each thread's own searches brought: it decides between
        threads that the words do not tell apart.
        """
        flat = _flat(text)
        stems = _stems(text)
        scores = [
            (self._score(place, flat, stems), finders.get(place, 0), -place)
            for place in range(len(self._threads))
        ]
        best = max(scores)
        if best[0] == 0 and FIRST in self._usual:
            return self._usual.index(FIRST)
        return -best[2]

    def _score(self, place: int, flat: str, stems: frozenset[str]) -> float:
        usual = self._usual[place]
        if usual == FIRST:
            return 0.0
        if usual:
            return float(len(set(_cues[usual].findall(flat))))
        return float(len(self._words[place] & stems))


@lru_cache(maxsize=2048)
def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(token) for token in content_tokens(text))
