"""How the reader of adjustable skill says whether quotes carry sentences."""

from __future__ import annotations

import re

from lab.stubs.brain import Prompt
from lab.stubs.keys import Keys, fold
from lab.stubs.skill import Skill
from lab.stubs.terms import Json

_SENTENCE = re.compile(r"(?m)^\((\d+)\) (.+)$")


def reviewed(prompt: Prompt, keys: Keys, skill: Skill) -> dict[str, Json]:
    """Say of each sentence whether it stands; of one without a key, whether a page has its words."""
    shown = fold(_SENTENCE.sub("", prompt.text))[0]
    readings: list[Json] = []
    for found in _SENTENCE.finditer(prompt.text):
        sentence = fold(found[2])[0]
        carried = keys.carried.get(sentence, sentence.rstrip(".。") in shown)
        erring = skill.errs("review_sentences", sentence)
        readings.append({"sentence": int(found[1]), "carried": carried != erring})
    return {"readings": readings}
