"""Whether quotes say what a sentence says: its words, its polarity and its certainty."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Sequence

from groundwire.evidence.citations.certainty import check_certainty
from groundwire.evidence.citations.coverage import check_cover
from groundwire.evidence.citations.grounds import Grounds
from groundwire.evidence.citations.problems import Findings, problem
from groundwire.evidence.citations.verbs import main_verbs
from groundwire.evidence.reading.alignment import Alignment, Claim
from groundwire.evidence.reading.analysis import Sentence
from groundwire.evidence.reading.standing import DENIED, FALSE, TAKEN_BACK, refers_back

_SOME = 0.2
_FOCUS = 3  # words after a negation among which its focus is sought
_DENIES = 0.25  # share of what both say
_KEPT_FROM = re.compile(
    r"\b(?:keep|kept|prevent(?:ed|s)?|stop(?:ped|s)?|block(?:ed|s)?)(?: \w+){1,3} from "
)
_AGAINST = re.compile(r"\b(?:decid|vot|rul)\w* against ")


def check_sense(claim: Claim, alignments: Sequence[Alignment], grounds: Grounds) -> Findings:
    """Compare words, polarity and certainty with the quoted sentences."""
    findings = Findings()
    check_cover(claim, alignments, grounds, findings)
    if any(_is_negated(claim, alignment) for alignment in alignments) or _is_taken_back(grounds):
        findings.problems.append(problem("opposite"))
    check_certainty(claim, alignments, findings)
    return findings


def _flips(sentence: Sentence) -> list[int]:
    """Mark the words that are denied, called false or taken back; negation is handled apart."""
    return [int(bool(mark & (DENIED | FALSE | TAKEN_BACK))) for mark in sentence.marks]


def _foci(sentence: Sentence, linked: Collection[int]) -> tuple[set[int], int]:
    """Find the first linked word that each negation turns; count the negations that turn none."""
    words = sentence.words
    turned: set[int] = set()
    alone = 0
    for cue in sentence.cues:
        if cue.kind != "negates":
            continue
        if cue.first == cue.last and cue.first in linked:
            continue  # 不变 for unchanged: matched together with its negation
        clause = words[min(cue.first, len(words) - 1)].clause
        heavy = [at for at, w in enumerate(words) if w.clause == clause and w.weight > _SOME]
        inside = [at for at in heavy if at >= cue.last]
        # A negated description turns nothing but itself: 没有往来的.
        de = next((at for at in range(cue.last, len(words) - 1) if words[at].key == "的"), None)
        if de is not None and any(at < de for at in inside):
            inside = [at for at in inside if at < de]
            if not any(at in linked for at in inside):
                continue
        if not inside and cue.first < cue.last:
            inside = [at for at in heavy if at < cue.first][-1:]
        first = next((at for at in inside[:_FOCUS] if at in linked), None)
        if first is not None:
            # Negated twice is not negated.
            turned ^= {first}
        elif inside:
            alone += 1
    for match in itertools.chain(
        _KEPT_FROM.finditer(sentence.low), _AGAINST.finditer(sentence.low)
    ):
        prevented = next(
            (at for at, w in enumerate(words) if w.start >= match.end() and w.weight > _SOME), None
        )
        if prevented is not None and prevented in linked:
            turned ^= {prevented}
        else:
            alone += 1
    return turned, alone


def _is_negated(claim: Claim, alignment: Alignment) -> bool:
    """Tell whether the quote negates words of the sentence, or has their opposites."""
    links = [link for link in alignment.links if claim.sought[link.claim].weight > _SOME]
    claim_flips, quote_flips = _flips(claim.sentence), _flips(alignment.sentence)
    if any(claim_flips) and any(quote_flips):
        claim_flips = quote_flips = [0] * max(len(claim_flips), len(quote_flips))
    claim_foci, claim_alone = _foci(claim.sentence, {link.claim for link in links})
    opposed = {link.at for link in alignment.against}
    quote_foci, quote_alone = _foci(alignment.sentence, {link.at for link in links} | opposed)
    forward = {link.claim: link.at for link in links}
    back = {link.at: link.claim for link in links}
    only_claim = {i for i in claim_foci if forward[i] not in quote_foci}
    only_quote = {at for at in quote_foci if at in back and back[at] not in claim_foci}
    # Both negate something, perhaps at another word of the clause: "no decision", "not decided".
    if only_claim and (only_quote or quote_alone):
        only_claim.clear()
        only_quote.clear()
    elif only_quote and claim_alone:
        only_quote.clear()
    if only_claim or only_quote:
        return True
    verb_missing = any(i not in forward for i in main_verbs(claim.sentence))
    if quote_alone > claim_alone and not claim_foci and verb_missing and not any(claim_flips):
        return True
    weights = [claim.sought[link.claim].weight for link in links]
    flips = [(claim_flips[link.claim], quote_flips[link.at]) for link in links]
    opposed_weight = sum(w for w, (one, other) in zip(weights, flips, strict=True) if one != other)
    shared_weight = sum(w for w, (one, other) in zip(weights, flips, strict=True) if one and other)
    if opposed_weight > shared_weight and opposed_weight >= _DENIES * sum(weights):
        return not claim_foci
    taken = {link.at for link in links if link.strength >= 0.8}
    linked = {link.claim for link in links if link.strength >= 0.8}
    return any(
        link.claim not in linked
        and link.at not in taken
        and (claim_flips[link.claim] ^ (link.claim in claim_foci))
        == (quote_flips[link.at] ^ (link.at in quote_foci))
        for link in alignment.against
    )


def _is_taken_back(grounds: Grounds) -> bool:
    for place in grounds.places:
        after = grounds.after(place)
        if after is None or not refers_back(after.text):
            continue
        kinds = {cue.kind for cue in after.cues}
        if kinds & {"false", "denies", "takes back"} and "negates" not in kinds:
            return True
    return False
