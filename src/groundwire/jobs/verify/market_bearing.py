"""What measured numbers say of a message: they confirm it, contradict it, or are silent.

Numbers bear on a message only where it states, of now, something that they show; all else is
silent, and so is whatever could not be measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

from groundwire.evidence.markets.coins import coin
from groundwire.evidence.markets.economy import SeriesClaim, figures_for, series_in
from groundwire.evidence.markets.market_claims import (
    NOW,
    LevelClaim,
    MoveClaim,
    PegClaim,
    is_passing,
    is_past,
    level_claims,
    move_claims,
    peg_claim,
    says_crash,
)
from groundwire.evidence.questions.polarity import denies
from groundwire.jobs.verify.signal import Preliminary
from groundwire.language.amounts.numbers import figures
from groundwire.model.measure import Locked, MeasuredBearing, Observation, Peg, Quote, Series, Theft
from groundwire.model.phrase import Phrase, phrase
from groundwire.model.tool import Bearing

PEG_LOST = 1.0  # percent from the peg, from which it is lost
PEG_KEPT = 0.3  # percent, up to which it is kept
LEVEL = 0.01  # a price nearer to a level than this is at the level
LATER = 3 * LEVEL  # the same after an hour: prices move on
_FARTHER = 0.10  # a price this far from the stated one contradicts it
_FAR = 0.15  # a price this far beyond a level crossed it long ago
_PLAUSIBLE = 10.0  # a figure this many times the price is no price of it
_SAME_PERCENT = 2.0
_SAME_SHARE = 0.25
_CRASH = -10.0
_SAME_LOSS = 0.15
_HOUR = 3600.0
# Series that are never revised: another figure for the same month contradicts.
_FINAL = frozenset({"CPIAUCNS", "CPILFENS", "UNRATE"})
_RECENT = timedelta(days=100)
_THESE_DAYS = timedelta(days=4)
_DOLLARS = frozenset({"USD", "USDT", "USDC", "DAI"})


@dataclass(frozen=True, slots=True)
class MarketMessage:
    """A message to compare numbers with."""

    preliminary: Preliminary
    text: str
    at: datetime  # when it was said


def silent(name: str, **parts: str | Phrase) -> MeasuredBearing:
    """Return a bearing of numbers that say nothing of the message, and why."""
    return found("silent", name, **parts)


def found(bearing: Bearing, name: str, **parts: str | Phrase) -> MeasuredBearing:
    """Return what numbers say of the message, and why."""
    reason = phrase(f"verify.measured.{name}", **parts)
    return MeasuredBearing(bearing=bearing, why=reason.code, params=reason.params)


def of_price(message: MarketMessage, quotes: Sequence[Quote]) -> MeasuredBearing:
    """Compare quotes with a peg, a level or a move that the message states."""
    quote = _main(message.preliminary, quotes)
    if quote is None:
        return silent("unknown", what=message.preliminary.asset or "-")
    if abs(quote.quoted_at - message.at) > NOW:
        return silent("apart")
    if is_past(message.text, message.at):
        return silent("past")
    findings: list[MeasuredBearing] = []
    claims = level_claims(message.text, quote.asset)
    pegged = _pegged(message.text, quote.asset, claims if quote.peg else ())
    if pegged is not None and quote.peg and quote.deviation is not None:
        findings.append(_peg(pegged, quote.asset, quote.price, quote.deviation, claims))
    else:
        # Of a coin whose peg nobody knows, a level can still be compared.
        findings += [_level(message, quote, each) for each in claims]
        findings += [_move(quote, each) for each in move_claims(message.text, quote.asset)]
        if not findings and pegged is None and says_crash(message.text):
            findings.append(_crash(quote))
    return _strongest(findings) or silent(
        "no_claim" if pegged is None else "no_peg", what=quote.asset
    )


def of_onchain(
    message: MarketMessage,
    measured_at: datetime,
    *,
    pegs: Sequence[Peg] = (),
    thefts: Sequence[Theft] = (),
    locked: Sequence[Locked] = (),
) -> MeasuredBearing:
    """Compare chains and lists of hacks with the message; a missing entry contradicts nothing."""
    findings: list[MeasuredBearing] = []
    for peg in pegs[:1]:
        claims = level_claims(message.text, peg.asset)
        pegged = _pegged(message.text, peg.asset, claims)
        if pegged is None:
            continue
        if abs(measured_at - message.at) > NOW:
            findings.append(silent("apart"))
        elif is_past(message.text, message.at):
            findings.append(silent("past"))
        else:
            findings.append(_peg(pegged, peg.asset, peg.price, peg.deviation, claims))
    if message.preliminary.event_type == "hack":
        findings += _hacked(message, measured_at, thefts, locked)
    return _strongest(findings) or silent("no_claim" if pegs else "nothing_measured")


def of_macro(message: MarketMessage, series: Series) -> MeasuredBearing:
    """Compare an economic series with the figure that the message states for it."""
    wanted = series_in(message.text)
    if wanted is None or (wanted.id, wanted.english) != (series.id, series.name):
        return silent("no_claim")
    claim = figures_for(message.text, message.at, wanted)
    if not claim.asserted:
        return silent("not_stated")
    observed = _observed(claim, series.values, message.at)
    if observed is None:
        return silent("nothing_measured")
    daily = series.period in ("day", "week")
    parts: dict[str, str | Phrase] = {
        "what": phrase(f"verify.series.{wanted.id}_{wanted.units}"),
        "value": _shown(observed.value, series.unit),
        "period": observed.day.isoformat() if daily else f"{observed.day:%Y-%m}",
    }
    off = [(abs(each - observed.value), _step(claim, at)) for at, each in enumerate(claim.values)]
    if any(by <= 0.6 * step for by, step in off) or _changed(claim, series.values, message.at):
        return found("confirms", "series_same", **parts)
    if not claim.values:
        return silent("no_claim")
    other = _shown(claim.values[0], series.unit)
    apart = all(by > 1.5 * step for by, step in off)
    if claim.period is not None and series.id in _FINAL and len(claim.values) == 1 and apart:
        return found("contradicts", "series_other", **parts, stated=other)
    if claim.period is None:
        return silent("series_elsewhen", **parts)
    return silent("series_other", **parts, stated=other)


def _observed(
    claim: SeriesClaim, values: Sequence[Observation], at: datetime
) -> Observation | None:
    """Return the value of the named period, or the newest that a message can mean."""
    if claim.period is not None:
        return next((each for each in values if each.day == claim.period), None)
    newest = values[0] if values else None
    return newest if newest and at.date() - newest.day <= _RECENT else None


def _changed(claim: SeriesClaim, values: Sequence[Observation], at: datetime) -> bool:
    """Tell whether a rate was changed these days by as much as the message says."""
    for newer, older in pairwise(values):
        if newer.value != older.value:
            fresh = abs(at.date() - newer.day) <= _THESE_DAYS
            return fresh and any(
                abs(newer.value - older.value - each) < 0.01 for each in claim.changes
            )
    return False


def _step(claim: SeriesClaim, place: int) -> float:
    """Return one unit of the last written digit: 0.1 for 3.2 %, a twentieth of 150,000."""
    figure, value = claim.figures[place], claim.values[place]
    if figure.unit != "%":
        return abs(value) / 20
    digits = figure.value.as_tuple().exponent
    return 10.0 ** min(digits, 0) if isinstance(digits, int) else 1.0


def _shown(value: float, unit: str) -> str:
    return f"{value:,.0f}k" if unit == "k" else f"{value:.2f}".rstrip("0").rstrip(".") + unit


def _main(preliminary: Preliminary, quotes: Sequence[Quote]) -> Quote | None:
    """Return the quote of what the message is about."""
    for asset in (preliminary.asset, *preliminary.assets):
        known = coin(asset)
        symbol = known.symbol if known else asset.upper()
        for quote in quotes:
            if quote.asset == symbol:
                return quote
    return None


def _strongest(findings: Sequence[MeasuredBearing]) -> MeasuredBearing | None:
    """Choose the finding that counts: contradicting first, then confirming, then silent."""
    for wanted in ("contradicts", "confirms", "silent"):
        for finding in findings:
            if finding.bearing == wanted:
                return finding
    return None


def _pegged(text: str, symbol: str, claims: Sequence[LevelClaim]) -> PegClaim | None:
    """Read what is said of a peg; a stablecoin said to trade elsewhere has lost it."""
    claim = peg_claim(text, symbol)
    if claim is not None:
        return claim
    if any(PEG_LOST <= abs(each.level - 1) * 100 < 100 for each in claims):
        return PegClaim(lost=True, passing=is_passing(text), stated=True)
    return None


def _peg(
    claim: PegClaim, asset: str, price: float, deviation: float, claims: Sequence[LevelClaim]
) -> MeasuredBearing:
    if not claim.stated:
        return silent("not_stated")
    levels = [each.level for each in claims]
    distance = abs(deviation)
    parts = {"what": asset, "price": money(price), "off": f"{distance:.2f}"}
    if distance >= PEG_LOST:
        if not claim.lost:
            return found("contradicts", "peg_lost", **parts)
        # Said to be at 0.87: at 0.985 the peg is lost, but that is not what was said.
        stated = max((abs(each - 1) * 100 for each in levels if 0 < each < 2), default=0.0)
        if distance < stated / 3:
            return silent("peg_not_so_far", **parts)
        return found("confirms", "peg_lost", **parts)
    if claim.lost and any(abs(price - each) <= 0.002 for each in levels if each != 1):
        return found("confirms", "peg_lost", **parts)
    if distance > PEG_KEPT:
        return silent("peg_between", **parts)
    if not claim.lost:
        return found("confirms", "peg_kept", **parts)
    if claim.passing:
        return silent("peg_passing", what=asset, price=money(price))
    return found("contradicts", "peg_kept", **parts)


def _level(message: MarketMessage, quote: Quote, claim: LevelClaim) -> MeasuredBearing:
    price, level = quote.price, claim.level
    if not level / _PLAUSIBLE <= price <= level * _PLAUSIBLE:
        return silent("no_claim")
    parts = {"what": quote.asset, "price": money(price), "level": money(level)}
    late = abs((quote.quoted_at - message.at).total_seconds()) > _HOUR
    slack = LATER if late else LEVEL
    passing = is_passing(message.text)
    if claim.way == "at":
        distance = abs(price / level - 1)
        if distance <= slack:
            return found("confirms", "at_level", **parts)
        if distance <= _FARTHER or late or passing or _touched(quote, level):
            return silent("not_at", **parts)
        return found("contradicts", "not_at", **parts)
    sign = 1 if claim.way == "above" else -1
    beyond = sign * (price / level - 1)  # positive: as the message says
    if beyond >= 0:
        if beyond > _FAR and not _crossed(quote, level, sign):
            return silent("long_beyond", **parts)
        return found("confirms", "beyond", **parts)
    if -beyond <= slack:
        return silent("near_level", **parts)
    if passing or _touched(quote, level):
        return silent("touched", **parts)
    return found("contradicts", "not_beyond", **parts)


def _touched(quote: Quote, level: float) -> bool:
    """Tell whether the price is known to have been at a level within 24 hours."""
    low, high = quote.low_24h, quote.high_24h
    return low is not None and high is not None and low <= level <= high


def _crossed(quote: Quote, level: float, sign: int) -> bool:
    """Tell whether the price was on the other side of a level a day before."""
    if quote.change_24h is None:
        return False
    before = quote.price / max(1 + quote.change_24h / 100, 0.01)
    return sign * (before - level) < 0


def _move(quote: Quote, claim: MoveClaim) -> MeasuredBearing:
    change = quote.change_24h
    if change is None:
        return silent("no_change", what=quote.asset)
    if claim.day is False:
        return silent("no_claim")
    parts = {"what": quote.asset, "change": f"{change:+.1f}"}
    near = max(_SAME_PERCENT, _SAME_SHARE * abs(claim.percent))
    if change * claim.percent > 0 and abs(change - claim.percent) <= near:
        return found("confirms", "moved", **parts)
    opposite = change * claim.percent <= 0 and abs(change) >= 1
    little = abs(claim.percent) >= 3 and abs(change) < abs(claim.percent) / 3
    bearing = "contradicts" if claim.day and (opposite or little) else "silent"
    return found(bearing, "moved_other", **parts, stated=f"{claim.percent:+.1f}")


def _crash(quote: Quote) -> MeasuredBearing:
    change = quote.change_24h
    if change is None:
        return silent("no_change", what=quote.asset)
    if change <= _CRASH:
        return found("confirms", "moved", what=quote.asset, change=f"{change:+.1f}")
    return silent("no_claim")


def _hacked(
    message: MarketMessage, measured_at: datetime, thefts: Sequence[Theft], locked: Sequence[Locked]
) -> list[MeasuredBearing]:
    if denies(message.text):
        return [silent("not_stated")]
    loss = stated_loss(message.preliminary)
    findings = [_theft(each, loss) for each in thefts]
    if abs(measured_at - message.at) <= 4 * NOW and not is_past(message.text, message.at):
        findings += [_drained(each, loss) for each in locked]
    return findings or [silent("not_listed")]


@dataclass(frozen=True, slots=True)
class Loss:
    """What a message says was lost: dollars, or something that cannot be compared."""

    dollars: float | None
    stated: bool


def stated_loss(preliminary: Preliminary) -> Loss:
    """Find the loss among the amounts: one amount of dollars, or several nearly equal."""
    found = [
        figure for amount in preliminary.amounts for figure in figures(amount) if figure.unit != "%"
    ]
    dollars = sorted({float(figure.value) for figure in found if figure.unit in _DOLLARS})
    if dollars and dollars[-1] <= dollars[0] * (1 + _SAME_LOSS):
        return Loss(dollars[-1], stated=True)
    return Loss(None, stated=bool(found))


def _theft(entry: Theft, loss: Loss) -> MeasuredBearing:
    day = entry.day.isoformat()
    if loss.stated and (not loss.dollars or entry.amount is None):
        return silent("theft_uncounted", what=entry.name, day=day)
    if entry.amount is None:
        return found("confirms", "theft_listed", what=entry.name, day=day)
    parts = {"what": entry.name, "day": day, "amount": money(entry.amount)}
    if loss.dollars and abs(entry.amount / loss.dollars - 1) > _SAME_LOSS:
        return silent("theft_other", **parts, stated=money(loss.dollars))
    return found("confirms", "theft_listed_amount", **parts)


def _drained(held: Locked, loss: Loss) -> MeasuredBearing:
    """Confirm that funds left only where at least the stated loss left."""
    change = held.change
    if change is None or held.before is None:
        return silent("nothing_measured")
    left = held.before - held.now
    if loss.dollars and change < 0 and left >= loss.dollars * (1 - _SAME_LOSS):
        return found("confirms", "drained", what=held.name, change=f"{-change:.0f}")
    return silent("not_drained", what=held.name, change=f"{change:+.0f}")


def money(value: float) -> str:
    """Format dollars as people write them: $0.9998, $60,120, $197.0M."""
    if value >= 1e9:
        return f"${value / 1e9:,.2f}B"
    if value >= 1e6:
        return f"${value / 1e6:,.1f}M"
    if value >= 1000:
        return f"${value:,.0f}"
    return f"${value:.4f}" if value < 10 else f"${value:,.2f}"
