"""A step of the thought chain, as it is streamed: what was thought, done and seen, in codes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from groundwire.context import Context
from groundwire.jobs.watch.phases import Phase
from groundwire.model.base import JsonObject
from groundwire.model.phrase import Phrase, phrase
from groundwire.model.result import Degraded, Recovered
from groundwire.reasoning.question import Answer, I, O, Question
from groundwire.words import words

_MODEL = "model:"  # what it took to have an answer is told as it is asked


async def think(
    context: Context,
    phase: Phase,
    thought: Phrase,
    *,
    action: Phrase | None = None,
    observation: Phrase | None = None,
    tool_calls: Sequence[str] = (),
    **more: object,
) -> None:
    """Emit a step; the event says what was seen, where there is something, else what was thought."""
    payload: JsonObject = {
        "phase": phase,
        "thought": thought.model_dump(),
        "action": action and action.model_dump(),
        "observation": observation and observation.model_dump(),
        "tool_calls": list(tool_calls),
        "says": (observation or thought).model_dump(),
        **more,
    }
    await context.emit("thought", payload)


def way_of(tried: str) -> Phrase:
    """Say what was tried: a way that has a name, or another provider."""
    code = f"recovery.tried.{tried}"
    return phrase(code) if words("en").has(code) else phrase("recovery.asked", name=tried)


async def tell_recoveries(context: Context, recovered: Iterable[Recovered]) -> None:
    """Emit a step for each failure that was met on the way, and what was done about it."""
    for number, each in enumerate(recovered):
        failure = phrase(f"failure.{each.error}")
        await think(
            context.step(str(number)),
            "recovering",
            phrase("watch.thought.recovering", failure=failure),
            action=way_of(each.tried),
            observation=phrase(f"watch.seen.recovery_{each.outcome}", failure=failure),
            tool_calls=[f"{each.part}: {each.subject}"],
        )


async def asked(
    context: Context, question: Question[I, O], given: I, language: str, occasion: str = ""
) -> Answer[O]:
    """Ask, and tell what it took to have an answer: a repair, another model, the embedded reasoner."""
    answer = await context.ask(question, given, language=language, occasion=occasion)
    here = context.step("/".join(filter(None, ("asked", question.prompt, occasion))))
    await tell_recoveries(
        here,
        (
            Recovered(part="model", subject=question.prompt, **each.model_dump())
            for each in answer.recoveries
        ),
    )
    return answer


async def tell_failures(context: Context, degraded: Iterable[Degraded]) -> None:
    """Emit a step for each provider that failed, and for what is done instead."""
    providers = (each for each in degraded if not each.part.startswith(_MODEL))
    for number, each in enumerate(providers):
        failure = phrase(f"failure.{each.code}")
        instead = phrase(each.instead, **each.params)
        await think(
            context.step(f"failed{number}"),
            "recovering",
            phrase("watch.thought.failed", part=each.part, failure=failure),
            action=instead,
        )
