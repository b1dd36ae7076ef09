"""What each job can do with a page that somebody has read: inputs that are ready to start."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING

from groundwire import jobs
from groundwire.model.base import JsonObject

if TYPE_CHECKING:
    from groundwire.model.source import Document
    from groundwire.words import Words

_SPECIAL = frozenset('"$`\\!\n')  # to a shell, within double quotes


@dataclass(frozen=True)
class Offer:
    """A job that could look into a page, under the words `KIND.page`."""

    kind: str
    subject: str  # the field of its input that a person would type
    given: JsonObject

    def command(self) -> str:
        """Return the command that a person would type."""
        options = (
            f" --{name.replace('_', '-')} {_quoted(str(value))}"
            for name, value in self.given.items()
            if name != self.subject
        )
        return f"gw {self.kind} {_quoted(str(self.given[self.subject]), always=True)}{''.join(options)}"


def offers(page: Document, say: Words) -> tuple[Offer, ...]:
    """List what can be done with a page, in the order of the command bar."""
    ready = sorted(jobs.offered(), key=lambda job: (job.bar.place, job.kind))
    given = ((job, job.on_page(page, say)) for job in ready if job.on_page is not None)
    return tuple(Offer(job.kind, job.subject, each) for job, each in given if each)


def _quoted(text: str, *, always: bool = False) -> str:
    if not always and shlex.quote(text) == text:
        return text
    return shlex.quote(text) if _SPECIAL & set(text) else f'"{text}"'
