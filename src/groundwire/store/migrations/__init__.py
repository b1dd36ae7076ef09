"""Alembic revisions: append-only; a fresh database equals a migrated one, by test."""
