"""A failure that was made up for is told in one line, in the reader's language."""

from __future__ import annotations

import pytest
from tests.made_reports import SEARCHED, ask_run, tool_run, verify_run

from groundwire.gather.recoveries import recovered_searches
from groundwire.jobs import report_of_kind
from groundwire.model.call import Recovery
from groundwire.model.query import Query, SearchReport
from groundwire.model.result import Recovered
from groundwire.model.run import Run, digest
from groundwire.report.blocks import Heading, Points
from groundwire.words import words

AGAIN = Recovery(error="timeout", tried="retry", outcome="worked")
OTHER = Recovery(error="rate_limit", tried="brave", outcome="failed")
SEARCHES = recovered_searches(
    [SearchReport(query=Query(text="USDC peg"), hits=(), recoveries=(AGAIN, OTHER))]
)
PAGES = tuple(
    Recovered(part="page", subject="ev_1", error="refused", tried=tried, outcome="worked")
    for tried in ("snippet", "stored")
)
LINES = {
    "en": [
        "search “USDC peg”: timeout · asked again · worked",
        "search “USDC peg”: rate limit · asked brave · failed",
        "{who}: refused · took the search's snippet · worked",
        "{who}: refused · took the stored copy · worked",
    ],
    "zh": [
        "搜索“USDC peg”：超时 · 重试 · 成功",
        "搜索“USDC peg”：请求过于频繁 · 改问 brave · 失败",
        "{who}：被拒绝 · 采用搜索摘要 · 成功",
        "{who}：被拒绝 · 采用存档副本 · 成功",
    ],
    "zh-Hant": [
        "搜尋「USDC peg」：逾時 · 重試 · 成功",
        "搜尋「USDC peg」：請求過於頻繁 · 改問 brave · 失敗",
        "{who}：遭拒 · 採用搜尋摘要 · 成功",
        "{who}：遭拒 · 採用存檔副本 · 成功",
    ],
}


MODELS = tuple(
    Recovered(
        part="model",
        subject="search/plan_queries",
        error="bad_output",
        tried=tried,
        outcome=outcome,
    )
    for tried, outcome in (
        ("repair", "failed"),
        ("deepseek:chat", "failed"),
        ("embedded", "worked"),
    )
)
UNREAD = Recovered(
    part="page", subject="https://wall.example/a", error="refused", tried="proxy", outcome="failed"
)
EMPTY = tuple(
    Recovered(part="search", subject="USDC", error="empty", tried=tried, outcome="failed")
    for tried in ("simpler", "language", "place")
)
MORE = {
    "en": [
        "what to search for: unusable output · asked to repair it · failed",
        "what to search for: unusable output · asked deepseek:chat · failed",
        "what to search for: unusable output · asked the embedded reasoner · worked",
        "wall.example: refused · asked through your proxy · failed",
        "search “USDC”: nothing found · a simpler query · failed",
        "search “USDC”: nothing found · the other language · failed",
        "search “USDC”: nothing found · elsewhere · failed",
    ],
    "zh": [
        "搜索什么：输出不可用 · 请其修正 · 失败",
        "搜索什么：输出不可用 · 改问 deepseek:chat · 失败",
        "搜索什么：输出不可用 · 改由内置推理器回答 · 成功",
        "wall.example：被拒绝 · 通过您的代理再试 · 失败",
        "搜索“USDC”：没有结果 · 更简单的查询 · 失败",
        "搜索“USDC”：没有结果 · 另一种语言 · 失败",
        "搜索“USDC”：没有结果 · 换个地方 · 失败",
    ],
    "zh-Hant": [
        "搜尋什麼：輸出不可用 · 請其修正 · 失敗",
        "搜尋什麼：輸出不可用 · 改問 deepseek:chat · 失敗",
        "搜尋什麼：輸出不可用 · 改由內建推理器回答 · 成功",
        "wall.example：遭拒 · 透過你的代理伺服器再試 · 失敗",
        "搜尋「USDC」：沒有結果 · 更簡單的查詢 · 失敗",
        "搜尋「USDC」：沒有結果 · 另一種語言 · 失敗",
        "搜尋「USDC」：沒有結果 · 換個地方 · 失敗",
    ],
}


def lines(run: Run) -> list[str]:
    report = report_of_kind(run.kind).report(run)
    title = words(report.language)("report.recovered")
    blocks = iter(report.blocks)
    for block in blocks:
        if isinstance(block, Heading) and block.name == "recovered":
            assert block.text == title
            points = next(blocks)
            assert isinstance(points, Points)
            return [item.text for item in points.items]
    return []


@pytest.mark.parametrize("language", LINES)
@pytest.mark.parametrize("kind", [ask_run, verify_run])
def test_each_recovery_is_one_line_of_the_report(kind: type[Run], language: str) -> None:
    bare = kind(language)
    run = kind(language, recovered=SEARCHES)
    assert lines(bare) == []
    assert lines(run) == LINES[language][:2]


@pytest.mark.parametrize("language", LINES)
def test_equal_recoveries_are_one_line_with_their_number(language: str) -> None:
    run = ask_run(language, recovered=SEARCHES * 3)
    assert lines(run) == [f"{line} × 3" for line in LINES[language][:2]]


@pytest.mark.parametrize("language", MORE)
def test_models_unread_pages_and_empty_searches_are_told_too(language: str) -> None:
    assert lines(ask_run(language, recovered=(*MODELS, UNREAD, *EMPTY))) == MORE[language]


@pytest.mark.parametrize("language", LINES)
def test_a_page_is_called_by_its_publisher(language: str) -> None:
    run = ask_run(language, recovered=(*SEARCHES, *PAGES))
    assert lines(run) == [
        line.format(who="Ledger Post (site1.example)") for line in LINES[language]
    ]


def test_a_search_by_itself_tells_its_recoveries() -> None:
    recoveries = [each.model_dump() for each in (AGAIN, OTHER)]
    assert lines(tool_run("search", {**SEARCHED, "recoveries": recoveries})) == LINES["en"][:2]
    assert lines(tool_run("search", SEARCHED)) == []


def test_a_failure_that_was_made_up_for_makes_no_other_result() -> None:
    """Which try failed is chance: two runs with the same findings have one digest."""
    plain, recovered = (ask_run(recovered=each).result or {} for each in ((), SEARCHES))
    assert plain != recovered
    assert digest(plain) == digest(recovered)
