"""Into which threads the history of a topic is divided: by what its pages tell of, by its own names with a model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pydantic import Field

from groundwire.jobs.timeline.proposal import MOST_NODES, MOST_THREADS, SIZES, Size, Thread
from groundwire.jobs.timeline.result import Level
from groundwire.jobs.timeline.threads import FIRST, USUAL, speaks_to, usual_threads
from groundwire.jobs.timeline.write_detail import REQUESTS
from groundwire.language.text.characters import folded
from groundwire.language.text.links import has_link
from groundwire.model.base import JsonObject, Value
from groundwire.model.phrase import Phrase, phrase
from groundwire.reasoning.exam import Exam
from groundwire.reasoning.exam_words import clean_share, has_any, share
from groundwire.reasoning.passages import enclosed
from groundwire.reasoning.question import Question

_LONGEST_NAME, _LONGEST_LINE = 60, 200  # characters
_FEWEST = 2
_SPOKEN = 2  # headlines, from which on they speak to a usual thread


class ThreadsInput(Value):
    """A topic, how much of it is to be told, and the headlines that are at hand of it."""

    topic: str
    language: str
    level: Level
    headlines: tuple[str, ...] = ()

    @property
    def size(self) -> Size:
        return SIZES[self.level]


class NamedThread(Value):
    """One thread: what it is called, what it is about, and its share of the events."""

    name: str = Field(description="two to six words that name something of this topic")
    description: str = Field(default="", description="one line: what belongs to it")
    events: int = Field(default=1, ge=1, le=MOST_NODES, description="events wanted of it")


class Threads(Value):
    """The threads of a history, the main one first."""

    threads: tuple[NamedThread, ...] = Field(min_length=1, max_length=MOST_THREADS)


def planned(given: ThreadsInput, found: Threads) -> tuple[Thread, ...]:
    """Return the threads of a plan: as many as the level takes, its events shared out by their weight."""
    named = list(found.threads[: given.size.threads])
    whole = sum(each.events for each in named)
    ends = [round(given.size.nodes * each / whole) for each in _added(named)]
    return tuple(
        Thread(
            name=each.name.strip(),
            description=each.description.strip(),
            estimated_nodes=max(1, end - before),
        )
        for each, end, before in zip(named, ends, [0, *ends], strict=False)
    )


def _added(named: Sequence[NamedThread]) -> Iterator[int]:
    total = 0
    for each in named:
        total += each.events
        yield total


def _variables(given: ThreadsInput, seed: str) -> Mapping[str, str]:
    lines = "\n".join(f"- {' '.join(each.split())}" for each in given.headlines)
    return {
        "topic": given.topic,
        "language": given.language,
        "count": str(given.size.threads),
        "nodes": str(given.size.nodes),
        "headlines": enclosed(lines or "-", seed),
    }


def _fault_of(given: ThreadsInput, found: Threads) -> Phrase | None:
    if len(found.threads) < min(_FEWEST, given.size.threads):
        return phrase("timeline.fault.threads", n=given.size.threads)
    seen: set[str] = set()
    # Faults are shown to people, so they name places and repeat none of the model's words.
    for place, each in enumerate(found.threads, start=1):
        name = folded(each.name.strip())
        if not name or len(each.name) > _LONGEST_NAME or len(each.description) > _LONGEST_LINE:
            return phrase("timeline.fault.thread", n=place)
        if has_link(f"{each.name} {each.description}"):
            return phrase("fault.beside_link")
        if name in seen:
            return phrase("timeline.fault.thread_twice", n=place)
        seen.add(name)
    return None


def _embedded(given: ThreadsInput) -> Threads:
    """Take the usual threads that the headlines speak to, after the one that every history has."""
    spoken = {name: speaks_to(name, given.headlines) for name in USUAL}
    rest = sorted(
        (name for name in USUAL if name != FIRST),
        key=lambda name: -spoken[name] if spoken[name] >= _SPOKEN else 0,
    )
    return Threads(
        threads=tuple(
            NamedThread(name=each.name, description=each.description, events=each.estimated_nodes)
            for each in usual_threads(given.level, given.language, (FIRST, *rest))
        )
    )


class _Expected(Value):
    parts: tuple[
        tuple[str, ...], ...
    ]  # what the headlines tell of: of each group one, in some thread
    without: tuple[str, ...] = ()  # what nothing speaks of


_PARTS_WORTH, _APART_WORTH, _CLEAN_WORTH = 0.55, 0.3, 0.15


def _score(given: ThreadsInput, found: Threads, expect: JsonObject) -> float:
    """Score what the threads cover, how many of them say something of the topic, and what they add."""
    expected = _Expected.model_validate(expect)
    lines = [f"{each.name} {each.description}" for each in found.threads[: given.size.threads]]
    telling = sum(any(has_any(line, part) for part in expected.parts) for line in lines)
    text = "\n".join(lines)
    return (
        _PARTS_WORTH * share(text, expected.parts)
        + _APART_WORTH * telling / given.size.threads
        + _CLEAN_WORTH * clean_share(text, expected.without)
    )


QUESTION: Question[ThreadsInput, Threads] = Question(
    prompt="timeline/plan_threads",
    tier="light",
    output=Threads,
    variables=_variables,
    embedded=_embedded,
    fault_of=_fault_of,
    prose=lambda found: "\n".join(f"{each.name} {each.description}" for each in found.threads),
    exam=Exam(items="timeline/plan_threads", read=ThreadsInput.model_validate, score=_score),
    requests=REQUESTS,
)
