"""The rollout: messages that went deep beside those that it held back."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from groundwire import jobs
from groundwire.app.period import Period
from groundwire.model.base import Value
from groundwire.model.call import MICRO
from groundwire.model.costs import Rolled
from groundwire.report.plain import usd
from groundwire.words import Words


class Side(Value):
    """The messages of one side of the rollout."""

    messages: int
    calls_a_day: float
    tool_calls_a_day: float
    usd: float
    usd_a_message: float
    confidence_change: float | None  # mean of final minus preliminary; None without a message
    labelled: int  # whose outcome is known
    false_positives: int  # called supported, and false
    confident_and_false: int  # at or above the threshold of the gate, and false

    def part(self, count: int) -> str:
        """Show a number of messages, and its share of those whose outcome is known."""
        return f"{count:,} ({count / self.labelled:.0%})" if self.labelled else "–"

    @property
    def change(self) -> str:
        found = self.confidence_change
        return "–" if found is None else f"{found:+.2f}".replace("-", "−")


class Rollout(Value):
    """Messages that went deep beside those that the rollout kept from it."""

    period: Period
    percent: float  # of the messages that may go deep
    threshold: float
    rolled_in: Side
    rolled_out: Side
    gated: int  # the gate, or a switch, kept them from the deep path: on neither side

    @property
    def job(self) -> str:
        """The job that takes messages, by its name."""
        return jobs.for_messages()[0].kind

    @property
    def setting(self) -> str:
        """The setting that says how many may go deep."""
        return f"{self.job}.rollout_percent"

    def rows(self, say: Words) -> list[tuple[str, ...]]:
        """Tabulate both sides, row by row; nothing where nothing was verified."""
        both = (self.rolled_in, self.rolled_out)
        if not any(side.messages for side in both) and not self.gated:
            return []
        sure = say("costs.confident_false", at=f"{self.threshold:.2f}")
        rows = {
            say("costs.messages"): [f"{side.messages:,}" for side in both],
            say("costs.calls_a_day"): [f"{side.calls_a_day:g}" for side in both],
            say("costs.tools_a_day"): [f"{side.tool_calls_a_day:g}" for side in both],
            say("column.cost"): [usd(side.usd) for side in both],
            say("costs.a_message"): [usd(side.usd_a_message) for side in both],
            say("costs.change"): [side.change for side in both],
            say("costs.known"): [f"{side.labelled:,}" for side in both],
            say("costs.false"): [side.part(side.false_positives) for side in both],
            sure: [side.part(side.confident_and_false) for side in both],
        }
        return [(name, *values) for name, values in rows.items()]


def compared(
    found: Sequence[Rolled], wanted: Period, now: datetime, percent: float, threshold: float
) -> Rollout:
    """Compare both sides over the same days: from the first message of the period on."""
    first = min((each.at for each in found), default=wanted.since)
    span = max(1.0, (min(now, wanted.until) - first) / timedelta(days=1))
    deep = [each for each in found if each.rolled_in and each.path == "deep"]
    out = [each for each in found if not each.rolled_in]
    return Rollout(
        period=wanted,
        percent=percent,
        threshold=threshold,
        rolled_in=_side(deep, span, threshold),
        rolled_out=_side(out, span, threshold),
        gated=len(found) - len(deep) - len(out),
    )


def _side(found: Sequence[Rolled], days: float, threshold: float) -> Side:
    count = len(found)
    usd = round(sum(each.micro for each in found) / MICRO, 6)
    false = [each for each in found if each.outcome == "false"]
    change = sum(each.confidence - each.preliminary for each in found)
    return Side(
        messages=count,
        calls_a_day=round(sum(each.calls for each in found) / days, 2),
        tool_calls_a_day=round(sum(each.tool_calls for each in found) / days, 2),
        usd=usd,
        usd_a_message=round(usd / count, 6) if count else 0.0,
        confidence_change=round(change / count, 4) if count else None,
        labelled=sum(each.outcome is not None for each in found),
        false_positives=sum(each.verdict == "supported" for each in false),
        confident_and_false=sum(each.confidence >= threshold for each in false),
    )
