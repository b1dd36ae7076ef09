"""Decodes bytes to text: BOM, UTF-8, what was declared, then what the bytes look like."""

from __future__ import annotations

import codecs
import re

from groundwire.errors import Unreadable
from groundwire.language.data import lines_of

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Sites name the small set and use the large one.
_WIDER = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "big5": "big5hkscs",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "iso8859-1": "cp1252",
    "ascii": "cp1252",
}
_MULTIBYTE = ("gb18030", "big5hkscs", "cp932", "euc_jp", "cp949")
_HEADER = re.compile(r"charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_META = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_XML = re.compile(rb"^\s*<\?xml[^>]{0,100}encoding\s*=\s*[\"']([\w.:-]+)", re.IGNORECASE)
_MAGIC = (
    b"%PDF-", b"PK\x03\x04", b"\x1f\x8b", b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"Rar!", b"7z\xbc\xaf",
    b"\x7fELF", b"MZ\x90", b"OggS", b"ID3", b"\xd0\xcf\x11\xe0", b"SQLite format", b"RIFF", b"BZh",
)  # fmt: skip
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_CONTROL_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufdd0-\ufdef\ufffe\uffff]")

# The most frequent characters of each script carry about a third of any text, and bytes read in
# the wrong encoding hardly ever meet them.
_COMMON = {
    encoding: frozenset(characters)
    for encoding, characters in (
        line.split("\t") for line in lines_of("groundwire.fetch.data", "common_characters.tsv")
    )
}
_KANA = re.compile("[\u3041-\u30fc、。]")


def decode(body: bytes, content_type: str = "", *, markup: bool = True) -> str:
    """Decode a body to text; raises `Unreadable` when it is no text at all."""
    if body.startswith(_MAGIC):
        raise Unreadable("outside.sent_as_text")
    text = _decoded(body, content_type, markup)
    # Legacy control characters are noise; they also cannot be stored in every database.
    return _CONTROL_TEXT.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def _decoded(body: bytes, content_type: str, markup: bool) -> str:
    for bom, name in _BOMS:
        if body.startswith(bom):
            return body[len(bom) :].decode(name, "replace")
    if (wide := _utf16(body)) is not None:
        return body.decode(wide, "replace")
    _refuse_binary(body)
    declared = _declared(body, content_type, markup)
    if b"\x1b$" in body and "iso2022_jp" in declared:
        return body.decode("iso2022_jp", "replace")
    if (text := _utf8(body)) is not None:
        return text
    sample = body[:60_000]
    guess, score = _guess(sample)
    for name in declared:
        if name == "utf-8":
            continue  # tried above
        fit = _fit(sample, name)
        # A wrongly declared one-byte set decodes anything; how the text looks decides.
        if fit is not None and (fit >= 0.2 or score < 0.3 or fit >= score):
            return body.decode(name, "replace")
    if score >= 0.1:
        return body.decode(guess, "replace")
    return body.decode(_detect_rare(sample), "replace")


def _utf8(body: bytes) -> str | None:
    """Decode UTF-8 despite a few damaged bytes or a cut at the end; None if it is not UTF-8."""
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        text = body.decode("utf-8", "replace")
    wrong = text.count("\ufffd")
    right = sum(1 for char in text[:200_000] if char > "\x7f") - wrong
    return text if wrong * 20 <= right else None


def _utf16(body: bytes) -> str | None:
    head = body[:4000]
    if len(head) < 8 or b"\x00" not in head:
        return None
    half = len(head) // 2
    even, odd = head[0::2].count(0), head[1::2].count(0)
    # Markup is mostly ASCII, so one byte of each pair is nearly always zero.
    name = "utf-16-le" if odd > even else "utf-16-be"
    if max(odd, even) < half * 0.3 or min(odd, even) > half * 0.05:
        return None
    strange = len(_CONTROL_TEXT.findall(head.decode(name, "replace")))
    return name if strange <= half * 0.01 else None


def _refuse_binary(body: bytes) -> None:
    head = body[:20_000]
    if not head:
        return
    controls = len(_CONTROL.findall(head))
    if head.count(0) > 2 or controls > len(head) * 0.01 + 2:
        raise Unreadable("outside.sent_as_text")


def _declared(body: bytes, content_type: str, markup: bool) -> list[str]:
    names: list[str] = []
    if match := _HEADER.search(content_type):
        names.append(match.group(1))
    if markup:
        names.extend(m.group(1).decode("ascii", "ignore") for m in _META.finditer(body[:8000]))
        if xml := _XML.match(body):
            names.append(xml.group(1).decode("ascii", "ignore"))
    found: list[str] = []
    for name in names:
        try:
            known = codecs.lookup(name).name
        except LookupError:
            continue
        known = _WIDER.get(known, known)
        if known not in found and not known.startswith(("utf-16", "utf-32", "utf-7")):
            found.append(known)
    return found


def _fit(sample: bytes, name: str) -> float | None:
    """Rate how much a decoding looks like language, 0 to 1; None if the bytes do not fit."""
    try:
        text = sample.decode(name, "replace")
    except LookupError:
        return None
    high = [char for char in text if char > "\x7f"]
    if not high:
        return 0.0
    wrong = sum(1 for char in high if char == "\ufffd" or "\ue000" <= char <= "\uf8ff")
    if wrong > 2 and wrong > len(high) * 0.02:
        return None
    joined = "".join(high)
    if name in _COMMON:
        return sum(1 for char in high if char in _COMMON[name]) / len(high)
    if name in ("cp932", "euc_jp"):
        return len(_KANA.findall(joined)) / len(high)
    return 0.1


def _guess(sample: bytes) -> tuple[str, float]:
    fits = {name: _fit(sample, name) or 0.0 for name in _MULTIBYTE}
    best = max(fits, key=lambda name: fits[name])
    return best, fits[best]


# What stands above ASCII in the languages of Western Europe; read as Windows-1252, Czech, Polish,
# Turkish, Greek and Cyrillic show many others.
_WESTERN = frozenset("áàâãäåçéèêëíîïñóôõöúùûüßæœÁÀÂÃÄÅÇÉÈÊÍÑÓÔÕÖÚÜŒ“”‘’„–—…€«»º°ª·§©®£\u00a0")


def _detect_rare(sample: bytes) -> str:
    """Choose cp1252 for Western European text, which the detector mistakes; else detect."""
    high = [char for char in sample.decode("cp1252", "replace") if char > "\x7f"]
    if sum(1 for char in high if char in _WESTERN) >= 0.95 * len(high):
        return "cp1252"
    from charset_normalizer import from_bytes

    match = from_bytes(sample[:20_000], steps=3).best()
    return match.encoding if match is not None else "cp1252"
