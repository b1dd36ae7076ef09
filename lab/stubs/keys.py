"""What a strong reader would answer: keys of scenarios and of exam items, found again by their texts."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, field_validator

from lab import ROOT
from lab.stubs.terms import terms

Stance = Literal["supports", "contradicts", "qualifies", "rumour", "unrelated"]
STANCES: tuple[Stance, ...] = ("supports", "contradicts", "qualifies", "unrelated")
AnyOf = tuple[str, ...]  # ways to say one thing
SHIPPED = ROOT / "src" / "groundwire"
_LINK = re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)
_ALIKE = 0.6  # share of words from which two messages are the same one, cut or cleaned


class _Key(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class PageReading(_Key):
    """What a page says of one claim, and the words that show it."""

    claim: int = 1  # its place among the claims
    stance: Stance
    quote: str = ""


class PageKey(_Key):
    """A page and all that it says of the claims; of a claim that is not listed it says nothing."""

    title: str = ""
    text: str
    readings: tuple[PageReading, ...] = ()

    @cached_property
    def folded(self) -> str:
        return fold(f"{self.title} {self.text}")[0]


class MessageKey(_Key):
    """The answers to the questions about one message; what was not given is not known."""

    message: str
    profile: AnyOf = ()
    event_type: AnyOf = ()
    assets: tuple[AnyOf, ...] = ()
    claims: tuple[str, ...] = ()
    pages: tuple[PageKey, ...] = ()
    keywords: tuple[AnyOf, ...] = ()
    tools: tuple[str, ...] | None = None
    measured: tuple[str, ...] = ()  # tools that the world of a scenario has something to show to

    @field_validator("event_type", "profile", mode="before")
    @classmethod
    def _listed(cls, value: object) -> object:
        return [value] if isinstance(value, str) else value


class QuestionKey(_Key):
    """The answers to the questions about one question of a person."""

    question: str
    words: tuple[AnyOf, ...] = ()  # that the searches must hold
    languages: tuple[str, ...] = ()
    facts: tuple[AnyOf, ...] = ()  # that the answer must say
    first: AnyOf = ()  # what its first sentence says
    never: tuple[str, ...] = ()  # what it must not say
    gaps: tuple[str, ...] | bool = False  # what is missing; True: all of it
    contested: bool = False  # whether the facts contradict each other


class EventKey(_Key):
    """An event of a thread: the places of the passages that tell of it, the best telling first."""

    passages: tuple[int, ...]
    title: str
    significance: str = "medium"


class HistoryKey(_Key):
    """Which passages of a thread are events."""

    texts: tuple[str, ...]
    events: tuple[EventKey, ...]

    @cached_property
    def folded(self) -> tuple[str, ...]:
        return tuple(fold(each)[0] for each in self.texts)

    def place_of(self, shown: str) -> int:
        """Return the place, from 1, of the text with which a shown passage begins; 0: none of them."""
        text = fold(shown)[0]
        return next((at for at, each in enumerate(self.folded, 1) if text.startswith(each)), 0)


class PersonKey(_Key):
    name: AnyOf
    role: AnyOf


class DetailKey(_Key):
    """What the detail of an event tells in each part, and what is of another event."""

    title: str
    facts: tuple[AnyOf, ...] = ()
    impact: tuple[AnyOf, ...] = ()
    context: tuple[AnyOf, ...] = ()
    people: tuple[PersonKey, ...] = ()
    figures: tuple[AnyOf, ...] = ()
    never: tuple[str, ...] = ()

    def of(self, part: str) -> tuple[AnyOf, ...]:
        return {"fact": self.facts, "impact": self.impact, "context": self.context}[part]


K = TypeVar("K", MessageKey, QuestionKey)


class Keys:
    """All keys at hand, found by what a prompt shows."""

    def __init__(
        self,
        messages: Sequence[MessageKey] = (),
        questions: Sequence[QuestionKey] = (),
        carried: Mapping[str, bool] | None = None,
        histories: Sequence[HistoryKey] = (),
        details: Sequence[DetailKey] = (),
    ) -> None:
        self.messages = tuple(messages)
        self.questions = tuple(questions)
        self.carried = dict(carried or {})  # folded sentences: whether their quotes carry them
        self.histories = tuple(histories)
        self.details = {fold(each.title)[0]: each for each in details}
        self._by_message: dict[str, list[MessageKey]] = {}
        self._by_question: dict[str, list[QuestionKey]] = {}
        for key in self.messages:
            self._by_message.setdefault(_identity(key.message), []).append(key)
        for key in self.questions:
            self._by_question.setdefault(_identity(key.question), []).append(key)

    def __add__(self, other: Keys) -> Keys:
        return Keys(
            (*self.messages, *other.messages),
            (*self.questions, *other.questions),
            {**self.carried, **other.carried},
            (*self.histories, *other.histories),
            (*self.details.values(), *other.details.values()),
        )

    def of_message(self, text: str) -> Sequence[MessageKey]:
        """Find all keys of a message: each knows the answers to some questions."""
        return _find(self._by_message, text)

    def of_question(self, text: str) -> Sequence[QuestionKey]:
        """Find all keys of a person's question."""
        return _find(self._by_question, text)

    def of_event(self, title: str) -> DetailKey | None:
        """Find the key of an event's detail by its title."""
        return self.details.get(fold(title)[0])


def knowing(keys: Sequence[K], *fields: str) -> K | None:
    """Return the first key that knows one of these fields, the first field first."""
    return next((key for name in fields for key in keys if name in key.model_fields_set), None)


def _find(known: Mapping[str, list[K]], text: str) -> Sequence[K]:
    """Find the keys of a text; of one that was cut or cleaned, those of the nearest."""
    wanted = _identity(text)
    if not wanted or wanted in known:
        return known.get(wanted, ())
    shown = set(wanted.split("\n"))
    nearest, found = 0.0, list[K]()
    for each, keys in known.items():
        other = set(each.split("\n"))
        share = len(shown & other) / (min(len(shown), len(other)) or 1)
        if share > nearest:
            nearest, found = share, keys
    return found if nearest >= _ALIKE else ()


def _identity(text: str) -> str:
    return "\n".join(terms(_LINK.sub(" ", text)))


def fold(text: str) -> tuple[str, list[int]]:
    """Return a text without spaces and case, and where each of its characters stood."""
    kept: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        for each in unicodedata.normalize("NFKC", character).casefold():
            if not each.isspace():
                kept.append(each)
                places.append(place)
    return "".join(kept), places


def stretch_in(wanted: str, text: str) -> str:
    """Return the stretch of the text that says what is wanted, as it stands there; "" if none does."""
    sought, (whole, places) = fold(wanted)[0], fold(text)
    start = whole.find(sought) if sought else -1
    return text[places[start] : places[start + len(sought) - 1] + 1] if start >= 0 else ""


def scenario_keys(folder: Path) -> Keys:
    """Read the keys of the scenarios of a folder and of the folders directly in it."""
    found: list[MessageKey] = []
    for place in (folder, *sorted(each for each in folder.iterdir() if each.is_dir())):
        for path in sorted((place / "keys").glob("*.jsonl")):
            rows = {str(row["id"]): row for row in _rows(place / path.name)}
            found += [_of_scenario(rows[str(key["id"])], key) for key in _rows(path)]
    return Keys(found)


def _of_scenario(row: Mapping[str, Any], key: Mapping[str, Any]) -> MessageKey:
    readings: dict[str, list[Any]] = {}
    for each in key["pages"]:
        readings.setdefault(each["url"], []).append(each)
    pages: list[dict[str, Any]] = [
        {**page, "readings": readings.get(page["url"], ())} for page in row.get("web", ())
    ]
    wanted = row["expect"].get("asset") or ()
    values = {name: key[name] for name in ("event_type", "claims") if name in key}
    if wanted:
        values["assets"] = [[wanted] if isinstance(wanted, str) else wanted]
    return MessageKey.model_validate(
        {
            **values,
            "message": row["message"]["text"],
            "pages": pages,
            "measured": [name for name in ("price", "onchain") if row.get(name)],
        }
    )


def exam_items(root: Path = SHIPPED) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yield what every exam item that is shipped gives, and what it expects."""
    for path in sorted(root.glob("**/exams/**/*.jsonl")):
        yield from ((item["given"], item["expect"]) for item in _rows(path))


def exam_keys(root: Path = SHIPPED) -> Keys:
    """Read the keys of exam items, but for those of watches and of whole histories."""
    messages: list[MessageKey] = []
    questions: list[QuestionKey] = []
    carried: dict[str, bool] = {}
    histories: list[HistoryKey] = []
    details: list[DetailKey] = []
    for given, expect in exam_items(root):
        if "question" in given:
            questions.append(QuestionKey.model_validate({**expect, "question": given["question"]}))
        elif "message" in given:
            messages.append(_of_item(given, expect))
        elif "thread" in given and "passages" in given:
            texts = [each["text"] for each in given["passages"]]
            histories.append(HistoryKey.model_validate({**expect, "texts": texts}))
        elif "title" in given:
            details.append(DetailKey.model_validate({**expect, "title": given["title"]}))
        elif "sentences" in given:
            for number, sentence in enumerate(given["sentences"], start=1):
                carried[fold(sentence)[0]] = number in expect["carried"]
    return Keys(messages, questions, carried, histories, details)


def _of_item(given: Mapping[str, Any], expect: Mapping[str, Any]) -> MessageKey:
    values = {**expect, "message": given["message"]}
    if "stances" in expect:
        values["claims"] = given["claims"]
        values["pages"] = [
            {**page, "readings": [each for each in expect["stances"] if each["page"] == number]}
            for number, page in enumerate(given["pages"], start=1)
        ]
    return MessageKey.model_validate(values)


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text(encoding="utf-8").split("\n"):
        if line.strip():
            yield json.loads(line)
