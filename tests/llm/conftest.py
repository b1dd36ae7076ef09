"""A server and a client for the tests of models."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx2
import pytest
from pydantic import SecretStr
from tests.llm.server import KEY, Server, serve

from groundwire.llm.spec import ModelSpec, VendorOptions


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    async with serve() as running:
        yield running


@pytest.fixture
async def client() -> AsyncIterator[httpx2.AsyncClient]:
    async with httpx2.AsyncClient(trust_env=False) as made:
        yield made


@pytest.fixture
def spec(server: Server) -> ModelSpec:
    options = VendorOptions(api_key=SecretStr(KEY), base_url=server.url, timeout=5)
    return ModelSpec(vendor="openai", name="gpt-5.4-mini", kind="openai", options=options)
