"""How far a message is believed, and why: one pure, versioned function of typed features (law 6).

Scores are integers (ten-thousandths) inside, so that the rows of a waterfall sum to the score
exactly as shown; decision 0016 explains how the rows of the contract are read.
"""

from __future__ import annotations

from typing import NamedTuple, get_args

from groundwire.evidence.memory.calibration import FEWEST, apply
from groundwire.jobs.verify.feature_types import Features, Judgement, Side, Timeliness
from groundwire.jobs.verify.signal import Action, Preliminary, RiskFlag
from groundwire.model.claim import Verdict
from groundwire.model.outcome import Calibration
from groundwire.model.phrase import Phrase, phrase
from groundwire.model.result import WaterfallRow

VERSION = "3"

_ONE = 10_000  # a confidence of 1
_LOW = 4_000
_MEMORY_STEP = 1_000
_ALIKE = 0.8  # similarity above which memory counts
_DAY = 24
_DATA_CONFLICT = -2_500
# The hours up to which a band reaches, and its penalty; beyond the last: `_STALE`.
_BANDS = ((3.0, -1_000), (24.0, -1_500))
_STALE = -2_000
# The same for days, where no hour is known: of the same day, and of the day before.
_DAYS = (("same_day", 0), ("day_before", -1_500))
_NO_NEWS = -4_000

_REPLACED_BY_STALE: frozenset[Verdict] = frozenset({"supported", "qualified", "insufficient"})
_OBSERVED: frozenset[Verdict] = frozenset(
    {"insufficient", "unverified", "contradicted", "contested", "stale"}
)
# Flags are listed in this order, whatever raised them first.
_FLAGS: tuple[RiskFlag, ...] = get_args(RiskFlag)


class _Found(NamedTuple):
    """The one row of corroboration that applies."""

    rule: str
    delta: int
    verdict: Verdict
    reason: Phrase
    ids: tuple[str, ...] = ()
    flags: tuple[RiskFlag, ...] = ()
    cap: int = _ONE
    cap_reason: Phrase | None = None


class _Score:
    """A running score with the rows that made it."""

    def __init__(self, preliminary: float) -> None:
        self.rows: list[WaterfallRow] = []
        self.value = 0
        self.add("preliminary", _units(preliminary), reason("preliminary"))

    def add(self, rule: str, delta: int, why: Phrase, ids: tuple[str, ...] = ()) -> None:
        self.value += delta
        self.rows.append(
            WaterfallRow(
                rule=rule, delta=delta / _ONE, reason=why.code, evidence_ids=ids, params=why.params
            )
        )

    def hold(
        self, rule: str, least: int, most: int, why: Phrase, ids: tuple[str, ...] = ()
    ) -> None:
        """Bring the score back between two bounds; adds no row if it is there already."""
        delta = min(max(self.value, least), most) - self.value
        if delta:
            self.add(rule, delta, why, ids)


def judge(features: Features) -> Judgement:
    """Compute verdict, score, flags and waterfall."""
    score = _Score(features.preliminary)
    found = _corroboration(features)
    score.add(found.rule, found.delta, found.reason, found.ids)
    flags = list(found.flags)
    verdict = found.verdict

    def cap() -> None:
        if found.cap_reason:
            score.hold("cap", min(0, score.value), found.cap, found.cap_reason, found.ids)

    cap()
    _remember(score, features)
    cap()  # only memory can have raised it
    if _is_timed(features):
        delta, why, late = _lateness(features.timeliness)
        score.add("timeliness", delta, why, features.timeliness.evidence_ids)
        flags += late
        if late and verdict in _REPLACED_BY_STALE and _is_resold(features):
            verdict = "stale"
    if features.numbers == "contradicts":
        why = _because("data_conflict", features.numbers_reason)
        score.add("data_conflict", _DATA_CONFLICT, why)
        flags.append("data_conflict")
    score.hold("clamp", 0, _ONE, reason("clamp"))
    _calibrate(score, features.calibration, found.cap)
    if found.ids and set(found.ids) <= set(features.snippet_ids):
        flags.append("snippets_only")
    if score.value < _LOW:
        flags.append("confidence_low")
    return Judgement(
        verdict=verdict,
        confidence=score.value / _ONE,
        risk_flags=tuple(flag for flag in _FLAGS if flag in flags),
        waterfall=tuple(score.rows),
        version=VERSION,
    )


def action_of(judgement: Judgement, preliminary: Preliminary) -> Action:
    """Keep the preliminary's action, or only observe where the judgement does not carry it."""
    if preliminary.profile == "general" or judgement.verdict in _OBSERVED:
        return "observe"
    return "observe" if _units(judgement.confidence) < _LOW else preliminary.action


def _units(value: float) -> int:
    return round(value * _ONE)


def _shown(units: int) -> str:
    return f"{units / _ONE:.2f}"


def _has_backing(side: Side) -> bool:
    return bool(side.origins or side.primary_ids)


def reason(name: str, /, **params: object) -> Phrase:
    """Return the named reason of a row."""
    return phrase(f"verify.reason.{name}", **params)


def _because(name: str, why: object) -> Phrase:
    return reason(f"{name}_because", why=why) if why else reason(name)


def _corroboration(features: Features) -> _Found:
    """Apply the first of rows 0 to 10 of the contract's table that fits."""
    if features.search == "not_searched" and features.numbers != "confirms":
        why = _because("not_searched", features.search_reason)
        return _Found("not_searched", 0, "unverified", why, flags=("not_searched",))
    if features.search == "failed":
        why = _because("search_failed", features.search_reason)
        flags: tuple[RiskFlag, ...] = ("search_failed", "data_incomplete")
        most = _units(features.preliminary)
        cap_reason = reason("cap_preliminary", limit=_shown(most))
        return _Found("search_failed", 0, "unverified", why, (), flags, most, cap_reason)
    if _has_backing(features.contradicts):
        return _contradicted(features)
    found = _supported(features) or _thin(features)
    if not features.own_ids:
        return found
    return found._replace(reason=reason("own_page", reason=found.reason))


def _contradicted(features: Features) -> _Found:
    """Apply rows 2 to 4: somebody says the opposite."""
    contradicting, supporting = features.contradicts, features.supports
    if _has_backing(supporting):
        why = reason(
            "contested",
            supporting=len(supporting.origins),
            contradicting=len(contradicting.origins),
        )
        ids = tuple(sorted({*supporting.evidence_ids, *contradicting.evidence_ids}))
        return _Found("contested", -2_000, "contested", why, ids, ("data_incomplete",))
    if contradicting.primary_ids:
        rule, delta, cap, ids = "primary_contradicts", 0, 2_000, contradicting.primary_ids
        why = reason(rule)
    else:
        rule, delta, cap, ids = "only_contradicting", -3_000, 3_500, contradicting.evidence_ids
        why = reason(rule, n=len(contradicting.origins))
    cap_reason = reason("cap", limit=_shown(cap))
    return _Found(rule, delta, "contradicted", why, ids, cap=cap, cap_reason=cap_reason)


def _supported(features: Features) -> _Found | None:
    """Apply rows 5 to 7a: enough supports it."""
    supporting = features.supports
    count = len(supporting.origins)
    multi = count >= max(1, features.multi_source_threshold)
    if supporting.primary_ids and not multi:
        why = reason("official_primary")
        return _Found("official_primary", 1_000, "supported", why, supporting.primary_ids)
    if multi:
        rule, delta = (
            ("multi_source_official", 1_500) if supporting.primary_ids else ("multi_source", 500)
        )
        delta += _units(0.05 * features.mean_relevance)
        why = reason(rule, n=count, relevance=f"{features.mean_relevance:.2f}")
        return _Found(rule, delta, "supported", why, supporting.evidence_ids)
    if features.numbers == "confirms":
        why = _because("numbers_confirm", features.numbers_reason)
        return _Found("numbers_confirm", 1_000, "supported", why)
    return None


def _thin(features: Features) -> _Found:
    """Apply rows 7b to 10: too little supports it."""
    supporting, qualifying = features.supports, features.qualifies
    count = len(supporting.origins)
    if not count and qualifying.origins:
        why = reason("only_qualifying", n=len(qualifying.origins))
        return _Found("only_qualifying", -1_000, "qualified", why, qualifying.evidence_ids)
    if count > 1:
        why = reason("under_threshold", n=count, threshold=features.multi_source_threshold)
        return _Found("under_threshold", -1_000, "insufficient", why, supporting.evidence_ids)
    if count:
        why = reason("single_source")
        flags: tuple[RiskFlag, ...] = ("single_source",)
        return _Found("single_source", -1_500, "insufficient", why, supporting.evidence_ids, flags)
    why = reason("no_evidence")
    return _Found("no_evidence", -2_000, "insufficient", why, flags=("no_evidence",))


def _remember(score: _Score, features: Features) -> None:
    """Step towards how an event like it ended."""
    if features.memory_confidence is None or features.memory_similarity <= _ALIKE:
        return
    ended = _units(features.memory_confidence)
    step = min(max(ended - score.value, -_MEMORY_STEP), _MEMORY_STEP)
    parts = {"similarity": f"{features.memory_similarity:.2f}", "score": _shown(ended)}
    event = features.memory_reason
    why = reason("memory_about", **parts, what=event) if event else reason("memory", **parts)
    score.add("memory", step, why)


def _is_timed(features: Features) -> bool:
    """Tell whether the event's age counts: unsearched, only if the message dates itself."""
    time = features.timeliness
    if features.search == "not_searched":
        return time.dated_by == "message"
    return time.kind != "news" or time.age_hours is not None


def _is_resold(features: Features) -> bool:
    """Tell whether an old event is told as news: somebody reports it, and the message does not admit its age."""
    time = features.timeliness
    return time.kind != "news" or (_has_backing(features.supports) and not time.admitted)


def _lateness(time: Timeliness) -> tuple[int, Phrase, tuple[RiskFlag, ...]]:
    """Return the penalty for age, why, and the flags of what is stale or no news."""
    penalty, why = _aged(time)
    stale_flags: tuple[RiskFlag, ...] = ("stale_event",) if penalty == _STALE else ()
    if time.kind != "news":
        return _NO_NEWS, reason(time.kind, mark=time.reason), (*stale_flags, "analysis_not_news")
    if time.planned:
        return 0, reason("planned", mark=time.reason), ()
    if time.reason and time.dated_by != "nobody":
        why = reason(f"by_{time.dated_by}", reason=why, mark=time.reason)
    return penalty, why, stale_flags


def _aged(time: Timeliness) -> tuple[int, Phrase]:
    """Return the penalty for age and why; a day is not turned into hours, nor a month into days."""
    if time.days is not None:
        name, penalty = _DAYS[time.days] if time.days < len(_DAYS) else ("days_ago", _STALE)
        if time.coarse:
            return penalty, reason("days_old", n=time.days) if time.days else reason("within")
        return penalty, reason(name, n=time.days) if name == "days_ago" else reason(name)
    hours = time.age_hours or 0.0
    if hours < 1:
        return 0, reason("fresh")
    penalty = next((delta for most, delta in _BANDS if hours <= most), _STALE)
    unit, size = ("days", _DAY) if hours > 2 * _DAY else ("hours", 1)
    return penalty, reason(f"{unit}_old", n=int(hours // size))


def _calibrate(score: _Score, calibration: Calibration | None, most: int) -> None:
    """Add the last row: what scores like this one were worth, within the cap."""
    if calibration is None or calibration.samples < FEWEST:
        return
    calibrated = _units(apply(calibration, score.value / _ONE))
    why = reason("calibration", n=calibration.samples, day=str(calibration.fitted_at.date()))
    if calibrated > most:
        why = reason("calibration_capped", **why.params, limit=_shown(most))
    score.add("calibration", min(calibrated, most) - score.value, why)
