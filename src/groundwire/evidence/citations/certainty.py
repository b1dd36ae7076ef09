"""Whether a quote is as certain as the sentence that cites it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from groundwire.evidence.citations.parties import names_in
from groundwire.evidence.citations.problems import Findings, problem
from groundwire.evidence.citations.verbs import CONTENT, main_verbs
from groundwire.evidence.reading.alignment import Alignment, Claim, Link
from groundwire.evidence.reading.analysis import Sentence
from groundwire.evidence.reading.standing import ASKED, HEDGED, PLANNED, RETOLD, SUPPOSED
from groundwire.language.text.stems import base

_UNSURE = HEDGED | PLANNED | SUPPOSED | RETOLD | ASKED
_NEAR = 14  # characters from 已 to its verb
_MUCH = 0.4
_PROMISING = frozenset({"会", "尚待", "有待", "可望", "尚需", "仍需", "还需", "需"})


def check_certainty(claim: Claim, alignments: Sequence[Alignment], findings: Findings) -> None:
    """Note where the quote is less sure than the sentence, or has done what the sentence plans."""
    claimed = claim.sentence
    cues = {cue.kind for cue in claimed.cues}
    if any(
        claimed.marks[link.claim] & PLANNED
        and not each.sentence.marks[link.at] & _UNSURE
        and _is_perfect(each.sentence, link.at)
        for each in alignments
        for link in each.links
        if claim.sought[link.claim].weight > CONTENT
    ):
        findings.problems.append(problem("uncertain"))
        return
    if cues & {"hedges", "supposes", "retells", "asks"}:
        return
    unsure = _UNSURE & ~PLANNED if "plans" in cues else _UNSURE
    verbs = set(main_verbs(claimed))
    for alignment in alignments:
        quoted = alignment.sentence
        if "denies" in cues and any(cue.kind == "denies" for cue in quoted.cues):
            continue
        marks = _marks(quoted)
        for clause in sorted({word.clause for word in claimed.words}):
            links = [
                link
                for link in alignment.links
                if claim.sought[link.claim].weight > CONTENT
                and claimed.words[link.claim].clause == clause
            ]
            doubt = _doubt_of(claim, links, marks, unsure, verbs)
            if doubt == "question" and "negates" in cues:
                continue
            listing = findings.doubts if doubt == "doubt" else findings.problems
            finding = problem("question" if doubt == "question" else "uncertain")
            if doubt and finding not in listing:
                listing.append(finding)


def _doubt_of(
    claim: Claim,
    links: Sequence[Link],
    marks: Sequence[int],
    unsure: int,
    verbs: Collection[int],
) -> str:
    """Say how a quote doubts one clause: "question", "uncertain", "doubt" or "" for not at all."""
    weights = {link.claim: claim.sought[link.claim].weight for link in links}
    total = sum(weights.values())
    if (
        total
        and sum(weights[link.claim] for link in links if marks[link.at] & ASKED) >= _MUCH * total
    ):
        return "question"
    flagged = [link for link in links if marks[link.at] & unsure & ~ASKED]
    stated = [link for link in links if link.claim in verbs]
    done = any(_is_done(claim.sentence, link.claim) for link in flagged)
    if not flagged or (stated and not done and not any(link in flagged for link in stated)):
        return ""
    if not done and sum(weights[link.claim] for link in flagged) < _MUCH * total:
        return ""
    planned = all(not marks[link.at] & unsure & ~PLANNED & ~ASKED for link in flagged)
    return "doubt" if not done and planned else "uncertain"


def _is_done(sentence: Sentence, at: int) -> bool:
    """Tell whether an act is reported as done: in the past tense, or with 已."""
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
    """Tell whether an act is reported as done by now: "has required", 已批准."""
    word = sentence.words[at]
    if not word.key.isascii():
        return _is_done(sentence, at)
    before = [other.key for other in sentence.words[max(0, at - 2) : at]]
    return "have" in before and sentence.low[word.start : word.end].endswith("ed")


def _marks(sentence: Sentence) -> list[int]:
    """Mark the words, "may not" as no hedge (it forbids), 会 and 尚待 as plans (they promise)."""
    marks = list(sentence.marks)
    words, low = sentence.words, sentence.low
    if "may not" in low:
        marks = [mark & ~HEDGED for mark in marks]
    names = names_in(sentence.text)
    promising = [
        word
        for word in words
        if word.key in _PROMISING and not any(n.start <= word.start < n.end for n in names)
    ]
    for promise in promising:
        for at, word in enumerate(words):
            if word.clause == promise.clause and word.start > promise.start:
                marks[at] |= PLANNED
    return marks
