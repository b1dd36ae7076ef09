"""A store on each database."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from groundwire.store import Store, open_store


@pytest.fixture
async def store(database_url: str) -> AsyncIterator[Store]:
    async with open_store(database_url) as opened:
        yield opened
