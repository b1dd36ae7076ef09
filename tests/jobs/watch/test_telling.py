"""How claims are told: in the reader's language, settled ones first, each matter once, no dateline."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from groundwire.jobs.watch.brief import Reader, sections_of
from groundwire.jobs.watch.ledger.claims import Claim, Compared, Holder, Ledger
from groundwire.jobs.watch.plan_watch import names_of
from groundwire.jobs.watch.subject import spellings
from groundwire.jobs.watch.telling import hinges_on_its_day, in_order, telling_of
from groundwire.language.text.datelines import after_dateline
from groundwire.model.claim import Verdict

EN = "Velmora has stopped sales of the Aurin 5 in Norway because of a defect in its battery."
ZH = "Velmora因电池缺陷已在挪威停止销售Aurin 5。"
OTHER = "Velmora will open a plant in Leipzig with 1,800 employees in March."


def holder(quote: str, number: int = 0, day: date = date(2026, 10, 1)) -> Holder:
    site = f"site{number}.example"
    return Holder(
        evidence_id=f"e{number}",
        url=f"https://{site}/{number}",
        title="News",
        publisher=site,
        published_at=None,
        quote=quote,
        start=10,
        end=10 + len(quote),
        document_id=f"d{number}",
        origin=site,
        own=True,
        as_of=day,
        read_at=datetime(2026, 10, 1, tzinfo=UTC),
    )


def claim(*quotes: str, day: date = date(2026, 10, 1), verdict: Verdict = "supported") -> Claim:
    at = datetime(2026, 10, 1, tzinfo=UTC)
    return Claim(
        id=f"wc-{quotes[0][:12]}",
        text=quotes[0],
        subject="Velmora",
        attribute="",
        kind="act",
        value="",
        key="",
        as_of=day,
        verdict=verdict,
        citations=tuple(holder(each, n, day) for n, each in enumerate(quotes)),
        origins=tuple(f"site{n}.example" for n in range(len(quotes))),
        first_seen=at,
        changed_at=at,
    )


@pytest.mark.parametrize(("language", "text"), [("en", EN), ("zh", ZH), ("zh-Hant", ZH)])
def test_a_claim_is_told_by_its_page_in_the_readers_language(language: str, text: str) -> None:
    for quotes in ((EN, ZH), (ZH, EN)):
        told = telling_of(claim(*quotes), language, {})
        assert (told.text, told.holders[0].quote) == (text, text)
        assert len(told.sentence.citations) == 2


def test_a_page_that_says_something_else_is_not_cited() -> None:
    told = telling_of(claim(ZH, OTHER), "en", {})
    assert told.text == ZH
    assert [each.quote for each in told.holders] == [ZH]


@pytest.mark.parametrize(
    ("dateline", "sentence"),
    [
        ("北辰通讯社首尔电　", "韩国个人信息保护委员会表示，该应用已暂停下载。"),
        ("新华社北京3月5日电", "国务院总理作政府工作报告。"),
        ("中央社台北5日電（記者王小明）", "金管會表示，該案已移送調查。"),
        ("LONDON, March 5 (Reuters) - ", "The bank cut its rate by half a point."),
        ("", "台积电第三季营收创新高。"),
        ("", "The bank (founded 1890) cut its rate."),
    ],
)
def test_a_dateline_is_no_part_of_the_sentence(dateline: str, sentence: str) -> None:
    text = dateline + sentence
    assert text[after_dateline(text) :] == sentence
    told = telling_of(claim(text), "zh", {})
    (cited,) = told.sentence.citations
    assert (told.text, cited.quote, cited.start) == (sentence, sentence, 10 + len(dateline))


def test_the_newest_of_what_is_settled_comes_first_and_a_matter_once() -> None:
    old = claim("Velmora reported a profit of $40 million for 2025.", day=date(2026, 2, 1))
    new = claim(OTHER, day=date(2026, 9, 1))
    said = claim(
        "Velmora is to be sold this winter, which was never confirmed.", day=date(2026, 10, 1)
    )
    unsure = claim(EN, day=date(2026, 9, 30), verdict="qualified")
    again = claim(EN.replace("has stopped", "stopped"), day=date(2026, 9, 30))
    told = in_order(telling_of(each, "en", {}) for each in (old, said, unsure, again, new))
    assert [each.claim for each in told] == [again, new, old, said]


def test_of_the_same_weight_the_readers_language_comes_first() -> None:
    both = [claim("Velmora的新厂将于三月在莱比锡开业，员工一千八百人。"), claim(EN)]
    for language, first in (("en", EN), ("zh", both[0].text)):
        told = in_order(telling_of(each, language, {}) for each in both)
        assert told[0].text == first


@pytest.mark.parametrize(
    ("subject", "name"),
    [("OpenAI's leadership", "OpenAI"), ("OpenAI 的领导层", "OpenAI"), ("台積電的產能", "台積電")],
)
def test_whose_a_subject_is_names_it_too(subject: str, name: str) -> None:
    assert names_of(subject)[0] == subject
    assert name in names_of(subject)


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("比特幣 ETF", "美国批准比特币现货ETF上市。", "比特币现货ETF"),
        ("比特幣 ETF", "美國批准比特幣現貨ETF上市。", "比特币现货ETF"),
        ("Bitcoin ETF", "It approved spot bitcoin ETFs.", "bitcoin ETFs"),
    ],
)
def test_a_name_of_several_words_is_known_as_pages_write_it(
    name: str, text: str, found: str
) -> None:
    assert spellings((name,), (text,)) == (name, found)
    assert spellings(("Velmora",), (text,)) == ("Velmora",)


@pytest.mark.parametrize(("text", "again"), [(EN, EN), (ZH, ZH.replace("已在", "在"))])
def test_what_is_contested_is_not_told_as_new_as_well(text: str, again: str) -> None:
    doubted = claim(text, verdict="contested").model_copy(update={"state": "contested"})
    ledger = Ledger(claims=(claim(again).model_copy(update={"id": "again"}), doubted))
    reader = Reader("en", {})
    new, _, contested, _ = sections_of(Compared(ledger=ledger), (), reader, first=True, gaps=())
    assert new.sentences == ()
    assert [each.text for each in contested.sentences] == [text]


@pytest.mark.parametrize(
    ("text", "hinges"),
    [
        ("Two days ago, the bank failed.", True),
        ("兩天前，加州的矽谷銀行才剛倒閉。", True),
        ("昨日，公司宣布停产。", True),
        ("First Citizens bought the bank this week.", True),
        ("The bank was closed on 12 March.", True),
        ("The bank was closed on Sunday 12 March 2023.", False),
        ("签名银行于2023年3月12日（星期日）被关闭。", False),
        ("簽名銀行在2023年3月12日遭到關閉。", False),
        ("The bank has forty branches.", False),
    ],
)
def test_a_sentence_that_counts_from_its_day_is_known(text: str, hinges: bool) -> None:
    assert hinges_on_its_day(text) is hinges
