"""What messages are wrapped in: pictures, links, tags, cries, sources, calls to act, greetings."""

from __future__ import annotations

import re
from functools import cache

from groundwire.evidence.messages.profiles import profiles
from groundwire.evidence.sources.parties import officials
from groundwire.evidence.sources.publishers import named_sources
from groundwire.language.text.characters import folded, normalise
from groundwire.language.text.lexicon import low_forms
from groundwire.language.text.links import links, without_links
from groundwire.language.text.phrases import patterns

BREAK = "•"  # stands where a picture stood: it may part two statements, as a bullet does
said = patterns("messages.txt", "groundwire.evidence.data")
_PICTURES = re.compile(
    "(?:[\U0001f000-\U0001faff\u2600-\u27bf\u2b00-\u2bff\u2190-\u21ff\u2300-\u23ff\u25a0-\u25ff"
    "\ufe0f\u200d\u20e3\U000e0020-\U000e007f]\\s*)+"
)
LINK = re.compile(r"(?:https?://|www\.|t\.me/)[^\s\u3000-\u9fff\uff00-\uffef]+", re.IGNORECASE)
_HANDLES_AT_START = re.compile(r"\A[\s•|]*(?:RT\s+)?(?:@\w+:?\s+)+")
_TOPIC_AT_START = re.compile(r"\A[\s•|]*#[^#\s]{2,20}#\s*")  # as Chinese networks write it
_TAGS_AT_END = re.compile(r"(?:[\s•|]*(?:[#＃]|@)[\w·]+[#＃]?)+[\s•|]*\Z")
_TAG = re.compile(r"(?<!\w)[#＃]([\w·]+)[#＃]?|(?<!\w)@(\w+)")
_MARKS = re.compile(r"([!！?？。])\1+")
_SHOUT = re.compile(
    r"\A(?:(?:BREAKING|JUST IN|ALERT|URGENT|UPDATE|NEWS|FLASH|RUMOU?R|DEVELOPING|EXCLUSIVE|SCOOP|WARNING|WOW|OMG)\b[\s:!|•/-]*)+"
)
_CRIES = re.compile(f"(?:{said('opening')})+")
_OUTLET = re.compile(r"[^:,|]{2,30}[:|]\s*")
_NOISE = re.compile(
    "|".join(f"(?:{said(name)})" for name in ("asks the reader", "greets", "no news", "exclaims"))
)
_CRY = re.compile(rf"(?:(?:{said('cries')})(?![a-z])\W*|(?:{said('cries zh')})\W*)+\Z")
_ASKED = re.compile(r"(?:\?|吗|呢)[\s\"')|•]*\Z")
_SHOUTED = 0.6  # share of capitals
_PIECE = re.compile(r"[,;!|•:](?!\d)| - (?=\w)")


@cache
def _dotted_names() -> frozenset[str]:
    """Names that look like addresses, in low form: Gate.io, Amazon.com."""
    own = (name for each in profiles() for asset in each.assets for name in asset.names)
    parties = (name for entity in officials().entities for name in entity.names)
    return frozenset(low_forms(n.removeprefix("~") for n in (*own, *parties) if "." in n))


def plain(text: str) -> str:
    """The text line by line without addresses, pictures and tags; a tag inside a sentence is one of its words."""
    flat = LINK.sub(" ", text)
    if "." in flat and any(folded(link) not in _dotted_names() for link in links(flat)):
        flat = without_links(flat)  # a bare or disguised one costs the text its own punctuation
    lines: list[str] = []
    for line in flat.splitlines():
        kept = _PICTURES.sub(f" {BREAK} ", line)
        kept = _TOPIC_AT_START.sub("", _HANDLES_AT_START.sub("", kept))
        kept = _TAG.sub(lambda tag: tag[1] or tag[2], _TAGS_AT_END.sub("", kept))
        kept = _SHOUT.sub("", kept.strip(f" |{BREAK}"))
        if kept:
            lines.append(_MARKS.sub(r"\1", kept))
    return "\n".join(lines)


def cleaned(text: str) -> str:
    """The text in one line, without what `plain` leaves out and without the cries that it begins with."""
    flat = " ".join(plain(text).replace(BREAK, " ").split())
    normal = normalise(flat)
    cry = _CRIES.match(folded(normal.text))
    if cry and cry.end() < len(normal.text):
        flat = flat[normal.original(cry.end(), len(normal.text))[0] :]
    return flat.strip(" -—|:：,，")


def trimmed(flat: str, low: str) -> tuple[int, int]:
    """Where a sentence begins and ends without the cry and the source before and behind it, and without calls."""
    start, end = 0, len(low.rstrip())
    while start < end:
        before = start, end
        match = (
            said["opening"].match(low, start, end)
            or said["said at the start"].match(low, start, end)
            or said["label"].match(flat, start, end)
        )
        if match is None and any(0 in places for places in named_sources(low[start:end]).values()):
            match = _OUTLET.match(low, start, end)
        # A sentence that is only a cry says nothing; one in brackets alone is a headline.
        if match is not None and (match.end() < end or low[start] not in "[【("):
            start = match.end()
        match = said["said at the end"].search(low, start, end) or said["told by no name"].search(
            flat, start, end
        )
        if match is not None and match.start() > start:
            end = match.start()
        start, end = _without_calls(low, start, end)
        if (start, end) == before:
            break
    return start, end


def _without_calls(low: str, start: int, end: int) -> tuple[int, int]:
    """Without the pieces at either end that say what to do or feel, or how the news travels."""
    cuts = [match.span() for match in _PIECE.finditer(low, start, end)]
    pieces = list(zip([start, *(b for _, b in cuts)], [*(a for a, _ in cuts), end], strict=True))
    while pieces and is_noise(low, *pieces[-1]):
        pieces.pop()
    while pieces and is_noise(low, *pieces[0]):
        pieces.pop(0)
    return (pieces[0][0], pieces[-1][1]) if pieces else (start, start)


def is_noise(low: str, start: int, end: int) -> bool:
    """Whether this stretch tells nothing: a call, a greeting, a question, a cry, or only marks."""
    while start < end and not low[start].isalnum():
        start += 1
    return start == end or bool(
        _NOISE.match(low, start, end)
        or _CRY.match(low, start, end)
        or said["in passing"].search(low, start, end)
        or said["question"].match(low, start, end)
    )


def asks(low: str) -> bool:
    """Whether a whole sentence is a question, or begins as its author's view."""
    asked = said["question"].match(low) or _ASKED.search(low)
    return asked is not None or said["opinion"].match(low) is not None


def is_shouted(text: str, fewest: int) -> bool:
    """Whether most of so many letters are capitals, so that capitals say nothing."""
    letters = [char for char in text if char.isascii() and char.isalpha()]
    return len(letters) >= fewest and sum(map(str.isupper, letters)) > _SHOUTED * len(letters)
