"""A reader of adjustable skill sits the exams of the product, so that what its answers count for is earned."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from groundwire.app import App, open_app
from groundwire.app.clients import Clients
from groundwire.app.wiring import Wiring
from groundwire.fetch.pool import ParsePool
from groundwire.jobs.sections import Settings
from groundwire.llm.model import Usage
from groundwire.model.base import Value
from groundwire.model.exam import ExamRow, Marks
from lab.evaluation.worlds import MODEL
from lab.stubs.harness import Desk
from lab.stubs.inprocess import InProcess
from lab.stubs.models import Model
from lab.stubs.reader import Reader

# One name in both tiers, so that each exam is sat once.
READER_SETTINGS: dict[str, object] = {
    "models.light": ["openai:reader"],
    "models.heavy": ["openai:reader"],
    "budget.run_usd": "none",  # an unknown name is priced as the dearest models are
    "budget.day_usd": "none",
    "budget.month_usd": "none",
    "models.providers.openai.api_key": "sk-frozen",
    "models.providers.openai.base_url": f"https://{MODEL}/v1",
}


class Examined(Value):
    """What a reader has earned: its marks, the table of them, and the tokens that they took."""

    marks: tuple[Marks, ...]
    rows: tuple[ExamRow, ...]
    tokens: int


async def sit_exams(reader: Reader, pool: ParsePool) -> Examined:
    """Let the reader sit every exam, on a desk of its own."""
    model = Model(reader)
    transport = InProcess(lambda host: model if host == MODEL else None, Desk())
    with TemporaryDirectory(prefix="gw-exam-") as home:
        loaded = Settings.load({**READER_SETTINGS, "home": home}, cwd=Path(home), env={})
        wiring = partial(Wiring, clients=Clients(loaded.settings, transport), pool=pool)
        async with open_app(loaded, outside=wiring) as app:
            run = await app.exams.sit("", (), again=False)
            ended = await app.finished(run.id)
            if ended.state != "complete":
                raise RuntimeError(
                    f"the reader could not sit its exams: {ended.error or ended.state}"
                )
            return Examined(
                marks=tuple(await app.store.exams.all_marks()),
                rows=tuple(await app.exams.rows()),
                tokens=await tokens_of(app, run.id),
            )


async def tokens_of(app: App, run_id: str) -> int:
    """Count the tokens that models read and wrote for a run, by what their vendors count."""
    records = await app.store.ledger.records(run_id)
    replies = [each.response for each in records if each.kind == "model" and each.response]
    used = [Usage.model_validate(reply.get("usage", {})) for reply in replies]
    return sum(each.input_tokens + each.output_tokens for each in used)
