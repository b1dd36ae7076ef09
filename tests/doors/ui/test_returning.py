"""A way back leads to a page of ours, or to the desk."""

from __future__ import annotations

import pytest

from groundwire.doors.ui.visits import way_back


@pytest.mark.parametrize(
    "path", ["/", "/runs", "/runs?kind=ask&q=%E7%94%B2", "/runs/ask-0123456789", "/a?next=//evil"]
)
def test_pages_of_ours(path: str):
    assert way_back(path) == path


@pytest.mark.parametrize(
    "path",
    [
        "",
        "runs",
        "//evil.example",
        "///evil.example",
        "/\\evil.example",
        "\\\\evil.example",
        "/runs\\..\\..",
        "https://evil.example/",
        "javascript:alert(1)",
        "/\t/evil.example",
        "/\n/evil.example",
        " //evil.example",
        "/runs\r\nSet-Cookie: a=b",
        "/甲",
        "/" + "a" * 3000,
        "/sign-out",
        "/api/runs",
        "/look/theme",
        "/command",
    ],
)
def test_anything_else_is_the_desk(path: str):
    assert way_back(path) == "/"
