"""The real source tree, parsed once."""

from __future__ import annotations

import pytest
from source_tree import PACKAGE, ROOT, Tree, read_tree


@pytest.fixture(scope="session")
def package() -> Tree:
    return read_tree(ROOT / "src" / PACKAGE)
