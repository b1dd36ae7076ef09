"""The sentences that likely hold the answer, each quoted whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from groundwire.evidence.questions.candidates import Candidate
from groundwire.evidence.questions.intent import Intent
from groundwire.jobs.ask.directness import is_about
from groundwire.jobs.ask.ranking import likelihoods

_LIKELY, _NEARLY = 0.06, 0.15  # of holding the answer: at all, and beside the likeliest
_LONGEST_QUOTE = 420
_ENDS = ("。", "！", "？", ".", "!", "?", "”", "」")


def likeliest(
    question: str,
    intent: Intent,
    candidates: Sequence[Candidate],
    vouched: Sequence[Candidate],
    own_language: str,
) -> list[Candidate]:
    """List the sentences that likely hold the answer, the likeliest first."""
    # A yes or no needs a sentence that settles it, not one that is likely about it.
    if "whether" in intent.facets:
        return []
    likely = likelihoods(question, intent, candidates)
    chances = {id(each): chance for each, chance in zip(candidates, likely, strict=True)}
    best = max((chances[id(each)] for each in vouched), default=0.0)
    found = [
        each
        for each in vouched
        if chances[id(each)] >= max(_LIKELY, _NEARLY * best)
        and each.language == own_language
        and is_about(intent, each)
    ]
    return sorted(found, key=lambda each: -chances[id(each)])


def joined(found: Sequence[Candidate]) -> list[Candidate]:
    """Quote each to the end of its sentence, and neighbours as one stretch, where the first of them stands."""
    joined: list[Candidate] = []
    for each in map(whole, found):
        for n, other in enumerate(joined):
            if stretch := _stretch(other, each):
                joined[n] = stretch
                break
        else:
            joined.append(each)
    return joined


def whole(candidate: Candidate) -> Candidate:
    """Extend what ends at a semicolon or inside a quotation to the end of its sentence."""
    page = candidate.passage.text
    start = page.find(candidate.text)
    if start < 0:
        return candidate
    end = stop = start + len(candidate.text)
    while stop < len(page) and page[stop] != "\n" and stop - start < _LONGEST_QUOTE:
        text = page[start:stop]
        if text.rstrip().endswith(_ENDS) and text.count("“") + text.count("「") <= text.count(
            "”"
        ) + text.count("」"):
            end = stop
            break
        stop += 1
    return replace(candidate, text=page[start:end]) if end > start else candidate


def _stretch(one: Candidate, other: Candidate) -> Candidate | None:
    """Join two sentences of one passage, if nothing stands between them and both together are not long."""
    if one.passage.passage_id != other.passage.passage_id:
        return None
    page = one.passage.text
    spans = sorted((page.find(each.text), len(each.text)) for each in (one, other))
    (start, size), (after, length) = spans
    if start < 0 or page[start + size : after].strip() or "\n" in page[start : after + length]:
        return None
    if after + length - start > _LONGEST_QUOTE:
        return None
    return replace(one, text=page[start : after + length])
