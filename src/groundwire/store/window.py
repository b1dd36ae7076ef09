"""What was said in the last day, letter by letter, in the memory of one process (dedup layer 1)."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from datetime import datetime

from groundwire.evidence.memory.dedup import EXACT_FOR

_REMEMBERED = 50_000  # texts that a process keeps in mind


class ExactWindow:
    """Texts of the last day with the message that said each first."""

    def __init__(self, most: int = _REMEMBERED) -> None:
        self._most = most
        self._known: OrderedDict[bytes, tuple[str, datetime]] = OrderedDict()

    def first(self, said: str, at: datetime) -> str | None:
        """The message that said exactly this within a day before."""
        known = self._known.get(_letters(said))
        return None if known is None or at - known[1] > EXACT_FOR else known[0]

    def add(self, said: str, first_id: str, at: datetime) -> None:
        """What was said first stays until its day is over."""
        if self.first(said, at) is None:
            self._known[_letters(said)] = (first_id, at)
            self._known.move_to_end(_letters(said))
        while len(self._known) > self._most:
            self._known.popitem(last=False)


def _letters(said: str) -> bytes:
    return hashlib.blake2b(said.encode(), digest_size=16).digest()
