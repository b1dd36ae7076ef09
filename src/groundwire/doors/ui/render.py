"""Templates into pages: escaped by default, with the words, the look and the session of the visit."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from typing import Literal, NamedTuple, cast, get_args

from fastapi import Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from groundwire.doors.api.door import desk_of
from groundwire.doors.api.problems import Problem
from groundwire.doors.language import language_of, tag
from groundwire.doors.ui import guessing
from groundwire.doors.ui.visits import Visit, current_page, sign_in_page
from groundwire.jobs import about
from groundwire.language.text.characters import detect_language
from groundwire.report.page import stored_page
from groundwire.report.plain import day, one_line, usd
from groundwire.words import LANGUAGES, Words
from groundwire.words import words as words_of

THEME_COOKIE = "gw_theme"
Theme = Literal["", "light", "dark"]  # "": as the system has it
_THEMES: tuple[Theme, ...] = get_args(Theme)
_AFTER: dict[Theme, str] = {"": "dark", "dark": "light", "light": "auto"}
# The last word, or the last character of a script without spaces, with the punctuation after it.
# Always short: it cannot be broken where there is little room.
_LATIN = r"A-Za-z0-9\u00c0-\u024f$\u20ac%"
_END = re.compile(rf"(?:[{_LATIN}][{_LATIN}.,'\u2019+/-]{{0,15}}|\w)?[^\w\s]{{0,3}}$")

# Paths for programs, whatever they accept.
_PROGRAMS = ("/api", "/healthz", "/readyz", "/metrics", "/static/", "/mcp")
_OWN_WORDS = frozenset({403, 404, 429, 500, 503})


class Place(NamedTuple):
    """An entry of the navigation: its word, its path, and the key that goes there after `g`."""

    name: str
    path: str
    key: str


NAV = (
    Place("desk", "/", "d"),
    Place("runs", "/runs", "r"),
    Place("watches", "/watches", "w"),
    Place("archive", "/archive", "a"),
    Place("trust", "/trust", "t"),
    Place("costs", "/costs", "c"),
    Place("settings", "/settings", "s"),
)


@cache
def environment() -> Environment:
    templates = Environment(
        loader=PackageLoader("groundwire.doors.ui"),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    cast("dict[str, object]", templates.globals).update(
        about=about, clean=one_line, static=static, stored_page=stored_page, tag=tag
    )
    cast("dict[str, object]", templates.filters).update(
        day=day, moment=_moment, brief=_brief, usd=usd, glued=split_end, spoken=_spoken
    )
    return templates


def page(
    source: Visit | Request, template: str, /, *, status: int = 200, **values: object
) -> HTMLResponse:
    """Render a whole page; `active` is its place in the navigation. Error pages have no visit."""
    response = HTMLResponse(fragment(source, template, **values), status)
    if isinstance(source, Visit):
        source.let_in(response)
    return response


def error_page(request: Request, problem: Problem, headers: Mapping[str, str]) -> Response | None:
    """Render an error as a page for a browser; None: a program asks."""
    wants_html = "text/html" in request.headers.get("accept", "")
    if request.url.path.startswith(_PROGRAMS) or not wants_html:
        return None
    status = problem.status
    if "location" in headers:
        return RedirectResponse(headers["location"], status)
    if status == 401:
        return RedirectResponse(sign_in_page(request), 303)
    # Written for readers of the API; it says no more than the status.
    for_programs = "/api" in problem.hint
    word = str(status) if status in _OWN_WORDS else "5xx" if status >= 500 else "4xx"
    shown = page(
        request,
        "fault.html",
        status=status,
        code=status,
        word=word,
        detail="" if status >= 500 or for_programs else problem.detail,
        hint=problem.hint,
        here=current_page(request) if request.method == "GET" else "/",
    )
    for name in ("retry-after", "allow"):
        if name in headers:
            shown.headers[name] = headers[name]
    return shown


def fragment(source: Visit | Request, template: str, /, **values: object) -> str:
    """Render a template with the values that every template may use."""
    visit, request = (source, source.request) if isinstance(source, Visit) else (None, source)
    words = words_of(language_of(request))
    theme = theme_of(request)
    shared: dict[str, object] = {
        "t": words,
        "lang": words.language,
        "languages": LANGUAGES,
        "theme": theme,
        "theme_after": _AFTER[theme],
        "nav": NAV,
        "active": "",
        "who": None if visit is None else visit.who,
        "csrf": "" if visit is None else visit.csrf,
        "today": None if visit is None else visit.today,
        "commands": guessing.commands(),
        "faults": _faults(words),
        "typed": "",
        "chosen": "",
        "command_error": "",
        "path": request.url.path,
        "looked_at": desk_of(request).app.clock(),
        "here": current_page(request),
    }
    text = environment().get_template(template).render({**shared, **values})
    return desk_of(request).app.known.text(text)  # whatever a template shows, secrets are masked


def _faults(words: Words) -> str:
    """Return error messages by status for scripts; 0: no answer. English keeps the desk's own
    sentences."""
    messages = {"0": words("fault.away")}
    for status in ("403", "404", "429", "500", "503") if words.language != "en" else ():
        word = "5xx" if status == "503" else status
        messages[status] = f"{words(f'fault.{word}')} · {words(f'fault.{word}.next')}"
    return json.dumps(messages, ensure_ascii=False)


def theme_of(request: Request) -> Theme:
    chosen = request.cookies.get(THEME_COOKIE)
    return chosen if chosen in _THEMES else ""


def static(name: str) -> str:
    """Return the address of a static file; it changes with any content, so it may be cached for ever."""
    return f"/static/{stamp()}/{name}"


@cache
def assets() -> Mapping[str, bytes]:
    """Read the static files, by name."""
    folder = files("groundwire.doors.ui").joinpath("static")
    return {file.name: file.read_bytes() for file in folder.iterdir()}


@cache
def stamp() -> str:
    """Hash the whole folder: modules import each other by relative address."""
    digest = hashlib.sha256()
    for name, data in sorted(assets().items()):
        digest.update(name.encode() + data)
    return digest.hexdigest()[:12]


def _spoken(text: str) -> str:
    """Return the language of a text as HTML names it: sources have others than the reader."""
    return tag(detect_language(text))


def _moment(at: datetime | None) -> str:
    return "" if at is None else f"{at.astimezone(UTC):%Y-%m-%d %H:%M}"


def _brief(at: datetime, now: datetime) -> str:
    """Return the time of a moment today, else its day, for lists."""
    then = at.astimezone(UTC)
    return f"{then:%H:%M}" if then.date() == now.astimezone(UTC).date() else f"{then:%Y-%m-%d}"


def split_end(text: str) -> tuple[str, str]:
    """Split off the end that marks are glued to: a mark never stands alone on a line."""
    found = _END.search(text)
    at = len(text) if found is None else found.start()
    return text[:at], text[at:]
