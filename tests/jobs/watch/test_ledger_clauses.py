"""What each clause of a sentence says of the subject: its own values, offices by their shape, and nothing of others."""

from __future__ import annotations

from datetime import date

import pytest

from groundwire.evidence.reading.analysis import analyse
from groundwire.jobs.watch.ledger.statements import Statement, statements
from groundwire.jobs.watch.ledger.subject import Subject

_DAY = date(2026, 10, 5)


def _read(text: str, name: str = "Norvale") -> list[Statement]:
    page = analyse(text, published=_DAY)
    return list(statements(page, Subject([name]), _DAY, []))


def _told(text: str, name: str = "Norvale") -> set[tuple[str, str]]:
    """Return what a text says, each with its attribute, but for what it only mentions."""
    return {(each.attribute, each.value) for each in _read(text, name) if not each.passing}


@pytest.mark.parametrize(
    ("text", "planned"),
    [
        ("Norvale owes $5 million, and work is to begin on 3 May 2027.", "3 May 2027"),
        ("Norvale 的总投资约 18.6 亿元，计划 2027 年 5 月开工。", "2027 年 5 月"),
        ("Norvale 的總投資約 18.6 億元，計畫 2027 年 5 月動工。", "2027 年 5 月"),
    ],
)
def test_a_planned_day_beside_another_fact_is_told(text: str, planned: str) -> None:
    assert ("", planned) in _told(text)


@pytest.mark.parametrize(
    "text",
    [
        "Norvale closed its gate on Tuesday.",
        "週二約一萬人走上 Norvale 大道，要求撤回提案。",
        "周二约一万人走上 Norvale 大道，要求撤回提案。",
    ],
)
def test_a_weekday_alone_is_no_plan(text: str) -> None:
    assert not any(each.kind == "date" and not each.passing for each in _read(text))


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("Norvale's turbines were started again on Thursday.", "started again"),
        ("Norvale 的缆车今天全面停驶。", "停驶"),
        ("Norvale 的纜車今早復駛。", "復駛"),
        ("Norvale 关闭了成都工作室，约 210 名员工离职。", "关闭"),
    ],
)
def test_an_act_is_known_by_its_shape_and_beside_a_figure(text: str, act: str) -> None:
    assert act in {value for _, value in _told(text)}


@pytest.mark.parametrize(
    "text",
    [
        "The press release of Norvale was long.",
        "Norvale said little when the plant reopens.",
        "Norvale 的厂房何时恢复，要看检验结果。",
        "Norvale 的廠房何時恢復，要看檢驗結果。",
        "事故发生后，Norvale 一直沉默。",
    ],
)
def test_a_noun_a_question_and_a_clause_of_time_tell_no_state(text: str) -> None:
    assert not any(each.kind == "state" for each in _read(text))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Norvale 全长 31.6 公里，设 24 座车站。", {("length", "31.6 公里"), ("", "24")}),
        ("Norvale 全長 31.6 公里，設 24 座車站。", {("length", "31.6 公里"), ("", "24")}),
        ("Norvale is 31.6 kilometres long and has 24 stations.", {("length", "31.6 kilometres"), ("", "24")}),
        ("Norvale gives work to 1,240 people over twelve miles of coast.", {("", "1,240"), ("", "twelve miles")}),
    ],
)  # fmt: skip
def test_an_attribute_has_only_what_is_measured_so(text: str, told: set[tuple[str, str]]) -> None:
    assert told == _told(text)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Norvale owes its banks £38 million, while its neighbour Orvane owes £61 million.", {("debt", "£38 million")}),
        ("Norvale employs 1,240 people; the older Bellweather pit employs 310.", {("employees", "1,240")}),
        ("Norvale 的员工为 180 人，而同行奥凡有 600 人。", {("employees", "180")}),
        ("Norvale 的員工為 180 人，而同業奧凡有 600 人。", {("employees", "180")}),
        ("墨舟的《铁脊》售价 268 元，比 Norvale 贵 70 元。", set[tuple[str, str]]()),
    ],
)  # fmt: skip
def test_what_is_told_of_others_in_the_same_breath_is_not_its_own(
    text: str, told: set[tuple[str, str]]
) -> None:
    assert told == _told(text)


def test_another_number_of_a_kind_is_another() -> None:
    told = _told("九号线长 31 公里，而平行的七号线长 19 公里。", "九号线")
    assert "19 公里" not in {value for _, value in told}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Norvale has named Ana Restrepo as its head of kitchens.", "Ana Restrepo"),
        ("Norvale, who are managed by Dieter Klamm, lost again.", "Dieter Klamm"),
        ("Norvale sacked Dieter Klamm, and his assistant, Joao Brandt, is now the manager.", "Joao Brandt"),
        ("Norvale 董事会昨日改选，长女颜若彤出任团长。", "颜若彤"),
        ("Norvale 董事會昨日改選，長女顏若彤出任團長。", "顏若彤"),
        ("Norvale 的项目总经理是方志衡。", "方志衡"),
        ("Norvale 总经理一职由曾主持七号线建设的邬丽君接任。", "邬丽君"),
        ("Norvale 行长由副行长本诺·卡斯蒂代理。", "本诺·卡斯蒂"),
        ("Neil Abara leaves Norvale in May. Sofia Lindgaard, until now at Orvane, will succeed him.", "Sofia Lindgaard"),
    ],
)  # fmt: skip
def test_an_office_is_known_by_its_shape(text: str, name: str) -> None:
    assert name in {each.value for each in _read(text) if each.kind == "name" and not each.passing}


@pytest.mark.parametrize(
    "text",
    [
        "Norvale raised money in a Series C led by Granite Ventures.",
        "Norvale 开通推迟，市交通局副局长周三对记者说。",
        "Norvale 開通延後，市交通局副局長週三對記者說。",
        "美国总统特朗普谈到了 Norvale。",
    ],
)
def test_only_somebody_of_the_subject_holds_its_office(text: str) -> None:
    people = {"head", "chair", "office", "president", "minister"}
    wrong = {"Series C", "交通局", "特朗普"}
    assert not any(each.attribute in people and each.value in wrong for each in _read(text))


@pytest.mark.parametrize(
    "text",
    [
        "We have withdrawn this report. It said that Norvale would pay $27 million.",
        "本文说 Norvale 获得 24 亿美元贷款。双方仍在谈判，本报撤回这一报道。",
        "本文說 Norvale 獲得 24 億美元貸款。雙方仍在談判，本報撤回這一報導。",
    ],
)
def test_a_withdrawn_page_takes_its_own_words_back(text: str) -> None:
    assert [each.side for each in _read(text) if each.kind == "money"] == ["retracts"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Three miners were killed and eleven were injured at Norvale.", {("deaths", "Three"), ("injured", "eleven")}),
        ("Norvale won the vote by 58 votes to 41.", {("votes", "58")}),
        ("Norvale paused its trams for the weekend of 11 and 12 March 2026.", {("", "paused")}),
        ("Norvale 每百万词元只要 2 元。", {("", "2 元")}),
        ("Norvale 每百萬詞元只要 2 元。", {("", "2 元")}),
        ("自 11 月起，Norvale 把限额提高到 3500 美元。", {("", "3500 美元")}),
        ("自 11 月起，Norvale 把限額提高到 3500 美元。", {("", "3500 美元")}),
    ],
)  # fmt: skip
def test_a_figure_is_what_its_clause_says(text: str, told: set[tuple[str, str]]) -> None:
    assert told <= _told(text)
    assert "41" not in {value for _, value in _told(text)}


@pytest.mark.parametrize(
    "text",
    [
        "Norvale signed a contract with Orvane.",
        "Norvale 与奥凡集团见面。",
        "Norvale 與奧凡集團見面。",
    ],
)
def test_what_was_done_has_no_name_for_its_value(text: str) -> None:
    assert all(each.value == "" for each in _read(text) if each.kind == "act")
