"""Copies, translations and relays count once."""

from __future__ import annotations

import itertools

from tests.evidence.builders import evidence

from groundwire.evidence.origins import origins
from groundwire.model.base import short_id
from groundwire.model.result import Origin
from groundwire.model.source import Evidence

WIRE = (
    "Circle said on Friday that $3.3 billion of its roughly $40 billion of USDC reserves remain at "
    "Silicon Valley Bank, which was closed by California regulators earlier in the day. The company "
    "said it would continue to operate normally while it waits for clarity from the FDIC."
)
CHINESE = "Circle周五表示，硅谷银行倒闭后，约400亿美元USDC储备中仍有33亿美元存放在该行，公司将照常运营并等待联邦存款保险公司的说明。"
TRADITIONAL = "Circle週五表示，硅谷銀行倒閉後，約400億美元USDC儲備中仍有33億美元存放在該行，公司將照常運營並等待聯邦存款保險公司的說明。"


def lineage(found: tuple[Origin, ...]) -> dict[str, tuple[str, str]]:
    return {line.evidence_id: (line.how, line.of) for origin in found for line in origin.lineage}


def wire(day: str = "2023-03-11") -> Evidence:
    return evidence(WIRE, url="https://reuters.com/1", published=day, publisher="Reuters")


def test_nothing_gives_nothing() -> None:
    assert origins([]) == ()


def test_a_wire_copy_belongs_to_the_wire() -> None:
    first = wire()
    copy = evidence(
        WIRE + " (Reporting by Reuters)", url="https://yahoo.com/1", published="2023-03-12"
    )
    (origin,) = origins([copy, first])
    assert origin.lead == first.id
    assert origin.id == short_id("or", first.id)
    assert origin.members == (first.id, copy.id)
    assert lineage((origin,)) == {copy.id: ("wire copy of", first.id)}


def test_a_trimmed_copy_belongs_to_the_longer_text() -> None:
    first = wire()
    trimmed = evidence(WIRE[:180], url="https://a.example/1", published="2023-03-12")
    assert lineage(origins([first, trimmed])) == {trimmed.id: ("wire copy of", first.id)}


def test_a_later_text_with_much_more_of_its_own_is_an_origin() -> None:
    own = " ".join(f"Reporter finding number {n} came from documents seen here." for n in range(30))
    assert (
        len(
            origins(
                [wire(), evidence(f"{WIRE} {own}", url="https://ft.com/1", published="2023-03-12")]
            )
        )
        == 2
    )


def test_long_texts_are_compared_by_sketch() -> None:
    long = " ".join(f"word{n} tells story{n * 7} about thing{n * 3}" for n in range(400))
    other = " ".join(f"tale{n} gives view{n * 5} upon place{n * 3}" for n in range(400))
    one = evidence(long, url="https://a.example/1", published="2023-03-11")
    copy = evidence(long + " end", url="https://b.example/1", published="2023-03-12")
    different = evidence(other, url="https://c.example/1", published="2023-03-12")
    assert len(origins([one, copy, different])) == 2


def test_traditional_and_simplified_copies_are_one() -> None:
    one = evidence(CHINESE, url="https://a.example/1", published="2023-03-11")
    copy = evidence(TRADITIONAL, url="https://b.example/1", published="2023-03-12")
    assert lineage(origins([one, copy])) == {copy.id: ("wire copy of", one.id)}


def test_short_texts_are_no_copies() -> None:
    one = evidence("USDC fell.", url="https://a.example/1")
    other = evidence("USDC fell!", url="https://b.example/1")
    assert len(origins([one, other])) == 2


def test_a_marked_translation_belongs_to_its_source() -> None:
    first = wire()
    marked = evidence(
        "译自Reuters：储备仍在银行。", url="https://zh.example/1", published="2023-03-12"
    )
    assert lineage(origins([first, marked])) == {marked.id: ("translation of", first.id)}


def test_the_same_facts_in_another_language_are_a_translation() -> None:
    english = evidence(
        "USDC: $3.3 billion of $40 billion at SVB on 10 March 2023, 8% of it, Circle said.",
        url="https://a.example/1",
        published="2023-03-11",
    )
    chinese = evidence(
        "Circle称，2023年3月10日，USDC的400亿美元中有33亿美元在硅谷银行，占8%。",
        url="https://b.example/1",
        published="2023-03-12",
    )
    assert lineage(origins([english, chinese])) == {chinese.id: ("translation of", english.id)}
    other = evidence("Circle称有33亿美元。", url="https://c.example/1", published="2023-03-12")
    assert len(origins([english, other])) == 2


def test_a_relay_of_a_statement_is_one_origin_with_it() -> None:
    statement = evidence(
        "We hold $3.3 billion at the bank.",
        url="https://circle.com/1",
        published="2023-03-10",
        publisher="Circle",
    )
    relays = [
        evidence(
            "According to a statement by Circle, $3.3 billion is there.",
            url="https://a.example/1",
            published="2023-03-11",
        ),
        evidence(
            "据Circle声明，33亿美元仍在银行。", url="https://b.example/1", published="2023-03-11"
        ),
        evidence(
            "據Circle公告，33億美元仍在銀行。", url="https://c.example/1", published="2023-03-11"
        ),
        evidence(
            "Circle said in a statement that nothing changed.",
            url="https://d.example/1",
            published="2023-03-11",
        ),
    ]
    found = origins([statement, *relays])
    assert len(found) == 1
    assert {how for how, _ in lineage(found).values()} == {"cites"}
    reporter = evidence(
        "According to Circle, $3.3 billion is there; we found $3.9 billion.",
        url="https://e.example/1",
    )
    assert len(origins([statement, reporter])) == 2


def test_a_relay_of_two_statements_does_not_make_them_one() -> None:
    one = evidence(
        "We hold $3 billion.",
        url="https://circle.com/1",
        published="2023-03-10",
        publisher="Circle",
    )
    two = evidence(
        "We hold $3 billion.", url="https://paxos.com/1", published="2023-03-10", publisher="Paxos"
    )
    relay = evidence(
        "According to Circle, so it is. According to Paxos, too.",
        url="https://a.example/1",
        published="2023-03-11",
    )
    assert len(origins([one, two, relay])) == 2


def test_pages_that_cite_each_other_are_one_origin() -> None:
    one = evidence(
        "According to Paxos, all is well.",
        url="https://circle.com/1",
        published="2023-03-10",
        publisher="Circle",
    )
    two = evidence(
        "According to Circle, all is well.",
        url="https://paxos.com/1",
        published="2023-03-11",
        publisher="Paxos",
    )
    assert len(origins([one, two])) == 1


def test_one_site_and_one_owner_are_one_origin() -> None:
    first = evidence("Sales rose in the north.", url="https://a.wsj.com/1", published="2023-03-10")
    site = evidence(
        "Something else was said there.", url="https://b.wsj.com/2", published="2023-03-11"
    )
    owner = evidence(
        "A third story was told then.", url="https://barrons.com/3", published="2023-03-12"
    )
    assert lineage(origins([owner, site, first])) == {
        site.id: ("same site as", first.id),
        owner.id: ("same owner as", first.id),
    }


def test_a_sites_own_story_is_not_joined_to_the_copy_it_carries() -> None:
    first = wire()
    copy = evidence(WIRE + " End.", url="https://a.example/copy", published="2023-03-12")
    own = evidence(
        "We counted the branches ourselves.", url="https://a.example/own", published="2023-03-13"
    )
    assert len(origins([first, copy, own])) == 2


def test_files_without_an_address_are_their_own_sites() -> None:
    one = evidence("First file says this.", url="files/one.txt")
    two = evidence("Second file says that.", url="files/two.txt")
    assert len(origins([one, two])) == 2


def test_order_and_repeats_are_no_matter() -> None:
    items = [
        wire(),
        evidence(WIRE + " (Reporting)", url="https://yahoo.com/1", published="2023-03-12"),
        evidence("Another story without a date.", url="https://b.example/1"),
        evidence("译自Reuters：储备仍在银行。", url="https://zh.example/1", published="2023-03-12"),
    ]
    expected = origins(items)
    for order in itertools.permutations(items):
        assert origins([*order, order[0]]) == expected
