"""How the verdict went: the same moment has the same verdict, wherever it is asked."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
from tests.jobs.test_verify_run import OWN_REPORTS, TEXT, desk, scenario

from groundwire.app import App
from groundwire.jobs.verify.report import REPORT
from groundwire.jobs.verify.signal import Signal
from groundwire.model.run import Run
from groundwire.report import markdown

DAY = "2025-06-03T00:00:00Z"  # as a date without a time is kept
LATE = "2025-06-05T09:00:00Z"
# A page that gives its day only, one of the same day with its hour, and one of the day after.
PAGES = [
    {**OWN_REPORTS[0], "published_at": DAY},
    {**OWN_REPORTS[1], "published_at": "2025-06-03T18:00:00Z"},
    {**OWN_REPORTS[2], "published_at": "2025-06-04T07:00:00Z"},
]


async def judged(app: App, said: str | None, as_of: str | None = None) -> Run:
    given = {"text": TEXT, "published_at": said, "as_of": as_of}
    run = await app.submit("verify", given, now=datetime.fromisoformat(LATE))
    return await app.finished(run.id)


def signal_of(run: Run) -> Signal:
    return Signal.model_validate(run.result)


@pytest.mark.parametrize("said", [DAY, "2025-06-03T09:25:00Z", None])
async def test_each_row_is_the_verdict_as_of_its_moment(tmp_path: Path, said: str | None) -> None:
    async with desk(tmp_path, scenario(web=PAGES, now=LATE)) as app:
        signal = signal_of(await judged(app, said))
        *rows, last = signal.course
        assert (last.verdict, last.confidence) == (signal.verdict, signal.confidence)
        assert len(rows) >= 2
        for row in rows:
            then = signal_of(await judged(app, said, row.at.isoformat()))
            assert (row.verdict, row.confidence) == (then.verdict, then.confidence), row.at


async def test_a_day_counts_to_its_end(tmp_path: Path) -> None:
    """As `--as-of` has it: what appeared on the day of a message that gives no hour was there."""
    async with desk(tmp_path, scenario(web=PAGES, now=LATE)) as app:
        first = signal_of(await judged(app, DAY)).course[0]
        as_asked = signal_of(await judged(app, DAY, "2025-06-03"))
    assert first.at == as_asked.as_of
    assert first.supporting_origins == as_asked.supporting_origins == 2


@pytest.mark.parametrize(
    ("language", "undated", "dated", "first"),
    [
        (
            "en",
            "has no date of its own",
            "The verdict as of each moment",
            "2025-06-03, when it was",
        ),
        ("zh", "消息本身没有日期", "各时刻的判定", "2025-06-03（消息发出时）"),
        ("zh-Hant", "訊息本身沒有日期", "各時刻的判定", "2025-06-03（訊息發出時）"),
    ],
)
async def test_it_says_what_its_rows_are(
    tmp_path: Path, language: str, undated: str, dated: str, first: str
) -> None:
    async with desk(tmp_path, scenario(web=PAGES, now=LATE)) as app:
        plain = markdown.text(REPORT.report(await judged(app, None), language))
        told = markdown.text(REPORT.report(await judged(app, DAY), language))
    assert undated in plain
    assert dated in told
    assert first in told
