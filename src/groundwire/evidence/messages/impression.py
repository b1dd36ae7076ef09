"""What a message's own wording says: a first confidence as a sum of signs, flags, and its kind."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, get_args

from groundwire.evidence.messages.noise import is_shouted
from groundwire.evidence.pages.injection import injected_instructions
from groundwire.evidence.sources.official import official_language
from groundwire.evidence.sources.publishers import named_sources
from groundwire.language.amounts.numbers import figures
from groundwire.language.text.characters import folded, normalise, simplify
from groundwire.language.text.phrases import patterns
from groundwire.language.time.dates import date_mentions

TextFlag = Literal[
    "hedged",
    "anonymous_source",
    "promotional",
    "sensational",
    "question",
    "denial",
    "no_claim",
    "instructions",
]
MessageKind = Literal["news", "retrospective", "opinion"]
BASE = 0.50  # a plain statement by nobody in particular
LEAST, MOST = 0.20, 0.85  # wording alone neither damns nor proves anything
# Each sign counts once.
SIGNS: dict[str, float] = {
    "official_language": 0.10,
    "named_source": 0.08,
    "figure": 0.07,
    "more_figures": 0.03,
    "dated": 0.04,
    "asset": 0.05,
    "clear_event": 0.05,
    "hedged": -0.15,
    "anonymous_source": -0.10,
    "promotional": -0.12,
    "exclamation": -0.05,
    "capitals": -0.05,
    "question": -0.10,
    "no_claim": -0.15,
    "instructions": -0.15,
}
_patterns = patterns("messages.txt", "groundwire.evidence.data", re.IGNORECASE)
_ROCKETS = re.compile("[\U0001f680\U0001f48e\U0001f319\U0001f4b0\U0001f911]")
_MANY_LETTERS = 24
_EXCLAIMED = 2
_CLEAR = 3.0
_STATED = re.compile(r"[^?!.。;\n]{6,}[.。!;\n]|[^?]$")


@dataclass(frozen=True, slots=True)
class Impression:
    """A confidence, the signs that add up to it, and the flags of the text."""

    confidence: float
    signs: tuple[tuple[str, float], ...]  # in the order of `SIGNS`
    flags: tuple[TextFlag, ...]


def impression(
    text: str, prose: str, *, event_type_margin: float, names_asset: bool, typed: bool
) -> Impression:
    """Add up the signs of the wording, starting from `BASE`, within `LEAST` and `MOST`.

    `text` is the message as it came, `prose` what is left of it without noise.
    """
    flat = normalise(prose).text
    low = folded(flat)
    amounts = [figure for figure in figures(flat) if figure.unit or figure.value >= 10]
    question = flat.rstrip("\"') ").endswith("?") and _STATED.match(flat) is None
    seen: dict[str, bool] = {
        "official_language": official_language(flat) == "plain",
        "named_source": bool(named_sources(low)),
        "figure": bool(amounts),
        "more_figures": len(amounts) > 1,
        "dated": bool(date_mentions(flat)),
        "asset": names_asset,
        "clear_event": typed and event_type_margin >= _CLEAR,
        "hedged": _patterns["hedged"].search(low) is not None,
        "anonymous_source": _patterns["anonymous"].search(low) is not None,
        "promotional": bool(_patterns["promotes"].search(low) or len(_ROCKETS.findall(text)) > 1),
        "exclamation": text.count("!") + text.count("！") >= _EXCLAIMED,
        "capitals": is_shouted(text, _MANY_LETTERS),
        "question": question,
        "no_claim": not typed and not names_asset and not amounts,
        "instructions": bool(injected_instructions(text)),
        "denial": _patterns["denies"].search(low) is not None,
    }
    seen["sensational"] = seen["exclamation"] or seen["capitals"]
    signs = tuple((name, weight) for name, weight in SIGNS.items() if seen[name])
    total = BASE + sum(weight for _, weight in signs)
    flags: tuple[TextFlag, ...] = get_args(TextFlag)
    return Impression(
        round(max(LEAST, min(MOST, total)), 2), signs, tuple(each for each in flags if seen[each])
    )


def message_kind(text: str) -> tuple[MessageKind, str]:
    """Classify a message and return the words that say so; it is news unless it says otherwise."""
    # Line by line: the marks of a kind stand at the start of a line.
    flat = "\n".join(simplify(line) for line in text.splitlines())
    if found := _patterns["looks back"].search(flat):
        return "retrospective", _words(found)
    if found := _patterns["piece of opinion"].search(flat):
        return "opinion", _words(found)
    for sentence in re.split(r"(?<=[。!?;])|(?<=[.]) |\n", flat):
        found = _own_view(sentence)
        if _patterns["priced"].search(sentence) and not _patterns["no forecast"].search(sentence):
            found = found or _patterns["foretold"].search(sentence)
        if found:
            return "opinion", _words(found)
    return "news", ""


def _words(match: re.Match[str]) -> str:
    return match.group().strip(" \n[](){}【】「」《》|:,-—丨")


def _own_view(sentence: str) -> re.Match[str] | None:
    view = _patterns["i think"].search(sentence)
    if view is None:
        return None
    before = sentence[: view.start()]
    # Powell: "I think…"; 鲍威尔：我认为…
    reported = re.search(r"[:\"'“‘]\s*$|[:\"“]", before) or _patterns["reported"].search(before)
    quoted_after = re.search(r"[\"”],? \w+ (?:said|says|told|wrote)\b", sentence[view.end() :])
    return None if reported or quoted_after else view
