"""The standing of what a clause tells: negated, denied, called false, retold, hedged, planned, asked, supposed.

Cues come from `data/cues.txt`. Each reaches over some words of its sentence, which get its mark.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from groundwire.language.data import lines_of
from groundwire.language.text.stems import stem

NEGATED, DENIED, FALSE, RETOLD, HEDGED, PLANNED, ASKED, SUPPOSED = (1 << n for n in range(8))
BITS = {
    "negates": NEGATED, "denies": DENIED, "false": FALSE, "retells": RETOLD, "hedges": HEDGED, "plans": PLANNED,
    "asks": ASKED, "supposes": SUPPOSED,
}  # fmt: skip
_BE = dict.fromkeys(("is", "are", "was", "were", "been"), "be") | dict.fromkeys(
    ("has", "had"), "have"
)
_NEGATING = "不没未无"
_CONTRASTING = frozenset({"rather", "instead", "而", "而不是", "而非", "other"})
_POSSIBLY = frozenset({"可能", "可能性", "嫌疑", "不小"})
_ANAPHOR = re.compile(
    r"(?:this|that|it|these|those|they|(?:the|such|our) (?:claims?|reports?|rumou?rs?|posts?|stor(?:y|ies)|statements?|allegations?|verdict|rating|truth|fact)"
    r"|rating|verdict|truth|fact|conclusion|ruling|no[,.])\b|(?:该|这一|这种|这则|这条|此|上述|以上|有关|相关)(?:说法|消息|传言|传闻|报道|信息|视频|图片|谣言|观点|言论|内容|论断|结论)|这(?:是|并|不|纯)|此(?:说|言|为|系)|(?:但|其实)?(?:真相|事实|实情|结论)(?:是|:|,)"
)
_QUESTION = re.compile(r"\?[\"')\]]*$|[吗呢]。?$")
_NUMBERED = re.compile(r"(?:N[oO]\.?|no\.) ?\d")  # "No. 1" counts, it denies nothing


@dataclass(frozen=True, slots=True)
class Cue:
    """A cue of one kind, with its first word and the first after it."""

    kind: str
    first: int
    last: int


@cache
def _lists() -> tuple[
    dict[str, list[tuple[tuple[str, ...], str]]], re.Pattern[str], dict[str, str]
]:
    """Read the cues: English phrases by first stem, longest first; one pattern for Chinese ones, and their kinds."""
    english: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    chinese: dict[str, str] = {}
    kind = ""
    for line in lines_of("groundwire.evidence.reading.data", "cues.txt"):
        if line.startswith("== "):
            kind = line.removeprefix("== ").strip()
            continue
        for phrase in filter(None, (part.strip() for part in line.split("|"))):
            if phrase.isascii():
                stems = tuple(
                    part if part == "n't" else _BE.get(part, stem(part))
                    for part in re.findall(r"n't|[a-z]+", phrase)
                )
                english.setdefault(stems[0], []).append((stems, kind))
            else:
                chinese.setdefault(phrase, kind)
    for phrases in english.values():
        phrases.sort(key=lambda item: -len(item[0]))
    pattern = "|".join(
        re.escape(word) for word in sorted(chinese, key=lambda word: (-len(word), word))
    )
    return english, re.compile(pattern), chinese


@cache
def _words(kind: str) -> frozenset[str]:
    """Read the words under one heading of the cues, such as "numerals", which say how far a cue reaches."""
    found: list[str] = []
    heading = ""
    for line in lines_of("groundwire.evidence.reading.data", "cues.txt"):
        if line.startswith("== "):
            heading = line.removeprefix("== ").strip()
        elif heading == kind:
            found.extend(stem(word) if word.isascii() else word for word in line.split("|"))
    return frozenset(found)


def cues_of(text: str, keys: Sequence[str], spans: Sequence[tuple[int, int]]) -> list[Cue]:
    """Find every cue of a sentence, in order; phrases of kind "none" hide the cues inside them."""
    english, pattern, chinese = _lists()
    found: list[Cue] = []
    done = 0
    for at, key in enumerate(keys):
        if at < done or (key == "no" and _NUMBERED.match(text, spans[at][0])):
            continue
        for phrase, kind in english.get(key, ()):
            if tuple(keys[at : at + len(phrase)]) == phrase:
                found.append(Cue(kind, at, at + len(phrase)))
                # A verb of saying may begin inside a frame; what negates does not begin twice.
                done = at + len(phrase)
                break
    if not text.isascii():
        found.extend(_chinese(text, keys, spans, pattern, chinese))
        found.sort(key=lambda cue: (cue.first, -cue.last))
    return [cue for cue in found if cue.kind != "none"]


def _chinese(
    text: str,
    keys: Sequence[str],
    spans: Sequence[tuple[int, int]],
    pattern: re.Pattern[str],
    chinese: dict[str, str],
) -> list[Cue]:
    found: list[Cue] = []
    starts = {span[0]: at for at, span in enumerate(spans)}
    inside = {place: at for at, (start, end) in enumerate(spans) for place in range(start, end)}
    for match in pattern.finditer(text):
        phrase, kind = match.group(), chinese[match.group()]
        at = inside.get(match.start())
        if at is None:
            continue
        # One character counts as a word of its own, or as the negation that a word begins with.
        if len(phrase) == 1 and keys[at] != phrase:
            if not (match.start() in starts and phrase in _NEGATING and len(keys[at]) < 4):
                continue
            if chinese.get(keys[at]) == "none":
                continue
        # A word that goes on behind the cue is what it speaks of: 未 of 未获批.
        last = inside.get(match.end() - 1, at)
        last += spans[last][1] <= match.end()
        # 不合法 is one word: what it negates is the word itself.
        found.append(Cue(kind, at, at if len(phrase) == 1 and keys[at] != phrase else last))
    return found


def marks_of(
    text: str,
    cues: Sequence[Cue],
    keys: Sequence[str],
    clauses: Sequence[int],
    weights: Sequence[float],
) -> list[int]:
    """Mark each word of a sentence with the cues that reach it."""
    size = len(clauses)
    marks = [0] * size
    for cue in cues:
        bit = BITS.get(cue.kind)
        if bit is None:
            continue
        for first, last in _reach(cue, keys, clauses, weights):
            for at in range(first, last):
                if bit == NEGATED:
                    marks[at] ^= bit
                else:
                    marks[at] |= bit
    if _QUESTION.search(text):
        marks = [mark | ASKED for mark in marks]
    return marks


def _reach(
    cue: Cue, keys: Sequence[str], clauses: Sequence[int], weights: Sequence[float]
) -> list[tuple[int, int]]:
    size = len(clauses)
    clause = clauses[min(cue.first, size - 1)]
    begin = next((at for at in range(size) if clauses[at] == clause), 0)
    end = next((at for at in range(cue.last, size) if clauses[at] > clause), size)
    after = any(weights[at] > 0.5 for at in range(cue.last, end))
    if (
        cue.kind == "negates"
        and begin == cue.first
        and clause > 0
        and cue.last < size
        and _counts(keys[cue.last])
    ):
        # "41, not 70 million of them": only what it counts is turned round.
        return [(cue.last, min(end, cue.last + 2))]
    if cue.kind == "negates" and keys[cue.first] in _CONTRASTING:
        return [(cue.last, min(end, cue.last + 3))]
    if cue.kind == "negates":
        return [(cue.last, end)] if after else [(begin, cue.first)]
    if cue.kind == "denies":
        # "denied that …" and 否认……的说法 take in all that follows; a bare object ends with its clause.
        if "that" in keys[cue.last : cue.last + 4] or keys[-1] in _words("tellings"):
            return [(cue.last, size)]
        return [(cue.last, end)] if after else [(0, cue.first)]
    if cue.kind == "false":
        # Called false is what stands before it, back to where it is told; "it is false that …" has nothing there.
        if not any(weights[at] > 0.5 for at in range(cue.first)):
            return [(cue.last, size)]
        alone = not any(
            weights[at] > 0.5 for at in range(begin, end) if not cue.first <= at < cue.last
        )
        from_start = alone or any(key in _words("tellings") for key in keys[: cue.first])
        if cue.last < size and (keys[cue.last] in _words("tellings") or keys[cue.last] == "that"):
            return [(0 if from_start else begin, cue.first), (cue.last, size)]
        return [(0 if from_start else begin, cue.first), (cue.last, end)]
    if cue.kind in ("retells", "asks"):
        after = any(weights[at] > 0.5 for at in range(cue.last, size))
        return [(cue.last, size)] if after else [(0, cue.first)]
    if cue.kind == "plans":
        return [(cue.last, end)]
    alone = not any(weights[at] > 0.5 for at in range(begin, end) if not cue.first <= at < cue.last)
    if alone or keys[-1] in _POSSIBLY:
        return [(0, size)]
    # At the head of a sentence it is said of all of it.
    return [(begin, size if cue.first <= 3 and clause == 0 else end)]


def _counts(key: str) -> bool:
    return key[:1].isdigit() or key in _words("numerals")


def refers_back(text: str) -> bool:
    """Tell whether a clause refers to what was just said: "This is false", 经核实,该说法不实."""
    return any(
        _ANAPHOR.match(clause.lstrip("\"'( ")) for clause in re.split(r"[,:;]", text.lower())
    )
