"""Look at a picture: what it shows, and what is written in it."""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict, Field, model_validator

from groundwire.context import Context
from groundwire.errors import Unfit
from groundwire.evidence.pages.injection import injected_instructions
from groundwire.evidence.sources.urls import scrub_url
from groundwire.language.text.characters import detect_language
from groundwire.language.text.links import has_link, without_links
from groundwire.language.text.script import language_of_question
from groundwire.model.base import JsonObject, Value
from groundwire.model.call import CallError
from groundwire.model.picture import PictureRef
from groundwire.reasoning.question import EMBEDDED
from groundwire.reasoning.read_image import QUESTION, ImageInput


def _either(schema: JsonObject) -> None:
    """Tell readers of the schema that exactly one of the two is given."""
    nothing = {"type": "null"}
    schema["oneOf"] = [
        {"required": ["url"], "properties": {"url": {"type": "string"}, "picture": nothing}},
        {"required": ["picture"], "properties": {"picture": {"type": "object"}, "url": nothing}},
    ]


class Input(Value):
    """Which picture: one of the web, or one that a door has put into the store."""

    model_config = ConfigDict(frozen=True, extra="forbid", json_schema_extra=_either)

    url: str | None = Field(default=None, min_length=1, max_length=8000)
    picture: PictureRef | None = None
    wanted: str = Field(default="", max_length=4000)
    language: Literal["auto", "zh", "zh-Hant", "en"] = "auto"  # auto: that of what is wanted

    @model_validator(mode="after")
    def _one(self) -> Input:
        if (self.url is None) == (self.picture is None):
            raise Unfit("input.one_picture")
        return self


class Result(Value):
    """What was seen, by whom. `seen` is False when nobody could look; nothing is made up then.

    Flags: `injection` (the picture holds instructions to machines), `links_removed` (addresses
    in it were left out: law 1).
    """

    url: str | None
    picture: PictureRef
    seen: bool
    by: str
    description: str
    lines: tuple[str, ...] = ()
    unclear: str = ""
    flags: tuple[str, ...] = ()


async def run(context: Context, given: Input) -> Result:
    """Show the picture to a model of the vision tier, and give back what it reports.

    Raises the last failure where models were set and none of them answered.
    """
    ref = given.picture if given.url is None else await context.picture(given.url)
    assert ref is not None  # by the validator of the input
    detected = language_of_question(detect_language(given.wanted))
    language = detected if given.language == "auto" else given.language
    image_input = ImageInput(picture=ref, language=language, wanted=given.wanted)
    answer = await context.ask(QUESTION, image_input, language=language)
    seen = answer.by != EMBEDDED
    if not seen and answer.failures:
        last = answer.failures[-1]
        if "who" in last.params:  # the sentence names the model itself
            raise CallError(code=last.code, message=last.message, params=last.params).to_exception()
        params = {"model": last.model, "why": last.phrase.model_dump()}
        raise CallError(code=last.code, message="outside.of_model", params=params).to_exception()
    reading = answer.value
    seen_text = "\n".join([reading.description, reading.unclear, *reading.lines])
    flags = {
        "injection": bool(injected_instructions(seen_text)),
        "links_removed": any(map(has_link, reading.lines)),
    }
    return Result(
        url=None if given.url is None else scrub_url(given.url),
        picture=ref,
        seen=seen,
        by=answer.by,
        description=reading.description,
        lines=tuple(line for line in map(without_links, reading.lines) if line.strip()),
        unclear=reading.unclear,
        flags=tuple(name for name, raised in flags.items() if raised),
    )
