"""Vendors of embeddings: what is asked, what is accepted, what is refused."""

from __future__ import annotations

import math
from typing import Any

import pytest
from pydantic import SecretStr

from groundwire.embed.likeness import pack, unpack
from groundwire.embed.provider import EmbedSpec, to_unit_vectors, vendor
from groundwire.errors import AuthRejected, Malformed, SettingsError, UnknownName


def spec(kind: str = "openai", **changes: Any) -> EmbedSpec:
    values: dict[str, Any] = {
        "vendor": kind,
        "name": "text-embedding-3-small",
        "kind": kind,
        "dimensions": 256,
        "api_key": SecretStr("sk-planted"),
    }
    return EmbedSpec(**{**values, **changes})


def test_openai_is_asked_for_short_vectors_with_the_key_in_a_header() -> None:
    embed_spec = spec()
    openai = vendor(embed_spec)
    assert openai.url(embed_spec) == "https://api.openai.com/v1/embeddings"
    assert openai.body(embed_spec, ["稳定币", "peg"]) == {
        "model": "text-embedding-3-small",
        "input": ["稳定币", "peg"],
        "encoding_format": "float",
        "dimensions": 256,
    }
    assert openai.authentication(embed_spec) == {"Authorization": "Bearer sk-planted"}


def test_a_compatible_server_is_not_asked_to_shorten() -> None:
    embed_spec = spec("openai_compatible", base_url="https://box.example/v1/", name="bge-m3")
    assert vendor(embed_spec).url(embed_spec) == "https://box.example/v1/embeddings"
    assert "dimensions" not in vendor(embed_spec).body(embed_spec, ["a"])


def test_gemini_is_asked_text_by_text_and_never_with_the_key_in_the_address() -> None:
    embed_spec = spec("google", name="gemini-embedding-001")
    gemini = vendor(embed_spec)
    assert gemini.url(embed_spec).endswith("/v1beta/models/gemini-embedding-001:batchEmbedContents")
    first, second = gemini.body(embed_spec, ["a", "b"])["requests"]
    assert first["content"] == {"parts": [{"text": "a"}]}
    assert second["outputDimensionality"] == 256
    assert gemini.authentication(embed_spec) == {"x-goog-api-key": "sk-planted"}


def test_a_missing_key_or_address_is_named() -> None:
    with pytest.raises(AuthRejected, match="set OPENAI_API_KEY"):
        vendor(spec(api_key=None)).authentication(spec(api_key=None))
    bare = spec("openai_compatible", api_key=None)
    with pytest.raises(SettingsError, match="no base_url"):
        vendor(bare).url(bare)
    assert vendor(bare).authentication(bare) == {}
    with pytest.raises(UnknownName, match="did you mean openai"):
        vendor(spec("opnai"))


@pytest.mark.parametrize(
    ("kind", "answer", "vectors"),
    [
        (
            "openai",
            {"data": [{"index": 1, "embedding": [0, 2]}, {"index": 0, "embedding": [3, 4]}]},
            [[3, 4], [0, 2]],
        ),
        ("google", {"embeddings": [{"values": [1, 0]}, {"values": [0, 1]}]}, [[1, 0], [0, 1]]),
    ],
)
def test_vectors_come_in_the_order_of_the_texts(
    kind: str, answer: Any, vectors: list[list[float]]
) -> None:
    assert vendor(spec(kind)).parse(answer)[0] == vectors


@pytest.mark.parametrize("kind", ["openai", "google"])
@pytest.mark.parametrize(
    "answer",
    [
        None,
        [],
        "text",
        {},
        {"data": None},
        {"data": [{"index": 0}]},
        {"data": [{"index": 1, "embedding": [1]}]},
        {"data": [{"index": 0, "embedding": ["x"]}]},
        {"embeddings": [{"values": "x"}]},
        {"error": {"message": "no"}},
    ],
)
def test_another_form_is_malformed(kind: str, answer: Any) -> None:
    with pytest.raises(Malformed):
        vendor(spec(kind)).parse(answer)


@pytest.mark.parametrize(
    ("vectors", "count"),
    [
        ([[1.0]], 2),  # one is missing
        ([[1.0], [1.0, 0.0]], 2),  # of two lengths
        ([[]], 1),
        ([[0.0, 0.0]], 1),  # no direction
        ([[math.nan, 1.0]], 1),
        ([[math.inf, 1.0]], 1),
    ],
)
def test_vectors_that_cannot_be_compared_are_malformed(
    vectors: list[list[float]], count: int
) -> None:
    with pytest.raises(Malformed):
        to_unit_vectors(vectors, count, spec())


def test_vectors_are_made_unit_length_and_survive_packing() -> None:
    (vector,) = to_unit_vectors([[3.0, 4.0]], 1, spec())
    assert vector == pytest.approx((0.6, 0.8))
    assert unpack(pack(vector)) == pytest.approx(vector, abs=1e-3)


@pytest.mark.parametrize(
    ("embed_spec", "micro"),
    [
        (spec(), 2),  # 100 tokens at 0.02 a million
        (spec(name="unheard-of"), 20),  # assumed
        (spec(usd=5.0), 500),  # stated
        (spec("ollama", name="bge-m3"), 0),  # one's own machine
    ],
)
def test_what_a_hundred_tokens_cost(embed_spec: EmbedSpec, micro: int) -> None:
    assert vendor(embed_spec).price(embed_spec, 100) == micro
