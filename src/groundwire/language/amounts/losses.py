"""The amount in dollars that a text says was lost, stolen or moved away, if it says one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from groundwire.language.amounts.numbers import Figure, figures
from groundwire.language.text.characters import folded, normalise
from groundwire.language.text.phrases import patterns
from groundwire.language.text.sentences import sentences

# Stablecoins count as the dollars that they stand for; other coins need a price.
_DOLLARS = frozenset({"USD", "USDC", "USDT", "DAI"})
# Programs and addresses state no loss; the words of a link may.
_NO_PROSE = re.compile(r"```.*?(?:```|\Z)|(?:https?://|www\.)[^\s)\]]+", re.DOTALL)
_SCALE_APART = re.compile(r"(\$ ?\d[\d,.]*) (?=[kmb]\b)", re.IGNORECASE | re.ASCII)
_patterns = patterns("losses.txt", flags=re.ASCII)
_WORTH = re.compile(r"[(\[][^()\[\]]{0,24}$")  # in brackets: what the coins before it are worth
# What words before a figure add to its score as the loss.
_WORTHS = (("whole", 0.4), ("part", -1.0), ("denied", -2.0))
_NEAR_BEFORE = 70
_NEAR_AFTER = 60
_FAR = 400
_ENOUGH = 2.0
_LATER = 0.12  # each sentence further down counts a little less
_LAST = 8


@dataclass(frozen=True, slots=True)
class StatedLoss:
    """What was lost, in dollars, as the text writes it and as exactly as it says."""

    usd: Decimal
    qualifier: str  # '', about, over, under
    text: str


def stated_loss(text: str) -> StatedLoss | None:
    """Return the loss that the text states; None if it only names other dollars."""
    flat = _prose(text)
    money = _dollars(flat)
    if not money:
        return None
    spans = sentences(flat)
    rated = [(_rate(flat, figure, spans, money), -figure.start, figure) for figure in money]
    score, _, best = max(rated, key=lambda each: each[:2])
    if score < _ENOUGH:
        return None
    return StatedLoss(best.value, best.qualifier, best.text)


def dollars_in(text: str) -> list[Figure]:
    """List every amount of the text in dollars, or in a stablecoin that stands for them."""
    return _dollars(_prose(text))


def _prose(text: str) -> str:
    return _SCALE_APART.sub(r"\1", normalise(_NO_PROSE.sub(" ", text)).text)


def _dollars(flat: str) -> list[Figure]:
    return [figure for figure in figures(flat) if figure.unit in _DOLLARS and figure.value > 0]


def _rate(flat: str, figure: Figure, spans: list[tuple[int, int]], money: list[Figure]) -> float:
    number, (first, last) = _sentence(figure, spans)
    # In a text without sentences, distant words say nothing of this figure.
    start, end = max(first, figure.start - _FAR), min(last, figure.end + _FAR)
    low = folded(flat[start:end])
    before = low[: figure.start - start][-_NEAR_BEFORE:]
    after = low[figure.end - start :][:_NEAR_AFTER]
    score = 0.0
    leading = next(reversed(list(_patterns["lost before"].finditer(before))), None)
    if leading is not None and _patterns["unlost"].search(before, 0, leading.start()):
        leading = None  # "no funds were lost; the $30M vault is safe"
    if leading is not None:
        score += 3.0 - (len(before) - leading.end()) / _NEAR_BEFORE
    score += 2.5 if _patterns["lost after"].search(after) else 0.0
    others = [other for other in money if start <= other.start < end]
    # "2,000 ETH worth $7 million": the dollars are what the coins are worth.
    if figure.unit == "USD":
        score += 0.6
    if not score >= _ENOUGH and _patterns["theft"].search(low):
        # The only dollars of a sentence about a theft, or those in brackets after its coins.
        score += 2.0 if len(others) == 1 or _WORTH.search(before) else 0.0
    against = _patterns["not before"].search(before)
    if against is not None and (leading is None or leading.start() <= against.start()):
        score -= 3.0  # no word of loss stands nearer to the figure
    score += sum(worth for heading, worth in _WORTHS if _patterns[heading].search(before))
    score -= 3.0 if _patterns["not after"].search(after) else 0.0
    if len(others) > 1 and figure.value == max(other.value for other in others):
        score += 0.3
    return score - _LATER * min(number, _LAST)


def _sentence(figure: Figure, spans: list[tuple[int, int]]) -> tuple[int, tuple[int, int]]:
    for number, (start, end) in enumerate(spans):
        if start <= figure.start < end:
            return number, (start, end)
    return len(spans), (max(0, figure.start - _NEAR_BEFORE), figure.end + _NEAR_AFTER)
