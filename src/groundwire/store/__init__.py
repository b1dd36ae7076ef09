"""The store: ledger, budgets, cache, journal, runs, archive and memory, on SQLite or PostgreSQL."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, cast

from groundwire.model import ports
from groundwire.model.catalogue import Catalogue
from groundwire.model.citing import Citations
from groundwire.model.event_ports import Messages, Outbox, Quota, Signals
from groundwire.model.ports import Access, Costs, Index, Pictures, Sources, Vectors
from groundwire.store.budget import BudgetBook
from groundwire.store.cache import CacheTable, RecentAnswers
from groundwire.store.database import Database
from groundwire.store.dialect import Durability, Postgres, Sqlite
from groundwire.store.journal import JournalTable
from groundwire.store.ledger import LedgerTable
from groundwire.store.migrate import current, ensure, upgrade
from groundwire.store.runs import RunTable
from groundwire.store.wakeups import WakeupTable

if TYPE_CHECKING:
    from groundwire.store.forget import Forgetter
    from groundwire.store.window import ExactWindow

__all__ = ["Store", "current", "ensure", "open_store", "upgrade"]


class Store:
    """Everything that is kept, over one database; whoever opens it closes it."""

    def __init__(self, database: Database) -> None:
        memory = RecentAnswers()
        self._shared = memory
        self.database = database
        self.ledger = LedgerTable(database, memory)
        self.budget = BudgetBook(database)
        self.cache = CacheTable(database, memory)
        self.journal = JournalTable(database)
        self.runs = RunTable(database, lambda: self.window)

    @cached_property
    def index(self) -> Index:
        """The archive; its tokeniser is loaded with the first use."""
        from groundwire.store.archive import ArchiveIndex

        return ArchiveIndex(self.database)

    @cached_property
    def catalogue(self) -> Catalogue:
        """The archive for readers."""
        from groundwire.store.catalogue import ArchiveCatalogue

        return ArchiveCatalogue(self.database)

    @cached_property
    def citations(self) -> Citations:
        """Who cites a stored page."""
        from groundwire.store.citations import CitationTable

        return CitationTable(self.database)

    @cached_property
    def memory(self) -> ports.Memory:
        """Claims in two times; its tokeniser is loaded with the first use."""
        from groundwire.store.memory import MemoryTable

        return MemoryTable(self.database)

    @cached_property
    def vectors(self) -> Vectors:
        """Vectors of the archive's documents."""
        from groundwire.store.vectors import VectorTable

        return VectorTable(self.database)

    @cached_property
    def sources(self) -> Sources:
        """What analysts say of sources."""
        from groundwire.store.sources import SourceTable

        return SourceTable(self.database)

    @cached_property
    def pictures(self) -> Pictures:
        """Pictures that models look at."""
        from groundwire.store.pictures import PictureTable

        return PictureTable(self.database)

    @cached_property
    def window(self) -> ExactWindow:
        """What was said in the last day, whoever stored it: a source or a run."""
        from groundwire.store.window import ExactWindow

        return ExactWindow()

    @cached_property
    def messages(self) -> Messages:
        """Messages as they came in; what compares them is loaded with the first use."""
        from groundwire.store.messages import MessageTable

        return MessageTable(self.database, self.window)

    @cached_property
    def signals(self) -> Signals:
        """Signals as memory of events, and what came of them."""
        from groundwire.store.signals import SignalTable

        return SignalTable(self.database)

    @cached_property
    def quota(self) -> Quota:
        """Uses of what is limited by the day."""
        from groundwire.store.quota import QuotaTable

        return QuotaTable(self.database)

    @cached_property
    def costs(self) -> Costs:
        """What was spent, and on what."""
        from groundwire.store.costs import CostTable

        return CostTable(self.database)

    @cached_property
    def outbox(self) -> Outbox:
        """Results that are to be handed on."""
        from groundwire.store.outbox import OutboxTable

        return OutboxTable(self.database)

    @cached_property
    def access(self) -> Access:
        """Who may come in."""
        from groundwire.store.access import AccessTable

        return AccessTable(self.database)

    @cached_property
    def forgetting(self) -> Forgetter:
        """What can be forgotten, and what goes with it."""
        from groundwire.store.forget import Forgetter

        return Forgetter(self.database, self._shared, lambda: self.memory)

    @property
    def turn(self) -> Path | WakeupTable:
        """How it is decided who executes this database's runs: by the lock at a path, or by each
        run's own lease among those who are woken."""
        dialect = self.database.dialect
        if isinstance(dialect, Postgres):
            return WakeupTable(self.database, dialect)
        path = cast(Sqlite, dialect).path
        return path.with_name(f"{path.name}.lock")

    async def close(self) -> None:
        """Finish what is queued and let the database go."""
        await self.database.close()

    async def __aenter__(self) -> Store:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        await self.close()


def open_store(url: str, *, durability: Durability = "normal") -> Store:
    """Open a database, creating or upgrading its schema if needed."""
    ensure(url)
    return Store(Database(url, durability))
