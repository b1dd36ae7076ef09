"""`python -m lab.months SEED… DIR`: write simulated months, one file each, in both languages."""

from __future__ import annotations

import sys
from pathlib import Path

from lab.months.story import tell


def main(arguments: list[str]) -> None:
    *seeds, folder = arguments
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    for seed in seeds:
        for language in ("en", "zh"):
            month = tell(int(seed), language)
            (place / f"month-{language}-{seed}.json").write_text(
                month.model_dump_json(indent=1) + "\n", encoding="utf-8"
            )


if __name__ == "__main__":
    main(sys.argv[1:])
