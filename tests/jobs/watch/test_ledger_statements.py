"""What is read out of sentences about a subject: attribute, value, manner and side, in both languages."""

from __future__ import annotations

from datetime import date

import pytest

from groundwire.evidence.reading.analysis import analyse
from groundwire.jobs.watch.ledger.statements import Statement, statements
from groundwire.jobs.watch.ledger.subject import Subject

_DAY = date(2026, 10, 5)


def _read(text: str, name: str = "Norvale", title: str = "") -> list[Statement]:
    page = analyse(text, title=title, published=_DAY)
    return list(
        statements(
            page, Subject([name]), _DAY, ["harbour ledger", "北岭日报", "pupil press", "旅客周刊"]
        )
    )


@pytest.mark.parametrize(
    ("text", "attribute", "key", "unit"),
    [
        ("Norvale sells the Aurin 5 for $249.", "price", "249", "USD"),
        ("Norvale 将 Aurin 5 定价为 249 美元。", "price", "249", "USD"),
        ("Norvale 將 Aurin 5 的售價定為新台幣 5,990 元。", "price", "5990", "TWD"),
        ("Norvale counts 1.2 million monthly active users.", "users", "1200000", "people"),
        ("Norvale 的月活跃用户为 120 万。", "users", "1200000", ""),
        ("Norvale 的使用者達 1,200,000 人。", "users", "1200000", "people"),
        ("A court fined Norvale €12m over its adverts.", "fine", "12000000", "EUR"),
        ("监管机构对 Norvale 处以 1200 万欧元罚款。", "fine", "12000000", "EUR"),
        ("金管會對 Norvale 裁罰 1,200 萬歐元。", "fine", "12000000", "EUR"),
        ("Marta Lindqvist took over as Norvale's CEO.", "head", "marta lindqvist", ""),
        ("Norvale 执行长由林可安接任。", "head", "林可安", ""),
        ("The strike at Norvale is over.", "strike", "ended", ""),
        ("Norvale 的运营牌照被吊销。", "licence", "revoked", ""),
        ("Norvale is based in Ghent.", "headquarters", "ghent", ""),
        ("Norvale has released Cobalt 4.0.", "version", "4.0", ""),
        ("A jury sentenced the founder of Norvale to four years in prison.", "sentence", "4", "years"),
        ("Norvale's revenue rose to $310m from $280m.", "revenue", "310000000", "USD"),
        ("Norvale 的利率由 1.6% 調升至 1.85%。", "interest_rate", "1.85", "%"),
    ],
)  # fmt: skip
def test_a_value_is_known_by_its_attribute(text: str, attribute: str, key: str, unit: str) -> None:
    found = [(each.attribute, each.key, each.unit) for each in _read(text)]
    assert (attribute, key, unit) in found


@pytest.mark.parametrize(
    ("text", "side", "manner"),
    [
        ("Norvale will launch the Aurin 6 on 12 March 2027.", "says", "planned"),
        ("Norvale 计划于 2027 年 3 月 12 日推出 Aurin 6。", "says", "planned"),
        ("Norvale 將其員工減至 500 人。", "says", "stated"),
        ("Norvale 将 Aurin 5 定价为 249 美元。", "says", "stated"),
        ("Norvale may cut 500 jobs.", "says", "rumoured"),
        ("网传 Norvale 将裁员 500 人。", "says", "rumoured"),
        ("Norvale has not raised $30 million.", "denies", "stated"),
        ("Norvale denied a report that it is worth $2bn. Norvale is worth less.", "denies", "stated"),
        ("Norvale 否认估值达 20 亿美元。", "denies", "stated"),
        ("Correction: this article said that Norvale costs $249.", "retracts", "stated"),
        ("更正：本文先前版本称“Norvale 的估值为 14 亿美元”。", "retracts", "stated"),
    ],
)  # fmt: skip
def test_how_it_is_told_is_kept_with_it(text: str, side: str, manner: str) -> None:
    first = _read(text)[0]
    assert (side, manner) == (first.side, first.manner)


def test_what_only_refers_back_turns_what_was_told_before() -> None:
    """A denial in the next sentence denies it."""
    found = _read("A post says Norvale employs 9,000 people. The claim is false.")
    assert [each.side for each in found] == ["denies"]


def test_what_stands_right_for_another_is_stated() -> None:
    """A correction takes back one value and gives the other."""
    found = _read("更正：本报此前称 Norvale 完成12亿欧元融资，有误，实为10亿欧元。")
    assert {("retracts", "1200000000"), ("says", "1000000000")} == {
        (each.side, each.key) for each in found
    }


@pytest.mark.parametrize(
    "text",
    [
        "Norvale's rival Corvo employs 9,000 people.",
        "Corvo, unlike Norvale, has 5 million users.",
        "与 Norvale 不同，Corvo 有 500 万用户。",
        "Everybody has a view on Norvale. Some like its style.",
        "Saturday's match of Norvale was dull.",
    ],
)
def test_talk_and_what_is_told_of_others_is_no_statement(text: str) -> None:
    assert _read(text) == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Norvale's Aurin 5 costs $199.", {"aurin 5"}),
        ("Norvale 的 Aurin 5 售价为 199 美元。", {"aurin 5"}),
        ("The plant in Graz of Norvale has a capacity of 40,000 a year.", {"graz"}),
        ("Norvale charges $10 for Vanta Mini, Harbour Ledger reported.", {"vanta mini"}),
    ],
)
def test_names_beside_it_say_which_one(text: str, names: set[str]) -> None:
    assert names == _read(text)[0].names


def test_two_values_have_each_their_own_word() -> None:
    found = {
        each.attribute: each.key for each in _read("Norvale: 3 dead and 20 injured in a fire.")
    }
    assert (found["deaths"], found["injured"]) == ("3", "20")


def test_a_figure_of_a_month_gone_by_holds_for_that_month() -> None:
    assert _read("In March 2026, Norvale had 2.9 million users.")[0].gone_by == date(2026, 3, 1)


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("Norvale's ferry service has resumed.", "restored", "resumed"),
        ("Pilots at Norvale called off their strike.", "ended", "called off"),
        ("Norvale 的运营牌照获批。", "granted", "获批"),
        ("Norvale 的營運許可證已核發。", "granted", "核發"),
        ("Norvale 的估值為 3 億美元。", "300000000", "3 億美元"),
    ],
)
def test_a_value_is_as_the_page_writes_it(text: str, key: str, value: str) -> None:
    """People read the words of the page, in its own script; the key is the same for all of them."""
    assert (key, value) == (_read(text)[0].key, _read(text)[0].value)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("93.7 percent of Norvale's parcels arrived unbroken in September.", "93.7"),
        ("On 2 October, 93.7 percent of Norvale's parcels arrived unbroken.", "93.7"),
        ("9 月，Norvale 有 93.7% 的包裹完好抵达。", "93.7"),
        ("9 月，Norvale 有 93.7% 的包裹完好抵達。", "93.7"),
        # A day to come, and one that the verb is about, are told for their own sake.
        ("The Aurin 6 of Norvale will go on sale in March 2027 for $249.", "2027-03"),
        ("Norvale's reactor was completed on 2 October.", "2026-10-02"),
    ],
)
def test_a_time_that_says_when_is_not_what_is_told(text: str, key: str) -> None:
    dated = {each.key for each in _read(text) if each.kind == "date"}
    assert key in {each.key for each in _read(text)}
    assert dated <= {key}


@pytest.mark.parametrize(
    "text",
    [
        "We reject this report: Norvale employs 9,000 people, it says.",
        "Norvale dismisses press reports that it employs 9,000 people.",
        "A paper says Norvale employs 9,000 people. Norvale firmly rejects the story.",
        "Norvale 有 9000 名员工，有媒体这样写道。Norvale 不接受这篇报道。",
        "Norvale 拒絕接受該公司雇用 9,000 人的報導。",
    ],
)
def test_who_rejects_a_report_denies_it(text: str) -> None:
    """A report is denied: it is no application that was refused."""
    assert [(each.attribute, each.side) for each in _read(text)] == [("employees", "denies")]


def test_an_application_is_still_refused() -> None:
    found = _read("The council has rejected Norvale's application for a second quay.")
    assert [(each.key, each.side) for each in found] == [("rejected", "says")]


@pytest.mark.parametrize(
    "text",
    [
        "Norvale holds 640,000 coins, Pupil Press reported.",
        "據旅客週刊報導，Norvale 收藏了 640,000 枚硬幣。",
    ],
)
def test_the_name_of_a_house_names_no_attribute(text: str) -> None:
    assert [(each.attribute, each.key) for each in _read(text)] == [("", "640000")]
