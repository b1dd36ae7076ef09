"""MinHash sketches: how alike two sets of pieces are, without comparing them piece by piece."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Protocol


class Sketch(Protocol):
    """The part of rensa's MinHash that is used; the package ships no types."""

    def update(self, items: Sequence[str]) -> None: ...

    def digest(self) -> list[int]: ...

    def jaccard(self, other: Sketch) -> float: ...


def sketch_of(pieces: Iterable[str], permutations: int) -> Sketch:
    # Deferred: short texts do not need it.
    sketch: Sketch = import_module("rensa").RMinHash(num_perm=permutations, seed=1)
    sketch.update(sorted(pieces))
    return sketch
