"""The HTML around an article: navigation, sidebars, scripts, comments, advertisements, dates."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from html import escape
from pathlib import Path
from random import Random
from typing import Any

from jinja2 import Environment, StrictUndefined, Template

from lab.stubs.articles import Article
from lab.stubs.terms import listed

DATE_STYLES = ("og", "json-ld", "time", "meta", "all")
_FOLDER = Path(__file__).parent
_WORDS: dict[str, Any] = json.loads((_FOLDER / "page.json").read_text(encoding="utf-8"))


@cache
def _template() -> Template:
    # Escaped by hand: half of what such a page contains is markup.
    jinja = Environment(trim_blocks=True, keep_trailing_newline=True, undefined=StrictUndefined)
    jinja.filters["esc"] = escape
    return jinja.from_string((_FOLDER / "page.html").read_text(encoding="utf-8"))


@cache
def _script_lines() -> tuple[str, ...]:
    """Build about 150 kB of script-like lines, of which pages take slices, so that a page costs little."""
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
    """Build a script element of exactly `size` ASCII bytes (at least 40)."""
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


def _dates(article: Article, style: str) -> list[str]:
    when, rows = escape(article.published_at), list[str]()
    if not when:
        return rows
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
        # "</" inside a script would end it early.
        json_ld = json.dumps(data, ensure_ascii=False).replace("</", "<\\/")
        rows.append(f'<script type="application/ld+json">{json_ld}</script>')
    return rows


def cards(links: Sequence[tuple[str, str]], count: int) -> str:
    """Build teasers of other stories, the bulk of a real page's elements."""
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
    """Build a whole page of `size` bytes, or a little more if its text alone is longer.

    `style` is one of DATE_STYLES; without one it is drawn at random.
    """
    style = style or dice.choice(DATE_STYLES)
    say = _WORDS["zh" if article.chinese else "en"]
    paragraphs = article.paragraphs()
    rows = [f"<p>{escape(text, quote=False)}</p>" for text in (*paragraphs, *extra)]
    if len(rows) > 3:
        rows.insert(3, '<aside class="ad-slot" data-ad="mid"><span>Advertisement</span></aside>')
    when = escape(article.published_at)
    timed = style in ("time", "all")
    text = _template().render(
        article=article,
        canonical=canonical,
        charset=encoding if declared else None,
        comments=[
            (dice.choice(_WORDS["names"]), dice.choice(say["comments"]), dice.randrange(90))
            for _ in range(dice.randrange(4, 14))
        ],
        dates=_dates(article, style),
        half=len(links) // 2,
        links=links,
        paragraphs=paragraphs,
        rows=rows,
        say=say,
        sections=[(f"/section/{number}", name) for number, name in enumerate(say["sections"])],
        shown=f'<time datetime="{when}">{when[:10]}</time>' if timed else when[:10],
        style_sheet=_style_sheet(),
    )
    body = text.encode(encoding, "xmlcharrefreplace")
    if links:
        room = (size - len(body)) * 2 // 5
        body += cards(links, max(0, room // 520)).encode(encoding, "xmlcharrefreplace")
    tail = b"</body>\n</html>\n"
    return body + filler(size - len(body) - len(tail), dice).encode() + tail
