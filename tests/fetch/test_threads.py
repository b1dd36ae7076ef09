"""Forum threads: every post is read, whatever the program calls it, and chrome is not."""

from __future__ import annotations

import html
import json

import pytest

from groundwire.errors import Unreadable
from groundwire.fetch.extract import extract
from groundwire.fetch.threads import is_thread
from groundwire.fetch.tree import parse

POSTS = [
    "Has anybody seen the new firmware for the weather station? Mine stopped at midnight.",
    "Yes, it came on Tuesday and fixes the clock. Hold the button for ten seconds to reset it.",
    "有人试过从旧版本升级吗？我的气象站在升级之后一直显示错误的气压。",
    "試過了，升級之後要重新校準氣壓計，說明書第十二頁有寫。",
]


def page(posts: str, head: str = "") -> bytes:
    return (
        f"<html><head><title>Firmware</title>{head}</head><body><nav><a href='/'>Home</a></nav>"
        f"{posts}<footer>Powered by a forum program</footer></body></html>"
    ).encode()


XENFORO = "".join(
    f"<article class='message message--post'><div class='message-user'>user{n}<em>Joined 2019</em>"
    f"</div><div class='message-content'><div class='bbWrapper'>{text}</div></div>"
    f"<footer class='message-footer'>Like Quote Reply</footer></article>"
    for n, text in enumerate(POSTS)
)
PHPBB = "".join(
    f"<div class='post bg2'><dl class='postprofile'><dt>user{n}</dt></dl><div class='postbody'>"
    f"<div class='content postcontent'>{text}</div></div></div>"
    for n, text in enumerate(POSTS)
)
DISCUZ = "".join(
    f"<table class='plhin'><tr><td class='pls'>user{n}</td><td class='t_f' id='postmessage_{n}'>"
    f"{text}</td></tr></table>"
    for n, text in enumerate(POSTS)
)
_TOPIC = {"post_stream": {"posts": [{"cooked": f"<p>{text}</p>"} for text in POSTS]}}
DISCOURSE = (
    '<div class="hidden" id="data-preloaded" data-preloaded="'
    + html.escape(json.dumps({"topic_12": json.dumps(_TOPIC), "site": "{}"}), quote=True)
    + '"></div>'
)


@pytest.mark.parametrize(
    ("body", "url"),
    [
        (XENFORO, "https://weather.example/threads/firmware.12/"),
        (PHPBB, "https://weather.example/viewtopic.php?t=12"),
        (DISCUZ, "https://bbs.weather.example/thread-12-1-1.html"),
        (DISCOURSE, "https://weather.example/t/firmware/12"),
    ],
    ids=["xenforo", "phpbb", "discuz", "discourse"],
)
def test_every_post_is_read_and_no_frame(body: str, url: str) -> None:
    found = extract(page(body), "text/html", url)
    assert found.text.splitlines() == POSTS


STORY = "".join(f"<p>{text} {text}</p>" for text in POSTS)
COMMENTS = "".join(
    f"<div class='comment'><b>user{n}</b><div class='comment-body'>Reader {n} has something to say "
    f"about this story, and 读者{n}也有話要說。</div></div>"
    for n in range(4)
)
CARDS = "".join(
    f"<div class='post-card'><h3>Another story number {n} that has its own page</h3></div>"
    for n in range(5)
)


@pytest.mark.parametrize("around", [COMMENTS, CARDS], ids=["comments", "cards"])
@pytest.mark.parametrize("folder", ["topics", "community", "t"])
def test_an_article_at_a_threads_address_is_not_its_comments(folder: str, around: str) -> None:
    body = page(f"<article><div class='story'>{STORY}</div></article><div>{around}</div>")
    found = extract(body, "text/html", f"https://news.example/{folder}/weather-stations")
    assert all(text in found.text for text in POSTS)


def test_a_question_is_read_with_its_answers() -> None:
    question, *answers = (
        f"<div class='s-prose js-post-body'><p>{text}</p></div>" for text in POSTS[:3]
    )
    body = f"<div class='question'>{question}</div>" + "".join(
        f"<div class='answer'>{each}</div>" for each in answers
    )
    found = extract(page(body), "text/html", "https://a.example/questions/12/why")
    assert found.text.splitlines() == POSTS[:3]


def test_what_a_post_tells_the_browser_is_not_read() -> None:
    body = "".join(
        f"<div class='post'><style>.a{{color: red}}</style>{text}<script>track({n})</script></div>"
        for n, text in enumerate(POSTS)
    )
    found = extract(page(body), "text/html", "https://forum.a.example/viewtopic.php?t=1")
    assert found.text.splitlines() == POSTS


@pytest.mark.parametrize(
    ("url", "head", "thread"),
    [
        ("https://forum.a.example/x", "", True),
        ("https://a.example/threads/1", "", True),
        ("https://a.example/questions/12/why", "", True),
        ("https://a.example/index.php?topic=12.0", "", True),
        ("https://a.example/x", "<meta name='generator' content='phpBB'>", True),
        (
            "https://a.example/x",
            "<script type='application/ld+json'>{'@type': 'QAPage'}</script>",
            True,
        ),
        ("https://a.example/news/2026/11/forum-of-ministers-meets", "", False),
        ("https://a.example/2026/threads-of-silk", "", False),
        ("https://a.example/post/12", "<meta name='generator' content='WordPress 6'>", False),
        ("https://community.example/about", "", False),
    ],
)
def test_what_a_thread_is_said_by_address_program_or_description(
    url: str, head: str, thread: bool
) -> None:
    assert is_thread(parse(page("", head).decode()), url) is thread


def test_a_thread_with_one_text_is_read_as_an_article() -> None:
    paragraphs = "".join(f"<p>{text} {text} {text}</p>" for text in POSTS)
    body = page(f"<article class='post'>{paragraphs}</article>")
    found = extract(body, "text/html", "https://a.example/forum/announcement")
    assert POSTS[0] in found.text


@pytest.mark.parametrize("data", ["", "[]", "{", '{"topic_1": 3}', '{"topic_1": "[1]"}'])
def test_broken_data_beside_an_empty_page_is_no_thread(data: str) -> None:
    body = page(f"<div data-preloaded='{data}'></div>")
    with pytest.raises(Unreadable):
        extract(body, "text/html", "https://a.example/t/1")


@pytest.mark.parametrize("holder", ["aside", "header", "svg", "noscript", "figure", "nav"])
def test_what_holds_most_of_the_text_is_no_chrome(holder: str) -> None:
    """An icon or a banner that is never closed swallows the rest of the page."""
    text = "".join(f"<p>{sentence} {sentence}</p>" for sentence in POSTS * 4)
    body = f"<html><body><p>Menu</p><{holder}><div>{text}</div></{holder}></body></html>"
    found = extract(body.encode(), "text/html", "https://a.example/1")
    assert POSTS[0] in found.text
    assert POSTS[2] in found.text
