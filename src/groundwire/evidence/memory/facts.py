"""What a text says, split for comparison: values, names, how it is said, and its other words."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import NamedTuple

from groundwire.evidence.memory.beliefs import named_spans
from groundwire.evidence.reading.analysis import analyse
from groundwire.language.amounts.numbers import Figure
from groundwire.language.names.names import name_key
from groundwire.language.text.spans import blanked
from groundwire.language.text.stems import stem
from groundwire.language.text.tokens import content_tokens
from groundwire.language.time.dates import DateMention, date_spans

_DIGITS = re.compile(r"(?:(?<![\w.%])[-+]\$?)?\d+(?:[.,]\d+)*")
_CROSSED = re.compile("[❌🚫⛔]")
# A headline's future, "Binance to list"; and 即将, whose 将 a dictionary may cut off.
_AHEAD = re.compile(r"^\W*(?:\S+ ){1,4}to (?=[a-z])|即将")
_DENIED, _UNSURE = ("denies", "false", "takes back"), ("hedges", "retells")


class Facts(NamedTuple):
    """A text in its normal form, and the facts in it."""

    text: str
    figures: tuple[Figure, ...]
    # Digits with their sign that are neither amounts nor dates: versions, blocks.
    numbers: tuple[str, ...]
    counts: tuple[tuple[str, str], ...]
    days: tuple[DateMention, ...]
    names: dict[str, str]  # by their keys, as written; in order
    words: frozenset[str]  # stems of the other content words
    negated: int
    denied: int
    unsure: bool
    asks: bool
    ahead: bool

    def beside(self, other: Facts) -> list[str]:
        """List the names that the other lacks, as written."""
        return [written for key, written in self.names.items() if key not in other.names]


@lru_cache(maxsize=2048)
def facts_of(text: str) -> Facts:
    """Extract the facts of a text; cached, since one text is compared with many."""
    whole = analyse(text, whole=True).lead
    flat = whole.text
    spans = named_spans(flat)
    values = [*date_spans(flat), *((figure.start, figure.end) for figure in whole.figures)]
    cues = Counter(cue.kind for cue in whole.cues)
    return Facts(
        text=flat,
        figures=tuple(whole.figures),
        numbers=tuple(
            match.group().replace(",", "")
            for match in _DIGITS.finditer(flat)
            if match.group()[0] in "+-"
            or not any(start <= match.start() < end for start, end in values)
        ),
        counts=tuple((each.kind, str(each.value)) for each in whole.counts),
        days=tuple(whole.dates),
        names={name_key(flat[start:end]): flat[start:end] for start, end in spans},
        words=frozenset(stem(token) for token in content_tokens(blanked(flat, (*spans, *values)))),
        negated=cues["negates"],
        denied=sum(cues[kind] for kind in _DENIED) + len(_CROSSED.findall(flat)),
        unsure=any(cues[kind] for kind in _UNSURE),
        asks=cues["asks"] > 0 or "?" in flat,
        ahead=cues["plans"] > 0 or _AHEAD.search(flat) is not None,
    )
