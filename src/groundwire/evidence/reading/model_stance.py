"""What a model's reading of a page counts for: an adviser settles doubts, a decider is believed on words that stand.

Either way the page must have the words. A decider is held back only where its support lacks what the claim says, and
where the rules see a sign of the other side that can be named: such a page is read again.
"""

from __future__ import annotations

from dataclasses import replace

from groundwire.evidence.citations.checker import check
from groundwire.evidence.citations.parties import names_in
from groundwire.evidence.citations.quotes import QuotePlace, locate, placed, sentence_spans
from groundwire.evidence.pages.presence import publication_day
from groundwire.evidence.reading.analysis import analyse
from groundwire.evidence.reading.comparison import agree, compare
from groundwire.evidence.reading.reader import claim_of, read
from groundwire.language.amounts.numbers import Figure, figures
from groundwire.language.names.names import has_name
from groundwire.language.text.characters import normalise
from groundwire.language.text.tokens import relevance
from groundwire.language.text.wording import is_han
from groundwire.language.time.dates import agrees, date_mentions
from groundwire.model.phrase import Phrase
from groundwire.model.source import Evidence, Passage
from groundwire.model.stance import HEARSAY, ReadLabel, Stance, StanceLabel

_ONLY = 1  # the number of the only passage
_EDGES = " \t\n\"'…."
_UNCLEAN = ("problem.too_short", "problem.cut")  # quotes that stand there, but as pieces
_OTHER: dict[StanceLabel, StanceLabel] = {"supports": "contradicts", "contradicts": "supports"}
_BOUNDS = frozenset({"over", "under"})
_NO_WITNESS = ("satire", "retraction", "own_report", "injection")


def refined(
    claim: str, own: Stance, said: ReadLabel, quote: str, place: tuple[Evidence, Passage]
) -> Stance:
    """Return the stance that counts: an adviser's where the rules are in doubt and its quote bears it out.

    A side that the rules have seen stands whatever a model says. A model can make a silent or doubtful
    page support a claim if the quoted words have the claim's figures, dates and names; it can make a
    doubtful page contradict. Of a silent one it can say nothing else: a single page that is taken for
    a part of the truth would decide a message of which nothing is known.
    """
    if said == own.label or own.label in ("supports", "contradicts") or not _is_evidence(place[0]):
        return own
    if said == "unrelated":
        return _silent(own)
    if said == "supports" and not _bears(claim, quote, place):
        return own
    if said != "supports" and own.label == "unrelated":
        return own
    found = locate(_ONLY, quote, {_ONLY: place})
    return own if isinstance(found, Phrase) else _taken(own, said, found)


def decided(
    claim: str,
    own: Stance,
    said: ReadLabel,
    quote: str,
    place: tuple[Evidence, Passage],
    *,
    twice: bool = False,
) -> Stance | None:
    """Return the stance that a decider gives a page; None where its words are not there, so that it gives none.

    A support whose figures, dates or names stand neither in the quote nor beside it is none; it qualifies. Names may
    be written in ways that no list knows: who said so `twice` needs none of them.
    """
    evidence = place[0]
    if any(flag in evidence.flags for flag in _NO_WITNESS) or evidence.tier == "satire":
        return None
    if said == "unrelated":
        return _silent(own)
    found = _found(quote, place)
    if found is None or not _shares_words(claim, evidence):
        return None
    named = twice or own.label == "supports"
    if said == "supports" and (
        _lacks_values(claim, found) or not (named or _has_a_name(claim, found))
    ):
        said = "qualifies"
    return _taken(own, said, found)


def is_opposed(claim: str, own: Stance, said: StanceLabel, evidence: Evidence) -> bool:
    """Tell whether the rules see a hard sign for the other side than the one that is said.

    They do where the sentence that they quote takes their side by itself, surely and by a sign that has a name.
    """
    if own.label != _OTHER.get(said) or not own.quote:
        return False
    document = evidence.document
    return (
        read(
            claim_of(claim), own.quote, title=document.title, published=publication_day(document)
        ).label
        == own.label
    )


def settled(
    rules: Stance, first: Stance, second: Stance | None, *, opposed: bool
) -> tuple[Stance, bool]:
    """Return what two readings and the rules come to, and whether the page is read differently.

    Two of the three agree, or no side is taken. Against a hard sign for the other side two readings are not enough.
    """
    if second is not None and second.label == rules.label:
        return second, False
    if not opposed and (second is None or second.label == first.label):
        return first, False
    if not opposed and second is not None and second.label not in _OTHER:
        return second, True
    return first.model_copy(update={"label": "qualifies"}), True


def quoted_in(stance: Stance, own: Stance, evidence: Evidence) -> Stance | None:
    """Return a stance with its quote found in a copy of its page; None where the copy lacks the words."""
    if stance.label == "unrelated":
        return _silent(own)
    passage = next(iter(evidence.passages), None)
    found = _found(stance.quote, (evidence, passage)) if passage else None
    said = "rumour" if stance.is_hearsay else stance.label
    return None if found is None else _taken(own, said, found)


def _silent(own: Stance) -> Stance:
    return own.model_copy(
        update={"label": "unrelated", "quote": "", "start": 0, "end": 0, "reasons": ()}
    )


def _taken(own: Stance, said: ReadLabel, found: QuotePlace) -> Stance:
    label: StanceLabel = "qualifies" if said == "rumour" else said
    reasons = (HEARSAY,) if said == "rumour" else own.reasons if label == own.label else ()
    place = {"quote": found.quote, "start": found.start, "end": found.end}
    return own.model_copy(update={"label": label, **place, "reasons": reasons})


def _found(quote: str, place: tuple[Evidence, Passage]) -> QuotePlace | None:
    """Find a quote in its page; a piece of a sentence stands for the sentence."""
    found = locate(_ONLY, quote, {_ONLY: place})
    if not isinstance(found, Phrase):
        return found
    evidence, passage = place
    text = evidence.document.text
    span = normalise(text).find(normalise(quote).text.strip(_EDGES))
    if found.code not in _UNCLEAN or span is None:
        return None
    around = [each for each in sentence_spans(text) if each[0] < span[1] and span[0] < each[1]]
    return placed(evidence, passage, around[0][0], around[-1][1]) if around else None


def _shares_words(claim: str, evidence: Evidence) -> bool:
    """Tell whether a page has any word of the claim; in another language it need not."""
    document = evidence.document
    abroad = is_han(claim) != is_han(document.text)
    return abroad or relevance(claim, document.text, document.title) > 0


def _is_evidence(evidence: Evidence) -> bool:
    return "satire" not in evidence.flags and "retraction" not in evidence.flags


def _bears(claim: str, quote: str, place: tuple[Evidence, Passage]) -> bool:
    """Tell whether the quote bears out the claim, as it would have to for a sentence of an answer."""
    return check(claim, [(_ONLY, quote)], {_ONLY: place}).result != "unsupported"


def _has_a_name(claim: str, found: QuotePlace) -> bool:
    """Tell whether a page has one of the claim's names, as far as they can be looked for."""
    names = [each.text for each in names_in(normalise(claim).text)]
    if not names or not _is_alike(claim, found):
        return True
    page = _page_text(found)
    return any(_is_named(each, page, found.publisher) for each in names)


def _lacks_values(claim: str, found: QuotePlace) -> bool:
    """Tell whether a page has none of the claim's amounts, or gives another value in the place of one.

    A value that is merely absent is left to the reader, who has earned it; what the quote gives otherwise is not.
    """
    page = _page_text(found)
    if _is_alike(claim, found):
        amounts, known = [each for each in figures(claim) if each.unit], figures(page)
        if amounts and not any(_is_near(one, other) for one in amounts for other in known):
            return True
    return (
        _has_other_figure(claim, found, page)
        or _has_other_count(claim, found)
        or _has_other_day(claim, found, page)
    )


def _page_text(found: QuotePlace) -> str:
    document = found.evidence.document
    return f"{document.title}\n{document.text}"


def _is_alike(claim: str, found: QuotePlace) -> bool:
    """Tell whether claim and page are in one script, so that names and amounts can be looked for."""
    return is_han(claim) == is_han(found.evidence.document.text)


def _is_named(name: str, page: str, publisher: str) -> bool:
    return has_name(name, page) or has_name(name, publisher)


def _has_other_figure(claim: str, found: QuotePlace, page: str) -> bool:
    """Tell whether the quote gives other figures of a unit instead of the claim's, which stands nowhere."""
    quoted, known = figures(found.whole), figures(page)
    return any(
        each.unit
        and not any(_is_near(each, other) for other in known)
        and any(other.unit == each.unit for other in quoted)
        for each in figures(claim)
    )


def _has_other_count(claim: str, found: QuotePlace) -> bool:
    """Tell whether the only number of the claim stands against another one, the only one of the quote."""
    claimed = claim_of(claim, found.published).sentence
    quoted = analyse(found.whole, published=found.published).sentences
    numbers = sum(len(each.figures) + len(each.counts) for each in quoted)
    values = [each for each in compare(claimed, list(enumerate(quoted))) if each.kind != "date"]
    return numbers == len(values) == 1 and values[0].outcome == "other"


def _is_near(one: Figure, other: Figure) -> bool:
    """Tell whether a page's figure can be the claim's; a currency may go without saying, a bound is about that much."""
    loose = "about" if other.qualifier in _BOUNDS else other.qualifier
    return agree(replace(one, unit=""), replace(other, unit="", qualifier=loose)) != "other"


def _has_other_day(claim: str, found: QuotePlace, page: str) -> bool:
    """Tell whether the quote gives another day than the claim's, which stands nowhere."""
    days = [each for each in date_mentions(claim, found.published) if each.day and each.month]
    quoted = [each for each in date_mentions(found.whole, found.published) if each.day]
    known = date_mentions(page, found.published)
    return any(
        not any(agrees(day, other) for other in known) and bool(quoted)
        for day in days
        if not _is_relative(day.text)
    )


def _is_relative(written: str) -> bool:
    """Tell whether a text is a day or time without a date of its own."""
    days = date_mentions(written, None)
    return bool(days) and all(
        each.date is None and each.year is None and each.month is None for each in days
    )
