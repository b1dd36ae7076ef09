"""A person's word in the hands of a run: asked for once, recorded, and never asked for again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from groundwire.model.base import Value
from groundwire.model.proposal import Proposal

P = TypeVar("P", bound=Value)


class Waiting(BaseException):
    """The run has to wait for a person: its steps are left, and taken again when there is a word.

    No failure, so no step may catch it by mistake; only the runner does.
    """

    def __init__(self, proposal: Proposal) -> None:
        super().__init__(f"waiting for a person to confirm {proposal.form}")
        self.proposal = proposal


@dataclass(frozen=True)
class Confirmation(Generic[P]):
    """What a person confirmed."""

    value: P  # as it was proposed, or as it was edited
    edited: bool
    by: str
