"""Which claim a statement is about: the same attribute, of the same thing, whatever its value and its words.

Attributes that both name decide; where they do not, the reader says whether two sentences speak of one matter.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from functools import lru_cache

from groundwire.evidence.reading.analysis import analyse
from groundwire.evidence.reading.reader import read
from groundwire.jobs.watch.ledger.attributes import attributes, named
from groundwire.jobs.watch.ledger.claims import Claim
from groundwire.jobs.watch.ledger.matter import (
    FAINT,
    MATTER,
    NEAR,
    SURE,
    can_be_opposed,
    forms,
    likeness,
)
from groundwire.jobs.watch.ledger.reversals import (
    are_opposite,
    is_of_one_pair,
    is_one_act,
    is_undone,
)
from groundwire.jobs.watch.ledger.statements import Statement
from groundwire.jobs.watch.ledger.values import (
    are_far_apart,
    content,
    counted,
    same_unit,
    same_value,
)
from groundwire.jobs.watch.ledger.which import are_siblings, frame_of, place_of, unsaid
from groundwire.language.text.spans import overlaps
from groundwire.language.text.wording import is_han

_FIGURE = 0.2  # and where both give one figure of many digits
_DIGITS = 3
_BESIDE = 2.0  # what it counts for that the words beside two figures are the same
_FIGURES = ("money", "count", "percent")
_NAMED = ("name", "place")
_SAME_WORDS, _REPLACED = 12.0, 8.0
_TOLD = 3  # tellings of a claim that are compared, of each kind
_MANY_TIMES = 1000  # so many times another, no figure is of the same thing


def claim_for(statement: Statement, claims: Iterable[Claim]) -> Claim | None:
    """Choose the claim that a statement is about; None if it is about none of them."""
    scored = [(fit, claim) for claim in claims if (fit := _fit(statement, claim)) is not None]
    best = max(scored, key=lambda each: (each[0], each[1].changed_at, each[1].id), default=None)
    return None if best is None else best[1]


def is_about(statement: Statement, claim: Claim) -> bool:
    """Tell whether a statement can be about a claim."""
    return _fit(statement, claim) is not None


def fit_of(statement: Statement, claim: Claim) -> float:
    """Return how well a statement fits a claim; 0 where it speaks of something else."""
    return _fit(statement, claim) or 0.0


def says_the_same(statement: Statement, claim: Claim) -> bool:
    """Tell whether a statement gives the value that the claim has."""
    if _is_bare(statement) or same_value(claim.kind, statement.key, claim.key):
        return True
    known = bool(statement.attribute) != bool(claim.attribute)  # only one as what it is a state of
    return claim.kind == "state" and known and is_one_act(statement.value, claim.value)


def _is_bare(statement: Statement) -> bool:
    """Tell whether a statement is against a claim that it only names by its attribute."""
    return statement.side != "says" and not statement.key and statement.can_be != ("",)


def _fit(statement: Statement, claim: Claim) -> float | None:
    """Measure how well a statement fits a claim; None where it speaks of something else."""
    if claim.denied is not None:
        fit = None if statement.side == "retracts" else _fit(statement, claim.opposite)
        return fit if fit is not None and says_the_same(statement, claim.opposite) else None
    names = _names(statement, claim)
    if _is_bare(statement):
        named = not set(statement.can_be).isdisjoint(claim.can_be)
        return 1.0 + claim.stands if named and names is not None else None
    if statement.kind != claim.kind or not same_unit(statement.unit, claim.unit):
        return None
    same = says_the_same(statement, claim)
    if _replaces(statement, claim) and _is_one_office(statement, claim):
        return _REPLACED + 2 * (names or 0.0) + (statement.attribute == claim.attribute)
    if claim.kind in _NAMED and not same and not (set(statement.can_be) - {""} & {*claim.can_be}):
        return None  # who or where, of what nobody can tell
    if claim.kind == "date" and not same and not _can_be_moved(statement, claim):
        return None
    if f"{claim.kind}:{claim.key}" in statement.siblings:
        return None  # it is another thing of which the sentence gives that value
    if claim.kind == "act" and statement.key != claim.key:
        return None  # that it is denied is not what was done
    if statement.kind in _FIGURES and frame_of(statement.text, statement.value) == frame_of(
        claim.text, claim.value
    ):
        return _SAME_WORDS  # word for word but for the value, as where a page was edited
    ours, theirs = dict(statement.sorts), dict(each.split("=", 1) for each in claim.sorts)
    if not same and not _was_value_of(statement, claim) and _is_sibling(statement, claim):
        return None
    moved = statement.follows and claim.kind == "date" and claim.manner == "planned"
    names = 0.0 if names is None and moved else names  # who puts a day off is not what it is of
    if names is None or any(theirs.get(group, sort) != sort for group, sort in ours.items()):
        return None
    if statement.period and claim.period and statement.period != claim.period:
        return None
    attribute = _attribute(statement, claim)
    if attribute is None:
        return None
    agree = sum(theirs.get(group) == sort for group, sort in ours.items())
    period = bool(statement.period) and statement.period == claim.period
    if statement.side != "says" and not _is_against(statement, claim):
        return None
    told = same + 2 * (same and _is_telling(statement))
    beside = _BESIDE * _nearness(statement, claim)
    return 4 * attribute + 2 * names + agree + period + 0.5 * told + 0.5 * claim.stands + beside


def _is_against(statement: Statement, claim: Claim) -> bool:
    """Tell whether what a statement denies, or takes back, is what a claim says."""
    return any(can_be_opposed(telling, statement.text) for telling, _ in _tellings(claim))


def _replaces(statement: Statement, claim: Claim) -> bool:
    """Tell whether a statement says that its value stands for that of a claim; who takes a place is told with who had it."""
    had = statement.kind == "name" and not statement.attribute and statement.value != claim.value
    named = had and claim.value in statement.text
    return named or f"{claim.kind}:{claim.key}" in statement.replaced


def _names_it(value: str, statement: Statement) -> bool:
    """Tell whether an act is what the attribute of a statement is about: 罢工, and then the strike is over."""
    cues = named().find(analyse(value, whole=True).lead)
    return any(cue.meaning == statement.attribute for cue in cues if not cue.weak)


def _was_value_of(statement: Statement, claim: Claim) -> bool:
    """Tell whether a statement gives a value that a claim had."""
    return any(same_value(claim.kind, statement.key, each.key) for each in claim.past)


def _can_be_moved(statement: Statement, claim: Claim) -> bool:
    """Tell whether a day can follow that of a claim: a plan's can, and that of what happened only where it is put right."""
    if claim.manner != "stated" or statement.manner != "stated":
        return True
    return any(can_be_opposed(telling, statement.text) for telling, _ in _tellings(claim))


def _is_sibling(statement: Statement, claim: Claim) -> bool:
    """Tell whether a value is of another of the kind of thing of which a claim is, in the words of its latest telling."""
    ours = statement.text, statement.value
    return are_siblings(ours, (claim.text, claim.value), claim.subject)


def _attribute(statement: Statement, claim: Claim) -> float | None:
    """Return how surely both speak of one attribute: by its name, or by what the reader says of their sentences."""
    same = says_the_same(statement, claim)
    if statement.attribute and statement.attribute == claim.attribute:
        return 1.0 if same or _is_of_one_thing(statement, claim) else None
    if statement.kind == "state" and not (statement.attribute and claim.attribute):
        known = same and bool(statement.attribute or claim.attribute) and _tells(statement, claim)
        goes_on = _names_it(claim.value, statement) and _alike(statement, claim) >= FAINT
        return 0.9 if known or goes_on or _undoes(statement, claim) else None
    moves = (
        statement.follows and claim.stands and claim.kind == "date" and _follows(statement, claim)
    )
    shared = not set(statement.can_be).isdisjoint(claim.can_be)
    named = bool(claim.can_be) and "" not in (*statement.can_be, *claim.can_be)
    if named and not shared and not same:
        return None  # turnover is not worth, however alike they are told
    if not same and not moves and not _count_alike(statement, claim):
        return None  # beds are no aircraft
    far = statement.kind in _FIGURES and are_far_apart(statement.key, claim.key)
    if far and not statement.follows and not shared:
        return None
    if claim.kind == "act" and not _tells(statement, claim):
        return None  # what was done has no value by which it could be told apart
    least = MATTER if named or bool(statement.attribute) == bool(claim.attribute) else SURE
    least = NEAR if shared or (same and not named) else least
    least = _FIGURE if same and not named and _is_telling(statement) else least
    alike = _alike(statement, claim)
    if statement.follows and claim.stands and not named and _follows(statement, claim):
        least = min(least, FAINT)
    return 0.7 * alike if alike >= least else None


def _nearness(statement: Statement, claim: Claim) -> float:
    """Return the share of what a figure's own clause says that a telling of the claim says beside its value."""
    if statement.kind not in _FIGURES:
        return 0.0
    ours = _clause(statement.text, statement.value, claim.subject)
    theirs = [_clause(*each, claim.subject) for each in _tellings(claim)]
    return max(
        sum(_share((word,), each) for word in ours) / max(1, min(len(ours), len(each)))
        for each in theirs
    )


@lru_cache(maxsize=4096)
def _clause(text: str, value: str, subject: str) -> frozenset[str]:
    """Return the words of a value's own clause that say something, but for the subject's."""
    return _counts(part_of(text, value, least=1), value, subject)[1]


def _follows(statement: Statement, claim: Claim) -> bool:
    """Tell whether a new value can follow that of a claim: a plan is moved, and a figure seldom grows tenfold."""
    if claim.kind == "date":
        return claim.manner == "planned" and statement.manner != "rumoured"
    return claim.kind in _FIGURES and not are_far_apart(statement.key, claim.key)


def _tells(statement: Statement, claim: Claim) -> bool:
    """Tell whether the reader finds that a statement says of an act what the claim does, or the other way round.

    What denies an act says the opposite of it.
    """
    sides = {"supports"} if statement.side == "says" else {"supports", "contradicts"}
    pairs = [(telling, statement.text) for telling, _ in _tellings(claim)]
    return any(
        read(one, other).likeliest() in sides for pair in pairs for one, other in (pair, pair[::-1])
    )


def _is_telling(statement: Statement) -> bool:
    """Tell whether a value has so many digits, with its unit, that two things seldom share it."""
    if statement.kind not in _FIGURES:
        return False
    digits = len(Decimal(statement.key).normalize().as_tuple().digits)
    return digits >= _DIGITS + (not statement.unit)


def _tellings(claim: Claim) -> tuple[tuple[str, str], ...]:
    """Return how a claim was told, each with its value: now, by all who hold it, and before."""
    held = ((each.quote, claim.value) for each in claim.citations)
    before = ((each.text, each.value) for each in claim.past[-_TOLD:])
    return tuple(dict.fromkeys(((claim.text, claim.value), *before, *held)))[: 2 * _TOLD]


def _alike(statement: Statement, claim: Claim) -> float:
    """Return how likely the reader finds it that a statement speaks of a claim, in any of the claim's tellings."""
    ours = part_of(statement.text, statement.value)
    return max(likeness(part_of(*each), ours) for each in _tellings(claim))


@lru_cache(maxsize=4096)
def part_of(text: str, value: str, least: int = 2) -> str:
    """Return the part of a sentence that is about a value, where the sentence gives several; else all of it.

    A part of fewer words than `least` says too little.
    """
    sentence = analyse(text, whole=True).lead
    if len(sentence.figures) < 2 or not value:
        return text
    start, end = place_of(sentence, value)
    first = max((edge for edge in sentence.edges if edge <= start), default=0)
    last = min((edge for edge in sentence.edges if edge >= end), default=len(sentence.text))
    words = [word for word in sentence.words if first <= word.start < last and word.weight > 0.5]
    inside = sum(not word.key[0].isdigit() for word in words)
    return sentence.text[first:last].strip(" ,;:") if end and inside >= least else text


def _undoes(statement: Statement, claim: Claim) -> bool:
    """Tell whether one tells that a thing was done or undone, and the other the same or the opposite of that thing."""
    ours, theirs = (
        _things(each.text, each.value, claim.subject, "") for each in (statement, claim)
    )
    if claim.attribute or statement.attribute:  # 手机银行恢复正常, where there was an outage
        opposite = are_opposite(statement.value, claim.value)
        least = NEAR if _share(ours, theirs) else MATTER if opposite else 1.0
        undone = is_undone(statement.key) or opposite
        return undone and _alike(statement, claim) >= least
    if not is_of_one_pair(statement.key, claim.key):
        return False
    if ours and theirs:
        least = NEAR if _share(ours, theirs) else SURE
        return likeness(claim.text, statement.text) >= least
    return bool(ours) == bool(theirs)


def _is_of_one_thing(statement: Statement, claim: Claim) -> bool:
    """Tell whether two values of one attribute are of one thing: a shared name or noun shows it, else the reader says.

    The subject has one workforce, but a ticket and a tunnel each have a price.
    """
    far = statement.kind in _FIGURES and are_far_apart(statement.key, claim.key)
    if far and not statement.follows:
        never = are_far_apart(statement.key, claim.key, _MANY_TIMES)
        return not never and _alike(statement, claim) >= SURE
    # "12 million is wrong, it is 10": it names the value that it puts right.
    if attributes()[statement.attribute].single or (claim.value and claim.value in statement.text):
        return True
    alike = _alike(statement, claim)
    if statement.follows or (claim.kind == "date" and claim.manner == "planned"):
        return alike >= (MATTER if far else FAINT)  # no sign is there that it is another
    if alike < NEAR:
        return False
    if not statement.names.isdisjoint(claim.names):
        return True
    about = claim.subject, statement.attribute
    ours = _things(statement.text, statement.value, *about)
    theirs = [_things(*each, *about) for each in _tellings(claim)]
    if any(_share(ours, each) for each in theirs) or not (ours or theirs[0]):
        return True
    apart = ours and any(each and _in_one_script(ours, each) for each in theirs)
    return not (far or apart) or alike >= MATTER


def _in_one_script(ours: Iterable[str], theirs: Iterable[str]) -> bool:
    return any(map(is_han, ours)) == any(map(is_han, theirs))


@lru_cache(maxsize=4096)
def _things(text: str, value: str, subject: str, attribute: str) -> frozenset[str]:
    """Return the words that can say what a value is of: all but the subject's, the attribute's and the value's."""
    sentence = analyse(text, whole=True).lead
    start, end = place_of(sentence, value)
    cues = [(cue.start, cue.end) for cue in named().find(sentence) if cue.meaning == attribute]
    words = _counts(text, value, subject)[1]
    return frozenset(
        word.key
        for word in sentence.words
        if word.key in words and not overlaps((word.start, word.end), [*cues, (start, end)])
    )


def _is_one_office(statement: Statement, claim: Claim) -> bool:
    """Tell whether a name can follow another: not where each has an office of its own."""
    ours, theirs = set(statement.can_be) - {""}, set(claim.can_be) - {""}
    one = bool(theirs) and not (ours and ours.isdisjoint(theirs))
    return claim.kind != "name" or one


def _count_alike(statement: Statement, claim: Claim) -> bool:
    """Tell whether two sentences count one thing: by their words, or in two languages as surely as the reader finds it."""
    one_language = is_han(statement.text) == is_han(claim.text)
    sure = not one_language and _alike(statement, claim) >= SURE
    return sure or _speak_alike(statement, claim)


def _speak_alike(statement: Statement, claim: Claim) -> bool:
    """Tell whether what one counts stands in the other; of other values, whether they share a word at all."""
    counts, ours = _counts(statement.text, statement.value, claim.subject)
    for telling in _tellings(claim):
        counted_before, theirs = _counts(*telling, claim.subject)
        if claim.kind == "count" and (counts or counted_before):
            shared = _share(counts, theirs) or _share(counted_before, ours)
        else:
            shared = _share(ours, theirs)
        if shared:
            return True
    return False


@lru_cache(maxsize=4096)
def _counts(text: str, value: str, subject: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return what the value of a sentence counts, and all its words that say something, but for the subject's."""
    sentence = analyse(text, whole=True).lead
    span = place_of(sentence, value)
    name = analyse(subject, whole=True).lead
    words = content(sentence) - {word.key for word in name.words}
    return counted(sentence, span) & words, words


def _share(ours: Iterable[str], theirs: Iterable[str]) -> bool:
    """Tell whether two texts have a word in common, in either language."""
    known = {form for word in theirs for form in forms(word)}
    return any(not forms(word).isdisjoint(known) for word in ours)


def _names(statement: Statement, claim: Claim) -> float | None:
    """Return the share of names in common; None where they name different things."""
    ours, theirs = statement.names, frozenset(claim.names)
    only_one = bool(claim.attribute) and attributes()[claim.attribute].single
    elsewhere = (
        bool(unsaid(statement.places, claim.text)),
        bool(unsaid(claim.places, statement.text)),
    )
    if only_one and elsewhere[0] != elsewhere[1]:
        return None  # a part of it is not the whole
    if not ours or not theirs:
        return 0.0
    shared = ours & theirs
    if shared:
        return len(shared) / len(ours | theirs)
    if only_one and not (statement.places or claim.places):
        return 0.0
    # Names in two scripts cannot be told apart where the glossary knows neither.
    comparable = {is_han(name) for name in ours} & {is_han(name) for name in theirs}
    return None if comparable else 0.0
