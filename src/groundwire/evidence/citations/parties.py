"""Whether the names of a sentence stand in its grounds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from groundwire.evidence.citations.grounds import Grounds
from groundwire.evidence.reading.alignment import Claim
from groundwire.evidence.reading.problems import Findings, problem
from groundwire.evidence.reading.synonyms import is_listed, opposed
from groundwire.language.names.chinese_names import chinese_names, name_stem
from groundwire.language.names.names import (
    Name,
    country_names,
    has_name,
    known_spellings,
    missing_names,
    names,
)
from groundwire.language.text.characters import normalise
from groundwire.language.text.wording import is_han

_REPORTED = re.compile(
    r"\b(?:according to|as reported by|reported by)\b|\b(?:report(?:s|ed)?|said|says|wrote|writes|not(?:es|ed)|stat(?:es|ed))\b(?: that)?|"
    r"据[^,。]{1,20}(?:报道|报导|称|消息|表示)?|(?:报道|报导)(?:称|指出)?",
    re.IGNORECASE,
)


def check_names(claim: Claim, grounds: Grounds) -> Findings:
    """Look for every name in the quotes, beside them, then elsewhere in the page, which is then quoted as well."""
    findings = Findings()
    text, shown = claim.sentence.text, f"{grounds.quoted_text}\n{grounds.beside_text}"
    lacking = [name for name in names_in(text) if not _is_named(name, text, shown)]
    publishers = [place.publisher for place in grounds.places]
    for name in join_names(lacking, text):
        if _is_reporter(name.text, text, publishers) or not _is_decidable(name, grounds):
            continue
        if (
            grounds.further(lambda flat, name=name: _is_named(name, text, flat), lambda _: True)
            is None
        ):
            findings.problems.append(problem("absent", what=name.text))
    return findings


@lru_cache(maxsize=2048)
def names_in(flat: str) -> tuple[Name, ...]:
    """Find the names in a normalised text, by lists, capitals and Chinese forms."""
    found = list(names(flat))
    for start, end in chinese_names(flat):
        # 上市 is a town to the dictionary, and a word to the lists.
        if is_listed(flat[start:end]) or opposed(flat[start:end]):
            continue
        if not any(start < name.end and name.start < end for name in found):
            found.append(Name(start, end, flat[start:end]))
    # 美国 in 美国证券交易委员会 is no party by itself.
    starts = {name.start for name in found}
    whole = [name for name in found if not (is_han(name.text) and name.end in starts)]
    return tuple({name.text: name for name in whole}.values())


def _is_named(name: Name, flat: str, text: str) -> bool:
    low = normalise(text).text
    if name.text.endswith("'s"):
        name = Name(name.start, name.end - 2, name.text[:-2])
    if name.text in low or has_name(name.text, low):
        return True
    if any(has_name(way, low) for way in country_names(name.text)):
        return True
    if " " in name.text:
        parts = name.text.split()
        return all(_is_named(Name(name.start, name.end, part), flat, low) for part in parts)
    if is_han(name.text):
        return name_stem(name.text) in low
    return name.text not in missing_names(flat, [low])


def _is_decidable(name: Name, grounds: Grounds) -> bool:
    """Tell whether the name would have to be there: it is of the page's script, or a list has it in that."""
    if is_han(name.text) == grounds.chinese:
        return True
    return any(is_han(way) == grounds.chinese for way in known_spellings(name.text))


def _is_reporter(name: str, flat: str, publishers: Sequence[str]) -> bool:
    """Tell whether the name is the publisher's, in words that say who reported it."""
    if not any(has_name(name, publisher) for publisher in publishers):
        return False
    at = flat.find(normalise(name).text)
    context = flat[max(0, at - 24) : at + len(name) + 24]
    return _REPORTED.search(context) is not None


def join_names(parties: Sequence[Name], text: str) -> list[Name]:
    """Join neighbouring names into one: Silicon Valley Bank."""
    merged: list[Name] = []
    for name in sorted(parties, key=lambda each: each.start):
        if merged and text[merged[-1].end : name.start] == " ":
            last = merged.pop()
            name = Name(last.start, name.end, text[last.start : name.end])
        merged.append(name)
    return merged
