"""Days of a watch for tests: pages as they stand on each, and what the ledger makes of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from groundwire.jobs.watch.ledger.claims import Change, Compared, Ledger, Reread, Today
from groundwire.jobs.watch.ledger.comparison import compare
from groundwire.model.base import fingerprint, short_id
from groundwire.model.source import Document, Evidence

_START = datetime(2026, 10, 1, 18, tzinfo=UTC)


def page(
    host: str, day: int, text: str, *, publisher: str = "", title: str = "", kind: str = "page"
) -> Evidence:
    """Make a page of a house, published in the morning of a day."""
    url = f"https://{host}.example/{day}"
    sha = fingerprint(text)
    document = Document(
        id=short_id("doc", [url, sha]),
        url=url,
        canonical_url=url,
        publisher=publisher or host,
        title=title,
        published_at=_START + timedelta(days=day - 1, hours=-11),
        published_how="metadata",
        language="und",
        text=text,
        sha256=sha,
        fetched_at=_START + timedelta(days=day - 1),
    )
    ident = short_id("ev", [kind, url, sha])
    return Evidence.model_validate(
        {"id": ident, "kind": kind, "document": document, "passages": ()}
    )


@dataclass
class Days:
    """A watch that is run on one day after another."""

    name: str = "Norvale"
    ledger: Ledger | None = None
    last: Compared | None = None
    runs: list[Compared] = field(default_factory=list[Compared])

    def look(
        self,
        day: int,
        *pages: Evidence,
        gone: Sequence[Evidence] = (),
        failed: Sequence[Evidence] = (),
    ) -> list[tuple[str, str, str, str]]:
        """Run on a day; return each change as kind, reason, value before and value after."""
        reread = [Reread(url=each.document.canonical_url, outcome="gone") for each in gone]
        reread += [Reread(url=each.document.canonical_url, outcome="failed") for each in failed]
        today = Today(
            names=(self.name,),
            at=_START + timedelta(days=day - 1),
            pages=tuple(pages),
            reread=tuple(reread),
        )
        self.last = compare(self.ledger, today)
        # What the next run needs is what the result keeps.
        self.ledger = Ledger.model_validate_json(self.last.ledger.model_dump_json())
        return [_told(change) for change in self.last.changes]

    @property
    def states(self) -> list[tuple[str, str]]:
        """Every claim as its state and value."""
        return [(each.state, each.value) for each in self.ledger.claims] if self.ledger else []


def _told(change: Change) -> tuple[str, str, str, str]:
    before = change.before.value if change.before else ""
    return change.kind, change.reason, before, change.after.value if change.after else ""
