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
    chosen = [rated[0]]
    size = spans[rated[0]][1] - spans[rated[0]][0]
    following = rated[0] + 1
    if following < len(spans):
        more = spans[following][1] - spans[following][0]
        if size + more < LONGEST and _rate(flat[slice(*spans[following])], words, 0) > 1:
            chosen.append(following)
    joined = " ".join(flat[slice(*spans[n])].strip() for n in sorted(chosen))
    return in_script_of(_cut(joined), language)


def _rate(sentence: str, words: Sequence[str], number: int) -> float:
    low = folded(normalise(sentence).text)
    told = sum(word in low for word in words)
    return min(told, 3) + 0.5 * min(len(_NUMBER.findall(low)), 2) + 0.6 / (1 + number)


def _cut(text: str) -> str:
    if len(text) <= LONGEST:
        return text
    ends = [match.start() for match in _ENDS.finditer(text, LONGEST // 2, LONGEST - 1)]
    return text[: ends[-1] if ends else LONGEST - 1].rstrip(" ,，、;；") + "…"


def in_script_of(text: str, language: str) -> str:
    """Chinese characters in the script of the reader; everything else as it is."""
    if language == "zh":
        return _HAN_RUN.sub(lambda run: simplify(run[0]), text)
    return traditional(text) if language == "zh-Hant" else text
