"""The steps that jobs share, as every door tells of them; nothing heavy is imported here."""

from __future__ import annotations

from groundwire.model.story import Count, Part, Step

SEARCH = Step(
    "search",
    ("progress.search",),
    counts=(Count("searches"), Count("hits", "hits"), Count("failures", "failures")),
    tells=(Part("query"), Part("hits", "n.hits"), Part("failures")),
)
READ = Step(
    "read",
    ("evidence.read", "warning.read"),
    counts=(
        Count("pages", where=("kind", "page")),
        Count("snippets", where=("kind", "snippet")),
        Count("unread", where=("instead", "nothing")),
    ),
)
