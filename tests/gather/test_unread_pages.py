"""One rule for every job of when reading has failed."""

from __future__ import annotations

import pytest

from groundwire.errors import Captcha, Missing, OutsideFailure, Refused, ServerFault, Timeout
from groundwire.gather.failures import failed_pages, unread_pages
from groundwire.gather.pages import ReadPage
from groundwire.model.query import Hit


def page(failure: OutsideFailure | None = None, *, held: bool = False) -> ReadPage:
    hit = Hit(title="", url="https://a.example/", content="", provider="p", rank=1)
    return ReadPage(hit.model_copy(update={"document_id": "doc"} if held else {}), None, failure)


READ, HELD = page(), page(held=True)
DOWN, SLOW, GONE, WALL = (page(each()) for each in (ServerFault, Timeout, Missing, Refused))


@pytest.mark.parametrize(
    ("pages", "code"),
    [
        ([], None),
        ([READ, READ], None),
        ([READ, READ, DOWN], None),  # one page that fails is ordinary
        ([READ, DOWN], None),  # no more than half
        ([READ, DOWN, SLOW], "server"),
        ([READ, WALL, WALL], "refused"),  # a wall hides as much as an outage
        ([GONE, DOWN], "not_found"),
        ([HELD, HELD, HELD, DOWN], "server"),  # what the archive holds was not asked for
    ],
)
def test_reading_has_failed_when_most_of_what_was_asked_for_did(
    pages: list[ReadPage], code: str | None
) -> None:
    found = failed_pages(pages)
    assert [each.code for each in found] == ([] if code is None else [code])
    assert all(each.part == "pages" for each in found)


def test_what_could_not_be_had_is_named_by_site_and_reason_once() -> None:
    gone = ReadPage(WALL.hit.model_copy(update={"url": "/home/ada/notes.txt"}), None, Missing())
    wall = page(Captcha())
    found = unread_pages([READ, WALL, WALL, wall, gone])
    assert [gap.params for gap in found] == [
        {"pages": 2, "sites": ["a.example"], "error": "refused"},
        {"pages": 1, "sites": ["a.example"], "error": "captcha"},
        {"pages": 1, "sites": ["/home/ada/notes.txt"], "error": "not_found"},
    ]


def test_a_captcha_that_hides_a_page_is_told_however_many_others_were_read() -> None:
    (seen,) = failed_pages([READ, READ, READ, page(Captcha())])
    assert (seen.part, seen.code) == ("pages", "captcha")
