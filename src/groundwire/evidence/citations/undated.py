"""Whether a sentence is a quoted one, word for word, that leaves out when it was."""

from __future__ import annotations

import re
from functools import lru_cache

from groundwire.evidence.reading.analysis import analyse
from groundwire.language.time.dates import date_spans

# What leads up to a date and goes with it. "Until", "by", "since", 截至 and 自 bound what is said, and stay.
_LEAD = re.compile(
    r"(?:\b(?:(?:late|early) )?(?:on|in|at|during)(?: the (?:morning|evening|night|afternoon) of)?(?: the)?|[于在]) *\Z",
    re.IGNORECASE,
)
_BOUND = re.compile(
    r"(?:\b(?:until|till|by|since|before|after|from|than|only|of|to|between|and|through|as)|[至到自从比前后仅只]|截至|截止) *\Z",
    re.IGNORECASE,
)
_BOUND_AFTER = re.compile(r" *(?:以?[前后来起止]|之[前后]|的)")
_BESIDE = re.compile(r"[ ,(]*")  # Friday, 9 June: one date
_RANGE = re.compile(r" *(?:至|到|-|and|or|to|和|与) *")  # 2019 to 2021: neither may go
# A date may be all that a negation denies.
_NEGATED = frozenset({"negates", "supposes", "asks"})
_NO_LETTER = re.compile(r"[\W_]+")


def is_but_for_dates(said: str, quoted: str) -> bool:
    """Tell whether `said`, letters and digits only, is the quoted sentence, some of its dates left out."""
    return _with_dates_free(quoted).fullmatch(said) is not None


@lru_cache(maxsize=2048)
def _with_dates_free(quoted: str) -> re.Pattern[str]:
    """Compile the letters of a sentence; those of a date that may go are optional."""
    pattern, done = "", 0
    for start, end in _removable(quoted):
        pattern += _letters(quoted[done:start]) + f"(?:{_letters(quoted[start:end])})?"
        done = end
    return re.compile(pattern + _letters(quoted[done:]))


def _removable(quoted: str) -> list[tuple[int, int]]:
    """Locate the dates with what leads up to them, those side by side as one."""
    sentence = analyse(quoted, whole=True).lead
    if any(cue.kind in _NEGATED for cue in sentence.cues):
        return []
    found: list[tuple[int, int]] = []
    ranges: set[int] = set()  # ends and starts of dates that only stand together
    for start, end in date_spans(quoted):
        before = found[-1][1] if found else -1
        if found and _BESIDE.fullmatch(quoted, before, start):
            found[-1] = (found[-1][0], end)
        elif start >= before:
            if found and _RANGE.fullmatch(quoted, before, start):
                ranges |= {before, start}
            found.append((start, end))
    alone = [span for span in found if not ranges.intersection(span)]
    led = [(_lead(quoted, start), end) for start, end in alone]
    return [
        (start, end)
        for start, end in led
        if not _BOUND_AFTER.match(quoted, end) and not _BOUND.search(quoted[:start])
    ]


def _lead(quoted: str, start: int) -> int:
    lead = _LEAD.search(quoted[:start])
    return lead.start() if lead else start


def _letters(text: str) -> str:
    return re.escape(_NO_LETTER.sub("", text).lower())
