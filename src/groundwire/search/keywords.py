"""The words that carry a query, for engines that demand every word of it."""

from __future__ import annotations


def keywords(text: str, most: int) -> list[str]:
    """Names and words of the query, the weightiest, in its own order; a name stays in one piece.

    Dates and figures are left out: a page of that day need not name the day, and a rounded figure
    is another word.
    """
    # Deferred: a listing of providers needs none of what takes questions apart.
    from groundwire.evidence.questions.intent import asked

    terms = asked(text).of_kind("name", "word")
    said = [term for term in terms if not term.light] or list(terms)
    order = sorted(range(len(said)), key=lambda place: (-said[place].weight, place))
    chosen = [said[place].written for place in sorted(order[:most])]
    return list(dict.fromkeys(chosen)) or text.split()[:most]
