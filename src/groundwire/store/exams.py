"""Marks of models, one row for each model, question, prompt and set of items."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import bindparam, select

from groundwire.model.exam import Marks
from groundwire.store import table
from groundwire.store.schema_exams import marks
from groundwire.store.statement import Connection, Statement
from groundwire.store.table import DatabaseTable, Rows, columns_of, reads, writes

_KEY = ("model", "question", "prompts", "items")
_ROWS = Rows(Marks, columns_of(marks))
_GET = Statement(
    select(*_ROWS.columns).where(*(marks.c[name] == bindparam(f"of_{name}") for name in _KEY))
)
_ALL = Statement(select(*_ROWS.columns).order_by(marks.c.question, marks.c.model, marks.c.taken_at))
_PUT = table.put(marks, _KEY)


class ExamTable(DatabaseTable):
    """`ports.Exams` on a database."""

    @reads
    def marks(
        self, connection: Connection, model: str, question: str, prompts: str, items: str
    ) -> Marks | None:
        key = {"of_model": model, "of_question": question, "of_prompts": prompts, "of_items": items}
        return connection.first(_GET, key, _ROWS.value)

    @reads
    def all_marks(self, connection: Connection) -> Sequence[Marks]:
        """Return every mark ever taken, those of older prompts and items among them."""
        return [_ROWS.value(row) for row in connection.all(_ALL, {})]

    @writes
    def keep(self, connection: Connection, taken: Marks) -> None:
        connection.change(_PUT, _ROWS.cells(taken))
