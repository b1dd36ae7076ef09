"""Whether the names of a sentence stand in its grounds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import product

from groundwire.evidence.citations.grounds import Grounds
from groundwire.evidence.citations.problems import Findings, problem
from groundwire.evidence.citations.verbs import clause_of
from groundwire.evidence.reading.alignment import Claim
from groundwire.evidence.reading.analysis import Sentence, key_of
from groundwire.evidence.reading.synonyms import alternatives, is_listed, opposed
from groundwire.evidence.sources.parties import officials
from groundwire.language.amounts.counts import counts
from groundwire.language.amounts.numbers import figures, same_figure
from groundwire.language.names.chinese_names import chinese_names, name_stem
from groundwire.language.names.glossary import equivalents
from groundwire.language.names.names import (
    Name,
    country_names,
    has_name,
    is_country,
    known_spellings,
    missing_names,
    names,
)
from groundwire.language.names.sounds import compare_sounds, dotted_names, is_by_sound
from groundwire.language.text.characters import normalise
from groundwire.language.text.wording import is_han
from groundwire.model.phrase import Phrase

_REPORTED = re.compile(
    r"\b(?:according to|as reported by|reported by)\b|\b(?:report(?:s|ed)?|said|says|wrote|writes|not(?:es|ed)|stat(?:es|ed))\b(?: that)?|"
    r"据[^,。]{1,20}(?:报道|报导|称|消息|表示)?|(?:报道|报导)(?:称|指出)?",
    re.IGNORECASE,
)
# Words that refer to a name given before.
_ANAPHOR = re.compile(
    r"\b(?:it|its|they|their|he|his|she|her|we|our|the (?:company|firm|group|bank|lender|exchange|issuer|token|coin|stablecoin|"
    r"start-?up|agency|regulator|ministry|model|app|government|country|developer|fund))\b|该|其(?!他|它|中|实|余)|它|他|她|公司|本行|此",
    re.IGNORECASE,
)

_CAPITALISED = re.compile(r"(?<![A-Za-z])[A-Z][A-Za-z]+")

_ENDS = '.!?:;"('  # before a word that opens a sentence
_FOLLOWED = re.compile(r" (?:of |the |and |& )?[A-Z]")  # by more of a name

# A thing without its name, which the headline may give: "The phone", 这颗卫星.
_NAMELESS = re.compile(r"\W?(?:(?:The|This|That|These|Those) (?=[a-z])|[这该此])")


def check_names(claim: Claim, grounds: Grounds) -> Findings:
    """Look for every name in the quotes, else beside them, unless the quotes name somebody else."""
    findings = Findings()
    text = claim.sentence.text
    wanted = names_in(text)
    lacking = [name for name in wanted if not _is_named(name, text, grounds.quoted_text)]
    quoted = grounds.quoted if lacking else ()
    rivals = [name for each in quoted for name in _other_names(each, claim.sentence)]
    excused = int(any(_refers_back(sentence) for sentence in grounds.quoted))
    nameless = any(_NAMELESS.match(sentence.text) for sentence in grounds.quoted)
    headline = normalise(" ".join(place.title for place in grounds.places)).text if nameless else ""
    for name in join_names(lacking, text):
        if _is_reporter(name.text, text, [place.publisher for place in grounds.places]):
            continue
        if claim.analysis.chinese != grounds.chinese and not _is_decidable(name, rivals, grounds):
            if problem("undecided") not in findings.doubts:
                findings.doubts.append(problem("undecided"))
            continue
        # Where the quotes name somebody else, only what refers to a name given before may lack this one.
        if name.start == wanted[0].start and headline and _is_named(name, text, headline):
            continue
        if (rivals and excused <= 0) or not _is_named_nearby(name, claim, grounds):
            findings.problems.append(problem("absent", what=name.text))
        excused -= 1
    return findings


def _refers_back(sentence: Sentence) -> bool:
    """Tell whether it refers to something named earlier, before it names anything itself."""
    anaphor = _ANAPHOR.search(sentence.text)
    first = min(
        (name.start for name in names_in(sentence.text) if not is_country(name.text)),
        default=len(sentence.text),
    )
    return anaphor is not None and anaphor.start() < first


@lru_cache(maxsize=2048)
def names_in(flat: str) -> tuple[Name, ...]:
    """Find the names in a normalised text, by lists, capitals and Chinese forms."""
    found = [name for name in names(flat) if not _is_common(name, flat)]
    dotted = dotted_names(flat)
    found = [each for each in found if not any(_overlap((each.start, each.end), d) for d in dotted)]
    found.extend(Name(start, end, flat[start:end]) for start, end in dotted)
    for start, end in chinese_names(flat):
        # 上市 is a town to the dictionary, and a word to the lists.
        if is_listed(flat[start:end]) or opposed(flat[start:end]):
            continue
        if not any(_overlap((start, end), (name.start, name.end)) for name in found):
            found.append(Name(start, end, flat[start:end]))
    # 美国 in 美国证券交易委员会 is no party by itself.
    starts = {name.start for name in found}
    whole = [name for name in found if not (is_han(name.text) and name.end in starts)]
    return tuple({name.text: name for name in whole}.values())


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _is_common(name: Name, flat: str) -> bool:
    """Tell whether a word has its capital from opening a sentence: one of the dictionary, inflected or with other words, or a number."""
    before, low = flat[: name.start].rstrip(), name.text.lower()
    opens = not before or before[-1] in _ENDS
    if not opens or name.text[1:] != low[1:] or _FOLLOWED.match(flat, name.end):
        return False
    if len(equivalents(name.text)) > 1 or is_country(name.text) or low in officials().forms:
        return False
    key = key_of(low)
    inflected = low not in (key, f"{key}e") and bool(alternatives(key))
    return inflected or is_listed(key) or bool(figures(low) or counts(low))


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
        return name_stem(name.text) in low or _is_heard(name.text, low)
    return name.text not in missing_names(flat, [low]) or _is_heard(name.text, low)


@lru_cache(maxsize=4096)
def _is_heard(name: str, low: str) -> bool:
    """Tell whether a text has a name by its sound in the other script, or in the other China's characters."""
    if not is_han(name):
        others = [low[start:end] for start, end in (*dotted_names(low), *chinese_names(low))]
    elif is_by_sound(name):
        others = [*_CAPITALISED.findall(low), *(low[start:end] for start, end in dotted_names(low))]
    else:
        return False
    return any(compare_sounds(name, other) == "same" for other in others)


def _is_decidable(name: Name, rivals: Sequence[Name], grounds: Grounds) -> bool:
    """Tell whether the name would have to be there: a list says how, or the quotes name only others."""
    if is_han(name.text) == grounds.chinese or any(
        is_han(rival.text) == is_han(name.text) for rival in rivals
    ):
        return True
    if any(is_han(way) == grounds.chinese for way in known_spellings(name.text)):
        return True
    parties = [rival.text for rival in rivals if _is_party(rival.text)]
    return bool(parties) and all(_is_another(name.text, each) for each in parties)


def _is_party(name: str) -> bool:
    """Tell whether it names somebody: no country, and no post such as 首席执行官."""
    return not is_country(name) and not any(way.islower() for way in known_spellings(name))


def _is_another(name: str, other: str) -> bool:
    """Tell whether a name of the other script is known to be somebody else's, by a list or by its sound."""
    if any(is_han(way) == is_han(name) for way in known_spellings(other)):
        return True
    pairs = product(*(re.split(r"[ ·]", each) for each in (name, other)))
    return all(compare_sounds(*pair) == "other" for pair in pairs)


def _is_named_nearby(name: Name, claim: Claim, grounds: Grounds) -> bool:
    """Tell whether the headline, the sentence before or another one of the page says who is meant."""
    flat = claim.sentence.text
    if _is_named(name, flat, grounds.beside_text):
        return True
    return grounds.further(lambda text: _is_named(name, flat, text), lambda _: True) is not None


def _is_reporter(name: str, flat: str, publishers: Sequence[str]) -> bool:
    """Tell whether the name is the publisher's, in words that say who reported it."""
    if not any(has_name(name, publisher) for publisher in publishers):
        return False
    at = flat.find(normalise(name).text)
    context = flat[max(0, at - 24) : at + len(name) + 24]
    return _REPORTED.search(context) is not None


def misattributed(claim: Claim, grounds: Grounds) -> list[Phrase]:
    """List the figures that another quote gives to somebody else."""
    claimed = claim.sentence
    wanted = names_in(claimed.text)
    if len(grounds.quoted) < 2 or not wanted:
        return []
    problems: list[Phrase] = []
    for figure in claimed.figures:
        clause = clause_of(claimed, figure.start)
        owners = [name for name in wanted if clause_of(claimed, name.start) == clause]
        holders = [
            sentence
            for sentence in grounds.quoted
            if any(same_figure(figure, other) for other in sentence.figures)
        ]
        if (
            owners
            and holders
            and not any(
                _is_named(owner, claimed.text, sentence.text) or not _other_names(sentence, claimed)
                for sentence in holders
                for owner in owners
            )
        ):
            problems.append(
                problem("apart", what=claimed.text[figure.start : figure.end], whom=owners[0].text)
            )
    return problems


def _other_names(sentence: Sentence, claimed: Sentence) -> list[Name]:
    text, known = sentence.text, claimed.text
    return [name for name in names_in(text) if not _is_named(name, text, known)]


def join_names(parties: Sequence[Name], text: str) -> list[Name]:
    """Join neighbouring names into one: Silicon Valley Bank."""
    merged: list[Name] = []
    for name in sorted(parties, key=lambda each: each.start):
        if merged and text[merged[-1].end : name.start] in (" ", "·"):
            last = merged.pop()
            name = Name(last.start, name.end, text[last.start : name.end])
        merged.append(name)
    return merged
