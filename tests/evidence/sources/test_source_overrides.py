"""An analyst's judgement overrides what ships with the product, and says so."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from tests.evidence.builders import evidence

from groundwire.evidence.sources.origins import origins
from groundwire.evidence.sources.overrides import apply_override, override_of
from groundwire.model.source import Override, Tier

AT = datetime(2026, 11, 16, tzinfo=UTC)


def rule(domain: str, tier: Tier | None = None, owner: str | None = None) -> Override:
    return Override(domain=domain, tier=tier, owner=owner, why="读过", by="ana", at=AT)


RULES = (rule("news.example", "trade"), rule("blog.news.example", "social"), rule("b.example"))


@pytest.mark.parametrize(
    ("url", "domain"),
    [
        ("https://news.example/1", "news.example"),
        ("https://www.news.example/1", "news.example"),
        ("https://blog.news.example/1", "blog.news.example"),  # the closest says most
        ("https://a.blog.news.example/1", "blog.news.example"),
        ("https://notnews.example/1", None),
        ("https://news.example.evil.example/1", None),
        ("some-file", None),
    ],
)
def test_the_closest_judgement_holds(url: str, domain: str | None) -> None:
    found = override_of(url, RULES)
    assert (found.domain if found else None) == domain


def test_a_judged_source_has_the_analysts_tier_and_shows_it() -> None:
    plain = evidence("text", url="https://news.example/1", tier="unknown", flags=("opinion",))
    found = apply_override(plain, RULES)
    assert (found.tier, found.flags, found.id) == ("trade", ("analyst", "opinion"), plain.id)
    assert apply_override(evidence("text", url="https://c.example/1"), RULES).flags == ()


def test_a_judgement_without_a_tier_leaves_it() -> None:
    assert (
        apply_override(evidence("t", url="https://b.example/1", tier="wire"), RULES).tier == "wire"
    )


def test_sites_of_one_owner_are_one_origin() -> None:
    pages = [
        evidence("Circle disclosed its reserves on Friday.", url="https://one.example/1"),
        evidence("储备在星期五公布，价格随后下跌。", url="https://two.example/1"),
    ]
    owned = (rule("one.example", owner="Acme"), rule("two.example", owner="Acme"))
    assert len(origins(pages)) == 2
    assert len(origins([apply_override(page, owned) for page in pages])) == 1
