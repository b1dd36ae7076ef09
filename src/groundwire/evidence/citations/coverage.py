"""Whether quotes have the words of a sentence, and of the same thing."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache

from groundwire.evidence.citations.acts import CONTENT, acts_of, content, saying
from groundwire.evidence.citations.grounds import Grounds
from groundwire.evidence.citations.parties import names_in
from groundwire.evidence.citations.problems import Findings, problem
from groundwire.evidence.reading.alignment import Alignment, Claim
from groundwire.evidence.reading.analysis import Sentence
from groundwire.evidence.reading.synonyms import alternatives, is_listed
from groundwire.language.text.opposites import opposites

COVERED = 0.4  # of a sentence's content must stand in what it cites
ACROSS = 0.35  # in another language, of the words that are known there
_LOST = 0.6  # where a word is missing of which other words are known
_FEW = 3  # words besides the act
STATED = 0.72  # where what it states is not found by its words
KNOWN = 0.35  # of its words that are known there, or nothing can be said
_NOMINAL = ("n", "j", "l")
_NOUN = 0.7  # what a word weighs that may be replaced
_ARTICLES = frozenset({"the", "a", "an", "its", "their", "his", "her", "的"})
_BEFORE_NOUNS = frozenset({"of", "by", "for", "with", "against", "from", "in", "at", "becaus"})


def check_cover(claim: Claim, laid: Sequence[Alignment], grounds: Grounds, found: Findings) -> None:
    quoted = [max(pair) for pair in zip(*(each.strengths for each in laid), strict=True)]
    told = saying(claim.sentence)
    wanted = [i for i in content(claim) if i not in told]
    if not wanted:
        return
    foreign = claim.analysis.chinese != grounds.chinese
    best = quoted
    if any(best[i] < 1.0 for i in wanted):
        beside = grounds.strengths(claim, grounds.beside)
        best = [max(a, b) for a, b in zip(quoted, beside, strict=True)]
    if claim.analysis.chinese:
        _share_characters(claim, laid, best)
    known = [i for i in wanted if not foreign or best[i] > 0 or _known(claim, i, grounds.chinese)]
    valued = any(value.outcome in ("same", "near") for each in laid for value in each.values)
    if foreign and len(known) < (KNOWN if valued else STATED) * len(wanted):
        found.doubts.append(problem("undecided"))
        return
    kinds = claim.sentence.kinds
    plain = [i for i in known if kinds[i][:1] != "n"] or known
    total = sum(claim.sought[i].weight for i in plain) or 1.0
    share = sum(claim.sought[i].weight * best[i] for i in plain) / total
    stating = acts_of(claim.sentence)
    acts = [i for i in stating if best[i] < 0.5]
    if not stating:
        acts = [i for i in plain if best[i] < 0.5][:1]
    if foreign:
        if valued and share < ACROSS:
            found.doubts.append(problem("undecided"))
        elif not valued and (share < ACROSS or any(i in known for i in acts)):
            found.problems.append(problem("other"))
        return
    lost = [i for i in plain if best[i] < 0.5 and _is_lost(claim, i)]
    least = ACROSS if valued else COVERED
    if lost:
        least = max(least, _LOST)
    if acts and not valued:
        least = max(least, STATED)
    stated = sum(best[i] >= 0.5 for i in wanted)
    few = any(
        stated <= (_FEW if claim.sought[i].weight > 1 else _FEW - 1)
        for i in acts
        if i in lost or not valued
    )
    moved = any(claim.sought[i].word.key in _moves() for i in acts if i in lost)
    replaced = any(
        _replaced(claim, i, each)
        for i in wanted
        if quoted[i] < 0.5 and i not in stating
        for each in laid
    )
    if share < least or few or moved or replaced:
        found.problems.append(problem("other"))


def _is_lost(claim: Claim, at: int) -> bool:
    """Whether a missing word says something by its absence: its synonyms are known, and it is no name."""
    word = claim.sentence.words[at]
    named = any(n.start <= word.start < n.end for n in names_in(claim.sentence.text))
    return is_listed(word.key) and not named


def _replaced(claim: Claim, at: int, alignment: Alignment) -> bool:
    """Whether the quote has something else in a word's place: traces "of peanuts in" for traces "of almonds in"."""
    mine, theirs = claim.sentence, alignment.sentence
    place = mine.words[at].start
    if claim.sought[at].weight < _NOUN or any(
        n.start <= place < n.end for n in names_in(mine.text)
    ):
        return False  # names are looked for by themselves
    where = {link.claim: link.at for link in alignment.links}
    taken = set(where.values())
    before, after = _neighbours(mine, at, {i for i in range(len(mine.words)) if i not in where})
    chinese = mine.tags[at][:1] in _NOMINAL
    for other, word in enumerate(theirs.words):
        if other in taken or word.weight < _NOUN or bool(theirs.tags[other]) != bool(mine.tags[at]):
            continue
        if mine.tags[at] and not (chinese and theirs.tags[other][:1] in _NOMINAL):
            continue
        left, right = _neighbours(
            theirs, other, {n for n in range(len(theirs.words)) if n not in taken}
        )
        same_right = _is_same(mine, after, theirs, right, where)
        same_left = _is_same(mine, before, theirs, left, where)
        if not chinese:
            told = [
                mine.words[near].weight > CONTENT for near in (before, after) if near is not None
            ]
            framed = before is not None and mine.words[before].key in _BEFORE_NOUNS
            if same_left and same_right and (framed or (len(told) == 2 and all(told))):
                return True
            continue
        telling = after is not None and mine.words[after].weight > CONTENT
        if same_right and telling and ((same_left and before is not None) or before is None):
            return True
    return False


def _neighbours(
    sentence: Sentence, at: int, free: Collection[int]
) -> tuple[int | None, int | None]:
    """The words before and behind a word in its clause, without articles and what else is not shared."""
    words = sentence.words
    near: list[int | None] = []
    for step in (-1, 1):
        place = at + step
        while 0 <= place < len(words) and (
            words[place].key in _ARTICLES
            or (place in free and words[place].weight > CONTENT and words[place].key.isascii())
        ):
            place += step
        inside = 0 <= place < len(words) and words[place].clause == words[at].clause
        near.append(place if inside else None)
    return near[0], near[1]


def _is_same(
    mine: Sentence, here: int | None, theirs: Sentence, there: int | None, where: Mapping[int, int]
) -> bool:
    if here is None or there is None:
        return here is None and there is None
    return mine.words[here].key == theirs.words[there].key or where.get(here) == there


@cache
def _moves() -> frozenset[str]:
    """Words that say that something rose or fell: a quote without one gives a level, not a change."""
    return frozenset(word for key in ("rise", "fall") for side in opposites(key) for word in side)


def _share_characters(claim: Claim, laid: Sequence[Alignment], best: list[float]) -> None:
    """Let words of two characters that share one stand for each other by half: 获奖, 得奖."""
    free = {
        char
        for each in laid
        for at, word in enumerate(each.sentence.words)
        if all(at != link.at for link in each.links)
        for char in word.key
    }
    for i, each in enumerate(claim.sought):
        if (
            best[i] < 0.5
            and len(each.word.key) == 2
            and not each.word.key.isascii()
            and any(char in free for char in each.word.key)
        ):
            best[i] = 0.5


def _known(claim: Claim, at: int, chinese: bool) -> bool:
    each = claim.sought[at]
    return any(key.isascii() != chinese for key in (*alternatives(each.word.key), *each.phrases))
