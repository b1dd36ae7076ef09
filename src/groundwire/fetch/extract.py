"""Extracts an article from bytes: pure, and meant for a process with limits of its own."""

from __future__ import annotations

import ctypes
import re
from dataclasses import replace
from datetime import date, timedelta

from groundwire.errors import Unreadable
from groundwire.fetch import quality
from groundwire.fetch.article import read_article
from groundwire.fetch.charset import decode
from groundwire.fetch.days import parse_date
from groundwire.fetch.extracted import DOCX, XLSX, Extracted
from groundwire.fetch.fields import make_extracted
from groundwire.fetch.metadata import read_metadata
from groundwire.fetch.office import read_office
from groundwire.fetch.tree import Node, drop, parse, text_of
from groundwire.language.text.characters import detect_language

HTML = frozenset({"text/html", "application/xhtml+xml"})
PLAIN = frozenset({"text/plain", "text/markdown", "text/x-markdown"})
MAX_TEXT = 2_000_000  # characters; longer texts are cut at a line
MAX_PAGES = 500

_LOOKS_HTML = re.compile(rb"<(?:!doctype\s+html|html|head|body|article|p|div)\b", re.IGNORECASE)
# A block between two lines of three hyphens, before anything else.
_FRONT = re.compile(
    r"\A---[ \t]*\n(?P<block>.{0,20000}?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE
)
_FIELD = re.compile(r"^(?P<name>[A-Za-z_][\w-]*)[ \t]*:[ \t]*(?P<value>.*)$", re.MULTILINE)
_HEADING = re.compile(r"^\s{0,3}#{1,3}\s+(.+?)\s*#*$", re.MULTILINE)
_HEADINGS = re.compile(r"^ {0,3}#{1,6}[ \t]+(\S.*?)[ \t]*#*$", re.MULTILINE)


def extract(body: bytes, content_type: str, url: str, latest: date | None = None) -> Extracted:
    """Read a page, a PDF or a text; raises `Unreadable` with the reason.

    `latest` bounds the dates that are believed; the caller passes the day of reading.
    """
    if not body:
        raise Unreadable("outside.empty")
    believed = (latest or date(2100, 1, 1)) + timedelta(days=2)  # zones
    kind = media_type(body, content_type)
    if kind == "application/pdf":
        return _from_pdf(body, believed)
    if kind in HTML:
        return _from_html(body, content_type, url, believed)
    if kind in PLAIN:
        return _from_text(body, content_type, url, kind, believed)
    if kind in (DOCX, XLSX):
        return _from_office(body, kind, url, believed)
    raise Unreadable("outside.page_kind", kind=kind[:60])


def media_type(body: bytes, content_type: str) -> str:
    """Return the media type: the header's, corrected where the bytes show otherwise."""
    named = content_type.partition(";")[0].strip().lower()
    head = body[:1024].lstrip()
    if head.startswith(b"%PDF-"):
        return "application/pdf"
    if named in HTML or named == "application/pdf":
        return named
    if named in PLAIN and not head[:15].lower().startswith((b"<!doctype html", b"<html")):
        return named
    if named in ("", "application/octet-stream", "binary/octet-stream", "unknown/unknown", *PLAIN):
        return "text/html" if _LOOKS_HTML.search(head) else "text/plain"
    return named


def _from_html(body: bytes, content_type: str, url: str, latest: date) -> Extracted:
    tree = parse(decode(body, content_type))
    about = read_metadata(tree, url, latest)
    scripts = sum(1 for _ in tree.iter("script"))
    text = _tidy(read_article(tree, url))
    whole = "" if len(text) >= 1500 else _visible(tree)
    quality.check(about.title, text, whole, scripts=scripts)
    title, language = about.title or _first_line(text), _language(text, about.language)
    return replace(about, title=title, language=language, text=text)


def _visible(tree: Node) -> str:
    body = tree.find("body")
    if body is None:
        return ""
    drop(body, "script", "style", "template", "svg")
    return text_of(body)


def _language(text: str, declared: str) -> str:
    """Detect the text's language; what the page declares only breaks a tie."""
    found = detect_language(text)
    if found != "und":
        return found
    return declared.partition("-")[0].partition("_")[0].lower() or "und"


def _from_text(body: bytes, content_type: str, url: str, kind: str, latest: date) -> Extracted:
    text = _tidy(decode(body, content_type, markup=False), lines=True)
    front: dict[str, str] = {}
    if kind != "text/plain":
        front, text = _front_matter(text)
    heading = _HEADING.search(text[:2000])
    title = front.get("title") or (heading.group(1) if heading else _first_line(text))
    if kind != "text/plain":
        text = _without_marks(text)
    quality.check("", text)
    dates = (front.get(name, "") for name in ("published_at", "date", "published"))
    published = next((found for each in dates if (found := parse_date(each, latest))), None)
    return make_extracted(
        text,
        published,
        title=title[:400] or url.rstrip("/").rpartition("/")[2],
        author=front.get("author"),
        language=_language(text, front.get("language") or front.get("lang", "")),
        media_type="text/markdown" if (heading or front) and kind != "text/plain" else kind,
    )


def _without_marks(text: str) -> str:
    """Set Markdown headings on lines of their own, without their signs.

    Quotes show what a text says, not how it was typed.
    """
    apart = _HEADINGS.sub(r"\n\1\n", text)
    return re.sub(r"\n{3,}", "\n\n", apart).strip("\n") if apart != text else text


def _from_office(body: bytes, kind: str, url: str, latest: date) -> Extracted:
    written, about = read_office(body, kind)
    text = _tidy(written, lines=True)
    quality.check("", text)
    return make_extracted(
        text,
        parse_date(about.get("created", ""), latest),
        title=(about.get("title") or _first_line(text))[:400] or url.rstrip("/").rpartition("/")[2],
        author=about.get("creator"),
        how="metadata",
        media_type=kind,
    )


def _front_matter(text: str) -> tuple[dict[str, str], str]:
    """Split off the fields of a leading front matter block.

    A file cannot say itself where it was published or how far to trust it.
    """
    block = _FRONT.match(text)
    if block is None:
        return {}, text
    found = {
        field["name"].lower(): " ".join(field["value"].strip().strip("\"'[]").split())
        for field in _FIELD.finditer(block["block"])
    }
    # There can be prose between two rulers, too.
    return (found, text[block.end() :].strip()) if found else ({}, text)


def _from_pdf(body: bytes, latest: date) -> Extracted:
    # Deferred: a library of seven megabytes that few pages need.
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(body)
    except (pypdfium2.PdfiumError, ctypes.ArgumentError) as error:
        raise Unreadable("outside.pdf_locked") from error
    try:
        about = document.get_metadata_dict(skip_empty=True)
        text = _pdf_text(document)
    except pypdfium2.PdfiumError as error:
        raise Unreadable("outside.pdf_damaged") from error
    finally:
        document.close()
    if quality.weight(text) < 40:
        raise Unreadable("outside.pdf_images")
    return make_extracted(
        text,
        parse_date(about.get("CreationDate", "").removeprefix("D:")[:8], latest),
        title=" ".join(about.get("Title", "").split())[:400] or _first_line(text),
        author=" ".join(about.get("Author", "").split()),
        how="metadata",
        media_type="application/pdf",
    )


def _pdf_text(document: object) -> str:
    from pypdfium2 import PdfDocument

    assert isinstance(document, PdfDocument)
    parts: list[str] = []
    size = 0
    for number in range(min(len(document), MAX_PAGES)):
        page = document[number]
        words = page.get_textpage()
        part = str(words.get_text_range())
        words.close()
        page.close()
        parts.append(part)
        size += len(part)
        if size > MAX_TEXT:
            break
    return _tidy("\n".join(parts).replace("\r\n", "\n").replace("\ufffe", ""), lines=True)


def _tidy(text: str, *, lines: bool = False) -> str:
    """Strip control characters and trailing blanks; keep at most one empty line with `lines`."""
    text = text.replace("\r", "\n").replace("\u00a0", " ").replace("\x00", "")
    kept = [line.rstrip() for line in text.split("\n")]
    if lines:
        tidy = re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip()
    else:
        tidy = "\n".join(line for line in kept if line.strip()).strip()
    if len(tidy) > MAX_TEXT:
        tidy = tidy[: tidy.rfind("\n", 0, MAX_TEXT) if "\n" in tidy[:MAX_TEXT] else MAX_TEXT]
    # Lone surrogates cannot be stored or hashed.
    return tidy.encode("utf-8", "replace").decode("utf-8") if not tidy.isascii() else tidy


def _first_line(text: str) -> str:
    return text.lstrip().partition("\n")[0].strip()[:200]
