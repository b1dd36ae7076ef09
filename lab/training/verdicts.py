"""How far pages settle general claims: `python -m lab.training.verdicts DIR`, cross-validated, nothing is written.

A logistic model over what pages say (`reading.pages`), one verdict against the rest, on the frozen webs of AVeriTeC. It
takes a side only where it is sure: the figure to watch is the wrong side.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from groundwire.evidence.reading.analysis import analyse
from groundwire.evidence.reading.pages import PageReading, read_page
from groundwire.evidence.reading.reader import claim_of

Floats = NDArray[np.float64]
VERDICTS = ("supported", "contradicted", "contested", "insufficient")
SURE_SUPPORTED, SURE_CONTRADICTED = 0.8, 0.6
_STRENGTH, _FOLDS, _REPEATS = 10.0, 5, 6


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    print("\n".join(measure(parser.parse_args(arguments).folder)))  # noqa: T201


def measure(folder: Path) -> list[str]:
    """Cross-validate on the scenarios below a folder."""
    path = folder / "verify" / "averitec_dev" / "scenarios.jsonl"
    with path.open(encoding="utf-8") as lines:
        rows: list[dict[str, Any]] = [json.loads(line) for line in lines]
    values = np.array([_claim_values(row) for row in rows])
    wanted = np.array([VERDICTS.index(row["expect"]["verdict"]) for row in rows])
    figures = np.mean(
        [_figures(_crossed(values, wanted, seed), wanted) for seed in range(_REPEATS)], axis=0
    )
    return [
        f"averitec_dev {len(rows)} claims, cross-validated: accuracy {figures[0]:.3f}, macro-F1 {figures[1]:.3f}, wrong side {figures[2]:.3f}"
    ]


def _claim_values(row: dict[str, Any]) -> list[float]:
    claim = claim_of(row["message"]["text"])
    pages = [
        read_page(claim, analyse(page["text"], title=page.get("title", ""))) for page in row["web"]
    ]
    each = np.array([page_values(page) for page in pages])
    return [*each.mean(axis=0).tolist(), *each.max(axis=0).tolist()]


def page_values(page: PageReading) -> list[float]:
    """What a verdict weighs of one page."""
    supports = max(reading.scores["supports"] for reading in page.readings)
    contradicts = max(reading.scores["contradicts"] for reading in page.readings)
    return [
        page.plain, page.debunking, page.retelling, page.negated, page.denied_share, page.retold_share, supports, contradicts,
        page.best.same,
    ]  # fmt: skip


def _crossed(values: Floats, wanted: NDArray[np.int64], seed: int) -> NDArray[np.int64]:
    scaled = (values - values.mean(axis=0)) / (values.std(axis=0) + 1e-6)
    known = np.column_stack([scaled, np.ones(len(scaled))])
    fold = np.random.default_rng(seed).permutation(len(wanted)) % _FOLDS
    sure = np.zeros((len(wanted), len(VERDICTS)))
    for number in range(_FOLDS):
        learned = fold != number
        for verdict in range(len(VERDICTS)):
            weights = _fit(known[learned], (wanted[learned] == verdict).astype(float))
            sure[~learned, verdict] = 1 / (1 + np.exp(-known[~learned] @ weights))
    supported, contradicted = sure[:, 0], sure[:, 1]
    neither = np.where(sure[:, 2] > sure[:, 3], 2, 3)
    against = (contradicted >= SURE_CONTRADICTED) & (contradicted > supported)
    return np.where(
        (supported >= SURE_SUPPORTED) & (supported > contradicted), 0, np.where(against, 1, neither)
    )


def _fit(known: Floats, yes: Floats) -> Floats:
    """Weights of a logistic model, both answers alike, by Newton's method."""
    share = float(yes.mean())
    mass: Floats = yes * (0.5 / max(share, 1e-6)) + (1 - yes) * (0.5 / max(1 - share, 1e-6))
    size = int(known.shape[1])
    held: Floats = np.eye(size) * _STRENGTH
    held[-1, -1] = 1e-3
    weights: Floats = np.zeros(size)
    for _ in range(60):
        sure: Floats = 1 / (1 + np.exp(-(known @ weights)))
        slope: Floats = known.T @ ((sure - yes) * mass) + held @ weights
        curve: Floats = (known * (sure * (1 - sure) * mass)[:, None]).T @ known + held
        weights = weights - 0.7 * np.linalg.solve(curve, slope)
    return weights


def _figures(own: NDArray[np.int64], wanted: NDArray[np.int64]) -> tuple[float, float, float]:
    scores: list[float] = []
    for verdict in range(len(VERDICTS)):
        hit = int(((own == verdict) & (wanted == verdict)).sum())
        wide = int((own == verdict).sum() + (wanted == verdict).sum())
        scores.append(2 * hit / wide if wide else 0.0)
    wrong = ((own == 0) & (wanted == 1)) | ((own == 1) & (wanted == 0))
    return float((own == wanted).mean()), float(np.mean(scores)), float(wrong.mean())


if __name__ == "__main__":
    main()
