"""toy: words in, the same words counted out."""

from __future__ import annotations

from groundwire.jobs.toy.settings import ToySettings
from groundwire.jobs.toy.steps import STEPS
from pydantic import Field

from groundwire.context import Context
from groundwire.jobs import Job
from groundwire.model.base import JsonObject, Value
from groundwire.model.result import Cost
from groundwire.settings import Settings


class ToyInput(Value):
    """Words to be counted."""

    words: str = Field(min_length=1, max_length=200, description="What is counted.")
    loud: bool = Field(default=False, description="Say it in capitals.")
    language: str = Field(default="auto", description="Of the result.")


class ToyResult(Value):
    run_id: str
    status: str = "complete"
    said: str
    count: int
    cost: Cost = Cost()
    latency_ms: int = 0


async def run(context: Context, given: ToyInput) -> ToyResult:
    limits = ToySettings.model_validate(context.parts.limits["toy"])
    words = given.words.split()[: limits.most]
    await context.step("split").emit("thought", {"phase": "split", "words": list(words)})
    text = " ".join(words).upper() if given.loud else " ".join(words)
    await context.step("count").emit("answer", {"text": text})
    await context.step("count").emit("tally", {"n": len(words)})
    return ToyResult(run_id=context.run_id, said=text, count=len(words))


def prepare(settings: Settings, _door: str) -> JsonObject:
    return {"language": settings.language}


JOB = Job(
    kind="toy",
    input=ToyInput,
    result=ToyResult,
    run=run,
    draw=lambda: "graph TD;\n  split --> count;\n",
    steps=STEPS,
    options={"most": None},
    prepare=prepare,
    standing=True,
)
