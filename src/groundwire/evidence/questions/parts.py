"""The parts of a question that asks for several things, each as the person wrote it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from groundwire.evidence.questions.completion import complete
from groundwire.evidence.questions.facets import asks
from groundwire.evidence.questions.intent import LONGEST
from groundwire.language.text.characters import normalise
from groundwire.language.text.wording import is_han

# A question mark or a semicolon ends a part; a comma or "and" may join two: "when, and for how much".
_JOINTS = re.compile(
    r"[?？;；]+\s*(?:[（(][^（）()]*[）)]\s*)?|,?\s+and\s+(?=\S)|，?(?:以及|而且|并且|和(?=谁|何|多少|为什么))|[,，、]\s*",
    re.IGNORECASE,
)
_HARD = re.compile(r"[?？;；]")
_AND = re.compile(r"\band\b", re.IGNORECASE)
_INVERTED = re.compile(
    r"^\W*(?:wh\w+|how(?: \w+)?) (?:did|do|does|is|are|was|were|has|have|had|can|could|will|would|should)\b",
    re.IGNORECASE,
)
_ASKS_ON = re.compile(r"(?:what|when|where|who|whom|why|how|which)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class AskedPart:
    """One thing that a question asks for, as it is written, and as a question that stands alone."""

    text: str
    alone: str


@lru_cache(maxsize=256)
def asked_parts(question: str) -> tuple[AskedPart, ...]:
    """Split a question, each later part completed by what the first one is about."""
    first, *others = question_parts(question)
    if not others:
        return (AskedPart(question, question),)
    rest = (AskedPart(each, complete(each, first, one_breath=True)) for each in others)
    return (AskedPart(first, first), *rest)


@lru_cache(maxsize=256)
def question_parts(question: str) -> tuple[str, ...]:
    """Split a question where two pieces ask for something each; one part where it asks for one thing."""
    normal = normalise(question[:LONGEST])
    text = normal.text
    cuts: list[int] = []
    start = 0
    for joint in _JOINTS.finditer(text):
        before, after = text[start : joint.start()], text[joint.end() :]
        upcoming = _JOINTS.split(after, maxsplit=1)[0]
        if not (asks(before) and (asks(upcoming) or (_HARD.search(joint.group()) and asks(after)))):
            continue
        # "When it fell, who sold?" asks one thing; "what did they say, how much was lost, and who knew?" asks three.
        if (
            is_han(before)
            or _HARD.search(joint.group())
            or _AND.search(joint.group())
            or (_INVERTED.search(before) and _AND.search(after) and _ASKS_ON.match(after))
        ):
            cuts.append(joint.end())
            start = joint.end()
    found: list[str] = []
    for begin, end in zip([0, *cuts], [*cuts, len(text)], strict=True):
        first, last = normal.original(begin, end)
        piece = question[first:last].strip().strip(",，、；; ")
        piece = re.sub(r"[,，]?\s*(?:\band|以及|而且|并且|並且|和)\s*$", "", piece)
        if piece:
            found.append(piece)
    return tuple(found) or (question.strip(),)
