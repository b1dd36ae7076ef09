"""Structured logs bound to their run, and the redactor that guards every way out.

`get_logger` is cheap to import and to call: structlog is loaded by the first record written.
"""

from __future__ import annotations

import base64
import html
import json
import logging
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence
from functools import cache
from typing import Any, Literal, NamedTuple, TextIO, TypeAlias, cast
from urllib.parse import quote, quote_plus

# Defined here because this module lies below `model`.
Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"

MASK = "***"

# Shorter values would mask ordinary words; they are caught by their context (password=…).
_SHORTEST_SECRET = 8

_SECRET_FIELDS = frozenset(
    {
        "access_token", "api-key", "api_key", "apikey", "authorization", "client_secret", "cookie",
        "passwd", "password", "private_key", "proxy-authorization", "refresh_token", "set-cookie",
        "x-api-key", "x-goog-api-key", "x-subscription-token",
    }
)  # fmt: skip

_PARAMETERS = (
    r"access_token|api_?key|apikey|auth|auth_token|client_secret|key|password|passwd|private_key"
    r"|refresh_token|secret|sig|signature|subscription-key|token|x-amz-signature"
)


class _Shape(NamedTuple):
    """A form that secrets take, compiled and tried only where one of its marks occurs.

    Pages are redacted too, so a shape must not match ordinary prose: a changed word would break a
    quotation.
    """

    marks: tuple[str, ...]
    pattern: str
    shown: str


_SHAPES = (
    _Shape(
        ("uthorization", "UTHORIZATION", "api-key", "API-K", "Api-Key", "ookie", "ription-"),
        r"(?i)\b((?:proxy-)?authorization|x-api-key|x-goog-api-key|x-subscription-token|api-key"
        r"|(?:set-)?cookie)(\\?[\"']?\s*[:=]\s*\\?[\"']?)(?:(?:bearer|basic|token)\s+)?"
        r"[^\s\"'\\,;]+",
        rf"\1\2{MASK}",
    ),
    _Shape(
        ("earer ", "EARER "),
        r"(?i)\b(bearer)\s+(?=[^\s\"']*\d)[\w.~+/=-]{16,}",
        rf"\1 {MASK}",
    ),
    # Begins with a literal, so the engine leaps from address to address.
    _Shape(("://",), r"(://[^\s:/@?#\"'<>]*):[^\s/@\"'<>]+@", rf"\1:{MASK}@"),
    _Shape(("=",), rf"(?i)([?&;](?:{_PARAMETERS})=)[^&#;\s\"'<>\\]+", rf"\1{MASK}"),
    _Shape(
        ("assword", "ASSWORD"),
        r"(?i)\b(password\s*=\s*)(?:'[^']*'|[^\s&'\"]+)",
        rf"\1{MASK}",
    ),
    # "sk-hynix-2024-results" is a headline, not a key: no free hyphens after `sk-`.
    _Shape(
        ("sk-",),
        r"(?<![A-Za-z0-9])"
        r"sk-(?:(?:proj|ant|or|svcacct|admin|live|test)-[\w-]{12,}|[A-Za-z0-9]{20,})",
        MASK,
    ),
    _Shape(("gw_",), r"(?<![A-Za-z0-9_])gw_[\w-]{40,}", MASK),
    _Shape(("tvly-",), r"(?<![A-Za-z0-9])tvly-[\w-]{8,}", MASK),
    _Shape(("AIza",), r"(?<![A-Za-z0-9])AIza[\w-]{30,}", MASK),
    _Shape(("ghp_", "github_pat_"), r"(?<![A-Za-z0-9])(?:ghp_|github_pat_)\w{20,}", MASK),
    _Shape(("xox",), r"(?<![A-Za-z0-9])xox[abprs]-[\w-]{10,}", MASK),
    _Shape(("AKIA",), r"(?<![A-Za-z0-9])AKIA[A-Z0-9]{16}", MASK),
    _Shape(
        ("PRIVATE KEY",),
        r"(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)",
        MASK,
    ),
)

_compiled = cache(re.compile)
# Most texts are short and harmless: one search for any mark is enough.
_SHORT = 400


@cache
def _any_mark() -> re.Pattern[str]:
    return re.compile("|".join(re.escape(mark) for shape in _SHAPES for mark in shape.marks))


class Redactor:
    """Takes secrets out of text and JSON: known values in any usual encoding, and known shapes.

    Without `shapes` only known values are masked: public text that shows what a key looks like stays.
    """

    def __init__(self, secrets: Iterable[str] = (), *, shapes: bool = True) -> None:
        self._shapes = _SHAPES if shapes else ()
        self._forms: list[str] = []
        self.learn(secrets)

    def learn(self, secrets: Iterable[str]) -> None:
        """Add secrets; those known before stay known."""
        forms = {*self._forms, *(form for secret in secrets for form in _forms(secret))}
        # Longest first: one secret may be the beginning of another.
        self._forms = sorted(forms, key=lambda form: (-len(form), form))
        self._known = re.compile("|".join(map(re.escape, self._forms)) or r"(?!)")
        # If JSON writes them unescaped, one search of the dumped value finds them all.
        self._plain = all(json.dumps(form) == f'"{form}"' for form in self._forms)

    def text(self, text: str) -> str:
        if len(text) < _SHORT:
            text = self._known.sub(MASK, text)
            if not self._shapes or _any_mark().search(text) is None:
                return text
        elif any(form in text for form in self._forms):
            text = self._known.sub(MASK, text)
        for shape in self._shapes:
            for mark in shape.marks:
                if mark in text:
                    text = _compiled(shape.pattern).sub(shape.shown, text)
                    break
        return text

    def value(self, value: Json) -> Json:
        """Return the JSON without secrets; fields such as `api_key` or `Authorization` are masked."""
        if self._plain and not self._shapes:
            whole = json.dumps(value, ensure_ascii=False)
            if not any(form in whole for form in self._forms):
                return value
        return self._mask(value)

    def _mask(self, value: Json) -> Json:
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            return {
                self.text(key): MASK if self._is_secret(key, item) else self._mask(item)
                for key, item in cast("Mapping[str, Json]", value).items()
            }
        if isinstance(value, list | tuple):
            return [self._mask(item) for item in cast("Sequence[Json]", value)]
        return value

    def _is_secret(self, key: str, item: Json) -> bool:
        named = bool(self._shapes) and key.lower() in _SECRET_FIELDS
        return named and isinstance(item, str) and item != ""


def mask_url(url: str) -> str:
    """Remove the password and the secrets in the query from a URL."""
    return Redactor().text(url)


_IN_SCRIPTS = {"&": "\\u0026", "<": "\\u003c", ">": "\\u003e", "'": "\\u0027"}


def _forms(secret: str) -> Iterator[str]:
    """Yield the secret as text, URLs, JSON, pages and base64 write it."""
    if len(secret) < _SHORTEST_SECRET:
        return
    yield secret
    # As markup, with and without escaped quotes, and as templates escape them.
    in_text = html.escape(secret, quote=False)
    yield from (in_text, html.escape(secret))
    yield in_text.replace('"', "&#34;").replace("'", "&#39;")
    for encoded in (quote(secret, safe=""), quote(secret), quote_plus(secret)):
        yield encoded
        yield re.sub(r"%[0-9A-F]{2}", lambda match: match[0].lower(), encoded)
    yield json.dumps(secret)[1:-1]
    yield json.dumps(secret)[1:-1].translate(str.maketrans(_IN_SCRIPTS))
    yield json.dumps(secret, ensure_ascii=False)[1:-1]
    for before in range(3):
        # Basic authentication is base64("user:password"): the password begins at any of three
        # offsets in a group; only characters that no neighbour can change are searched for.
        raw = base64.b64encode(b"\0" * before + secret.encode()).decode()
        start = (0, 2, 3)[before]
        end = (before + len(secret.encode())) * 8 // 6
        if end - start >= 8:
            yield raw[start:end]
            yield raw[start:end].replace("+", "-").replace("/", "_")


Level = Literal["debug", "info", "warning", "error"]
_LEVELS: Mapping[str, int] = {"debug": 10, "info": 20, "warning": 30, "error": 40}

_EventDict = MutableMapping[str, Any]


class _Config:
    """What `configure` set; one per process, as stderr is."""

    level: int = _LEVELS["warning"]
    form: Literal["plain", "json"] = "plain"
    redactor: Redactor = Redactor()
    stream: TextIO | None = None


def configure(
    level: Level = "warning",
    form: Literal["plain", "json"] = "plain",
    redactor: Redactor | None = None,
    stream: TextIO | None = None,
) -> None:
    """Set level, form and redactor of all loggers, and capture what libraries log.

    `stream` None is whatever stderr is at the time.
    """
    _Config.level = _LEVELS[level]
    _Config.form = form
    _Config.redactor = redactor or Redactor()
    _Config.stream = stream
    _structlog.cache_clear()
    root = logging.getLogger()
    root.handlers = [h for h in root.handlers if not isinstance(h, _FromLibraries)]
    root.addHandler(_FromLibraries())
    root.setLevel(max(_Config.level, logging.WARNING) if level != "debug" else logging.INFO)


def learn(secrets: Iterable[str]) -> None:
    """Keep these secrets out of every record from now on."""
    _Config.redactor.learn(secrets)


class Logger:
    """A named source of events: `log.info("fetched", url=…, bytes=…)`."""

    def __init__(self, name: str) -> None:
        self.name = name

    def debug(self, event: str, **fields: object) -> None:
        self._write("debug", event, fields)

    def info(self, event: str, **fields: object) -> None:
        self._write("info", event, fields)

    def warning(self, event: str, **fields: object) -> None:
        self._write("warning", event, fields)

    def error(self, event: str, **fields: object) -> None:
        self._write("error", event, fields)

    def exception(self, event: str, **fields: object) -> None:
        """Log an error with the redacted traceback of the exception being handled."""
        self._write("error", event, {"exc_info": True, **fields})

    def _write(self, level: Level, event: str, fields: Mapping[str, object]) -> None:
        if _LEVELS[level] >= _Config.level:
            getattr(_structlog(), level)(event, logger=self.name, **fields)


def get_logger(name: str) -> Logger:
    return Logger(name)


class _Sink:
    """Writes lines to the configured stream, or to stderr as it is now."""

    def msg(self, message: str) -> None:
        stream = _Config.stream or sys.stderr
        stream.write(message + "\n")
        stream.flush()

    debug = info = warning = error = msg


@cache
def _structlog() -> Any:
    import structlog  # 150 ms: a quiet command never pays it

    as_json = structlog.processors.JSONRenderer(ensure_ascii=False, sort_keys=True)
    return structlog.wrap_logger(
        _Sink(),
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            redact,
            as_json if _Config.form == "json" else _plain,
        ],
        wrapper_class=structlog.BoundLogger,
        cache_logger_on_first_use=False,
    )


def redact(_logger: Any, _method: str, event: _EventDict) -> _EventDict:
    """Redact an event: the structlog processor that every record passes."""
    return cast("_EventDict", _Config.redactor.value(_jsonable(event)))


def _jsonable(value: object) -> Json:
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Mapping):
        items = cast("Mapping[object, object]", value).items()
        return {str(key): _jsonable(item) for key, item in items}
    if isinstance(value, list | tuple):
        return [_jsonable(item) for item in cast("Iterable[object]", value)]
    return str(value)


def _plain(_logger: Any, _method: str, event: _EventDict) -> str:
    """Render a line: `2026-11-16T04:00:00Z warning gateway  retried provider=tavily tries=2`."""
    head = [str(event.pop(name, "")) for name in ("timestamp", "level", "logger", "event")]
    trace = event.pop("exception", None)
    fields = [f"{name}={_one_line(value)}" for name, value in sorted(event.items())]
    line = " ".join(_one_line(part, spaces=True) for part in [*head, *fields] if part)
    return f"{line}\n{trace}" if trace else line


def _one_line(value: object, *, spaces: bool = False) -> str:
    # Text from pages may hold line breaks and terminal codes; a log line must not.
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    if not text.isprintable():
        return ascii(text) if not spaces else ascii(text)[1:-1]
    return f'"{text}"' if " " in text and not spaces else text


class _FromLibraries(logging.Handler):
    """Passes records of the standard library's loggers on, so that they are redacted too."""

    def emit(self, record: logging.LogRecord) -> None:
        level: Level = "debug"
        for name, number in _LEVELS.items():
            if record.levelno >= number:
                level = cast("Level", name)
        fields: dict[str, object] = {"exc_info": record.exc_info} if record.exc_info else {}
        getattr(get_logger(record.name), level)(record.getMessage(), **fields)
