"""The second reader of pages: sides in other words, in English, both Chinese scripts and across; and what it may not do."""

from __future__ import annotations

import pytest
from tests.evidence.builders import document

from groundwire.evidence.pages.passages import split
from groundwire.evidence.reading.alignment import align
from groundwire.evidence.reading.analysis import analyse
from groundwire.evidence.reading.position import position
from groundwire.evidence.reading.reader import claim_of
from groundwire.evidence.reading.second import SecondReading, names_sibling, read_again
from groundwire.model.source import Evidence
from groundwire.model.stance import StanceLabel, StanceScores

SAID = [
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


@pytest.mark.parametrize(("side", "claim", "title", "text"), SAID)
def test_a_side_in_other_words_is_seen_and_quoted(
    side: StanceLabel, claim: str, title: str, text: str
) -> None:
    found = read_again(align(claim_of(claim), analyse(text, title=title)))
    assert found.label("unrelated") == side, found.scores
    start, end = found.place(side)
    assert 0 <= start < end <= len(text)


def test_the_page_takes_the_side_that_words_did_not_see() -> None:
    _, claim, title, text = SAID[0]
    doc = document(text, title=title)
    page = Evidence(id="ev_1", kind="page", document=doc, passages=split(doc))
    found = position(claim, page)
    assert found.label == "supports"
    assert doc.text[found.start : found.end] == found.quote


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("The earthquake in Corran killed 57 people", "The earthquake in Corran did great damage and killed many people."),
        ("科兰地震造成57人死亡", "科兰地震造成严重破坏，多人死亡。"),
        ("科蘭地震造成57人死亡", "科蘭地震造成嚴重破壞，多人死亡。"),
    ],
)  # fmt: skip
def test_a_page_without_the_claims_figure_supports_nothing(claim: str, text: str) -> None:
    assert read_again(align(claim_of(claim), analyse(text))).label("supports") != "supports"


@pytest.mark.parametrize(
    ("likely", "words", "label"),
    [
        (0.6, "supports", "supports"),
        (0.7, "unrelated", "unrelated"),
        (0.9, "unrelated", "supports"),
        (0.9, "contradicts", "unrelated"),
        (0.97, "contradicts", "supports"),
        (0.4, "supports", "qualifies"),
    ],
)
def test_words_are_its_witness(likely: float, words: StanceLabel, label: StanceLabel) -> None:
    """Sooner where words see it too, only when all but certain where they see the opposite."""
    scores = StanceScores(supports=likely, contradicts=0.0, qualifies=1 - likely, unrelated=0.0)
    text = "The council approved the bridge."
    found = SecondReading(scores, align(claim_of(text), analyse(text)), ())
    assert found.label(words) == label


@pytest.mark.parametrize(("against", "label"), [(0.2, "supports"), (0.55, "unrelated")])
def test_support_in_plain_words_stands_unless_it_leans_to_the_other_side(
    against: float, label: StanceLabel
) -> None:
    scores = StanceScores(supports=0.1, contradicts=against, qualifies=0.9 - against, unrelated=0.0)
    text = "The council approved the bridge."
    found = SecondReading(scores, align(claim_of(text), analyse(text)), ())
    assert found.label("supports", plainly=True) == label
    assert found.label("contradicts", plainly=True) == "contradicts"
    assert found.label("supports") != "supports"


@pytest.mark.parametrize(("likely", "label"), [(0.03, "unrelated"), (0.06, "supports")])
def test_a_side_in_plain_words_must_be_noticed(likely: float, label: StanceLabel) -> None:
    scores = StanceScores(supports=likely, contradicts=0.0, qualifies=0.0, unrelated=1 - likely)
    claim, text = "The council approved the bridge", "The council approved the bridge on Monday."
    found = SecondReading(scores, align(claim_of(claim), analyse(text)), ())
    assert found.label("supports", plainly=True) == label
    # What is there word for word needs nobody's notice.
    whole = SecondReading(scores, align(claim_of(claim), analyse(f"{claim}.")), ())
    assert whole.label("supports", plainly=True) == "supports"


@pytest.mark.parametrize(
    ("claim", "title", "text", "label"),
    [
        ("Euler Finance was hacked for $197 million", "Euler遭闪电贷攻击，损失约1.97亿美元",
         "以太坊借贷协议Euler Finance在2023年3月13日遭到闪电贷攻击，损失约1.97亿美元，涉及DAI、USDC、质押以太币和封装比特币。\n\n攻击者先用闪电贷借入资金，再把差额带走。", "supports"),
        ("Euler Finance was hacked for $197 million", "Euler遭闪电贷攻击",
         "以太坊借贷协议Euler Finance在2023年3月13日遭到闪电贷攻击，损失约1.97亿美元，涉及DAI、USDC、质押以太币和封装比特币。\n\n攻击者先用闪电贷借入资金，再把差额带走。", "unrelated"),
    ],
)  # fmt: skip
def test_a_headline_with_the_claims_figure_needs_no_notice(
    claim: str, title: str, text: str, label: StanceLabel, monkeypatch: pytest.MonkeyPatch
) -> None:
    unseen = StanceScores(supports=0.03, contradicts=0.0, qualifies=0.0, unrelated=0.97)

    def weigh(*_texts: str) -> StanceScores:
        return unseen

    monkeypatch.setattr("groundwire.evidence.reading.second.weigh", weigh)
    doc = document(text, title=title)
    page = Evidence(id="ev_1", kind="page", document=doc, passages=split(doc))
    assert position(claim, page).label == label


@pytest.mark.parametrize(
    ("claim", "title", "rest"),
    [
        ("Harbor Light Bank acquired Marlow Savings for $40 million on 12 November 2026", "Harbor Light Bank", ". The paper reports."),
        ("晨星银行以4000万元收购了海灯储蓄银行", "晨星银行", "。本报报道。"),
        ("晨星銀行以4000萬元收購了海燈儲蓄銀行", "晨星銀行", "。本報報導。"),
    ],
)  # fmt: skip
def test_a_title_that_opens_a_sentence_is_not_cut_off_it(claim: str, title: str, rest: str) -> None:
    """Without its subject a sentence that says the claim word for word would be found nowhere."""
    text = f"{claim}{rest}"
    page = analyse(text, title=title)
    start, end = page.original(page.lead, page.lead)
    assert text[start:end].strip().rstrip(".。") == claim
    below = f"{title}\n\n{text}"
    page = analyse(below, title=title)
    start, end = page.original(page.lead, page.lead)
    assert below[start:end].strip() == title


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
    doc = document(text, title="Corran Trust 科兰信托")
    page = Evidence(id="ev_1", kind="page", document=doc, passages=split(doc))
    assert position(claim, page).label != "supports"


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Tallow released the K1 model", "Tallow denied that it had released the K2 model. The report is false."),
        ("塔洛发布了K1模型", "塔洛否认发布K2模型，称有关报道不实。"),
        ("塔洛發布了K1模型", "塔洛否認發布K2模型，稱有關報導不實。"),
        ("Tallow sells the Lumen 16 for 899 dollars", "Tallow sells the Lumen 15 for 799 dollars."),
        ("塔洛的Lumen 16售价899美元", "塔洛的Lumen 15售价799美元。"),
        ("Tallow's R1 cost 5.6 million dollars to train", "Tallow V3 came out, and its training cost about $5.6 million."),
        ("塔洛训练R1花了560万美元", "塔洛V3发布，训练费用约为560万美元。"),
        ("塔洛訓練R1花了560萬美元", "塔洛V3發布，訓練費用約為560萬美元。"),
    ],
)  # fmt: skip
def test_what_is_said_of_a_sibling_says_nothing_of_the_thing(claim: str, text: str) -> None:
    doc = document(text, title="")
    page = Evidence(id="ev_1", kind="page", document=doc, passages=split(doc))
    assert position(claim, page).label == "unrelated"


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Kills 57: earthquake in Corran", "The earthquake kills 14."),
        ("About 20 people were hurt", "About 30 people were hurt."),
        ("The 12 states signed", "The 30 states signed."),
        ("It cost USD 50 million", "It cost USD 70 million."),
        ("Tallow's Q1 sales rose", "Tallow's sales in Q3 rose."),
        ("Tallow sells the R1", "Leaders of the G7 met."),
        ("塔洛支付USD 50萬", "塔洛支付USD 70萬。"),
        ("塔洛支付USD 50万", "塔洛支付USD 70万。"),
    ],
)
def test_a_count_is_no_sibling(claim: str, text: str) -> None:
    assert not names_sibling(claim_of(claim).sentence, text)


def test_a_day_is_no_sibling() -> None:
    """March 17 and March 20 are days of one month, not two things of one name."""
    claim, text = "The vote is on March 17", "The vote is not on March 17 but on March 20."
    assert read_again(align(claim_of(claim), analyse(text))).label("contradicts") != "unrelated"


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
    doc = document(text, title="塔洛 Tallow")
    page = Evidence(id="ev_1", kind="page", document=doc, passages=split(doc))
    assert position(claim, page).label != "supports"


def label_of(claim: str, text: str, *, supports: float, **signs: bool) -> StanceLabel:
    """What is said of a page that the encoder takes for support, so surely."""
    found = align(claim_of(claim), analyse(text))
    rest = round((1 - supports) / 3, 4)
    scores = StanceScores(supports=supports, contradicts=rest, qualifies=rest, unrelated=rest)
    return SecondReading(scores, found, found.passage.sentences).label("unrelated", **signs)


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("In 2019 Norhaven Bank was closed", "Norhaven Bank was closed on 10 March 2023."),
        ("2019年北港银行被关闭", "北港银行2023年3月10日被关闭。"),
        ("2019年北港銀行遭關閉", "北港銀行2023年3月10日遭關閉。"),
    ],
)
def test_what_is_told_of_another_year_speaks_against_a_claim_that_writes_its_own(
    claim: str, text: str
) -> None:
    assert label_of(claim, text, supports=0.9) == "contradicts"


def test_the_opposite_word_turns_a_page_round_only_where_words_are_sure() -> None:
    claim, text = "Velmora's shares rose about 17%", "Velmora's shares fell about 17% on Monday."
    assert label_of(claim, text, supports=0.95, opposed=True, against=True) == "contradicts"
    assert label_of(claim, text, supports=0.95, opposed=True) == "unrelated"


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("The Velmora Gazette closed after 160 years", "The Velmora Gazette has closed for good."),
        ("成立160年的北港日报停刊", "北港日报停刊，社长宣布。"),
        ("成立160年的北港日報停刊", "北港日報停刊，社長宣布。"),
    ],
)
def test_an_age_that_the_page_lacks_forbids_no_support(claim: str, text: str) -> None:
    assert label_of(claim, text, supports=0.9) == "supports"
    other = claim.replace("160 years", "160 layoffs").replace("成立160年", "裁员160人")
    assert label_of(other, text, supports=0.9) == "unrelated"


@pytest.mark.parametrize(
    ("claim", "text", "label"),
    [
        ("Velmora did not sell its mill", "Velmora sold its mill on Friday.", "unrelated"),
        ("Velmora did not sell its mill", "Velmora never sold its mill.", "supports"),
        ("维莫拉没有出售工厂", "维莫拉周五出售了工厂。", "unrelated"),
        ("維莫拉沒有出售工廠", "維莫拉並未出售工廠。", "supports"),
        # What another sentence negates is another matter.
        ("Savers of Velmora Bank were not protected",
         "All savers of Velmora Bank will be protected. No losses will be borne by the taxpayer.", "unrelated"),
        ("维莫拉银行的储户没有得到保护", "维莫拉银行的所有储户都将得到保护。纳税人不会承担任何损失。", "unrelated"),
        ("維莫拉銀行的存戶沒有獲得保障", "維莫拉銀行的所有存戶都將獲得保障。納稅人不會承擔任何損失。", "unrelated"),
    ],
)  # fmt: skip
def test_a_negated_claim_is_supported_only_by_what_could_negate(
    claim: str, text: str, label: StanceLabel
) -> None:
    assert label_of(claim, text, supports=0.9) == label


def _says(claim: str, title: str, text: str) -> StanceLabel:
    doc = document(text, title=title)
    return position(
        claim, Evidence(id="ev_1", kind="page", document=doc, passages=split(doc))
    ).label


def test_a_headline_that_says_it_supports_no_negation() -> None:
    claim, text = "Velora Bank did not fire Tomas Orlin", "It was not candid with the board."
    assert label_of(claim, text, supports=0.95) == "supports"
    assert label_of(claim, text, supports=0.95, affirmed=True) == "unrelated"


@pytest.mark.parametrize(
    ("claim", "title", "text"),
    [
        ("The Marlo attacker keeps all of the stolen funds", "Marlo says all recoverable funds have been returned",
         "All recoverable funds taken from the Marlo protocol in March have been returned, Marlo Labs said. The attacker began to send money "
         "back on 18 March and returned the last of it on 3 April."),
        ("Kanto 已取回存在海潮银行的全部 5 亿美元储备金", "编译：Kanto称5亿美元储备存放在已倒闭的海潮银行", "稳定币的发行方Kanto于2023年3月10日（星期五）深夜表示，在支持该代币的约400亿美元储备中，仍有5亿美元存放在海潮银行，而监管机构已于当天早些时候关闭了这家银行。"),
        ("Kanto 已取回存在海潮銀行的全部 5 億美元儲備金", "編譯：Kanto稱5億美元儲備存放在已倒閉的海潮銀行", "穩定幣的發行商Kanto於2023年3月10日（星期五）深夜表示，在支持該代幣的約400億美元儲備中，仍有5億美元存放在海潮銀行，而監管機構已於當天早些時候關閉了這家銀行。"),
    ],
)  # fmt: skip
def test_what_is_held_is_not_returned(claim: str, title: str, text: str) -> None:
    assert _says(claim, title, text) in ("contradicts", "unrelated")
    assert align(claim_of(claim), analyse(text, title=title)).against


@pytest.mark.parametrize(
    ("claim", "title", "text"),
    [
        ("Marlo Finance lost 350 million dollars in the flash-loan attack", "Marlo Finance loses almost $200 million in a flash-loan attack",
         "The lending protocol Marlo Finance was attacked on Monday 13 March 2023 and lost about $197 million in several cryptocurrencies, security firms said."),
        ("马洛协议在闪电贷攻击中损失3亿美元", "马洛协议遭闪电贷攻击，损失约1.97亿美元", "借贷协议马洛3月13日遭到闪电贷攻击，损失约1.97亿美元，是今年以来金额最大的一起攻击。"),
        ("馬洛協議在閃電貸攻擊中損失3億美元", "馬洛協議遭閃電貸攻擊，損失約1.97億美元", "借貸協議馬洛3月13日遭到閃電貸攻擊，損失約1.97億美元，是今年以來金額最大的一起攻擊。"),
    ],
)  # fmt: skip
def test_another_figure_for_the_same_loss_speaks_against_it(
    claim: str, title: str, text: str
) -> None:
    doc = document(text, title=title)
    found = position(claim, Evidence(id="ev_1", kind="page", document=doc, passages=split(doc)))
    assert found.label == "contradicts"
    assert "197" in found.quote or "1.97" in found.quote


@pytest.mark.parametrize(
    ("claim", "title", "text"),
    [
        ("Corran's inflation was 0.7% in November", "Preview: Corran's inflation", "Economists polled by the paper expect Corran's inflation to come in at 0.6% in November."),
        ("科兰国11月CPI同比上涨0.7%", "11月CPI前瞻", "调研显示，机构对科兰国11月CPI同比增速的预测均值为0.6%。"),
        ("科蘭國11月CPI年增0.7%", "11月CPI前瞻", "調查顯示，機構對科蘭國11月CPI年增率的預測均值為0.6%。"),
    ],
)  # fmt: skip
def test_a_forecast_denies_no_figure(claim: str, title: str, text: str) -> None:
    assert _says(claim, title, text) != "contradicts"


@pytest.mark.parametrize(
    "claim", ["SEC 起诉 Halden，称其出售未注册代币", "SEC 起訴 Halden，稱其出售未註冊代幣"]
)
def test_what_is_unregistered_is_not_negated(claim: str) -> None:
    text = (
        "The SEC today filed charges against Halden for selling unregistered tokens to investors."
    )
    assert _says(claim, "SEC charges Halden", text) == "supports"
