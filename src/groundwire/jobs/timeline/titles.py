"""Titles of events: a headline of their own pages, else what their sentence says, without the date; pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundwire.jobs.timeline.clauses import HERE, THERE, clause_of, tells
from groundwire.jobs.timeline.pages import Account
from groundwire.jobs.timeline.stated import Stated
from groundwire.language.text.characters import HAN
from groundwire.language.text.chinese import cut
from groundwire.language.text.wording import is_han

LONGEST = {True: 40, False: 110}  # characters: Chinese, others
_CLAUSE = re.compile(r"[，,；;：:—–、]| (?=which |who )| after | as ")
_APPOSED = re.compile(r",(?: [\w'’-]+){1,4}$")  # …, an analyst who: of the rest of the sentence
_SPARE = 1.4
_FULL = 0.35  # of the longest title, before what comes next may be left out
_END = "。.!！；;，,、：: "
# What leads up to a date, and where a date cannot be left out: 2024年的判决, 自3月起, by 3 May.
_BEFORE = re.compile(
    r"(?:(?:\blate |\bearly )?\b(?:on|in)(?: the)? (?:\w+day,? )?|\b\w+day,? |(?:[当當]地|美[东東]|北京|台北|[纽紐][约約])[时時][间間]|[于於在])$",
    re.IGNORECASE,
)
_BOUND = re.compile(r"[至到截迄由]$")
_NOUN = re.compile(r"[的之前后後起至到]|以[来來后後前]")
_SINCE = re.compile(r"[自从從]$| (?:from|since) (?:\w+day,? )?$")
_UNTIL = re.compile(r"\s*(?:to|until|till|through)\b|\s*[-–—至到]")
_FROM_ON = re.compile(r"^起(?:正式)?|^以[来來]")
_STOPS = tuple(",.;:!?，。；：！？、")
_WEEKDAY = re.compile(r"\s*[（(][^）)]{1,8}[）)]")
_SAYS = re.compile(
    r"(?:裁定|宣[布佈]|表示|[称稱]|[说說]|指出|公布|公佈|透露|[认認][为為]|said|says|announced)$"
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
    whole = [at for at in wide if tells(flat[:at])]
    if whole:
        return flat[: whole[-1]].rstrip(_END)
    if wide and len(told := clause_of(flat)) < len(flat) and told:
        return shortened(told)  # without what stands between who and what
    if len(flat) <= _SPARE * most:
        return flat  # a long headline is read more easily than one that breaks off
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


def marked(account: Account, own: Sequence[Stated]) -> str:
    """Return a sentence without its own times, which stand beside its title, and with other days marked."""
    text = account.text
    for when in sorted(account.times, key=lambda each: -each.start):
        start, end = when.start - account.start, when.end - account.start
        if not 0 <= start < end <= len(text):
            continue
        if when in own:
            before, after = _without(text, start, end)
            text = f"{before}{HERE}{after}"
        elif when.day is not None:
            text = f"{text[:start]}{THERE}{text[start:]}"
    return text


def undated(account: Account, times: Sequence[Stated]) -> str:
    """Return a sentence without these times."""
    text = marked(account, times).replace(HERE, "").replace(THERE, "")
    return text[:1].upper() + text[1:]


def _without(text: str, start: int, end: int) -> tuple[str, str]:
    """Return what stands around a date and what leads up to it, or the date with what follows where it has to stay."""
    before, after = text[:start], _WEEKDAY.sub("", text[end:], count=1)
    lead = _BEFORE.search(before)
    if lead is not None:
        before = before[: lead.start()]
        again = _BEFORE.search(before)
        before = before[: again.start()] if again else before
    since = _SINCE.search(before)
    if since is not None and not _UNTIL.match(after):
        return before[: since.start()].rstrip(), _FROM_ON.sub("", after)
    if _NOUN.match(after):
        return text[:start], text[start:]
    if not before.strip(" “\"'「"):
        return before, after.lstrip("，,、： ")
    chinese = is_han(text[max(0, start - 4) : end + 4])
    if _BOUND.search(before) or (lead is None and not chinese):
        return text[:start], text[start:]
    if after.lstrip()[:1] in _STOPS:
        return before.rstrip(f" {''.join(_STOPS)}"), after.lstrip()
    return before, after.lstrip() if before.endswith(" ") or chinese else after
