"""The parts of a watch by themselves: phases, subjects, plans, words, conditions."""

from __future__ import annotations

from decimal import Decimal

import pytest
from pydantic import ValidationError

from groundwire.errors import IllegalState, Unfit
from groundwire.jobs.watch import plan_watch
from groundwire.jobs.watch.alerts import meets
from groundwire.jobs.watch.conditions import measured, parsed
from groundwire.jobs.watch.given import WatchInput
from groundwire.jobs.watch.ledger.claims import Change, Side
from groundwire.jobs.watch.phases import MOVES, PHASES, drawn, moved
from groundwire.jobs.watch.planning import kept
from groundwire.jobs.watch.proposal import MOST_QUERIES, SubTask
from groundwire.jobs.watch.reading import bears
from groundwire.jobs.watch.subject import asks_to_watch, names_something, subject_of
from groundwire.model.query import Hit
from groundwire.reasoning.question import Answer

SUBJECTS = [
    ("Monitor DeepSeek's latest developments", "DeepSeek"),
    ("Keep an eye on the latest news about Tesla's Berlin plant", "Tesla's Berlin plant"),
    ("Follow the EU AI Act", "EU AI Act"),
    ("track OpenAI", "OpenAI"),
    ("DeepSeek", "DeepSeek"),
    ("关注 DeepSeek 的最新动态", "DeepSeek"),
    ("监控比亚迪欧洲工厂的进展", "比亚迪欧洲工厂"),
    ("追踪英伟达", "英伟达"),
    ("關注 DeepSeek 的最新動態", "DeepSeek"),
    ("幫我盯著台積電在美國建廠的情況", "台積電在美國建廠"),
    ("監控聯準會利率變化", "聯準會利率"),
]


@pytest.mark.parametrize(("command", "subject"), SUBJECTS)
def test_a_command_is_about_what_is_left_without_asking(command: str, subject: str) -> None:
    assert subject_of(command) == subject


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("Monitor Velmora", True),
        ("监控特斯拉", True),
        ("關注台積電", True),
        ("What does Velmora cost?", False),
        ("特斯拉股价是多少？", False),
        ("Velmora launches a watch", False),
    ],
)
def test_the_command_bar_knows_who_asks_to_be_kept_informed(text: str, asks: bool) -> None:
    assert asks_to_watch(text) is asks


# --- phases --------------------------------------------------------------------------------------

ALLOWED = {
    ("idle", "planning"), ("planning", "executing"), ("executing", "searching"),
    ("executing", "scraping"), ("searching", "executing"), ("searching", "expanding"),
    ("scraping", "executing"), ("scraping", "expanding"), ("expanding", "executing"),
    ("expanding", "critiquing"), ("critiquing", "executing"), ("critiquing", "synthesizing"),
    ("synthesizing", "completed"),
}  # fmt: skip


@pytest.mark.parametrize("here", PHASES)
@pytest.mark.parametrize("there", PHASES)
def test_only_the_moves_of_the_table_are_made(here: str, there: str) -> None:
    """Any but completed may recover; recovering leads back to where it began, or to the end."""
    if here == "recovering":
        allowed = there not in ("recovering", "completed")
        came_from = there
    else:
        allowed = (here, there) in ALLOWED or (there == "recovering" and here != "completed")
        came_from = None
    if allowed:
        assert moved(here, there, came_from) == there  # type: ignore[arg-type]
    else:
        with pytest.raises(IllegalState):
            moved(here, there, came_from)  # type: ignore[arg-type]


def test_recovering_leads_nowhere_but_back() -> None:
    with pytest.raises(IllegalState):
        moved("recovering", "synthesizing", "executing")
    assert moved("recovering", "failed", "executing") == "failed"


def test_the_drawing_has_every_move() -> None:
    for here in PHASES:
        for there in MOVES[here]:
            assert f"{here} --> {there}" in drawn()
    assert len(PHASES) == 11


# --- the plan ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "subject", "platforms"),
    [
        ("en", "Velmora", ()),
        ("zh", "比亚迪", ()),
        ("zh-Hant", "台積電", ("news", "zhihu")),
        ("en", "DeepSeek", ("hackernews", "reddit")),
    ],
)
def test_a_plan_has_three_to_five_parts_that_all_name_the_subject(
    language: str, subject: str, platforms: tuple[str, ...]
) -> None:
    given = plan_watch.PlanInput(
        command=subject, subject=subject, language=language, today="2026-10-01", platforms=platforms
    )
    tasks = plan_watch.QUESTION.embedded(given).tasks
    names = plan_watch.names_of(subject)
    assert 3 <= len(tasks) <= 5
    assert all(any(name in query for name in names) for each in tasks for query in each.queries)
    assert all(each.why and each.task for each in tasks)
    assert {where for each in tasks for where in each.platforms} <= set(platforms)
    if platforms:
        assert {where for each in tasks for where in each.platforms} == set(platforms)


def test_a_model_can_neither_drop_the_subject_nor_look_elsewhere() -> None:
    given = plan_watch.PlanInput(
        command="Velmora", subject="Velmora", language="en", today="2026-10-01", platforms=("news",)
    )
    own = tuple(SubTask(task=f"t{n}", queries=("weather",)) for n in range(5))
    planned = plan_watch.Planned(tasks=own)
    tasks = kept(given, Answer(planned, "openai:stub", vote="decides"))
    assert [each.task for each in tasks[1:]] == ["t0", "t1", "t2", "t3"]
    assert all("Velmora" in query for each in tasks for query in each.queries)
    assert all(each.platforms == ("news",) for each in tasks)
    elsewhere = plan_watch.Planned(
        tasks=tuple(
            SubTask(task="t", queries=(f"Velmora {n}",), platforms=("zhihu",)) for n in range(3)
        )
    )
    fault = plan_watch.QUESTION.fault_of(given, elsewhere)
    assert fault is not None
    assert fault.code == "watch.fault.platform"


def test_a_plan_that_makes_the_same_searches_twice_is_asked_for_again() -> None:
    given = plan_watch.PlanInput(
        command="Velmora", subject="Velmora", language="en", today="2026-10-01"
    )
    queries = ("Velmora news", "Velmora price", "Velmora news")
    planned = plan_watch.Planned(
        tasks=tuple(SubTask(task=f"t{n}", queries=(each,)) for n, each in enumerate(queries))
    )
    fault = plan_watch.QUESTION.fault_of(given, planned)
    assert fault is not None
    assert fault.code == "watch.fault.same_task"


def test_an_adviser_adds_searches_to_the_plan_of_code_and_takes_none_away() -> None:
    given = plan_watch.PlanInput(
        command="关注 Velmora", subject="Velmora", language="zh", today="2026-10-01"
    )
    own = plan_watch.QUESTION.embedded(given).tasks
    planned = plan_watch.Planned(
        tasks=tuple(SubTask(task=f"t{n}", queries=(f"罢工{n}", "x")) for n in range(5))
    )
    tasks = kept(given, Answer(planned, "openai:stub"))
    assert tasks[1:] == own[1:]
    added = tasks[0].queries[len(own[0].queries) :]
    assert tasks[0].queries[: len(own[0].queries)] == own[0].queries
    assert added[:1] == ("Velmora 罢工0",)
    assert len(tasks[0].queries) <= MOST_QUERIES


# --- input and conditions ------------------------------------------------------------------------


def test_lists_are_read_from_one_text() -> None:
    given = WatchInput(command="R2", platforms="news，zhihu", conditions="price < 2,000; 来源 >= 2")  # type: ignore[arg-type]
    assert given.platforms == ("news", "zhihu")
    assert given.conditions == ("price < 2,000", "来源 >= 2")
    with pytest.raises(ValidationError):
        WatchInput(command="Norvale", platforms=("nws",))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("price < 2", ("value", "price", "<", "2")),
        ("verdict turns contradicted", ("verdict", "", "=", "contradicted")),
        ("origins >= 2", ("origins", "", ">=", "2")),
        ("price is below 2", ("value", "price", "<", "2")),
        ("licence is MIT", ("value", "licence", "=", "MIT")),
        ("turnover over 5 million", ("value", "turnover", ">", "5 million")),
        ("价格低于 2 美元", ("value", "价格", "<", "2美元")),
        ("结论变为不实", ("verdict", "", "=", "contradicted")),
        ("独立来源不少于 2", ("origins", "", ">=", "2")),
        ("價格不超過 2", ("value", "价格", "<=", "2")),
        ("判定變為有爭議", ("verdict", "", "=", "contested")),
    ],
)
def test_conditions_are_read_as_people_write_them(
    text: str, expected: tuple[str, str, str, str]
) -> None:
    found = parsed(text)
    assert (found.kind, found.attribute, found.relation, found.value) == expected


@pytest.mark.parametrize(
    "text",
    [
        "soon", "价格", "verdict turns purple", "origins >= many", "price < banana", "price <> 2",
        "价格低于很多",
    ],
)  # fmt: skip
def test_what_is_no_condition_is_refused(text: str) -> None:
    with pytest.raises(Unfit):
        parsed(text)


def _change(before: str, after: str, attribute: str = "price") -> Change:
    return Change(
        kind="changed",
        claim_id="wc_1",
        attribute=attribute,
        before=Side(text=f"It costs {before}.", value=before),
        after=Side(text=f"It costs {after}.", value=after),
    )


@pytest.mark.parametrize(
    ("condition", "before", "after", "met"),
    [
        ("price < 200", "$249", "$199", True),
        ("price < 200", "$199", "$189", False),  # it was so before
        ("price < 200", "$299", "$249", False),
        ("价格低于 200 美元", "249 美元", "199 美元", True),
        ("價格超過 2 萬", "1 萬", "3 萬", True),
        ("users < 200", "$249", "$199", False),  # of another attribute
        ("price < $200", "¥249", "¥199", False),  # of another currency
        ("price < $200", "$249", "$199", True),
        ("价格低于 200 元", "249 美元", "199 美元", False),
        ("價格低於 200 元", "249 元", "199 元", True),
    ],
)
def test_a_condition_is_met_when_it_comes_to_hold(
    condition: str, before: str, after: str, met: bool
) -> None:
    assert meets(_change(before, after), None, parsed(condition)) is met


def test_numbers_are_read_with_their_scale_and_unit() -> None:
    assert measured("$2.5 million") == (Decimal(2_500_000), "USD")
    assert measured("250 万元") == (Decimal(2_500_000), "CNY")
    assert measured("2,000") == (2000, "")
    assert measured("granted") is None


# --- which hits are read -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "title", "about"),
    [
        ("Mars colony real estate market", "The market fell on Monday", False),
        ("Mars colony real estate market", "Marshal says it is real", False),
        ("Mars colony real estate market", "Real estate on Mars", True),
        ("Mars colony real estate market", "The first colony", True),
        ("Signature Bank", "A bank closes", True),
        ("房地产 市场", "市场下跌", False),
        ("房地产 市场", "房地產市場下跌", True),
        ("火星殖民地房地产市场", "市场下跌", True),
        ("火星殖民地房地產市場", "市場下跌", True),
    ],
)
def test_a_hit_that_shares_one_common_word_with_a_long_name_is_not_read(
    name: str, title: str, about: bool
) -> None:
    hit = Hit(title=title, url="https://a.example/1", content="", provider="archive", rank=1)
    assert bears(hit, (name,)) is about


@pytest.mark.parametrize(
    "command",
    [
        "x",
        "Monitor the latest news",
        "keep an eye on it",
        "监控最新动态",
        "監控最新動態",
        "关注一切消息",
    ],
)
def test_a_command_that_names_nothing_is_refused_and_says_why(command: str) -> None:
    assert not names_something(command)
    with pytest.raises(ValidationError, match="does not say whom or what"):
        WatchInput(command=command)


@pytest.mark.parametrize(
    "command",
    ["X Corp", "Monitor R2", "关注米", "監控矽谷銀行", "OpenAI's leadership", "News Corp"],
)
def test_a_command_that_names_something_is_taken(command: str) -> None:
    assert names_something(command)
    assert WatchInput(command=command).command == command
