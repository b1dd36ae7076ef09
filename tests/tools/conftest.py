"""The stubs of market data, one process for all tests of this folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest
import stamina
from lab.stubs import Stubs, running_stubs
from lab.stubs.markets import HOSTS
from measuring import NOW, Desk, opened


@pytest.fixture(scope="session")
def exchanges() -> Iterator[Stubs]:
    with running_stubs(*HOSTS, now=NOW) as running:
        yield running


@pytest.fixture
def no_backoff() -> Iterator[None]:
    stamina.set_testing(True, attempts=2, cap=True)
    yield
    stamina.set_testing(False)


@pytest.fixture
def measuring_desk(
    exchanges: Stubs, sqlite_template: Path, tmp_path: Path, no_backoff: None
) -> Callable[..., AbstractAsyncContextManager[Desk]]:
    def make(**given: Any) -> AbstractAsyncContextManager[Desk]:
        return opened(exchanges, sqlite_template, tmp_path, **given)

    return make
