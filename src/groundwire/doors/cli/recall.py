"""`gw recall` and `gw claims`: what was believed when, how it came about, and how to withdraw it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer

from groundwire.doors.cli import render, session
from groundwire.doors.cli.asking import typed
from groundwire.doors.cli.reader import words_for
from groundwire.doors.cli.root import LOOK, By, Json, Why, cli, command, group
from groundwire.errors import InputError

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

    from groundwire.app import App
    from groundwire.model import memory
    from groundwire.words import Words

_BAR = 10
_QUOTE = 200
claims = group("claims", LOOK, "Remembered claims: how each came about, and taking one back.")
AsOf = Annotated[str, typer.Option(metavar="WHEN")]


@command(cli, panel=LOOK)
async def recall(
    app: App,
    query: Annotated[str, typer.Argument(metavar="QUERY")] = "",
    subject: Annotated[str, typer.Option(metavar="NAME")] = "",
    since: Annotated[str, typer.Option(metavar="WHEN")] = "",
    as_of: AsOf = "",
    about: Annotated[str, typer.Option(metavar="DAY")] = "",
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=100)] = 8,
    min_confidence: Annotated[float | None, typer.Option(min=0.0, max=1.0)] = None,
    past: Annotated[bool, typer.Option("--past")] = False,
    as_json: Json = False,
) -> int | None:
    """Recall what we believe, or believed at some time, with its two times and its sources."""
    from groundwire.app.memory import day_of_the_world, moment
    from groundwire.model.memory import MemoryQuery

    text = typed(query, "noun.query") if query else ""
    if not text and not subject.strip():
        raise InputError("error.nothing_asked", hint="hint.gw_recall")
    wanted = MemoryQuery(
        text=text,
        subject=subject.strip() or None,
        since=moment(since, "--since") if since else None,
        as_of=_moment_of(as_of),
        about=day_of_the_world(about, "--about") if about else None,
        limit=limit,
        min_confidence=min_confidence,
        past=past,
    )
    found = await app.memory.recall(wanted)
    if as_json:
        render.put_json({"asked": wanted, **found.model_dump(mode="json")})
    else:
        _show_found(found, wanted, words_for(text or subject), as_of)
    return session.FAILED if found.state == "unavailable" else None


@command(claims)
async def history(
    app: App,
    claim: Annotated[str, typer.Argument(metavar="CLAIM|QUERY")],
    as_of: AsOf = "",
    as_json: Json = False,
) -> None:
    """Show what was believed first, what it became, when and why."""
    story = await app.memory.story(claim, _moment_of(as_of))
    say = words_for(claim if not claim.startswith("cl_") else story.claims[0].claim.text)
    render.answer(as_json, story, *_story_lines(story, say))


@command(claims)
async def withdraw(
    app: App,
    claim: Annotated[str, typer.Argument(metavar="CLAIM")],
    why: Why,
    by: By = "",
    as_json: Json = False,
) -> None:
    """Take a claim back; it stays in its history, with who, why and when."""
    held = await app.memory.withdraw(claim, who=session.person(by), why=why)
    say = words_for(held.claim.text)
    render.answer(as_json, held, *_claim_lines(held, say))
    for each in () if as_json else held.replaced:
        render.note(say("memory.not_back", text=each.text))


def _moment_of(as_of: str) -> datetime | None:
    from groundwire.app.memory import moment

    return moment(as_of, "--as-of", end=True) if as_of else None


# --- recall ----------------------------------------------------------------------------------


def _show_found(
    found: memory.Recollection, wanted: memory.MemoryQuery, say: Words, as_of: str
) -> None:
    if wanted.as_of is not None:
        render.put(render.shown(f"{say.name('memory', 'as of')} {_exact(wanted.as_of)}", "bold"))
    if found.state != "ok":
        why = say(found.reason, **found.params)
        render.note(f"{say.name('memory', found.state)}{say('list.colon')}{why}", "degraded")
    elif not found.entries:
        render.note(say.name("memory", "nothing then" if as_of else "nothing"))
    for entry in found.entries:
        render.put("", *_claim_lines(entry, say, entry))


def _claim_lines(
    held: memory.Held, say: Words, entry: memory.RecalledClaim | None = None
) -> Iterator[RenderableType]:
    """Yield a claim, and under it all that is known of it."""
    from groundwire.report.terminal import grid, judged
    from groundwire.report.wrapping import Wrapped

    standing = held.standing
    mark = judged(standing.verdict, say.name("verdict", standing.verdict))
    if standing.state != "believed":
        mark = render.line((f"✕ {say.name('memory', standing.state)}", "contradicted"))
    head = grid("left", "fill")
    head.add_row(mark, Wrapped(render.shown(held.claim.text, "bold")))
    yield head
    rows = grid("left", "fill")
    for label, value in _details(held, say, entry):
        rows.add_row(render.line((f"  {say.name('memory', label)}", "soft")), Wrapped(value))
    yield rows


def _details(
    held: memory.Held, say: Words, entry: memory.RecalledClaim | None
) -> Iterator[tuple[str, Text]]:
    from groundwire.report.sections import difference

    now = held.standing
    if entry is not None:
        yield "similarity", _similarity(entry, say)
    yield "true", render.shown(held.claim.time or say("report.undated"))
    learned = _minute(now.learned_at)
    if held.sightings > 1:
        learned += f" · {say('memory.again', n=held.sightings, at=_minute(now.seen_at))}"
    yield "learned", render.shown(learned)
    if now.confidence is not None:
        yield "confidence", render.shown(f"{now.confidence:.2f}")
    if now.until is not None:
        by = f" → {now.successor}" if now.successor else ""
        until = f"{_minute(now.until)}{by} ({difference(now.why, say)})"
        yield "until", render.shown(until)
    for each in held.replaced:
        span = f"{_minute(each.learned_at)} – {_minute(each.until)}"
        why = (f" ({span}; {difference(each.why, say)})", "soft")
        yield "replaced", render.line(render.shown(each.text), why)
    for ground in held.sources:
        yield "source", _source(ground, say)
    yield "claim", render.shown(held.claim.id, "faint")


def _similarity(entry: memory.RecalledClaim, say: Words) -> Text:
    total = entry.similarity.total
    full = round(total * _BAR)
    parts = " · ".join(
        f"{say.name('memory', part.name)} {part.value:.2f}" for part in entry.similarity.parts
    )
    return render.line(
        (f"{total:.2f} ", "accent"),
        ("█" * full, "accent"),
        ("░" * (_BAR - full), "faint"),
        (f" {parts}", "soft"),
    )


def _source(ground: memory.Ground, say: Words) -> Text:
    from groundwire.model.source import publisher_name
    from groundwire.report.links import web_link
    from groundwire.report.plain import day

    quote = ground.quote if len(ground.quote) <= _QUOTE else ground.quote[: _QUOTE - 1] + "…"
    return render.line(
        render.shown(publisher_name(ground.publisher, say), link=web_link(ground.url)),
        (f" · {day(ground.published_at) or say('report.undated')} · ", "soft"),
        render.shown(f"“{quote}”", "soft"),
    )


# --- history ---------------------------------------------------------------------------------


def _story_lines(story: memory.ClaimHistory, say: Words) -> Iterator[RenderableType]:
    """Yield every moment in order, then each claim as it stands."""
    from groundwire.report.terminal import grid
    from groundwire.report.wrapping import Wrapped

    texts = {each.claim.id: each.claim.text for each in story.claims}
    rows = grid("left", "left", "fill")
    for moment in story.moments:
        rows.add_row(
            render.shown(_minute(moment.at), "soft"),
            render.shown(say.name("memory", moment.kind), _STYLES.get(moment.kind, "none")),
            Wrapped(_moment_line(moment, texts, say)),
        )
    yield rows
    for held in story.claims:
        yield ""
        yield from _claim_lines(held, say)


_STYLES = {"superseded": "contested", "withdrawn": "contradicted", "learned": "supported"}


def _moment_line(moment: memory.Moment, texts: dict[str, str], say: Words) -> Text:
    from groundwire.report.sections import difference

    line = render.shown(texts.get(moment.claim_id, moment.claim_id))
    if moment.successor is not None:
        became = texts.get(moment.successor, moment.successor)
        line = render.line(line, (" → ", "accent"), render.shown(became))
    details = [render.clean(each) for each in (difference(moment.why, say), moment.who) if each]
    return render.line(line, (f" ({' · '.join(details)})", "soft"))


def _minute(at: datetime | None) -> str:
    """Return a moment in local time, as people type moments."""
    return "" if at is None else f"{at.astimezone():%Y-%m-%d %H:%M}"


def _exact(at: datetime) -> str:
    """Return a moment with its zone, so that nobody has to guess it."""
    local = at.astimezone() if at.utcoffset() is None else at
    zone = f"{local:%z}"
    return f"{local:%Y-%m-%d %H:%M:%S} UTC{zone[:3]}:{zone[3:5]}"
