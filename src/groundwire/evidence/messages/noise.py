"""The noise around messages: pictures, links, tags, cries, sources, calls to act, greetings."""

from __future__ import annotations

import re
from functools import cache

from groundwire.evidence.messages.profiles import profiles
from groundwire.evidence.reading.analysis import Sentence
from groundwire.evidence.sources.parties import officials
from groundwire.evidence.sources.publishers import named_sources
from groundwire.language.text.characters import folded, normalise
from groundwire.language.text.lexicon import low_forms
from groundwire.language.text.links import links, without_links
from groundwire.language.text.phrases import patterns

BREAK = "•"  # replaces a picture: it may separate two statements, as a bullet does
PATTERNS = patterns("messages.txt", "groundwire.evidence.data")
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
_CRIES = re.compile(f"(?:{PATTERNS('opening')})+")
_OUTLET = re.compile(r"[^:,|]{2,30}[:|]\s*")
_NOISES = ("asks the reader", "greets", "no news", "exclaims")
_NOISE = re.compile("|".join(f"(?:{PATTERNS(name)})" for name in _NOISES))
_CRY = re.compile(rf"(?:(?:{PATTERNS('cries')})(?![a-z])\W*|(?:{PATTERNS('cries zh')})\W*)+\Z")
_ASKED = re.compile(r"(?:\?|吗|呢)[\s\"')|•]*\Z")
_JOINED = re.compile(r"(?:and|but|anyway)(?![a-z])[\s,]*(?=\w)")
_SHOUTED = 0.6  # share of capitals
_PIECE = re.compile(r"[,;!|•:](?!\d)| - (?=\w)")
_POINT = re.compile(  # of a list: a key, a ringed figure, 1. or (1) or 一、
    r"\A\s*(?:\d{1,2}\ufe0f?\u20e3|[\u2460-\u249b\u2776-\u2793]|\(?\d{1,2}(?:[、)）]|\.(?=\s))|[一二三四五六七八九十]{1,2}、)\s*"
)
_LABEL = re.compile(r"[^:;,.!?]{2,70}:(?!\d)\s*")
_LABELS, _SHORT_LABEL = range(2, 11), 4  # words of a label; so few may be rare
_COMMON = 2.0  # what words of small talk weigh at most
_BEHIND = 3  # words that follow a label at least
# A label that says so turns round, or leaves open, what it stands before: "Not true: …", "If approved: …".
_BEARING = frozenset(
    {"negates", "denies", "false", "takes back", "supposes", "asks", "hedges", "plans"}
)


@cache
def _dotted_names() -> frozenset[str]:
    """Return the names that look like addresses, in low form: Gate.io, Amazon.com."""
    assets = (name for each in profiles() for asset in each.assets for name in asset.names)
    parties = (name for entity in officials().entities for name in entity.names)
    dotted = (name.removeprefix("~") for name in (*assets, *parties) if "." in name)
    return frozenset(low_forms(dotted))


def strip_markup(text: str) -> str:
    """Strip addresses, pictures and tags line by line; a tag inside a sentence stays as a word."""
    flat = LINK.sub(" ", text)
    if "." in flat and any(folded(link) not in _dotted_names() for link in links(flat)):
        flat = without_links(flat)  # a bare or disguised link costs the text its punctuation
    lines: list[str] = []
    for line in flat.splitlines():
        line = _POINT.sub("", line)
        kept = _PICTURES.sub(f" {BREAK} ", line)
        kept = _TOPIC_AT_START.sub("", _HANDLES_AT_START.sub("", kept))
        kept = _TAG.sub(lambda tag: tag[1] or tag[2], _TAGS_AT_END.sub("", kept))
        kept = _SHOUT.sub("", kept.strip(f" |{BREAK}"))
        if kept:
            lines.append(_MARKS.sub(r"\1", kept))
    return "\n".join(lines)


def clean(text: str) -> str:
    """Return the text in one line, without what `strip_markup` removes and opening cries."""
    flat = " ".join(strip_markup(text).replace(BREAK, " ").split())
    normal = normalise(flat)
    cry = _CRIES.match(folded(normal.text))
    if cry and cry.end() < len(normal.text):
        flat = flat[normal.original(cry.end(), len(normal.text))[0] :]
    return flat.strip(" -—|:：,，")


def trim_noise(sentence: Sentence) -> tuple[int, int]:
    """Find where a sentence begins and ends without cries, labels, calls, and the sources around it."""
    flat, low = sentence.text, sentence.low
    start, end = 0, len(low.rstrip())
    while start < end:
        before = start, end
        match = (
            PATTERNS["opening"].match(low, start, end)
            or PATTERNS["said at the start"].match(low, start, end)
            or _label(sentence, start, end)
        )
        if match is None and any(0 in places for places in named_sources(low[start:end]).values()):
            match = _OUTLET.match(low, start, end)
        # A sentence that is only a cry says nothing; one in brackets is a headline.
        if match is not None and (match.end() < end or low[start] not in "[【("):
            start = match.end()
        match = PATTERNS["said at the end"].search(low, start, end) or PATTERNS[
            "told by no name"
        ].search(flat, start, end)
        if match is not None and match.start() > start:
            end = match.start()
        start, end = _without_calls(low, start, end)
        if (start, end) == before:
            break
    return start, end


def _label(sentence: Sentence, start: int, end: int) -> re.Match[str] | None:
    """Match a few common words before a colon that name nobody: "The one thing to know today: …"."""
    match = _LABEL.match(sentence.text, start, end)
    if match is None:
        return None
    words = sentence.words
    inside = [at for at, word in enumerate(words) if start <= word.start < match.end()]
    behind = sum(match.end() <= word.start < end for word in words)
    if len(inside) not in _LABELS or behind < _BEHIND:
        return None
    named = any(sentence.kinds[at][:1] == "n" or words[at].named for at in inside)
    rare = len(inside) > _SHORT_LABEL and any(words[at].weight > _COMMON for at in inside)
    counted = any(start <= each.start < match.end() for each in sentence.figures)
    bearing = any(cue.kind in _BEARING and cue.first in inside for cue in sentence.cues)
    return None if named or rare or counted or bearing else match


def _without_calls(low: str, start: int, end: int) -> tuple[int, int]:
    """Drop the pieces at either end that say what to do or feel, or how the news travels."""
    cuts = [match.span() for match in _PIECE.finditer(low, start, end)]
    pieces = list(zip([start, *(b for _, b in cuts)], [*(a for a, _ in cuts), end], strict=True))
    while pieces and is_noise(low, *pieces[-1]):
        pieces.pop()
    while pieces and is_noise(low, *pieces[0]):
        pieces.pop(0)
    return (pieces[0][0], pieces[-1][1]) if pieces else (start, start)


def is_noise(low: str, start: int, end: int) -> bool:
    """Tell whether this stretch says nothing: a call, greeting, question, cry, or only marks."""
    while start < end and not low[start].isalnum():
        start += 1
    joined = _JOINED.match(low, start, end)
    start = joined.end() if joined else start
    return start == end or bool(
        _NOISE.match(low, start, end)
        or PATTERNS["opinion"].match(low, start, end)
        or _CRY.match(low, start, end)
        or PATTERNS["in passing"].search(low, start, end)
        or PATTERNS["question"].match(low, start, end)
    )


def is_question(low: str, start: int, end: int) -> bool:
    """Tell whether a sentence, without what was trimmed, is a question or opens as its author's view.

    "A was sold, really?" states something and asks about it; "Was A sold, any ideas?" does not.
    """
    kept = low[start:end] + "?" * ("?" in low[end:])
    asked = _ASKED.search(low, start, end) or PATTERNS["question"].match(kept)
    opinion = PATTERNS["opinion"]
    return any((asked, opinion.match(kept), opinion.match(low)))


def is_shouted(text: str, fewest: int) -> bool:
    """Tell whether most of at least so many letters are capitals, so that they mean nothing."""
    letters = [char for char in text if char.isascii() and char.isalpha()]
    return len(letters) >= fewest and sum(map(str.isupper, letters)) > _SHOUTED * len(letters)
