"""The stub web: size, sameness, odd pages, conditional requests."""

from __future__ import annotations

import hashlib
from pathlib import Path

import httpx2
import pypdfium2
import pytest
from lab.stubs import Rule, Stubs, running_stubs
from lab.stubs import faults as f
from lab.stubs.oddities import BOMB_BYTES, HUGE_BYTES
from stub_calls import (
    ODD,
    WRITER,
    chat,
    form,
    ordinary,
    search,
)


def test_the_web_has_200_distinct_pages_of_30_to_100_kb(stubs: Stubs, http: httpx2.Client) -> None:
    bodies = [http.get(url).content for url in ordinary(stubs, http)]
    assert len({hashlib.sha256(body).digest() for body in bodies}) == len(bodies) >= 200
    assert min(map(len, bodies)) >= 30_000
    assert max(map(len, bodies)) <= 100_000


def test_two_processes_give_the_same_bytes(
    stubs: Stubs, http: httpx2.Client, tmp_path: Path
) -> None:
    def take(of: Stubs) -> list[str]:
        paths = [httpx2.URL(url).path for url in ordinary(of, http)][::9]
        got = [http.get(of.url("web") + path).content for path in paths]
        got.append(chat(of, http, response_format=form(WRITER)).content)
        got.append(search(of, http).content.replace(of.url("web").encode(), b""))
        return [hashlib.sha256(body).hexdigest() for body in got]

    with running_stubs() as other:
        assert take(other) == take(stubs)
        share = Rule(f.error(), stub="web", share=0.3, seed=5)
        for each in (stubs, other):
            each.reset()
            each.faults(share)
        outcomes = []
        for each in (stubs, other):
            urls = [httpx2.URL(url).path for url in ordinary(other, http)][:60]
            outcomes.append([http.get(each.url("web") + url).status_code for url in urls])
        assert outcomes[0] == outcomes[1]
        assert 8 <= outcomes[0].count(500) <= 28


@pytest.mark.parametrize(
    ("path", "media", "needle"),
    [
        ("soft-404", "text/html; charset=utf-8", b"Page not found"),
        ("consent", "text/html; charset=utf-8", b"Before you continue"),
        ("shell", "text/html; charset=utf-8", b'<div id="root"></div>'),
        ("broken", "text/html; charset=utf-8", b"<p <b>"),
        ("html-as-json", "application/json", b"<!DOCTYPE html>"),
        ("pdf-as-html", "text/html; charset=utf-8", b"%PDF-1.4"),
        ("notes.txt", "text/plain; charset=utf-8", b"\n\n"),
        ("gb18030-header", "text/html; charset=gb18030", b'charset="gb18030"'),
        ("gb18030-meta", "text/html", b'charset="gb18030"'),
        ("big5", "text/html; charset=big5", b'charset="big5"'),
    ],
)
def test_an_odd_page_is_served_as_it_says(
    path: str, media: str, needle: bytes, stubs: Stubs, http: httpx2.Client
) -> None:
    response = http.get(stubs.page(ODD, path))
    assert response.status_code == 200
    assert response.headers["content-type"] == media
    assert needle in response.content


def test_charsets_are_what_the_names_say(stubs: Stubs, http: httpx2.Client) -> None:
    bare = http.get(stubs.page(ODD, "gb18030-bare"))
    assert b"charset" not in bare.content[:2000]
    assert bare.headers["content-type"] == "text/html"
    for path, name in (("gb18030-bare", "gb18030"), ("notes-gb.txt", "gb18030"), ("big5", "big5")):
        raw = http.get(stubs.page(ODD, path)).content
        assert "的" in raw.decode(name)
        with pytest.raises(UnicodeDecodeError):
            raw.decode("utf-8")


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_pdf_is_valid_and_holds_the_article(
    number: int, stubs: Stubs, http: httpx2.Client
) -> None:
    data = http.get(stubs.page(ODD, f"report-{number}.pdf")).content
    document = pypdfium2.PdfDocument(data)
    page = document[0]
    text = page.get_textpage()
    assert len(text.get_text_bounded()) > 300
    text.close()
    page.close()
    document.close()


def test_redirects_go_where_they_say(stubs: Stubs, http: httpx2.Client) -> None:
    one = http.get(stubs.page(ODD, "hop/1"), follow_redirects=True)
    six = http.get(stubs.page(ODD, "hop/6"), follow_redirects=True)
    assert (len(one.history), len(six.history)) == (1, 6)
    assert one.content == six.content
    for path, target in (("to-private", "http://10.0.0.1/"), ("to-file", "file:///etc/passwd")):
        response = http.get(stubs.page(ODD, path))
        assert (response.status_code, response.headers["location"]) == (302, target)
    assert "169.254.169.254" in http.get(stubs.page(ODD, "to-metadata")).headers["location"]


def test_the_bomb_is_small_on_the_wire_and_large_decoded(stubs: Stubs, http: httpx2.Client) -> None:
    with http.stream("GET", stubs.page(ODD, "bomb")) as response:
        wire = sum(len(piece) for piece in response.iter_raw())
    assert wire < 500_000
    with http.stream("GET", stubs.page(ODD, "bomb")) as response:
        decoded = sum(len(piece) for piece in response.iter_bytes(2**20))
    assert decoded == BOMB_BYTES > 100_000_000


def test_the_huge_page_is_streamed_without_a_length(stubs: Stubs, http: httpx2.Client) -> None:
    with http.stream("GET", stubs.page(ODD, "huge")) as response:
        assert "content-length" not in response.headers
        assert sum(len(piece) for piece in response.iter_raw()) > HUGE_BYTES * 0.99


def test_binary_garbage_is_labelled_text(stubs: Stubs, http: httpx2.Client) -> None:
    response = http.get(stubs.page(ODD, "garbage"))
    assert response.headers["content-type"] == "text/plain"
    assert b"\0" in response.content


def test_conditional_get_gives_304_with_either_validator(stubs: Stubs, http: httpx2.Client) -> None:
    url = ordinary(stubs, http)[0]
    full = http.get(url)
    tag, changed = full.headers["etag"], full.headers["last-modified"]
    for headers in ({"if-none-match": tag}, {"if-modified-since": changed}):
        again = http.get(url, headers=headers)
        assert (again.status_code, again.content) == (304, b"")
    assert http.get(url, headers={"if-none-match": '"other"'}).status_code == 200
    assert full.headers["cache-control"] == "max-age=600"
    assert http.get(stubs.page(ODD, "no-store")).headers["cache-control"] == "no-store"


def test_robots_missing_pages_and_methods(stubs: Stubs, http: httpx2.Client) -> None:
    assert "/p/odd.example/forbidden/" in http.get(f"{stubs.url('web')}/robots.txt").text
    assert (
        "Disallow: /p/x.example/forbidden/" in http.get(stubs.page("x.example", "robots.txt")).text
    )
    assert http.get(stubs.page(ODD, "forbidden/page")).status_code == 200
    assert http.get(stubs.page("nowhere.example", "a")).status_code == 404
    assert http.get(stubs.page(ODD, "gone")).status_code == 410
    assert http.post(stubs.page(ODD, "shell")).status_code == 405
    head = http.head(stubs.page(ODD, "consent"))
    assert (head.status_code, head.content) == (200, b"")


def test_a_page_is_also_found_by_its_host_header(stubs: Stubs, http: httpx2.Client) -> None:
    url = httpx2.URL(ordinary(stubs, http)[0])
    host, _, path = url.path[3:].partition("/")
    named = http.get(f"{stubs.url('web')}/{path}", headers={"host": host})
    assert named.content == http.get(url).content
    assert stubs.log()[1].host == host
