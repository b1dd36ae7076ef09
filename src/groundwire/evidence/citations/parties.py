"""Whether the names of a sentence stand in its grounds, and in the same roles."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from groundwire.evidence.citations.grounds import Grounds
from groundwire.evidence.citations.problems import problem
from groundwire.evidence.citations.values import Found
from groundwire.evidence.reading.alignment import Alignment, Claim, Link
from groundwire.evidence.reading.analysis import Sentence
from groundwire.evidence.reading.synonyms import is_listed, opposed
from groundwire.evidence.reading.turns import passive, suffers
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
from groundwire.language.text.stems import base
from groundwire.language.text.wording import is_han
from groundwire.model.phrase import Phrase

_CONTENT = 0.5
_REPORTED = re.compile(
    r"\b(?:according to|as reported by|reported by)\b|\b(?:report(?:s|ed)?|said|says|wrote|writes|not(?:es|ed)|stat(?:es|ed))\b(?: that)?|"
    r"据[^,。]{1,20}(?:报道|报导|称|消息|表示)?|(?:报道|报导)(?:称|指出)?",
    re.IGNORECASE,
)
_MUCH = 0.5
_MIXED = 0.3
_PARTY = 2.0  # what words weigh that name who acts
_TURNED = 0.65
_OTHERS = re.compile(
    r"(?:other|others|another|some|several|many|most)\b|其他|其它|别的|另一|另外", re.IGNORECASE
)
# What stands for a name that was named before.
_ANAPHOR = re.compile(
    r"\b(?:it|its|they|their|he|his|she|her|we|our|the (?:company|firm|group|bank|lender|exchange|issuer|token|coin|stablecoin|"
    r"start-?up|agency|regulator|ministry|model|app|government|country|developer|fund))\b|该|其(?!他|它|中|实|余)|它|他|她|公司|本行|此",
    re.IGNORECASE,
)
_BE = frozenset({"is", "are", "was", "were", "be", "been"})
_AUXILIARY = frozenset(
    {"to", "will", "would", "can", "could", "may", "might", "must", "did", "does", "do", "not"}
)
_SLOTS = frozenset({"by", "against", "with", "from", "over", "for", "由", "被", "对", "向", "给"})
_OPENING = re.compile(r"(?:the|a|an) ", re.IGNORECASE)


def check_names(claim: Claim, grounds: Grounds) -> Found:
    """Look for every name: in the quotes, else where they are led from, unless the quotes have another there."""
    found = Found()
    flat = claim.sentence.text
    wanted = _named(claim.sentence)
    lacking = [name for name in wanted if not _stands(name, flat, grounds.quoted_text)]
    if not lacking and grounds.chinese:
        lacking = _replaced(claim.sentence, grounds)
        rivals = [name.text for name in lacking]
    else:
        rivals = _unmatched(claim, grounds) if lacking else []
    excused = int(any(_refers_back(sentence) for sentence in grounds.quoted))
    for name in _joined(lacking, flat):
        if _is_reporter(name.text, flat, [place.publisher for place in grounds.places]):
            continue
        if _is_shortened(name, grounds.quoted_text):
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
        (name.start for name in _named(sentence) if not is_country(name.text)),
        default=len(sentence.text),
    )
    return anaphor is not None and anaphor.start() < first


def _is_shortened(name: Name, text: str) -> bool:
    """Whether the quote has the first word of a longer name, and nothing else behind it: Tarnfield for Tarnfield Lines."""
    first, _, rest = name.text.partition(" ")
    if not rest or not first[0].isupper():
        return False
    return re.search(rf"\b{re.escape(first)}\b(?!(?:'s)? [A-Z0-9])", text) is not None


def _named(sentence: Sentence) -> list[Name]:
    """Names of a sentence, each once: those of the lists, and Chinese ones by their form."""
    return list(names_in(sentence.text))


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
    if name.text[-1:] == "s" and len(name.text) > 3 and has_name(name.text[:-1], low):
        return True
    if is_han(name.text):
        return name_stem(name.text) in low
    return name.text not in missing_names(flat, [low])


def _decidable(name: Name, rivals: Sequence[str], grounds: Grounds) -> bool:
    """Whether the name would have to stand there: a list says how, or others are written in its script."""
    if is_han(name.text) == grounds.chinese or any(is_han(r) == is_han(name.text) for r in rivals):
        return True
    return _is_known(name.text, grounds.chinese)


def _is_known(name: str, chinese: bool) -> bool:
    """Whether some list says how the name is written in that language."""
    return any(is_han(way) == chinese for way in written_ways(name))


def _unmatched(claim: Claim, grounds: Grounds) -> list[str]:
    """Names of the quotes that the sentence does not have, in the clauses that it speaks of."""
    return [name.text for sentence in grounds.quoted for name in _others(sentence, claim.sentence)]


def _lent(name: Name, claim: Claim, grounds: Grounds, *, free: bool) -> bool:
    """Whether the headline, the sentence before or a further one of the page says who is meant.

    Where the quotes have a name of their own, only a further sentence that says much of the same may lend one.
    """
    flat = claim.sentence.text
    if any(_opens_otherwise(sentence, claim) for sentence in grounds.quoted):
        return False
    if free and _stands(name, flat, grounds.beside_text):
        return True
    plain = [
        i
        for i, each in enumerate(claim.sought)
        if each.weight > _CONTENT and not each.value and claim.sentence.kinds[i][:1] != "n"
    ]

    def fits(sentence: Sentence) -> bool:
        strengths = grounds.strengths(claim, [sentence])
        total = sum(claim.sought[i].weight for i in plain)
        return free or sum(claim.sought[i].weight * strengths[i] for i in plain) >= _MUCH * total

    return grounds.further(lambda text: _stands(name, flat, text), fits) is not None


def _opens_otherwise(sentence: Sentence, claim: Claim) -> bool:
    """Whether it begins with a thing of its own: "The combined company" is not who was named before."""
    if _OTHERS.match(sentence.text):
        return True
    if not _OPENING.match(sentence.text):
        return False
    keys = {key for each in claim.sought for key in each.keys}
    opening = [word for word in sentence.words if word.weight > _CONTENT][:2]
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
    wanted = _named(mine)
    if len(grounds.quoted) < 2 or not wanted:
        return []
    found: list[Phrase] = []
    for figure in mine.figures:
        clause = _clause(mine, figure.start)
        owners = [name for name in wanted if _clause(mine, name.start) == clause]
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
    return [name for name in _named(sentence) if not _stands(name, sentence.text, mine.text)]


def _clause(sentence: Sentence, at: int) -> int:
    return next((word.clause for word in sentence.words if word.end > at), 0)


# Who did what to whom.


def roles_turned(claim: Claim, laid: Sequence[Alignment]) -> bool:
    """Whether two names of the sentence have changed places around the words that they share with a quote."""
    mine = claim.sentence
    parties = _joined(_named(mine), mine.text)
    for alignment in laid if len(parties) > 1 else ():
        theirs = alignment.sentence
        if suffers(mine) != suffers(theirs) and (passive(mine) is None) == (
            passive(theirs) is None
        ):
            continue
        pairs = _paired(parties, _joined(_named(theirs), theirs.text))
        if len(pairs) < 2:
            continue
        moved: set[tuple[int, int]] = set()
        # In Chinese who acts stands before the act, 被 or not.
        turned = (passive(mine) is None) != (passive(theirs) is None)
        turn = -1 if turned and not alignment.passage.chinese and not claim.analysis.chinese else 1
        for link in alignment.links:
            if claim.sought[link.claim].value or link.strength < 0.8:
                continue
            word, other = mine.words[link.claim], theirs.words[link.at]
            if any(name.start <= word.start < name.end for name in parties):
                continue
            told = is_verb(mine, link.claim) or word.key in _SLOTS
            if not told and not any(word.start - name.end == 1 for name in parties):
                continue
            for side in (-1, 1):
                here = _beside(mine, word.start, side * turn, [name for name, _ in pairs])
                there = _beside(theirs, other.start, side, [name for _, name in pairs])
                if here is not None and there is not None and here != there:
                    moved.add((here, there))
        if any((b, a) in moved for a, b in moved):
            return True
    return any(
        _crossed(claim, alignment) or _swapped(claim, alignment) or _another_did(claim, alignment)
        for alignment in laid
    )


def _sides(claim: Claim, link: Link) -> tuple[list[int], list[int]]:
    """Words with content before and behind a word, in its clause."""
    words = claim.sentence.words
    clause = words[link.claim].clause
    inside = [
        i
        for i, each in enumerate(claim.sought)
        if each.weight > _CONTENT and not each.value and words[i].clause == clause
    ]
    return [i for i in inside if i < link.claim], [i for i in inside if i > link.claim]


def _verbs(claim: Claim, alignment: Alignment) -> list[Link]:
    said = {
        at for cue in claim.sentence.cues if cue.kind == "says" for at in range(cue.first, cue.last)
    }
    return [
        link
        for link in alignment.links
        if link.strength >= 1.0 and link.claim not in said and is_verb(claim.sentence, link.claim)
    ]


def _swapped(claim: Claim, alignment: Alignment) -> bool:
    """Whether what stands before a verb and what stands behind it have changed places, named or not."""
    mine, theirs = claim.sentence, alignment.sentence
    if suffers(mine) != suffers(theirs) or (passive(mine) is None) != (passive(theirs) is None):
        return False
    if claim.analysis.chinese != alignment.passage.chinese:
        return False
    where = {link.claim: link.at for link in alignment.links}
    for link in _verbs(claim, alignment):
        before, after = _sides(claim, link)
        shares: list[float] = []
        for side, later in ((before, True), (after, False)):
            total = sum(claim.sought[i].weight for i in side)
            turned = sum(
                claim.sought[i].weight for i in side if i in where and (where[i] > link.at) == later
            )
            shares.append(turned / total if total >= _PARTY else 0.0)
        if shares[0] >= _TURNED and shares[1] >= _TURNED - 0.2:
            return True
    return False


def _another_did(claim: Claim, alignment: Alignment) -> bool:
    """Whether who acts in the sentence stands in another clause of the quote, where somebody else acts."""
    words = alignment.sentence.words
    where = {link.claim: link.at for link in alignment.links}
    taken = set(where.values())
    for link in _verbs(claim, alignment):
        before, _ = _sides(claim, link)
        clause = words[link.at].clause
        if not before or any(i not in where or words[where[i]].clause <= clause for i in before):
            continue
        own = [
            word.weight
            for at, word in enumerate(words)
            if word.clause == clause and at < link.at and at not in taken
        ]
        if sum(weight for weight in own if weight > _CONTENT) >= _PARTY:
            return True
    return False


def _crossed(claim: Claim, alignment: Alignment) -> bool:
    """Whether two clauses of the sentence each mix two of the quote: who did the one is said to have done the other."""
    shares: dict[int, dict[int, float]] = {}
    if claim.analysis.chinese != alignment.passage.chinese:
        return False
    for link in alignment.links:
        each = claim.sought[link.claim]
        if each.weight > _CONTENT and not each.value:
            mine = claim.sentence.words[link.claim].clause
            theirs = alignment.sentence.words[link.at].clause
            own = shares.setdefault(mine, {})
            own[theirs] = own.get(theirs, 0.0) + each.weight
    split = [own for own in shares.values() if len(own) == 2]
    return any(
        one is not other
        and one.keys() == other.keys()
        and all(own[key] >= _MIXED * sum(own.values()) for own in (one, other) for key in own)
        for one in split
        for other in split
    )


def _joined(parties: Sequence[Name], text: str) -> list[Name]:
    """Names of several words as one: Silicon Valley Bank."""
    found: list[Name] = []
    for name in sorted(parties, key=lambda each: each.start):
        if found and text[found[-1].end : name.start] == " ":
            last = found.pop()
            name = Name(last.start, name.end, text[last.start : name.end])
        found.append(name)
    return found


def is_verb(sentence: Sentence, at: int) -> bool:
    """Whether a word is a verb, as far as form and dictionary tell."""
    word = sentence.words[at]
    written = sentence.low[word.start : word.end]
    if not written.isascii():
        return sentence.tags[at] in ("v", "vn", "vi")
    before = sentence.words[at - 1] if at else None
    earlier = sentence.low[before.start : before.end] if before else ""
    return not word.named and (
        written.endswith("ed")
        or base(written) != written
        or earlier in _AUXILIARY
        or (earlier in _BE and written.endswith("ing"))
    )


def _paired(mine: Sequence[Name], theirs: Sequence[Name]) -> list[tuple[Name, Name]]:
    found: list[tuple[Name, Name]] = []
    for name in mine:
        for other in theirs:
            if (has_name(name.text, other.text) or has_name(other.text, name.text)) and all(
                other is not taken for _, taken in found
            ):
                found.append((name, other))
                break
    return found


def _beside(sentence: Sentence, at: int, side: int, parties: Sequence[Name]) -> int | None:
    """Which of the parties stands nearest on one side of a word, in its clause if one is there."""
    clause = _clause(sentence, at)
    best: tuple[bool, int, int] | None = None
    for number, name in enumerate(parties):
        distance = (name.start - at) * side
        found = (_clause(sentence, name.start) != clause, distance, number)
        if distance > 0 and (best is None or found < best):
            best = found
    return None if best is None else best[2]
