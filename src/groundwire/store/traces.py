"""Where a page has left its mark in stored JSON: its id, its address, its site."""

from __future__ import annotations

import re
from typing import NamedTuple

from groundwire.errors import InputError
from groundwire.evidence.sources.urls import canonical_url, matches_domain

_DOCUMENT = re.compile(r"\bdoc_[0-9a-f]{16}\b")
_ADDRESS = re.compile(r'"(https?://[^"\\\s]{1,8000})"', re.IGNORECASE)
_HASH = re.compile(r'"([0-9a-f]{64})"')


class Sought(NamedTuple):
    """What is looked for; empty parts find nothing."""

    documents: frozenset[str] = frozenset()
    addresses: frozenset[str] = frozenset()  # canonical
    domain: str = ""  # a site with all that lies below it

    def within(self, text: str) -> bool:
        """Whether a JSON text names one of the documents or addresses, or a page of the site."""
        if self.documents and not self.documents.isdisjoint(_DOCUMENT.findall(text)):
            return True
        if not self.addresses and self.domain not in text.lower():
            return False
        return any(self._is(url) for url in dict.fromkeys(_ADDRESS.findall(text)))

    def _is(self, url: str) -> bool:
        try:
            if self.addresses and canonical_url(url) in self.addresses:
                return True
            return bool(self.domain) and matches_domain(url, self.domain)
        except InputError:
            return False


def documents_in(text: str) -> frozenset[str]:
    return frozenset(_DOCUMENT.findall(text))


def hashes_in(text: str) -> frozenset[str]:
    return frozenset(_HASH.findall(text))
