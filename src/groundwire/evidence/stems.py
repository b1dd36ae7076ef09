"""English words without their inflection, so that lost, loses and losing are one word."""

from __future__ import annotations

import re
from functools import lru_cache

_VOWEL = re.compile("[aeiouy]")
_LATIN = re.compile(r"[a-z]+")

# Base form, then the forms that no ending gives away; the verbs that news is made of.
_TABLE = """
arise arose arisen|become became|begin began begun|bet bet|bid bade bidden|blow blew blown|break broke broken
bring brought|build built|burst burst|buy bought|catch caught|choose chose chosen|come came|deal dealt|do did done
draw drew drawn|drive drove driven|eat ate eaten|fall fell fallen|feel felt|fight fought|find found|fly flew flown
forbid forbade forbidden|freeze froze frozen|get got gotten|give gave given|go went gone|grow grew grown|have had
hear heard|hold held|keep kept|know knew known|lead led|leave left|lend lent|lose lost|make made|mean meant|meet met
pay paid|rise rose risen|run ran|say said|see saw seen|seek sought|sell sold|send sent|shake shook shaken|shoot shot
show shown|shrink shrank shrunk|shut shut|sink sank sunk|speak spoke spoken|spend spent|stand stood|steal stole stolen
strike struck stricken|swear swore sworn|sweep swept|take took taken|teach taught|tell told|think thought
throw threw thrown|understand understood|wear wore worn|win won|withdraw withdrew withdrawn|write wrote written
"""
_BASES = {
    form: base
    for entry in _TABLE.replace("\n", "|").split("|")
    if entry
    for base, *forms in [entry.split()]
    for form in forms
}


def base(word: str) -> str:
    """The base form of an irregular verb; any other word as it is."""
    return _BASES.get(word, word)


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """A lower-case English word without its inflection; other tokens as they are.

    Only ever compared with other stems, so that it need not be a word.
    """
    word = base(word)
    if len(word) <= 3 or _LATIN.fullmatch(word) is None:
        return word
    if word.endswith("ies") and len(word) > 4:
        word = word[:-3] + "y"
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for suffix in ("ing", "ed"):
        rest = word.removesuffix(suffix)
        if rest != word and len(rest) > 2 and _VOWEL.search(rest):
            word = rest + "y" if suffix == "ed" and rest.endswith("i") else rest
            word = word.replace("iy", "y") if word.endswith("iy") else word
            break
    if len(word) > 3 and word.endswith("e"):
        word = word[:-1]
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiou" else word
