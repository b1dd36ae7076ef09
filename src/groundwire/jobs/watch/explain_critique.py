"""What is weak in a brief whose numbers are given: a few sentences; the numbers are not up for debate."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field

from groundwire.language.text.links import has_link
from groundwire.model.base import Value
from groundwire.model.phrase import Phrase, phrase
from groundwire.reasoning.question import Question

_LONGEST = 800


class CritiqueInput(Value):
    """The plan, what is known of each part of it, and the numbers."""

    command: str
    language: str
    numbers: str
    tasks: tuple[str, ...]
    uncovered: tuple[str, ...]
    claims: tuple[str, ...]
    notes: tuple[str, ...]  # of code, in the language of the brief


class Explained(Value):
    """What is weak, and what to look for next."""

    explanation: str = Field(max_length=_LONGEST)
    queries: tuple[str, ...] = Field(
        default=(), max_length=4, description="what to search for next"
    )


def _variables(given: CritiqueInput, seed: str) -> Mapping[str, str]:
    del seed  # claims are checked quotes, and the rest is code's
    return {
        "command": given.command,
        "language": given.language,
        "numbers": given.numbers,
        "tasks": "\n".join(f"- {each}" for each in given.tasks),
        "uncovered": ", ".join(given.uncovered) or "-",
        "claims": "\n".join(f"- {each}" for each in given.claims) or "-",
        "notes": "\n".join(f"- {each}" for each in given.notes) or "-",
    }


def _fault_of(given: CritiqueInput, found: Explained) -> Phrase | None:
    del given
    linked = has_link(found.explanation) or any(map(has_link, found.queries))
    return phrase("fault.beside_link") if linked else None


QUESTION: Question[CritiqueInput, Explained] = Question(
    prompt="watch/explain_critique",
    tier="heavy",
    output=Explained,
    variables=_variables,
    # The embedded reasoner says it in the notes that code makes.
    embedded=lambda _given: Explained(explanation=""),
    fault_of=_fault_of,
    prose=lambda found: found.explanation,
)
