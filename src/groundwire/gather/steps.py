"""The step that jobs share, as every door tells of it; nothing heavy is imported here."""

from __future__ import annotations

from groundwire.model.story import Count, Step

READ = Step(
    "read",
    ("evidence.read", "warning.read"),
    counts=(
        Count("pages", where=("kind", "page")),
        Count("snippets", where=("kind", "snippet")),
        Count("unread", where=("instead", "nothing")),
    ),
)
