"""What people write for a job's input: moments and zones in their own words, and lines of many inputs."""

from __future__ import annotations

import asyncio
import json
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta, tzinfo
from types import UnionType
from typing import IO, TYPE_CHECKING, Annotated, Any, Union, cast, get_args, get_origin
from zoneinfo import ZoneInfo

from groundwire.doors.cli import render
from groundwire.doors.cli.reader import say
from groundwire.errors import InputError
from groundwire.gather.as_of import UpTo, refuse_later
from groundwire.words import coded, words

if TYPE_CHECKING:
    from groundwire.jobs import Job

LONGEST_LINE = 260_000  # bytes: a long text in JSON, where a character takes up to twelve
_STDIN = 1_000_000  # bytes
_AHEAD = timedelta(days=1)  # clocks differ, but not by a day
_ZONE = "zone"  # the input field, if any, with the zone of its moments


def read_moments(job: Job, given: Mapping[str, object], now: datetime) -> dict[str, object]:
    """Return an input with its moments parsed and its zone under a standard name."""
    parsed = dict(given)
    zone = zone_of(str(parsed.get(_ZONE) or ""))
    if zone is not None:
        parsed[_ZONE] = _zone_name(zone, now)
    for name, field in job.input.model_fields.items():
        if parsed.get(name) in (None, "") or plain_type(field.annotation) is not datetime:
            continue
        read = _up_to if any(isinstance(each, UpTo) for each in field.metadata) else moment_of
        parsed[name] = read(parsed[name], zone, now)
    return parsed


def subject_of(job: Job) -> dict[str, object]:
    """Return what a person calls the main field of a job's input."""
    code = f"{job.kind}.subject"
    return coded(code if words("en").has(code) else job.subject)


def text_of(job: Job, text: str) -> str:
    """Clean a text that a person wrote; a message keeps its lines, and one of signs alone is refused."""
    cleaned = render.clean(
        require_utf8(text, subject_of(job)), lines=job.intake is not None
    ).strip()
    # Signs alone state nothing; a question may be anything.
    if not cleaned or (job.intake is not None and not any(char.isalnum() for char in cleaned)):
        raise InputError(
            "error.subject_empty", what=subject_of(job), kind=job.kind, hint="hint.gw_job"
        )
    return cleaned


def read_stdin(what: dict[str, object]) -> str:
    """Read all that is piped in or typed; refuse bytes that are no text."""
    if sys.stdin.isatty():
        render.note(say("cli.keyboard", what=what))
    try:
        return sys.stdin.buffer.read(_STDIN).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError("error.stdin_no_utf8", what=what, hint="hint.utf8_terminal") from None


def require_utf8(text: str, what: dict[str, object]) -> str:
    """Return a typed text; refuse bytes that a terminal passed on as no text."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InputError("error.subject_no_utf8", what=what, hint="hint.utf8_terminal") from None
    return text


def plain_type(annotation: Any) -> Any:
    """Return the type behind `Annotated` and `| None`."""
    while get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    if get_origin(annotation) in (Union, UnionType):
        return plain_type(next(each for each in get_args(annotation) if each is not type(None)))
    return annotation


def zone_of(name: str) -> tzinfo | None:
    """Return the zone of a name (`Asia/Shanghai`, `UTC+8`); None where none is named."""
    from groundwire.language.time.zones import zone_named

    wanted = name.strip()
    if not wanted:
        return None
    with suppress(KeyError, ValueError, OSError):  # no such zone, or no path to one
        return ZoneInfo(wanted)
    found = zone_named(wanted)
    if found is None:
        raise InputError("error.no_zone", name=wanted[:40], hint="hint.zone")
    return found


def _zone_name(zone: tzinfo, now: datetime) -> str:
    """Return the name of a zone as every table of zones knows it."""
    if isinstance(zone, ZoneInfo):
        return zone.key
    hours, rest = divmod(int((zone.utcoffset(now) or timedelta()).total_seconds()), 3600)
    if rest:
        raise InputError("error.half_hour_zone", hint="hint.half_hour_zone")
    return "UTC" if not hours else f"Etc/GMT{-hours:+d}"  # with the opposite sign


def moment_of(written: object, zone: tzinfo | None, now: datetime) -> datetime:
    """Return the time of publication, as people, programs and feeds write it."""
    found = _moment(written, zone, now)
    if found is None:
        raise InputError(
            "error.no_publication_time", text=str(written)[:40], hint="hint.publication_time"
        )
    if found > now + _AHEAD:
        raise InputError("error.published_later", day=f"{found:%Y-%m-%d}")
    return found.astimezone(UTC)


def _up_to(written: object, zone: tzinfo | None, now: datetime) -> datetime:
    """Return the moment up to which somebody asks; a day means its end."""
    from groundwire.language.time.expressions import up_to

    local_zone = zone or now.astimezone().tzinfo or UTC
    text = render.clean(written) if isinstance(written, str) else str(written)
    found = up_to(text, now, local_zone)
    if found is None:
        raise InputError("error.no_as_of", text=text[:40], hint="hint.as_of")
    refuse_later(found, now)
    return found.astimezone(UTC)


def _moment(written: object, zone: tzinfo | None, now: datetime) -> datetime | None:
    from groundwire.app.memory import moment
    from groundwire.fetch.moments import moment as stamped
    from groundwire.language.time.expressions import expressions

    text = render.clean(written) if isinstance(written, str) else ""
    if text:
        with suppress(InputError, OverflowError):
            return moment(text, "the time", zone=zone)
        local_zone = zone or now.astimezone().tzinfo or UTC
        found = expressions(text, now.astimezone(local_zone), local_zone)
        if len(found) == 1 and found[0].begin is not None and found[0].text.strip() == text:
            return found[0].begin
    return stamped(text or written)


class Inputs:
    """Turns lines into inputs of a job. If the first one is a JSON object, all must be."""

    def __init__(self, job: Job, given: Mapping[str, object]) -> None:
        self._job = job
        self._given = given
        self._objects: bool | None = None

    def read(self, line: bytes, now: datetime) -> dict[str, object] | None:
        """Return the input of a line, None for a blank one; refuse a broken line."""
        if len(line) > LONGEST_LINE:
            raise InputError("error.line_too_long", most=LONGEST_LINE)
        try:
            text = line.decode("utf-8-sig").strip()
        except UnicodeDecodeError:
            raise InputError("error.line_no_utf8") from None
        if not text:
            return None
        value = _json(text)
        if isinstance(value, list):
            raise InputError("error.line_list")
        is_object = text.startswith("{")
        if self._objects is None:
            self._objects = is_object
        if isinstance(value, dict):
            return read_moments(self._job, self._fields(cast("dict[str, object]", value)), now)
        if is_object or self._objects:
            raise InputError("error.line_no_object")
        plain = {**self._given, self._job.subject: text_of(self._job, text)}
        return read_moments(self._job, plain, now)

    def _fields(self, value: Mapping[str, object]) -> dict[str, object]:
        subject = self._job.subject
        if not isinstance(value.get(subject), str) or not str(value[subject]).strip():
            raise InputError("error.line_lacks", field=subject)
        fields = {
            name: self._value(name, value[name])
            for name in self._job.input.model_fields
            if value.get(name) not in (None, "")
        }
        return {**self._given, **fields, subject: text_of(self._job, str(value[subject]))}

    def _value(self, name: str, written: object) -> object:
        """Return what a program wrote for a field, as far as its type allows; the job checks the
        rest."""
        wanted = plain_type(self._job.input.model_fields[name].annotation)
        if wanted in (str, datetime) and isinstance(written, bool | dict | list):
            raise InputError("error.field_no_text", name=name)
        if wanted in (int, float) and isinstance(written, bool):  # which would count as 0 or 1
            raise InputError("input.no_number", name=self._job.kind, field=name)
        return str(written) if wanted is str else written


def _json(text: str) -> object:
    """Parse a line that is JSON as a whole; `[BREAKING] …` is a headline, not JSON."""
    if text[0] not in "{[":
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


class Lines:
    """Lines of a stream, read only on demand, by a thread: a blocked read must not keep the command
    from ending."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._wanted = threading.Semaphore(0)
        self._ready: asyncio.Queue[bytes | OSError] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        threading.Thread(target=self._read, daemon=True, name="lines").start()

    async def next(self) -> bytes | None:
        """Return the next line; None at the end."""
        self._wanted.release()
        line = await self._ready.get()
        if isinstance(line, OSError):
            raise line
        return line or None

    def _read(self) -> None:
        while True:
            self._wanted.acquire()
            line: bytes | OSError
            try:
                line = self._line()
            except (OSError, ValueError) as error:  # ValueError: the stream was closed
                line = error if isinstance(error, OSError) else b""
            with suppress(RuntimeError):  # the loop is closed
                self._loop.call_soon_threadsafe(self._ready.put_nowait, line)
            if not line or isinstance(line, OSError):
                return

    def _line(self) -> bytes:
        line = rest = self._stream.readline(LONGEST_LINE + 1)
        # The rest of a line that is too long is read and dropped.
        while len(rest) > LONGEST_LINE and not rest.endswith(b"\n"):
            rest = self._stream.readline(LONGEST_LINE + 1)
        return line
