"""How well the loss that a text states is found, and nothing where it states none: no model, no network.

The set crypto_hacks has narratives of incidents (`narratives.jsonl`: rootCause, Lost or loss) and a list of incidents
with their amounts (`hacks.jsonl`). The right amount of a narrative is its own `Lost` where that is in dollars, else
the amount of the incident of the same name. A narrative *states* its loss when some figure in dollars or in a dollar
stablecoin in its text is within 10 % of the right amount. `within_10` is the share of those whose found loss is
within 10 %. Every other narrative states none: `abstained` is the share of those where nothing is found. Most of
them name no dollars at all; the notes count the few that only name other amounts. A narrative that names dollars
but whose right amount is unknown counts for neither.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

from pydantic import BaseModel

from groundwire.language.amounts.losses import dollars_in, stated_loss
from lab.evaluation.figures import Part, mean_of, rows_as

FILE = "narratives.jsonl"
HACKS = "hacks.jsonl"
NEAR = 0.10
_SCALES = {"": 1.0, "k": 1e3, "m": 1e6, "million": 1e6, "b": 1e9, "billion": 1e9}
_AMOUNT = re.compile(
    r"[~>≈]?\s*(\$)?\s*([\d,]+(?:\.\d+)?)\s*(k|m|b|million|billion)?\s*(usd|usdc|usdt|us\$)?",
    re.IGNORECASE,
)


class _Narrative(BaseModel):
    name: str
    rootCause: str = ""
    Lost: str = ""
    loss: str = ""


class _Hack(BaseModel):
    name: str
    amount: float | Literal[""] = 0.0


def measure_losses(folder: Path, limit: int = 0) -> Part:
    """Compute the figures of one set, and a note on narratives with other amounts only."""
    incidents = _incidents(folder)
    stated: list[bool] = []
    silent: list[bool] = []
    others: list[bool] = []
    for narrative in rows_as(_Narrative, folder / FILE, limit, "a name with its text"):
        right = (
            dollars(narrative.Lost)
            or dollars(narrative.loss)
            or incidents.get(narrative.name.casefold())
        )
        found = stated_loss(narrative.rootCause)
        amounts = [float(figure.value) for figure in dollars_in(narrative.rootCause)]
        if not amounts:
            silent.append(found is None)
        elif right is None:
            continue
        elif any(_near(value, right) for value in amounts):
            stated.append(found is not None and _near(float(found.usd), right))
        else:
            others.append(found is None)
    figures = [
        mean_of(folder.name, "within_10", stated, "narratives"),
        mean_of(folder.name, "abstained", [*silent, *others], "narratives"),
    ]
    note = f"{folder.name}: of {len(others)} narratives with other amounts only, {sum(others)} are left alone"
    return figures, [note]


def dollars(written: str) -> float | None:
    """Parse a loss as the set's column writes it, if in dollars: `$4.3 M`, `~20999 USD`, `1.4M`."""
    match = _AMOUNT.fullmatch(written.strip())
    if match is None or not (match[1] or match[3] or match[4]):
        return None
    value = float(match[2].replace(",", "")) * _SCALES[(match[3] or "").lower()]
    return value or None


def _incidents(folder: Path) -> dict[str, float]:
    path = folder / HACKS
    found: dict[str, float] = {}
    for hack in rows_as(_Hack, path, 0, "a name with its amount") if path.is_file() else ():
        if hack.amount and hack.amount > 0:
            found.setdefault(hack.name.casefold(), hack.amount)
    return found


def _near(value: float, right: float) -> bool:
    return abs(value - right) <= NEAR * right
