"""Acts that another act undoes are one claim that changed, whichever attribute they lack."""

from __future__ import annotations

import pytest
from watch_days import Days, page


@pytest.mark.parametrize(
    ("done", "undone", "before", "after"),
    [
        ("The port has seized Norvale's tug.", "The port has released Norvale's tug.", "seized", "released"),
        ("Norvale has shut its aquarium.", "Norvale has reopened its aquarium.", "shut", "reopened"),
        ("Pilots at Norvale have called a strike.", "Pilots at Norvale have called off the strike.", "called", "called off"),
        ("Norvale's trams were halted.", "Norvale's trams have resumed.", "halted", "resumed"),
        ("交易所决定 Norvale 停牌。", "交易所决定 Norvale 复牌。", "停牌", "复牌"),
        ("警方封锁了 Norvale 的仓库。", "警方解除了对 Norvale 仓库的封锁。", "封锁", "解除"),
        ("警方封鎖了 Norvale 的倉庫。", "警方解除了對 Norvale 倉庫的封鎖。", "封鎖", "解除"),
        ("Norvale 的技師遭羈押。", "Norvale 的技師已獲釋。", "羈押", "獲釋"),
    ],
)  # fmt: skip
def test_what_is_undone_changes_the_claim(done: str, undone: str, before: str, after: str) -> None:
    days = Days()
    first = page("harbour", 1, done)
    days.look(1, first)
    told = days.look(3, first, page("meridian", 3, undone))
    assert [(each[0], *each[2:]) for each in told] == [("changed", before, after)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Norvale has shut its aquarium.", "Norvale has reopened a ferry pier."),
        ("Norvale 关闭了水族馆。", "Norvale 重新开放了渡轮栈桥。"),
    ],
)
def test_another_thing_is_another_claim(one: str, other: str) -> None:
    days = Days()
    first = page("harbour", 1, one)
    days.look(1, first)
    assert [each[0] for each in days.look(3, first, page("meridian", 3, other))] == ["new"]
