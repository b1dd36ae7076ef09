"""A server and a client for the tests of models."""

from __future__ import annotations

import ssl
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


@pytest.fixture(scope="session")
def certificates() -> ssl.SSLContext:
    """Share the certificate list, which is slow to read and the same for every client."""
    return httpx2.create_ssl_context(trust_env=False)


@pytest.fixture
async def client(certificates: ssl.SSLContext) -> AsyncIterator[httpx2.AsyncClient]:
    async with httpx2.AsyncClient(verify=certificates, trust_env=False) as made:
        yield made


@pytest.fixture
def spec(server: Server) -> ModelSpec:
    options = VendorOptions(api_key=SecretStr(KEY), base_url=server.url, timeout=60)
    return ModelSpec(vendor="openai", name="gpt-5.4-mini", kind="openai", options=options)
