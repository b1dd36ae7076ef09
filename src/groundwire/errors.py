"""The one exception tree; the sentence a person reads is in the catalogue, under `error.<name>`.

`says` is the code of the sentence and `params` fills it in; a hint is a code, too. Logs show both in
English. Only our own bugs carry free text: nobody else reads it.

- GroundwireError
  - UserError                what a person typed or configured (exit 2)
    - SettingsError
    - InputError
      - TooBig
      - Unfit                raised by validators
    - Unsigned (Expired)     a message without a valid signature
    - SignInNeeded  Forbidden  TooMany  Conflict     refused by a door
    - UnknownName
    - MissingExtra
    - NotFoundHere
  - OutsideFailure           an outside call failed; has a `code`, is recorded
    - Unclassified           nobody said why
    - Timeout  RateLimited  AuthRejected  PlanLimit  ServerFault  Malformed (PoorAnswer)
    - NetworkDown (OutOfReach)
    - BadRequest  TooLarge  Missing  Offline
    - ForbiddenAddress  ForbiddenByRobots  Refused  Captcha  Unreadable     why a page is not read
    - BreakerOpen  BudgetReached  Forgotten  MissingRecord
  - StoreError
    - StoreBusy  DiskFull  NewerSchema  CorruptStore  StoreAway
  - Fenced                   another worker owns this run now
  - RunCancelled (RunExpired)  RunFailed
  - NoEvidence               law 5: synthesis was asked for without passages
  - IllegalState             a bug of ours
"""

from __future__ import annotations

import errno
import json
import re
from typing import Any, ClassVar

from groundwire.words import Coded, words

_CAPITAL = re.compile(r"(?<!^)(?=[A-Z])")


class GroundwireError(Exception):
    """Something went wrong in Groundwire."""

    def __init__(self, says: str | None = None, /, *, hint: str = "", **params: object) -> None:
        self.says = says or f"error.{_CAPITAL.sub('_', type(self).__name__.lstrip('_')).lower()}"
        self.hints = hint
        self.params = {name: _plain(value) for name, value in params.items()}
        super().__init__(self.says)

    def __str__(self) -> str:
        return self.message

    @property
    def message(self) -> str:
        """The sentence, in English."""
        return self.describe("en")

    @property
    def hint(self) -> str:
        """What to do about it, in English; "" where nothing is known."""
        return self.advice("en")

    @property
    def phrase(self) -> dict[str, object]:
        """The code with its parameters, to be recorded or put into another phrase."""
        return {"code": self.says, "params": self.params}

    @property
    def kept(self) -> str:
        """The text that a run keeps: the code, with its parameters if it has any."""
        return json.dumps(self.phrase, ensure_ascii=False) if self.params else self.says

    def describe(self, language: str) -> str:
        """Return the sentence in the reader's language."""
        return words(language)(self.says, **self.params)

    def advice(self, language: str) -> str:
        """Return what to do about it, in the reader's language."""
        return words(language)(self.hints, **self.params)


def os_reason(error: OSError) -> object:
    """Return why the operating system refused something: a phrase where there are words for it."""
    code = f"os.{errno.errorcode.get(error.errno or 0, '').lower()}"
    return {"code": code} if words("en").has(code) else error.strerror or str(error)


def _plain(value: object) -> object:
    """Return a parameter as it is recorded: a phrase by its code, an address or a path as text."""
    if isinstance(value, GroundwireError):
        return value.phrase
    if isinstance(value, Coded):
        return {"code": value.code, "params": dict(value.params)}
    if value is None or isinstance(value, str | int | float | list | tuple | dict):
        return value  # pyright: ignore[reportUnknownVariableType]
    return str(value)


class UserError(GroundwireError):
    """The command or its input cannot be used as given."""


class SettingsError(UserError):
    """A setting is unknown or has a value that cannot be used."""


class InputError(UserError):
    """The input cannot be used as given."""


class TooBig(InputError):
    """The input is larger than the limit."""


class Unfit(InputError, ValueError):
    """The value cannot be used as given."""

    # A ValueError, so that pydantic reports it; `refused` finds the code in it again.


class Unsigned(UserError):
    """The request is not signed as it should be."""


class Expired(Unsigned):
    """The signature is of another time."""


class SignInNeeded(UserError):
    """A token is needed here."""


class Forbidden(UserError):
    """This is not allowed."""


class TooMany(UserError):
    """There are too many requests."""

    def __init__(
        self, says: str | None = None, /, *, retry_after: float = 1.0, **params: Any
    ) -> None:
        super().__init__(says, **params)
        self.retry_after = retry_after


class Conflict(UserError):
    """The request conflicts with an earlier one."""


class UnknownName(UserError):
    """No such name."""


class MissingExtra(UserError):
    """An optional part is not installed."""


class NotFoundHere(UserError):
    """There is no such run, document or file here."""


class OutsideFailure(GroundwireError):
    """An outside call failed."""

    code: ClassVar[str] = "failed"
    retryable: ClassVar[bool] = False
    # A refusal of ours (budget, breaker, offline) says nothing about the provider's health.
    provider_fault: ClassVar[bool] = True
    # It may have been answered, and billed, without our seeing it: counted at its estimate.
    maybe_served: ClassVar[bool] = False

    def __init_subclass__(cls, **kind: str | bool) -> None:
        """Set what a failure differs in: `code`, `retryable`, `provider_fault`, `maybe_served`."""
        super().__init_subclass__()
        for name, value in kind.items():
            setattr(cls, name, value)

    def __init__(
        self,
        says: str | None = None,
        /,
        *,
        retry_after: float | None = None,
        status: int | None = None,
        cost: int = 0,  # micro-dollars: an answer that was cut off is still paid for
        **params: Any,
    ) -> None:
        super().__init__(says, **params)
        self.retry_after = retry_after
        self.status = status
        self.cost = cost
        self.in_vain: tuple[str, ...] = ()  # what was tried against it, in order: retry, proxy


class Unclassified(OutsideFailure, code="unclassified", retryable=True):
    """The other side gave an answer that nobody has agreed upon."""


class Timeout(OutsideFailure, code="timeout", retryable=True, maybe_served=True):
    """The other side did not answer in time."""


class RateLimited(OutsideFailure, code="rate_limit", retryable=True):
    """The other side asks us to slow down."""


class AuthRejected(OutsideFailure, code="auth"):
    """The key was refused."""


class PlanLimit(OutsideFailure, code="plan_limit"):
    """The plan's limit is used up."""


class ServerFault(OutsideFailure, code="server", retryable=True):
    """The other side failed."""


class Malformed(OutsideFailure, code="malformed"):
    """The answer could not be read."""


# The model's fault, not its vendor's: the next question may well be answered.
class PoorAnswer(Malformed, provider_fault=False):
    """The answer came from the other side, and is of no use."""


class NetworkDown(OutsideFailure, code="network", retryable=True):
    """The other side could not be reached."""


# No name server or no route: retrying soon does not help, so the next provider is asked.
class OutOfReach(NetworkDown, retryable=False):
    """There is no way to the other side."""


class BrokenOff(NetworkDown, maybe_served=True):
    """The connection broke while the other side was answering."""


class BadRequest(OutsideFailure, code="bad_request", provider_fault=False):
    """The other side refused the request as wrong."""


class ForbiddenAddress(OutsideFailure, code="address", provider_fault=False):
    """The address is not allowed."""


class ForbiddenByRobots(OutsideFailure, code="robots", provider_fault=False):
    """The site's robots.txt does not allow it."""


class Refused(OutsideFailure, code="refused", provider_fault=False):
    """The site refused the page."""


class Captcha(OutsideFailure, code="captcha", provider_fault=False):
    """The site wants to know whether a person is asking."""


class TooLarge(OutsideFailure, code="too_large", provider_fault=False):
    """The answer is larger than the limit."""


class Unreadable(OutsideFailure, code="unreadable", provider_fault=False):
    """The page holds no readable article."""


class Missing(OutsideFailure, code="not_found", provider_fault=False):
    """The page does not exist."""


class Offline(OutsideFailure, code="offline", provider_fault=False):
    """Offline mode: the network is not used."""


class BreakerOpen(OutsideFailure, code="breaker_open", provider_fault=False):
    """The provider failed repeatedly and is left alone for a while."""


class BudgetReached(OutsideFailure, code="quota", provider_fault=False):
    """The budget is used up."""


class Forgotten(OutsideFailure, code="forgotten", provider_fault=False):
    """What was recorded here has been forgotten."""


class MissingRecord(OutsideFailure, code="missing_record", provider_fault=False):
    """The record has no such call; a replay makes none."""


# Only in old records, from before addresses and robots.txt had codes of their own.
class Blocked(OutsideFailure, code="blocked", provider_fault=False):
    """The address is not allowed."""


def outside_failures() -> dict[str, type[OutsideFailure]]:
    """Return every outside failure by its recorded code, so that a record raises what was raised."""
    return {each.code: each for each in (OutsideFailure, *OutsideFailure.__subclasses__())}


class StoreError(GroundwireError):
    """The data folder or database cannot be used."""

    def without_details(self) -> StoreError:
        """Return the error for remote callers: a database's text names folders and users."""
        return self if self.__cause__ is None else type(self)(hint=self.hints)


class StoreBusy(StoreError):
    """The database is locked by another process."""


class DiskFull(StoreError):
    """The disk is full."""


class NewerSchema(StoreError):
    """The database was written by a newer version of Groundwire."""


class CorruptStore(StoreError):
    """The database is damaged."""


class StoreAway(StoreError):
    """The database cannot be reached."""


class Fenced(GroundwireError):
    """Another worker owns this run now."""


class RunCancelled(GroundwireError):
    """The run was cancelled."""


class RunExpired(RunCancelled):
    """Nobody confirmed the run in time."""


class RunFailed(GroundwireError):
    """The run failed."""


class NoEvidence(GroundwireError):
    """There are no passages to write from."""


class IllegalState(GroundwireError):
    """A step was taken that the rules do not allow."""

    def __init__(self, bug: str = "", /, *, hint: str = "") -> None:
        super().__init__(None, hint=hint, bug=bug)

    @property
    def message(self) -> str:
        """The bug itself, for the log."""
        return str(self.params["bug"]) or super().message

    @property
    def kept(self) -> str:
        """What a run keeps of it: the bug, for whoever fixes it."""
        return RunFailed("error.internal", what=self.message).kept
