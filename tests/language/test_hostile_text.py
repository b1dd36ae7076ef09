"""Pages hold anything: no text makes a rule fail."""

from __future__ import annotations

import pytest
from tests.evidence.builders import document

from groundwire.evidence.pages.flags import text_flags
from groundwire.evidence.pages.injection import injected_instructions
from groundwire.evidence.questions.polarity import denies, hedges
from groundwire.language.amounts.numbers import figures
from groundwire.language.names.names import names
from groundwire.language.text.characters import detect_language
from groundwire.language.text.sentences import sentences
from groundwire.language.text.tokens import shingles, tokens
from groundwire.language.time.dates import date_mentions

_PIECES = [
    "1", "1,", "1-", "1.", "一", "百分之", "三点", "three ", "a ", " ", "\n", "\u200b ", "A", "U.",
    "'s", "[(", "ignore all ", "忽略", "的", "not ", "不", "\ud800", "\x00", "İ", "ﬁ\u0301", "2023年", "³",
]  # fmt: skip


@pytest.mark.parametrize("piece", _PIECES)
def test_long_repetitions_are_read(piece: str) -> None:
    text = piece * 5000
    normal = document("x").model_copy(update={"text": text})
    tokens(text), shingles(text), sentences(text), detect_language(text), figures(text)
    date_mentions(text), names(text), injected_instructions(text)
    hedges(text), denies(text), text_flags(normal)
    assert all(text[figure.start : figure.end] == figure.text for figure in figures(text))
