"""The store: ledger, budgets, cache, journal, runs, archive and memory, on SQLite or PostgreSQL."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from groundwire.plugins import part
from groundwire.store.access import AccessTable
from groundwire.store.budget import BudgetBook, QuotaTable
from groundwire.store.cache import CacheTable, RecentAnswers
from groundwire.store.citations import CitationTable
from groundwire.store.costs import CostTable
from groundwire.store.database import Database
from groundwire.store.dialect import Durability, Postgres
from groundwire.store.exams import ExamTable
from groundwire.store.journal import JournalTable
from groundwire.store.ledger import LedgerTable
from groundwire.store.migrate import current, ensure, upgrade
from groundwire.store.outbox import OutboxTable
from groundwire.store.runs import RunTable
from groundwire.store.schedules import ScheduleTable
from groundwire.store.sources import SourceTable
from groundwire.store.wakeups import WakeupTable

if TYPE_CHECKING:
    from groundwire.store.archive import ArchiveIndex
    from groundwire.store.catalogue import ArchiveCatalogue
    from groundwire.store.documents import PictureTable
    from groundwire.store.forget import Forgetter
    from groundwire.store.memory import MemoryTable
    from groundwire.store.messages import ExactWindow, MessageTable
    from groundwire.store.signals import SignalTable
    from groundwire.store.vectors import VectorTable

__all__ = ["Store", "current", "ensure", "open_store", "upgrade"]


class Store:
    """Everything that is kept, over one database; whoever opens it closes it.

    Parts that cut text are loaded on first use: a tokeniser takes longer than most commands.
    """

    index: ArchiveIndex = part("groundwire.store.archive", "ArchiveIndex", "database")
    catalogue: ArchiveCatalogue = part("groundwire.store.catalogue", "ArchiveCatalogue", "database")
    memory: MemoryTable = part("groundwire.store.memory", "MemoryTable", "database")
    vectors: VectorTable = part("groundwire.store.vectors", "VectorTable", "database")
    pictures: PictureTable = part("groundwire.store.documents", "PictureTable", "database")
    messages: MessageTable = part("groundwire.store.messages", "MessageTable", "database", "window")
    signals: SignalTable = part("groundwire.store.signals", "SignalTable", "database")

    def __init__(self, database: Database) -> None:
        recent = RecentAnswers()
        self._recent = recent
        self.database = database
        self.ledger = LedgerTable(database, recent)
        self.budget = BudgetBook(database)
        self.cache = CacheTable(database, recent)
        self.journal = JournalTable(database)
        self.runs = RunTable(database, lambda: self.window)
        self.citations = CitationTable(database)
        self.sources = SourceTable(database)
        self.quota = QuotaTable(database)
        self.costs = CostTable(database)
        self.outbox = OutboxTable(database)
        self.access = AccessTable(database)
        self.exams = ExamTable(database)
        self.schedules = ScheduleTable(database)

    @cached_property
    def window(self) -> ExactWindow:
        """The exact texts of the last day, whether a source or a run stored them."""
        from groundwire.store.messages import ExactWindow

        return ExactWindow()

    @cached_property
    def forgetting(self) -> Forgetter:
        """The part that forgets runs, documents and sites."""
        from groundwire.store.forget import Forgetter

        return Forgetter(self.database, self._recent, lambda: self.memory)

    @property
    def turn(self) -> Path | WakeupTable:
        """What decides who executes this database's runs: a lock file, or each run's own lease."""
        dialect = self.database.dialect
        if isinstance(dialect, Postgres):
            return WakeupTable(self.database, dialect)
        path = dialect.path
        return path.with_name(f"{path.name}.lock")

    async def close(self) -> None:
        """Finish what is queued and close the database."""
        await self.database.close()

    async def __aenter__(self) -> Store:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


def open_store(url: str, *, durability: Durability = "normal") -> Store:
    """Open a database, creating or upgrading its schema if needed."""
    ensure(url)
    return Store(Database(url, durability))
