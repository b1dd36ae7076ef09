"""Titles of events: a headline of their own pages, else what their sentence says, without the date; pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundwire.jobs.timeline.pages import Account
from groundwire.jobs.timeline.stated import Stated
from groundwire.language.text.characters import HAN
from groundwire.language.text.chinese import cut
from groundwire.language.text.wording import is_han

LONGEST = {True: 40, False: 110}  # characters: Chinese, others
_CLAUSE = re.compile(r"[，,；;：:—–、]| (?=which |who )| after | as ")
_APPOSED = re.compile(r",(?: [\w'’-]+){1,4}$")  # …, an analyst who: of the rest of the sentence
_FULL = 0.35  # of the longest title, before what comes next may be left out
_END = "。.!！；;，,、：: "
# What leads up to a date, and where a date cannot be left out: 2024年的判决, 自3月起, by 3 May.
_BEFORE = re.compile(
    r"(?:(?:\blate |\bearly )?\b(?:on|in)(?: the)? (?:\w+day,? )?|\b\w+day,? |(?:[当當]地|美[东東]|北京|台北|[纽紐][约約])[时時][间間]|[于於在])$",
    re.IGNORECASE,
)
_BOUND = re.compile(r"[自从從至到截迄由]$")
_NOUN = re.compile(r"[的之前后後起以至到]|以[来來后後前]")
_STOPS = tuple(",.;:!?，。；：！？、")
_WEEKDAY = re.compile(r"\s*[（(][^）)]{1,8}[）)]")
_SAYS = re.compile(
    r"(?:宣[布佈]|表示|[称稱]|[说說]|指出|公布|公佈|透露|[认認][为為]|said|says|announced)$"
)


def shortened(sentence: str) -> str:
    """Cut a sentence to its first clauses that fit a title, between words where no clause does."""
    chinese = is_han(sentence)
    most = LONGEST[chinese]
    flat = " ".join(sentence.split()).rstrip(_END)
    if len(flat) <= most:
        return flat
    cuts = [
        _whole_clause(flat, each.start()) for each in _CLAUSE.finditer(flat) if each.start() <= most
    ]
    # "The firm announced" says nothing without what follows.
    wide = [at for at in cuts if at >= _FULL * most and not _SAYS.search(flat[:at])]
    if wide:
        return flat[: wide[-1]].rstrip(_END)
    return f"{_words(flat, most).rstrip(_END)}…"


def _whole_clause(flat: str, at: int) -> int:
    """Return where a clause ends; what only names who says it belongs to the next one."""
    apposed = _APPOSED.search(flat[:at]) if flat[at : at + 1] == " " else None
    return apposed.start() if apposed else at


def _words(flat: str, most: int) -> str:
    """Return the whole words that fit."""
    if re.search(f"[{HAN}]", flat[:most]) is None:
        return flat[:most].rpartition(" ")[0]
    end = 0
    for word in cut(flat):
        if end + len(word) > most:
            break
        end += len(word)
    return flat[:end] or flat[:most]


def undated(account: Account, times: Sequence[Stated]) -> str:
    """Return a sentence without these times, which stand beside its title."""
    text = account.text
    for when in sorted(times, key=lambda each: -each.start):
        start, end = when.start - account.start, when.end - account.start
        if 0 <= start < end <= len(text):
            text = _without(text, start, end)
    return text


def _without(text: str, start: int, end: int) -> str:
    """Leave out a date with what leads up to it, where the sentence stays whole."""
    before, after = text[:start], _WEEKDAY.sub("", text[end:], count=1)
    lead = _BEFORE.search(before)
    if lead is not None:
        before = before[: lead.start()]
        again = _BEFORE.search(before)
        before = before[: again.start()] if again else before
    if _NOUN.match(after):
        return text
    if not before.strip(" “\"'「"):
        rest = after.lstrip("，,、： ")
        return before + rest[:1].upper() + rest[1:]
    chinese = is_han(text[max(0, start - 4) : end + 4])
    if _BOUND.search(before) or (lead is None and not chinese):
        return text
    if after.lstrip()[:1] in _STOPS:
        return before.rstrip(f" {''.join(_STOPS)}") + after.lstrip()
    return before + (after.lstrip() if before.endswith(" ") or chinese else after)
