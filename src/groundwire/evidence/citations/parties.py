"""Whether the names of a sentence stand in its grounds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from groundwire.evidence.citations.acts import CONTENT, clause_of, content
from groundwire.evidence.citations.grounds import Grounds
from groundwire.evidence.citations.problems import Findings, problem
from groundwire.evidence.reading.alignment import Claim
from groundwire.evidence.reading.analysis import Sentence
from groundwire.evidence.reading.synonyms import is_listed, opposed
from groundwire.language.amounts.numbers import same_figure
from groundwire.language.names.chinese_names import chinese_names, name_stem
from groundwire.language.names.names import (
    Name,
    country_ways,
    has_name,
    is_country,
    missing_names,
    names,
    written_ways,
)
from groundwire.language.text.characters import normalise
from groundwire.language.text.wording import is_han
from groundwire.model.phrase import Phrase

_REPORTED = re.compile(
    r"\b(?:according to|as reported by|reported by)\b|\b(?:report(?:s|ed)?|said|says|wrote|writes|not(?:es|ed)|stat(?:es|ed))\b(?: that)?|"
    r"据[^,。]{1,20}(?:报道|报导|称|消息|表示)?|(?:报道|报导)(?:称|指出)?",
    re.IGNORECASE,
)
_MUCH = 0.5
_OTHERS = re.compile(
    r"(?:other|others|another|some|several|many|most)\b|其他|其它|别的|另一|另外", re.IGNORECASE
)
# What stands for a name that was named before.
_ANAPHOR = re.compile(
    r"\b(?:it|its|they|their|he|his|she|her|we|our|the (?:company|firm|group|bank|lender|exchange|issuer|token|coin|stablecoin|"
    r"start-?up|agency|regulator|ministry|model|app|government|country|developer|fund))\b|该|其(?!他|它|中|实|余)|它|他|她|公司|本行|此",
    re.IGNORECASE,
)
_OPENING = re.compile(r"(?:the|a|an) ", re.IGNORECASE)


def check_names(claim: Claim, grounds: Grounds) -> Findings:
    """Look for every name: in the quotes, else where they are led from, unless the quotes have another there."""
    found = Findings()
    flat = claim.sentence.text
    wanted = names_in(flat)
    lacking = [name for name in wanted if not _stands(name, flat, grounds.quoted_text)]
    if not lacking and grounds.chinese:
        lacking = rivals = _replaced(claim.sentence, grounds)
    else:
        quoted = grounds.quoted if lacking else ()
        rivals = [name for each in quoted for name in _others(each, claim.sentence)]
    excused = int(any(_refers_back(sentence) for sentence in grounds.quoted))
    for name in joined(lacking, flat):
        if _is_reporter(name.text, flat, [place.publisher for place in grounds.places]):
            continue
        if claim.analysis.chinese != grounds.chinese and not _decidable(name, rivals, grounds):
            if problem("undecided") not in found.doubts:
                found.doubts.append(problem("undecided"))
            continue
        if not _lent(name, claim, grounds, free=not rivals or excused > 0):
            found.problems.append(problem("absent", what=name.text))
        excused -= 1
    return found


def _refers_back(sentence: Sentence) -> bool:
    """Whether it speaks of something named earlier, before it names anything."""
    anaphor = _ANAPHOR.search(sentence.text)
    first = min(
        (name.start for name in names_in(sentence.text) if not is_country(name.text)),
        default=len(sentence.text),
    )
    return anaphor is not None and anaphor.start() < first


# Every rule asks for the names of the same few sentences.
@lru_cache(maxsize=2048)
def names_in(flat: str) -> tuple[Name, ...]:
    """Names of a text in its normal form, as lists, capitals and Chinese forms tell them."""
    found = list(names(flat))
    for start, end in chinese_names(flat):
        # 上市 is a town to the dictionary, and a word to the lists.
        if is_listed(flat[start:end]) or opposed(flat[start:end]):
            continue
        if not any(start < name.end and name.start < end for name in found):
            found.append(Name(start, end, flat[start:end]))
    # 美国 of 美国证券交易委员会 is no party of its own.
    starts = {name.start for name in found}
    whole = [name for name in found if not (is_han(name.text) and name.end in starts)]
    return tuple({name.text: name for name in whole}.values())


def _replaced(sentence: Sentence, grounds: Grounds) -> list[Name]:
    """Words that a dictionary takes for names, where the quotes have others of the kind: 凯米 for 格美."""
    mine = _tagged(sentence)
    theirs = [name for other in grounds.quoted for name in _tagged(other)]
    if not any(name.text not in sentence.text for name in theirs):
        return []
    around = grounds.quoted_text + grounds.beside_text
    return [name for name in mine if not any(char in around for char in name.text)]


def _tagged(sentence: Sentence) -> list[Name]:
    return [
        Name(word.start, word.end, sentence.text[word.start : word.end])
        for word, kind in zip(sentence.words, sentence.kinds, strict=True)
        if kind in ("nr", "nz") and word.end - word.start > 1
    ]


def _stands(name: Name, flat: str, text: str) -> bool:
    low = normalise(text).text
    if name.text.endswith("'s"):
        name = Name(name.start, name.end - 2, name.text[:-2])
    if name.text in low or has_name(name.text, low):
        return True
    if any(has_name(way, low) for way in country_ways(name.text)):
        return True
    if " " in name.text:
        parts = name.text.split()
        return all(_stands(Name(name.start, name.end, part), flat, low) for part in parts)
    if is_han(name.text):
        return name_stem(name.text) in low
    return name.text not in missing_names(flat, [low])


def _decidable(name: Name, rivals: Sequence[Name], grounds: Grounds) -> bool:
    """Whether the name would have to stand there: a list says how, or others are written in its script."""
    if is_han(name.text) == grounds.chinese or any(
        is_han(r.text) == is_han(name.text) for r in rivals
    ):
        return True
    return any(is_han(way) == grounds.chinese for way in written_ways(name.text))


def _lent(name: Name, claim: Claim, grounds: Grounds, *, free: bool) -> bool:
    """Whether the headline, the sentence before or a further one of the page says who is meant.

    Where the quotes have a name of their own, only a further sentence that says much of the same may lend one.
    """
    flat = claim.sentence.text
    if any(_opens_otherwise(sentence, claim) for sentence in grounds.quoted):
        return False
    if free and _stands(name, flat, grounds.beside_text):
        return True
    plain = [i for i in content(claim) if claim.sentence.kinds[i][:1] != "n"]

    def fits(sentence: Sentence) -> bool:
        return free or grounds.says(claim, sentence, plain, _MUCH)

    return grounds.further(lambda text: _stands(name, flat, text), fits) is not None


def _opens_otherwise(sentence: Sentence, claim: Claim) -> bool:
    """Whether it begins with a thing of its own: "The combined company" is not who was named before."""
    if _OTHERS.match(sentence.text):
        return True
    if not _OPENING.match(sentence.text):
        return False
    keys = {key for each in claim.sought for key in each.keys}
    opening = [word for word in sentence.words if word.weight > CONTENT][:2]
    return (
        len(opening) == 2
        and opening[1].start - opening[0].end <= 1
        and not any(word.key in keys for word in opening)
    )


def _is_reporter(name: str, flat: str, publishers: Sequence[str]) -> bool:
    """Whether the name is the publisher's, in words that say who reported it (code fills those)."""
    if not any(has_name(name, publisher) for publisher in publishers):
        return False
    at = flat.find(normalise(name).text)
    around = flat[max(0, at - 24) : at + len(name) + 24]
    return _REPORTED.search(around) is not None


def apart(claim: Claim, grounds: Grounds) -> list[Phrase]:
    """Figures that another quote gives to somebody else."""
    mine = claim.sentence
    wanted = names_in(mine.text)
    if len(grounds.quoted) < 2 or not wanted:
        return []
    found: list[Phrase] = []
    for figure in mine.figures:
        clause = clause_of(mine, figure.start)
        owners = [name for name in wanted if clause_of(mine, name.start) == clause]
        holders = [
            sentence
            for sentence in grounds.quoted
            if any(same_figure(figure, other) for other in sentence.figures)
        ]
        if (
            owners
            and holders
            and not any(
                _stands(owner, mine.text, sentence.text) or not _others(sentence, mine)
                for sentence in holders
                for owner in owners
            )
        ):
            found.append(
                problem("apart", what=mine.text[figure.start : figure.end], whom=owners[0].text)
            )
    return found


def _others(sentence: Sentence, mine: Sentence) -> list[Name]:
    return [name for name in names_in(sentence.text) if not _stands(name, sentence.text, mine.text)]


def joined(parties: Sequence[Name], text: str) -> list[Name]:
    """Names of several words as one: Silicon Valley Bank."""
    found: list[Name] = []
    for name in sorted(parties, key=lambda each: each.start):
        if found and text[found[-1].end : name.start] == " ":
            last = found.pop()
            name = Name(last.start, name.end, text[last.start : name.end])
        found.append(name)
    return found
