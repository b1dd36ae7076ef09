"""Addresses in a report: which ones a reader can follow, and how they are written in a link."""

from __future__ import annotations

from urllib.parse import SplitResult, quote, unquote, urlsplit

from groundwire.report.plain import one_line

# Files of the user's own stand in the archive under a host that can never resolve.
LOCAL_SUFFIX = ".invalid"
_PLAIN = "-._~:/?#@!$&*+,;=%"


def web_link(url: str) -> str | None:
    """Return the address if a reader can follow it: http(s), a host, and no file of their own."""
    parts, host = _split(url)
    web = parts.scheme in ("http", "https") and host and not host.endswith(LOCAL_SUFFIX)
    return url if web else None


def local_name(url: str) -> str | None:
    """Return the file's name if the address stands for a file of the user's own."""
    parts, host = _split(url)
    return unquote(parts.path.lstrip("/")) if host.endswith(LOCAL_SUFFIX) else None


def _split(url: str) -> tuple[SplitResult, str]:
    """Split an address and its host; empty for what is no address."""
    try:
        parts = urlsplit(url)
        return parts, parts.hostname or ""
    except ValueError:
        return urlsplit(""), ""


def destination(link: str) -> str:
    """Escape an address so that nothing in it can end its link."""
    return quote(link, safe=_PLAIN, errors="replace")


def followed(url: str | None) -> str | None:
    """Return an address that can stand in a link, or None where nobody can follow it."""
    if url is None or one_line(url) != url or web_link(url) is None:
        return None
    return destination(url)
