"""The ways in which a passage reverses a claim: roles, negation, denial, endings, opposites, degrees."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

from groundwire.evidence.reading.alignment import Alignment, Link
from groundwire.evidence.reading.analysis import Sentence
from groundwire.evidence.reading.standing import (
    ASKED,
    DENIED,
    ENDED,
    FALSE,
    HEDGED,
    NEGATED,
    PLANNED,
    RETOLD,
    SUPPOSED,
    TAKEN_BACK,
    flipped,
    refers_back,
)

CONTENT = 0.5  # what a word weighs that says something
_SOME = 0.2  # what a negation turns round may be a common word: 有, 等, get
STANDINGS = {
    "negated": NEGATED, "denied": DENIED, "false": FALSE, "retold": RETOLD, "hedged": HEDGED, "planned": PLANNED,
    "asked": ASKED, "supposed": SUPPOSED, "taken_back": TAKEN_BACK,
    "ended": ENDED,
}  # fmt: skip
_NEXT = 2  # sentences after one, in which it may be called false
DEGREES = ("whole", "part", "only", "more", "less")


def order(found: Alignment, values: dict[str, float]) -> None:
    """Measure how far the claim's words keep their order, which tells roles unless a passive reverses it."""
    sought = found.claim.sought
    chain = [
        link
        for link in found.links
        if sought[link.claim].weight > CONTENT and not sought[link.claim].value
    ]
    pairs = [(a, b) for n, a in enumerate(chain) for b in chain[n + 1 :] if a.at != b.at]
    inverted = sum(a.at > b.at for a, b in pairs)
    values["inverted"] = inverted / len(pairs) if pairs else 0.0
    near = [(a, b) for a, b in itertools.pairwise(chain) if a.at != b.at]
    values["adjacent"] = sum(0 < b.at - a.at <= 3 for a, b in near) / len(near) if near else 0.0
    values["turned_round"] = sum(a.at > b.at for a, b in near) / len(near) if near else 0.0
    run = longest = 0
    for a, b in near:
        run = run + 1 if 0 < b.at - a.at <= 2 else 0
        longest = max(longest, run)
    values["run"] = longest / max(1, len(chain) - 1)
    roles = _roles(found, chain)
    values["roles_turned"] = float(roles < 0)
    values["roles_kept"] = float(roles > 0)
    if roles > 0:
        values["inverted"] = values["turned_round"] = 0.0
    elif roles == 0 and len(chain) > 1:
        values["ends_swapped"] = float(chain[0].at > chain[-1].at)


def _roles(found: Alignment, chain: Sequence[Link]) -> int:
    """Compare roles: 1 where an active and a passive say the same, -1 where parties changed places, else 0."""
    claim_passive, passage_passive = passive(found.claim.sentence), passive(found.sentence)
    to_passage, to_claim = (
        {link.claim: link.at for link in chain},
        {link.at: link.claim for link in chain},
    )
    if claim_passive is not None and passage_passive is None:
        patient, agent = (
            _party(claim_passive[0], -1, to_passage),
            _party(claim_passive[1], 1, to_passage),
        )
    elif passage_passive is not None and claim_passive is None:
        patient, agent = (
            _party(passage_passive[0], -1, to_claim),
            _party(passage_passive[1], 1, to_claim),
        )
    else:
        if suffers(found.claim.sentence) != suffers(found.sentence):
            return 0
        kinds = found.claim.sentence.kinds
        # Who says something is no party to what is said.
        said_from = min((cue.last for cue in found.sentence.cues if cue.kind == "says"), default=0)
        names = [link for link in chain if kinds[link.claim][:1] == "n" and link.at >= said_from]
        turned = any(a.at > b.at for a, b in itertools.pairwise(names))
        return -1 if turned else 0
    if patient is None or agent is None or patient == agent:
        return 0
    return 1 if agent < patient else -1


def suffers(sentence: Sentence) -> bool:
    """Tell whether a sentence has a passive such as "was appointed", whether or not it says by whom."""
    words, low = sentence.words, sentence.low
    return any(
        word.key == "be" and low[after.start : after.end].endswith(("ed", "en", "wn"))
        for word, after in itertools.pairwise(words)
    )


def _party(start: int, step: int, where: Mapping[int, int]) -> int | None:
    """Find the counterpart of the nearest linked word before or after a place."""
    for distance in range(1, 6):
        found = where.get(start + step * distance)
        if found is not None:
            return found
    return None


def passive(sentence: Sentence) -> tuple[int, int] | None:
    """Find the two words that frame a passive: (was, by), or 被 twice; None in the active."""
    keys = [word.key for word in sentence.words]
    for cue in sentence.cues:
        if cue.kind != "passive" or cue.first >= len(keys):
            continue
        if keys[cue.first] != "by":
            return cue.first, cue.first
        before = [at for at in range(max(0, cue.first - 4), cue.first) if keys[at] == "be"]
        if before:
            return before[-1], cue.first
    return None


def polarity(found: Alignment, values: dict[str, float]) -> None:
    """Compare the standing of words that both sides share, and of words that oppose each other."""
    claim_marks, passage_marks = found.claim.sentence.marks, found.sentence.marks
    if called_false_after(found):
        passage_marks = [mark | FALSE for mark in passage_marks]
    _standings(found, claim_marks, passage_marks, values)
    _negations(found, claim_marks, passage_marks, values)
    _opposites(found, claim_marks, passage_marks, values)
    values["against"] = max(values["polarity_differs"], min(1.0, values["opposed_weight"] / 2))


Marks = Sequence[int]


def _standings(
    found: Alignment, claim_marks: Marks, passage_marks: Marks, values: dict[str, float]
) -> None:
    sought, sentence = found.claim.sought, found.sentence
    links = [link for link in found.links if sought[link.claim].weight > _SOME]
    total = sum(sought[link.claim].weight for link in links) or 1.0
    differs = parity = both = 0.0
    passage_only = dict.fromkeys(STANDINGS, 0.0)
    claim_only = dict.fromkeys(STANDINGS, 0.0)
    # Where both sides end something, what they end is compared as words.
    kept = (
        ~ENDED
        if _count(found.claim.sentence, "ends", None) and _count(sentence, "ends", None)
        else ~0
    )
    for link in links:
        weight = sought[link.claim].weight / total
        a, b = claim_marks[link.claim] & kept, passage_marks[link.at] & kept
        if flipped(a) != flipped(b):
            differs += weight
        if (a ^ b) & NEGATED:
            parity += weight
        if a & b & NEGATED:
            both += weight
        for name, bit in STANDINGS.items():
            if b & bit and not a & bit:
                passage_only[name] += weight
            elif a & bit and not b & bit:
                claim_only[name] += weight
    values["polarity_differs"] = differs
    values["negation_differs"] = parity
    values["negated_both"] = both
    for name in STANDINGS:
        values[f"{name}_there"] = passage_only[name]
        values[f"{name}_here"] = claim_only[name]


def _negations(
    found: Alignment, claim_marks: Marks, passage_marks: Marks, values: dict[str, float]
) -> None:
    sought, sentence = found.claim.sought, found.sentence
    claim_focus = _focus(found.claim.sentence)
    passage_focus = _focus(sentence)
    to_passage = {link.claim: link.at for link in found.links}
    to_claim = {link.at: link.claim for link in found.links}
    values["focus_there"] = float(
        sum(
            1
            for at in passage_focus
            if at in to_claim
            and to_claim[at] not in claim_focus
            and not claim_marks[to_claim[at]] & NEGATED
        )
    )
    values["focus_here"] = float(
        sum(
            1
            for i in claim_focus
            if i in to_passage
            and to_passage[i] not in passage_focus
            and not passage_marks[to_passage[i]] & NEGATED
        )
    )
    values["focus_both"] = float(sum(1 for i in claim_focus if to_passage.get(i) in passage_focus))
    values["focus_missing"] = float(sum(1 for i in claim_focus if i not in to_passage))
    clauses = {
        sentence.words[link.at].clause for link in found.links if sought[link.claim].weight > _SOME
    }
    claim_cues = _count(found.claim.sentence, "negates", None)
    # "41, not 70" negates nothing of a claim that says 41.
    passage_cues = min(
        _count(sentence, "negates", clauses),
        sum(at in to_claim for at in passage_focus) + _trailing_negations(sentence, clauses),
    )
    values["negations_apart"] = float(abs(claim_cues - passage_cues))
    values["negations_odd"] = float((claim_cues + passage_cues) % 2)
    values["negated_here_only"] = float(claim_cues > 0 and passage_cues == 0)
    values["negated_there_only"] = float(passage_cues > 0 and claim_cues == 0)
    values["negated_sides"] = float(claim_cues > 0 and passage_cues > 0)


def _opposites(
    found: Alignment, claim_marks: Marks, passage_marks: Marks, values: dict[str, float]
) -> None:
    sought = found.claim.sought
    turned = straight = 0.0
    # A light word, such as the "up" of "start-up", does not outweigh an opposite.
    words = found.sentence.words
    linked = {
        link.claim
        for link in found.links
        if link.strength >= 1.0 or (link.strength >= 0.9 and words[link.at].weight >= _SOME)
    }
    for link in found.against:
        if link.claim in linked:
            continue
        same = flipped(claim_marks[link.claim]) == flipped(passage_marks[link.at])
        weight = sought[link.claim].weight
        if same:
            turned = max(turned, weight)
        else:
            straight = max(straight, weight)
    values["opposed"] = turned / found.claim.total if turned else 0.0
    values["opposed_weight"] = turned
    values["opposed_negated"] = straight


def _focus(sentence: Sentence) -> set[int]:
    """Find the first word with content after each negation: the one that it reverses."""
    found: set[int] = set()
    for cue in sentence.cues:
        if cue.kind == "negates":
            for at in range(cue.last, min(len(sentence.words), cue.last + 4)):
                if sentence.words[at].weight > _SOME:
                    found.add(at)
                    break
    return found


def _trailing_negations(sentence: Sentence, clauses: set[int]) -> int:
    """Count the negations with no content after them, which reverse what comes before."""
    words = sentence.words
    return sum(
        cue.kind == "negates"
        and words[min(cue.first, len(words) - 1)].clause in clauses
        and not any(word.weight > _SOME for word in words[cue.last : cue.last + 4])
        for cue in sentence.cues
    )


def _count(sentence: Sentence, kind: str, clauses: set[int] | None) -> int:
    return sum(
        cue.kind == kind
        and (
            clauses is None
            or sentence.words[min(cue.first, len(sentence.words) - 1)].clause in clauses
        )
        for cue in sentence.cues
    )


def degrees(found: Alignment, values: dict[str, float]) -> None:
    clauses = {found.sentence.words[link.at].clause for link in found.links}
    claim = {kind: _count(found.claim.sentence, kind, None) > 0 for kind in DEGREES}
    passage = {kind: _count(found.sentence, kind, clauses) > 0 for kind in DEGREES}
    for kind in DEGREES:
        values[f"{kind}_here"] = float(claim[kind] and not passage[kind])
        values[f"{kind}_there"] = float(passage[kind] and not claim[kind])
    values["whole_for_part"] = float(claim["whole"] and passage["part"] and not passage["whole"])
    values["part_for_whole"] = float(claim["part"] and passage["whole"] and not passage["part"])
    values["more_for_less"] = float(
        (claim["more"] and passage["less"] and not passage["more"])
        or (claim["less"] and passage["more"] and not passage["less"])
    )


def called_false_after(found: Alignment) -> bool:
    """Tell whether one of the next sentences calls this one false: "This is false", 该说法不实, "Rating: False"."""
    after = found.passage.sentences[found.best + 1 : found.best + 1 + _NEXT]
    return any(_calls_false(sentence) for sentence in after)


def _calls_false(sentence: Sentence) -> bool:
    for cue in sentence.cues:
        if cue.kind not in ("false", "denies", "takes back"):
            continue
        # Up to the end of the clause that says so; a negation of its own turns it round.
        clause = sentence.words[cue.first].clause
        inside = [word.clause == clause for word in sentence.words]
        negated = any(
            other.kind == "negates" and inside[other.first] and other.last <= cue.first
            for other in sentence.cues
        )
        end = next((w.start for w in sentence.words if w.clause > clause), len(sentence.text))
        if not negated and refers_back(sentence.text[:end]):
            return True
    return False
