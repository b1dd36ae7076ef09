"""What a form says of what was written in it and refused: a sentence for people, not for programs."""

from __future__ import annotations

from groundwire.errors import UserError
from groundwire.words import Words

_INPUT = "input."


def refusal(error: UserError, say: Words) -> str:
    """Say why an input was refused; a form has one field, whose name in programs says nothing."""
    form = error.says.replace(_INPUT, "form.", 1)
    if error.says.startswith(_INPUT) and say.has(form):
        return say(form, **error.params)
    message = error.describe(say.language)
    return f"{message[:1].upper()}{message[1:]}"
