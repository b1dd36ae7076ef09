"""The sentences that likely hold the answer, each quoted whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from groundwire.evidence.questions.candidates import Candidate
from groundwire.evidence.questions.coverage import named_things
from groundwire.evidence.questions.intent import Intent
from groundwire.evidence.questions.quotable import refers_back
from groundwire.jobs.ask.directness import NARROW, is_about
from groundwire.jobs.ask.parts import gives
from groundwire.jobs.ask.ranking import likelihoods
from groundwire.language.text.sentences import sentences

# Of holding the answer: at all, beside the likeliest, about as likely, shown without a rule's answer and with one.
_LIKELY, _NEARLY, _AS_LIKELY, _DOUBTFUL, _UNLIKELY = 0.06, 0.15, 0.75, 0.18, 0.3
_MOST, _BESIDE = 4, 3  # sentences of an answer without a direct one, and added to those of rules
_LONGEST_QUOTE = 420
_LONGEST = {"zh": 180, "en": 420}  # characters of an answer that is told on
_TOLD_ON = 2  # sentences, at most
_ENDS = ("。", "！", "？", ".", "!", "?")


class Chances:
    """How likely each sentence holds the answer, and which of them may be shown for it."""

    def __init__(
        self,
        question: str,
        intent: Intent,
        candidates: Sequence[Candidate],
        vouched: Sequence[Candidate],
        own_language: str,
    ) -> None:
        # A yes or no needs a sentence that settles it, not one that may be about it.
        self._settles = "whether" in intent.facets
        self._broad = not frozenset(intent.facets) & frozenset(NARROW)
        self.intent, self._candidates = intent, candidates
        likely = likelihoods(question, intent, candidates)
        self._known = {_place(each): found for each, found in zip(candidates, likely, strict=True)}
        best = max(
            (self.of(each) for each in vouched if self._known[_place(each)].telling), default=0.0
        )
        found = [
            each
            for each in vouched
            if self.of(each) >= max(_LIKELY, _NEARLY * best)
            and self._known[_place(each)].telling
            and each.language == own_language
            and is_about(intent, each)
        ]
        found.sort(key=lambda each: -self.of(each))
        self.likeliest = [] if self._settles else found

    def of(self, candidate: Candidate) -> float:
        """Return the chance of a sentence, also where its quote has grown since."""
        return self._known[_place(candidate)].chance

    def beside(self, chosen: Sequence[Candidate], direct: bool) -> list[Candidate]:
        """List what to show beside chosen sentences: of a direct answer, what is about as likely as it."""
        found = self.likeliest
        if direct and found and any(each is found[0] for each in chosen):
            found = [each for each in found if self.of(each) >= _AS_LIKELY * self.of(found[0])]
        room = max(_BESIDE, _MOST - len(chosen))
        return [each for each in found[:room] if not any(each is other for other in chosen)]

    def doubtful(self, shown: Sequence[Candidate], direct: bool) -> bool:
        """Tell whether none of these is likely enough to be shown for an answer.

        Where a rule finds a value by the words of the question, yet hardly anything else of it, the
        value is mostly that of something else; without one a likely sentence is all there is.
        """
        least = _UNLIKELY if direct else _DOUBTFUL
        return not self._settles and max(map(self.of, shown), default=0.0) < least

    def told_on(self, candidate: Candidate) -> Candidate:
        """Let the answer to a broad question run on."""
        if not self._broad:
            return candidate
        return told_on(self.intent, candidate, self._candidates)


def _place(candidate: Candidate) -> tuple[str, int]:
    return candidate.passage.passage_id, candidate.order


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
    end = start + len(candidate.text)
    for stop in range(end, min(len(page), start + _LONGEST_QUOTE) + 1):
        if _ends(page, start, stop):
            return replace(candidate, text=page[start:stop])
        if page[stop : stop + 1] == "\n":
            break
    return candidate


def _ends(page: str, start: int, stop: int) -> bool:
    """Tell whether a sentence ends here: not in or at the end of a quotation in it, nor between the digits of 2.60."""
    text = page[start:stop]
    if text.endswith(".") and page[stop : stop + 1].isalnum():
        return False
    opened = text.count("“") + text.count("「")
    return text.rstrip("”」 ").endswith(_ENDS) and opened <= text.count("”") + text.count("」")


def told_on(intent: Intent, first: Candidate, candidates: Sequence[Candidate]) -> Candidate:
    """Extend the answer to a broad question by what its page says on: sentences without a subject of their own.

    What something is, how it went or why is seldom told in one sentence: "It causes damage to the liver. Signs are …".
    """
    page = first.passage.text
    start = page.find(first.text)
    if start < 0:
        return first
    end = start + len(first.text)
    named = frozenset(n for n, term in enumerate(intent.terms) if term.kind == "name")
    here = [each for each in candidates if each.passage.passage_id == first.passage.passage_id]
    for _ in range(_TOLD_ON):
        at = end + len(page[end:]) - len(page[end:].lstrip(" \u3000"))
        following = next((each for each in here if page.startswith(each.text, at)), None)
        if following is None or following.own & named:
            break
        stop = at + len(whole(following).text)
        if stop - start > _LONGEST[first.language]:
            break
        end = stop
    return replace(first, text=page[start:end])


def opened(intent: Intent, first: Candidate) -> tuple[Candidate, ...]:
    """Split a quote that runs on: the one sentence that answers opens, the others follow it.

    A sentence that says nothing without the one before it is left with it, and a quote whose
    sentences answer only together is left whole, as is the answer to a broad question: it runs on.
    """
    spans = _full(first.text)
    if len(spans) < 2 or not frozenset(intent.facets) & frozenset(NARROW):
        return (first,)
    pieces = [first.text[start:end].strip() for start, end in spans]
    telling = [_tells(intent, each, first.text) for each in pieces]
    at = telling.index(max(telling))
    if not telling[at][0] or (at and refers_back(pieces[at])):
        return (first,)
    start, end = spans[at]
    before, after = first.text[:start].strip(), first.text[end:].strip()
    rest = (each for each in (after, before) if each)
    return (replace(first, text=pieces[at]), *(replace(first, text=each) for each in rest))


def _full(text: str) -> list[tuple[int, int]]:
    """Return where its sentences stand, not parted at a semicolon."""
    found: list[tuple[int, int]] = []
    for start, end in sentences(text):
        if found and not text[slice(*found[-1])].rstrip("”」 ").endswith(_ENDS):
            start = found.pop()[0]
        found.append((start, end))
    return found


def _tells(intent: Intent, text: str, around: str) -> tuple[int, float]:
    """Rate how much of what is asked a sentence gives, then what it names of the question."""
    given = sum(gives(intent, facet, text, around) for facet in intent.facets)
    named = named_things(text).matched(intent)
    return given, sum(intent.terms[n].weight for n in sorted(named))


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
