"""`gw recall` and `gw claims`: what was believed when, how it came about, and taking it back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Annotated

from groundwire.doors.cli import render, session
from groundwire.doors.cli.asking import typed
from groundwire.doors.cli.root import LOOK, By, Json, Why, argument, cli, command, group, option
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
AsOf = Annotated[
    str,
    option(
        "As it was believed then: a day (its end) or a moment, local time unless it ends in "
        "Z or +hh:mm.",
        metavar="WHEN",
    ),
]


@command(cli, panel=LOOK)
async def recall(
    app: App,
    query: Annotated[str, argument("What about.", metavar="QUERY")] = "",
    subject: Annotated[str, option("Only claims that name it, zh or en.", metavar="NAME")] = "",
    since: Annotated[str, option("Only what was learned or seen since then.", metavar="WHEN")] = "",
    as_of: AsOf = "",
    about: Annotated[
        str, option("Only what was true in the world on that day.", metavar="DAY")
    ] = "",
    limit: Annotated[int, option("--limit", "-n", "How many.", min=1, max=100)] = 8,
    min_confidence: Annotated[
        float | None,
        option("Least confidence; leaves out claims without one.", min=0.0, max=1.0),
    ] = None,
    past: Annotated[bool, option("--past", "Also what is no longer believed.")] = False,
    as_json: Json = False,
) -> int | None:
    """What we believe, or believed at some time, with its two times and its sources."""
    from groundwire.app.memory import day_of_the_world, moment
    from groundwire.model.memory import MemoryQuery

    words = typed(query, "noun.query") if query else ""
    if not words and not subject.strip():
        raise InputError("error.nothing_asked", hint="hint.gw_recall")
    wish = MemoryQuery(
        text=words,
        subject=subject.strip() or None,
        since=moment(since, "--since") if since else None,
        as_of=_then(as_of),
        about=day_of_the_world(about, "--about") if about else None,
        limit=limit,
        min_confidence=min_confidence,
        past=past,
    )
    found = await app.memory.recall(wish)
    if as_json:
        render.put_json({"asked": wish, **found.model_dump(mode="json")})
    else:
        _show(found, wish, _words(words or subject), as_of)
    return session.FAILED if found.state == "unavailable" else None


@command(claims)
async def history(
    app: App,
    claim: Annotated[str, argument("An id (cl_…), or words.", metavar="CLAIM|QUERY")],
    as_of: AsOf = "",
    as_json: Json = False,
) -> None:
    """What was believed first, what it became, when and why."""
    told = await app.memory.story(claim, _then(as_of))
    say = _words(claim if not claim.startswith("cl_") else told.claims[0].claim.text)
    render.answer(as_json, told, *_told(told, say))


@command(claims)
async def withdraw(
    app: App,
    claim: Annotated[str, argument("An id (cl_…), or its beginning.", metavar="CLAIM")],
    why: Why,
    by: By = "",
    as_json: Json = False,
) -> None:
    """Take a claim back; it stays in its history, with who, why and when."""
    held = await app.memory.withdraw(claim, who=session.person(by), why=why)
    say = _words(held.claim.text)
    render.answer(as_json, held, *_claim(held, say))
    for each in () if as_json else held.replaced:
        render.note(say("memory.not_back", text=each.text))


def _then(as_of: str) -> datetime | None:
    from groundwire.app.memory import moment

    return moment(as_of, "--as-of", end=True) if as_of else None


def _words(text: str) -> Words:
    from groundwire.language.text.characters import detect_language
    from groundwire.words import words

    return words(detect_language(text))


# --- recall ----------------------------------------------------------------------------------


def _show(found: memory.Recollection, wish: memory.MemoryQuery, say: Words, as_of: str) -> None:
    if wish.as_of is not None:
        render.put(render.shown(f"{say.name('memory', 'as of')} {_exact(wish.as_of)}", "bold"))
    if found.state != "ok":
        why = say(found.reason, **found.params)
        render.note(f"{say.name('memory', found.state)}{say('list.colon')}{why}", "degraded")
    elif not found.entries:
        render.note(say.name("memory", "nothing then" if as_of else "nothing"))
    for entry in found.entries:
        render.put("", *_claim(entry, say, entry))


def _claim(
    held: memory.Held, say: Words, entry: memory.RecalledClaim | None = None
) -> Iterator[RenderableType]:
    """Return a claim, and under it all that is known of it."""
    from groundwire.report.terminal import grid, judged
    from groundwire.report.wrapping import Wrapped

    how = held.standing
    mark = judged(how.verdict, say.name("verdict", how.verdict))
    if how.state != "believed":
        mark = render.line((f"✕ {say.name('memory', how.state)}", "contradicted"))
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

    how = held.standing
    if entry is not None:
        yield "similarity", _similarity(entry, say)
    yield "true", render.shown(held.claim.time or say("report.undated"))
    learned = f"{_minute(how.learned_at)}"
    if held.sightings > 1:
        again = say("memory.again", n=held.sightings, at=_minute(how.seen_at))
        learned = f"{learned} · {again}"
    yield "learned", render.shown(learned)
    if how.confidence is not None:
        yield "confidence", render.shown(f"{how.confidence:.2f}")
    if how.until is not None:
        by = f" → {how.successor}" if how.successor else ""
        yield "until", render.shown(f"{_minute(how.until)}{by} ({difference(how.why, say)})")
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


def _told(story: memory.ClaimHistory, say: Words) -> Iterator[RenderableType]:
    """Return every moment in order, then each claim as it stands."""
    from groundwire.report.terminal import grid
    from groundwire.report.wrapping import Wrapped

    texts = {each.claim.id: each.claim.text for each in story.claims}
    rows = grid("left", "left", "fill")
    for moment in story.moments:
        rows.add_row(
            render.shown(_minute(moment.at), "soft"),
            render.shown(say.name("memory", moment.kind), _STYLES.get(moment.kind, "none")),
            Wrapped(_happened(moment, texts, say)),
        )
    yield rows
    for held in story.claims:
        yield ""
        yield from _claim(held, say)


_STYLES = {"superseded": "contested", "withdrawn": "contradicted", "learned": "supported"}


def _happened(moment: memory.Moment, texts: dict[str, str], say: Words) -> Text:
    from groundwire.report.sections import difference

    line = render.shown(texts.get(moment.claim_id, moment.claim_id))
    if moment.successor is not None:
        became = texts.get(moment.successor, moment.successor)
        line = render.line(line, (" → ", "accent"), render.shown(became))
    details: Sequence[str] = [part for part in (difference(moment.why, say), moment.who) if part]
    return render.line(line, (f" ({' · '.join(render.clean(each) for each in details)})", "soft"))


def _minute(at: datetime | None) -> str:
    """Return local time, as the moments that people type are."""
    return "" if at is None else f"{at.astimezone():%Y-%m-%d %H:%M}"


def _exact(at: datetime) -> str:
    """Return a moment with its zone, so that nobody guesses which was meant."""
    local = at.astimezone() if at.utcoffset() is None else at
    zone = f"{local:%z}"
    return f"{local:%Y-%m-%d %H:%M:%S} UTC{zone[:3]}:{zone[3:5]}"
