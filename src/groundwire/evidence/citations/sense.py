"""Whether quotes say what a sentence says: its words, its direction, and as surely."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache, lru_cache

from groundwire.evidence.citations.grounds import Grounds
from groundwire.evidence.citations.parties import is_verb, names_in
from groundwire.evidence.citations.problems import problem
from groundwire.evidence.citations.values import Found
from groundwire.evidence.reading.alignment import Alignment, Claim, Link
from groundwire.evidence.reading.analysis import Sentence
from groundwire.evidence.reading.standing import (
    ASKED,
    DENIED,
    FALSE,
    HEDGED,
    PLANNED,
    RETOLD,
    SUPPOSED,
    TAKEN_BACK,
    refers_back,
)
from groundwire.evidence.reading.synonyms import alternatives, is_listed, opposed
from groundwire.language.text.opposites import opposites
from groundwire.language.text.stems import base

_CONTENT, _SOME = 0.5, 0.2
COVERED = 0.4  # of a sentence's content must stand in what it cites
ACROSS = 0.35  # in another language, of the words that are known there
_TELLING = 2.2  # what a word weighs that belongs to something
_WHOLE = 0.75
_LOST = 0.6  # where a word is missing of which other words are known
_FEW = 3  # words besides the act
STATED = 0.72  # where what it states is not found by its words
KNOWN = 0.35  # of its words that are known there, or nothing can be said
_ACTS: dict[str, list[int]] = {}  # by the sentence's text: every rule asks for them
_KEPT = 1024
_UNSURE = HEDGED | PLANNED | SUPPOSED | RETOLD | ASKED
_NOUNS = frozenset({"declin", "fail"})
_FOCUS = 3  # words among which stands what a negation turns round
_DENIES = 0.25  # of what both say
_NOMINAL = ("n", "j", "l")
_NOUN = 0.7  # what a word weighs that may be replaced
_ARTICLES = frozenset({"the", "a", "an", "its", "their", "his", "her", "的"})
_BEFORE_NOUNS = frozenset({"of", "by", "for", "with", "against", "from", "in", "at", "becaus"})
_NEAR = 14  # characters from 已 to its act
_AGREED = re.compile(r"\b(?:agree|decide)[sd]?\b|同意|决定")
_MUCH = 0.4
_KEPT_FROM = re.compile(
    r"\b(?:keep|kept|prevent(?:ed|s)?|stop(?:ped|s)?|block(?:ed|s)?)(?: \w+){1,3} from "
)
_AGAINST = re.compile(r"\b(?:decid|vot|rul)\w* against ")
_FEARED = re.compile(r"\b(?:fear|worr|warn|hope)\w*|担心|担忧|忧虑|警告|希望")
_PROMISES = re.compile(
    r"\bthreaten(?:ed|s|ing)? to\b|\bsubject to\b|\bawait(?:s|ing|ed)?\b|\bpending\b|\bstill needs?\b"
)
_PROMISING = frozenset({"会", "尚待", "有待", "可望", "尚需", "仍需", "还需", "需"})
_SOFT = frozenset(
    {"estimat", "估计", "预估", "初步", "大约", "应该", "expect", "suggest", "find", "preliminary"}
)


def check_sense(claim: Claim, laid: Sequence[Alignment], grounds: Grounds) -> Found:
    """Compare words, polarity and certainty with the sentences that were quoted."""
    found = Found()
    _cover(claim, laid, grounds, found)
    if any(_turned(claim, alignment) for alignment in laid) or _taken_back(grounds):
        found.problems.append(problem("opposite"))
    _certainty(claim, laid, found)
    return found


def _cover(claim: Claim, laid: Sequence[Alignment], grounds: Grounds, found: Found) -> None:
    quoted = [max(pair) for pair in zip(*(each.strengths for each in laid), strict=True)]
    told = {
        at for cue in claim.sentence.cues if cue.kind == "says" for at in range(cue.first, cue.last)
    }
    content = [
        i
        for i, each in enumerate(claim.sought)
        if each.weight > _CONTENT and not each.value and i not in told
    ]
    if not content:
        return
    foreign = claim.analysis.chinese != grounds.chinese
    best = quoted
    if any(best[i] < 1.0 for i in content):
        beside = grounds.strengths(claim, grounds.beside)
        best = [max(a, b) for a, b in zip(quoted, beside, strict=True)]
    if claim.analysis.chinese:
        _share_characters(claim, laid, best)
    known = [i for i in content if not foreign or best[i] > 0 or _known(claim, i, grounds.chinese)]
    valued = any(value.outcome in ("same", "near") for each in laid for value in each.values)
    if foreign and len(known) < (KNOWN if valued else STATED) * len(content):
        found.doubts.append(problem("undecided"))
        return
    kinds = claim.sentence.kinds
    plain = [i for i in known if kinds[i][:1] != "n"] or known
    total = sum(claim.sought[i].weight for i in plain) or 1.0
    share = sum(claim.sought[i].weight * best[i] for i in plain) / total
    acts = [i for i in _acts(claim.sentence) if best[i] < 0.5]
    if not _acts(claim.sentence):
        acts = [i for i in plain if best[i] < 0.5][:1]
    if foreign:
        if valued and share < ACROSS:
            found.doubts.append(problem("undecided"))
        elif not valued and (share < ACROSS or any(i in known for i in acts)):
            found.problems.append(problem("other"))
        return
    lost = [i for i in plain if best[i] < 0.5 and is_listed(claim.sought[i].word.key)]
    least = ACROSS if valued else COVERED
    if lost:
        least = max(least, _LOST)
    if acts and not valued:
        least = max(least, STATED)
    stated = sum(best[i] >= 0.5 for i in content)
    few = any(
        stated <= (_FEW if claim.sought[i].weight > 1 else _FEW - 1)
        for i in acts
        if i in lost or not valued
    )
    moved = any(claim.sought[i].word.key in _moves() for i in acts if i in lost)
    missing = [i for i in content if best[i] < 0.5]
    stating = _acts(claim.sentence)
    replaced = any(
        _replaced(claim, i, each)
        for i in content
        if quoted[i] < 0.5 and i not in stating
        for each in laid
    )
    if share < least or few or moved or replaced or _borrowed(claim, missing, grounds):
        found.problems.append(problem("other"))


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
                mine.words[near].weight > _CONTENT for near in (before, after) if near is not None
            ]
            framed = before is not None and mine.words[before].key in _BEFORE_NOUNS
            if same_left and same_right and (framed or (len(told) == 2 and all(told))):
                return True
            continue
        content = after is not None and mine.words[after].weight > _CONTENT
        if same_right and content and ((same_left and before is not None) or before is None):
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
            or (place in free and words[place].weight > _CONTENT and words[place].key.isascii())
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
        if 1 < len(word.key) < 4
        and not word.key.isascii()
        and all(at != link.at for link in each.links)
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


def _borrowed(claim: Claim, missing: Sequence[int], grounds: Grounds) -> bool:
    """Whether a word stands elsewhere on the page, of something else: another thing's property.

    A further sentence that says most of the clause with this word becomes a quote instead.
    """
    words, kinds = claim.sentence.words, claim.sentence.kinds
    for i in missing:
        each = claim.sought[i]
        if kinds[i][:1] == "n" or not (
            each.weight >= _TELLING or (each.weight > 1.2 and _counted(claim, i))
        ):
            continue
        clause = [
            n
            for n, other in enumerate(claim.sought)
            if other.weight > _CONTENT and not other.value and words[n].clause == words[i].clause
        ]
        holds = _holding(claim, i)
        if not grounds.anywhere(holds):
            continue

        def whole(sentence: Sentence, clause: Sequence[int] = clause) -> bool:
            strengths = grounds.strengths(claim, [sentence])
            total = sum(claim.sought[n].weight for n in clause)
            return sum(claim.sought[n].weight * strengths[n] for n in clause) >= _WHOLE * total

        if grounds.further(holds, whole) is None:
            return True
    return False


def _counted(claim: Claim, at: int) -> bool:
    """Whether a word says what the next figure counts."""
    end = claim.sentence.words[at].end
    return (
        any(0 <= figure.start - end <= 6 for figure in claim.sentence.figures)
        and claim.analysis.chinese
    )


def _holding(claim: Claim, at: int) -> Callable[[str], bool]:
    word = claim.sentence.words[at]
    written = claim.sentence.low[word.start : word.end]
    pattern = re.compile(
        rf"\b{re.escape(word.key)}\w{{0,3}}\b" if written.isascii() else re.escape(written),
        re.IGNORECASE,
    )
    return lambda flat: pattern.search(flat) is not None


def _acts(sentence: Sentence) -> list[int]:
    """What each clause states: its first verb, as far as form and dictionary tell."""
    kept = _ACTS.get(sentence.text)
    if kept is None:
        if len(_ACTS) > _KEPT:
            _ACTS.clear()
        kept = _ACTS[sentence.text] = _find_acts(sentence)
    return kept


def _find_acts(sentence: Sentence) -> list[int]:
    found: dict[int, int] = {}
    for at, word in enumerate(sentence.words):
        # The last one in Chinese, where descriptions come first.
        first = word.clause not in found or bool(sentence.tags[at])
        if first and word.weight > _CONTENT and is_verb(sentence, at):
            found[word.clause] = at
    return list(found.values())


def _known(claim: Claim, at: int, chinese: bool) -> bool:
    each = claim.sought[at]
    return any(key.isascii() != chinese for key in (*alternatives(each.word.key), *each.phrases))


def _flips(sentence: Sentence) -> list[int]:
    """Which words are denied, called false or taken back; negation is looked at by what it turns."""
    return [int(bool(mark & (DENIED | FALSE | TAKEN_BACK))) for mark in sentence.marks]


def _foci(sentence: Sentence, linked: Collection[int]) -> tuple[set[int], int]:
    """The words that negations turn round, the first that is linked; and how many turn nothing that is linked."""
    words = sentence.words
    found: set[int] = set()
    alone = 0
    for cue in sentence.cues:
        if cue.kind != "negates":
            continue
        if cue.first == cue.last and cue.first in linked:
            continue  # 不变 for unchanged: the word was found with its negation
        if words[cue.first - 1].key in ("the", "a", "of") and words[cue.first].key in _NOUNS:
            continue  # "most of the decline to …"
        clause = words[min(cue.first, len(words) - 1)].clause
        inside = [
            at
            for at in range(cue.last, len(words))
            if words[at].clause == clause and words[at].weight > _SOME
        ]
        # What describes something turns nothing but itself: 没有往来的.
        of = next((at for at in range(cue.last, len(words) - 1) if words[at].key == "的"), None)
        if of is not None and any(at < of for at in inside):
            inside = [at for at in inside if at < of]
            if not any(at in linked for at in inside):
                continue
        if not inside and cue.first < cue.last:
            inside = [
                at
                for at in range(min(cue.first, len(words)))
                if words[at].clause == clause and words[at].weight > _SOME
            ][-1:]
        first = next((at for at in inside[:_FOCUS] if at in linked), None)
        if first is not None:
            # Negated twice is not negated.
            found ^= {first}
        elif inside:
            alone += 1
    for match in itertools.chain(
        _KEPT_FROM.finditer(sentence.low), _AGAINST.finditer(sentence.low)
    ):
        kept = next(
            (at for at, w in enumerate(words) if w.start >= match.end() and w.weight > _SOME), None
        )
        if kept is not None and kept in linked:
            found ^= {kept}
        else:
            alone += 1
    return found, alone


def _turned(claim: Claim, alignment: Alignment) -> bool:
    """Whether words of the sentence stand in the quote only where they are turned round, or their opposites do."""
    links = [link for link in alignment.links if claim.sought[link.claim].weight > _SOME]
    mine, theirs = _flips(claim.sentence), _flips(alignment.sentence)
    if any(mine) and any(theirs):
        mine = theirs = [0] * max(len(mine), len(theirs))
    here, alone_here = _foci(claim.sentence, {link.claim for link in links})
    opposed = {link.at for link in alignment.against}
    there, alone_there = _foci(alignment.sentence, {link.at for link in links} | opposed)
    forward = {link.claim: link.at for link in links}
    back = {link.at: link.claim for link in links}
    only_here = {i for i in here if forward[i] not in there}
    only_there = {at for at in there if at in back and back[at] not in here}
    # Each side negates something, in other words or at another word of the same clause: "no decision", "not decided".
    if only_here and (only_there or alone_there):
        only_here.clear()
        only_there.clear()
    elif only_there and alone_here:
        only_there.clear()
    if only_here or only_there:
        return True
    lost = any(i not in forward for i in _acts(claim.sentence))
    if alone_there > alone_here and not here and lost and not any(mine):
        return True
    apart = sum(
        claim.sought[link.claim].weight for link in links if mine[link.claim] != theirs[link.at]
    )
    alike = sum(
        claim.sought[link.claim].weight for link in links if mine[link.claim] and theirs[link.at]
    )
    if apart > alike and apart >= _DENIES * sum(claim.sought[link.claim].weight for link in links):
        return not here
    taken = {link.at for link in links if link.strength >= 0.8}
    linked = {link.claim for link in links if link.strength >= 0.8}
    return any(
        link.claim not in linked
        and link.at not in taken
        and (mine[link.claim] ^ (link.claim in here)) == (theirs[link.at] ^ (link.at in there))
        and not _has_own(claim, alignment, link)
        for link in alignment.against
    ) or _says_otherwise(claim, alignment, {link.claim for link in links}, taken)


def _says_otherwise(
    claim: Claim, alignment: Alignment, linked: Collection[int], taken: Collection[int]
) -> bool:
    """Whether the quote has, in other words, the opposite of what the sentence states: turned down, not approved."""
    theirs = alignment.sentence
    for i in _acts(claim.sentence):
        if i in linked:
            continue
        for key in opposed(claim.sought[i].word.key):
            for phrase, strength in alternatives(key).items():
                if strength >= 0.9 and " " in phrase and _phrase(phrase).search(theirs.low):
                    return True
    return False


@lru_cache(maxsize=4096)
def _phrase(phrase: str) -> re.Pattern[str]:
    return re.compile(rf"\b{re.escape(phrase)}\b")


def _has_own(claim: Claim, alignment: Alignment, link: Link) -> bool:
    """Whether the sentence has the opposite word as well: "fell, then rose"."""
    key = alignment.sentence.words[link.at].key
    return any(word.key == key for word in claim.sentence.words)


def _taken_back(grounds: Grounds) -> bool:
    for place in grounds.places:
        after = grounds.after(place)
        if after is None or not refers_back(after.text):
            continue
        kinds = {cue.kind for cue in after.cues}
        if kinds & {"false", "denies", "takes back"} and "negates" not in kinds:
            return True
    return False


def _certainty(claim: Claim, laid: Sequence[Alignment], found: Found) -> None:
    """Whether the quote only plans, supposes, asks or retells what the sentence states, or has done what it plans."""
    mine = claim.sentence
    cues = {cue.kind for cue in mine.cues}
    if any(
        mine.marks[link.claim] & PLANNED
        and not each.sentence.marks[link.at] & _UNSURE
        and _is_perfect(each.sentence, link.at)
        for each in laid
        for link in each.links
        if claim.sought[link.claim].weight > _CONTENT
    ):
        found.problems.append(problem("uncertain"))
        return
    if cues & {"hedges", "supposes", "retells", "asks"}:
        return
    unsure = _UNSURE & ~PLANNED if "plans" in cues or _AGREED.search(mine.low) else _UNSURE
    if _FEARED.search(mine.low):
        return
    acts = set(_acts(mine))
    for alignment in laid:
        theirs = alignment.sentence
        if "denies" in cues and any(cue.kind == "denies" for cue in theirs.cues):
            continue
        marks = _marks(theirs)
        for clause in sorted({word.clause for word in mine.words}):
            links = [
                link
                for link in alignment.links
                if claim.sought[link.claim].weight > _CONTENT
                and mine.words[link.claim].clause == clause
            ]
            name = _unsure_of(claim, links, marks, unsure, acts, soft=_is_soft(theirs))
            if name == "question" and "negates" in cues:
                continue
            listed = found.doubts if name == "doubt" else found.problems
            said = problem("question" if name == "question" else "uncertain")
            if name and said not in listed:
                listed.append(said)


def _unsure_of(
    claim: Claim,
    links: Sequence[Link],
    marks: Sequence[int],
    unsure: int,
    acts: Collection[int],
    *,
    soft: bool,
) -> str:
    """How a quote is less sure of one clause than the sentence: "question", "uncertain", "doubt" or not at all."""
    weights = {link.claim: claim.sought[link.claim].weight for link in links}
    total = sum(weights.values())
    if (
        total
        and sum(weights[link.claim] for link in links if marks[link.at] & ASKED) >= _MUCH * total
    ):
        return "question"
    flagged = [link for link in links if marks[link.at] & unsure & ~ASKED]
    stated = [link for link in links if link.claim in acts]
    done = any(_is_done(claim.sentence, link.claim) for link in flagged)
    if not flagged or (stated and not done and not any(link in flagged for link in stated)):
        return ""
    if not done and sum(weights[link.claim] for link in flagged) < _MUCH * total:
        return ""
    planned = all(not marks[link.at] & unsure & ~PLANNED & ~ASKED for link in flagged)
    return "doubt" if not done and (soft or planned) else "uncertain"


def _is_done(sentence: Sentence, at: int) -> bool:
    """Whether an act is told as done: in the past, or with 已."""
    word = sentence.words[at]
    written = sentence.low[word.start : word.end]
    if written.isascii():
        return written.endswith("ed") or base(written) != written
    return any(
        other.clause == word.clause
        and (
            (other.key[:1] == "已" and 0 < word.start - other.start <= _NEAR)
            or (other.key == "了" and 0 <= other.start - word.end <= 2)
        )
        for other in sentence.words
    )


def _is_perfect(sentence: Sentence, at: int) -> bool:
    """Whether an act is told as done by now: "has required", 已批准."""
    word = sentence.words[at]
    if not word.key.isascii():
        return _is_done(sentence, at)
    before = [other.key for other in sentence.words[max(0, at - 2) : at]]
    return "have" in before and sentence.low[word.start : word.end].endswith("ed")


def _is_soft(sentence: Sentence) -> bool:
    """Whether it only gives an estimate or an expectation, which is a statement of its kind."""
    return all(
        sentence.words[min(cue.first, len(sentence.words) - 1)].key in _SOFT
        for cue in sentence.cues
        if cue.kind in ("hedges", "plans", "supposes", "retells")
    )


def _marks(sentence: Sentence) -> list[int]:
    """Marks of words without those of "may not", which forbids, and with those of 会 and 尚待, which promise."""
    marks = list(sentence.marks)
    words, low = sentence.words, sentence.low
    if "may not" in low:
        marks = [mark & ~HEDGED for mark in marks]
    named = names_in(sentence.text)
    promising = [
        word
        for word in words
        if word.key in _PROMISING and not any(n.start <= word.start < n.end for n in named)
    ]
    promising.extend(
        word for word in words for match in _PROMISES.finditer(low) if word.start == match.start()
    )
    for promise in promising:
        for at, word in enumerate(words):
            if word.clause == promise.clause and word.start > promise.start:
                marks[at] |= PLANNED
    return marks
