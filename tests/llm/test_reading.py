"""A model's text as an object: one leniency, and no text that takes long."""

from __future__ import annotations

import time

import pytest

from groundwire.llm.model import read_object
from groundwire.model.base import JsonObject

FENCE = "```"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": 1}', {"a": 1}),
        (' \n{"a": "价格"}\n', {"a": "价格"}),
        (f'{FENCE}json\n{{"a": 1}}\n{FENCE}', {"a": 1}),
        (f'\n {FENCE}\n\n{{"a": "價格"}}{FENCE} \n', {"a": "價格"}),
        (f'{FENCE}json  \r\n{{"a": "{FENCE}"}}\n{FENCE}', {"a": FENCE}),
        # Prose around it, half a fence, another shape: a repair is asked for instead.
        (f'Here: {FENCE}json\n{{"a": 1}}\n{FENCE}', None),
        (f'{FENCE}json\n{{"a": 1}}', None),
        (f"{FENCE}\n{FENCE}", None),
        (f"{FENCE}\n", None),
        ("[1]", None),
        ('{"a": NaN}', None),
        (r'{"a": "\ud800"}', None),
        ('{"a":' * 100_000, None),
        ("", None),
    ],
)
def test_an_object_is_read_bare_or_in_one_fence(text: str, expected: JsonObject | None) -> None:
    assert read_object(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        f"{FENCE}\n" + "\n " * 100_000,
        f"{FENCE}json\n" + " " * 200_000 + "x",
        f"{FENCE}" + " " * 200_000,
        f"{FENCE}\n" * 50_000,
        " " * 200_000 + "x",
    ],
)
def test_a_hostile_answer_is_refused_at_once(text: str) -> None:
    began = time.process_time()
    assert read_object(text) is None
    assert time.process_time() - began < 1.0
