"""Write what the embedded answers score in each exam, so that nobody who looks at the table waits for them."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

from groundwire.jobs import examined
from groundwire.llm.prompts import folders
from groundwire.model.base import JsonObject
from groundwire.reasoning.exam import KNOWN, embedded_scores, paper

_PLACES = 4


def scores() -> dict[str, dict[str, JsonObject]]:
    """Compute the scores of every question with an exam, by the group of its items."""
    found: dict[str, dict[str, JsonObject]] = defaultdict(dict)
    for question in examined():
        if question.exam is not None:
            group, _, name = question.exam.items.partition("/")
            rounded = [round(score, _PLACES) for score in embedded_scores(question)]
            version = paper(question.exam.items).version
            found[group][name] = {"items": version, "scores": rounded}
    return found


def main() -> None:
    """Write one file a group, one line a question."""
    for group, questions in scores().items():
        lines = [f"{json.dumps(name)}: {json.dumps(kept)}" for name, kept in questions.items()]
        text = "{\n" + ",\n".join(lines) + "\n}\n"
        Path(str(folders("exams")[group] / KNOWN)).write_text(text, "utf-8")


if __name__ == "__main__":
    main()
