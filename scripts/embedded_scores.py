"""Write what the embedded answers score in each exam, so that nobody who looks at the table waits for them."""

from __future__ import annotations

import json
from pathlib import Path

from groundwire.jobs import examined
from groundwire.reasoning.exam import embedded_scores, paper

SCORES = Path(__file__).resolve().parent.parent / "src/groundwire/reasoning/exams/embedded.json"
_PLACES = 4


def text() -> str:
    """Compute all of it: one line a question."""
    lines = [
        f"{json.dumps(question.prompt)}: "
        + json.dumps(
            {
                "items": paper(question.exam.items).version,
                "scores": [round(score, _PLACES) for score in embedded_scores(question)],
            }
        )
        for question in examined()
        if question.exam is not None
    ]
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    SCORES.write_text(text(), "utf-8")
