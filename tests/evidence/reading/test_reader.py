"""The reader: what a passage says of a claim, in English, both Chinese scripts and across; and what it may not say."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundwire.evidence.reading.alignment import Claim, align, claim_of
from groundwire.evidence.reading.analysis import analyse
from groundwire.evidence.reading.comparison import agree
from groundwire.evidence.reading.encoder import PAIR, size
from groundwire.evidence.reading.reader import SURE, decide, names_sibling, read, vetoes, window
from groundwire.language.amounts.numbers import figures
from groundwire.model.stance import StanceScores

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
    assert found.likeliest() == wanted, found.scores
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
    assert found.label not in ("supports", "contradicts"), found.scores


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


def test_what_is_said_has_a_reason_and_its_place_in_the_passage() -> None:
    passage = "It rained. The council did not approve the bridge. Nobody spoke."
    found = read("The council approved the bridge.", passage)
    assert (found.label, found.reason) == ("contradicts", "opposite")
    assert passage[found.start : found.end] == "The council did not approve the bridge."


@pytest.mark.parametrize(
    ("supports", "contradicts", "vetoed", "label"),
    [
        (SURE, 0.0, (), "supports"),
        (SURE - 0.01, 0.0, (), "qualifies"),
        (0.99, 0.0, ("other_figure",), "qualifies"),
        (0.0, SURE, (), "contradicts"),
        (0.0, SURE, ("other_figure",), "contradicts"),
        (0.0, SURE - 0.01, (), "qualifies"),
    ],
)
def test_a_side_needs_certainty_and_support_no_veto(
    supports: float, contradicts: float, vetoed: tuple[str, ...], label: str
) -> None:
    scores = StanceScores(
        supports=supports,
        contradicts=contradicts,
        qualifies=1 - supports - contradicts,
        unrelated=0,
    )
    assert decide(scores, vetoed) == label


@pytest.mark.parametrize("chinese", [False, True])
def test_the_sentence_that_speaks_most_is_read_and_what_is_too_long_is_passed_over(
    chinese: bool,
) -> None:
    claim = "市议会批准了这座桥。" if chinese else "The council approved the bridge."
    filler = (
        "居民在广场上等候了很久，" * 30 + "天黑了。"
        if chinese
        else "People waited " * 90 + "there."
    )
    text = f"{filler}{claim}{filler}" if chinese else f"{filler} {claim} {filler}"
    chosen = window(align(claim_of(claim), analyse(text)))
    assert any(claim.strip() in each.text for each in chosen)
    assert sum(size("zh" if chinese else "en", each.text) for each in chosen) <= PAIR


IN_OTHER_WORDS = [
    ("supports", "Harlow council voted to shut the Millgate swimming pool for good", "Baths to close",
     "Members of Harlow council agreed on Tuesday night, by 19 votes to 14, to close the Millgate baths permanently at the end of March."),
    ("supports", "Jeremy Halloway resigned as chief executive of Northridge Bank", "Northridge names interim chief",
     "Jeremy Halloway has stepped down as chief executive of Northridge Bank with immediate effect, the lender said on Tuesday."),
    ("contradicts", "地震造成57人死亡", "地震", "地震造成14人死亡，官方表示。"),
    ("contradicts", "北嶺銀行行長哈洛威已經辭職", "北嶺銀行聲明", "近日網傳哈洛威辭去行長一職，並非事實，哈洛威仍正常履職。"),
    ("contradicts", "杰里米·哈洛威辞去北岭银行首席执行官一职", "Northridge Bank statement on media reports",
     "Reports that Jeremy Halloway has resigned as chief executive of Northridge Bank are untrue. Mr Halloway remains in his post."),
    ("contradicts", "台積電亞利桑那廠將提前量產", "",
     "TSMC's plant in Arizona will not start mass production before 2028; nothing in the timetable has been brought forward."),
]  # fmt: skip


@pytest.mark.parametrize(("side", "claim", "title", "text"), IN_OTHER_WORDS)
def test_a_side_in_other_words_is_seen_and_quoted(
    side: str, claim: str, title: str, text: str
) -> None:
    found = read(claim, text, title=title)
    assert found.label == side, found.scores
    assert 0 <= found.start < found.end <= len(text)


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("The earthquake in Corran killed 57 people", "The earthquake in Corran did great damage and killed many people."),
        ("科兰地震造成57人死亡", "科兰地震造成严重破坏，多人死亡。"),
        ("科蘭地震造成57人死亡", "科蘭地震造成嚴重破壞，多人死亡。"),
    ],
)  # fmt: skip
def test_a_passage_without_the_claims_figure_supports_nothing(claim: str, text: str) -> None:
    assert "no_figure" in vetoes(align(claim_of(claim), analyse(text)))
    assert read(claim, text).label != "supports"


@pytest.mark.parametrize(
    ("claim", "text", "veto"),
    [
        ("Corran Trust held $10 million at Tallow Bank", "Corran Trust held $3 million at Tallow Bank.", "other_figure"),
        ("科兰信托在腾达银行存有1000万美元", "科兰信托在腾达银行存有300万美元。", "other_figure"),
        ("The bridge opened on 3 May 2024", "The bridge opened on 19 June 2024.", "other_date"),
        ("大橋於2023年3月10日通車", "大橋於2021年8月2日通車。", "other_date"),
    ],
)  # fmt: skip
def test_another_figure_or_day_is_named_and_never_supports(
    claim: str, text: str, veto: str
) -> None:
    found = read(claim, text)
    assert found.label != "supports"
    assert veto in vetoes(align(claim_of(claim), analyse(text)))
    assert found.reason in (veto, "opposite")


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Corran Trust did not hold any reserves at Tallow Bank", "Corran Trust said that $3.3 billion of its reserves remain at Tallow Bank."),
        ("Corran Trust did not hold any reserves at Tallow Bank", "Corran Trust称有33亿美元储备存放在Tallow Bank。"),
        ("科兰信托没有收购腾达银行", "科兰信托以33亿美元收购了腾达银行。"),
        ("科蘭信託沒有收購騰達銀行", "科蘭信託以33億美元收購了騰達銀行。"),
    ],
)  # fmt: skip
def test_a_negated_claim_is_not_supported_by_what_it_denies(claim: str, text: str) -> None:
    assert read(claim, text, title="Corran Trust 科兰信托").label != "supports"


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Tallow released the K1 model", "Tallow denied that it had released the K2 model. The report is false."),
        ("塔洛发布了K1模型", "塔洛否认发布K2模型，称有关报道不实。"),
        ("塔洛發布了K1模型", "塔洛否認發布K2模型，稱有關報導不實。"),
        ("Tallow sells the Lumen 16 for 899 dollars", "Tallow sells the Lumen 15 for 799 dollars."),
        ("塔洛的Lumen 16售价899美元", "塔洛的Lumen 15售价799美元。"),
    ],
)  # fmt: skip
def test_what_is_said_of_a_sibling_says_nothing_of_the_thing(claim: str, text: str) -> None:
    assert read(claim, text).label == "unrelated"


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Kills 57: earthquake in Corran", "The earthquake kills 14."),
        ("About 20 people were hurt", "About 30 people were hurt."),
        ("The 12 states signed", "The 30 states signed."),
        ("It cost USD 50 million", "It cost USD 70 million."),
    ],
)
def test_a_count_is_no_sibling(claim: str, text: str) -> None:
    assert not names_sibling(claim_of(claim).sentence, text)


def test_a_day_is_no_sibling() -> None:
    """March 17 and March 20 are days of one month, not two things of one name."""
    claim = claim_of("The vote is on March 17").sentence
    assert not names_sibling(claim, "The vote is not on March 17 but on March 20.")
    assert not names_sibling(claim, "The vote is on March 20.")


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Shares of Tallow rose 17% on Monday", "Shares of Tallow fell about 17% on Monday."),
        ("Shares of Tallow gained 17% on Monday", "Shares of Tallow fell about 17% on Monday as a start-up showed what it has."),
        ("塔洛股价周一上涨17%", "塔洛股价周一下跌约17%。"),
        ("塔洛股價週一上漲17%", "塔洛股價週一下跌約17%。"),
        ("塔洛股價週一上漲17%", "Shares of Tallow fell about 17% on Monday."),
    ],
)  # fmt: skip
def test_what_went_the_other_way_supports_nothing(claim: str, text: str) -> None:
    assert read(claim, text, title="塔洛 Tallow").label != "supports"


def test_a_headline_lends_its_names() -> None:
    claim = claim_of("Tessera cut 900 jobs in Leeds.")
    alone = align(claim, analyse("The company cut 900 jobs in Leeds."))
    under = align(claim, analyse("The company cut 900 jobs in Leeds.", title="Tessera cuts jobs"))
    assert sum(under.anywhere) > sum(alone.anywhere)


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
    claim, text = (
        "硅谷银行于2023年3月10日被关闭。",
        "Silicon Valley Bank was closed on March 10, 2023.",
    )
    found = align(claim_of(claim), analyse(text))
    assert found.covered[0] > 0.6
    assert read(claim, text).label != "contradicts"


@pytest.mark.parametrize("text", ["", " ", "。", "?", "12", "not"])
def test_texts_without_words_are_about_nothing(text: str) -> None:
    assert read(text, "The council approved the bridge.").label in ("unrelated", "qualifies")
    assert read("The council approved the bridge.", text).label == "unrelated"


def test_a_claim_is_one_statement_whatever_its_commas() -> None:
    claim = Claim(analyse("Gandhidham, Gujarat, India was attacked.", whole=True))
    assert {each.word.key for each in claim.sought} >= {"gandhidham", "gujarat", "india", "attack"}
