"""Whether quotes have the words of a sentence, said of the same thing."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache

from groundwire.evidence.citations.grounds import Grounds
from groundwire.evidence.citations.parties import names_in
from groundwire.evidence.citations.problems import Findings, problem
from groundwire.evidence.citations.verbs import CONTENT, content_words, main_verbs, reporting_words
from groundwire.evidence.reading.alignment import Alignment, Claim
from groundwire.evidence.reading.analysis import Sentence
from groundwire.evidence.reading.synonyms import alternatives, is_listed
from groundwire.language.text.opposites import opposites

COVERED = 0.4  # share of a sentence's content that must stand in what it cites
ACROSS = 0.35  # in another language, of the words that are known there
_LOST = 0.6  # where a word with known synonyms is missing
_FEW = 3  # words besides the verb
STATED = 0.72  # where its verb is not found
KNOWN = 0.35  # share of its words known in the other language, or nothing can be said
_NOMINAL = ("n", "j", "l")
_NOUN = 0.7  # the least weight of a word that may be replaced
_ARTICLES = frozenset({"the", "a", "an", "its", "their", "his", "her", "的"})
_BEFORE_NOUNS = frozenset({"of", "by", "for", "with", "against", "from", "in", "at", "becaus"})


def check_cover(
    claim: Claim, alignments: Sequence[Alignment], grounds: Grounds, findings: Findings
) -> None:
    """Note where the quotes lack too many of the sentence's words."""
    quoted = [max(pair) for pair in zip(*(each.strengths for each in alignments), strict=True)]
    reporting = reporting_words(claim.sentence)
    wanted = [i for i in content_words(claim) if i not in reporting]
    if not wanted:
        return
    chinese = grounds.chinese
    foreign = claim.analysis.chinese != chinese
    best = quoted
    if any(best[i] < 1.0 for i in wanted):
        beside = grounds.strengths(claim, grounds.beside)
        best = [max(a, b) for a, b in zip(quoted, beside, strict=True)]
    if claim.analysis.chinese:
        _share_characters(claim, alignments, best)
    known = [i for i in wanted if not foreign or best[i] > 0 or _is_known(claim, i, chinese)]
    valued = any(value.outcome in ("same", "near") for each in alignments for value in each.values)
    if foreign and len(known) < (KNOWN if valued else STATED) * len(wanted):
        findings.doubts.append(problem("undecided"))
        return
    kinds = claim.sentence.kinds
    plain = [i for i in known if kinds[i][:1] != "n"] or known
    total = sum(claim.sought[i].weight for i in plain) or 1.0
    share = sum(claim.sought[i].weight * best[i] for i in plain) / total
    verbs = main_verbs(claim.sentence)
    missing_verbs = [i for i in verbs if best[i] < 0.5]
    if not verbs:
        missing_verbs = [i for i in plain if best[i] < 0.5][:1]
    if foreign:
        if valued and share < ACROSS:
            findings.doubts.append(problem("undecided"))
        elif not valued and (share < ACROSS or any(i in known for i in missing_verbs)):
            findings.problems.append(problem("other"))
        return
    lost = [i for i in plain if best[i] < 0.5 and _is_lost(claim, i)]
    least = ACROSS if valued else COVERED
    if lost:
        least = max(least, _LOST)
    if missing_verbs and not valued:
        least = max(least, STATED)
    present = sum(best[i] >= 0.5 for i in wanted)
    few = any(
        present <= (_FEW if claim.sought[i].weight > 1 else _FEW - 1)
        for i in missing_verbs
        if i in lost or not valued
    )
    moved = any(claim.sought[i].word.key in _words_of_change() for i in missing_verbs if i in lost)
    replaced = any(
        _is_replaced(claim, i, each)
        for i in wanted
        if quoted[i] < 0.5 and i not in verbs
        for each in alignments
    )
    if share < least or few or moved or replaced:
        findings.problems.append(problem("other"))


def _is_lost(claim: Claim, at: int) -> bool:
    """Tell whether a missing word matters: its synonyms are known, and it is no name."""
    word = claim.sentence.words[at]
    named = any(n.start <= word.start < n.end for n in names_in(claim.sentence.text))
    return is_listed(word.key) and not named


def _is_replaced(claim: Claim, at: int, alignment: Alignment) -> bool:
    """Tell whether the quote has another word there: "of peanuts in" for "of almonds in"."""
    claimed, quoted = claim.sentence, alignment.sentence
    place = claimed.words[at].start
    if claim.sought[at].weight < _NOUN or any(
        n.start <= place < n.end for n in names_in(claimed.text)
    ):
        return False  # names are checked separately
    pairs = {link.claim: link.at for link in alignment.links}
    taken = set(pairs.values())
    before, after = _neighbours(claimed, at, pairs)
    chinese = claimed.tags[at][:1] in _NOMINAL
    for other, word in enumerate(quoted.words):
        tag = quoted.tags[other]
        if other in taken or word.weight < _NOUN or bool(tag) != bool(claimed.tags[at]):
            continue
        if tag and not (chinese and tag[:1] in _NOMINAL):
            continue
        left, right = _neighbours(quoted, other, taken)
        same_right = _is_same_word(claimed, after, quoted, right, pairs)
        same_left = _is_same_word(claimed, before, quoted, left, pairs)
        if not chinese:
            weighty = [
                claimed.words[near].weight > CONTENT for near in (before, after) if near is not None
            ]
            framed = before is not None and claimed.words[before].key in _BEFORE_NOUNS
            if same_left and same_right and (framed or (len(weighty) == 2 and all(weighty))):
                return True
            continue
        weighty_after = after is not None and claimed.words[after].weight > CONTENT
        if same_right and weighty_after and ((same_left and before is not None) or before is None):
            return True
    return False


def _neighbours(sentence: Sentence, at: int, shared: Collection[int]) -> list[int | None]:
    """Find the words before and after a word in its clause, without articles and unshared words."""
    words = sentence.words
    found: list[int | None] = []
    for step in (-1, 1):
        place = at + step
        while 0 <= place < len(words) and (
            words[place].key in _ARTICLES
            or (
                place not in shared and words[place].weight > CONTENT and words[place].key.isascii()
            )
        ):
            place += step
        inside = 0 <= place < len(words) and words[place].clause == words[at].clause
        found.append(place if inside else None)
    return found


def _is_same_word(
    a: Sentence, at_a: int | None, b: Sentence, at_b: int | None, pairs: Mapping[int, int]
) -> bool:
    if at_a is None or at_b is None:
        return at_a is None and at_b is None
    return a.words[at_a].key == b.words[at_b].key or pairs.get(at_a) == at_b


@cache
def _words_of_change() -> frozenset[str]:
    """Return the words for rising and falling: a quote without one gives a level, not a change."""
    return frozenset(word for key in ("rise", "fall") for side in opposites(key) for word in side)


def _share_characters(claim: Claim, alignments: Sequence[Alignment], best: list[float]) -> None:
    """Let two-character words that share one character count as half a match: 获奖, 得奖."""
    free = {
        char
        for each in alignments
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


def _is_known(claim: Claim, at: int, chinese: bool) -> bool:
    each = claim.sought[at]
    return any(key.isascii() != chinese for key in (*alternatives(each.word.key), *each.phrases))
