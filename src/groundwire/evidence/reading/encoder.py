"""How likely a passage supports a claim, contradicts it, qualifies it, or says nothing of it.

Two small encoders, one for English and one for Chinese, read claim and passage together; across languages the Chinese
side is glossed first. Their weights are data (`data/en.onnx`, `data/zh.onnx`), learned by `scripts/train_encoder.py`; where
they come from stands in `data/ORIGIN.md`. One pair at a time: the rounding of the weights would make a reading depend on
what stands beside it in a batch.
"""

from __future__ import annotations

from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, Literal, TypeAlias

from groundwire.evidence.reading.alignment import Claim
from groundwire.evidence.reading.analysis import analyse
from groundwire.evidence.reading.gloss import gloss
from groundwire.evidence.reading.marks import marks
from groundwire.evidence.reading.pieces import Pieces
from groundwire.language.text.chinese import is_chinese
from groundwire.model.stance import StanceScores

Language: TypeAlias = Literal["en", "zh"]
CLAIM, PAIR = 56, 160  # pieces of a claim, and of claim and passage together
_DATA = "groundwire.evidence.reading.data"
_DIGITS = 4


@lru_cache(maxsize=8_192)
def weigh(claim: str, title: str, text: str) -> StanceScores:
    """Weigh a passage under its headline beside a claim."""
    mine, theirs = is_chinese(claim), is_chinese(text)
    if mine != theirs:
        claim, title, text = (
            (gloss(claim, f"{title} {text}"), title, text)
            if mine
            else (claim, gloss(title, claim), gloss(text, claim))
        )
    language: Language = "zh" if mine and theirs else "en"
    ids, kinds = encode(language, claim, title, text)
    values = _run(language, ids, kinds)
    total = sum(values)
    return StanceScores(
        **dict(
            zip(
                ("supports", "contradicts", "qualifies", "unrelated"),
                (round(value / total, _DIGITS) for value in values),
                strict=True,
            )
        )
    )


def encode(language: Language, claim: str, title: str, text: str) -> tuple[list[int], list[int]]:
    """Cut a pair into pieces: their numbers, and their kinds (whose they are, and how they are met)."""
    pieces = _pieces(language)
    asked = Claim(analyse(claim, whole=True))
    told = analyse(f"{title}. {text}" if title else text, whole=True).lead
    here, there = marks(asked, told)
    mine = [(n, 2 * _at(here, at)) for n, at in pieces.cut(asked.sentence.text)][:CLAIM]
    theirs = [(n, 2 * _at(there, at) + 1) for n, at in pieces.cut(told.text)]
    end = (pieces.end, 1)
    pairs = [(pieces.start, 0), *mine, (pieces.end, 0), *theirs[: PAIR - 3 - len(mine)], end]
    return [n for n, _ in pairs], [kind for _, kind in pairs]


def _at(marks: bytearray, place: int) -> int:
    return marks[place] if place < len(marks) else 0


def size(language: Language, text: str) -> int:
    """How many pieces a text has."""
    return sum(1 for _ in _pieces(language).cut(text))


@cache
def vocabulary(language: Language) -> tuple[str, ...]:
    """The pieces that an encoder knows, by number."""
    return tuple(
        files(_DATA).joinpath(f"{language}.vocab").read_text("utf-8").rstrip("\n").split("\n")
    )


@cache
def _pieces(language: Language) -> Pieces:
    return Pieces(vocabulary(language))


def _run(language: Language, ids: list[int], kinds: list[int]) -> list[float]:
    import numpy as np

    fed = {"ids": np.array([ids], dtype=np.int64), "kinds": np.array([kinds], dtype=np.int64)}
    (logits,) = _session(language).run(["logits"], fed)
    row = logits[0].astype(np.float64)
    return [float(value) for value in np.exp(row - row.max())]


@cache
def _session(language: Language) -> Any:
    # Deferred: a command that reads nothing should not wait for it.
    import onnxruntime

    runtime: Any = onnxruntime
    options = runtime.SessionOptions()
    options.intra_op_num_threads = 1  # runs share the cores between them
    options.log_severity_level = 3
    weights = files(_DATA).joinpath(f"{language}.onnx").read_bytes()
    return runtime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])
