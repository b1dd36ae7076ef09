"""How often a reader is right: whether it errs on an item depends on the item alone."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Skill:
    """The share of items that are answered right; `seed` decides which."""

    share: float
    seed: int = 0

    def errs(self, question: str, *item: str) -> bool:
        """Tell whether this item of a question is answered wrong."""
        return self._draw("errs", question, *item) >= self.share * 2**64

    def pick(self, options: Sequence[T], question: str, *item: str) -> T:
        """Pick one of several wrong answers."""
        return options[self._draw("pick", question, *item) % len(options)]

    def _draw(self, *parts: str) -> int:
        content = "\x1f".join((str(self.seed), *parts))
        digest = hashlib.sha256(content.encode("utf-8", "surrogatepass")).digest()
        return int.from_bytes(digest[:8], "big")
