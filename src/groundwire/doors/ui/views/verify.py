"""How signals are shown: the verdict, why it is what it is, and what stands behind each part."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from groundwire.doors.ui.ledger import Ledger, ledger
from groundwire.doors.ui.quotes import Quotes, Said
from groundwire.doors.ui.view import Paper, Seen, View
from groundwire.doors.ui.waterfall import bars, skyline
from groundwire.jobs.verify.signal import Signal, SignalEvidence
from groundwire.jobs.verify.sources import source_numbers, stance_behind
from groundwire.language.text.tokens import detect_language
from groundwire.model.base import JsonObject
from groundwire.model.result import EvidenceView, Origin
from groundwire.model.run import Run
from groundwire.report.plain import one_line

if TYPE_CHECKING:
    from groundwire.app import App

_MARK = re.compile(r"\[(\d{1,4})\]")
_COUNTED = (
    ("source_count", "results"),
    ("unique_domains", "sites"),
    ("independent_origins", "origins"),
)


@dataclass(frozen=True)
class Finding:
    """What pages say, and the side that they take."""

    said: Said
    stance: str


@dataclass(frozen=True)
class Camp:
    """The evidence that takes one side."""

    stance: str
    origins: int
    cards: tuple[SignalEvidence, ...]


def _about(run: Run) -> str:
    return " ".join(str(run.input.get("text", "")).split())


def _paper(seen: Seen) -> Paper:
    return _drafted(seen) if seen.run.result is None else _signal(seen)


def _signal(seen: Seen) -> Paper:
    signal = Signal.model_validate(seen.run.result)
    numbers = source_numbers(signal)
    quotes = Quotes(signal.run_id, signal.evidence, signal.origins, numbers)
    claims = [quotes.said(each) for each in signal.claims]
    findings = [Finding(quotes.said(each), stance_behind(each, signal)) for each in signal.findings]
    found = bars(signal.waterfall, quotes.numbers, seen.t)
    return Paper(
        values={
            "signal": signal,
            "claims": claims,
            "findings": findings,
            "camps": camps(signal),
            "bars": found,
            "skyline": skyline(found),
            "measures": [measured(each.model_dump(), seen) for each in signal.tools],
            "notes": marked(one_line(signal.notes), quotes.numbers),
            "tiers": {
                quotes.numbers[e.id]: e.tier for e in signal.evidence if e.id in quotes.numbers
            },
            "impression": None,
        },
        title=signal.summary or signal.message.text,
        language=signal.language,
        ledger=ledger(signal.run_id, signal.evidence, signal.origins, quotes),
        chips=quotes.chips,
        sentences=quotes.texts,
    )


def _drafted(seen: Seen) -> Paper:
    """Before the signal is there, or without one: the first impression, and what was found."""
    draft, text = seen.draft, _about(seen.run)
    evidence, origins = draft.views(), draft.origins
    return Paper(
        values={
            "signal": None,
            "impression": draft.newest.get("thought.preliminary"),
            "tools": seen.lines("progress.executor"),
            "plan": draft.newest.get("thought.planner"),
        },
        title=text,
        language=detect_language(text),
        ledger=_ledger(seen.run.id, evidence, origins),
    )


def _ledger(run_id: str, evidence: Sequence[EvidenceView], origins: Sequence[Origin]) -> Ledger:
    return ledger(run_id, evidence, origins, Quotes(run_id, evidence, origins))


def marked(notes: str, numbers: Mapping[str, int]) -> list[tuple[str, list[int]]]:
    """Words, each with the marks that follow them; what is no mark of ours stays words."""
    known = set(numbers.values())
    found: list[tuple[str, list[int]]] = []
    words = ""
    for place, part in enumerate(_MARK.split(notes)):
        if not place % 2 or int(part) not in known:
            words += f"[{part}]" if place % 2 else part
        elif found and not words.strip():
            found[-1][1].append(int(part))
            words = ""
        else:
            found.append((words.rstrip(), [int(part)]))
            words = ""
    return [*found, (words, [])]


def camps(signal: Signal) -> list[Camp]:
    """The sides, each with the number of independent origins that count for it; who takes none is
    not on one."""
    of = {member: each.id for each in signal.origins for member in each.members}
    found: list[Camp] = []
    for stance in ("supports", "contradicts", "qualifies"):
        cards = tuple(each for each in signal.evidence if each.stance == stance)
        counted = {
            "supports": signal.supporting_origins,
            "contradicts": signal.contradicting_origins,
            "qualifies": len({of.get(each.id, each.id) for each in cards}),
        }
        if cards:
            found.append(Camp(stance, counted[stance], cards))
    return found


@dataclass(frozen=True)
class Measure:
    """A tool call, in words."""

    name: str
    source: str
    told: tuple[str, ...]
    keyword: str
    bearing: str  # confirms, contradicts or ""
    said: str  # the bearing in words
    why: str
    failure: str


def measured(result: JsonObject, seen: Seen) -> Measure:
    """What a tool of verify was asked, found, or why it did not."""
    own = seen.signal_say
    data = cast(JsonObject, result.get("data") or {})
    error = cast("JsonObject | None", result.get("error"))
    bearing = str(result.get("bearing") or "silent")
    tool = str(result.get("tool", ""))
    source = str(result.get("source") or "")
    return Measure(
        name=own.tools.get(tool, tool),
        source="" if source == tool else source,
        told=tuple(
            own.count(word, data[name])
            for name, word in _COUNTED
            if isinstance(data.get(name), int)
        ),
        keyword=str(data.get("keyword") or ""),
        bearing="" if bearing == "silent" else bearing,
        said=own.bearings.get(bearing, bearing),
        why=seen.t(str(result.get("why") or ""), **cast("JsonObject", result.get("params") or {})),
        failure=_failed(error, seen) if error else "",
    )


def _failed(error: JsonObject, seen: Seen) -> str:
    t = seen.t
    why = t(str(error.get("message")), **cast("JsonObject", error.get("params") or {}))
    return f"{t.name('failure', str(error.get('code')))}{t('list.colon')}{why}"


async def _more(app: App, run: Run) -> Mapping[str, object]:
    """What people said came of it, and how many signals have such a label."""
    if run.result is None:
        return {"history": (), "sightings": ()}
    history = await app.store.signals.history(run.id)
    message_id = str(cast(JsonObject, run.result.get("message", {})).get("id", ""))
    # Whoever repeated the message after the run's end is counted, too.
    sightings = await app.store.messages.sightings(message_id) if message_id else ()
    return {"history": history, "sightings": sightings}


VIEW = View(
    about=_about,
    paper=_paper,
    template="views/verify.html",
    feedback=True,
    more=_more,
)
