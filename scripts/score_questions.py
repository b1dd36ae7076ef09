"""Score the embedded reasoner on the question set over the sample archive, by language."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    """Print each answer that is not as expected, then how many are."""
    from tests.reasoning.test_questions import CASES, problems, written

    from groundwire.language.text.characters import detect_language

    good: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for case in CASES:
        wrong = problems(case, written(case))
        for language in (detect_language(case["q"]), "all"):
            total[language] += 1
            good[language] += not wrong
        if wrong:
            sys.stdout.write(f"✕ {case['q']}\n" + "".join(f"    {each}\n" for each in wrong))
    for language in sorted(total, key=lambda name: (name == "all", name)):
        share = good[language] / total[language]
        sys.stdout.write(
            f"{language:8} {good[language]:4} of {total[language]:4} as expected ({share:.0%})\n"
        )
    floors = json.loads((ROOT / "evals" / "floors.json").read_text(encoding="utf-8"))
    floor = floors["ask"]["sample.as_expected"]
    sys.stdout.write(f"floor    {floor:4} (evals/floors.json; it only rises)\n")
    return 0 if good["all"] >= floor else 1


if __name__ == "__main__":
    sys.exit(main())
