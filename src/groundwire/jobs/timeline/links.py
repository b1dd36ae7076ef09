"""Links between events, only where a sentence says in words that one brought about, enabled or answered another; pure.

The words divide a sentence (or two that follow each other) into what was the cause and what came of it. An end is an
event only if that part tells it: it names the day of the event and something of it, or says most of its title. What a
model finds is kept where its words tell of both events and nothing in them is denied, doubted or handed on.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from groundwire.evidence.reading.reader import Reading, claim_of, read
from groundwire.gather.weighing import sentence_of
from groundwire.jobs.timeline.acts import has_act
from groundwire.jobs.timeline.causes import Caused, Part, causes_in, is_unsaid, plainly_told
from groundwire.jobs.timeline.entries import check_quotes
from groundwire.jobs.timeline.pages import Account, Page, page_of, words_of
from groundwire.jobs.timeline.result import Link, Node, Relation
from groundwire.jobs.timeline.stated import Stated
from groundwire.model.source import Evidence

_COVERED = 0.5  # of what a part says, where no day says which event it is
_TITLE = 0.6  # of a title
_AHEAD = 1.3  # times what is said of the next event
_WORDS = 2  # of an event besides its topic, where no day says which it is
_SAME = 0.4


def links_of(
    nodes: Sequence[Node], evidence: Sequence[Evidence], topic: Sequence[str]
) -> tuple[Link, ...]:
    """Find the links that the sources of these events state, each once, in the order of their causes."""
    ends = _Ends(nodes, frozenset(word for each in topic for word in words_of(each)))
    cited = {name for each in nodes for name in each.citations}
    held = {each.id: each for each in evidence}
    found: dict[tuple[str, str], Link] = {}
    for page in [page_of(each) for each in evidence if each.id in cited]:
        for said in causes_in(page):
            cause, effect = ends.told_by(said.cause), ends.told_by(said.effect)
            if cause is None or effect is None or cause.id == effect.id:
                continue
            if cause.interval.begin > effect.interval.end:
                continue
            link = _link(said, cause, effect, held)
            if link is not None:
                found.setdefault((cause.id, effect.id), link)
    order = {each.id: place for place, each in enumerate(nodes)}
    return tuple(sorted(found.values(), key=lambda one: (order[one.source], order[one.target])))


def explained(
    nodes: Sequence[Node], evidence: Sequence[Evidence], topic: Sequence[str]
) -> frozenset[str]:
    """Return the ids of events of which a source says what brought them about, an event of the history or not."""
    ends = _Ends(nodes, frozenset(word for each in topic for word in words_of(each)))
    cited = {name for each in nodes for name in each.citations}
    pages = [page_of(each) for each in evidence if each.id in cited]
    effects = (ends.told_by(said.effect) for page in pages for said in causes_in(page))
    return frozenset(each.id for each in effects if each is not None)


def _link(said: Caused, cause: Node, effect: Node, held: Mapping[str, Evidence]) -> Link | None:
    evidence = said.cause.page.evidence
    checked = check_quotes([(evidence, said.start, said.end)])
    if checked.result == "unsupported":
        return None
    answers = said.relation == "responded_to"  # who answers is the source
    source, target = (effect, cause) if answers else (cause, effect)
    sentence = sentence_of(checked, held.values(), None)
    return Link(source=source.id, target=target.id, relation=said.relation, sentence=sentence)


class _Ends:
    """Events, of which a part of a sentence may tell one: by its day, by its acts and names."""

    def __init__(self, nodes: Sequence[Node], common: frozenset[str]) -> None:
        told = [each for each in nodes if each.description]
        self._nodes = [(each, _words_of(each) - common) for each in told]
        self._common = common
        held = Counter(word for _, words in self._nodes for word in words)
        self._worth = {word: math.log(1 + len(told) / count) for word, count in held.items()}

    def told_by(self, part: Part) -> Node | None:
        """Return the event that a part tells best; None where it tells none, or may tell several."""
        words = frozenset(words_of(_without_times(part.text, part.times))) - self._common
        words = frozenset(each for each in words if not each.isdigit())
        named = [(each, own) for each, own in self._nodes if _names(part, each)]
        if any(words & own for _, own in named):
            return self._best(words, named, 1.0)
        # In other words of the same act: the suspension, was suspended.
        same = [each for each, _ in named if self._same(part, each) >= _SAME]
        if len(same) == 1 == len(named):
            return same[0]
        if any(each.day is not None for each in part.times):
            return None  # what it tells was on another day
        likely = [(each, own) for each, own in self._nodes if self._is_told(part, words, own, each)]
        return self._best(words, likely, _AHEAD)

    def _best(
        self, words: frozenset[str], nodes: Sequence[tuple[Node, frozenset[str]]], ahead: float
    ) -> Node | None:
        """Return the event of which most is said, where it is ahead of the next."""
        rated = sorted(
            ((self._weight(words & own), self._focus(words, each), each) for each, own in nodes),
            key=lambda one: (-one[0], -one[1]),
        )
        if not rated or not rated[0][1]:
            return None
        if len(rated) == 1:
            return rated[0][2]
        (most, focus, best), (next_most, next_focus, _) = rated[:2]
        sure = most > ahead * next_most or (most >= ahead * next_most and focus > next_focus)
        return best if sure else None

    def _weight(self, shared: Iterable[str]) -> float:
        return math.fsum(self._worth[each] for each in sorted(shared))

    def _focus(self, words: frozenset[str], node: Node) -> float:
        """Return how much of its title is shared: what only mentions the matter in passing is called otherwise."""
        title = frozenset(words_of(node.title)) - self._common
        return len(words & title) / len(title) if title else 0.0

    def _is_told(self, part: Part, words: frozenset[str], own: frozenset[str], node: Node) -> bool:
        """Tell whether a part that names no day tells an event: its act, and most of what the part says."""
        shared = words & own
        if shared and shared == words and has_act(shared):
            return True  # "the fire at the mill": it says nothing else
        title = frozenset(words_of(node.title)) - self._common
        if len(shared) < _WORDS or self._same(part, node) < _SAME:
            return False
        acts = has_act(shared) and len(shared) >= _COVERED * len(words)
        return acts or (bool(title) and self._read(part, node).seen["covered_content"] >= _TITLE)

    def _same(self, part: Part, node: Node) -> float:
        return self._read(part, node).same

    def _read(self, part: Part, node: Node) -> Reading:
        return read(claim_of(node.title), part.text, published=part.page.day)


def _names(part: Part, node: Node) -> bool:
    return _is_named(node, part.times)


def _is_named(node: Node, times: Sequence[Stated]) -> bool:
    day = node.interval.begin if node.precision == "day" else None
    return day is not None and any(each.day == day for each in times)


def _without_times(text: str, times: Sequence[Stated]) -> str:
    """Leave out the words of a date: that two sentences name a third day makes nothing one."""
    for each in times:
        text = text.replace(each.text, " ")
    return text


def _words_of(node: Node) -> frozenset[str]:
    """Return the words by which an event is told, here and in the pages that tell the same."""
    cited = (c for said in node.description[:1] for c in said.citations)
    quotes = {each.quote for each in (*cited, *node.told_by)}
    return _told(node) | frozenset(word for text in sorted(quotes) for word in words_of(text))


def _told(node: Node) -> frozenset[str]:
    texts = (node.title, *(each.text for each in node.description))
    return frozenset(word for text in texts for word in words_of(text))


def joining(
    nodes: Sequence[Node], evidence: Sequence[Evidence], most: int
) -> Iterator[tuple[Evidence, int]]:
    """Yield where cited pages may join events: words that link first, then sentences that name two of their days."""
    cited = {name for each in nodes for name in each.citations}
    rated: list[tuple[bool, int, Account]] = []
    for page in [page_of(each) for each in evidence if each.id in cited]:
        linking = {each.start for each in causes_in(page)}
        for account in page.accounts:
            named = sum(_is_named(each, account.times) for each in nodes)
            if account.start in linking or named > 1:
                rated.append((account.start in linking, named, account))
    rated.sort(key=lambda one: (not one[0], -one[1]))
    seen: set[str] = set()
    for _, _, account in rated:
        held = account.page.evidence
        inside = next(p.id for p in held.passages if p.start <= account.start < p.end)
        if inside not in seen and len(seen) < most:
            seen.add(inside)
            yield held, account.start


# --- what a model finds ------------------------------------------------------------------------


class Found(NamedTuple):
    """Two events that a model joins, and the place of the words by which it does."""

    cause: Node
    effect: Node
    relation: Relation
    evidence: Evidence
    start: int
    end: int


def standing(
    found: Found, topic: Sequence[str], held: Mapping[str, Evidence], *, cued: bool
) -> Link | None:
    """Keep a link whose words tell of both events, in an order that time allows; `cued`: in words of cause only."""
    cause, effect = found.cause, found.effect
    if cause.id == effect.id or cause.interval.begin > effect.interval.end:
        return None
    if not (cause.description and effect.description):
        return None
    page = page_of(found.evidence)
    quoted = [each for each in page.accounts if each.start < found.end and found.start < each.end]
    said = [each for each in causes_in(page) if each.start < found.end and found.start < each.end]
    if not quoted or not (said or (not cued and not any(is_unsaid(e.text) for e in quoted))):
        return None
    common = frozenset(word for each in topic for word in words_of(each))
    if not _tell_both(page, quoted, cause, effect, common):
        return None
    checked = check_quotes([(found.evidence, quoted[0].start, quoted[-1].end)])
    if checked.result == "unsupported":
        return None
    answers = found.relation == "responded_to"
    source, target = (effect, cause) if answers else (cause, effect)
    sentence = sentence_of(checked, held.values(), None)
    return Link(source=source.id, target=target.id, relation=found.relation, sentence=sentence)


def _tell_both(
    page: Page, quoted: Sequence[Account], cause: Node, effect: Node, common: frozenset[str]
) -> bool:
    """Tell whether a quote and the sentence before it name both events, each by what is its own."""
    before = [each for each in page.accounts if each.order == quoted[0].order - 1]
    around = [*before, *quoted]
    times = [when for each in around for when in each.times]
    told = " ".join(_without_times(each.text, each.times) for each in around)
    words = frozenset(words_of(plainly_told(told)))
    one, other = (_told(each) - common for each in (cause, effect))
    apart = cause.interval != effect.interval

    def tells(node: Node, whole: frozenset[str], own: frozenset[str]) -> bool:
        if apart and _is_named(node, times):
            return bool(words & whole)
        return bool(own) and len(words & own) >= min(len(own), _WORDS)

    return tells(cause, one, one - other) and tells(effect, other, other - one)
