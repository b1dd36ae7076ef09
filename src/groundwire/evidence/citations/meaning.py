"""Whether quotes say what a sentence says: the encoder reads them in context, and code has vetoes.

These are swapped roles, a figure that is somebody else's, and, unless the encoder is almost certain, a
negation or a hedge. Only the quoted sentences that speak of it are asked: a quote may be a paragraph.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundwire.evidence.citations.binding import misplaced
from groundwire.evidence.citations.certainty import check_certainty
from groundwire.evidence.citations.grounds import Grounds
from groundwire.evidence.citations.parties import misattributed, names_in
from groundwire.evidence.citations.problems import Findings, problem
from groundwire.evidence.citations.roles import are_roles_swapped
from groundwire.evidence.citations.verbs import content_words, reporting_words
from groundwire.evidence.reading.alignment import Alignment, Claim
from groundwire.evidence.reading.encoder import weigh
from groundwire.evidence.reading.features import features
from groundwire.evidence.reading.reader import contradicting
from groundwire.evidence.reading.second import window
from groundwire.evidence.reading.standing import refers_back
from groundwire.language.names.names import has_name
from groundwire.model.stance import StanceScores

# Likelihoods of decision 0040:
_STATED = 0.7  # that quotes carry a sentence, before it stands
_OVERRULED = 0.9  # the same, before a negation or a hedge that words see is not believed
_OPPOSED = 0.6  # how likely the opposite may not be, where one quoted sentence has every word
_SPEAKING = 0.8  # of what the best sentence covers, before another one speaks of it too
_THERE = 0.5  # the least strength of a word that counts as matched

# The reader's signs that one side denies what the other says.
_DENIALS = frozenset({"called_false", "denied", "negated", "not_that_figure", "opposite"})


def check_meaning(claim: Claim, grounds: Grounds, question: str) -> Findings:
    """Read the quotes for the sentence, unless a veto that nothing overrules comes first."""
    findings = Findings()
    speaking = _speaking(grounds.align(claim))
    findings.problems.extend((*misplaced(claim, speaking), *misattributed(claim, grounds)))
    if are_roles_swapped(claim, speaking):
        findings.problems.append(problem("roles"))
    if findings.problems:
        return findings
    if all(contradicting(features(each)) in _DENIALS for each in speaking):
        findings.problems.append(problem("opposite"))
    check_certainty(claim, speaking, findings)
    scores = _weigh(claim, speaking[0], grounds, question)
    if scores.supports >= _OVERRULED:
        findings.problems.clear()
    elif not findings.problems and not _is_carried(claim, speaking, scores):
        findings.problems.append(problem(_reason(scores)))
    return findings


def is_taken_back(grounds: Grounds) -> bool:
    """Tell whether the sentence after a quote takes it back."""
    after = [grounds.after(place) for place in grounds.places]
    cues = [{cue.kind for cue in each.cues} for each in after if each and refers_back(each.text)]
    return any(
        kinds & {"false", "denies", "takes back"} and "negates" not in kinds for kinds in cues
    )


def _speaking(alignments: Sequence[Alignment]) -> list[Alignment]:
    """Choose the quoted sentences that speak of the claim, the one that covers most of it first."""
    order = sorted(alignments, key=lambda each: -each.covered[each.best])
    least = _SPEAKING * order[0].covered[order[0].best]
    return [each for each in order if each.covered[each.best] >= least]


def _is_carried(claim: Claim, speaking: Sequence[Alignment], scores: StanceScores) -> bool:
    """Tell whether the quotes carry the sentence: by the encoder, or in its own words if it does not object."""
    if scores.supports >= _STATED or bare(claim.low) in bare(speaking[0].sentence.low):
        return True
    names = [(name.start, name.end) for name in names_in(claim.sentence.text)]
    reporting = reporting_words(claim.sentence)
    there = all(
        speaking[0].strengths[i] >= _THERE
        for i in content_words(claim)
        if i not in reporting
        and not any(start <= claim.sought[i].word.start < end for start, end in names)
    )
    return there and scores.contradicts < _OPPOSED


def bare(text: str) -> str:
    """Strip a text to its letters and digits."""
    return re.sub(r"[\W_]+", "", text).lower()


def _weigh(claim: Claim, found: Alignment, grounds: Grounds, question: str) -> StanceScores:
    """Weigh the quotes twice, alone and with what is shown beside them, and take the reading that is surer."""
    text = claim.sentence.text
    quoted = [each.text.strip() for each in window(found)]
    quoted.extend(place.whole for place in grounds.added)
    title = " ".join(dict.fromkeys(place.title for place in grounds.places))
    beside = [*_origin(claim, grounds, question), grounds.places[0].before]
    return max(
        weigh(text, title, " ".join(filter(None, [*beside, *quoted]))),
        weigh(text, "", " ".join(quoted)),
        key=lambda scores: scores.supports,
    )


def _origin(claim: Claim, grounds: Grounds, question: str) -> list[str]:
    """Say who published the page, and when, where the sentence speaks of that."""
    place = grounds.places[0]
    named = any(has_name(name.text, place.publisher) for name in names_in(claim.sentence.text))
    dated = question and place.published and claim.sentence.dates
    when = f"{place.published:%Y-%m-%d}" if dated else ""
    return [f"{each}:" for each in (place.publisher if named else "", when) if each]


def _reason(scores: StanceScores) -> str:
    if scores.contradicts >= _OPPOSED:
        return "opposite"
    return "uncertain" if scores.qualifies >= _OPPOSED else "other"
