"""How the reader of adjustable skill answers the questions about a history."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from lab.stubs.answering import says, stating
from lab.stubs.brain import Prompt
from lab.stubs.keys import DetailKey, EventKey, HistoryKey, stretch_in
from lab.stubs.passages import Shown, first_sentence, listed_in, passages_in
from lab.stubs.reading import falsified
from lab.stubs.skill import Skill
from lab.stubs.terms import Json, is_chinese, sentences
from lab.stubs.topic_keys import (
    LinksKey,
    MemoryEvent,
    MemoryKey,
    StatedKey,
    SynthesisKey,
    ThreadsKey,
    TopicKeys,
)

_EVENT = re.compile(r"(?m)^(?:Event|事件)[:：]\s*(\S.*)$")
_WANTED = re.compile(r"(?m)^(?:Threads wanted: |线索数：)(\d+)$")
_LONGEST_TITLE = 100


def event_in(text: str) -> str:
    """Return the event that a prompt asks the detail of."""
    found = _EVENT.search(text)
    return found[1].strip() if found else ""


def chosen(prompt: Prompt, keys: Sequence[HistoryKey], skill: Skill) -> list[Json] | None:
    """Choose the events of the key; wrong: one is left out or titled falsely, background is one."""
    events: list[Json] = []
    known = False
    for key in keys:
        own = {at: each for each in passages_in(prompt.text) if (at := key.place_of(each.text))}
        known = known or bool(own)
        told = {number for event in key.events for number in event.passages}
        events += [row for event in key.events for row in _event(event, own, skill)]
        events += [
            _background(each)
            for place, each in own.items()
            if place not in told and skill.errs("choose_milestones", each.text)
        ]
    return events if known else None


def _background(shown: Shown) -> Json:
    title = first_sentence(shown.text)[:_LONGEST_TITLE]
    return {"passages": [shown.number], "title": title}


def _event(event: EventKey, own: dict[int, Shown], skill: Skill) -> list[Json]:
    numbers: list[Json] = [own[place].number for place in event.passages if place in own]
    if not numbers:
        return []
    if not skill.errs("choose_milestones", event.title):
        return [{"passages": numbers, "title": event.title, "significance": event.significance}]
    how = skill.pick(("left out", "false"), "choose_milestones", event.title)
    false: dict[str, Json] = {"passages": numbers[:1], "title": falsified(event.title)}
    return [] if how == "left out" else [false]


def detailed(prompt: Prompt, key: DetailKey, skill: Skill) -> dict[str, Json]:
    """Tell what the key lists in sentences of the passages; wrong: each part made false at its rate."""
    shown = passages_in(prompt.text)
    chinese = is_chinese(prompt.text.split(":", 1)[-1][:200]) or is_chinese(key.title)
    told: list[Json] = []
    for part in ("fact", "impact", "context"):
        for ways in key.of(part):
            row = stating(ways, shown, key.never, chinese)
            if row is not None and all(_place(each) != (part, *row) for each in told):
                told.append(_said(part, *row, skill))
    if skill.errs("write_detail", key.title):
        told += [_said("fact", *row, Skill(1.0)) for row in _forbidden(shown, key.never)]
    people: list[Json] = []
    for person in key.people:
        row = stating(person.name, shown, key.never, chinese)
        if row is not None and not skill.errs("write_detail", row[1], "person"):
            name, role = _as_written(person.name, row[1]), _as_written(person.role, row[1])
            people.append({"name": name, "role": role, "passage": row[0], "quote": row[1]})
    figures: list[Json] = []
    for ways in key.figures:
        row = stating(ways, shown, key.never, chinese)
        if row is not None and not skill.errs("write_detail", row[1], "figure"):
            text = _as_written(ways, row[1])
            figures.append({"text": text, "passage": row[0], "quote": row[1]})
    return {"sentences": told, "people": people, "figures": figures, "words": [], "tags": []}


def _said(part: str, number: int, quote: str, skill: Skill) -> Json:
    text = " ".join(quote.split())
    if skill.errs("write_detail", part, quote):
        text = falsified(text)
    return {"part": part, "text": text, "quotes": [{"passage": number, "quote": quote}]}


def _place(said: Json) -> tuple[Json, ...]:
    if not isinstance(said, dict) or not isinstance(said["quotes"], list):
        return ()
    first = said["quotes"][0]
    return (said["part"], first["passage"], first["quote"]) if isinstance(first, dict) else ()


def _forbidden(shown: Sequence[Shown], never: Sequence[str]) -> list[tuple[int, str]]:
    """List sentences of the passages that tell what is of another event."""
    rows = [(each.number, sentence) for each in shown for sentence in sentences(each.text)]
    return [row for row in rows if says(row[1], never)]


def _as_written(ways: Sequence[str], sentence: str) -> str:
    return next((each for each in ways if says(sentence, (each,))), ways[0])


# --- a whole history ---------------------------------------------------------------------------


def concluded(
    fields: set[str], prompt: Prompt, keys: TopicKeys, skill: Skill
) -> dict[str, Json] | None:
    """Answer a question about a whole history; None without a key, or where it is another question."""
    if fields == {"summary", "insight"}:
        synthesis = keys.of(prompt.text, SynthesisKey)
        return None if synthesis is None else _synthesis(synthesis, prompt, skill)
    if fields == {"links"}:
        links = keys.of(prompt.text, LinksKey)
        return None if links is None else {"links": _links(links, prompt, skill)}
    if fields == {"threads"}:
        threads = keys.of(prompt.text, ThreadsKey)
        return None if threads is None else {"threads": _threads(threads, prompt, skill)}
    if fields == {"remembered"}:
        memory = keys.of(prompt.text, MemoryKey)
        return None if memory is None else {"remembered": _remembered(memory, skill)}
    return None


def _threads(key: ThreadsKey, prompt: Prompt, skill: Skill) -> list[Json]:
    """Name as many threads as are wanted for the sides of the key; wrong: one that fits any topic."""
    wanted = _WANTED.search(prompt.text)
    count = int(wanted[1]) if wanted else len(key.parts)
    told: list[Json] = []
    for place in range(count):
        sides = [part[0] for part in key.parts[place::count]]
        if not sides or skill.errs("plan_threads", key.topic, sides[0]):
            sides = [str(place)]
        told.append({"name": sides[0], "description": ", ".join(sides[1:]), "events": len(sides)})
    return told


def _remembered(key: MemoryKey, skill: Skill) -> list[Json]:
    """Tell what the key knows; wrong: ten years too early."""
    return [
        {
            "date": f"{int(each.date[:4]) - 10}" if _forgets(key, each, skill) else each.date,
            "title": each.says[0],
        }
        for each in key.events
    ]


def _forgets(key: MemoryKey, event: MemoryEvent, skill: Skill) -> bool:
    return skill.errs("recall_events", key.topic, event.says[0])


def _links(key: LinksKey, prompt: Prompt, skill: Skill) -> list[Json]:
    """Join what the key joins; wrong: nothing, the other way round, or whatever stands side by side."""
    events, shown = listed_in(prompt.text), passages_in(prompt.text)
    found: list[Json] = []
    for link in key.links:
        ends = [_event_saying(each, events) for each in (link.cause, link.effect)]
        number = next((each.number for each in shown if stretch_in(link.quote, each.text)), 0)
        if not all((*ends, number)):
            continue
        if skill.errs("find_links", key.topic, link.quote):
            if skill.pick((True, False), "find_links", key.topic, link.quote):
                continue
            ends.reverse()
        found.append(_link(ends, link.relation, number, link.quote))
    if not key.links and skill.errs("find_links", key.topic):
        beside: list[Json] = [
            _link([one, one + 1], "caused", each.number, first_sentence(each.text))
            for each in shown
            for one in sorted(events)[:-1]
        ]
        found += beside
    return found


def _event_saying(told: str, events: Mapping[int, str]) -> int:
    return next((number for number, line in events.items() if stretch_in(told, line)), 0)


def _link(ends: Sequence[int], relation: str, passage: int, quote: str) -> Json:
    cause, effect = ends
    return {
        "cause": cause,
        "effect": effect,
        "relation": relation,
        "passage": passage,
        "quote": quote,
    }


def _synthesis(key: SynthesisKey, prompt: Prompt, skill: Skill) -> dict[str, Json]:
    """Tell what the key tells; wrong: a sentence made false, or what does not belong together."""
    shown = passages_in(prompt.text)
    insight = _stated(key.insight, shown, skill, "insight")
    if skill.errs("write_synthesis", key.topic, "insight"):
        firsts = [(each.number, first_sentence(each.text)) for each in shown[::-1][:2]]
        insight = [_quoted(text, number, text) for number, text in firsts]
    return {"summary": _stated(key.right, shown, skill, "summary"), "insight": insight}


def _stated(
    rows: Sequence[StatedKey], shown: Sequence[Shown], skill: Skill, part: str
) -> list[Json]:
    found: list[Json] = []
    for row in rows:
        number = next((each.number for each in shown if stretch_in(row.quote, each.text)), None)
        if number is not None:
            wrong = skill.errs("write_synthesis", part, row.text)
            found.append(_quoted(falsified(row.text) if wrong else row.text, number, row.quote))
    return found


def _quoted(text: str, number: int, quote: str) -> Json:
    return {"text": text, "quotes": [{"passage": number, "quote": quote}]}
