"""An app on a data folder of its own, and documents made for it: the user's own data is never touched."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path

from groundwire.app import App, open_app
from groundwire.jobs.sections import Settings
from groundwire.model.base import short_id
from groundwire.model.run import NewRun
from groundwire.model.source import Document
from groundwire.versions import versions


@asynccontextmanager
async def fresh_app(**settings: object) -> AsyncGenerator[App]:
    """Open the app on a new data folder, which is deleted afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        values = {"home": folder, **settings}
        loaded = Settings.load(values, cwd=Path(folder), env={"HOME": folder})
        async with open_app(loaded) as app:
            yield app


def new_run(app: App, run_id: str, kind: str = "ask", **more: object) -> NewRun:
    """Build a run submitted just now; `more` overrides any of its fields."""
    now = app.clock()
    fields = {"id": run_id, "kind": kind, "now": now, "created_at": now, "versions": versions()}
    return NewRun.model_validate({"input": {}, "settings": {}, "seed": "00", **fields, **more})


def document(url: str, title: str, text: str, fetched_at: datetime, **more: object) -> Document:
    """Build a document as the archive stores it."""
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    return Document.model_validate(
        {
            "id": short_id("doc", [url, sha256]),
            "url": url,
            "canonical_url": url,
            "publisher": url.split("/")[2].removeprefix("www."),
            "title": title,
            "text": text,
            "sha256": sha256,
            "fetched_at": fetched_at,
            **more,
        }
    )
