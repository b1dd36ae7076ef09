"""The card of a result as a picture, at twice the pixels of a screen."""

from __future__ import annotations

from groundwire.report.blocks import Report
from groundwire.report.press import pressed


def render(card: Report) -> bytes:
    return pressed(card, "card", "png")
