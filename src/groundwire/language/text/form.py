"""What the form of a text says of it: whether it asks, tells, doubts, or only names something."""

from __future__ import annotations

import re

from groundwire.language.text.phrases import patterns
from groundwire.model.desk import Typed

LOOKED_AT = 600  # characters: the form of a text shows in its beginning
_SHORT = 6  # words of a topic; two Chinese characters are about one

_HAN = re.compile(r"[\u3400-\u9fff]")
_WORD = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+(?:[.'’\-][^\W_]+)*")
_SENTENCE = re.compile(r".*?(?:[.!?]+(?=\s)|[。！？\n]+)\s*", re.DOTALL)


_said = patterns("form.txt", flags=re.IGNORECASE)


def typed(text: str) -> Typed:
    """Return the form of a text."""
    stripped = text.strip()
    sentences = [each for each in _SENTENCE.findall(stripped + "\n") if _WORD.search(each)]
    if len(text) >= LOOKED_AT and len(sentences) > 1:
        sentences.pop()  # its end is cut off: nobody knows what it was
    marked = [each for each in sentences if re.search(r"[?？]", each)]
    words = len(_WORD.findall(stripped)) - len(_HAN.findall(stripped)) / 2
    tells = bool(_said["tells"].search(stripped))
    message = words > 60 or (len(sentences) > 2 and len(marked) < len(sentences))
    open_ended = bool(_said["opens"].search(stripped) or _said["wonders"].search(stripped))
    said_first = tells and len(sentences) > 1 and sentences[0] not in marked
    asks = bool(marked) or (open_ended and not (tells and _reports(stripped)))
    only = bool(marked) and len(marked) == len(sentences)
    orders = bool(_said["orders"].search(stripped))
    return Typed(
        text=stripped,
        # However long: who only asks, asks.
        asks=orders or (asks and not said_first and (not message or only)),
        doubts=bool(_said["doubts"].search(stripped)),
        tells=tells,
        topic=words <= _SHORT and not tells and not asks and not re.search(r"[.!。！]$", stripped),
        message=message,
    )


def _reports(text: str) -> bool:
    """Tell whether a Chinese statement only mentions a question: SEC 将决定何时批准."""
    return (
        bool(_HAN.search(text))
        and not re.search(f"{_said('particle')}|[?？]", text)
        and bool(re.search(_said("reports"), text))
    )
