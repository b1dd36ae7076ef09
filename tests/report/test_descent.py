"""What a page descends from, told beside its publisher's name."""

from __future__ import annotations

import pytest
from tests.made_reports import evidence

from groundwire.model.result import Lineage, Origin
from groundwire.report import blocks, sections
from groundwire.words import words


@pytest.mark.parametrize(
    ("language", "own", "other"),
    [
        ("en", "another page of this site", "wire copy of"),
        ("zh", "同一网站的另一页", "转载自"),
        ("zh-Hant", "同一網站的另一頁", "轉載自"),
    ],
)
def test_a_page_is_not_said_to_be_of_the_same_site_as_itself(
    language: str, own: str, other: str
) -> None:
    say = words(language)
    first, second = evidence(1), evidence(2)
    second = second.model_copy(update={"publisher": first.publisher, "url": first.url + "/2"})
    third = evidence(3)
    views = [first, second, third]
    origin = Origin(
        id="o1",
        lead=first.id,
        members=tuple(each.id for each in views),
        lineage=(
            Lineage(evidence_id=second.id, how="same site as", of=first.id),
            Lineage(evidence_id=third.id, how="wire copy of", of=first.id),
        ),
    )
    entries = {
        each.id: blocks.SourceEntry(evidence_id=each.id, publisher=each.publisher, title="t")
        for each in views
    }
    (group,) = sections.origin_groups(views, [origin], entries, say)
    _, same, copied = (each.lineage for each in group.items)
    assert same == own
    assert copied.startswith(other)
    assert first.publisher in copied
