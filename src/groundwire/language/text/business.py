"""What a sentence tells of a company: a price, who holds an office, a product, a move."""

from __future__ import annotations

import re
from typing import Literal

from groundwire.language.amounts.numbers import figures, is_money
from groundwire.language.text.characters import normalise, simplify
from groundwire.language.text.phrases import patterns

Topic = Literal["price", "people", "product", "move", ""]

_OF: dict[str, Topic] = {"product": "product", "move": "move", "thing": "product"}
_patterns = patterns("business.txt", flags=re.IGNORECASE)


def told_of(sentence: str) -> Topic:
    """Return the first of these that the sentence tells of; "" where it tells of none.

    An amount of money alone is no price: it may be a loss, a fine or a round of funding. So a price
    needs its word, or an amount that is charged for something.
    """
    flat = simplify(normalise(sentence).text)
    money = any(is_money(each.unit) for each in figures(flat))
    if _patterns["price"].search(flat) or (money and _patterns["charges"].search(flat)):
        return "price"
    if _patterns["people"].search(flat):
        return "people"
    # A firm that is bought may make software: what is done counts before what is named.
    for heading in ("product", "move", "thing"):
        if _patterns[heading].search(flat):
            return _OF[heading]
    return ""
