"""The steps of the toy."""

from __future__ import annotations

from groundwire.model.story import Count, Step

STEPS = (
    Step("split", ("thought.split",), counts=(Count("words", "words"),), ends=True),
    Step("count", ("answer", "tally")),
)
