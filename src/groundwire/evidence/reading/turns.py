"""Where a passage turns round what a claim says: roles, negation, denial, endings, opposites, degrees."""

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
    """Who stands before whom: roles are told by order, and turned by the passive."""
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
    """1 where a passive on one side says the same as the active on the other, -1 where parties changed places."""
    mine, theirs = passive(found.claim.sentence), passive(found.sentence)
    here, there = {link.claim: link.at for link in chain}, {link.at: link.claim for link in chain}
    if mine is not None and theirs is None:
        patient, agent = _party(mine[0], -1, here), _party(mine[1], 1, here)
    elif theirs is not None and mine is None:
        patient, agent = _party(theirs[0], -1, there), _party(theirs[1], 1, there)
    else:
        if suffers(found.claim.sentence) != suffers(found.sentence):
            return 0
        kinds = found.claim.sentence.kinds
        # Who says something is no party to what is said.
        said = min((cue.last for cue in found.sentence.cues if cue.kind == "says"), default=0)
        names = [link for link in chain if kinds[link.claim][:1] == "n" and link.at >= said]
        turned = any(a.at > b.at for a, b in itertools.pairwise(names))
        return -1 if turned else 0
    if patient is None or agent is None or patient == agent:
        return 0
    return 1 if agent < patient else -1


def suffers(sentence: Sentence) -> bool:
    """Whether it has a passive that does not say by whom: was appointed."""
    words, low = sentence.words, sentence.low
    return any(
        word.key == "be" and low[after.start : after.end].endswith(("ed", "en", "wn"))
        for word, after in itertools.pairwise(words)
    )


def _party(start: int, step: int, where: Mapping[int, int]) -> int | None:
    """Where the nearest word before or behind a place stands on the other side."""
    for distance in range(1, 6):
        found = where.get(start + step * distance)
        if found is not None:
            return found
    return None


def passive(sentence: Sentence) -> tuple[int, int] | None:
    """Between which words the passive stands: (was, by), or 被 twice; None in the active."""
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
    """Compare how both sides stand to the words that they share, and to words that oppose each other."""
    mine, theirs = found.claim.sentence.marks, found.sentence.marks
    if called_false_after(found):
        theirs = [mark | FALSE for mark in theirs]
    _standings(found, mine, theirs, values)
    _negations(found, mine, theirs, values)
    _opposites(found, mine, theirs, values)
    values["against"] = max(values["polarity_differs"], min(1.0, values["opposed_weight"] / 2))


Marks = Sequence[int]


def _standings(found: Alignment, mine: Marks, theirs: Marks, values: dict[str, float]) -> None:
    sought, sentence = found.claim.sought, found.sentence
    links = [link for link in found.links if sought[link.claim].weight > _SOME]
    total = sum(sought[link.claim].weight for link in links) or 1.0
    differs = parity = both = 0.0
    sums = dict.fromkeys(STANDINGS, 0.0)
    own = dict.fromkeys(STANDINGS, 0.0)
    # Where both sides end something, what they end is compared as words.
    kept = (
        ~ENDED
        if _count(found.claim.sentence, "ends", None) and _count(sentence, "ends", None)
        else ~0
    )
    for link in links:
        weight = sought[link.claim].weight / total
        a, b = mine[link.claim] & kept, theirs[link.at] & kept
        if flipped(a) != flipped(b):
            differs += weight
        if (a ^ b) & NEGATED:
            parity += weight
        if a & b & NEGATED:
            both += weight
        for name, bit in STANDINGS.items():
            if b & bit and not a & bit:
                sums[name] += weight
            elif a & bit and not b & bit:
                own[name] += weight
    values["polarity_differs"] = differs
    values["negation_differs"] = parity
    values["negated_both"] = both
    for name in STANDINGS:
        values[f"{name}_there"] = sums[name]
        values[f"{name}_here"] = own[name]


def _negations(found: Alignment, mine: Marks, theirs: Marks, values: dict[str, float]) -> None:
    sought, sentence = found.claim.sought, found.sentence
    focus_mine = _focus(found.claim.sentence)
    focus_theirs = _focus(sentence)
    where = {link.claim: link.at for link in found.links}
    back = {link.at: link.claim for link in found.links}
    values["focus_there"] = float(
        sum(
            1
            for at in focus_theirs
            if at in back and back[at] not in focus_mine and not mine[back[at]] & NEGATED
        )
    )
    values["focus_here"] = float(
        sum(
            1
            for i in focus_mine
            if i in where and where[i] not in focus_theirs and not theirs[where[i]] & NEGATED
        )
    )
    values["focus_both"] = float(sum(1 for i in focus_mine if where.get(i) in focus_theirs))
    values["focus_missing"] = float(sum(1 for i in focus_mine if i not in where))
    clauses = {
        sentence.words[link.at].clause for link in found.links if sought[link.claim].weight > _SOME
    }
    cues_here = _count(found.claim.sentence, "negates", None)
    # "41, not 70" negates nothing of a claim that says 41.
    cues_there = min(
        _count(sentence, "negates", clauses),
        sum(at in back for at in focus_theirs) + _blind(sentence, clauses),
    )
    values["negations_apart"] = float(abs(cues_here - cues_there))
    values["negations_odd"] = float((cues_here + cues_there) % 2)
    values["negated_here_only"] = float(cues_here > 0 and cues_there == 0)
    values["negated_there_only"] = float(cues_there > 0 and cues_here == 0)
    values["negated_sides"] = float(cues_here > 0 and cues_there > 0)


def _opposites(found: Alignment, mine: Marks, theirs: Marks, values: dict[str, float]) -> None:
    sought = found.claim.sought
    turned = straight = 0.0
    linked = {link.claim for link in found.links if link.strength >= 0.9}
    for link in found.against:
        if link.claim in linked:
            continue
        same = flipped(mine[link.claim]) == flipped(theirs[link.at])
        weight = sought[link.claim].weight
        if same:
            turned = max(turned, weight)
        else:
            straight = max(straight, weight)
    values["opposed"] = turned / found.claim.total if turned else 0.0
    values["opposed_weight"] = turned
    values["opposed_negated"] = straight


def _focus(sentence: Sentence) -> set[int]:
    """The first words with content after each negation: what it turns round."""
    found: set[int] = set()
    for cue in sentence.cues:
        if cue.kind == "negates":
            for at in range(cue.last, min(len(sentence.words), cue.last + 4)):
                if sentence.words[at].weight > _SOME:
                    found.add(at)
                    break
    return found


def _blind(sentence: Sentence, clauses: set[int]) -> int:
    """Negations with nothing behind them: they turn round what stands before."""
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
    here = {kind: _count(found.claim.sentence, kind, None) > 0 for kind in DEGREES}
    there = {kind: _count(found.sentence, kind, clauses) > 0 for kind in DEGREES}
    for kind in DEGREES:
        values[f"{kind}_here"] = float(here[kind] and not there[kind])
        values[f"{kind}_there"] = float(there[kind] and not here[kind])
    values["whole_for_part"] = float(here["whole"] and there["part"] and not there["whole"])
    values["part_for_whole"] = float(here["part"] and there["whole"] and not there["part"])
    values["more_for_less"] = float(
        (here["more"] and there["less"] and not there["more"])
        or (here["less"] and there["more"] and not there["less"])
    )


def called_false_after(found: Alignment) -> bool:
    """Whether one of the next sentences says that this one is not so: "This is false", 该说法不实, "Rating: False"."""
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
