"""The unusual pages of the stub web: traps, other formats, other charsets."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from random import Random

import typst

from lab.stubs.articles import Article
from lab.stubs.harness import StubReply
from lab.stubs.markup import page

HOST = "odd.example"
BOMB_BYTES = 128 * 2**20
HUGE_BYTES = 24 * 2**20
_HTML = "text/html; charset=utf-8"
_BLOCK = 2**20


def pdf(text: str) -> bytes:
    """Render a text as a PDF; it is passed as input, so that none of it is read as markup."""
    source = b"#set text(size: 10pt)\n#sys.inputs.text"
    return typst.compile(
        source, sys_inputs={"text": text}, ignore_system_fonts=True, pdf_standards="1.4"
    )


@cache
def bomb() -> bytes:
    """Build one gzip stream of about 130 kB that decodes to BOMB_BYTES of spaces."""
    press = zlib.compressobj(9, wbits=16 + zlib.MAX_WBITS)
    block = b" " * _BLOCK
    return b"".join(press.compress(block) for _ in range(BOMB_BYTES // _BLOCK)) + press.flush()


def _huge() -> Iterator[bytes]:
    yield b"<!DOCTYPE html><html><head><title>Everything</title></head><body><article>\n"
    row = b"<p>This page repeats one sentence until nobody can hold it in memory.</p>\n"
    chunk = row * (2**16 // len(row))
    for _ in range(HUGE_BYTES // len(chunk)):
        yield chunk
    yield b"</article></body></html>\n"


@dataclass(frozen=True, slots=True)
class Material:
    """The articles and the address from which the unusual pages are made."""

    english: tuple[Article, ...]
    chinese: tuple[Article, ...]
    target: str
    prefix: str

    def html(self, encoding: str = "utf-8", declared: bool = True, number: int = 0) -> bytes:
        """Render an ordinary page in some encoding, from a Chinese article if there is one."""
        pool = self.chinese or self.english
        article = pool[number % len(pool)]
        dice = Random(f"odd:{encoding}:{number}")
        return page(article, (), (), article.url, 42_000, dice, encoding, declared)

    def text(self, number: int = 0, chinese: bool = False) -> str:
        """Return an article as plain text."""
        pool = (self.chinese if chinese else self.english) or self.english or self.chinese
        article = pool[number % len(pool)]
        return f"{article.title}\n\n{article.body}\n"


def _fixed(title: str, body: str, status: int = 200) -> Callable[[Material], StubReply]:
    html = f"<!DOCTYPE html><html><head><title>{title}</title></head><body>{body}</body></html>"
    return lambda _: StubReply(status, html.encode(), _HTML)


def _broken(material: Material) -> StubReply:
    text = material.text().replace("\n\n", "</div><p <b>")
    return StubReply(200, f"<html><body><div><table><p>{text}<!-- <td".encode(), _HTML)


def _redirect(location: str) -> Callable[[Material], StubReply]:
    def reply(material: Material) -> StubReply:
        address = location.format(target=material.target, here=material.prefix)
        return StubReply(302, b"", None, (("location", address),))

    return reply


def _encoded(
    encoding: str, header: bool, declared: bool, number: int
) -> Callable[[Material], StubReply]:
    media = f"text/html; charset={encoding}" if header else "text/html"
    return lambda m: StubReply(200, m.html(encoding, declared, number), media)


def _report(number: int, media: str = "application/pdf") -> Callable[[Material], StubReply]:
    return lambda m: StubReply(200, pdf(m.text(number)), media)


def _plain(media: str, encoding: str, chinese: bool) -> Callable[[Material], StubReply]:
    return lambda m: StubReply(200, m.text(0, chinese).encode(encoding, "replace"), media)


_ZIPPED = (("content-encoding", "gzip"),)

PAGES: dict[str, Callable[[Material], StubReply]] = {
    "/soft-404": _fixed(
        "Page not found",
        "<h1>Page not found</h1><p>Sorry, the page you are looking for does not exist.</p>"
        '<p><a href="/">Back to the home page</a></p>',
    ),
    "/consent": _fixed(
        "Before you continue",
        "<h1>Before you continue</h1><p>We and our 842 partners store cookies on your device.</p>"
        '<form action="/consent"><button>Accept all</button><button>Reject all</button></form>',
    ),
    "/shell": _fixed(
        "App",
        '<div id="root"></div><noscript>You need to enable JavaScript to run this app.</noscript>'
        '<script src="/static/main.js"></script>',
    ),
    "/broken": _broken,
    "/hop/1": _redirect("{target}"),
    **{f"/hop/{n}": _redirect(f"{{here}}/hop/{n - 1}") for n in range(2, 7)},
    "/loop": _redirect("{here}/loop"),
    "/to-private": _redirect("http://10.0.0.1/"),
    "/to-metadata": _redirect("http://169.254.169.254/latest/meta-data/"),
    "/to-file": _redirect("file:///etc/passwd"),
    "/bomb": lambda _: StubReply(200, bomb(), _HTML, _ZIPPED),
    "/gzip": lambda m: StubReply(200, gzip.compress(m.html(), 1, mtime=0), _HTML, _ZIPPED),
    "/huge": lambda _: StubReply(200, media=_HTML, stream=_huge),
    "/html-as-json": lambda m: StubReply(200, m.html(), "application/json"),
    "/pdf-as-html": _report(0, _HTML),
    "/no-type": lambda m: StubReply(200, m.html(), None),
    "/garbage": lambda _: StubReply(200, Random("garbage").randbytes(40_000), "text/plain"),
    **{f"/report-{n + 1}.pdf": _report(n) for n in range(3)},
    "/broken.pdf": lambda _: StubReply(200, pdf("cut")[:120], "application/pdf"),
    "/notes.txt": _plain("text/plain; charset=utf-8", "utf-8", False),
    "/notes-gb.txt": _plain("text/plain", "gb18030", True),
    "/gb18030-header": _encoded("gb18030", True, True, 0),
    "/gb18030-meta": _encoded("gb18030", False, True, 1),
    "/gb18030-bare": _encoded("gb18030", False, False, 2),
    "/big5": _encoded("big5", True, True, 3),
    "/fresh": lambda m: StubReply(200, m.html(), _HTML, (("cache-control", "max-age=3600"),)),
    "/no-store": lambda m: StubReply(200, m.html(), _HTML, (("cache-control", "no-store"),)),
    "/forbidden/page": lambda m: StubReply(200, m.html(), _HTML),
    "/gone": _fixed("Gone", "<h1>Gone</h1>", 410),
}
