"""The stance of whole pages: floors on tables nobody learned from, and what may never be."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from tests.evidence.builders import document

from groundwire.evidence.pages.flags import text_flags
from groundwire.evidence.pages.passages import split
from groundwire.evidence.reading.position import position
from groundwire.evidence.reading.trees import HEADS, page_weights
from groundwire.model.source import Evidence

_HERE = Path(__file__).parent
_SIDES = ("supports", "contradicts")


def page(title: str, text: str, day: str | None = None, publisher: str | None = None) -> Evidence:
    doc = document(text, title=title, published=day, publisher=publisher)
    return Evidence(
        id=f"ev_{doc.id}", kind="page", document=doc, passages=split(doc), flags=text_flags(doc)
    )


def cells(name: str) -> Iterator[list[str]]:
    for line in (_HERE / name).read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")


def pages() -> list[tuple[str, str, str]]:
    """What is right and what was found for pages that the weights were not learned from."""
    found: list[tuple[str, str, str]] = []
    for wanted, day, claim, title, text in cells("position_last.tsv"):
        own = position(claim, page(title, text.replace(" ¶ ", "\n\n"), day))
        found.append((wanted, own.label, claim))
    for claim, text, wanted in cells("paraphrase_last.tsv"):
        title, _, lead = text.partition("\\n")
        found.append((wanted, position(claim, page(title, lead)).label, claim))
    return found


def test_of_pages_that_were_not_learned_from_hardly_any_is_on_the_wrong_side() -> None:
    """Floors only rise."""
    found = pages()
    wrong = [
        case for case in found if case[1] in _SIDES and case[0] in _SIDES and case[0] != case[1]
    ]
    assert len(wrong) / len(found) <= 0.03, wrong
    assert sum(label in wanted.split("|") for wanted, label, _ in found) / len(found) >= 0.45


TEXT = (
    "Attackers drained $41 million from Ferrant Protocol on Tuesday. The team paused its markets."
)
CLAIM = "Hackers drained $41 million from Ferrant Protocol"


@pytest.mark.parametrize(
    ("title", "text", "label"),
    [
        ("Satire: Ferrant loses everything", TEXT, "unrelated"),
        ("Retracted: Ferrant hack", f"This article has been retracted. {TEXT}", "contradicts"),
        ("Ferrant hack", TEXT, "supports"),
    ],
)
def test_what_a_page_says_of_itself_decides_what_its_words_are_worth(
    title: str, text: str, label: str
) -> None:
    assert position(CLAIM, page(title, text)).label == label


@pytest.mark.parametrize(
    ("claim", "title", "text"),
    [
        ("The council did not approve the bridge", "Bridge approved", "The council approved the bridge on Monday."),
        ("The council approved the bridge", "No bridge", "The council did not approve the bridge on Monday."),
        ("市议会没有批准这座桥", "大桥获批", "市议会周一批准了这座桥。"),
        ("市議會批准了這座橋", "大橋未獲批准", "市議會週一沒有批准這座橋。"),
        ("Hackers drained $82 million from Ferrant Protocol", "Ferrant hacked", TEXT),
    ],
)  # fmt: skip
def test_a_page_that_says_otherwise_never_supports(claim: str, title: str, text: str) -> None:
    assert position(claim, page(title, text)).label == "contradicts"


@pytest.mark.parametrize(
    ("claim", "denial"),
    [
        ("Astrella agreed to buy Moodring", "Reports that Astrella has agreed to buy Moodring are false. No such deal exists."),
        ("星海公司同意收购慕德", "近日有自媒体称星海公司同意收购慕德。经核实，上述信息不实。"),
        ("星海公司同意收購慕德", "近日有自媒體稱星海公司同意收購慕德。經查證，該說法不實。"),
    ],
)  # fmt: skip
def test_a_denial_of_this_contradicts_it(claim: str, denial: str) -> None:
    assert position(claim, page("Our response", denial)).label == "contradicts"


@pytest.mark.parametrize(
    ("claim", "title", "saying", "beside"),
    [
        ("Ferrant Protocol was hacked for 41 million dollars", "Ferrant loses almost $41 million",
         "The lending protocol Ferrant was attacked on Monday and lost about $41 million, security firms said.",
         "Ferrant Labs, the company behind the protocol, said that it was aware of the attack."),
        ("费兰协议被盗4100万美元", "费兰协议遭攻击", "借贷协议费兰周一遭到攻击，损失约4100万美元。", "费兰实验室表示已知悉此次攻击。"),
        ("費蘭協議被盜4100萬美元", "費蘭協議遭攻擊", "借貸協議費蘭週一遭到攻擊，損失約4100萬美元。", "費蘭實驗室表示已知悉此次攻擊。"),
    ],
)  # fmt: skip
def test_the_sentence_that_says_it_is_quoted(
    claim: str, title: str, saying: str, beside: str
) -> None:
    found = position(claim, page(title, f"{saying} {beside}"))
    assert (found.label, found.quote) == ("supports", saying)


def test_an_old_page_denies_nothing_that_was_said_since() -> None:
    claim = "Harrow Exchange was hacked and lost $26 million"
    text = "Harrow Exchange was not hacked and did not lose $26 million, it said."
    assert position(claim, page("Denial", text, "2025-09-24"), told=date(2025, 9, 25)).label == (
        "contradicts"
    )
    assert position(claim, page("Denial", text, "2023-09-12"), told=date(2025, 9, 25)).label == (
        "unrelated"
    )


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Tallow Bank holds money at Corran Trust", "Marlowe Exchange holds money at Corran Trust, it said."),
        ("腾达银行在科兰信托存有资金", "马洛交易所称在科兰信托存有资金。"),
        ("騰達銀行在科蘭信託存有資金", "馬洛交易所稱在科蘭信託存有資金。"),
    ],
)  # fmt: skip
def test_a_page_that_never_names_the_party_is_about_another(claim: str, text: str) -> None:
    assert position(claim, page("Corran Trust", text)).label != "supports"


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Corran Trust held $10 million at Tallow Bank", "Corran Trust held $3 million at Tallow Bank. Its funds in all banks are about $9.8 million."),
        ("科兰信托在腾达银行存有1000万美元", "科兰信托在腾达银行存有300万美元。其在各银行的资金约为980万美元。"),
        ("科蘭信託在騰達銀行存有1000萬美元", "科蘭信託在騰達銀行存有300萬美元。其在各銀行的資金約為980萬美元。"),
    ],
)  # fmt: skip
def test_a_figure_of_something_else_on_the_page_lends_nothing(claim: str, text: str) -> None:
    assert position(claim, page("Corran Trust", text)).label != "supports"


def test_on_its_own_site_a_party_is_we() -> None:
    claim = "Marlowe Exchange halted withdrawals"
    text = "We have halted withdrawals while we move to new wallets. Trading goes on."
    own = position(claim, page("Withdrawals halted", text, publisher="Marlowe Exchange"))
    other = position(claim, page("Withdrawals halted", text, publisher="Colston"))
    assert own.scores.supports > other.scores.supports


@pytest.mark.parametrize("claim", ["", "。", "🚀", "the of and", "的了吗", "9" * 300])
@pytest.mark.parametrize("text", ["", "\n\n", "。", TEXT, "русский текст 中文", "8" * 3000])
def test_odd_texts_get_a_stance_with_a_true_quote(claim: str, text: str) -> None:
    found = position(claim, page("", text))
    assert text[found.start : found.end] == found.quote
    assert bool(found.quote) or found.label == "unrelated" or not text.strip()


def test_the_weights_of_pages_say_where_they_come_from() -> None:
    learned = page_weights()
    assert set(learned.heads) == set(HEADS)
    assert "lab.training.pages" in learned.origin


@pytest.mark.parametrize(
    ("claim", "text", "publisher"),
    [
        ("Ashgrove's mayor Dale Hutchins has resigned",
         "Dale Hutchins handed in his letter of resignation as mayor to the city clerk this afternoon, with immediate effect.",
         "City of Ashgrove"),
        ("东州大学已经取消历史学专业", "历史学专业自今年起正式取消，不再招生。", "东州大学"),
        ("東州大學已經取消歷史學專業", "歷史學專業自今年起正式取消，不再招生。", "東州大學"),
    ],
)  # fmt: skip
def test_who_publishes_a_page_need_not_be_named_on_it(
    claim: str, text: str, publisher: str
) -> None:
    assert position(claim, page("", text, publisher=publisher)).label == "supports"
    assert position(claim, page("", text)).label != "supports"


@pytest.mark.parametrize("claim", ["輝達股價上漲約17%", "英伟达股价上涨约17%"])
def test_a_page_without_the_name_supports_nothing_across_languages(claim: str) -> None:
    text = (
        "First Citizens bought the bank this week, and its share price rose by about 17% in a day."
    )
    assert position(claim, page("A family bank takes over", text)).label != "supports"


def test_words_that_only_look_like_opposites_turn_nothing_round() -> None:
    text = "The issuer disclosed that its cash was at Norhaven Bank, which was closed on Friday."
    assert position("Norhaven Bank was closed", page("", text)).label != "contradicts"


def test_a_page_on_another_matter_tells_no_part() -> None:
    claim = "蘋果發表 iPhone 15，全系列仍使用 Lightning 連接埠"
    text = (
        "Apple's market value fell by about $200 billion in two days after reports that China had told some civil "
        "servants not to use iPhones at work. The shares lost 3.6 percent on Wednesday and another 2.9 percent on "
        "Thursday 7 September 2023.\n\nThe newspapers that reported it cited people familiar with the matter; no "
        "document was published. It was not clear how many agencies were concerned or whether state companies would "
        "follow.\n\nGreater China brought in about 19 percent of Apple's revenue in its last financial year. Huawei "
        "had put a new phone with a Chinese-made processor on sale the week before, without announcing it in "
        "advance.\n\nApple did not comment. It is due to present new phones on Tuesday."
    )
    title = "Apple loses about $200 billion in two days on report of Chinese curbs"
    assert position(claim, page(title, text)).label == "unrelated"
