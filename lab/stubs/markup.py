"""The HTML around an article: navigation, sidebars, scripts, comments, advertisements, dates."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from html import escape
from random import Random

from lab.stubs.articles import Article
from lab.stubs.terms import listed

DATE_STYLES = ("og", "json-ld", "time", "meta", "all")

_SECTIONS = {
    False: listed(
        "Markets Policy Technology Opinion Companies Banking World Video Podcasts Events"
    ),
    True: listed("首页 快讯 市场 政策 科技 观点 公司 银行 国际 视频 专题 数据"),
}
_COMMENTS = {
    False: (
        "Great piece, thanks for the detail.",
        "I moved everything out the same evening and slept well.",
        "Not sure the second paragraph is right, can you check?",
        "Why does nobody talk about the weekend hours?",
        "First! Also, the chart does not load on my phone.",
        "Follow me for daily signals, link in my profile.",
    ),
    True: (
        "写得不错，感谢整理。",
        "当天晚上我就全部转走了。",
        "第二段的数字对吗？求核实。",
        "为什么没人提周末的问题？",
        "沙发！手机上图表打不开。",
        "关注我，每天分享行情。",
    ),
}
_NAMES = listed("alice bob chen_wei dao-fan erin frank gu.li hana ivan jo 老王 小李 路人甲")
_LABELS = {
    False: ("Related stories", "Most read", "Comments", "Sign up for our newsletter", "Share"),
    True: ("相关阅读", "热门文章", "评论", "订阅我们的邮件", "分享"),
}
_COOKIE = {
    False: "We use cookies to improve your experience. Accept all or manage your choices.",
    True: "本网站使用 Cookie 以改善您的体验。接受全部或管理您的选择。",
}


@cache
def _script_lines() -> tuple[str, ...]:
    """About 150 kB of script-like lines; pages take slices of it, so a page costs little."""
    dice = Random("script")
    words = listed("track slot bid view page user ad load event queue init push config render")
    lines: list[str] = []
    for number in range(1600):
        a, b, c = (dice.choice(words) for _ in range(3))
        key = f"{dice.getrandbits(48):012x}"
        lines.append(
            f"window._{a}{number}=window._{a}{number}||[];_{a}{number}.push({{{b}:'{key}',{c}:{number}}});"
        )
    return tuple(lines)


@cache
def _style_sheet() -> str:
    dice = Random("style")
    rules = (
        f".c{n}{{margin:{dice.randrange(40)}px;color:#{dice.getrandbits(24):06x};display:block}}"
        for n in range(70)
    )
    return "\n".join(rules)


def filler(size: int, dice: Random) -> str:
    """A script element of exactly `size` ASCII bytes (at least 40)."""
    lines, at = _script_lines(), dice.randrange(1600)
    room = max(size, 40) - len("<script></script>\n")
    parts: list[str] = []
    used = 0
    while used < room:
        line = lines[at % len(lines)]
        parts.append(line)
        used += len(line) + 1
        at += 1
    text = "\n".join(parts)[:room]
    cut = text.rfind("\n") + 1
    return f"<script>{text[:cut]}{'/' * (room - cut)}</script>\n"


def _json(value: object) -> str:
    # "</" inside a script would end it early.
    return json.dumps(value, ensure_ascii=False).replace("</", "<\\/")


def _dates(article: Article, style: str) -> str:
    when, rows = escape(article.published_at), list[str]()
    if not when:
        return ""
    if style in ("og", "all"):
        rows.append(f'<meta property="article:published_time" content="{when}">')
        rows.append(f'<meta property="og:updated_time" content="{when}">')
    if style in ("meta", "all"):
        rows.append(f'<meta name="date" content="{when[:10]}">')
    if style in ("json-ld", "all"):
        data = {
            "@context": "https://schema.org",
            "@type": "NewsArticle",
            "headline": article.title,
            "datePublished": article.published_at,
            "author": {"@type": "Person", "name": article.author},
            "publisher": {"@type": "Organization", "name": article.publisher},
        }
        rows.append(f'<script type="application/ld+json">{_json(data)}</script>')
    return "\n".join(rows)


def head(article: Article, canonical: str, style: str, charset: str | None) -> str:
    """The head element; without `charset` the page does not name its encoding."""
    title, site = escape(article.title), escape(article.publisher)
    lead = escape((article.paragraphs() or [""])[0][:150])
    declared = f'<meta charset="{charset}">\n' if charset else ""
    return (
        f'<!DOCTYPE html>\n<html lang="{escape(article.language)}">\n<head>\n{declared}'
        f"<title>{title} - {site}</title>\n"
        f'<meta name="description" content="{lead}">\n'
        f'<meta property="og:title" content="{title}">\n<meta property="og:type" content="article">\n'
        f'<meta property="og:site_name" content="{site}">\n'
        f'<meta name="author" content="{escape(article.author)}">\n'
        f'<link rel="canonical" href="{escape(canonical)}">\n{_dates(article, style)}\n'
        f"<style>{_style_sheet()}</style>\n</head>\n"
    )


def _links(links: Sequence[tuple[str, str]], css: str) -> str:
    rows = "\n".join(
        f'<li class="{css}"><a href="{escape(href)}">{escape(text)}</a></li>'
        for href, text in links
    )
    return f'<ul class="{css}-list">\n{rows}\n</ul>\n'


def _nav(chinese: bool) -> str:
    links = [(f"/section/{n}", name) for n, name in enumerate(_SECTIONS[chinese])]
    return (
        f'<header class="site-header"><nav class="nav">{_links(links, "nav-item")}</nav></header>\n'
    )


def _comments(chinese: bool, dice: Random) -> str:
    rows: list[str] = []
    for _ in range(dice.randrange(4, 14)):
        name, text = dice.choice(_NAMES), dice.choice(_COMMENTS[chinese])
        rows.append(
            f'<div class="comment"><span class="user">{name}</span><p>{text}</p>'
            f"<button>+{dice.randrange(90)}</button></div>"
        )
    label = _LABELS[chinese][2]
    return f'<section id="comments" class="comments"><h3>{label}</h3>{"".join(rows)}</section>\n'


def cards(links: Sequence[tuple[str, str]], count: int) -> str:
    """Teasers of other stories, the bulk of a real page's elements."""
    rows: list[str] = []
    for number in range(count):
        href, text = links[number % len(links)]
        rows.append(
            f'<div class="card c{number % 70}"><a href="{escape(href)}?ref={number}" class="card-link">'
            f'<img src="/i/{number}.jpg" alt="" loading="lazy" width="320" height="180"></a>'
            f'<div class="card-meta"><span class="tag">#{number}</span><h4>{escape(text)}</h4>'
            f'<svg viewBox="0 0 9 9"><path d="M1 {number % 9}h7v1z"></path></svg></div></div>\n'
        )
    return f'<div class="recirculation">{"".join(rows)}</div>\n'


def main_text(article: Article, extra: Sequence[str], style: str) -> str:
    """The article element: headline, byline, the body and the further paragraphs."""
    paragraphs = [*article.paragraphs(), *extra]
    rows = [f"<p>{escape(text, quote=False)}</p>" for text in paragraphs]
    if len(rows) > 3:
        rows.insert(3, '<aside class="ad-slot" data-ad="mid"><span>Advertisement</span></aside>')
    when = escape(article.published_at)
    shown = f'<time datetime="{when}">{when[:10]}</time>' if style in ("time", "all") else when[:10]
    return (
        f'<article class="post"><h1>{escape(article.title)}</h1>\n'
        f'<div class="byline"><span class="author">{escape(article.author)}</span> {shown}</div>\n'
        f'<div class="post-body">\n{chr(10).join(rows)}\n</div></article>\n'
    )


def page(
    article: Article,
    extra: Sequence[str],
    links: Sequence[tuple[str, str]],
    canonical: str,
    size: int,
    dice: Random,
    encoding: str = "utf-8",
    declared: bool = True,
    style: str = "",
) -> bytes:
    """A whole page of `size` bytes, or a little more if its text alone is longer.

    `style` is one of DATE_STYLES; chance takes one where none is given.
    """
    style = style or dice.choice(DATE_STYLES)
    chinese = article.chinese
    related, read, _, letter, share = _LABELS[chinese]
    before = (
        head(article, canonical, style, encoding if declared else None)
        + f'<body>\n<div id="cookie-bar" class="cookie">{_COOKIE[chinese]}</div>\n'
        + _nav(chinese)
        + '<div class="ad-slot" id="top-ad"></div>\n<main class="layout">\n'
    )
    half = len(links) // 2
    after = (
        f'<div class="share"><span>{share}</span><a href="#x">X</a><a href="#w">微博</a></div>\n'
        + f'<section class="related"><h3>{related}</h3>{_links(links[:half], "related")}</section>\n'
        + _comments(chinese, dice)
        + f'</main>\n<aside class="sidebar"><h3>{read}</h3>{_links(links[half:], "sidebar")}'
        + f'<form class="newsletter"><label>{letter}</label><input name="mail"></form></aside>\n'
        + f'<footer class="footer">{_links([("/about", article.publisher)], "foot")}</footer>\n'
    )
    text = before + main_text(article, extra, style) + after
    body = text.encode(encoding, "xmlcharrefreplace")
    if links:
        room = (size - len(body)) * 2 // 5
        body += cards(links, max(0, room // 520)).encode(encoding, "xmlcharrefreplace")
    tail = b"</body>\n</html>\n"
    return body + filler(size - len(body) - len(tail), dice).encode() + tail
