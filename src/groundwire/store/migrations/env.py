"""Alembic's entry: the connection, and its transaction, come from `store/migrate.py`."""

from __future__ import annotations

from alembic import context

from groundwire.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    # The caller commits: a migration that fails half-way leaves nothing.
    transactional_ddl=False,
)
context.run_migrations()
