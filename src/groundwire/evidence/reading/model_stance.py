"""What a model's reading of a page counts for: an adviser settles doubts, a decider is believed on words that stand.

Either way the page must have the words. A decider is held back only where its support lacks what the claim says, and
where the rules see a sign of the other side that can be named: such a page is read again.
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from groundwire.evidence.citations.checker import check
from groundwire.evidence.citations.parties import names_in
from groundwire.evidence.citations.quotes import QuotePlace, locate, placed, sentence_spans
from groundwire.evidence.reading.analysis import analyse
from groundwire.evidence.reading.reader import claim_of, read
from groundwire.language.amounts.numbers import Figure, figures, same_figure
from groundwire.language.names.chinese_names import name_stem
from groundwire.language.names.names import has_name
from groundwire.language.text.characters import normalise
from groundwire.language.text.tokens import relevance
from groundwire.language.text.wording import is_han
from groundwire.language.time.dates import DateMention, agrees, date_mentions, is_finer
from groundwire.model.phrase import Phrase
from groundwire.model.source import Evidence, Passage
from groundwire.model.stance import HEARSAY, ReadLabel, Stance, StanceLabel

_ONLY = 1  # the number of the only passage
_EDGES = " \t\n\"'…."
_UNCLEAN = ("problem.too_short", "problem.cut")  # quotes that stand there, but as pieces
_OTHER: dict[StanceLabel, StanceLabel] = {"supports": "contradicts", "contradicts": "supports"}
_ABOUT, _ROUNDED = Decimal("0.05"), Decimal("0.015")  # how far a figure may be from the claim's
_BOUNDED = Decimal(2)  # and how far on the other side of "more than" or "less than"
_NO_WITNESS = ("satire", "retraction", "own_report", "injection")


def refined(
    claim: str, own: Stance, said: ReadLabel, quote: str, place: tuple[Evidence, Passage]
) -> Stance:
    """Return the stance that counts: an adviser's where the rules are in doubt and its quote bears it out.

    A side that the rules have seen stands whatever a model says. A model can make a silent or doubtful
    page support a claim if the quoted words have the claim's figures, dates and names; it cannot make
    a silent page contradict.
    """
    if said == own.label or own.label in ("supports", "contradicts") or not _is_evidence(place[0]):
        return own
    if said == "unrelated":
        return _silent(own)
    if said == "supports" and not _bears(claim, quote, place):
        return own
    if said == "contradicts" and own.label == "unrelated":
        said = "qualifies"
    found = locate(_ONLY, quote, {_ONLY: place})
    return own if isinstance(found, Phrase) else _taken(own, said, found)


def decided(
    claim: str, own: Stance, said: ReadLabel, quote: str, place: tuple[Evidence, Passage]
) -> Stance | None:
    """Return the stance that a decider gives a page; None where its words are not there, so that it gives none.

    A support whose figures, dates or names stand neither in the quote nor beside it is none; it qualifies.
    """
    evidence = place[0]
    if any(flag in evidence.flags for flag in _NO_WITNESS) or evidence.tier == "satire":
        return None
    if said == "unrelated":
        return _silent(own)
    found = _found(quote, place)
    if found is None or not _shares_words(claim, evidence):
        return None
    if said == "supports" and _lacks(claim, found):
        said = "qualifies"
    return _taken(own, said, found)


def is_opposed(claim: str, own: Stance, said: StanceLabel, evidence: Evidence) -> bool:
    """Tell whether the rules see a hard sign for the other side than the one that is said.

    They do where the sentence that they quote takes their side by itself, surely and by a sign that has a name.
    """
    if own.label != _OTHER.get(said) or not own.quote:
        return False
    document = evidence.document
    day = document.published_at.date() if document.published_at else None
    return read(claim_of(claim), own.quote, title=document.title, published=day).label == own.label


def settled(own: Stance, first: Stance, second: Stance | None) -> tuple[Stance, bool]:
    """Return what two readings and the rules come to, and whether the page is read differently.

    Only a second reading that takes back the first agrees with the rules; otherwise no side is taken.
    """
    if second is not None and second.label == own.label:
        return second, False
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


def _lacks(claim: str, found: QuotePlace) -> bool:
    """Tell whether a figure or date of the claim, or all its names, stand nowhere in what the reader was shown.

    That is the passage of the quote, its headline, who publishes it and when.
    """
    passage = found.passage.text
    shown = normalise("\n".join((found.title, passage, found.whole, found.publisher))).text
    flat = normalise(claim).text
    return (
        any(not _has_figure(each, shown) for each in figures(flat))
        or any(not _has_date(*each, shown, found.published) for each in _dates(flat, found))
        # A party's own page need not name it.
        or (found.evidence.tier != "primary" and _names_nobody(flat, shown))
    )


def _has_figure(wanted: Figure, shown: str) -> bool:
    """Tell whether a figure stands there, as it is, rounded or within its bound; a unit may go without saying."""
    near = _ABOUT if wanted.qualifier else _ROUNDED
    low, high = wanted.value * (1 - near), wanted.value * (1 + near)
    if wanted.qualifier == "over":
        high = wanted.value * _BOUNDED
    elif wanted.qualifier == "under":
        low = wanted.value / _BOUNDED
    known = figures(shown)
    values = [other.value for other in known]
    # "3 batches" may be written "three batches".
    values += [each.value for part in analyse(shown).sentences for each in part.counts]
    return any(same_figure(wanted, other) for other in known) or any(
        low <= value <= high for value in values
    )


def _dates(claim: str, found: QuotePlace) -> list[tuple[DateMention, DateMention]]:
    """List the dates of a claim, as the page's day makes them and as written, without "today" and weekdays.

    A day that the claim counts from its own is the reader's to compare: it was shown both days.
    """
    pairs = zip(date_mentions(claim, found.published), date_mentions(claim, None), strict=True)
    return [(day, raw) for day, raw in pairs if raw.year is not None or raw.month is not None]


def _has_date(day: DateMention, raw: DateMention, shown: str, published: date | None) -> bool:
    known = [*date_mentions(shown, published), *date_mentions(shown, None)]
    if published is not None:
        page_day = (published, "day", published.year, published.month, published.day)
        known.append(DateMention(0, 0, "", *page_day))
    return any(
        agrees(wanted, other) and not is_finer(wanted, other)
        for wanted in (day, raw)
        for other in known
    )


def _names_nobody(claim: str, shown: str) -> bool:
    """Tell whether a claim has names that could be written so on the page, and none of them is there."""
    named = [each.text for each in names_in(claim)]
    if is_han(claim) != is_han(shown):
        named = [each for each in named if is_han(each) == is_han(shown)]
    return bool(named) and not any(
        has_name(each, shown) or name_stem(each) in shown for each in named
    )
