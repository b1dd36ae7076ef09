"""Which side of a subject a command asks about: of "iPhone prices" the prices, of "OpenAI's leadership" who leads.

Claims about anything else are neither told nor kept: nobody asked for them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from groundwire.evidence.reading.analysis import analyse
from groundwire.jobs.watch.ledger.attributes import Vocabulary, Word, named
from groundwire.jobs.watch.ledger.claims import Claim, Compared
from groundwire.language.text.wording import is_han

_SHORTEST = 2  # characters of a name
_WHOSE = re.compile(r"\A(?P<whose>[^'’的]{2,}?)(?:['’]s? (?=\w)|的(?=\w))")


class Aspect(NamedTuple):
    """Whose it is, the attributes that it is made of, and the topics whose words speak of it."""

    whose: str
    attributes: frozenset[str]
    topics: frozenset[str]

    def has(self, claim: Claim) -> bool:
        """Tell whether a claim is about it."""
        if not self.attributes.isdisjoint((claim.attribute, *claim.can_be)):
            return True
        lead = analyse(claim.text, whole=True).lead
        said = {each.meaning for each in named().find(lead) if not each.weak}
        spoken = {each.meaning for each in _topics().find(lead)}
        return not (self.attributes.isdisjoint(said) and self.topics.isdisjoint(spoken))


def whose_is(subject: str) -> str:
    """Return whose a subject is: of "OpenAI's leadership" OpenAI, of "iPhone prices" iPhone; "" where nobody's."""
    return _parted(subject)[0]


def aspect_of(subject: str) -> Aspect | None:
    """Return the side of a subject that is asked about; None: all of it, or a side that has no attribute."""
    whose, words = _parted(subject)
    lead = analyse(words, whole=True).lead
    attributes = frozenset(each.meaning for each in _longest(named().find(lead)))
    topics = frozenset(each.meaning for each in _topics().find(lead))
    if not words or not (attributes or topics):
        return None
    if attributes:  # the price of what is new, not what is new
        return Aspect(whose, attributes, frozenset[str]())
    parts = frozenset(name for each in topics for name in _data()[int(each)]["attributes"])
    return Aspect(whose, parts, topics)


def narrowed(compared: Compared, subject: str) -> Compared:
    """Keep what is about the side that was asked about, where one was."""
    aspect = aspect_of(subject)
    if aspect is None:
        return compared
    claims = tuple(each for each in compared.ledger.claims if aspect.has(each))
    kept = {each.id for each in claims}
    return Compared(
        ledger=compared.ledger.model_copy(update={"claims": claims}),
        changes=tuple(each for each in compared.changes if each.claim_id in kept),
        not_seen=tuple(each for each in compared.not_seen if each.claim_id in kept),
    )


def _parted(subject: str) -> tuple[str, str]:
    """Part a name from what of it is asked about; ("", "") where a subject is all one."""
    match = _WHOSE.match(subject)
    if match:
        return match["whose"].strip(), subject[match.end() :]
    return _behind_a_name(subject.strip())


def _behind_a_name(text: str) -> tuple[str, str]:
    """Part a name from the attribute behind it: iPhone prices, 英伟达股价.

    A word with a capital may be part of the name: the Federal Reserve has no reserves here.
    """
    analysis = analyse(text, whole=True)
    cues = [*named().find(analysis.lead), *_topics().find(analysis.lead)]
    starts = [each.start for each in cues if each.end == len(analysis.lead.text)]
    if not starts:
        return "", ""
    start = analysis.normal.original(min(starts), len(analysis.lead.text))[0]
    name, words = text[:start].strip(), text[start:]
    is_name = is_han(name) or any(each.isupper() or each.isdigit() for each in name)
    if len(name) < _SHORTEST or not is_name or any(each.isupper() for each in words):
        return "", ""
    return name, words


def _longest(cues: Iterable[Word]) -> list[Word]:
    """Leave out what is part of a longer one: interest rates are no rates."""
    found = list(cues)
    return [
        each
        for each in found
        if not any(
            other.start <= each.start
            and each.end <= other.end
            and other.end - other.start > each.end - each.start
            for other in found
        )
    ]


@cache
def _topics() -> Vocabulary:
    return Vocabulary(
        (str(number), word)
        for number, row in enumerate(_data())
        for language in ("en", "zh", "zh-Hant")
        for word in row[language]
    )


@cache
def _data() -> list[dict[str, list[str]]]:
    return json.loads(files(__package__ or "").joinpath("aspects.json").read_text("utf-8"))
