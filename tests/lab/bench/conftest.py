"""One stub process for the tests of this folder, reset before each."""

from __future__ import annotations

from collections.abc import Iterator

import httpx2
import pytest
from lab.stubs import Stubs, running_stubs
from stub_calls import KEY


@pytest.fixture(scope="session")
def process() -> Iterator[Stubs]:
    with running_stubs() as stubs:
        yield stubs


@pytest.fixture
def stubs(process: Stubs) -> Stubs:
    process.reset()
    return process


@pytest.fixture(scope="session")
def http() -> Iterator[httpx2.Client]:
    with httpx2.Client(headers=KEY, timeout=20, trust_env=False) as client:
        yield client
