"""Independent origins: which pages descend from one another, so that copies count once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime
from functools import cached_property
from importlib import import_module
from typing import Literal, Protocol, TypeAlias

from groundwire.errors import InputError
from groundwire.evidence.sources.attribution import (
    attributions,
    credited,
    handles,
    reports_itself,
    states,
)
from groundwire.evidence.sources.publishers import (
    claims_another,
    named_sources,
    names_of,
    primary_domain,
    vouched,
)
from groundwire.evidence.sources.tiers import owner_of
from groundwire.evidence.sources.urls import host_of, registrable_domain
from groundwire.language.amounts.numbers import figures
from groundwire.language.names.glossary import equivalents
from groundwire.language.names.names import has_name, name_key, names
from groundwire.language.text.characters import folded, normalise
from groundwire.language.text.sentences import sentences
from groundwire.language.text.tokens import relevance, shingles
from groundwire.language.time.dates import date_mentions
from groundwire.model.base import short_id
from groundwire.model.result import Lineage, Origin
from groundwire.model.source import Evidence


class _Sketch(Protocol):
    """What is used of rensa's MinHash; the package ships no types."""

    def update(self, items: Sequence[str]) -> None: ...

    def jaccard(self, other: _Sketch) -> float: ...


How: TypeAlias = Literal[
    "wire copy of", "translation of", "cites", "same source as", "same owner as", "same site as"
]

_JACCARD = 0.8
_CONTAINED = 0.85
_FEWEST_SHINGLES = 10
_SMALL = 300  # shingles that are compared exactly, whatever the estimate says
_ESTIMATE = 0.15  # below it two long texts cannot reach the limits above
_GROWN = 1.5  # a later text this much longer has words of its own
_PROFILE = 0.8
_COUNTS = 0.5  # of figures and dates, before names are looked for at all
_FEWEST_FACTS = 5
_RELAYED_ALIKE = 0.5
_FEWEST_RELAYED = 3
_REPEATED = 0.6  # of a sentence, that stands in what it relays
_REPEATED_ABROAD = 0.35  # in another language, where only names and known words are found again
_PERMUTATIONS = 128
# What a report is about stands at its head; Chinese says as much in fewer characters.
_LEAD = {"zh": 700}
_LEAD_OTHERS = 1800
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")

_NEVER = datetime.max.replace(tzinfo=UTC)


class _Page:
    """One piece of evidence with what comparisons need, worked out once."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence
        self.id = evidence.id
        self.text = evidence.document.text
        self.language = evidence.document.language.split("-")[0]
        self.site = _site(evidence)
        self.owner = evidence.owner or owner_of(evidence.document.canonical_url)

    @property
    def key(self) -> tuple[datetime, str]:
        return self.evidence.document.published_at or _NEVER, self.id

    @cached_property
    def pieces(self) -> frozenset[str]:
        return shingles(self.text)

    @cached_property
    def sketch(self) -> _Sketch:
        # Deferred: short texts are compared without it.
        rensa = import_module("rensa")
        sketch: _Sketch = rensa.RMinHash(num_perm=_PERMUTATIONS, seed=1)
        sketch.update(sorted(self.pieces))
        return sketch

    @cached_property
    def amounts(self) -> frozenset[str]:
        return _amounts(self.text)

    @cached_property
    def lead(self) -> str:
        return self.text[: _LEAD.get(self.language, _LEAD_OTHERS)]

    @cached_property
    def digits(self) -> frozenset[str]:
        """What is left of the numbers of the lead when scales are taken off: 3.3 billion, 33亿."""
        found = (re.sub("[.,]", "", digits).strip("0") for digits in _DIGITS.findall(self.lead))
        return frozenset(digits for digits in found if digits)

    @cached_property
    def counts(self) -> frozenset[str]:
        """Figures and dates of the lead, written the same in every language."""
        published = self.evidence.document.published_at
        on: date | None = published.date() if published else None
        dates = {
            f"{mention.date} {mention.precision}"
            for mention in date_mentions(self.lead, on)
            if mention.date is not None
        }
        return _amounts(self.lead) | dates

    @cached_property
    def facts(self) -> frozenset[str]:
        """Figures, dates and names of the lead."""
        return self.counts | {name_key(name.text) for name in names(self.lead)}

    @cached_property
    def called(self) -> tuple[str, ...]:
        """What others call this publisher: its name, its domain, the domain's first label."""
        publisher = self.evidence.document.publisher
        label = self.site.split(".")[0]
        # A name that a page gives itself makes it nobody's source unless its domain bears it out.
        forms = [publisher] if vouched(publisher, self.site) else []
        forms += [*names_of(self.site), self.site]
        if len(label) > 2 and not claims_another(label, self.site):
            forms.append(label)
        return tuple(dict.fromkeys(form for form in forms if form))

    @cached_property
    def claimed(self) -> str:
        """The name that only the page itself vouches for; "" if it is that of another publisher."""
        publisher = self.evidence.document.publisher
        return "" if publisher in self.called or claims_another(publisher, self.site) else publisher

    @cached_property
    def flat(self) -> str:
        return normalise(self.text).text

    @cached_property
    def low(self) -> str:
        return folded(self.flat)

    @cached_property
    def credited(self) -> tuple[str, ...]:
        return credited(self.low)

    @cached_property
    def _attributions(self) -> tuple[tuple[int, int], ...]:
        return attributions(self.low)

    @cached_property
    def adds(self) -> bool:
        """Whether it has evidence of its own, besides what it relays."""
        return reports_itself(self.low, self.called, bool(self.known_sources or handles(self.low)))

    @cached_property
    def relayed(self) -> tuple[str, ...]:
        """Whom the text names as its source."""
        return tuple(self.low[start:end] for start, end in self._attributions)

    @cached_property
    def known_sources(self) -> dict[str, tuple[int, ...]]:
        """Publishers by their domains that the text names as its source, and where."""
        own = primary_domain(self.site)
        return {site: at for site, at in named_sources(self.low).items() if site != own}

    @cached_property
    def primaries(self) -> dict[str, tuple[str, ...]]:
        """Each source that the text names, and the sentences that it has from it."""
        found: dict[str, list[int]] = {site: [*at] for site, at in self.known_sources.items()}
        known = {form for site in found for form in names_of(site)}
        accounts = handles(self.low)
        for start, end in accounts:
            found.setdefault(self.low[start:end], []).append(start)
        for start, end in self._attributions:
            if any(start <= at < end for at, _ in accounts):
                continue  # an account is the source, not the platform that it is on
            for name in names(self.flat[start:end]):
                if name.text.lower() not in known and not _calls(name.text, self):
                    found.setdefault(name_key(name.text), []).append(start)
        return {key: tuple(map(self.sentence_at, places)) for key, places in found.items()}

    def sentence_at(self, at: int) -> str:
        """The sentence at this place of the normal form."""
        return next((self.flat[a:b] for a, b in self._sentences if a <= at < b), "")

    @cached_property
    def _sentences(self) -> list[tuple[int, int]]:
        return sentences(self.flat)


def _amounts(text: str) -> frozenset[str]:
    return frozenset(f"{figure.value.normalize()} {figure.unit}" for figure in figures(text))


def _values(text: str) -> frozenset[str]:
    return frozenset(str(figure.value.normalize()) for figure in figures(text))


def _site(evidence: Evidence) -> str:
    try:
        return registrable_domain(host_of(evidence.document.canonical_url))
    except InputError:
        # A file of the archive is its own site.
        return evidence.document.canonical_url


def origins(evidence: Sequence[Evidence]) -> tuple[Origin, ...]:
    """One origin per group of pages that descend from one another; the order given is no matter.

    The earliest page leads; each other member says what it descends from, and how.
    """
    unique = {item.id: item for item in evidence}
    pages = sorted((_Page(item) for item in unique.values()), key=lambda page: page.key)
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


def _descent(pages: Sequence[_Page]) -> dict[str, Lineage]:
    """At most one parent for each page: a relay of two statements does not make them one origin."""
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
    # Relays of one absent primary are one origin, and so is
    # what a site or an owner publishes of its own is one origin; the copies it carries are not its.
    for linked in (_source_link, _house_link):
        own = [page for page in pages if page.id not in links]
        for number, later in enumerate(own):
            for earlier in own[:number]:
                link = linked(earlier, later) if later.id not in links else None
                if link is not None:
                    links[later.id] = link
    return links


_STRENGTH: tuple[How, ...] = ("wire copy of", "translation of", "cites")


def _copy_link(earlier: _Page, later: _Page) -> Lineage | None:
    """How the text of one descends from the other's, by the strongest sign."""
    if earlier.language == later.language and _copied(earlier, later):
        return Lineage(evidence_id=later.id, of=earlier.id, how="wire copy of")
    if earlier.language != later.language:
        for one, other in ((later, earlier), (earlier, later)):
            if any(_calls(whom, other) for whom in one.credited):
                return Lineage(evidence_id=one.id, of=other.id, how="translation of")
        if _same_facts(earlier, later):
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


def _names(one: _Page, other: _Page) -> bool:
    """Whether one names the other as its source, by a name that the other may bear."""
    if primary_domain(other.site) in one.known_sources:
        return True
    if any(_calls(whom, other) for whom in one.relayed):
        return True
    claimed = other.claimed
    return (
        bool(claimed)
        and any(has_name(claimed, whom) for whom in one.relayed)
        and _published_before(other, one)
        and bool(one.amounts or _overlap(one, other) >= _RELAYED_ALIKE)
    )


def _repeats(one: _Page, other: _Page) -> bool:
    """Whether one says that a party said what stands on that party's own page."""
    if other.evidence.tier != "primary":
        return False
    forms = dict.fromkeys(form for name in other.called for form in equivalents(name))
    least = _REPEATED if one.language == other.language else _REPEATED_ABROAD
    return any(
        relevance(one.sentence_at(at), other.text, other.evidence.document.title) >= least
        for at in states(one.low, forms)
    )


def _published_before(one: _Page, other: _Page) -> bool:
    first, then = one.evidence.document.published_at, other.evidence.document.published_at
    return first is not None and then is not None and first < then


def _overlap(one: _Page, other: _Page) -> float:
    return len(one.pieces & other.pieces) / max(1, len(one.pieces))


def _source_link(earlier: _Page, later: _Page) -> Lineage | None:
    """Two that have the same from the same source, which is not among the pages."""
    shared = earlier.primaries.keys() & later.primaries.keys()
    if not shared or earlier.adds or later.adds:
        return None
    if any(_told_alike(earlier, later, key) for key in sorted(shared)):
        return Lineage(evidence_id=later.id, of=earlier.id, how="same source as")
    return None


def _told_alike(earlier: _Page, later: _Page, key: str) -> bool:
    told, again = earlier.primaries[key], later.primaries[key]
    # By their values: 40万枚ETH is 400,000 ETH.
    one, other = (_values(" ".join(each)) for each in (told, again))
    if one or other:
        if not one & other:
            return False
        # A page with many figures of its own is more than a relay.
        small, large = sorted((_values(earlier.lead), _values(later.lead)), key=len)
        return small <= large or len(small & large) >= _RELAYED_ALIKE * len(small | large)
    shared, every = earlier.facts & later.facts, earlier.facts | later.facts
    if len(shared) >= _FEWEST_RELAYED and len(shared) >= _RELAYED_ALIKE * len(every):
        return True
    # An account says one thing at a time; of others, the same must be told.
    least = _REPEATED_ABROAD if key.startswith("@") else _REPEATED
    return any(max(relevance(a, b), relevance(b, a)) >= least for a in told for b in again)


def _house_link(earlier: _Page, later: _Page) -> Lineage | None:
    if earlier.site == later.site:
        return Lineage(evidence_id=later.id, of=earlier.id, how="same site as")
    if earlier.owner is not None and earlier.owner == later.owner:
        return Lineage(evidence_id=later.id, of=earlier.id, how="same owner as")
    return None


def _calls(whom: str, page: _Page) -> bool:
    return any(has_name(form, whom) for form in page.called)


def _copied(earlier: _Page, later: _Page) -> bool:
    small, large = sorted((earlier.pieces, later.pieces), key=len)
    if len(small) < _FEWEST_SHINGLES:
        return False
    if len(small) > _SMALL and earlier.sketch.jaccard(later.sketch) < _ESTIMATE:
        return False
    shared = len(small & large)
    if shared / (len(small) + len(large) - shared) >= _JACCARD:
        return True
    # A later text that holds the earlier one and much more has evidence of its own.
    grown = later.pieces is large and len(large) > _GROWN * len(small)
    return shared / len(small) >= _CONTAINED and not grown


def _same_facts(earlier: _Page, later: _Page) -> bool:
    # Digits are found quickly, facts are not: most pairs end here.
    digits = len(earlier.digits & later.digits)
    if digits < 2 or 2 * digits < min(len(earlier.digits), len(later.digits)):
        return False
    if _alike(earlier.counts, later.counts) < _COUNTS:
        return False
    fewest = min(len(earlier.facts), len(later.facts))
    return fewest >= _FEWEST_FACTS and _alike(earlier.facts, later.facts) >= _PROFILE


def _alike(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / max(1, len(one | other))
