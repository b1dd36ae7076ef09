"""What a forgetting removes: listed before it is done, and counted after."""

from __future__ import annotations

from groundwire.model.base import Value


class ForgottenPage(Value):
    """A document that goes."""

    id: str
    url: str
    title: str


class LedgerPlace(Value):
    """A row of the ledger."""

    run_id: str
    key: str
    attempt: int


class Marked(Value):
    """What goes: nothing has happened yet.

    `quoting`: runs that stay and whose results quote what goes. `unfinished`: runs that are not
    over and have read it; they must end first.
    """

    documents: tuple[ForgottenPage, ...] = ()
    runs: tuple[str, ...] = ()
    records: tuple[LedgerPlace, ...] = ()
    shared: tuple[str, ...] = ()  # keys of answers that runs share
    pictures: tuple[str, ...] = ()  # hashes
    quoting: tuple[str, ...] = ()
    unfinished: tuple[str, ...] = ()

    @property
    def nothing(self) -> bool:
        return not (self.documents or self.runs or self.records or self.shared)


class Gone(Value):
    """What has been forgotten; `purged`: also from the free space of the database's file."""

    documents: int = 0
    runs: int = 0
    records: int = 0
    shared: int = 0
    pictures: int = 0
    claims: int = 0
    purged: bool = False
