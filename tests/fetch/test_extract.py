"""Pages, PDFs and texts as documents; broken ones are failed documents."""

from __future__ import annotations

import json
from datetime import date

import pytest

from groundwire.errors import Unreadable
from groundwire.fetch.extract import Extracted, extract, media_type

URL = "https://news.example.com/2026/03/05/rates"
EN = (
    "The central bank lowered its reserve ratio by half a point on Thursday, its second cut "
    "this year, and said that it would keep liquidity ample."
)
ZH = (
    "央行周四将存款准备金率下调零点五个百分点，这是今年以来第二次下调，并表示将保持流动性合理充裕。"
)


def article(paragraph: str = EN, count: int = 8, head: str = "", top: str = "") -> bytes:
    body = "".join(f"<p>{paragraph} ({n})</p>" for n in range(count))
    return (
        f"<!doctype html><html><head><title>Rates cut | Example</title>{head}</head><body>"
        f"<nav><a href='/'>Home</a><a href='/news'>News</a></nav>"
        f"<div class='page'><article><h1>Rates cut</h1>{top}{body}"
        f"<div class='share-buttons'>Share this on every network there is, please</div>"
        f"</article></div>"
        f"<aside><p>Sidebar: {EN}</p></aside><footer><p>Copyright {EN}</p></footer>"
        f"</body></html>"
    ).encode()


def read(body: bytes, content_type: str = "text/html; charset=utf-8") -> Extracted:
    return extract(body, content_type, URL, date(2026, 6, 1))


def pdf(text: str, title: str = "Annual report") -> bytes:
    """Write a small PDF by hand: one page, one font."""
    content = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET".encode()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
        b"/Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        f"<< /Title ({title}) /Author (A. Writer) /CreationDate (D:20260302120000Z) >>".encode(),
    ]
    out = bytearray(b"%PDF-1.4\n")
    offsets: list[int] = []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    out += b"trailer << /Size %d /Root 1 0 R /Info 6 0 R >>\n" % (len(objects) + 1)
    out += b"startxref\n%d\n%%%%EOF" % start
    return bytes(out)


def test_the_article_is_read_and_the_furniture_is_not() -> None:
    found = read(article())
    lines = found.text.split("\n")
    assert lines[0] == "Rates cut"
    assert lines[1:] == [f"{EN} ({n})" for n in range(8)]
    assert (found.title, found.language, found.media_type) == ("Rates cut", "en", "text/html")


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030"])
def test_a_chinese_page_is_read_in_its_charset(encoding: str) -> None:
    body = article(ZH).decode().encode(encoding)
    found = read(body, "text/html")
    assert f"{ZH} (0)" in found.text
    assert found.language == "zh"


def test_a_page_of_divs_without_paragraphs_is_read_too() -> None:
    rows = "".join(f"<div>{EN} ({n})</div>" for n in range(6))
    markup = f"<html><head><title>T</title></head><body><div id='main'>{rows}</div></body></html>"
    found = read(markup.encode())
    for number in range(6):
        assert f"({number})" in found.text


@pytest.mark.parametrize(
    "lines",
    [
        ("Reading list", "6 October 2026", "A few links about Norvale, its plants and its trains."),
        (
            "诺维公司发布新版本",
            "2026年10月7日",
            "诺维公司今天发布了新版本，读取文件的速度快了一倍。",
        ),
        ("諾維公司推出新版本", "2026年10月7日", "諾維公司今天推出新版本，讀取檔案的速度快了一倍。"),
    ],
)
@pytest.mark.parametrize(
    "markup",
    [
        "<article><h1>{}</h1><time>{}</time><p>{}</p></article>",
        "<article>\n<header><h1>{}</h1>\n<span>{}</span></header>\n<div>{}</div></article>",
        "<div><h1>{}</h1><div>{}</div><div>{}</div></div>",
    ],
)
def test_heading_date_and_text_of_a_page_of_a_few_lines_stay_apart(
    markup: str, lines: tuple[str, str, str]
) -> None:
    head = "<html><head><title>News</title></head><body><nav><a href='/'>Home</a></nav>"
    body = f"{head}{markup.format(*lines)}<footer>About us</footer></body></html>"
    assert read(body.encode()).text.split("\n") == list(lines)


def test_a_line_break_of_the_source_parts_no_sentence() -> None:
    body = f"<html><body><article><h1>Rates</h1><p>{EN.replace(' by ', chr(10) + '  by ')}</p></article></body></html>"
    assert read(body.encode()).text.split("\n") == ["Rates", EN]


def test_line_breaks_separate_words_and_tables_keep_their_rows() -> None:
    table = "<table><tr><th>Year</th><th>Loss</th></tr><tr><td>2025</td><td>$3m</td></tr></table>"
    found = read(article(top=f"<p>First line<br>second line of the very same paragraph</p>{table}"))
    assert "First line second line" in found.text
    assert "Year | Loss\n2025 | $3m" in found.text


@pytest.mark.parametrize(
    "body",
    [
        article()[:1900],  # cut off in the middle
        article().replace(b"</p>", b"").replace(b"</div>", b""),  # nothing is closed
        article().replace(b"<html>", b"").replace(b"<h1>", b"</body></html><h1>"),
        article().replace(b"<p>", b"<p><b><i><u>"),
        b"<?xml version='1.0' encoding='utf-8'?>" + article(),
        article().replace(b"<article>", b"<article \x00 <<< '>\""),
    ],
)
def test_broken_markup_still_gives_its_text(body: bytes) -> None:
    assert EN in read(body).text


def test_author_and_publisher_come_from_what_is_declared() -> None:
    data = {
        "@type": "NewsArticle",
        "headline": "央行降准",
        "author": [{"name": "Li Lei"}, {"name": "Han Meimei"}],
        "publisher": {"name": "Example Daily"},
    }
    found = read(article(head=f'<script type="application/ld+json">{json.dumps(data)}</script>'))
    assert found.title == "央行降准"
    assert found.author == "Li Lei, Han Meimei"
    assert found.publisher == "Example Daily"
    assert read(article(head='<meta property="og:site_name" content="Site">')).publisher == "Site"


def test_a_pdf_gives_its_text_and_its_own_date() -> None:
    found = read(
        pdf("Revenue rose to 12 million dollars in the first quarter of the year."),
        "application/pdf",
    )
    assert "Revenue rose to 12 million" in found.text
    assert (found.title, found.author) == ("Annual report", "A. Writer")
    assert (found.published_at, found.published_how) == ("2026-03-02", "metadata")


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"%PDF-1.7\nnothing of a PDF follows", "damaged"),
        (pdf("x" * 60)[:200], "damaged|no text"),
        (pdf(""), "no text"),
    ],
)
def test_a_broken_or_empty_pdf_is_a_failed_document(body: bytes, reason: str) -> None:
    with pytest.raises(Unreadable, match=reason):
        read(body, "application/pdf")


def test_a_pdf_is_known_by_its_first_bytes() -> None:
    body = pdf("A text that is long enough to be a document of its own kind.")
    assert read(body, "text/html").media_type == "application/pdf"


def test_plain_text_is_taken_as_it_is_and_markdown_without_the_signs_of_its_headings() -> None:
    found = read(f"# 季度报告\r\n\r\n{ZH}\r\n".encode(), "text/markdown")
    assert found.text == f"季度报告\n\n{ZH}"
    assert (found.title, found.media_type) == ("季度报告", "text/markdown")
    assert read(EN.encode(), "text/plain").text == EN
    plain = f"# One\n{EN}"
    assert read(plain.encode(), "text/plain").text == plain
    several = read(
        f"Intro.\n## Two ##\n{EN}\n###### Six\nC# and #tag stay.".encode(), "text/markdown"
    )
    assert several.text == f"Intro.\n\nTwo\n\n{EN}\n\nSix\n\nC# and #tag stay."


@pytest.mark.parametrize("kind", ["text/plain", "", "application/octet-stream"])
def test_binary_in_a_text_file_is_a_failed_document(kind: str) -> None:
    with pytest.raises(Unreadable, match="binary"):
        read(b"\x00\x01\x02\xff" * 500, kind)


@pytest.mark.parametrize("kind", ["image/png", "application/zip", "video/mp4", "application/json"])
def test_other_kinds_are_refused_by_name(kind: str) -> None:
    with pytest.raises(Unreadable, match=kind):
        read(b"whatever", kind)


def test_nothing_is_a_failed_document() -> None:
    with pytest.raises(Unreadable, match="empty"):
        read(b"")
    with pytest.raises(Unreadable, match="empty"):
        read(b" \n ")


def test_a_page_sent_without_a_kind_is_recognised() -> None:
    assert media_type(article(), "") == "text/html"
    assert media_type(b"<!DOCTYPE HTML><html>", "text/plain") == "text/html"
    assert media_type(b"a < b and some text", "") == "text/plain"


@pytest.mark.parametrize(
    ("title", "text", "language"),
    [
        ("Bridge opens", EN, "en"),
        ("大桥通车", ZH, "zh"),
        (
            "大橋通車",
            "這座大橋於2021年通車，市議會為此支付了全部費用，並開設了電車線路與行人道。" * 4,
            "zh-Hant",
        ),
    ],
)
def test_front_matter_of_markdown_is_about_the_text_not_part_of_it(
    title: str, text: str, language: str
) -> None:
    """But no file says of itself where it was published or how far it is to be believed."""
    front = (
        f'---\ntitle: "{title}"\ndate: 2021-05-04\nauthor: A. Writer\nlanguage: en\n'
        "url: https://reuters.com/1\ntier: primary\ntags:\n  - bridge\n---\n\n"
    )
    found = read((front + text).encode(), "text/markdown")
    assert found.title == title
    assert (found.published_at, found.published_how) == ("2021-05-04", "declared")
    assert (found.author, found.publisher, found.language) == ("A. Writer", "", language)
    assert found.text == text
    assert found.media_type == "text/markdown"


def test_rulers_around_prose_are_no_front_matter() -> None:
    text = f"---\n\n{EN}\n\n---\n\nMore of it."
    assert read(text.encode(), "text/markdown").text == text
    plain = f"---\ntitle: A title\n---\n{EN}"
    assert read(plain.encode(), "text/plain").text == plain
