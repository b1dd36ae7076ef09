"""Whether quotes say what a sentence says: the encoder reads them in context, and code has vetoes.

These are swapped roles and a figure that is somebody else's. What words see of a negation or a hedge is a sign among others
(`likelihood`). Only the quoted sentences that speak of it are asked: a quote may be a paragraph.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundwire.evidence.citations.binding import from_another_page, misplaced
from groundwire.evidence.citations.certainty import check_certainty
from groundwire.evidence.citations.grounds import Grounds
from groundwire.evidence.citations.likelihood import Signs, likelihood
from groundwire.evidence.citations.parties import misattributed, names_in
from groundwire.evidence.citations.problems import Findings, problem
from groundwire.evidence.citations.roles import are_roles_swapped
from groundwire.evidence.citations.verbs import content_words, reporting_words
from groundwire.evidence.reading.alignment import Alignment, Claim
from groundwire.evidence.reading.analysis import Sentence
from groundwire.evidence.reading.encoder import weigh
from groundwire.evidence.reading.features import features
from groundwire.evidence.reading.reader import contradicting
from groundwire.evidence.reading.second import window
from groundwire.evidence.reading.standing import refers_back
from groundwire.language.names.names import has_name
from groundwire.model.phrase import Phrase
from groundwire.model.stance import StanceScores

CARRIED = 0.6  # how likely quotes must carry a sentence before it stands (0049),
_STATED = 0.5  # how likely the encoder must find that it is stated,
_SURE = 0.9  # and if a number of it stands nowhere
_OPPOSED = 0.6  # how likely the opposite may not be, where the only quoted sentence has every word
_SPEAKING = 0.8  # of what the best sentence covers, before another one speaks of it too
_THERE = 0.5  # the least strength of a word that counts as matched

# The reader's signs that one side denies what the other says.
_DENIALS = frozenset({"called_false", "denied", "negated", "not_that_figure", "opposite"})


def check_meaning(
    claim: Claim, grounds: Grounds, question: str, unsure: Sequence[Phrase] = ()
) -> Findings:
    """Read the quotes for the sentence, unless a veto comes first; what is `unsure` needs a sure reading."""
    speaking = speakers(grounds.align(claim))
    findings = Findings(problems=vetoes(claim, grounds, speaking))
    if findings.problems:
        return findings
    certainty = Findings()
    check_certainty(claim, speaking, certainty)
    signs = signs_of(claim, grounds, speaking, question, certainty, unsure=bool(unsure))
    if _is_carried(signs) or _is_witnessed(claim, speaking, signs):
        findings.doubts.extend((*unsure, *certainty.doubts))
    else:
        findings.problems.extend(unsure or [problem(_reason(signs))])
    return findings


def _is_carried(signs: Signs) -> bool:
    least = _SURE if signs.unsure else _STATED
    return signs.surer.supports >= least and likelihood(signs) >= CARRIED


def vetoes(claim: Claim, grounds: Grounds, speaking: Sequence[Alignment]) -> list[Phrase]:
    """List what no reading overrules."""
    if _is_withdrawn(claim, grounds, speaking[0].sentence):
        return [problem("withdrawn")]
    found = [
        *misplaced(claim, speaking),
        *misattributed(claim, grounds),
        *from_another_page(claim, grounds),
    ]
    return [*found, problem("roles")] if are_roles_swapped(claim, speaking) else found


def signs_of(
    claim: Claim,
    grounds: Grounds,
    speaking: Sequence[Alignment],
    question: str,
    certainty: Findings,
    *,
    unsure: bool,
) -> Signs:
    """Collect what is seen of a sentence beside its quotes."""
    shown, alone = _weigh(claim, speaking[0], grounds, question)
    return Signs(
        shown=shown,
        alone=alone,
        unsure=unsure,
        uncertain=bool(certainty.problems),
        denied=any(contradicting(features(each)) in _DENIALS for each in speaking),
        sentences=len(grounds.quoted),
    )


def is_taken_back(grounds: Grounds) -> bool:
    """Tell whether the sentence after a quote takes it back."""
    after = [grounds.after(place) for place in grounds.places]
    return any(each is not None and takes_back(each) for each in after)


_WITHDRAWING = frozenset({"false", "denies", "takes back"})


def _is_withdrawn(claim: Claim, grounds: Grounds, spoken: Sentence) -> bool:
    """Tell whether the next quoted sentence takes back the one that is spoken of, and the claim does not say so."""
    if _WITHDRAWING & claim.sentence.manners:
        return False
    return any(each is spoken and after and takes_back(after) for each, after in grounds.in_turn())


def takes_back(after: Sentence) -> bool:
    """Tell whether a sentence takes back the one before it."""
    denied = bool(_WITHDRAWING & after.manners) and "negates" not in after.manners
    return denied and refers_back(after.text)


def speakers(alignments: Sequence[Alignment]) -> list[Alignment]:
    """Choose the quoted sentences that speak of the claim, the one that covers most of it first."""
    order = sorted(alignments, key=lambda each: -each.covered[each.best])
    least = _SPEAKING * order[0].covered[order[0].best]
    return [each for each in order if each.covered[each.best] >= least]


def _is_witnessed(claim: Claim, speaking: Sequence[Alignment], signs: Signs) -> bool:
    """Tell whether a piece of a quote is the sentence, or the only one has all its words, and nothing objects."""
    found = speaking[0]
    if signs.denied or signs.uncertain or signs.unsure:
        return False
    if bare(claim.low) in bare(found.sentence.low):
        return True
    if signs.sentences > 1 or signs.surer.contradicts >= _OPPOSED:
        return False
    names = [(name.start, name.end) for name in names_in(claim.sentence.text)]
    reporting = reporting_words(claim.sentence)
    return all(
        found.strengths[i] >= _THERE
        for i in content_words(claim)
        if i not in reporting
        and not any(start <= claim.sought[i].word.start < end for start, end in names)
    )


def bare(text: str) -> str:
    """Strip a text to its letters and digits."""
    return re.sub(r"[\W_]+", "", text).lower()


def _weigh(
    claim: Claim, found: Alignment, grounds: Grounds, question: str
) -> tuple[StanceScores, StanceScores]:
    """Weigh the quotes twice: with what is shown beside them, and alone."""
    text = claim.sentence.text
    quoted = [each.text.strip() for each in window(found)]
    quoted.extend(place.whole for place in grounds.added)
    title = " ".join(dict.fromkeys(place.title for place in grounds.places))
    beside = [*_origin(claim, grounds, question), grounds.places[0].before]
    shown = " ".join(filter(None, [*beside, *quoted]))
    return weigh(text, title, shown), weigh(text, "", " ".join(quoted))


def _origin(claim: Claim, grounds: Grounds, question: str) -> list[str]:
    """Say who published the page, and when, where the sentence speaks of that."""
    place = grounds.places[0]
    named = any(has_name(name.text, place.publisher) for name in names_in(claim.sentence.text))
    dated = question and place.published and claim.sentence.dates
    when = f"{place.published:%Y-%m-%d}" if dated else ""
    return [f"{each}:" for each in (place.publisher if named else "", when) if each]


def _reason(signs: Signs) -> str:
    if signs.denied or signs.surer.contradicts >= _OPPOSED:
        return "opposite"
    return "uncertain" if signs.uncertain or signs.surer.qualifies >= _OPPOSED else "other"
