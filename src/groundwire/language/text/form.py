"""What the form of a text says: whether it asks, tells, doubts, or only names something."""

from __future__ import annotations

import re

from groundwire.language.text.phrases import patterns
from groundwire.model.desk import Typed

LOOKED_AT = 600  # characters: the beginning shows the form of a text
_SHORT = 6  # words of a topic; two Chinese characters are about one

_HAN = re.compile(r"[\u3400-\u9fff]")
_WORD = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+(?:[.'’\-][^\W_]+)*")
_SENTENCE = re.compile(r".*?(?:[.!?]+(?=\s)|[。！？\n]+)\s*", re.DOTALL)
_patterns = patterns("form.txt", flags=re.IGNORECASE)


def form_of(text: str) -> Typed:
    """Classify a text by its form."""
    stripped = text.strip()
    sentences = [each for each in _SENTENCE.findall(stripped + "\n") if _WORD.search(each)]
    if len(text) >= LOOKED_AT and len(sentences) > 1:
        sentences.pop()  # its end is cut off and unknown
    questions = [each for each in sentences if re.search(r"[?？]", each)]
    words = len(_WORD.findall(stripped)) - len(_HAN.findall(stripped)) / 2
    tells = bool(_patterns["tells"].search(stripped))
    message = words > 60 or (len(sentences) > 2 and len(questions) < len(sentences))
    open_ended = bool(_patterns["opens"].search(stripped) or _patterns["wonders"].search(stripped))
    tells_first = tells and len(sentences) > 1 and sentences[0] not in questions
    asks = bool(questions) or (open_ended and not (tells and _reports(stripped)))
    all_questions = bool(questions) and len(questions) == len(sentences)
    orders = bool(_patterns["orders"].search(stripped))
    return Typed(
        text=stripped,
        # However long, a text of questions only is a question.
        asks=orders or (asks and not tells_first and (not message or all_questions)),
        doubts=bool(_patterns["doubts"].search(stripped)),
        tells=tells,
        topic=words <= _SHORT and not tells and not asks and not re.search(r"[.!。！]$", stripped),
        message=message,
    )


def _reports(text: str) -> bool:
    """Tell whether a Chinese statement only mentions a question: SEC 将决定何时批准."""
    return (
        bool(_HAN.search(text))
        and not re.search(f"{_patterns('particle')}|[?？]", text)
        and bool(re.search(_patterns("reports"), text))
    )
