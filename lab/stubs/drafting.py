"""What a model stub answers before it is put into a vendor's format."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from lab.stubs.brain import Prompt, Schema, read_prompt, think, write
from lab.stubs.faults import Fault
from lab.stubs.messages import consider
from lab.stubs.terms import Json, tokens

_REFUSAL = "I cannot help with that."
_PER_PICTURE = 258


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """A request in no vendor's words: the user's texts, the pictures, the form of the answer."""

    texts: list[str]
    every_text: list[str]  # what is counted: the system's too
    tool: str | None = None  # the one that must be called
    schema: Schema | None = None
    pictures: list[tuple[str, bytes]] = field(default_factory=list[tuple[str, bytes]])

    @property
    def spent(self) -> int:
        """Prompt tokens."""
        counted = sum(tokens(text) + 4 for text in self.every_text)
        return counted + _PER_PICTURE * len(self.pictures)


@dataclass(frozen=True, slots=True)
class ModelDraft:
    """An answer before it is written to the wire; `cut` and `refusal` say how it ended."""

    text: str | None = None
    tool: str | None = None
    refusal: str | None = None
    cut: bool = False

    @property
    def spent(self) -> int:
        """Completion tokens."""
        return tokens(self.text or self.refusal or "")


def compose(asked: ModelRequest, fault: Fault | None) -> ModelDraft:
    """The answer to one request."""
    prompt = read_prompt(asked.texts, asked.pictures)
    kind = fault.kind if fault else ""
    if kind == "refusal":
        return ModelDraft(refusal=_REFUSAL)
    if kind == "empty":
        return ModelDraft(text="")
    lie = fault.detail if fault and kind == "lying" else None
    if asked.schema is not None:
        value = think(asked.schema, prompt, lie)
        own = consider(asked.schema, prompt, lie)
        if own is not None and isinstance(value, dict):
            value |= own
        if kind == "wrong_schema":
            value = {"unexpected": [1, "two"], "note": "this object fits no schema"}
        text = json.dumps(value, ensure_ascii=False)
    elif lie is not None:
        text = "It is proved at https://invented.example/proof"
    else:
        text = _speak(prompt)
    if kind == "truncated":
        return ModelDraft(text=text[: len(text) // 2], tool=asked.tool, cut=True)
    return ModelDraft(text, asked.tool)


def _speak(prompt: Prompt) -> str:
    """Plain text: the cited sentences if there are passages, otherwise the question again."""
    said = [f"{d['text']} 【{_first_passage(d)}】" for d in write(prompt) if isinstance(d, dict)]
    return "\n".join(said) or f"The question was: {prompt.question}"


def _first_passage(draft: dict[str, Json]) -> Json:
    quotes = draft.get("quotes")
    first = quotes[0] if isinstance(quotes, list) and quotes else None
    return first.get("passage") if isinstance(first, dict) else None
