"""Addresses in running text, written out, bare or disguised; Chinese and English."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from groundwire.language.text.characters import normalise
from groundwire.language.text.phrases import patterns

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList

_patterns = patterns("links.txt", flags=re.ASCII | re.IGNORECASE)
# evil[.]com, evil(dot)com, evil。com
_DISGUISED = re.compile(_patterns("disguised"), re.IGNORECASE)
_RESERVED = frozenset({"example", "test", "invalid", "localhost", "local", "onion", "internal"})
# Written with a capital, only these end an address; "OpenAI.Microsoft" lacks a space.
_COMMON = frozenset({"com", "org", "net", "gov", "edu", "io", "cn"})


@cache
def _suffixes() -> PublicSuffixList:
    from publicsuffixlist import PublicSuffixList

    return PublicSuffixList(accept_unknown=False)


def links(text: str) -> list[str]:
    """Return every address in the text as it reads without its disguise."""
    flat = _plain(text)
    return [flat[start:end] for start, end in _spans(flat)]


def has_link(text: str) -> bool:
    return bool(links(text))


def is_bare(link: str) -> bool:
    """Tell whether a link is only a domain, as a company's name may be: circle.com."""
    match = _patterns["host"].fullmatch(link)
    return match is not None and not match["path"] and not link.lower().startswith("www.")


def without_links(text: str) -> str:
    """Replace every address with a space; return the text unchanged if there is none."""
    flat = _plain(text)
    spans = _spans(flat)
    edges = [0, *(at for span in spans for at in span), len(flat)]
    kept = (flat[start:end] for start, end in zip(edges[::2], edges[1::2], strict=True))
    return " ".join(kept) if spans else text


def _plain(text: str) -> str:
    return _DISGUISED.sub(".", normalise(text).text)


def _spans(flat: str) -> list[tuple[int, int]]:
    if "." not in flat and ":" not in flat:
        return []
    spans = [match.span() for match in _patterns["written"].finditer(flat)]
    for match in _patterns["host"].finditer(flat):
        inside = any(start <= match.start() < end for start, end in spans)
        if not inside and _is_host(match):
            spans.append(match.span())
    return sorted(spans)


def _is_host(match: re.Match[str]) -> bool:
    host = match.group()[: match.start("path") - match.start()] if match["path"] else match.group()
    *labels, last = host.split(".")
    if all(len(label) == 1 for label in labels) and len(labels) > 1:
        return False  # initials: U.S.is
    top = last.lower()
    if last != top and last != last.upper() and top not in _COMMON:
        return False
    if all(label.isdigit() for label in labels):
        return False  # 3.3bn
    return top in _RESERVED or _suffixes().publicsuffix(top) is not None
