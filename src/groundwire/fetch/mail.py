"""Mails as articles: the sender's words; attachments are counted, never opened."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from email.utils import parseaddr
from typing import cast

from groundwire.errors import Unreadable
from groundwire.fetch.charset import decode
from groundwire.fetch.extract import extract
from groundwire.fetch.extracted import Extracted, Record, Records, RefusedPage
from groundwire.fetch.fields import LEAST, make_extracted
from groundwire.fetch.moments import moment
from groundwire.fetch.quality import weight
from groundwire.fetch.tree import line, prose, tidy

_MAX_PARTS = 200
_STARTS = re.compile(rb"(?:\A|\r?\n\r?\n)From [^\r\n]{3,200}\r?\n(?=[!-9;-~]+:)")


def read_mail(body: bytes, latest: date | None = None) -> Records:
    """Read one mail; its attachments are counted as skipped."""
    found, attached = _article(body, latest)
    skipped = {"skipped.attachment": attached} if attached else {}
    return Records((Record("mail", "", found),), skipped=skipped)


def read_mailbox(body: bytes, latest: date | None = None) -> Records:
    """Read the mails of an mbox file."""
    starts = list(_STARTS.finditer(body))
    if not starts:
        raise Unreadable("outside.no_mailbox")
    ends = [*(start.start() for start in starts[1:]), len(body)]
    records: list[Record] = []
    refused: list[RefusedPage] = []
    skipped: Counter[str] = Counter()
    for number, (start, end) in enumerate(zip(starts, ends, strict=True), start=1):
        where = f"mail {number}"
        try:
            found, attached = _article(body[start.end() : end], latest)
        except Unreadable as error:
            refused.append(RefusedPage(where, error.kept))
            continue
        records.append(Record(where, "", found))
        skipped["skipped.attachment"] += attached
    return Records(tuple(records), tuple(refused), {k: n for k, n in skipped.items() if n})


def _article(body: bytes, latest: date | None) -> tuple[Extracted, int]:
    mail = BytesParser(policy=policy.default).parsebytes(body)
    if not any(_header(mail, name) for name in ("from", "subject", "date")):
        raise Unreadable("outside.no_mail")
    plain, html, attached = _parts(mail)
    text = _text(plain, html, latest)
    if weight(text) < LEAST:
        raise Unreadable("outside.mail_empty")
    name, address = parseaddr(_header(mail, "from"))
    at = moment(_header(mail, "date"), latest)
    found = make_extracted(
        text,
        at,
        title=line(_header(mail, "subject")),
        author=line(name or address),
        publisher=address.rpartition("@")[2].lower(),
        media_type="message/rfc822",
    )
    return found, attached


def _header(mail: EmailMessage, name: str) -> str:
    """Return a header as text; old programs write raw bytes without naming their encoding."""
    try:
        text = str(mail[name] or "")
    except (IndexError, AttributeError, ValueError):
        text = "\ufffd"  # the library fails on truncated ones: take the raw header
    if any("\udc80" <= char <= "\udcff" for char in text):
        return decode(text.encode("utf-8", "surrogateescape"), markup=False)
    if "\ufffd" in text:
        raw = next((v for k, v in mail.raw_items() if k.lower() == name), "")
        return decode(str(raw).encode("utf-8", "surrogateescape"), markup=False)
    return text


def _parts(mail: EmailMessage) -> tuple[list[str], list[str], int]:
    """Return plain texts, HTML texts, and the number of attachments."""
    plain: list[str] = []
    html: list[str] = []
    attached = 0
    for number, part in enumerate(mail.walk()):
        if number > _MAX_PARTS:
            break
        kind = part.get_content_type()
        if part.is_multipart():
            attached += kind == "message/rfc822"
            continue
        named = part.get_filename() is not None or part.get_content_disposition() == "attachment"
        if named or kind not in ("text/plain", "text/html"):
            attached += part.get_content_disposition() != "inline" or named
            continue
        payload = cast("bytes | None", part.get_payload(decode=True)) or b""
        charset = f"text/plain; charset={part.get_param('charset') or ''}"
        words = decode(payload, charset, markup=kind == "text/html")
        (html if kind == "text/html" else plain).append(words)
    return plain, html, attached


def _text(plain: list[str], html: list[str], latest: date | None) -> str:
    """Return the plain text, unless it only stands in for the HTML."""
    words = tidy("\n".join(plain))
    if not html:
        return words
    page = "\n".join(html)
    shown = prose(page)
    if weight(words) * 2 >= weight(shown):
        return words
    try:
        return extract(page.encode("utf-8", "replace"), "text/html; charset=utf-8", "", latest).text
    except Unreadable:
        return shown
