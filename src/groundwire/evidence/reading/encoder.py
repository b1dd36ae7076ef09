"""The probabilities that a passage supports a claim, contradicts it, qualifies it, or says nothing of it.

Two small encoders, one for English and one for Chinese, read claim and passage together; across languages the Chinese
side is glossed first. Their weights are data (`data/en.onnx`, `data/zh.onnx`), learned by `scripts/train_encoder.py`;
`data/ORIGIN.md` says where they come from. One pair is read at a time: in a batch, the rounding of the weights would
make a reading depend on its neighbours.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, Literal, TypeAlias

from groundwire.evidence.reading.analysis import analyse
from groundwire.evidence.reading.gloss import gloss
from groundwire.evidence.reading.marks import marks
from groundwire.evidence.reading.pieces import Pieces
from groundwire.evidence.reading.reader import claim_of
from groundwire.language.text.characters import HAN
from groundwire.language.text.chinese import is_chinese
from groundwire.model.stance import StanceScores

Language: TypeAlias = Literal["en", "zh"]
CLAIM, PAIR = 56, 160  # pieces of a claim, and of claim and passage together
_DATA = "groundwire.evidence.reading.data"
_DIGITS = 4
_HAN = re.compile(f"[{HAN}]")


@lru_cache(maxsize=8_192)
def weigh(claim: str, title: str, text: str) -> StanceScores:
    """Compute the stance scores of a passage, under its headline, for a claim."""
    claim_is_chinese, text_is_chinese = is_chinese(claim), is_chinese(text)
    if text_is_chinese and not claim_is_chinese:
        title, text = gloss(title, claim), gloss(text, claim)
    if not (text_is_chinese and claim_is_chinese):
        # The English encoder knows no Chinese character, so that a claim in both would lose its "not".
        claim = gloss(claim, f"{title} {text}") if _HAN.search(claim) else claim
    language: Language = "zh" if claim_is_chinese and text_is_chinese else "en"
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
    """Encode a pair as pieces: their numbers, and their kinds (which side they are on, and how they match)."""
    pieces = _pieces(language)
    prepared = claim_of(claim)
    passage = analyse(f"{title}. {text}" if title else text, whole=True).lead
    claim_marks, passage_marks = marks(prepared, passage)
    claim_pieces = [(n, 2 * _at(claim_marks, at)) for n, at in pieces.cut(prepared.sentence.text)][
        :CLAIM
    ]
    passage_pieces = [(n, 2 * _at(passage_marks, at) + 1) for n, at in pieces.cut(passage.text)]
    end = (pieces.end, 1)
    pairs = [
        (pieces.start, 0),
        *claim_pieces,
        (pieces.end, 0),
        *passage_pieces[: PAIR - 3 - len(claim_pieces)],
        end,
    ]
    return [n for n, _ in pairs], [kind for _, kind in pairs]


def _at(marks: bytearray, place: int) -> int:
    return marks[place] if place < len(marks) else 0


def size(language: Language, text: str) -> int:
    """Count the pieces of a text."""
    return _pieces(language).count(text)


@cache
def vocabulary(language: Language) -> tuple[str, ...]:
    """Load the pieces that an encoder knows, in the order of their numbers."""
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
