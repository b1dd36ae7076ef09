"""What a model's reading may change, and what it may not."""

from __future__ import annotations

import pytest
from tests.evidence.builders import evidence

from groundwire.evidence.reading.model_stance import (
    decided,
    is_opposed,
    quoted_in,
    refined,
    settled,
)
from groundwire.model.stance import SILENT, ReadLabel, Stance, StanceLabel

CLAIM = "Orchard Swap lost $41 million to an attacker"
TEXT = "Orchard Swap lost $41 million to an attacker on Tuesday. The team has paused withdrawals."
QUOTE = "Orchard Swap lost $41 million to an attacker on Tuesday."
OTHER = "Orchard Swap opened an office in Lisbon on Monday, its founder said."
ZH_CLAIM = "果园协议被盗4100万美元"
ZH_TEXT = "果园协议周二被盗4100万美元。团队已暂停提款。"


def own(label: StanceLabel, quote: str = QUOTE) -> Stance:
    return SILENT.model_copy(update={"label": label, "quote": quote, "start": 0, "end": len(quote)})


def label(
    before: StanceLabel,
    said: ReadLabel,
    quote: str,
    *,
    claim: str = CLAIM,
    text: str = TEXT,
    flags: tuple[str, ...] = (),
) -> StanceLabel:
    page = evidence(text, flags=flags)
    place = (page, page.passages[0])
    return refined(claim, own(before), said, quote, place).label


@pytest.mark.parametrize(
    ("before", "said", "after"),
    [
        ("unrelated", "supports", "supports"),
        ("qualifies", "supports", "supports"),
        ("qualifies", "contradicts", "contradicts"),
        ("qualifies", "unrelated", "unrelated"),
        ("supports", "contradicts", "supports"),
        ("supports", "unrelated", "supports"),
        ("contradicts", "supports", "contradicts"),
        ("contradicts", "unrelated", "contradicts"),
        # Of a silent page an adviser's doubt counts for nothing: one such page would make a message "qualified".
        ("unrelated", "contradicts", "unrelated"),
        ("unrelated", "qualifies", "unrelated"),
        ("unrelated", "rumour", "unrelated"),
    ],
)
def test_what_a_model_changes(before: StanceLabel, said: ReadLabel, after: StanceLabel) -> None:
    assert label(before, said, QUOTE) == after


def test_a_chinese_page_is_made_to_speak_by_its_own_words() -> None:
    quote = "果园协议周二被盗4100万美元。"
    assert label("unrelated", "supports", quote, claim=ZH_CLAIM, text=ZH_TEXT) == "supports"


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        (OTHER, OTHER),  # words that do not say it
        ("Orchard Swap lost $41 million to an attacker.", OTHER),  # words that stand nowhere
        ("Orchard Swap lost $14 million to an attacker on Tuesday.", TEXT.replace("41", "14")),
    ],
)
def test_nobody_supports_a_claim_that_the_quote_does_not_carry(quote: str, text: str) -> None:
    assert label("unrelated", "supports", quote, text=text) == "unrelated"


@pytest.mark.parametrize("flag", ["satire", "retraction"])
def test_what_counts_for_nothing_is_not_made_to_count(flag: str) -> None:
    assert label("unrelated", "supports", QUOTE, flags=(flag,)) == "unrelated"


# A decider's reading: (claim, page, what it says, its quote, what counts).
DECIDED: tuple[tuple[str, str, StanceLabel, str, StanceLabel | None], ...] = (
    (CLAIM, TEXT, "supports", QUOTE, "supports"),
    (CLAIM, TEXT, "contradicts", QUOTE, "contradicts"),
    (CLAIM, TEXT, "qualifies", QUOTE, "qualifies"),
    (CLAIM, TEXT, "unrelated", "", "unrelated"),
    (CLAIM, TEXT, "supports", "The team has paused withdrawals and repaid users.", None),
    (CLAIM, TEXT.replace("41", "14"), "supports", QUOTE.replace("41", "14"), "qualifies"),
    (CLAIM, OTHER, "supports", OTHER, "qualifies"),
    (ZH_CLAIM, ZH_TEXT, "supports", "果园协议周二被盗4100万美元。", "supports"),
    (ZH_CLAIM, ZH_TEXT.replace("4100", "1400"), "supports", "被盗1400万美元", "qualifies"),
    (ZH_CLAIM, "果园协议否认被盗，称资金安全。", "contradicts", "果园协议否认被盗", "contradicts"),
    (ZH_CLAIM, ZH_TEXT, "contradicts", "果园协议否认被盗", None),
    ("果園協議被盜4100萬美元", "果園協議週二被盜4100萬美元。", "supports", "果園協議週二被盜4100萬美元。", "supports"),
    ("果園協議被盜4100萬美元", "果園協議週二被盜約900萬美元。", "supports", "果園協議週二被盜約900萬美元。", "qualifies"),
)  # fmt: skip


@pytest.mark.parametrize(("claim", "text", "said", "quote", "after"), DECIDED)
@pytest.mark.parametrize("before", ["unrelated", "supports", "contradicts"])
def test_a_decider_is_believed_on_words_and_values_that_stand(
    before: StanceLabel,
    claim: str,
    text: str,
    said: StanceLabel,
    quote: str,
    after: StanceLabel | None,
) -> None:
    page = evidence(text)
    found = decided(claim, own(before), said, quote, (page, page.passages[0]))
    assert (found.label if found else None) == after
    if found and found.quote:
        assert page.document.text[found.start : found.end] == found.quote


@pytest.mark.parametrize(
    ("claim", "text", "after"),
    [
        ("Dubai's VARA revoked Nyx Exchange's licence", "The emirate's watchdog took the licence of Nyx Exchange away.", "supports"),
        ("Harlow lost more than 12% in a day", "Harlow fell by 12.6 percent on Thursday.", "supports"),
        ("Harlow lost more than 12% in a day", "Harlow lost almost 13% since Wednesday.", "supports"),
        ("哈洛一天跌超过12%", "哈洛单日跌幅逾一成二。", "supports"),
        ("哈洛一天跌超過12%", "哈洛單日跌幅逾一成二。", "supports"),
        ("Harlow lost more than 12% in a day", "Harlow fell by 9 percent on Thursday.", "qualifies"),
        ("Orchard Swap lost $41 million", "Maple Bridge lost $41 million to a thief.", "qualifies"),
        ("Harlow was hit on 3 June 2026", "Harlow was hit on 5 May 2026, the mayor said.", "qualifies"),
        ("厂家召回3个批次", "厂家说，召回三批次婴儿配方奶粉。", "supports"),
        ("廠家召回3個批次", "廠家說，召回三批次嬰兒配方奶粉。", "supports"),
        ("厂家召回3个批次", "厂家说，召回五批次婴儿配方奶粉。", "qualifies"),
        ("枫桥协议被盗4100万美元", "果园协议周二被盗4100万美元。", "qualifies"),
    ],
)  # fmt: skip
def test_support_needs_the_values_and_somebody_whom_the_claim_names(
    claim: str, text: str, after: StanceLabel
) -> None:
    page = evidence(text)
    found = decided(claim, SILENT, "supports", text, (page, page.passages[0]))
    assert found is not None and found.label == after


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        (CLAIM, "An anonymous post says that Orchard Swap lost $41 million."),
        (ZH_CLAIM, "网传果园协议被盗4100万美元，未经证实。"),
        ("果園協議被盜4100萬美元", "網傳果園協議被盜4100萬美元，未經證實。"),
    ],
)
def test_hearsay_qualifies_and_is_known_as_such_in_copies_too(claim: str, text: str) -> None:
    page, copy = evidence(text), evidence(text, url="https://b.example/1")
    found = decided(claim, SILENT, "rumour", text, (page, page.passages[0]))
    assert found is not None and (found.label, found.is_hearsay) == ("qualifies", True)
    copied = quoted_in(found, SILENT, copy)
    assert copied is not None and copied.is_hearsay
    plain = decided(claim, SILENT, "qualifies", text, (page, page.passages[0]))
    assert plain is not None and not plain.is_hearsay


def test_what_the_claim_says_may_stand_in_the_headline_or_in_who_speaks() -> None:
    headline = evidence("An attacker took the money on Tuesday.", title=CLAIM)
    place = (headline, headline.passages[0])
    found = decided(CLAIM, SILENT, "supports", headline.document.text, place)
    assert found is not None and found.label == "supports"
    party = evidence("We lost $41 million to an attacker.", publisher="Orchard Swap")
    found = decided(CLAIM, SILENT, "supports", party.document.text, (party, party.passages[0]))
    assert found is not None and found.label == "supports"


@pytest.mark.parametrize("flag", ["satire", "retraction", "own_report", "injection"])
def test_a_decider_makes_no_witness_of_what_is_none(flag: str) -> None:
    page = evidence(TEXT, flags=(flag,))
    assert decided(CLAIM, SILENT, "supports", QUOTE, (page, page.passages[0])) is None


@pytest.mark.parametrize(
    ("claim", "text", "side", "said", "opposed"),
    [
        (CLAIM, "Orchard Swap did not lose $41 million to an attacker.", "contradicts", "supports", True),
        (CLAIM, "Orchard Swap did not lose $41 million to an attacker.", "contradicts", "qualifies", False),
        (CLAIM, "The weather in Lisbon is fine.", "contradicts", "supports", False),
        (CLAIM, QUOTE, "supports", "contradicts", True),
        ("议会周二通过了预算案", "议会周二没有通过预算案。", "contradicts", "supports", True),
        ("議會週二通過了預算案", "議會週二沒有通過預算案。", "contradicts", "supports", True),
    ],
)  # fmt: skip
def test_only_a_sign_with_a_name_has_a_page_read_again(
    claim: str, text: str, side: StanceLabel, said: StanceLabel, opposed: bool
) -> None:
    assert is_opposed(claim, own(side, text), said, evidence(text)) is opposed


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Lisbon metro strike: all four lines shut", "There is no service on the Blue, Yellow, Green and Red lines."),
        ("东州大学没有取消历史学专业", "近日有自媒体称我校撤销历史学专业，该说法不实。"),
        ("東州大學沒有取消歷史學系", "近日有自媒體稱本校撤銷歷史學系，該說法不實。"),
    ],
)  # fmt: skip
def test_names_may_be_missing_from_what_was_read_twice_or_what_rules_support(
    claim: str, text: str
) -> None:
    page = evidence(text)
    place = (page, page.passages[0])
    labels = [
        found.label
        for rules, twice in ((SILENT, False), (SILENT, True), (own("supports"), False))
        if (found := decided(claim, rules, "supports", text, place, twice=twice))
    ]
    assert labels == ["qualifies", "supports", "supports"]


def test_values_may_not_be_missing_however_often_it_was_read() -> None:
    page = evidence(TEXT.replace("41", "14"))
    quote = QUOTE.replace("41", "14")
    found = decided(CLAIM, SILENT, "supports", quote, (page, page.passages[0]), twice=True)
    assert found is not None and found.label == "qualifies"


@pytest.mark.parametrize(
    ("rules", "first", "second", "after"),
    [
        ("unrelated", "supports", "supports", ("supports", False)),
        ("unrelated", "supports", "unrelated", ("unrelated", False)),
        ("unrelated", "supports", "qualifies", ("qualifies", True)),
        ("unrelated", "supports", "contradicts", ("qualifies", True)),
        ("supports", "unrelated", "supports", ("supports", False)),
        ("qualifies", "contradicts", None, ("contradicts", False)),
    ],
)
def test_two_of_three_readings_settle_it(
    rules: StanceLabel,
    first: StanceLabel,
    second: StanceLabel | None,
    after: tuple[StanceLabel, bool],
) -> None:
    again = None if second is None else own(second)
    stance, differently = settled(own(rules), own(first), again, opposed=False)
    assert (stance.label, differently) == after


def test_a_second_reading_settles_it_only_by_agreeing_with_the_rules() -> None:
    rules, first = own("contradicts"), own("supports")
    assert settled(rules, first, own("contradicts"), opposed=True) == (own("contradicts"), False)
    for second in (own("supports"), own("unrelated"), None):
        stance, differently = settled(rules, first, second, opposed=True)
        assert (stance.label, differently) == ("qualifies", True)


def test_a_copy_is_quoted_in_its_own_words_or_not_at_all() -> None:
    copy = evidence(f"By our staff. {TEXT}")
    found = quoted_in(own("supports"), SILENT, copy)
    assert found is not None and found.quote == QUOTE.rstrip(".")
    assert copy.document.text[found.start : found.end] == found.quote
    assert quoted_in(own("supports"), SILENT, evidence(OTHER)) is None
