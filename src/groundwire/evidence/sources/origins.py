"""Independent origins: which pages descend from one another, so that copies count once."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.evidence.sources.attribution import statements_by
from groundwire.evidence.sources.compared_pages import ComparedPage, is_called, values
from groundwire.evidence.sources.publishers import primary_domain
from groundwire.language.names.glossary import equivalents
from groundwire.language.names.names import has_name
from groundwire.language.text.tokens import relevance
from groundwire.model.base import short_id
from groundwire.model.result import Descent, Lineage, Origin
from groundwire.model.source import Evidence

_JACCARD = 0.8
_CONTAINED = 0.85
_FEWEST_SHINGLES = 10
_SMALL = 300  # shingles that are compared exactly, whatever the estimate says
_ESTIMATE = 0.15  # below it two long texts cannot reach the limits above
_GROWN = 1.5  # a later text this much longer adds words of its own
_PROFILE = 0.8
_COUNTS = 0.5  # share of figures and dates, before names are compared at all
_FEWEST_FACTS = 5
_RELAYED_ALIKE = 0.5
_FEWEST_RELAYED = 3
_REPEATED = 0.6  # share of a sentence found again in what it relays
_REPEATED_ABROAD = 0.35  # in another language, where only names and known words match


def origins(evidence: Sequence[Evidence]) -> tuple[Origin, ...]:
    """Group the pages that descend from one another into origins; the order given does not matter.

    The earliest page leads; each other member says what it descends from, and how.
    """
    unique = {item.id: item for item in evidence}
    pages = sorted((ComparedPage(item) for item in unique.values()), key=lambda page: page.key)
    links = _descent(pages)
    groups: dict[str, list[str]] = {}
    for page in pages:
        groups.setdefault(_root(links, page.id), []).append(page.id)
    # Pages come in order of publication, so that the first of a group is its earliest.
    return tuple(
        Origin(
            id=short_id("or", members[0]),
            lead=members[0],
            members=tuple(members),
            lineage=tuple(links[member] for member in members if member in links),
        )
        for members in groups.values()
    )


def _root(links: dict[str, Lineage], page_id: str) -> str:
    while page_id in links:
        page_id = links[page_id].of
    return page_id


def _descent(pages: Sequence[ComparedPage]) -> dict[str, Lineage]:
    """Find at most one parent for each page: a relay of two does not make them one origin."""
    links: dict[str, Lineage] = {}
    strong: dict[str, list[Lineage]] = {}
    for number, later in enumerate(pages):
        for earlier in pages[:number]:
            link = _copy_link(earlier, later)
            if link is not None:
                strong.setdefault(link.evidence_id, []).append(link)
    for page in pages:
        for link in sorted(strong.get(page.id, ()), key=lambda link: _STRENGTH.index(link.how)):
            if page.id not in links and _root(links, link.of) != page.id:
                links[page.id] = link
    # Relays of one absent primary are one origin, and so is what one site or owner publishes
    # itself; the copies it carries are not its own.
    for relate in (_link_by_source, _link_by_owner):
        unlinked = [page for page in pages if page.id not in links]
        for number, later in enumerate(unlinked):
            for earlier in unlinked[:number]:
                how = relate(earlier, later) if later.id not in links else None
                if how is not None:
                    links[later.id] = Lineage(evidence_id=later.id, of=earlier.id, how=how)
    return links


_STRENGTH: tuple[Descent, ...] = ("wire copy of", "translation of", "cites")


def _copy_link(earlier: ComparedPage, later: ComparedPage) -> Lineage | None:
    """Return how the text of one descends from the other's, by the strongest sign."""
    if earlier.language == later.language and _is_copy(earlier, later):
        return Lineage(evidence_id=later.id, of=earlier.id, how="wire copy of")
    if earlier.language != later.language:
        for one, other in ((later, earlier), (earlier, later)):
            if any(is_called(whom, other) for whom in one.credited):
                return Lineage(evidence_id=one.id, of=other.id, how="translation of")
        if _have_same_facts(earlier, later):
            return Lineage(evidence_id=later.id, of=earlier.id, how="translation of")
    for one, other in ((later, earlier), (earlier, later)):
        # Amounts last: finding them takes longest, and few pages name each other.
        if (
            one.site != other.site
            and (_names(one, other) or _repeats(one, other))
            and not one.adds
            and one.amounts <= other.amounts
        ):
            return Lineage(evidence_id=one.id, of=other.id, how="cites")
    return None


def _names(one: ComparedPage, other: ComparedPage) -> bool:
    """Tell whether one names the other as its source, by a name that the other may bear."""
    if primary_domain(other.site) in one.known_sources:
        return True
    if any(is_called(whom, other) for whom in one.relayed):
        return True
    claimed = other.claimed
    return (
        bool(claimed)
        and any(has_name(claimed, whom) for whom in one.relayed)
        and one.evidence.document.published_at is not None
        and other.key[0] < one.key[0]
        and bool(
            one.amounts
            or len(one.pieces & other.pieces) >= _RELAYED_ALIKE * max(1, len(one.pieces))
        )
    )


def _repeats(one: ComparedPage, other: ComparedPage) -> bool:
    """Tell whether one reports a party's words that stand on the party's own page."""
    if other.evidence.tier != "primary":
        return False
    forms = dict.fromkeys(form for name in other.called for form in equivalents(name))
    least = _REPEATED if one.language == other.language else _REPEATED_ABROAD
    return any(
        relevance(one.sentence_at(at), other.text, other.evidence.document.title) >= least
        for at in statements_by(one.low, forms)
    )


def _link_by_source(earlier: ComparedPage, later: ComparedPage) -> Descent | None:
    """Link two pages that have the same from the same source, which is not among the pages."""
    shared = earlier.primaries.keys() & later.primaries.keys()
    if not shared or earlier.adds or later.adds:
        return None
    same = any(_tell_the_same(earlier, later, key) for key in sorted(shared))
    return "same source as" if same else None


def _tell_the_same(earlier: ComparedPage, later: ComparedPage, key: str) -> bool:
    before, after = earlier.primaries[key], later.primaries[key]
    # By their values: 40万枚ETH is 400,000 ETH.
    earlier_values, later_values = (values(" ".join(each)) for each in (before, after))
    if earlier_values or later_values:
        if not earlier_values & later_values:
            return False
        # A page with many other figures is more than a relay.
        small, large = sorted((values(earlier.lead), values(later.lead)), key=len)
        return small <= large or len(small & large) >= _RELAYED_ALIKE * len(small | large)
    shared, every = earlier.facts & later.facts, earlier.facts | later.facts
    if len(shared) >= _FEWEST_RELAYED and len(shared) >= _RELAYED_ALIKE * len(every):
        return True
    # An account says one thing at a time; from others it must be the same thing.
    least = _REPEATED_ABROAD if key.startswith("@") else _REPEATED
    return any(max(relevance(a, b), relevance(b, a)) >= least for a in before for b in after)


def _link_by_owner(earlier: ComparedPage, later: ComparedPage) -> Descent | None:
    if earlier.site == later.site:
        return "same site as"
    return "same owner as" if earlier.owner and earlier.owner == later.owner else None


def _is_copy(earlier: ComparedPage, later: ComparedPage) -> bool:
    small, large = sorted((earlier.pieces, later.pieces), key=len)
    if len(small) < _FEWEST_SHINGLES:
        return False
    if len(small) > _SMALL and earlier.sketch.jaccard(later.sketch) < _ESTIMATE:
        return False
    shared = len(small & large)
    if shared / (len(small) + len(large) - shared) >= _JACCARD:
        return True
    # A later text that contains the earlier one and much more has evidence of its own.
    grown = later.pieces is large and len(large) > _GROWN * len(small)
    return shared / len(small) >= _CONTAINED and not grown


def _have_same_facts(earlier: ComparedPage, later: ComparedPage) -> bool:
    # Digits are found quickly, facts are not: most pairs end here.
    digits = len(earlier.digits & later.digits)
    if digits < 2 or 2 * digits < min(len(earlier.digits), len(later.digits)):
        return False
    if shared_part(earlier.counts, later.counts) < _COUNTS:
        return False
    fewest = min(len(earlier.facts), len(later.facts))
    return fewest >= _FEWEST_FACTS and shared_part(earlier.facts, later.facts) >= _PROFILE


def shared_part(one: frozenset[str], other: frozenset[str]) -> float:
    """Measure how much two sets share, in [0, 1]."""
    return len(one & other) / max(1, len(one | other))
