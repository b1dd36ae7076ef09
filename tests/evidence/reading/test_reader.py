"""The reader: what a passage says of a claim, in English and both Chinese scripts, by signs that can be named."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundwire.evidence.reading.alignment import Claim
from groundwire.evidence.reading.analysis import analyse
from groundwire.evidence.reading.comparison import agree
from groundwire.evidence.reading.features import NAMES
from groundwire.evidence.reading.pages import view_page
from groundwire.evidence.reading.reader import claim_of, read
from groundwire.evidence.reading.trees import HEADS, Head, weights
from groundwire.language.amounts.numbers import figures

_HERE = Path(__file__).parent

SIDES = [
    # negation, both ways round
    ("contradicts", "The council approved the bridge.", "The council did not approve the bridge."),
    ("contradicts", "The council did not approve the bridge.", "The council approved the bridge on Monday."),
    ("supports", "The council did not approve the bridge.", "The council never approved the bridge."),
    ("contradicts", "市议会批准了这座桥。", "市议会没有批准这座桥。"),
    ("contradicts", "市议会没有批准这座桥。", "市议会批准了这座桥。"),
    ("supports", "市议会没有批准这座桥。", "市议会并未批准这座桥。"),
    ("contradicts", "市議會批准了這座橋。", "市議會並未批准這座橋。"),
    ("supports", "市議會沒有批准這座橋。", "市議會沒有批准這座橋，居民表示失望。"),
    # failed to, refused to
    ("contradicts", "The council approved the bridge.", "The council failed to approve the bridge."),
    ("contradicts", "Norvik paid the fine.", "Norvik refused to pay the fine."),
    ("contradicts", "诺维克支付了罚款。", "诺维克拒绝支付罚款。"),
    ("contradicts", "諾維克支付了罰款。", "諾維克未能支付罰款。"),
    # the negation of another clause turns nothing round
    ("supports", "Withdrawals were halted on Tuesday.", "Deposits were not affected, but withdrawals were halted on Tuesday."),
    ("supports", "提款周二被暂停。", "充值没有受到影响，但提款周二被暂停。"),
    # who did it to whom
    ("contradicts", "Tessera acquired Valor Labs.", "Valor Labs acquired Tessera."),
    ("supports", "Tessera acquired Valor Labs.", "Valor Labs was acquired by Tessera."),
    ("contradicts", "Tessera was acquired by Valor Labs.", "Tessera acquired Valor Labs."),
    ("contradicts", "华星集团收购了北辰银行。", "北辰银行收购了华星集团。"),
    ("supports", "华星集团收购了北辰银行。", "北辰银行被华星集团收购。"),
    # figures
    ("contradicts", "The thieves took $70 million.", "The thieves took $41 million, not $70 million."),
    ("supports", "The thieves took $41 million.", "The thieves took $41 million, not $70 million."),
    ("contradicts", "The earthquake killed 57 people.", "The earthquake killed 14 people."),
    ("contradicts", "地震造成57人死亡。", "地震造成14人死亡。"),
    ("contradicts", "地震造成57人死亡。", "地震造成14人死亡，而不是57人。"),
    ("contradicts", "地震造成57人死亡。", "地震造成14人死亡，而非57人死亡。"),
    # days
    ("contradicts", "The bridge opened on 3 May 2024.", "The bridge opened on 19 June 2024."),
    ("contradicts", "大桥于2023年3月10日通车。", "大桥于2021年8月2日通车。"),
    ("contradicts", "大橋於2023年3月10日通車。", "大橋於2021年8月2日通車。"),
    # denied, called false
    ("contradicts", "Tessera will close its plant in Leeds.", "Tessera denied that it will close its plant in Leeds."),
    ("contradicts", "Tessera will close its plant in Leeds.", "The claim that Tessera will close its plant in Leeds is false."),
    ("contradicts", "The lake is dry.", "Claim: The lake is dry. Rating: False."),
    ("contradicts", "The lake is dry.", "Posts say that the lake is dry. This is untrue."),
    ("contradicts", "海登汽车将关闭利兹工厂。", "海登汽车否认将关闭利兹工厂。"),
    ("contradicts", "海登汽车将关闭利兹工厂。", "网传海登汽车将关闭利兹工厂的消息不实。"),
    ("contradicts", "海登汽車將關閉利茲工廠。", "海登汽車將關閉利茲工廠。該說法是錯誤的。"),
    # opposites
    ("contradicts", "Tessera shares rose on Monday.", "Tessera shares fell on Monday."),
    ("contradicts", "泰瑟拉股价上涨。", "泰瑟拉股价下跌。"),
]  # fmt: skip

NO_SIDE = [
    # told in order to be checked, rumoured, planned, asked, supposed
    ("The council approved the bridge.", "A post shared on Facebook claims that the council approved the bridge."),
    ("The council approved the bridge.", "If the council approved the bridge, work would start."),
    ("The council approved the bridge.", "Did the council approve the bridge?"),
    ("Tessera acquired Valor Labs.", "Tessera plans to acquire Valor Labs."),
    ("市议会批准了这座桥。", "网传市议会批准了这座桥。"),
    ("市议会批准了这座桥。", "市议会是否批准了这座桥？"),
    ("華星集團收購了北辰銀行。", "華星集團計劃收購北辰銀行。"),
    # a denial of something else, and another party
    ("Norvik Bank closed twelve branches.", "Norvik Bank denied reports of a merger."),
    ("Norvik Bank hired Anna Holt.", "Norvik Bank hired Peter Lund."),
    ("诺维克银行关闭了十二家分行。", "诺维克银行否认将与他人合并。"),
]  # fmt: skip


@pytest.mark.parametrize(("wanted", "claim", "passage"), SIDES)
def test_a_side_is_seen(wanted: str, claim: str, passage: str) -> None:
    found = read(claim, passage)
    assert found.likeliest() == wanted, (found.same, found.against, found.stated, found.trace)
    # The product may be more careful, but never on the other side.
    assert found.label in (wanted, "qualifies", "unrelated")


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("Tessera's app hit No. 1 on the chart", "Tessera's app reached first place on the chart."),
        ("泰瑟拉的 app 在免费榜 hit No. 1，超过对手", "泰瑟拉的手机应用升至免费榜首位，超过了对手。"),
        ("泰瑟拉的 app 在免費榜 hit No.1，超過對手", "泰瑟拉的手機應用升至免費榜首位，超過了對手。"),
    ],
)  # fmt: skip
def test_number_one_denies_nothing(claim: str, passage: str) -> None:
    assert read(claim, passage).label != "contradicts"


@pytest.mark.parametrize(("claim", "passage"), NO_SIDE)
def test_no_side_is_taken_where_none_is(claim: str, passage: str) -> None:
    found = read(claim, passage)
    assert found.label not in ("supports", "contradicts"), (found.sign, found.trace)


def rows(name: str) -> list[list[str]]:
    lines = (_HERE / name).read_text("utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


def test_on_the_cases_of_the_rules_it_takes_hardly_a_wrong_side() -> None:
    """Written for the rules that it replaces; not learned from, but looked at. Floors only rise."""
    cases = [
        row for name in ("stance_cases.tsv", "stance_later.tsv") for row in rows(name) if not row[1]
    ]
    found = [(wanted.split("|"), read(claim, passage)) for wanted, _, claim, passage in cases]
    sides = [
        (wanted, reading.label)
        for wanted, reading in found
        if reading.label in ("supports", "contradicts")
    ]
    assert sum(label not in wanted for wanted, label in sides) <= 0.06 * len(sides)
    assert sum(reading.likeliest() in wanted for wanted, reading in found) >= 0.75 * len(found)


def test_what_is_said_has_a_sign_and_a_quote_of_the_passage() -> None:
    passage = "It rained. The council did not approve the bridge. Nobody spoke."
    found = read("The council approved the bridge.", passage)
    assert (found.label, found.sign) == ("contradicts", "negated")
    assert (
        passage[found.start : found.end] == found.quote == "The council did not approve the bridge."
    )
    assert sum(found.scores.values()) == pytest.approx(1.0)


def test_a_page_speaks_by_the_sentence_that_takes_a_side() -> None:
    page = analyse(
        "The council met on Monday. Posts claim that the council approved the bridge. The council did not approve the bridge.",
        title="Council meeting",
    )
    view = view_page(claim_of("The council approved the bridge."), page)
    denier = max(view.readings, key=lambda each: each.scores["contradicts"])
    assert denier.quote == "The council did not approve the bridge."
    assert view.features["contradicts_most"] > 0.8
    assert view.features["retold_share"] > 0


def test_a_headline_lends_its_names() -> None:
    claim = claim_of("Tessera cut 900 jobs in Leeds.")
    alone = read(claim, "The company cut 900 jobs in Leeds.")
    under = read(claim, "The company cut 900 jobs in Leeds.", title="Tessera cuts jobs")
    assert under.trace["covered_around"] > alone.trace["covered_around"]


@pytest.mark.parametrize(
    ("one", "other", "wanted"),
    [
        ("$3.3 billion", "$3.28 billion", "near"),
        ("4100万美元", "$41 million", "same"),
        ("more than 40", "57", "near"),
        ("57", "14", "other"),
        ("$5", "5%", "none"),
    ],
)
def test_figures_agree_at_their_precision(one: str, other: str, wanted: str) -> None:
    assert agree(figures(one)[0], figures(other)[0]) == wanted


def test_the_same_name_in_the_other_language_counts() -> None:
    found = read(
        "硅谷银行于2023年3月10日被关闭。", "Silicon Valley Bank was closed on March 10, 2023."
    )
    assert found.trace["covered_around"] > 0.8
    assert found.label != "contradicts"


def test_the_weights_know_the_features_and_say_where_they_come_from() -> None:
    learned = weights()
    assert learned.names == NAMES
    assert set(learned.heads) == set(HEADS)
    assert "CC-BY" in learned.origin


def test_a_tree_is_followed_to_its_leaf() -> None:
    head = Head([[0, 0.5, -2.0, [1, 0.5, 0.0, 2.0]]])
    assert head.probability([0.0, 1.0]) < 0.2
    assert head.probability([1.0, 0.0]) == pytest.approx(0.5)
    assert head.probability([1.0, 1.0]) > 0.8


@pytest.mark.parametrize("text", ["", " ", "。", "?", "12", "not"])
def test_texts_without_words_are_about_nothing(text: str) -> None:
    assert read(text, "The council approved the bridge.").label in ("unrelated", "qualifies")
    assert read("The council approved the bridge.", text).label == "unrelated"


def test_a_claim_is_one_statement_whatever_its_commas() -> None:
    claim = Claim(analyse("Gandhidham, Gujarat, India was attacked.", whole=True))
    assert {each.word.key for each in claim.sought} >= {"gandhidham", "gujarat", "india", "attack"}
