"""A page with the properties that the search for its origin compares, each computed once."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from functools import cached_property

from groundwire.evidence.pages.presence import publication_day
from groundwire.evidence.sources.attribution import (
    attributions,
    credited,
    handles,
    reports_itself,
)
from groundwire.evidence.sources.publishers import (
    claims_another,
    is_vouched_for,
    named_sources,
    names_of,
    primary_domain,
)
from groundwire.evidence.sources.tiers import owner_of
from groundwire.evidence.sources.urls import registrable_domain, web_host
from groundwire.language.amounts.numbers import figures
from groundwire.language.names.names import has_name, name_key, names
from groundwire.language.text.characters import folded, normalise
from groundwire.language.text.sentences import sentences
from groundwire.language.text.sketches import Sketch, sketch_of
from groundwire.language.text.tokens import shingles
from groundwire.language.time.dates import date_mentions
from groundwire.model.source import Evidence

_PERMUTATIONS = 128
# A report says at its head what it is about; Chinese needs fewer characters.
_LEAD_ZH, _LEAD = 700, 1800
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_NEVER = datetime.max.replace(tzinfo=UTC)


class ComparedPage:
    """One piece of evidence with what comparisons need, computed once."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence
        self.id = evidence.id
        self.text = evidence.document.text
        self.language = evidence.document.language.split("-")[0]
        url = evidence.document.canonical_url
        # A file of the archive is its own site.
        self.site = registrable_domain(web_host(url)) if web_host(url) else url
        self.owner = evidence.owner or owner_of(url)

    @property
    def key(self) -> tuple[datetime, str]:
        return self.evidence.document.published_at or _NEVER, self.id

    @cached_property
    def pieces(self) -> frozenset[str]:
        return shingles(self.text)

    @cached_property
    def sketch(self) -> Sketch:
        return sketch_of(self.pieces, _PERMUTATIONS)

    @cached_property
    def amounts(self) -> frozenset[str]:
        return _amounts(self.text)

    @cached_property
    def lead(self) -> str:
        return self.text[: _LEAD_ZH if self.language == "zh" else _LEAD]

    @cached_property
    def digits(self) -> frozenset[str]:
        """The lead's numbers without their scales: 3.3 billion, 33亿."""
        numbers = (re.sub("[.,]", "", digits).strip("0") for digits in _DIGITS.findall(self.lead))
        return frozenset(digits for digits in numbers if digits)

    @cached_property
    def counts(self) -> frozenset[str]:
        """Figures and dates of the lead, written alike in every language."""
        mentions = date_mentions(self.lead, publication_day(self.evidence.document))
        dates = {f"{each.date} {each.precision}" for each in mentions if each.date is not None}
        return _amounts(self.lead) | dates

    @cached_property
    def facts(self) -> frozenset[str]:
        """Figures, dates and names of the lead."""
        return self.counts | {name_key(name.text) for name in names(self.lead)}

    @cached_property
    def called(self) -> tuple[str, ...]:
        """The names of this publisher: its own, its domain, the domain's first label."""
        publisher = self.evidence.document.said_by
        label = self.site.split(".")[0]
        # A name that a page gives itself counts only if its domain confirms it.
        forms = [publisher] if is_vouched_for(publisher, self.site) else []
        forms += [*names_of(self.site), self.site]
        if len(label) > 2 and not claims_another(label, self.site):
            forms.append(label)
        return tuple(dict.fromkeys(form for form in forms if form))

    @cached_property
    def claimed(self) -> str:
        """The name that only the page itself vouches for; "" if it is that of another publisher."""
        publisher = self.evidence.document.said_by
        return "" if publisher in self.called or claims_another(publisher, self.site) else publisher

    @cached_property
    def flat(self) -> str:
        return normalise(self.text).text

    @cached_property
    def low(self) -> str:
        return folded(self.flat)

    @cached_property
    def credited(self) -> tuple[str, ...]:
        """Whom the text names as the author of what it translates."""
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
        """The sources that the text names."""
        return tuple(self.low[start:end] for start, end in self._attributions)

    @cached_property
    def known_sources(self) -> dict[str, tuple[int, ...]]:
        """The publishers that the text names as its source, by domain, and where."""
        own_domain = primary_domain(self.site)
        return {site: at for site, at in named_sources(self.low).items() if site != own_domain}

    @cached_property
    def primaries(self) -> dict[str, tuple[str, ...]]:
        """Each source that the text names, and the sentences it has from it."""
        starts: dict[str, list[int]] = {site: [*at] for site, at in self.known_sources.items()}
        known = {form for site in starts for form in names_of(site)}
        accounts = handles(self.low)
        for start, end in accounts:
            starts.setdefault(self.low[start:end], []).append(start)
        for start, end in self._attributions:
            if any(start <= at < end for at, _ in accounts):
                continue  # an account is the source, not the platform that it is on
            for name in names(self.flat[start:end]):
                if name.text.lower() not in known and not is_called(name.text, self):
                    starts.setdefault(name_key(name.text), []).append(start)
        return {key: tuple(map(self.sentence_at, places)) for key, places in starts.items()}

    def sentence_at(self, at: int) -> str:
        """Return the sentence at this offset of the normal form."""
        return next((self.flat[a:b] for a, b in self._sentences if a <= at < b), "")

    @cached_property
    def _sentences(self) -> list[tuple[int, int]]:
        return sentences(self.flat)


def _amounts(text: str) -> frozenset[str]:
    return frozenset(f"{figure.value.normalize()} {figure.unit}" for figure in figures(text))


def values(text: str) -> frozenset[str]:
    return frozenset(str(figure.value.normalize()) for figure in figures(text))


def is_called(whom: str, page: ComparedPage) -> bool:
    """Tell whether a name is one that the page goes by."""
    return any(has_name(form, whom) for form in page.called)
