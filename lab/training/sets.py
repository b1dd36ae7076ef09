"""The public sets of pairs below a folder, each with the labels it knows; read in place, never copied."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lab.training.pairs import Pair

_LABELS = {
    "completely-support": "supports", "partially-support": "qualifies", "refute": "contradicts", "irrelevant": "unrelated",
    "SUPPORTS": "supports", "REFUTES": "contradicts", "NOT_ENOUGH_INFO": "unrelated", "SUPPORTED": "supports",
    "REFUTED": "contradicts", "supports": "supports", "contradicts": "contradicts", "unrelated": "unrelated",
}  # fmt: skip
_FILES = {
    "factcheckgpt": "subtask3_claim_evidence_stance.jsonl",
    "climate_fever": "climate_fever.jsonl",
    "chef_zh": "pairs.jsonl",
    "ocnli_zh": "train.jsonl",
    "fever_symmetric": "dev.jsonl",
}
# Tested on its own part, learned from the other.
TESTED = {"ocnli_zh": "dev.jsonl"}


def _whole(folder: Path) -> dict[str, list[Pair]]:
    """Load every set that is there in full, by name."""
    paths = {name: folder / "verify" / name / file for name, file in _FILES.items()}
    return {name: list(_pairs(path, name)) for name, path in paths.items() if path.is_file()}


def asked(folder: Path) -> dict[str, list[Pair]]:
    """Load what no encoder learned from, of each set below a folder or of the folder itself.

    That is the set's own test part, or the claims that are kept back.
    """
    found: dict[str, list[Pair]] = {}
    for name, file in _FILES.items():
        for place in (folder / "verify" / name, folder / name, folder):
            path = place / TESTED.get(name, file)
            if path.is_file() and (place != folder or folder.name == name):
                pairs = _pairs(path, name)
                found[name] = [each for each in pairs if name in TESTED or kept_back(each.claim)]
                break
    return found


THREE = frozenset({"climate_fever", "ocnli_zh"})  # sets that know no "qualifies"


def learned(folder: Path) -> dict[str, list[Pair]]:
    """Load what the encoders learn from each set: its training part, or the claims that are not kept back."""
    return {
        name: [pair for pair in pairs if name in TESTED or not kept_back(pair.claim)]
        for name, pairs in _whole(folder).items()
    }


def kept_back(claim: str) -> bool:
    """Tell whether a claim is among the one in five that no encoder learns from."""
    return zlib.crc32(claim.encode()) % 5 == 0


def _pairs(path: Path, name: str) -> Iterator[Pair]:
    language = "zh" if name.endswith("_zh") else "en"
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            for claim, passage, label in _of(json.loads(line)):
                yield Pair(name, language, claim, passage, _LABELS[label], "")


def _of(row: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    if "evidences" in row:
        for each in row["evidences"]:
            yield row["claim"], each["evidence"], each["evidence_label"]
        return
    evidence = row["evidence"]
    yield (
        row["claim"],
        evidence if isinstance(evidence, str) else "\n".join(evidence),
        row.get("stance") or row["label"],
    )
