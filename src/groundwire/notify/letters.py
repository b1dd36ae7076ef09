"""Letters as text: what a person is told, within what a service takes, and harmless in its markup."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from groundwire.model.outbox import Parcel

Measure = Callable[[str], int]
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]"
)
_MOST_OF_A_LINE = 1_000


def in_bytes(text: str) -> int:
    """Measure as services do that count bytes of UTF-8."""
    return len(text.encode("utf-8", "replace"))


def in_units(text: str) -> int:
    """Measure as services do that count units of UTF-16."""
    return len(text.encode("utf-16-le", "replace")) // 2


def title_of(parcel: Parcel, most: int = 200) -> str:
    """Return the first line of a letter."""
    return _shortened(_clean(parcel.letter.title), most, len)


def body_of(
    parcel: Parcel,
    link: str,
    most: int,
    measure: Measure = len,
    escape: Callable[[str], str] = str,
) -> str:
    """Return the lines under the title, then the link and the delivery's id, which is the same
    whenever it is sent again; lines that do not fit are left out, and an ellipsis says so."""
    foot = [part for part in (link, parcel.id) if part]
    left = most - measure("\n".join(["", "…", *foot]))
    kept: list[str] = []
    for line in _lines(parcel):
        text = escape(line)
        if measure(text) + 1 > left:
            kept.append("…")
            break
        left -= measure(text) + 1
        kept.append(text)
    return "\n".join([*kept, "", *foot] if kept else foot)


def text_of(
    parcel: Parcel,
    link: str,
    most: int,
    measure: Measure = len,
    escape: Callable[[str], str] = str,
) -> str:
    """Return title and body as one text."""
    title = escape(title_of(parcel))
    return f"{title}\n{body_of(parcel, link, most - measure(title) - 1, measure, escape)}"


def _lines(parcel: Parcel) -> Iterator[str]:
    for line in parcel.letter.lines:
        yield _shortened(_clean(line), _MOST_OF_A_LINE, len)


def _clean(text: str) -> str:
    return " ".join(_UNSEEN.sub(" ", text).split())


def _shortened(text: str, most: int, measure: Measure) -> str:
    return text if measure(text) <= most else f"{text[: most - 1].rstrip()}…"
