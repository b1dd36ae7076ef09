"""A question that follows on from an earlier run: completed from it, with its evidence at hand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import Any, cast

from groundwire.context import Context
from groundwire.errors import OutsideFailure
from groundwire.evidence.memory.beliefs import named_spans
from groundwire.evidence.questions.intent import Term, parse_question
from groundwire.gather.pages import read_pages
from groundwire.jobs import first_text
from groundwire.jobs.ask.answer import Earlier
from groundwire.jobs.ask.types import State
from groundwire.language.amounts.numbers import figures
from groundwire.language.names.names import is_country
from groundwire.language.names.subjects import chinese_subjects
from groundwire.language.text.characters import HAN, normalise, simplify
from groundwire.language.text.spans import overlaps
from groundwire.language.text.tokens import is_stop_word
from groundwire.language.text.wording import is_han
from groundwire.model.base import Instant, Json, JsonObject, Value
from groundwire.model.phrase import phrase
from groundwire.model.query import Hit
from groundwire.model.result import Degraded
from groundwire.model.run import Run

_ARCHIVE = "archive"  # where the pages of an earlier run are read
_LONGEST = 600  # characters of what the earlier run was about
_MOST = 4  # names, words or dates that are taken from the earlier question

# Words that only join a question to what was said: "and in 2024?", 那 Circle 呢？
_JOINING = (
    "and but so ok okay what about how about for in on of at by to with the then "
    "那么 那 而 还有 和 跟 与 对 在 于 呢 的 么"
)
# Words that ask, and say nothing of what is asked about: "why?", 后来呢？
_ASKING = (
    "why when where who whom how what which much many long is was were are did does do "
    "happened happens happen it this that true really "
    "为什么 为何 怎么样 怎么 怎样 如何 什么 何时 时候 哪里 哪儿 谁 多少 几 是 了 吗 真 有 发生 事 啊 呀 又"
)
# What comes next is not of the day that the earlier question named.
_NEXT = (
    "next later afterwards afterward after since now today eventually finally "
    "后来 然后 之后 以后 接着 接下来 后续 最后 最终 结果 现在 目前 如今 今天"
)
# What stands for the earlier matter, beside a name of its own: "Did the SEC approve it?"
_POINTING = re.compile(
    r"\b(?:it|this|that|them|those|these)\s*(?:[?.!]|$)|它|此事|这件?事|那件?事|这次|该事件",
    re.IGNORECASE,
)
_WORD = re.compile(rf"[{HAN}]+|[^\W_{HAN}]+(?:'[a-z]+)?")


class EarlierRun(Value):
    """What a question may take from the run that it follows."""

    question: str
    understood: str = ""  # where it followed another one itself
    at: Instant
    evidence: tuple[tuple[str, str], ...] = ()  # documents with their addresses; cited ones first


def _split(listed: str) -> tuple[frozenset[str], re.Pattern[str]]:
    words = listed.split()
    chinese = sorted((each for each in words if is_han(each)), key=len, reverse=True)
    return frozenset(words), re.compile("|".join(chinese))


_LINK, _LATER = _split(_JOINING), _split(_NEXT)
_BARE = _split(f"{_JOINING} {_ASKING} {_NEXT}")


def complete(question: str, earlier: str, asked_on: date | None = None) -> str:
    """Complete a question that names nothing itself by the names and dates of an earlier one.

    "And how much was recovered?" takes both; a bare "why?" takes the words, too. A question with
    names of its own stands alone, unless it points back ("Did the SEC approve it?") or only
    exchanges the name ("What about Circle?") or the place ("And in China?").
    """
    flat = simplify(question)
    spans = _names(flat)
    own = parse_question(question)
    dates = own.of_kind("date")
    rest = _without(flat, [*spans, *_places(flat, dates)])
    names: list[str] = []
    if not spans or _POINTING.search(flat):
        names = [*_named(earlier)]
    words: list[str] = []
    is_exchange = _only(rest, *(_LINK if spans else _BARE))
    if spans and is_exchange and all(is_country(flat[start:end]) for start, end in spans):
        # "And in China?": another place of the same thing.
        names = [each for each in _named(earlier) if not is_country(each)]
    if is_exchange or not (spans or names):
        words = [each.written for each in _telling(earlier)]
    when: list[str] = []
    if (names or words) and not dates and not _has(rest, *_LATER):
        when = [*_dated(earlier, asked_on)]
    parts = [*names[:_MOST], *words[:_MOST], *when[:1]]
    parts = [each for each in dict.fromkeys(parts) if each not in question]
    if not parts:
        return question
    opening, comma, closing = ("（", "，", "）") if is_han(question) else (" (", ", ", ")")
    return f"{question}{opening}{comma.join(parts)}{closing}"


def _names(flat: str) -> list[tuple[int, int]]:
    """Return where names stand, each with the figure behind it: the iPhone 16 is not the 15."""
    numbers = {each.start: each.end for each in figures(flat)}
    found: list[tuple[int, int]] = []
    spans = named_spans(flat)
    subjects = ((each.start, each.end) for each in chinese_subjects(flat) if each.sure)
    spans.extend(each for each in subjects if not overlaps(each, spans))
    for start, end in sorted(spans):
        if is_stop_word(flat[start:end].lower()):  # "Who is …?"
            continue
        following = end + len(flat[end:]) - len(flat[end:].lstrip(" "))
        found.append((start, numbers.get(following, end)))
    return found


def _named(text: str) -> Iterator[str]:
    """Yield the names of a question, else what its wording makes one: bitcoin ETF."""
    normal = normalise(text)
    spans = _names(normal.text)
    for span in spans:
        yield text[slice(*normal.original(*span))].strip()
    if not spans:
        yield from (term.written for term in parse_question(text).of_kind("name"))


def _telling(text: str) -> Iterator[Term]:
    """Yield the words of a question that say what it is about, but its names."""
    names = [each.lower() for each in _named(text)]
    for term in parse_question(text).terms:
        if term.kind == "word" and not term.light:
            written = term.written.lower()
            if not any(written in name or name in written for name in names):
                yield term


def _dated(text: str, asked_on: date | None) -> Iterator[str]:
    """Yield the dates of a question in full: its "yesterday" was another day than that of now."""
    for term in parse_question(text, asked_on).of_kind("date"):
        mention = term.date
        if mention is None or mention.date is None:
            continue
        if mention.year is not None and str(mention.year) in term.written:
            yield term.written.strip()
        elif mention.precision in ("day", "month", "year"):
            length = {"day": 10, "month": 7, "year": 4}[mention.precision]
            yield mention.date.isoformat()[:length]


def _places(flat: str, terms: tuple[Term, ...]) -> Iterator[tuple[int, int]]:
    for term in terms:
        if (at := flat.find(simplify(term.written))) >= 0:
            yield at, at + len(term.written)


def _without(flat: str, spans: list[tuple[int, int]]) -> str:
    for start, end in spans:
        flat = flat[:start] + " " * (end - start) + flat[end:]
    return flat.lower()


def _only(rest: str, words: frozenset[str], chinese: re.Pattern[str]) -> bool:
    """Tell whether a text has no other words than these."""
    return all(
        not chinese.sub("", each) if is_han(each) else each.removesuffix("'s") in words
        for each in _WORD.findall(rest)
    )


def _has(rest: str, words: frozenset[str], chinese: re.Pattern[str]) -> bool:
    return any(
        chinese.search(each) is not None if is_han(each) else each in words
        for each in _WORD.findall(rest)
    )


async def _earlier(context: Context, run_id: str) -> EarlierRun | None:
    """Read what the earlier run was about and which pages it has; None: it is gone."""

    async def get() -> JsonObject:
        run = await context.parts.tables.runs().get(run_id)
        return {} if run is None else _of_run(run).model_dump(mode="json")

    try:
        found = await context.query("runs", {"earlier": run_id}, get)
    except OutsideFailure:  # a replay whose record lacks it
        return None
    return EarlierRun.model_validate(found) if found else None


def _of_run(run: Run) -> EarlierRun:
    """Take from a run of any job what a further question needs."""
    result: JsonObject = run.result or {}
    cited = set(_values_of(result, "evidence_id"))
    pages = [
        (str(each["document_id"]), str(each["url"]), each.get("id") in cited)
        for each in result.get("evidence", ())
        if each.get("document_id")
    ]
    after: JsonObject = result.get("after") or {}
    return EarlierRun(
        question=" ".join((run.text or first_text(run.input)).split())[:_LONGEST],
        understood=str(after.get("understood", "")),
        at=run.now,
        evidence=tuple(each[:2] for each in sorted(pages, key=lambda each: not each[2])),
    )


def _values_of(value: Json, name: str) -> Iterator[str]:
    """Yield the values of a field, at whatever depth."""
    if isinstance(value, dict):
        for key, each in cast(JsonObject, value).items():
            if key == name and isinstance(each, str):
                yield each
            else:
                yield from _values_of(each, name)
    elif isinstance(value, list):
        for each in cast("list[Json]", value):
            yield from _values_of(each, name)


async def look_back(context: Context, state: State) -> dict[str, Any]:
    """Take what the earlier run read, and complete the question by that of the earlier run."""
    run_id = state.given.after
    if not run_id:
        return {}
    earlier = await _earlier(context, run_id)
    if earlier is None:
        gone = phrase("error.no_run", run=run_id)
        lost = Degraded.of("earlier_run", "missing", gone, phrase("ask.instead.alone"))
        return {"degraded": (*state.degraded, lost)}
    typed = state.given.question
    question = complete(typed, earlier.understood or earlier.question, earlier.at.date())
    hits = [
        Hit(title="", url=url, content="", provider=_ARCHIVE, rank=rank, document_id=document_id)
        for rank, (document_id, url) in enumerate(earlier.evidence[: state.limits.pages])
    ]
    says = phrase("ask.line.after", question=earlier.question, n=len(hits))
    await context.emit("thought", {"phase": "look_back", "run": run_id, "says": says.model_dump()})
    # A page that was forgotten since is announced as such, and searched for like any other.
    pages = await read_pages(context, hits)
    evidence = {each.evidence.id: each.evidence for each in pages if each.evidence is not None}
    return {
        "given": state.given.model_copy(update={"question": question}),
        "after": Earlier(
            run_id=run_id,
            question=earlier.question,
            typed=typed,
            understood=question if question != typed else "",
        ),
        "evidence": tuple(evidence.values()),
    }
