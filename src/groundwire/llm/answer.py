"""The ladder: each model in order, one repair round each, and then typed failures."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from pydantic import BaseModel, Field, ValidationError

from groundwire.errors import OutsideFailure
from groundwire.language.text.characters import HAN, detect_language
from groundwire.llm.model import ModelCall, read_object
from groundwire.llm.prompts import Rendered, load, render
from groundwire.llm.spec import ModelSpec
from groundwire.model.base import Json, JsonObject, Value, canonical
from groundwire.model.call import Recovery
from groundwire.model.phrase import Phrase, phrase, phrase_of
from groundwire.model.picture import PictureRef
from groundwire.words import words

Output = TypeVar("Output", bound=BaseModel)

# Makes and records the call; returns the recorded `{output, usage, finish, model}`. Raises
# `OutsideFailure`.
Caller: TypeAlias = Callable[[ModelSpec, JsonObject, str], Awaitable[JsonObject]]

_REPAIR = "llm/repair"
_LONGEST_ECHO = 8_000  # characters of a bad answer that its repair shows
_MOST_FAULTS = 8
MOST_TOKENS = 4096  # of an answer
_NAME = re.compile(r"[A-Za-z_]\w{0,39}", re.ASCII)
_HAN = re.compile(f"[{HAN}]")
_WORD = re.compile(rf"[^\W\d_{HAN}]+(?:['’\-][^\W\d_{HAN}]+)*")
# Scripts that neither a Chinese nor an English answer is written in.
_OTHER_SCRIPTS = frozenset({"ar", "ja", "ko", "ru"})
# Too little to tell: a name, a ticker, a year.
_FEWEST = 4


class Failure(Value):
    """Why one model gave no answer: an outside failure's code, or the fault of its output."""

    model: str
    code: str  # bad_output, wrong_language, failed_check, or an `OutsideFailure.code`
    message: str  # a code of the catalogue, or the fault of an output
    params: JsonObject = Field(default_factory=dict)

    @property
    def phrase(self) -> Phrase:
        return Phrase(code=self.message, params=self.params)


@dataclass(frozen=True, slots=True)
class Answered(Generic[Output]):
    """An answer that passed every check; `failures` are of the models tried before."""

    value: Output
    model: str
    failures: tuple[Failure, ...] = ()
    recoveries: tuple[Recovery, ...] = ()  # what was tried to have it, in order


@dataclass(frozen=True, slots=True)
class Unanswered:
    """No model answered; the embedded reasoner is next."""

    failures: tuple[Failure, ...]
    recoveries: tuple[Recovery, ...] = ()


async def answer(
    models: Sequence[ModelSpec],
    rendered: Rendered,
    output: type[Output],
    *,
    call: Caller,
    occasion: str,
    language: str,
    check: Callable[[Output], Phrase | None],
    prose: Callable[[Output], str],
    pictures: Sequence[PictureRef] = (),
    most: int | None = None,
) -> Answered[Output] | Unanswered:
    """Ask each model in order until one gives an answer that holds, or `most` requests were made.

    `check` names a complaint about a well-formed answer, or None. `prose` gives the texts whose
    language is locked, a line each. What is asked depends only on the arguments and on recorded
    responses, so that a restarted run asks the same.
    """
    failures: list[Failure] = []
    recoveries: list[Recovery] = []
    made = 0

    async def counted(spec: ModelSpec, request: JsonObject, occasion: str) -> JsonObject:
        nonlocal made
        made += 1
        return await call(spec, request, occasion)

    for spec in models:
        left = None if most is None else most - made
        if left == 0:
            break
        question = _Question(
            spec, rendered, output, counted, language, check, prose, tuple(pictures),
            repairs=left != 1,
        )  # fmt: skip
        found, tried = await question.answer(occasion)
        answered = not isinstance(found, Failure)
        if failures:
            recoveries.append(Recovery.of(failures[-1].code, spec.label, worked=answered))
        recoveries += tried
        if not isinstance(found, Failure):
            return Answered(found, spec.label, tuple(failures), tuple(recoveries))
        failures.append(found)
    return Unanswered(tuple(failures), tuple(recoveries))


@dataclass(frozen=True, slots=True)
class _Fault:
    """What is wrong with an output: for people, and in full for the model that repairs it."""

    code: str
    reason: Phrase
    detail: str = ""

    @property
    def complaint(self) -> str:
        return self.detail or words("en").phrase(self.reason)


@dataclass(frozen=True, slots=True)
class _Question(Generic[Output]):
    """One question to one model."""

    spec: ModelSpec
    rendered: Rendered
    output: type[Output]
    call: Caller
    language: str
    check: Callable[[Output], Phrase | None]
    prose: Callable[[Output], str]
    pictures: tuple[PictureRef, ...]
    repairs: bool

    async def answer(self, occasion: str) -> tuple[Output | Failure, tuple[Recovery, ...]]:
        """Return the answer or why there is none, and what was tried to have it."""
        met: _Fault | None = None
        try:
            output = await self._ask(self.rendered, occasion)
            value = self._check(output)
            if not isinstance(value, _Fault):
                return value, ()
            if not self.repairs:
                return self._failure(value.code, value.reason), ()
            met = value
            # A repair is a new call of ours, recorded and paid for under its own occasion.
            output = await self._ask(self._repair(output, met), f"{occasion}:repair")
        except OutsideFailure as error:
            repaired = () if met is None else (Recovery.of(met.code, "repair", worked=False),)
            failure = self._failure(error.code, phrase_of(error))
            return failure, (*repaired, *Recovery.in_vain(error))
        value = self._check(output)
        failed = isinstance(value, _Fault)
        tried = (Recovery.of(met.code, "repair", worked=not failed),)
        return (self._failure(value.code, value.reason) if failed else value), tried

    async def _ask(self, rendered: Rendered, occasion: str) -> Json:
        model_call = ModelCall.of(self.spec, rendered, self.output, MOST_TOKENS, self.pictures)
        response = await self.call(self.spec, model_call.request(), occasion)
        return response.get("output")

    def _check(self, output: Json) -> Output | _Fault:
        fields = read_object(output) if isinstance(output, str) else output
        if not isinstance(fields, dict):
            return _Fault("bad_output", phrase("fault.no_object"))
        try:
            value = self.output.model_validate(fields)
        except ValidationError as error:
            return _Fault("bad_output", phrase("fault.form"), _faults(error))
        if wrong_language(self.prose(value).splitlines(), self.language) is not None:
            # The failure is shown to people: an unchecked text of the model's is not repeated.
            zh = self.language.lower().startswith("zh")
            return _Fault("wrong_language", phrase("fault.not_zh" if zh else "fault.not_en"))
        complaint = self.check(value)
        return _Fault("failed_check", complaint) if complaint else value

    def _failure(self, code: str, reason: Phrase) -> Failure:
        return Failure(model=self.spec.label, code=code, message=reason.code, params=reason.params)

    def _repair(self, output: Json, fault: _Fault) -> Rendered:
        prompt = load(_REPAIR, self.language)
        shown = output if isinstance(output, str) else canonical(output).decode()
        repair = render(prompt, {"complaint": fault.complaint, "output": shown[:_LONGEST_ECHO]})
        return Rendered(
            prompt=f"{self.rendered.prompt}+{repair.prompt}",
            sha256=self.rendered.sha256,
            system=f"{self.rendered.system}\n\n{repair.system}",
            user=f"{self.rendered.user}\n\n{repair.user}",
        )


def _faults(error: ValidationError) -> str:
    """List where and what, without the values: those are in the echoed answer already.

    The name of an unexpected field is the model's own, and may be any text.
    """
    found = error.errors(include_url=False, include_input=False, include_context=False)
    lines = (f"{'.'.join(map(_named, fault['loc']))}: {fault['msg']}" for fault in found)
    shown = list(lines)[:_MOST_FAULTS]
    more = len(found) - len(shown)
    return "; ".join(shown) + (f"; and {more} more" if more else "")


def _named(part: int | str) -> str:
    return str(part) if isinstance(part, int) or _NAME.fullmatch(part) else "…"


def wrong_language(texts: Iterable[str], language: str) -> str | None:
    """Return the first text that is not in the language, or None.

    What a model writes itself must be in the language that was asked for.
    """
    return next((text for text in texts if not _fits(text, language)), None)


def _fits(text: str, language: str) -> bool:
    """Judge a text's language by the share of Chinese characters among characters and words.

    `detect_language` weighs letters, which is right for a page; in a single sentence a few foreign
    names would outweigh the rest, so here a name counts as one word.
    """
    chinese, words = len(_HAN.findall(text)), len(_WORD.findall(text))
    if chinese + words < _FEWEST:
        return True
    if detect_language(text) in _OTHER_SCRIPTS:
        return False
    share = chinese / (chinese + words)
    # A Chinese sentence full of foreign names still has its own particles; an English one none.
    return share >= 0.3 if language.lower().startswith("zh") else share <= 0.5
