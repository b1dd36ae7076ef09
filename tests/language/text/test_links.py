"""Addresses in text."""

from __future__ import annotations

import pytest

from groundwire.language.text.links import has_link, is_bare, links, without_links


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Go to usdc-claim.top now", ["usdc-claim.top"]),
        ("见usdc-claim.top。", ["usdc-claim.top"]),
        ("請見circle-claim.finance", ["circle-claim.finance"]),
        ("x.example", ["x.example"]),
        ("evil[.]com and evil(dot)org", ["evil.com", "evil.org"]),
        ("点击evil。com", ["evil.com"]),
        ("hxxp://evil.test/x", ["hxxp://evil.test/x"]),
        ("t.me/scam", ["t.me/scam"]),
        ("ｅｖｉｌ．ｃｏｍ", ["evil.com"]),
        ("write to a@b.com", ["b.com"]),
        ("www.evil.com", ["www.evil.com"]),
    ],
)
def test_found(text: str, found: list[str]) -> None:
    assert links(text) == found
    assert has_link(text)
    assert not has_link(without_links(text))


@pytest.mark.parametrize(
    "text",
    [
        "The U.S. and the U.S.A.", "e.g. this", "$3.3bn", "Node.js", "OpenAI.Microsoft said", "Mr.Li",
        "at 5 p.m.It fell", "It fell.The bank", "No.10", "GPT-4.5", "3.14", "跌至0.87美元。报道说", "10:30",
    ],
)  # fmt: skip
def test_not_taken_for_an_address(text: str) -> None:
    assert links(text) == []
    assert without_links(text) == text


def test_a_bare_domain_is_told_from_a_page() -> None:
    assert is_bare("circle.com")
    assert not is_bare("circle.com/x")
    assert not is_bare("https://circle.com")
