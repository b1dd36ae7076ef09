"""Tell the mood of texts, and quote the sentences that show it."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from groundwire.context import Context
from groundwire.language.text.sentences import sentences
from groundwire.language.text.sentiment import Mood, Sentiment, moods_of, sentiment
from groundwire.model.base import Value

_SHOWN = 300  # characters of a sentence


class Input(Value):
    """Texts in Chinese or English; `extract_opinions` quotes the sentences that show a mood."""

    texts: tuple[Annotated[str, Field(max_length=20_000)], ...] = Field(
        min_length=1, max_length=1_000
    )
    extract_opinions: bool = False


class Opinion(Value):
    """A sentence that shows a mood, and the text that it stands in."""

    text: int  # its place among the texts, from 0
    mood: Mood
    quote: str


class Result(Value):
    """The mood of each text, null where its words show none, and their shares over all."""

    moods: tuple[Mood | None, ...]
    overall: Sentiment | None
    opinions: tuple[Opinion, ...] = ()


async def run(context: Context, given: Input) -> Result:
    """Tell panic, neutral or optimistic words of each text, negation aware; no match is null."""
    del context  # nothing outside is asked
    opinions = (
        tuple(each for place, text in enumerate(given.texts) for each in _opinions(place, text))
        if given.extract_opinions
        else ()
    )
    moods: tuple[Mood | None, ...] = tuple(_strongest(text) for text in given.texts)
    return Result(
        moods=moods,
        overall=sentiment(given.texts),
        opinions=opinions,
    )


def _strongest(text: str) -> Mood | None:
    counts = moods_of(text)
    ranked = sorted(counts, key=lambda mood: (-counts[mood], mood))
    return ranked[0] if ranked else None


def _opinions(place: int, text: str) -> list[Opinion]:
    found: list[Opinion] = []
    for start, end in sentences(text):
        said = text[start:end].strip()
        mood = _strongest(said)
        if mood is not None:
            found.append(Opinion(text=place, mood=mood, quote=said[:_SHOWN]))
    return found
