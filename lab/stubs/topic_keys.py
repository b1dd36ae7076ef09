"""What a strong reader would answer about a whole history: keys found again by the topic that a prompt names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict

from lab.stubs.keys import fold

_TOPIC = re.compile(r"(?m)^(?:Topic|主题)[:：]\s*(\S.*)$")


class TopicKey(BaseModel):
    """The answer to one question about the history of a topic."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    topic: str


class StatedKey(BaseModel):
    """A right sentence, and the words of a page that it stands on."""

    text: str
    quote: str


class SynthesisKey(TopicKey):
    """What a history comes to."""

    right: tuple[StatedKey, ...]
    insight: tuple[StatedKey, ...] = ()


class LinkKey(BaseModel):
    """Two events by what is said of them, how they are joined, and the words that say so."""

    cause: str
    effect: str
    relation: str
    quote: str


class LinksKey(TopicKey):
    """Which events are joined."""

    links: tuple[LinkKey, ...]


class ThreadsKey(TopicKey):
    """What the threads of a history speak to: of each group one."""

    parts: tuple[tuple[str, ...], ...]


class MemoryEvent(BaseModel):
    """What is known by heart: a date, and words for the title."""

    date: str
    says: tuple[str, ...]


class MemoryKey(TopicKey):
    """What is known of a topic without a page."""

    events: tuple[MemoryEvent, ...]


K = TypeVar("K", bound=TopicKey)


class TopicKeys:
    """All keys of histories at hand."""

    def __init__(self, keys: Iterable[TopicKey] = ()) -> None:
        self._keys = {(type(each), fold(each.topic)[0]): each for each in keys}

    def __add__(self, other: TopicKeys) -> TopicKeys:
        return TopicKeys((*self._keys.values(), *other._keys.values()))

    def of(self, prompt: str, kind: type[K]) -> K | None:
        """Find the key of the topic that a prompt names."""
        named = _TOPIC.search(prompt)
        found = self._keys.get((kind, fold(named[1])[0])) if named else None
        return found if isinstance(found, kind) else None


def topic_keys(items: Iterable[tuple[Mapping[str, Any], Mapping[str, Any]]]) -> TopicKeys:
    """Make the keys of items, each what is given and what is expected."""
    return TopicKeys(
        key
        for given, expect in items
        if "topic" in given and (key := _key_of(given, expect)) is not None
    )


def _key_of(given: Mapping[str, Any], expect: Mapping[str, Any]) -> TopicKey | None:
    topic = given["topic"]
    if "headlines" in given:
        return ThreadsKey(topic=topic, parts=expect["parts"])
    if "passages" not in given and "events" in expect:
        return MemoryKey(topic=topic, events=expect["events"])
    if "right" in expect:
        texts: list[str] = [str(each["text"]) for each in given["passages"]]
        right, insight = (_stated(expect.get(name, ()), texts) for name in ("right", "insight"))
        return SynthesisKey(topic=topic, right=right, insight=insight)
    if "links" in expect:
        told = [each["text"] for each in given["events"]]
        links: list[dict[str, Any]] = [
            {**each, "cause": told[each["cause"] - 1], "effect": told[each["effect"] - 1]}
            for each in expect["links"]
        ]
        return LinksKey.model_validate({"topic": topic, "links": links})
    return None


def _stated(rows: Iterable[Mapping[str, Any]], texts: list[str]) -> tuple[StatedKey, ...]:
    return tuple(
        StatedKey(text=each["text"], quote=texts[int(each["passage"]) - 1]) for each in rows
    )
