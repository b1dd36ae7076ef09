"""The gist of a message in its own words: the most telling sentence, without the noise around it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from groundwire.evidence.messages.profiles import profiles
from groundwire.evidence.sources.parties import officials
from groundwire.language.text.characters import HAN, folded, normalise, simplify
from groundwire.language.text.lexicon import low_forms
from groundwire.language.text.links import links, without_links
from groundwire.language.text.script import traditional
from groundwire.language.text.sentences import sentences

LONGEST = 200
_PICTURES = re.compile(
    "[\U0001f000-\U0001faff\u2600-\u27bf\u2b00-\u2bff\u2190-\u21ff\ufe0f\u200d\u20e3\U000e0020-\U000e007f]+"
)
_LINK = re.compile(r"(?:https?://|www\.|t\.me/)[^\s\u3000-\u9fff\uff00-\uffef]+", re.IGNORECASE)
_TAIL_TAGS = re.compile(r"(?:\s*[#＃][\w\u4e00-\u9fff]+[#＃]?)+\s*$")
_TAG = re.compile(r"[#＃](\w+)[#＃]?")
_CALL = re.compile(
    r"^(?:[\s\W]*(?:breaking(?: news)?|just in|urgent|alert|news|update|exclusive|rt @\w+|jus in|latest|developing|flash|unconfirmed"
    r"|突发(?:消息)?|突發(?:消息)?|快讯|快訊|重磅(?:消息)?|最新(?:消息)?|独家|獨家|紧急|緊急|爆料|刚刚|剛剛|消息|速报|速報)"
    r"\s*[!！:：\]】\-—|,，]+\s*)+",
    re.IGNORECASE,
)
_BRACKETS = re.compile(
    r"^\s*[【\[](?:突发|突發|快讯|快訊|重磅|最新|独家|獨家|breaking|alert)[^】\]]{0,8}[】\]]\s*",
    re.I,
)
_MARKS = re.compile(r"([!！?？.。])\1+")
_ENDS = re.compile(r"[。.!?！？;；,，、\s]")
_HAN_RUN = re.compile(f"[{HAN}]+")
_NUMBER = re.compile(r"\d[\d,.]*")
_FEWEST = 6  # characters of a sentence that can stand for a message


@cache
def dotted_names() -> frozenset[str]:
    """Names that look like addresses, in low form: Gate.io, Amazon.com."""
    own = (name for each in profiles() for asset in each.assets for name in asset.names)
    parties = (name for entity in officials().entities for name in entity.names)
    return frozenset(low_forms(n.removeprefix("~") for n in (*own, *parties) if "." in n))


def cleaned(text: str) -> str:
    """The text in one line without addresses, pictures, tags at its end and calls for attention."""
    flat = _PICTURES.sub(" ", _LINK.sub(" ", text))
    if "." in flat and any(folded(link) not in dotted_names() for link in links(flat)):
        flat = without_links(flat)  # a bare or disguised one costs the text its own punctuation
    lines = (_TAIL_TAGS.sub("", line) for line in flat.splitlines())
    flat = " ".join(" ".join(lines).split())
    flat = _CALL.sub("", _BRACKETS.sub("", flat))
    flat = _MARKS.sub(r"\1", _TAG.sub(r"\1", flat))
    return flat.strip(" -—|:：,，")


def gist(flat: str, words: Sequence[str], language: str, longest: int = LONGEST) -> str:
    """The most telling sentences, at most as long as asked for, in the script of the language.

    The text comes from `cleaned`; `words` tell the kind of event, in low form. Nothing is translated and nothing is added.
    """
    spans = [span for span in sentences(flat) if span[1] - span[0] >= _FEWEST] or [(0, len(flat))]
    rated = sorted(range(len(spans)), key=lambda n: (-_rate(flat[slice(*spans[n])], words, n), n))
    chosen = [rated[0]]
    size = spans[rated[0]][1] - spans[rated[0]][0]
    following = rated[0] + 1
    if following < len(spans):
        more = spans[following][1] - spans[following][0]
        if size + more < longest and _rate(flat[slice(*spans[following])], words, 0) > 1:
            chosen.append(following)
    joined = " ".join(flat[slice(*spans[n])].strip() for n in sorted(chosen))
    return in_script_of(_cut(joined, longest), language)


def _rate(sentence: str, words: Sequence[str], number: int) -> float:
    low = folded(normalise(sentence).text)
    told = sum(word in low for word in words)
    return min(told, 3) + 0.5 * min(len(_NUMBER.findall(low)), 2) + 0.6 / (1 + number)


def _cut(text: str, longest: int) -> str:
    if len(text) <= longest:
        return text
    ends = [match.start() for match in _ENDS.finditer(text, longest // 2, longest - 1)]
    return text[: ends[-1] if ends else longest - 1].rstrip(" ,，、;；") + "…"


def in_script_of(text: str, language: str) -> str:
    """Chinese characters in the script of the reader; everything else as it is."""
    if language == "zh":
        return _HAN_RUN.sub(lambda run: simplify(run[0]), text)
    return traditional(text) if language == "zh-Hant" else text
