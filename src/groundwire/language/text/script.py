"""Our own Chinese labels in traditional characters; text of pages is never converted."""

from __future__ import annotations

from functools import cache, lru_cache
from importlib.resources import files


@cache
def _table(name: str) -> dict[str, str]:
    lines = files("opencc").joinpath("dictionary", name).read_text("utf-8").splitlines()
    pairs = (line.split("\t") for line in lines if "\t" in line)
    return {pair[0]: pair[1].split()[0] for pair in pairs}


@cache
def _longest() -> int:
    return max(map(len, _table("STPhrases.txt")), default=1)


@lru_cache(maxsize=1024)
def traditional(text: str) -> str:
    """Simplified to traditional by OpenCC's tables: the longest phrase first, then characters."""
    phrases, characters = _table("STPhrases.txt"), _table("STCharacters.txt")
    usual = _table("TWVariants.txt")  # 為 and 裡, as they are written today
    out: list[str] = []
    at = 0
    while at < len(text):
        for size in range(min(_longest(), len(text) - at), 1, -1):
            known = phrases.get(text[at : at + size])
            if known is not None:
                out.append(known)
                at += size
                break
        else:
            out.append(characters.get(text[at], text[at]))
            at += 1
    return "".join(usual.get(char, char) for char in "".join(out))


def language_of_question(detected: str) -> str:
    """The language in which a question is answered: zh, zh-Hant or en."""
    return detected if detected in ("zh", "zh-Hant") else "en"
