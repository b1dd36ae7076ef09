"""The gist of a message in its own words: the most telling sentence, without the noise around it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundwire.language.text.characters import HAN, folded, normalise, simplify
from groundwire.language.text.script import traditional
from groundwire.language.text.sentences import sentences

LONGEST = 200
_ENDS = re.compile(r"[。.!?！？;；,，、\s]")
_HAN_RUN = re.compile(f"[{HAN}]+")
_NUMBER = re.compile(r"\d[\d,.]*")
_FEWEST = 6  # characters of a sentence that can stand for a message


def gist(flat: str, words: Sequence[str], language: str) -> str:
    """The most telling sentences, at most as long as asked for, in the script of the language.

    The text comes from `noise.cleaned`; `words` tell the kind of event, in low form. Nothing is translated and nothing is added.
    """
    spans = [span for span in sentences(flat) if span[1] - span[0] >= _FEWEST] or [(0, len(flat))]
    rated = sorted(range(len(spans)), key=lambda n: (-_rate(flat[slice(*spans[n])], words, n), n))
    best, *following = (flat[slice(*span)] for span in spans[rated[0] : rated[0] + 2])
    more = [s for s in following if len(best + s) < LONGEST and _rate(s, words, 0) > 1]
    text = " ".join(sentence.strip() for sentence in (best, *more))
    if len(text) > LONGEST:
        ends = [match.start() for match in _ENDS.finditer(text, LONGEST // 2, LONGEST - 1)]
        text = text[: ends[-1] if ends else LONGEST - 1].rstrip(" ,，、;；") + "…"
    if language == "zh":
        return _HAN_RUN.sub(lambda run: simplify(run[0]), text)
    return traditional(text) if language == "zh-Hant" else text


def _rate(sentence: str, words: Sequence[str], number: int) -> float:
    low = folded(normalise(sentence).text)
    told = sum(word in low for word in words)
    return min(told, 3) + 0.5 * min(len(_NUMBER.findall(low)), 2) + 0.6 / (1 + number)
