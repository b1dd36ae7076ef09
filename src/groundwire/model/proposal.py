"""What a run waits for a person to confirm, and the person's answer."""

from __future__ import annotations

from functools import cached_property

from groundwire.model.base import Instant, JsonObject, Value
from groundwire.model.call import CallKind, call_key

KIND: CallKind = "read"
PERSON = "person"  # who is asked, as a provider is


class Offered(Value):
    """A finished run that may already be what is wanted: to be opened instead of going on."""

    run_id: str
    title: str
    at: Instant


class Proposal(Value):
    """A question to a person: a value that the job made, to go on with as it is or edited."""

    form: str  # the name of its type, which the job declares
    fields: JsonObject
    occasion: str = ""  # where in the run it is asked
    until: Instant | None = None  # then it expires
    offers: tuple[Offered, ...] = ()

    @property
    def request(self) -> JsonObject:
        """The recorded read that the person's answer settles."""
        return {"form": self.form, "fields": self.fields}

    @cached_property
    def id(self) -> str:
        return call_key(KIND, PERSON, self.request, self.occasion)


class Confirmed(Value):
    """A person's word: go on with these fields."""

    fields: JsonObject
    edited: bool = False
    by: str = ""
