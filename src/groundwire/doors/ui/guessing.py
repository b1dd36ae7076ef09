"""The job that a typed text is for, guessed from its form alone."""

from __future__ import annotations

import re
from typing import NamedTuple

from groundwire.gather.as_of import UpTo
from groundwire.jobs import Job, offered
from groundwire.language.text.form import LOOKED_AT, form_of
from groundwire.model.desk import CommandBar

_PREFIX = re.compile(r"\s*/?([^\W\d_]{1,12})\s*[:：]\s*(?=\S)")


class Command(NamedTuple):
    """A job in the command bar."""

    kind: str
    bar: CommandBar
    field: str  # of its input, which the text goes into
    pages: bool = False  # it is offered for a page that was read
    until: str = ""  # of its input: the moment up to which evidence counts; "": it takes none


class Guess(NamedTuple):
    """The job that a text is for; the first `skip` characters only name it."""

    kind: str
    skip: int = 0
    named: bool = False  # named outright by the first word


def commands() -> tuple[Command, ...]:
    """List what can be started by typing, in the order in which it is shown."""
    found = [
        Command(job.kind, job.bar, field, job.on_page is not None, _until(job))
        for job in offered()
        if (field := job.bar.field or _text_field(job))
    ]
    return tuple(sorted(found, key=lambda each: (each.bar.place, each.kind)))


def _until(job: Job) -> str:
    """Return the field of an input that takes the moment up to which evidence counts."""
    fields = job.input.model_fields.items()
    marked = (name for name, each in fields for mark in each.metadata if isinstance(mark, UpTo))
    return next(marked, "")


def _text_field(job: Job) -> str:
    """Return the field of an input that a text alone can fill; "": there is none."""
    needed = [name for name, each in job.input.model_fields.items() if each.is_required()]
    texts = [name for name in needed if job.input.model_fields[name].annotation is str]
    return texts[0] if len(needed) == len(texts) == 1 else ""


def command(kind: str) -> Command | None:
    """Return the command of this job, if it has one."""
    return next((each for each in commands() if each.kind == kind), None)


def guess(text: str, among: tuple[Command, ...] | None = None) -> Guess:
    """Return the likeliest of the commands; the first one for a text without any sign."""
    choices = commands() if among is None else among
    beginning = text[:LOOKED_AT]
    prefix = _PREFIX.match(beginning)
    if prefix is not None:
        name = prefix[1].lower()
        for each in choices:
            if name == each.kind or name in each.bar.names:
                return Guess(each.kind, prefix.end(), named=True)
    form = form_of(beginning)
    best = max(choices, key=lambda each: each.bar.fits(form))  # of equals, the first
    return Guess(best.kind)
