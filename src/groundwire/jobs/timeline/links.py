"""Links between events, only where a sentence says in words that one brought about, enabled or answered another; pure.

The words divide a sentence (or two that follow each other) into what was the cause and what came of it. An end is an
event only if that part tells it: it names the day of the event and something of it, or says most of its title.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from groundwire.evidence.reading.reader import claim_of, read
from groundwire.gather.weighing import sentence_of
from groundwire.jobs.timeline.causes import Caused, Part, causes_in
from groundwire.jobs.timeline.entries import check_quotes
from groundwire.jobs.timeline.pages import page_of, words_of
from groundwire.jobs.timeline.result import Link, Node
from groundwire.model.source import Evidence

_COVERED, _WORDS = (
    0.6,
    2,
)  # of a title, and how many of its words, where no day says which event it is
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
    """Events, of which a part of a sentence may tell one."""

    def __init__(self, nodes: Sequence[Node], common: frozenset[str]) -> None:
        self._nodes = [
            (each, frozenset(words_of(f"{each.title} {each.description[0].text}")) - common)
            for each in nodes
            if each.description
        ]
        self._common = common

    def told_by(self, part: Part) -> Node | None:
        """Return the event that a part tells; None where it tells none, or may tell several."""
        words = frozenset(words_of(part.text)) - self._common
        if len(words) < _WORDS:
            return None
        by_day = [n for n, own in self._nodes if _names(part, n) and words & own]
        if by_day:
            return by_day[0] if len(by_day) == 1 else None
        if any(each.day is not None for each in part.times):
            return None  # what it tells was on another day
        rated = sorted(
            ((self._rate(part, node), node) for node, _ in self._nodes), key=lambda one: -one[0]
        )
        best = [node for rate, node in rated if rate >= _COVERED]
        return best[0] if len(best) == 1 else None

    def _rate(self, part: Part, node: Node) -> float:
        """Return how much of a title a part says; 0 where it does not speak of the same matter."""
        reading = read(claim_of(node.title), part.text, published=part.page.day)
        own = set(words_of(node.title)) - self._common
        shared = len(own & set(words_of(part.text)))
        if reading.same < _SAME or not own or (shared < _WORDS and part.text.isascii()):
            return 0.0
        return reading.seen["covered_content"]


def _names(part: Part, node: Node) -> bool:
    day = node.interval.begin if node.precision == "day" else None
    return day is not None and any(each.day == day for each in part.times)
