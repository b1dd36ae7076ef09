"""Which passages a mind is shown of the pages that verify holds: few, each worth reading, no report twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from groundwire.evidence.pages.injection import injected_instructions
from groundwire.evidence.pages.presence import was_there
from groundwire.jobs.verify.features import parties
from groundwire.jobs.verify.sides import primaries
from groundwire.jobs.verify.types import Held, State
from groundwire.jobs.verify.weigh_message import ShownPassage, shown_passage
from groundwire.language.text.characters import detect_language
from groundwire.language.text.tokens import best_relevance
from groundwire.model.result import Origin
from groundwire.model.source import Evidence, Passage
from groundwire.model.stance import StanceLabel
from groundwire.reasoning.plan_queries import in_both_languages

MOST = 10  # passages that are shown
_WIDEST = 800  # characters of a page that are shown, unless one passage has more
_ABOUT = 0.2  # share of a claim's words that a silent page must have
_RANKS: dict[StanceLabel, int] = {"contradicts": 0, "supports": 0, "qualifies": 1, "unrelated": 2}
_SILENT = 2


class Shown(NamedTuple):
    """A passage as it is shown, and the page that it is of."""

    shown: ShownPassage
    held: Held
    passage: Passage

    @property
    def number(self) -> int:
        return self.shown.passage.number


def copies(held: Sequence[Held], origins: Sequence[Origin]) -> dict[str, str]:
    """Map each page whose text is another's to the first that has it; every other page to itself."""
    parents = {
        line.evidence_id: line.of
        for origin in origins
        for line in origin.lineage
        if line.how == "wire copy of"
    }

    def first(name: str) -> str:
        while name in parents:
            name = parents[name]
        return name

    return {each.evidence.id: first(each.evidence.id) for each in held}


def choose(state: State) -> tuple[Shown, ...]:
    """Choose the passages: of every report that takes a side, and of each other origin that may bear on a claim."""
    if not state.claims:
        return ()
    wanted = [words for claim in state.claims for words in in_both_languages(claim) if words]
    official = primaries([each.evidence for each in state.held], parties(state))
    readable = [each for each in state.held if _is_readable(each, state)]
    found: list[tuple[tuple[int, bool, float, str], Held, Passage]] = []
    for each in _once(readable, copies(state.held, state.origins)):
        passage, share = _passage(each, wanted)
        evidence = each.evidence
        if _is_abroad(evidence, state.text):
            # A page in another language shares few words: what the search thinks of it stands for them.
            share = max(share, evidence.relevance)
        if passage is None or (_rank(each) == _SILENT and share < _ABOUT):
            continue
        key = (_rank(each), evidence.id not in official, -evidence.relevance, evidence.id)
        found.append((key, each, passage))
    chosen: list[tuple[Held, Passage]] = []
    origins: set[str] = set()
    for key, each, passage in sorted(found, key=lambda each: each[0]):
        # An origin is one voice: what else it publishes is read only where that takes a side.
        if key[0] == 0 or each.evidence.origin_id not in origins:
            chosen.append((each, passage))
            origins.add(each.evidence.origin_id)
    found_at = [(each, _widened(passage, each.evidence)) for each, passage in chosen[:MOST]]
    return tuple(
        Shown(shown_passage(number, each.evidence, passage, each.stances), each, passage)
        for number, (each, passage) in enumerate(found_at, start=1)
    )


def _widened(passage: Passage, evidence: Evidence) -> Passage:
    """Add the passages after and before it, as far as they are short: what it says of a claim may go on there."""
    places = sorted(evidence.passages, key=lambda each: each.start)
    at = places.index(passage)
    start, end = passage.start, passage.end
    for each in (*places[at + 1 :], *reversed(places[:at])):
        first, last = min(start, each.start), max(end, each.end)
        if last - first > _WIDEST:
            break
        start, end = first, last
    text = evidence.document.text[start:end]
    return passage.model_copy(update={"text": text, "start": start, "end": end})


def _is_readable(each: Held, state: State) -> bool:
    evidence = each.evidence
    if "own_report" in evidence.flags or not was_there(evidence.document, state.given.as_of):
        return False
    # Who plants orders in a page is not put before a model (law 9).
    return "injection" not in evidence.flags or not any(
        map(injected_instructions, (evidence.document.title, *(p.text for p in evidence.passages)))
    )


def _is_abroad(evidence: Evidence, text: str) -> bool:
    """Tell whether a page is in another language than a text, whatever its script."""
    languages = [evidence.document.language, detect_language(text)]
    one, other = (each.partition("-")[0] for each in languages)
    return bool(one) and one != other


def _rank(each: Held) -> int:
    return min((_RANKS[stance.label] for stance in each.stances), default=_SILENT)


def _once(held: Sequence[Held], first: Mapping[str, str]) -> list[Held]:
    """Keep one page of each text: one that was read before a snippet, then the one that speaks most of the claims."""
    best: dict[str, Held] = {}
    for each in sorted(held, key=lambda each: each.evidence.id):
        name = first[each.evidence.id]
        if name not in best or _worth(each) > _worth(best[name]):
            best[name] = each
    return list(best.values())


def _worth(each: Held) -> tuple[bool, int, float]:
    return each.evidence.kind == "page", -_rank(each), each.evidence.relevance


def _passage(each: Held, wanted: Sequence[str]) -> tuple[Passage | None, float]:
    """Return the passage that holds what the rules quote, else the nearest one, and its share of the words."""
    evidence = each.evidence
    title = evidence.document.title
    shares = {p.id: best_relevance(wanted, p.text, title) for p in evidence.passages}
    ranked = sorted(each.stances, key=lambda stance: _RANKS[stance.label])
    for stance in ranked:
        for passage in evidence.passages:
            if stance.quote and passage.start <= stance.start < passage.end:
                return passage, shares[passage.id]
    nearest = max(evidence.passages, key=lambda p: (shares[p.id], -p.start), default=None)
    return nearest, shares[nearest.id] if nearest else 0.0
