"""The shape of every question: what is asked, a prompt for models, an embedded answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Literal, TypeVar

from pydantic import BaseModel

from groundwire.model.base import Value
from groundwire.model.phrase import Phrase
from groundwire.model.picture import PictureRef

if TYPE_CHECKING:
    from groundwire.llm.answer import Failure
    from groundwire.model.call import Recovery
    from groundwire.model.exam import Standing
    from groundwire.reasoning.exam import Exam

I = TypeVar("I", bound=Value)  # noqa: E741 — input
O = TypeVar("O", bound=BaseModel)  # noqa: E741 — output

Tier = Literal["light", "heavy", "vision"]
Vote = Literal["decides", "advises"]  # what an answer counts for; see `reasoning.exam`
EMBEDDED = "embedded"  # the author of an answer that no model gave


@dataclass(frozen=True)
class Question(Generic[I, O]):
    """What is asked, in which words, and how it is answered without a model.

    `variables` fills the prompt (`seed` derives the delimiters around passages); `fault_of`
    names what is wrong with a model's answer beyond its schema, for the repair round; `prose`
    gives the texts whose language is locked; `pictures` names those that are shown with it.
    """

    prompt: str  # its file: <job or group>/<question>, see `llm.prompts`
    tier: Tier
    output: type[O]
    variables: Callable[[I, str], Mapping[str, str]]
    embedded: Callable[[I], O]
    fault_of: Callable[[I, O], Phrase | None]
    prose: Callable[[O], str]
    pictures: Callable[[I], tuple[PictureRef, ...]] = lambda _: ()
    exam: Exam[I, O] | None = None  # None: nothing hangs on who answers it
    takes_advice: bool = True  # False: only a model that decides is asked
    requests: int | None = None  # that one answer may take, over all models and repairs


@dataclass(frozen=True)
class Answer(Generic[O]):
    """The answer, whose it is (`embedded` or `vendor:model`), and which models failed before.

    `vote` is what a model's answer counts for: one that has not earned more advises. `standings`
    are those of all models that could have been asked, those that are not asked among them.
    """

    value: O
    by: str
    failures: tuple[Failure, ...] = ()
    vote: Vote = "advises"
    standings: tuple[Standing, ...] = ()  # (): the question has no exam
    recoveries: tuple[Recovery, ...] = ()  # what was tried to have a model's answer, in order
