"""A page as a browser would treat it: nothing that runs, nothing that our policy would refuse."""

from __future__ import annotations

from html.parser import HTMLParser

_ADDRESSES = ("href", "src", "action", "formaction", "poster", "data")
_ALLOWED = ("/", "#", "?", "http://", "https://")


class _Scrutiny(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if (tag == "script" and not given.get("src")) or tag in (
            "style",
            "img",
            "iframe",
            "object",
        ):
            self.found.append(f"<{tag}>")
        for name, value in attrs:
            if name.startswith("on") or name == "style":
                self.found.append(f"{tag} {name}={value}")
            if name in _ADDRESSES and value and not value.startswith(_ALLOWED):
                self.found.append(f"{tag} {name}={value}")


def faults(page: str) -> list[str]:
    """List inline scripts and styles, handlers, pictures, and addresses of other kinds."""
    scrutiny = _Scrutiny()
    scrutiny.feed(page)
    return scrutiny.found
