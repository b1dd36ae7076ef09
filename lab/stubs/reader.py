"""A reader of adjustable skill: it knows the answers and errs at a set rate, on the same items every time."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from lab.stubs.answering import planned, written
from lab.stubs.brain import Prompt, Schema, fit_fields
from lab.stubs.histories import chosen, concluded, detailed, event_in
from lab.stubs.keys import SHIPPED, Keys, exam_items, exam_keys, scenario_keys
from lab.stubs.passages import message_in
from lab.stubs.reading import chosen_tools, classified, extracted, weighed
from lab.stubs.reviewing import reviewed
from lab.stubs.skill import Skill
from lab.stubs.terms import Json
from lab.stubs.topic_keys import TopicKeys, topic_keys
from lab.stubs.watch_keys import WatchKeys, watch_keys
from lab.stubs.watching import watched


class ReaderOptions(BaseModel):
    """A reader as a stub process is told of it; it always knows the exams that are shipped."""

    model_config = ConfigDict(extra="forbid")

    skill: float = Field(ge=0, le=1)
    seed: int = 0
    folders: tuple[Path, ...] = ()  # of scenarios with keys
    exams: Path | None = None  # a package with other exams than the shipped ones

    def open(self) -> Reader:
        """Read the keys."""
        root = self.exams or SHIPPED
        keys = exam_keys(root)
        for folder in self.folders:
            keys += scenario_keys(folder)
        watches, topics = watch_keys(exam_items(root)), topic_keys(exam_items(root))
        return Reader(keys, Skill(self.skill, self.seed), watches, topics)


class Reader:
    """Answers the questions whose keys it has; which question it is, the form of the answer tells."""

    def __init__(
        self,
        keys: Keys,
        skill: Skill,
        watches: WatchKeys | None = None,
        topics: TopicKeys | None = None,
    ) -> None:
        self.keys = keys
        self.watches = watches or WatchKeys()
        self.topics = topics or TopicKeys()
        self.skill = skill

    def answer(self, schema: Schema, prompt: Prompt) -> dict[str, Json] | None:
        """Return the fields of the answer in the form that is asked for; None without a key."""
        fields = schema.get("properties")
        if not isinstance(fields, dict):
            return None
        if "readings" in fields:
            return fit_fields(reviewed(prompt, self.keys, self.skill), schema, prompt)
        found = watched(set(fields), prompt, self.watches, self.skill)
        if found is None:
            found = concluded(set(fields), prompt, self.topics, self.skill)
        if found is None:
            found = self._of_message(set(fields), prompt)
        if found is None:
            found = self._of_history(set(fields), prompt)
        if found is None:
            found = self._of_question(set(fields), prompt)
        return None if found is None else fit_fields(found, schema, prompt)

    def _of_message(self, fields: set[str], prompt: Prompt) -> dict[str, Json] | None:
        keys = self.keys.of_message(message_in(prompt.text))
        if {"profile", "event_type"} <= fields:
            return classified(prompt, keys, self.skill)
        if {"tools", "search_keywords"} <= fields:
            return chosen_tools(prompt, keys, self.skill)
        if "stances" in fields:
            # Read again, a passage is asked about without sentences: another chance to err.
            question = "weigh_message" if "sentences" in fields else "read_again"
            return weighed(prompt, keys, self.skill, question)
        if "claims" in fields:
            claims = extracted(prompt, keys, self.skill)
            return None if claims is None else {"claims": [{"text": each} for each in claims]}
        return None

    def _of_history(self, fields: set[str], prompt: Prompt) -> dict[str, Json] | None:
        if "events" in fields:
            events = chosen(prompt, self.keys.histories, self.skill)
            return None if events is None else {"events": events}
        if not {"people", "figures"} <= fields:
            return None
        key = self.keys.of_event(event_in(prompt.text))
        return None if key is None else detailed(prompt, key, self.skill)

    def _of_question(self, fields: set[str], prompt: Prompt) -> dict[str, Json] | None:
        keys = self.keys.of_question(prompt.question)
        if "queries" in fields:
            queries = planned(prompt, keys, self.skill)
            return None if queries is None else {"queries": queries}
        return written(prompt, keys, self.skill) if "sentences" in fields else None
