"""A report as one HTML file: its own style, no script, nothing loaded; and as a fragment of a page."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from groundwire.report.blocks import Figure, Report
from groundwire.report.statements import CHANGES
from groundwire.report.tokens import DARK, LIGHT, SHAPES
from groundwire.report.waterfall import printed_bars

_LANGUAGES = {"en": "en", "zh": "zh-Hans", "zh-Hant": "zh-Hant"}


def render(report: Report) -> bytes:
    """Render the whole file; its own policy forbids a browser to load or run anything."""
    style = _style() + _asset("report-page.css")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    # No inline style but ours: an attribute or a tag that slipped in would do nothing.
    # Pictures are in the file itself: as images they can neither load nor run anything.
    pictured = any(isinstance(block, Figure) for block in report.blocks)
    pictures = "img-src data:; " if pictured else ""
    policy = (
        f"default-src 'none'; style-src 'sha256-{digest}'; {pictures}base-uri 'none'; "
        "form-action 'none'"
    )
    page = environment().get_template("report-page.html.j2")
    return page.render(**_template_data(report), style=Markup(style), policy=policy).encode()


def fragment(report: Report) -> str:
    """Render the report with its style, to embed in another page, such as a notebook's."""
    part = environment().get_template("report-fragment.html.j2")
    return part.render(**_template_data(report), style=Markup(_style()))


def _template_data(report: Report) -> dict[str, object]:
    return {
        "report": report,
        "lang": _LANGUAGES[report.language],
        "shapes": SHAPES,
        "bars": printed_bars,
        "changes": CHANGES,
        "titles": {
            number: f"{entry.publisher} · {entry.title}" if entry.publisher else entry.title
            for number, entry in report.entries().items()
        },
    }


@cache
def environment() -> Environment:
    """Create the environment of report templates, which escapes all values."""
    from jinja2 import FunctionLoader

    return Environment(
        loader=FunctionLoader(_asset),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@cache
def _style() -> str:
    """Compose the tokens, light and dark, and the rules that use them."""
    light, dark = _variables(LIGHT), _variables(DARK)
    return (
        f".gw-report{{{light}color-scheme:light}}\n"
        f"@media screen and (prefers-color-scheme:dark){{.gw-report{{{dark}color-scheme:dark}}}}\n"
        + _asset("report.css")
    )


def _variables(tokens: Mapping[str, str]) -> str:
    return "".join(f"--{name}:{value};" for name, value in tokens.items())


@cache
def _asset(name: str) -> str:
    return files("groundwire.report").joinpath("templates", name).read_text("utf-8")
