"""echo: words in, the same words out; what is loud is news."""

from __future__ import annotations

from pydantic import Field

from groundwire.context import Context
from groundwire.jobs import Job
from groundwire.model.base import Value
from groundwire.model.change import Belief, Change
from groundwire.model.outbox import Letter, Notice
from groundwire.model.result import Cost


class EchoInput(Value):
    """Words to be said again."""

    words: str = Field(min_length=1, max_length=200, description="What is said.")
    loud: bool = Field(default=False, description="Say it in capitals.")


class EchoResult(Value):
    run_id: str
    status: str = "complete"
    said: str
    count: int
    parcels: int = 0
    cost: Cost = Cost()
    latency_ms: int = 0


async def run(context: Context, given: EchoInput) -> EchoResult:
    said = given.words.upper() if given.loud else given.words
    await context.step("say").emit("answer", {"text": said})
    return EchoResult(run_id=context.run_id, said=said, count=len(said.split()))


def notice(result: EchoResult) -> Notice | None:
    """Tell of what is loud."""
    if not result.said.isupper():
        return None
    letter = Letter(title=result.said, lines=(f"{result.count}",))
    return Notice(kind="echo", content={"said": result.said}, letter=letter)


def believes(result: EchoResult, language: str) -> tuple[Belief, ...]:
    count = str(result.count)
    return (
        Belief(id="said", text=result.said, called=f"words {language}", value=count, told=count),
    )


def changes(result: EchoResult, language: str) -> tuple[Change, ...]:
    """Take what is loud for new."""
    if not result.said.isupper():
        return ()
    return (Change(kind="new", claim_id="said", after=believes(result, language)[0]),)


JOB = Job(
    kind="echo",
    input=EchoInput,
    result=EchoResult,
    run=run,
    draw=lambda: "graph TD;\n  say;\n",
    notice=notice,
    believes=believes,
    changes=changes,
    standing=True,
)
