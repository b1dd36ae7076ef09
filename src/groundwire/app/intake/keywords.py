"""Which messages of a source are wanted: words that let in, words that turn away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from groundwire.language.text.lexicon import Lexicon, low_form, low_forms
from groundwire.model.message import Message


@dataclass(frozen=True)
class Screened:
    """The message with the words it was let in for; or why it was turned away."""

    message: Message
    why: str = ""


class Lists:
    """Allow and deny, as words, in any case, width and script. Deny goes before allow."""

    def __init__(self, allow: Sequence[str], deny: Sequence[str]) -> None:
        self._allow, self._deny = _Words(allow), _Words(deny)

    def screened(self, message: Message) -> Screened:
        if not (self._allow or self._deny):
            return Screened(message)
        low = low_form(message.text)
        if denied := self._deny.found(low):
            return Screened(message, f"it says {denied[0]!r} (intake.deny)")
        allowed = self._allow.found(low)
        if self._allow and not allowed:
            return Screened(message, "it says none of the words of intake.allow")
        return Screened(message.model_copy(update={"keywords_hit": allowed}))


class _Words:
    """Words as they were written, found by their low form."""

    def __init__(self, words: Sequence[str]) -> None:
        self._written = dict(zip(low_forms(words), words, strict=True)) if words else {}
        self._lexicon = Lexicon(words)

    def __bool__(self) -> bool:
        return bool(self._written)

    def found(self, low: str) -> tuple[str, ...]:
        if not self._written:
            return ()
        return tuple(dict.fromkeys(self._written[name] for *_, name in self._lexicon.find(low)))
