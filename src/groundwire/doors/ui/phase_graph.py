"""The phases of a run as a picture: where it stands, which it has passed, and the moves between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from markupsafe import Markup

from groundwire import jobs
from groundwire.doors.ui.charts import svg, tag, text
from groundwire.jobs import Phases
from groundwire.model.story import Story
from groundwire.words import Words

_Place = tuple[int, int]
_WIDTH, _HEIGHT = 118, 26  # of a phase
_LEFT, _ACROSS, _DOWN = 26, 150, 40  # of the first, and from one to the next
_ROUND = 2  # how far to the left a line leads around others
_ASIDE = "recovering"  # reached from everywhere: drawn once, not from each


def phase_graph(kind: str, story: Story, say: Words) -> Markup | None:
    """Draw the phases of a job that has any."""
    found = jobs.phases(kind)
    if found is None:
        return None
    columns, rows = (1 + max(place[axis] for place in found.places.values()) for axis in (0, 1))
    parts = [
        _arrow(),
        *_moves(found),
        *(_node(kind, name, place, story, say) for name, place in found.places.items()),
    ]
    width = _LEFT + (columns - 1) * _ACROSS + _WIDTH + 2
    height = (rows - 1) * _DOWN + _HEIGHT + 2
    now = say.name(f"{kind}.phase", story.phase) if story.phase else ""
    return svg(width, height, parts, "phases", f"{say('run.phases')}{say('list.colon')}{now}")


def state_of(name: str, story: Story) -> str:
    """Tell how a phase is shown: the run stands in it, has passed it, or has not come to it."""
    if name == story.phase:
        return "live" if not story.over else "here"
    return "passed" if story.passed.get(name) else "ahead"


def _node(kind: str, name: str, place: _Place, story: Story, say: Words) -> Markup:
    x, y = _corner(place)
    box = tag("rect", x=x, y=y, width=_WIDTH, height=_HEIGHT, rx=5)
    word = text(x + _WIDTH / 2, y + _HEIGHT / 2 + 4, say.name(f"{kind}.phase", name), "", "middle")
    return tag("g", box + word, class_="phase", data_phase=name, data_state=state_of(name, story))


def _corner(place: _Place) -> tuple[float, float]:
    return _LEFT + place[0] * _ACROSS, 1 + place[1] * _DOWN


def _moves(found: Phases) -> Iterator[Markup]:
    """Draw each move once; one that leads both ways has two heads."""
    for here, others in found.moves.items():
        for there in sorted(others):
            if there not in found.places or (_ASIDE in (here, there) and there != "failed"):
                continue
            back = here in found.moves[there]
            if back and list(found.places).index(here) > list(found.places).index(there):
                continue  # drawn from the other end
            both = {"marker_start": "url(#phase-head)"} if back else {}
            path = _path(found.places[here], found.places[there], found.places.values())
            yield tag("path", d=path, class_="move", marker_end="url(#phase-head)", **both)


def _path(here: _Place, there: _Place, taken: Iterable[_Place]) -> str:
    """Lead a line from box to box: straight, or around the left of those that stand in between."""
    (x, y), (u, v) = _corner(here), _corner(there)
    a, b = y + _HEIGHT / 2, v + _HEIGHT / 2
    if here[0] != there[0]:
        start, end = (x + _WIDTH, u) if u > x else (x, u + _WIDTH)
        return f"M {start} {a:.0f} L {end} {b:.0f}"
    between = range(min(here[1], there[1]) + 1, max(here[1], there[1]))
    if any(column == here[0] and row in between for column, row in taken):
        return f"M {x} {a:.0f} C {_ROUND} {a:.0f} {_ROUND} {b:.0f} {u} {b:.0f}"
    middle = x + _WIDTH / 2
    ends = (y + _HEIGHT, v) if v > y else (y, v + _HEIGHT)
    return f"M {middle:.0f} {ends[0]} L {middle:.0f} {ends[1]}"


def _arrow() -> Markup:
    head = tag("path", d="M 0 0 L 6 3 L 0 6 z")
    marker = tag(
        "marker", head, id="phase-head", viewBox="0 0 6 6", refX=6, refY=3,
        markerWidth=6, markerHeight=6, orient="auto-start-reverse",
    )  # fmt: skip
    return tag("defs", marker)
