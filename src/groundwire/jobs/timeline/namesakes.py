"""Whether pages tell of two persons or firms of one name: groups that share the name, and neither words nor what it is; pure."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from groundwire.jobs.timeline.collection import Vector, cosine, unit
from groundwire.jobs.timeline.pages import words_of
from groundwire.language.text.characters import HAN, simplify
from groundwire.language.text.chinese import tagged
from groundwire.language.text.wording import is_han
from groundwire.model.source import Evidence

_FEWEST = 2  # pages of somebody, before they count
_ALIKE = 0.12  # from this likeness on, two pages tell of one
_TITLED = re.compile(r"^(?:Mr|Mrs|Ms|Dr|Sir|The|A|An|In|On|At|By|For|And|But|When|After|While|As)$")


@dataclass(frozen=True, slots=True)
class Namesake:
    """One of several of a name: what pages call it, and how many do."""

    called: str
    pages: int


def namesakes(evidence: Sequence[Evidence], topic: str) -> tuple[Namesake, ...]:
    """Return whom these pages tell of under a name, if they fall apart; nothing where they tell of one."""
    pages = [each for each in evidence if simplify(topic).lower() in _flat(each)]
    called = [Counter(_called(each, topic)) for each in pages]
    groups = _groups(called, _vectors(pages, topic))
    found = [
        Namesake(_commonest(called, group), len(group))
        for group in groups
        if sum(bool(called[n]) for n in group) >= _FEWEST
    ]
    return tuple(found) if len(found) > 1 else ()


def _flat(evidence: Evidence) -> str:
    return simplify(f"{evidence.document.title}\n{evidence.document.text}").lower()


def _called(evidence: Evidence, topic: str) -> Iterator[str]:
    """Yield what a page calls the bearer of a name: a fuller name, or a trade before or behind it."""
    text = f"{evidence.document.title}\n{evidence.document.text}".strip()
    if is_han(topic):
        yield from _called_in_chinese(text, topic)
        return
    name = re.escape(topic)
    for match in re.finditer(rf"\b([A-Z][\w'-]+) {name}\b", text):
        if not _TITLED.match(match[1]):
            yield f"{match[1]} {topic}"
    for match in re.finditer(
        rf"\b[Tt]he ([a-z][\w-]+) {name}\b|\b{name}, (?:an?|the) ([a-z][\w-]+)\b", text
    ):
        yield f"{match[1] or match[2]} {topic}"


def _called_in_chinese(text: str, topic: str) -> Iterator[str]:
    """Yield the noun right before each occurrence of a name: 歌手张三."""
    plain = simplify(text)
    shown = text if len(text) == len(plain) else plain  # as written, where places agree
    for match in re.finditer(re.escape(simplify(topic)), plain):
        before = re.search(f"[{HAN}]{{2,8}}$", shown[max(0, match.start() - 8) : match.start()])
        last = tagged(before.group())[-1:] if before else ()
        yield from (f"{word}{topic}" for word, tag in last if tag == "n" and len(word) > 1)


def _vectors(pages: Sequence[Evidence], topic: str) -> list[Vector]:
    own = frozenset(words_of(topic))
    words = [Counter(w for w in words_of(each.document.text) if w not in own) for each in pages]
    counts = Counter(word for each in words for word in each)
    return [
        unit({w: math.log1p(n) * math.log(1 + len(pages) / counts[w]) for w, n in each.items()})
        for each in words
    ]


def _groups(called: Sequence[Counter[str]], vectors: Sequence[Vector]) -> list[list[int]]:
    """Group pages that are alike or call somebody the same, over any number of steps."""
    # A trade has a capital where it begins a sentence.
    names = [{name.lower() for name in each} for each in called]
    left = list(range(len(called)))
    groups: list[list[int]] = []
    while left:
        group = [left.pop(0)]
        for one in group:
            near = [
                n
                for n in left
                if not names[n].isdisjoint(names[one]) or cosine(vectors[one], vectors[n]) >= _ALIKE
            ]
            group += near
            left = [n for n in left if n not in near]
        groups.append(group)
    return groups


def _commonest(called: Sequence[Counter[str]], group: Sequence[int]) -> str:
    total: Counter[str] = Counter()
    for n in group:
        total.update(called[n])
    return min(total, key=lambda name: (-total[name], name.swapcase()))  # small letters first
