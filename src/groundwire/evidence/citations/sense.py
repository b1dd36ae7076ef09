"""Whether quotes say what a sentence says: its words, its direction, and as surely."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Sequence

from groundwire.evidence.citations.acts import acts_of
from groundwire.evidence.citations.certainty import check_certainty
from groundwire.evidence.citations.coverage import check_cover
from groundwire.evidence.citations.grounds import Grounds
from groundwire.evidence.citations.problems import Findings, problem
from groundwire.evidence.reading.alignment import Alignment, Claim
from groundwire.evidence.reading.analysis import Sentence
from groundwire.evidence.reading.standing import DENIED, FALSE, TAKEN_BACK, refers_back

_SOME = 0.2
_FOCUS = 3  # words among which stands what a negation turns round
_DENIES = 0.25  # of what both say
_KEPT_FROM = re.compile(
    r"\b(?:keep|kept|prevent(?:ed|s)?|stop(?:ped|s)?|block(?:ed|s)?)(?: \w+){1,3} from "
)
_AGAINST = re.compile(r"\b(?:decid|vot|rul)\w* against ")


def check_sense(claim: Claim, laid: Sequence[Alignment], grounds: Grounds) -> Findings:
    """Compare words, polarity and certainty with the sentences that were quoted."""
    found = Findings()
    check_cover(claim, laid, grounds, found)
    if any(_turned(claim, alignment) for alignment in laid) or _taken_back(grounds):
        found.problems.append(problem("opposite"))
    check_certainty(claim, laid, found)
    return found


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
    lost = any(i not in forward for i in acts_of(claim.sentence))
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
        for link in alignment.against
    )


def _taken_back(grounds: Grounds) -> bool:
    for place in grounds.places:
        after = grounds.after(place)
        if after is None or not refers_back(after.text):
            continue
        kinds = {cue.kind for cue in after.cues}
        if kinds & {"false", "denies", "takes back"} and "negates" not in kinds:
            return True
    return False
