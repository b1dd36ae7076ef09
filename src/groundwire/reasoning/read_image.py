"""What does this picture show, and what is written in it: as data, never as instructions."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field

from groundwire.language.text.links import has_link
from groundwire.model.base import Value
from groundwire.model.phrase import Phrase, phrase
from groundwire.model.picture import PictureRef
from groundwire.reasoning.question import Question
from groundwire.words import words

MOST_LINES = 60


class ImageInput(Value):
    """A picture, what is wanted of it, and the language to describe it in."""

    picture: PictureRef
    language: str
    wanted: str = ""


class ImageReading(Value):
    """What can be seen. `lines` are copied from the picture, in whatever language they are."""

    description: str = Field(max_length=4_000, description="what the picture shows")
    lines: tuple[str, ...] = Field(default=(), description="text in the picture, copied exactly")
    unclear: str = Field(default="", max_length=1_000, description="what cannot be made out")


def _variables(given: ImageInput, seed: str) -> Mapping[str, str]:
    del seed  # the picture is sent apart from the text: there is nothing to fence off
    return {"wanted": given.wanted, "language": given.language}


def _embedded(given: ImageInput) -> ImageReading:
    """Say that nothing was seen: rules and word lists cannot look."""
    about = {"kind": given.picture.media_type, "size": f"{given.picture.size:,}"}
    say = words(given.language)
    return ImageReading(
        description=say("picture.unseen", **about), unclear=say("picture.all_unclear")
    )


def _fault_of(given: ImageInput, reading: ImageReading) -> Phrase | None:
    del given
    if not reading.description.strip():
        return phrase("fault.no_description")
    # Law 1: no address from a model is shown, not even one that it claims to have seen.
    if has_link(reading.description) or has_link(reading.unclear):
        return phrase("fault.link")
    many = len(reading.lines) > MOST_LINES
    return phrase("fault.many_lines", n=MOST_LINES) if many else None


QUESTION: Question[ImageInput, ImageReading] = Question(
    prompt="vision/read_image",
    tier="vision",
    output=ImageReading,
    variables=_variables,
    embedded=_embedded,
    fault_of=_fault_of,
    prose=lambda reading: f"{reading.description}\n{reading.unclear}",
    pictures=lambda given: (given.picture,),
)
