"""Charts as SVG, drawn here: colours are classes of the style sheet, so light and dark are one.

A picture is as wide as its place, and its text would shrink with it: what a narrow screen shows as
well is drawn for both (`for_both`); everything else has its words beside it in HTML.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from markupsafe import Markup, escape

from groundwire.words import Words

WIDE, NARROW = 960, 340


class Chart(NamedTuple):
    """A picture, a sentence that sums it up, and its numbers for those who cannot see it."""

    picture: Markup
    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Mark(NamedTuple):
    """A place on a scale, with its label."""

    at: float
    label: str


class Dot(NamedTuple):
    """A mean of `samples` values with its interval."""

    x: float
    y: float
    low: float
    high: float
    samples: int


def tag(name: str, inside: str | Markup = "", **attributes: object) -> Markup:
    """Build an element, all escaped; `class_` and `stroke_width` become `class` and `stroke-width`."""
    spelled = Markup().join(
        Markup(' {}="{}"').format(key.rstrip("_").replace("_", "-"), _number(value))
        for key, value in attributes.items()
    )
    return Markup("<{}{}>{}</{}>").format(Markup(escape(name)), spelled, inside, Markup(name))


def _number(value: object) -> object:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else value


def svg(width: int, height: int, parts: Sequence[Markup], kind: str, label: str) -> Markup:
    """Build a picture that screen readers call by its label."""
    return tag(
        "svg",
        Markup().join(parts),
        class_=f"chart {kind}",
        viewBox=f"0 0 {width} {height}",
        role="img",
        aria_label=label,
    )


def for_both(draw: Callable[[int, str], Markup], wide: int = WIDE) -> Markup:
    """Draw a picture for wide and one for narrow screens; the style sheet shows one of them."""
    return draw(wide, "on-wide") + draw(NARROW, "on-narrow")


def text(x: float, y: float, words: str, class_: str = "", anchor: str = "start") -> Markup:
    return tag("text", words, x=x, y=y, class_=class_ or "label", text_anchor=anchor)


def line(x1: float, y1: float, x2: float, y2: float, class_: str) -> Markup:
    return tag("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_)


def rect(x: float, y: float, width: float, height: float, class_: str) -> Markup:
    return tag("rect", x=x, y=y, width=max(0.0, width), height=max(0.0, height), class_=class_)


# --- the reliability curve -------------------------------------------------------------------

_SIDE = 300  # of the square
_LEFT, _TOP = 44, 14
_COUNTS = 56  # height of the bars below
_GAP = 34
_LEAST_DOT, _MOST_DOT = 3.0, 9.0


def reliability(
    dots: Sequence[Dot], steps: Sequence[tuple[float, float]], say: Words, label: str
) -> Markup:
    """Draw confidence against what came true, exact on the diagonal; below, how many signals."""
    parts = [*_square(say), *_steps(steps, say("trust.after"))]
    for dot in dots:
        parts += _dot(dot, max(each.samples for each in dots))
    parts += _histogram(dots, say("trust.signals_axis"))
    height = _TOP + _SIDE + _GAP + _COUNTS + 22
    return svg(_LEFT + _SIDE + 16, height, parts, "reliability", label)


def _x(share: float) -> float:
    return _LEFT + share * _SIDE


def _y(share: float) -> float:
    return _TOP + (1 - share) * _SIDE


def _square(say: Words) -> list[Markup]:
    parts = [line(_x(0), _y(at), _x(1), _y(at), "grid") for at in (0.25, 0.5, 0.75, 1.0)]
    parts += [line(_x(0), _y(0), _x(1), _y(0), "axis"), line(_x(0), _y(0), _x(1), _y(1), "exact")]
    for at in (0.0, 0.5, 1.0):
        parts.append(text(_x(at), _y(0) + 16, f"{at:g}", "tick", "middle"))
        parts.append(text(_x(0) - 8, _y(at) + 4, f"{at:g}", "tick", "end"))
    turned = f"rotate(-45 {_x(0.84):g} {_y(0.84):g})"
    parts.append(
        tag("text", say("trust.exact"), x=_x(0.84), y=_y(0.84) - 6, class_="tick",
            text_anchor="middle", transform=turned)
    )  # fmt: skip
    parts.append(text(_x(0) + 6, _y(1) + 12, say("trust.true_axis"), "title"))
    parts.append(text(_x(1), _y(0) - 7, say("trust.said_axis"), "title", "end"))
    return parts


def _dot(dot: Dot, most: int) -> list[Markup]:
    size = max(_LEAST_DOT, _MOST_DOT * (dot.samples / most) ** 0.5)
    x = _x(dot.x)
    parts = [line(x, _y(dot.low), x, _y(dot.high), "interval")]
    parts += [line(x - 4, _y(end), x + 4, _y(end), "interval") for end in (dot.low, dot.high)]
    return [*parts, tag("circle", cx=x, cy=_y(dot.y), r=size, class_="dot-mark")]


def _steps(steps: Sequence[tuple[float, float]], label: str) -> list[Markup]:
    """Draw what a score is worth after calibration, from each left end to the next."""
    if not steps:
        return []
    ends = [left for left, _ in steps[1:]] + [1.0]
    path = f"M{_x(0):g} {_y(steps[0][1]):.2f}"
    for (_, value), end in zip(steps, ends, strict=True):
        path += f"V{_y(value):.2f}H{_x(end):.2f}"
    last = steps[-1][1]
    above = _y(last) - 8 if last < 0.93 else _y(last) + 16
    return [tag("path", d=path, class_="fitted"), text(_x(1), above, label, "fitted-label", "end")]


def _histogram(dots: Sequence[Dot], label: str) -> list[Markup]:
    base = _TOP + _SIDE + _GAP + _COUNTS
    most = max((dot.samples for dot in dots), default=1)
    room = _COUNTS - 14  # leaves space for the number above the highest bar
    parts = [line(_x(0), base, _x(1), base, "axis")]
    for dot in dots:
        tenth = min(9, int(round(dot.x * 1_000_000) // 100_000))
        height = room * dot.samples / most
        left = _x(tenth / 10) + 3
        parts.append(rect(left, base - height, _SIDE / 10 - 6, height, "bar"))
        middle = left + _SIDE / 20 - 3
        parts.append(text(middle, base - height - 4, f"{dot.samples:,}", "value", "middle"))
    parts.append(text(_x(0), base + 16, label, "tick"))
    return parts


# --- bars of days ----------------------------------------------------------------------------


class ChartBar(NamedTuple):
    """One day: its label, the size of its bar, and the value as text."""

    label: str
    size: float
    value: str


_DAYS = 150  # height of the plot
_ABOVE, _BELOW = 24, 22
_THICKEST = 44
_LETTER = 6.6  # rough width of a letter; a Chinese one takes two


def bars(days: Sequence[ChartBar], label: str, limit: Mark | None = None) -> Markup:
    """Draw a bar for each day, with the highest value, a line for the limit, and any excess marked."""
    sizes = [each.size for each in days] + ([limit.at] if limit else [])
    plot = _Plot(days, max(sizes, default=0.0) or 1.0, limit)
    return for_both(lambda width, kind: plot.draw(width, kind, label))


class _Plot(NamedTuple):
    days: Sequence[ChartBar]
    most: float
    limit: Mark | None

    def draw(self, width: int, kind: str, label: str) -> Markup:
        room = width / max(1, len(self.days))
        base = _ABOVE + _DAYS
        parts = [line(0, base, width, base, "axis")]
        for at, day in enumerate(self.days):
            parts += self._bar(day, (at + 0.5) * room, min(_THICKEST, room - 2))
        every = next(step for step in (1, 2, 5, 10, 30, 400) if room * step >= 30)
        for at, day in enumerate(self.days[::every]):
            x = (at * every + 0.5) * room
            parts.append(text(x, base + 16, day.label, "tick", "middle"))
        parts += [*self._highest(width, room), *self._line(width, room)]
        return svg(width, base + _BELOW, parts, f"bars {kind}", label)

    def _y(self, size: float) -> float:
        return _ABOVE + _DAYS * (1 - size / self.most)

    def _bar(self, day: ChartBar, middle: float, width: float) -> list[Markup]:
        base, left = _ABOVE + _DAYS, middle - width / 2
        top, edge = self._y(day.size), self._y(self.limit.at if self.limit else self.most)
        if top >= edge:
            return [rect(left, top, width, base - top, "bar")]
        return [
            rect(left, edge, width, base - edge, "bar"),
            rect(left, top, width, edge - top, "bar over"),
        ]

    def _highest(self, width: int, room: float) -> list[Markup]:
        at = max(range(len(self.days)), key=lambda each: self.days[each].size, default=0)
        if not self.days or not self.days[at].size:
            return []
        x, y = (at + 0.5) * room, self._y(self.days[at].size) - 6
        return [text(x, y, self.days[at].value, "value", _anchor(x, width))]

    def _line(self, width: int, room: float) -> list[Markup]:
        """Draw the limit, with its label where the bars under it are lowest."""
        if self.limit is None:
            return []
        y = self._y(self.limit.at)
        size = sum(_LETTER if letter.isascii() else 2 * _LETTER for letter in self.limit.label)
        places = range(0, max(1, int(width - size)), 4)
        left = min(places, key=lambda x: (self._highest_between(x, x + size, room), -x), default=0)
        return [line(0, y, width, y, "limit"), text(left, y - 6, self.limit.label, "limit-label")]

    def _highest_between(self, left: float, right: float, room: float) -> float:
        under = self.days[int(left // room) : int(right // room) + 1]
        return max((each.size for each in under), default=0.0)


def _anchor(x: float, width: float) -> str:
    return "start" if x < 40 else "end" if x > width - 40 else "middle"


# --- budgets ---------------------------------------------------------------------------------


_BUDGET = 740  # width on a wide screen


def budget(
    spent: float, held: float, limit: Mark | None, forecast: Mark | None, label: str
) -> Markup:
    """Draw what is spent and what calls under way may cost, with lines for limit and forecast."""
    marks = [mark for mark in (limit, forecast) if mark is not None]
    whole = max([spent + held, *(mark.at for mark in marks)]) or 1.0
    full = limit is not None and spent >= limit.at

    def draw(width: int, kind: str) -> Markup:
        def at(usd: float) -> float:
            return width * usd / whole

        parts = [
            rect(0, 6, width, 12, "ground"),
            rect(0, 6, at(spent), 12, "fill full" if full else "fill"),
            rect(at(spent), 6, at(held), 12, "held"),
        ]
        for row, (mark, class_) in enumerate(((limit, "limit"), (forecast, "forecast"))):
            if mark is None:
                continue
            # Marks near each other have their labels on two lines.
            low = 34 if row == 0 or limit is None else 50
            x = at(mark.at)
            parts.append(line(x, 0, x, low - 11, class_))
            parts.append(text(x, low, mark.label, f"{class_}-label", _anchor(x, width)))
        height = 22 if not marks else 38 if len(marks) == 1 else 54
        return svg(width, height, parts, f"budget {kind}", label)

    return for_both(draw, wide=_BUDGET)


# --- small ones without words ----------------------------------------------------------------

_LONG, _THICK = 1000, 24


def scale(values: Sequence[tuple[float, str]], whole: float, label: str) -> Markup:
    """Draw marks on a line from zero: (value, class) each."""
    parts = [line(0, 12, _LONG, 12, "axis")]
    for value, class_ in values:
        x = _LONG * min(value, whole) / whole
        parts.append(line(x, 2, x, 22, class_))
    return _strip(parts, "scale", role="img", aria_label=label)


def share(value: float, low: float, high: float) -> Markup:
    """Draw a share from 0 to 1 with its interval; its numbers stand beside it."""
    parts = [
        rect(0, 9, _LONG, 6, "ground"),
        rect(_LONG * low, 9, _LONG * (high - low), 6, "span"),
        line(_LONG * value, 3, _LONG * value, 21, "at"),
    ]
    return _strip(parts, "share", aria_hidden="true")


def _strip(parts: Sequence[Markup], kind: str, **more: str) -> Markup:
    """Build a flat picture that stretches to its place."""
    box = {"viewBox": f"0 0 {_LONG} {_THICK}", "preserveAspectRatio": "none"}
    return tag("svg", Markup().join(parts), class_=f"chart {kind}", **box, **more)


def spark(values: Sequence[tuple[float, float]], label: str) -> Markup:
    """Draw small bars, (whole, good part of it) each, oldest first."""
    most = max((whole for whole, _ in values), default=0.0) or 1.0
    parts: list[Markup] = []
    for at, (whole, good) in enumerate(values):
        high = 18 * whole / most
        parts.append(rect(at * 8, 20 - high, 6, high, "missed"))
        parts.append(rect(at * 8, 20 - 18 * good / most, 6, 18 * good / most, "bar"))
    width = max(1, len(values)) * 8
    parts.append(line(0, 20, width, 20, "axis"))
    return svg(width, 21, parts, "spark", label)
