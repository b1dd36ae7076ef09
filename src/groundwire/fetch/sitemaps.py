"""What a site lists of itself: sitemaps in XML, packed or plain, and the lines of robots.txt."""

from __future__ import annotations

import re
import zlib
from datetime import date
from urllib.parse import urljoin

from groundwire.errors import Malformed, TooLarge
from groundwire.fetch.charset import decode
from groundwire.fetch.moments import moment
from groundwire.fetch.tree import local, root_name, root_of, xml_text
from groundwire.model.feed import Sitemap, SitePage

MAX_PAGES = 50_000  # the protocol's own limit
MAX_UNPACKED = 60_000_000  # bytes; the protocol allows 50 MB
ROOTS = frozenset({"urlset", "sitemapindex"})
_PACKED = b"\x1f\x8b"
_MOST_PARTS = 1_000
_LINE = re.compile(r"^\s*sitemap\s*:\s*(\S+)", re.IGNORECASE | re.MULTILINE)


def unpacked(body: bytes, most: int = MAX_UNPACKED) -> bytes:
    """Return a packed file's content, up to a limit; anything else as it is."""
    if not body.startswith(_PACKED):
        return body
    found, parts = b"", 0
    # A packed file may have several parts, one after the other.
    while body.startswith(_PACKED):
        parts += 1
        inflater = zlib.decompressobj(zlib.MAX_WBITS | 16)
        try:
            found += inflater.decompress(body, most + 1 - len(found))
        except zlib.error as error:
            raise Malformed("outside.packed_damaged") from error
        if len(found) > most:
            raise TooLarge("outside.unpacks", n=f"{most:,}")
        if parts > _MOST_PARTS:
            raise TooLarge("outside.packed_parts", n=f"{_MOST_PARTS:,}")
        if not inflater.eof:
            raise Malformed("outside.packed_cut")
        body = inflater.unused_data
    return found


def read_sitemap(body: bytes, content_type: str, url: str, latest: date | None = None) -> Sitemap:
    """Return the sitemap, or `Unreadable` or `Malformed`."""
    text = xml_text(unpacked(body), content_type)
    name = root_name(text)
    if name not in ROOTS:
        raise Malformed("outside.no_sitemap_but", name=name[:40])
    pages: dict[str, SitePage] = {}
    sitemaps: dict[str, None] = {}
    for node in root_of(text):
        fields = {local(child): (child.text or "").strip() for child in node}
        address = urljoin(url, fields["loc"]) if fields.get("loc") else ""
        if not address.lower().startswith(("http://", "https://")):
            continue
        if local(node) == "url" and len(pages) < MAX_PAGES:
            changed = moment(fields.get("lastmod"), latest)
            pages.setdefault(address, SitePage(url=address, changed=changed))
        elif local(node) == "sitemap":
            sitemaps.setdefault(address, None)
    if not pages and not sitemaps:
        raise Malformed("outside.sitemap_empty")
    return Sitemap(pages=tuple(pages.values()), sitemaps=tuple(sitemaps))


def read_lines(body: bytes, content_type: str, url: str) -> Sitemap:
    """Return the sitemaps that a robots.txt names."""
    text = decode(body[:500_000], content_type, markup=False)
    found = dict.fromkeys(urljoin(url, each) for each in _LINE.findall(text))
    usable = tuple(each for each in found if each.lower().startswith(("http://", "https://")))
    if not usable:
        raise Malformed("outside.robots_no_sitemap")
    return Sitemap(sitemaps=usable)
