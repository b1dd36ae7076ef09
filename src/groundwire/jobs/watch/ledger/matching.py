"""Which claim a statement is about: the same attribute, of the same thing, whatever its value and its words."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from groundwire.jobs.watch.ledger.attributes import attributes
from groundwire.jobs.watch.ledger.claims import Claim
from groundwire.jobs.watch.ledger.statements import Statement
from groundwire.jobs.watch.ledger.values import same_unit, same_value
from groundwire.language.text.characters import normalise
from groundwire.language.text.stems import stem
from groundwire.language.text.wording import is_han, stemmed, variants

_ALIKE = 0.6  # share of the words of the shorter, for claims that no attribute names
_FIGURES = ("money", "count", "percent")
_SAME_WORDS = 10.0
_TELLING = 3  # digits from which on an amount tells by itself what it is of


def claim_for(statement: Statement, claims: Iterable[Claim]) -> Claim | None:
    """Choose the claim that a statement is about; None if it is about none of them."""
    scored = [(fit, claim) for claim in claims if (fit := _fit(statement, claim)) is not None]
    best = max(scored, key=lambda each: (each[0], each[1].changed_at, each[1].id), default=None)
    return None if best is None else best[1]


def is_about(statement: Statement, claim: Claim) -> bool:
    """Tell whether a statement can be about a claim."""
    return _fit(statement, claim) is not None


def says_the_same(statement: Statement, claim: Claim) -> bool:
    """Tell whether a statement gives the value that the claim has."""
    return _is_bare(statement) or same_value(claim.kind, statement.key, claim.key)


def _is_bare(statement: Statement) -> bool:
    """Tell whether a statement is against a claim without giving its value."""
    return statement.side != "says" and not statement.key


def _fit(statement: Statement, claim: Claim) -> float | None:
    """Measure how well a statement fits a claim; None where it speaks of something else."""
    if _is_bare(statement):
        shared = not set(statement.can_be).isdisjoint(claim.can_be)
        return 1.0 + claim.stands if shared and _names(statement, claim) is not None else None
    if statement.kind != claim.kind or not _one_unit(statement, claim):
        return None
    same = says_the_same(statement, claim)
    if statement.kind in _FIGURES and _frame(statement.text, statement.value) == _frame(
        claim.text, claim.value
    ):
        return _SAME_WORDS  # word for word but for the value, as where a page was edited
    attribute = _one_attribute(statement, claim, same)
    names = _names(statement, claim)
    if attribute is None or names is None:
        return None
    ours, theirs = dict(statement.sorts), dict(each.split("=", 1) for each in claim.sorts)
    if any(theirs.get(group, sort) != sort for group, sort in ours.items()):
        return None
    if statement.period and claim.period and statement.period != claim.period:
        return None
    agree = sum(theirs.get(group) == sort for group, sort in ours.items())
    period = bool(statement.period) and statement.period == claim.period
    return 4 * attribute + 2 * names + agree + period + 0.5 * same + 0.5 * claim.stands


def _one_unit(statement: Statement, claim: Claim) -> bool:
    return same_unit(statement.unit, claim.unit)


def _one_attribute(statement: Statement, claim: Claim, same: bool) -> float | None:
    """Return how surely both speak of one attribute: by its name, by their words, or by a value that tells."""
    ours = tuple(filter(None, statement.can_be))
    if ours and claim.can_be:
        shared = [each for each in ours if each in claim.can_be]
        if statement.attribute == claim.attribute:
            return 1.0
        if shared and likeness(statement.words, claim.words):
            return 0.7
        if "" not in (*statement.can_be, *claim.can_be):
            return None
    elif not ours and not claim.can_be:
        alike = likeness(statement.words, claim.words)
        return alike if alike >= _ALIKE else None
    telling = len(claim.key.replace(".", "").strip("0")) >= _TELLING or claim.kind == "money"
    return 0.5 if same and telling and claim.kind in _FIGURES else None


def _names(statement: Statement, claim: Claim) -> float | None:
    """Return the share of names in common; None where they name different things."""
    ours, theirs = statement.names, frozenset(claim.names)
    only_one = bool(claim.attribute) and attributes()[claim.attribute].single
    if bool(statement.places - theirs) != bool(frozenset(claim.places) - ours) and only_one:
        return None  # a part of it is not the whole
    if not ours or not theirs:
        return 0.0
    shared = ours & theirs
    if shared:
        return len(shared) / len(ours | theirs)
    # Names in two scripts cannot be told apart where the glossary knows neither.
    comparable = {is_han(name) for name in ours} & {is_han(name) for name in theirs}
    return None if comparable and not (only_one and not (statement.places or claim.places)) else 0.0


def _frame(text: str, value: str) -> str:
    """Return a sentence without its value."""
    flat, written = normalise(text, fold=True).text, normalise(value, fold=True).text
    return flat.replace(written, "", 1)


def likeness(ours: Iterable[str], theirs: Iterable[str]) -> float:
    """Measure the share of words in common, in either language, of the shorter list."""
    one, other = sorted((frozenset(ours), frozenset(theirs)), key=len)
    if not one:
        return 0.0
    forms = {form for word in other for form in _forms(word)}
    return sum(not _forms(word).isdisjoint(forms) for word in one) / len(one)


@lru_cache(maxsize=8192)
def _forms(word: str) -> frozenset[str]:
    """Return a word with its translations and relatives, as stems."""
    return frozenset({word, stem(word), *(stemmed(each) for each in variants(word))})
