"""What counts as a change: the rules of the specification, each as a few days of a watch."""

from __future__ import annotations

from datetime import datetime

import pytest
from watch_days import Days, page

_PRICE = {
    "en": ("Norvale's Aurin 5 costs $249.", "The Aurin 5 from Norvale is priced at US$199."),
    "zh": ("Norvale 的 Aurin 5 售价为 249 美元。", "Norvale 将 Aurin 5 定价为 199 美元。"),
    "zh-Hant": ("Norvale 的 Aurin 5 售價為 249 美元。", "Norvale 將 Aurin 5 降價至 199 美元。"),
}


@pytest.mark.parametrize("language", _PRICE)
def test_the_first_run_is_the_brief(language: str) -> None:
    days = Days()
    assert days.look(1, page("harbour", 1, _PRICE[language][0])) == []
    assert len(days.states) == 1


@pytest.mark.parametrize("first", _PRICE)
@pytest.mark.parametrize("then", _PRICE)
def test_another_value_is_one_change_in_any_language(first: str, then: str) -> None:
    days = Days()
    old, new = page("harbour", 1, _PRICE[first][0]), page("meridian", 3, _PRICE[then][1])
    days.look(1, old)
    assert [each[:2] for each in days.look(3, old, new)] == [("changed", "another_value")]
    assert days.look(4, old, new) == []


def test_a_repost_of_the_old_value_changes_nothing() -> None:
    """Neither an older page that is found late nor a relay of it brings the old value back."""
    days = Days()
    old, new = page("harbour", 1, _PRICE["en"][0]), page("meridian", 4, _PRICE["en"][1])
    days.look(1, old)
    days.look(4, old, new)
    late = page("granite", 2, "Norvale sells the Aurin 5 for $249.")
    relay = page("copper", 6, "According to Harbour, Norvale's Aurin 5 costs $249.")
    stale = page("elm", 6, "As of September 2026, Norvale's Aurin 5 cost $249.")
    past = page("tide", 6, "In March 2026, Norvale's Aurin 5 cost $299.")
    assert days.look(6, old, new, late, relay, stale, past) == []


@pytest.mark.parametrize(
    ("copy", "publisher"),
    [
        ("Norvale employs 1,800 people. (Source: Harbour Ledger.)", "Copper"),
        ("Harbour Ledger reported that Norvale has 1,800 employees.", "Copper"),
        ("据Harbour Ledger报道，Norvale 有 1800 名员工。", "北岭日报"),
        ("據 Harbour Ledger 報導，Norvale 有 1,800 名員工。", "南屿新聞"),
        ("Norvale employs 1,800 people, and more come every week.", "Copper"),  # letter for letter
    ],
)
def test_copies_translations_and_retellings_confirm_nothing(copy: str, publisher: str) -> None:
    days = Days()
    text = "Norvale employs 1,800 people, and more come every week."
    first = page("harbour", 1, text, publisher="Harbour Ledger")
    days.look(1, first)
    assert days.look(2, first, page("copper", 2, copy, publisher=publisher)) == []


def test_an_independent_origin_confirms_once_and_quietly() -> None:
    days = Days()
    first = page("harbour", 1, "Norvale employs 1,800 people.")
    second = page("meridian", 2, "Norvale 有 1800 名员工。")
    days.look(1, first)
    assert days.look(2, first, second) == [("confirmed", "another_origin", "1,800", "1,800")]
    assert days.last is not None
    assert not days.last.alert
    again = page("meridian", 3, "1,800 people work for Norvale.")
    assert days.look(3, first, second, again) == []


def test_a_rumour_that_is_borne_out_alerts() -> None:
    days = Days()
    rumour = page("harbour", 1, "Norvale may lay off 500 workers.")
    days.look(1, rumour)
    told = days.look(3, rumour, page("meridian", 3, "Norvale has cut 500 jobs."))
    assert [each[:2] for each in told] == [("confirmed", "another_origin")]
    assert days.last is not None
    assert days.last.alert


@pytest.mark.parametrize(
    ("plan", "done", "kind", "reason"),
    [
        ("Norvale will launch the Aurin 6 on 7 October 2026.",
         "Norvale launched the Aurin 6 on 7 October 2026.", "confirmed", "as_planned"),
        ("Norvale 计划于 10 月 7 日推出 Aurin 6。",
         "Norvale 已于 10 月 7 日推出 Aurin 6。", "confirmed", "as_planned"),
        ("Norvale 預計 10 月 7 日推出 Aurin 6。",
         "Norvale 於 10 月 8 日推出 Aurin 6。", "changed", "not_as_planned"),
        ("Norvale plans to launch the Aurin 6 on 7 October 2026.",
         "Norvale launched the Aurin 6 on 8 October 2026.", "changed", "not_as_planned"),
    ],
)  # fmt: skip
def test_a_plan_is_confirmed_where_it_is_carried_out(
    plan: str, done: str, kind: str, reason: str
) -> None:
    days = Days()
    first = page("harbour", 1, plan)
    days.look(1, first)
    told = days.look(9, first, page("meridian", 9, done))
    assert [(kind, reason)] == [each[:2] for each in told]


def test_a_price_to_come_does_not_change_back_until_it_has_come() -> None:
    days = Days()
    now = page("harbour", 1, "Norvale's Aurin 5 costs $249.")
    days.look(1, now)
    plan = page("meridian", 2, "Norvale will raise the price of the Aurin 5 to $279.")
    assert days.look(2, now, plan) == [("changed", "another_value", "$249", "$279")]
    assert days.look(4, now, plan, page("copper", 4, "Norvale sells the Aurin 5 for $249.")) == []
    done = page("meridian", 9, "The Aurin 5 from Norvale now costs $279.")
    assert days.look(9, now, plan, done) == [("confirmed", "as_planned", "$279", "$279")]


@pytest.mark.parametrize(
    "denial",
    [
        'Norvale denied a report that Norvale has raised $30 million. "That is wrong," it said.',
        "Norvale has not raised $30 million, its spokesman said.",
        "Norvale 否认完成 3000 万美元融资。",
        "針對 Norvale 完成 3,000 萬美元融資的報導，Norvale 表示並不屬實。",
        "Reports of a funding round at Norvale are false.",
    ],
)
def test_a_denial_contests_while_the_source_stands(denial: str) -> None:
    days = Days()
    first = page("harbour", 1, "Norvale has raised $30 million.")
    denied = page("norvale", 3, denial, publisher="Norvale newsroom")
    days.look(1, first)
    assert [each[:2] for each in days.look(3, first, denied)] == [("contested", "denied")]
    assert days.look(4, first, denied) == []


def test_a_retraction_after_a_denial_is_a_change_of_its_own() -> None:
    days = Days()
    first = page("harbour", 1, "Norvale has raised $30 million.")
    days.look(1, first)
    denied = page("norvale", 3, "Norvale denies that it has raised $30 million.")
    days.look(3, first, denied)
    taken = page("harbour", 1, "Correction: we wrote that Norvale has raised $30 million. "
                 "That was wrong, and we withdraw it.")  # fmt: skip
    assert [each[:2] for each in days.look(5, taken, denied)] == [("withdrawn", "retracted")]
    assert days.look(6, taken, denied) == []


def test_another_value_for_the_same_day_contests() -> None:
    days = Days()
    first = page("harbour", 1, "As of 30 September 2026, Norvale had 3.2 million users.")
    other = page("meridian", 3, "Norvale had 2.9 million users as of 30 September 2026.")
    days.look(1, first)
    told = [("contested", "another_value_same_day", "3.2 million", "3.2 million")]
    assert told == days.look(3, first, other)
    assert days.look(4, first, other) == []


def test_a_silent_edit_is_one_change_with_both_texts() -> None:
    days = Days()
    days.look(1, page("harbour", 1, "Norvale employs 1,800 people. It rained."))
    edited = page("harbour", 1, "Norvale employs 2,300 people. It rained.")
    assert days.look(3, edited) == [("changed", "edited", "1,800", "2,300")]
    assert days.last is not None
    edit = days.last.changes[0].edit
    assert edit is not None
    assert edit.before != edit.after == edited.document.id


def test_a_lost_sentence_is_withdrawn_and_other_edits_are_nothing() -> None:
    days = Days()
    days.look(1, page("harbour", 1, "Norvale employs 1,800 people. It rained."))
    assert days.look(2, page("harbour", 1, "Norvale employs 1,800 people. It snowed.")) == []
    told = days.look(3, page("harbour", 1, "Norvale is a firm. It snowed."))
    assert told == [("withdrawn", "sentence_lost", "1,800", "")]


def test_who_loses_one_of_two_origins_stands() -> None:
    days = Days()
    first = page("harbour", 1, "Norvale employs 1,800 people.")
    second = page("meridian", 2, "Norvale has 1,800 employees.")
    days.look(1, first)
    days.look(2, first, second)
    assert days.look(3, page("harbour", 1, "Nothing here."), second) == []
    assert days.states == [("standing", "1,800")]


def test_a_page_that_is_gone_counts_on_the_second_run() -> None:
    days = Days()
    first = page("harbour", 1, "Norvale employs 1,800 people.")
    days.look(1, first)
    assert days.look(2, gone=[first]) == []
    assert days.last is not None
    assert [each.why for each in days.last.not_seen] == ["gone"]
    assert days.look(3, gone=[first]) == [("withdrawn", "removed", "1,800", "")]


def test_a_site_that_is_down_and_a_failed_search_say_nothing() -> None:
    days = Days()
    first = page("harbour", 1, "Norvale employs 1,800 people.")
    days.look(1, first)
    assert days.look(2, failed=[first]) == []
    assert days.last is not None
    assert [each.why for each in days.last.not_seen] == ["failed"]
    assert days.look(3) == []
    assert days.look(4, gone=[first]) == []
    assert days.look(5, first) == []
    assert days.look(6, gone=[first]) == []  # the count begins anew


def test_a_copy_of_a_withdrawn_page_revives_nothing() -> None:
    days = Days()
    text = "Norvale employs 1,800 people, and more come every week."
    days.look(1, page("harbour", 1, text, publisher="Harbour Ledger"))
    taken = page("harbour", 1, "This article has been withdrawn.", publisher="Harbour Ledger")
    assert days.look(2, taken) == [("withdrawn", "retracted", "1,800", "")]
    copy = page("copper", 3, text)
    relay = page("elm", 4, "Norvale employs 1,800 people, Harbour Ledger reported.")
    assert days.look(4, taken, copy, relay) == []
    fresh = page("meridian", 6, "Norvale has 1,800 employees, its books show.")
    assert [each[0] for each in days.look(6, taken, copy, relay, fresh)] == ["new"]


def test_a_page_outranks_the_snippet_of_its_address() -> None:
    days = Days()
    snippet = page("harbour", 1, "Norvale employs 9,900 people.", kind="snippet")
    days.look(1, snippet, page("harbour", 1, "Norvale employs 1,800 people."))
    assert days.states == [("standing", "1,800")]


def test_pages_of_the_future_are_not_read() -> None:
    days = Days()
    days.look(1, page("harbour", 9, "Norvale employs 1,800 people."))
    assert days.states == []


def test_two_products_are_two_claims() -> None:
    days = Days()
    first = page("harbour", 1, "Norvale's Aurin 5 costs $249.")
    days.look(1, first)
    told = days.look(2, first, page("meridian", 2, "Norvale's Pello X costs $199."))
    assert told == [("new", "first_seen", "", "$199")]


def test_what_no_attribute_names_is_known_by_the_reader() -> None:
    days = Days()
    first = page("harbour", 1, "64% of the electricity that Norvale uses is renewable.")
    days.look(1, first)
    told = days.look(
        5, first, page("meridian", 5, "Norvale gets 71% of its electricity from renewables.")
    )
    assert told == [("changed", "another_value", "64%", "71%")]


@pytest.mark.parametrize(
    "relay",
    [
        "Harbour Ledger: Norvale employs 1,800 people.",
        "Norvale 有 1800 名员工。（Harbour Ledger）",
        "Norvale 有 1,800 名員工。以上內容轉載自 Harbour Ledger。",
        "Norvale has 1,800 employees. Harbour Ledger was first to report this.",
        "Norvale has 1,800 employees. That is according to Harbour Ledger.",
    ],
)
def test_a_credit_makes_a_relay_wherever_it_stands(relay: str) -> None:
    days = Days()
    first = page("harbour", 1, "Norvale employs 1,800 people.", publisher="Harbour Ledger")
    days.look(1, first)
    assert days.look(2, first, page("copper", 2, relay)) == []


@pytest.mark.parametrize(
    "others",
    [
        "The wider market grew 4% last year. Rival Corvo has 2.7 million users.",
        "行业去年整体增长4%。竞争对手 Corvo 有270万用户。",
        "同業的 Corvo 有 270 萬名使用者。市場成長 4%。",
    ],
)
def test_what_is_told_of_others_on_its_page_is_not_its_own(others: str) -> None:
    days = Days()
    days.look(1, page("harbour", 1, f"Norvale employs 1,800 people. {others}"))
    assert days.states == [("standing", "1,800")]


@pytest.mark.parametrize("kind", ["percent", "count"])
def test_figures_of_other_things_are_other_claims(kind: str) -> None:
    """Beds are no aircraft, and a share of the owners is no share of the voters."""
    first, second = {
        "percent": ("64% of the power of Norvale is green.", "A fund owns 12% of Norvale."),
        "count": ("Norvale offers 410 hospital beds.", "Norvale has ordered 24 drones."),
    }[kind]
    days = Days()
    old = page("harbour", 1, first)
    days.look(1, old)
    assert [each[0] for each in days.look(2, old, page("meridian", 2, second))] == ["new"]


@pytest.mark.parametrize(
    "copy",
    [
        "As the Harbour Ledger was first to reveal, Norvale has 1,800 employees.",
        "Word from the Harbour Ledger: Norvale employs 1,800 people.",
        "A Harbour Ledger scoop: 1,800 people work for Norvale.",
        "Harbour Ledger讯，Norvale 有 1800 名员工。",
        "Harbour Ledger 獨家：Norvale 有 1,800 名員工。",
    ],
)
def test_a_credit_that_opens_a_sentence_makes_a_relay(copy: str) -> None:
    days = Days()
    first = page("harbour", 1, "Norvale employs 1,800 people.", publisher="Harbour Ledger")
    days.look(1, first)
    assert days.look(2, first, page("copper", 2, copy, publisher="Copper")) == []


@pytest.mark.parametrize(
    "text",
    [
        "As the Grebe Monitor first reported, Norvale has 1,800 employees.",
        "Story broken by the Grebe Monitor: Norvale has 1,800 employees.",
    ],
)
def test_a_house_that_was_never_read_is_credited_by_its_name(text: str) -> None:
    days = Days()
    days.look(1, page("copper", 1, text, publisher="Copper"))
    assert days.ledger is not None
    assert days.ledger.claims[0].citations[0].origin == "name:grebe monitor"


def test_what_opens_a_sentence_without_a_credit_is_no_source() -> None:
    days = Days()
    first = page("harbour", 1, "Norvale employs 1,800 people.", publisher="Harbour Ledger")
    days.look(1, first)
    told = "Next door to the Harbour Ledger building, Norvale employs 1,800 people."
    changes = days.look(2, first, page("copper", 2, told, publisher="Copper"))
    assert [each[0] for each in changes] == ["confirmed"]


@pytest.mark.parametrize(
    ("text", "at", "day"),
    [
        (
            "Norvale said today that it employs 500 people.",
            "2026-10-01T03:00:00+09:00",
            "2026-10-01",
        ),
        ("Norvale 今天表示员工人数为 500 人。", "2026-10-01T07:00:00+08:00", "2026-10-01"),
        ("Norvale 今日表示員工人數為 500 人。", "2026-10-01T07:00:00+08:00", "2026-10-01"),
        (
            "Norvale said today that it employs 500 people.",
            "2026-09-30T22:00:00-05:00",
            "2026-09-30",
        ),
    ],
)
def test_a_page_speaks_on_its_own_day(text: str, at: str, day: str) -> None:
    days = Days()
    made = page("harbour", 1, text)
    document = made.document.model_copy(update={"published_at": datetime.fromisoformat(at)})
    days.look(1, made.model_copy(update={"document": document}))
    assert days.ledger is not None
    assert [str(each.as_of) for each in days.ledger.claims] == [day]
