"""A report as PDF: pages with a running title, page numbers, and links that can be followed."""

from __future__ import annotations

from groundwire.report.blocks import Report
from groundwire.report.press import pressed


def render(report: Report) -> bytes:
    return pressed(report, "pages", "pdf")
