"""Is the article of a page found, and nothing else: F1 over its words.

A set is a folder with `ground_truth.jsonl` (id, url, page_type, main_content, with, without) and the
pages in `html/`, gzipped. The words of the extracted and of the true text are compared as bags
(lower case, runs of letters and digits); F1 is worked out for each page and averaged over pages, so
that a long page counts as one. A page that is refused as unreadable has found nothing.
"""

from __future__ import annotations

import asyncio
import gzip
import re
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple, cast

from groundwire.errors import InputError, Unreadable
from lab.evaluation.figures import EvaluationFigure, Measured, rows, sets_in

_WORD = re.compile(r"[^\W_]+")


class _Case(NamedTuple):
    page: Path
    url: str
    kind: str
    truth: str
    wanted: tuple[str, ...]  # sentences that must be there
    unwanted: tuple[str, ...]  # and that must not


class _Score(NamedTuple):
    kind: str
    f1: float
    kept: float  # of the wanted sentences
    clean: float  # of the unwanted ones
    readable: bool


async def measure(folder: Path, limit: int = 0) -> Measured:
    figures: list[EvaluationFigure] = []
    notes: list[str] = []
    for path in sets_in(folder, ("ground_truth.jsonl",)):
        cases = [
            case for row in rows(path / "ground_truth.jsonl", limit) for case in _case(path, row)
        ]
        if not cases:
            raise InputError(f"{path.name}: none of its pages is there")
        scores = await _scores(cases)
        figures += _figures(path.name, scores)
        refused = sum(1 for each in scores if not each.readable)
        notes.append(f"{path.name}: {refused} of {len(scores)} pages were refused as unreadable")
    return Measured(kind="extract", figures=tuple(figures), notes=tuple(notes), limited=limit > 0)


async def _scores(cases: Sequence[_Case]) -> list[_Score]:
    loop = asyncio.get_running_loop()
    with ProcessPoolExecutor(max_workers=2) as pool:
        return list(await asyncio.gather(*(loop.run_in_executor(pool, _score, c) for c in cases)))


def _figures(name: str, scores: Sequence[_Score]) -> list[EvaluationFigure]:
    kinds = sorted({each.kind for each in scores})
    parts = [("", scores)]
    if len(kinds) > 1:
        parts += [(f"/{kind}", [each for each in scores if each.kind == kind]) for kind in kinds]
    found: list[EvaluationFigure] = []
    for part, some in parts:
        kept, clean = (_mean([getattr(each, what) for each in some]) for what in ("kept", "clean"))
        found.append(
            EvaluationFigure(
                set=f"{name}{part}",
                metric="f1",
                value=_mean([each.f1 for each in some]),
                sample=len(some),
                of="pages",
                note=f"wanted sentences kept {kept:.0%}, unwanted left out {clean:.0%}",
            )
        )
    return found


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _case(folder: Path, row: dict[str, object]) -> list[_Case]:
    name, url = row.get("id"), row.get("url")
    if not isinstance(name, str | int) or not isinstance(url, str):
        raise InputError(f"{folder.name}/ground_truth.jsonl: a line without id or url")
    pages = sorted(folder.glob(f"html/*{name}.html.gz"))
    if not pages:
        return []
    return [
        _Case(
            page=pages[0],
            url=url,
            kind=str(row.get("page_type") or "page"),
            truth=str(row.get("main_content") or ""),
            wanted=_texts(row.get("with")),
            unwanted=_texts(row.get("without")),
        )
    ]


def _texts(value: object) -> tuple[str, ...]:
    return tuple(map(str, cast("list[object]", value))) if isinstance(value, list) else ()


def _score(case: _Case) -> _Score:
    # Deferred: this runs in a process of its own.
    from groundwire.fetch.extract import extract

    try:
        body = gzip.decompress(case.page.read_bytes())
    except (OSError, EOFError) as error:
        raise InputError(f"{case.page.name} in {case.page.parent} cannot be read") from error
    try:
        text, readable = extract(body, "text/html", case.url).text, True
    except Unreadable:
        text, readable = "", False
    return _Score(
        kind=case.kind,
        f1=word_f1(text, case.truth),
        kept=_share(case.wanted, text),
        clean=1.0 - _share(case.unwanted, text) if case.unwanted else 1.0,
        readable=readable,
    )


def _share(sentences: Sequence[str], text: str) -> float:
    flat = " ".join(_words(text))
    found = sum(1 for each in sentences if " ".join(_words(each)) in flat)
    return found / len(sentences) if sentences else 1.0


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def word_f1(said: str, truth: str) -> float:
    """Of the bags of words; two empty texts are the same."""
    ours, theirs = Counter(_words(said)), Counter(_words(truth))
    if not ours or not theirs:
        return float(ours == theirs)
    common = (ours & theirs).total()
    return 2 * common / (ours.total() + theirs.total())
