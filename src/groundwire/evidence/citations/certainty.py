"""Whether a quote is as sure of what a sentence states."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from groundwire.evidence.citations.acts import CONTENT, acts_of
from groundwire.evidence.citations.parties import names_in
from groundwire.evidence.citations.problems import Findings, problem
from groundwire.evidence.reading.alignment import Alignment, Claim, Link
from groundwire.evidence.reading.analysis import Sentence
from groundwire.evidence.reading.standing import ASKED, HEDGED, PLANNED, RETOLD, SUPPOSED
from groundwire.language.text.stems import base

_UNSURE = HEDGED | PLANNED | SUPPOSED | RETOLD | ASKED
_NEAR = 14  # characters from 已 to its act
_MUCH = 0.4
_FEARED = re.compile(r"\b(?:fear|worr|warn|hope)\w*|担心|担忧|忧虑|警告|希望")
_PROMISES = re.compile(
    r"\bthreaten(?:ed|s|ing)? to\b|\bsubject to\b|\bawait(?:s|ing|ed)?\b|\bpending\b|\bstill needs?\b"
)
_PROMISING = frozenset({"会", "尚待", "有待", "可望", "尚需", "仍需", "还需", "需"})
_SOFT = frozenset(
    {"estimat", "估计", "预估", "初步", "大约", "应该", "expect", "suggest", "find", "preliminary"}
)


def check_certainty(claim: Claim, laid: Sequence[Alignment], found: Findings) -> None:
    """Whether the quote only plans, supposes, asks or retells what the sentence states, or has done what it plans."""
    mine = claim.sentence
    cues = {cue.kind for cue in mine.cues}
    if any(
        mine.marks[link.claim] & PLANNED
        and not each.sentence.marks[link.at] & _UNSURE
        and _is_perfect(each.sentence, link.at)
        for each in laid
        for link in each.links
        if claim.sought[link.claim].weight > CONTENT
    ):
        found.problems.append(problem("uncertain"))
        return
    if cues & {"hedges", "supposes", "retells", "asks"}:
        return
    unsure = _UNSURE & ~PLANNED if "plans" in cues else _UNSURE
    if _FEARED.search(mine.low):
        return
    acts = set(acts_of(mine))
    for alignment in laid:
        theirs = alignment.sentence
        if "denies" in cues and any(cue.kind == "denies" for cue in theirs.cues):
            continue
        marks = _marks(theirs)
        for clause in sorted({word.clause for word in mine.words}):
            links = [
                link
                for link in alignment.links
                if claim.sought[link.claim].weight > CONTENT
                and mine.words[link.claim].clause == clause
            ]
            name = _unsure_of(claim, links, marks, unsure, acts, soft=_is_soft(theirs))
            if name == "question" and "negates" in cues:
                continue
            listed = found.doubts if name == "doubt" else found.problems
            said = problem("question" if name == "question" else "uncertain")
            if name and said not in listed:
                listed.append(said)


def _unsure_of(
    claim: Claim,
    links: Sequence[Link],
    marks: Sequence[int],
    unsure: int,
    acts: Collection[int],
    *,
    soft: bool,
) -> str:
    """How a quote is less sure of one clause than the sentence: "question", "uncertain", "doubt" or not at all."""
    weights = {link.claim: claim.sought[link.claim].weight for link in links}
    total = sum(weights.values())
    if (
        total
        and sum(weights[link.claim] for link in links if marks[link.at] & ASKED) >= _MUCH * total
    ):
        return "question"
    flagged = [link for link in links if marks[link.at] & unsure & ~ASKED]
    stated = [link for link in links if link.claim in acts]
    done = any(_is_done(claim.sentence, link.claim) for link in flagged)
    if not flagged or (stated and not done and not any(link in flagged for link in stated)):
        return ""
    if not done and sum(weights[link.claim] for link in flagged) < _MUCH * total:
        return ""
    planned = all(not marks[link.at] & unsure & ~PLANNED & ~ASKED for link in flagged)
    return "doubt" if not done and (soft or planned) else "uncertain"


def _is_done(sentence: Sentence, at: int) -> bool:
    """Whether an act is told as done: in the past, or with 已."""
    word = sentence.words[at]
    written = sentence.low[word.start : word.end]
    if written.isascii():
        return written.endswith("ed") or base(written) != written
    return any(
        other.clause == word.clause
        and (
            (other.key[:1] == "已" and 0 < word.start - other.start <= _NEAR)
            or (other.key == "了" and 0 <= other.start - word.end <= 2)
        )
        for other in sentence.words
    )


def _is_perfect(sentence: Sentence, at: int) -> bool:
    """Whether an act is told as done by now: "has required", 已批准."""
    word = sentence.words[at]
    if not word.key.isascii():
        return _is_done(sentence, at)
    before = [other.key for other in sentence.words[max(0, at - 2) : at]]
    return "have" in before and sentence.low[word.start : word.end].endswith("ed")


def _is_soft(sentence: Sentence) -> bool:
    """Whether it only gives an estimate or an expectation, which is a statement of its kind."""
    return all(
        sentence.words[min(cue.first, len(sentence.words) - 1)].key in _SOFT
        for cue in sentence.cues
        if cue.kind in ("hedges", "plans", "supposes", "retells")
    )


def _marks(sentence: Sentence) -> list[int]:
    """Marks of words without those of "may not", which forbids, and with those of 会 and 尚待, which promise."""
    marks = list(sentence.marks)
    words, low = sentence.words, sentence.low
    if "may not" in low:
        marks = [mark & ~HEDGED for mark in marks]
    named = names_in(sentence.text)
    promising = [
        word
        for word in words
        if word.key in _PROMISING and not any(n.start <= word.start < n.end for n in named)
    ]
    promising.extend(
        word for word in words for match in _PROMISES.finditer(low) if word.start == match.start()
    )
    for promise in promising:
        for at, word in enumerate(words):
            if word.clause == promise.clause and word.start > promise.start:
                marks[at] |= PLANNED
    return marks
