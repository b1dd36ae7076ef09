"""Whose voice a statement is: the page's own, or that of the source that it passes on, by one key on every day.

Origins of `evidence/sources` group the pages of one run; a ledger meets the same source on other days, so that it
needs a key that stays: the owner or the domain of its site, or the name of a source that was never read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from groundwire.evidence.reading.analysis import Sentence
from groundwire.evidence.sources.attribution import attributions
from groundwire.evidence.sources.origins import origins
from groundwire.evidence.sources.publishers import named_sources
from groundwire.evidence.sources.tiers import owner_of
from groundwire.evidence.sources.urls import registrable_domain, web_host
from groundwire.jobs.watch.ledger.claims import Ledger
from groundwire.jobs.watch.ledger.subject import Subject
from groundwire.language.names.names import name_key, names
from groundwire.language.names.subjects import latin_subjects
from groundwire.language.text.characters import folded, normalise
from groundwire.language.text.phrases import patterns
from groundwire.language.time.dates import date_spans
from groundwire.model.source import Evidence

_COPIES = ("wire copy of", "translation of")
_NEAR = 40  # characters beside a name in which a verb of reporting stands
_SHORT = 90  # characters of a line that only gives credit
_OPENING = re.compile(r"\W*(?P<words>[^,:;.0-9\n]{2,60}?) ?[,:](?=.{10})")
_OPENS, _CLOSES = ("(", "[", "【"), re.compile("[讯电]?[)\\]】]")
_patterns = patterns("relays.txt", __package__ or "")


class Voice(NamedTuple):
    """Who says something: the key of the source, and whether it is the page's own."""

    origin: str
    own: bool


def site_of(page: Evidence) -> str:
    """Return the key of the site that a page stands on: its owner, or its domain."""
    return _site(page.document.canonical_url, page.owner)


def _site(url: str, owner: str | None = None) -> str:
    owner = owner or owner_of(url)
    host = web_host(url)
    return f"owner:{owner}" if owner else registrable_domain(host) if host else url


class Voices:
    """Knows the publishers of all pages that were ever read, and which page copies which."""

    def __init__(self, pages: Sequence[Evidence], ledger: Ledger, subject: Subject) -> None:
        self._subject = subject
        self._sites: dict[str, str] = {}  # by the publisher's name, normal and in small letters
        for known in ledger.pages:
            self._add(known.publisher, _site(known.url))
        for page in pages:
            self._add(page.document.said_by, site_of(page))
        self._copied = _copied(pages)
        # The party's own pages speak for it, whoever repeats them.
        self.party = frozenset(site for name, site in self._sites.items() if subject.is_named(name))

    def _add(self, publisher: str, site: str) -> None:
        name = folded(normalise(publisher).text)
        if len(name) > 1:
            self._sites.setdefault(name, site)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all publishers, longest first."""
        return tuple(sorted(self._sites, key=lambda name: (-len(name), name)))

    @property
    def others(self) -> tuple[str, ...]:
        """The names of all publishers but those that are just the subject's."""
        return tuple(name for name in self.names if self._subject.places(name) != ((0, len(name)),))

    def of(self, page: Evidence, sentence: str, credits: Iterable[str]) -> Voice:
        """Return whose voice a sentence of a page is; `credits` are its lines that name where it is from."""
        site = site_of(page)
        source = self._source(sentence, site) or self._credited(credits, site)
        if source:
            return Voice(source, own=False)
        copied = self._copied.get(page.id)
        return Voice(copied, own=False) if copied and copied != site else Voice(site, own=True)

    def _source(self, text: str, site: str) -> str:
        """Return the source that a sentence names, if it is not the page's own house."""
        normal = normalise(text).text
        low = folded(normal)
        for name in self.names:
            if self._sites[name] != site and _reports(low, name):
                return self._sites[name]
        opening = self._opening(normal)
        for name in self.names:
            if self._sites[name] != site and name in folded(opening):
                return self._sites[name]
        for domain in named_sources(low):
            if registrable_domain(domain) != site:
                return _site(f"https://{domain}/")
        for start, end in attributions(low):
            house = any(self._sites[name] == site and name in low[start:end] for name in self.names)
            if not house and not self._subject.places(normal[start:end]):
                # A person or a paper that was never read; nameless sources are the page's own.
                for name in names(normal[start:end])[:1]:
                    return f"name:{name_key(name.text)}"
        runs = (opening[each.start : each.end] for each in latin_subjects(opening) if each.sure)
        run = max((each for each in runs if not date_spans(each)), key=len, default="")
        return f"name:{name_key(run)}" if run else ""

    def _opening(self, text: str) -> str:
        """Return the words before a colon or comma with which a sentence opens, where these only credit somebody."""
        match = _OPENING.match(text)
        if match is None:
            return ""
        words = match["words"]
        credits = _patterns["credits"].search(folded(words)) is not None
        return words if credits and not self._subject.places(words) else ""

    def _credited(self, credits: Iterable[str], site: str) -> str:
        """Return the house that a page names as where it has its news from."""
        for text in credits:
            low = folded(normalise(text).text)
            for name in self.names:
                if self._sites[name] != site and name in low:
                    return self._sites[name]
        return ""


def _reports(low: str, name: str) -> bool:
    """Tell whether a publisher is named as the source of a text, or only spoken of."""
    for match in re.finditer(re.escape(name), low):
        before, behind = low[max(0, match.start() - _NEAR) : match.start()], low[match.end() :]
        opens = not before.strip("\"'([ ") and behind[:1] == ":"
        bracketed = before[-1:] in _OPENS and _CLOSES.match(behind) is not None
        if opens or bracketed:
            return True
        if _patterns["before"].search(before) or _patterns["behind"].match(behind):
            return True
    return False


def credits_of(sentences: Iterable[Sentence]) -> tuple[str, ...]:
    """Return the lines of a page that can say where it is from: short ones, without figures."""
    return tuple(
        each.text
        for each in sentences
        if len(each.text) <= _SHORT and not each.figures and _patterns["credit"].search(each.low)
    )


def _copied(pages: Sequence[Evidence]) -> Mapping[str, str]:
    """Map each page that copies or translates another, of today's, to the site of the first of them."""
    by_id = {page.id: page for page in pages}
    parents = {
        link.evidence_id: link.of
        for origin in origins(pages)
        for link in origin.lineage
        if link.how in _COPIES
    }
    found: dict[str, str] = {}
    for page_id in parents:
        at = page_id
        while at in parents:
            at = parents[at]
        found[page_id] = site_of(by_id[at])
    return found
