"""What the passages that support an event tell of it besides: facts, figures, people, causes, words; pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from groundwire.evidence.questions.quotable import completeness, is_unsure
from groundwire.gather.weighing import cited
from groundwire.jobs.timeline.pages import Account, Page
from groundwire.jobs.timeline.result import Detail, Figure, Node, Person
from groundwire.language.amounts.numbers import figures
from groundwire.language.names.chinese_names import chinese_names
from groundwire.language.names.names import is_country, names
from groundwire.language.text.characters import folded, normalise, simplify
from groundwire.language.text.phrases import patterns
from groundwire.language.text.script import language_distance
from groundwire.language.text.wording import is_han
from groundwire.model.result import Sentence

_signs = patterns("detail.txt", "groundwire.jobs.timeline", re.IGNORECASE)
_FACTS, _LINES, _FIGURES, _PEOPLE, _TAGS = 5, 3, 6, 5, 5
_BEFORE, _AFTER = 1, 3  # sentences around the one that tells of the event
_WHOLE = 0.7
_ALIKE = 0.6  # of the shorter sentence's words: it says nothing new
_LATIN_NAME = r"(?P<name>[A-Z][\w.'’-]+(?: (?:[A-Z]\.|[A-Z][\w'’-]+)){1,3})"
_ROLE_BEFORE = re.compile(rf"\b(?i:{_signs('role')}),? {_LATIN_NAME}")
_ROLE_AFTER = re.compile(
    rf"{_LATIN_NAME}, (?:the |its |then |former |[\w'’.-]+ ){{0,4}}?(?i:{_signs('role')})\b"
)
_ROLE_ZH = re.compile(_signs("role zh"))


@dataclass(frozen=True, slots=True)
class _Line:
    """A sentence of a supporting page, near the words that tell of the event."""

    account: Account
    flat: str
    own: bool  # it is one of those words

    def sentence(self) -> Sentence:
        account = self.account
        quote = cited(account.page.evidence, account.text, account.start, account.end)
        verdict = "qualified" if is_unsure(account.text) else "supported"
        return Sentence(text=" ".join(account.text.split()).rstrip("；;，,、"), verdict=verdict, citations=(quote,))


def detail_of(node: Node, pages: Sequence[Page], language: str) -> Detail:
    """Collect what supporting pages tell of an event, each sentence word for word."""
    lines = _lines(node, pages, language)
    told = [each for each in lines if each.own]
    fresh = _fresh(lines, [*told])
    effects = [each for each in fresh if _signs["effect"].search(each.flat)]
    causes = [each for each in fresh if each not in effects and _signs["cause"].search(each.flat)]
    used = [*effects[:_LINES], *causes[:_LINES]]
    own = {word for each in told for word in each.account.words}
    open_lines = [each for each in fresh if each not in used]
    related = [e for e in open_lines if _is_exact(e) or not own.isdisjoint(e.account.words)]
    facts = sorted(related, key=lambda each: (not _is_exact(each), each.account.order))[:_FACTS]
    shown = [*told, *facts, *used]
    return Detail(
        key_features=tuple(each.sentence() for each in facts),
        impact=tuple(each.sentence() for each in effects[:_LINES]),
        context=tuple(each.sentence() for each in causes[:_LINES]),
        key_people=tuple(_people(shown)),
        key_numbers=tuple(_figures(shown)),
        quote=next(
            (each.sentence() for each in lines if _signs["speech"].search(each.account.text)), None
        ),
        tags=_tags(node, shown),
    )


def _lines(node: Node, pages: Sequence[Page], language: str) -> list[_Line]:
    """List the sentences around those that tell of the event, the reader's language first."""
    quoted = [
        (each.evidence_id, each.start, each.end)
        for said in node.description
        for each in said.citations
    ]
    quoted_text = {each.quote for each in node.date_sources if each.date == node.date}
    found: list[_Line] = []
    supporting = [page for page in pages if page.evidence.id in node.citations]
    supporting.sort(key=lambda page: language_distance(page.evidence.document.language, language))
    for page in supporting:
        own = [
            each.order
            for each in page.accounts
            if each.text in quoted_text
            or any(n == page.evidence.id and a <= each.start < b for n, a, b in quoted)
        ]
        near = _near(node, page, own)
        for account in page.accounts:
            if account.order in own or (account.order in near and _stands_alone(account)):
                flat = folded(normalise(simplify(account.text)).text)
                found.append(_Line(account, flat, account.order in own))
    return found


def _near(node: Node, page: Page, own: Sequence[int]) -> set[int]:
    """List the places of sentences around the event's own, up to the first that is of another time."""
    others = {each.order for each in page.accounts if not _is_of_then(node, each)} - {*own}
    found: set[int] = set()
    for at in own:
        for way in (range(at - 1, at - _BEFORE - 1, -1), range(at + 1, at + _AFTER + 1)):
            found.update(takewhile(lambda place: place not in others, way))
    return found


def _is_of_then(node: Node, account: Account) -> bool:
    times = [each for each in account.times if each.day is not None]
    return all(node.interval.begin <= each.first <= node.interval.end for each in times)


def _stands_alone(account: Account) -> bool:
    return completeness(account.text) >= _WHOLE


def _fresh(lines: Sequence[_Line], told: list[_Line]) -> list[_Line]:
    """Keep sentences that repeat neither the description nor one another."""
    kept: list[_Line] = []
    for each in lines:
        if not each.own and not any(_alike(each, other) for other in (*told, *kept)):
            kept.append(each)
    return kept


def _alike(one: _Line, other: _Line) -> bool:
    a, b = set(one.account.words), set(other.account.words)
    return len(a & b) >= _ALIKE * min(len(a), len(b))


def _is_exact(line: _Line) -> bool:
    """Tell whether a sentence has a figure or a name."""
    return bool(figures(line.account.text) or names(line.account.text))


def _figures(lines: Sequence[_Line]) -> Iterator[Figure]:
    seen: set[tuple[str, str]] = set()
    for line in lines:
        for each in figures(line.account.text):
            key = str(each.value.normalize()), each.unit
            text = line.account.text[each.start : each.end].strip()
            if each.unit and key not in seen and len(seen) < _FIGURES:
                seen.add(key)
                yield Figure(text=text, sentence=line.sentence())


def _people(lines: Sequence[_Line]) -> Iterator[Person]:
    """Find who is named with a role; a name without one is no sure person."""
    seen: set[str] = set()
    for line in lines:
        for name, role in _named(line.account.text):
            if name not in seen and len(seen) < _PEOPLE:
                seen.add(name)
                yield Person(name=name, role=role, sentence=line.sentence())


def _named(text: str) -> Iterator[tuple[str, str]]:
    if not is_han(text):
        for pattern in (_ROLE_BEFORE, _ROLE_AFTER):
            for match in pattern.finditer(text):
                if match["name"][:1].isupper() and not is_country(match["name"]):
                    yield match["name"], match["role"].lower()
        return
    normal = normalise(simplify(text))
    for start, end in chinese_names(normal.text):
        before = _ROLE_ZH.search(normal.text[max(0, start - 10) : start])
        if before is not None and start - max(0, start - 10) == before.end():
            first, last = normal.original(start, end)
            yield text[first:last], before["role"]


def _tags(node: Node, lines: Sequence[_Line]) -> tuple[str, ...]:
    counts: dict[str, int] = {}
    texts = [node.title, *(each.text for each in node.description)]
    for text in (*texts, *(line.account.text for line in lines)):
        for each in dict.fromkeys(name.text for name in names(text)):
            counts[each] = counts.get(each, 0) + 1
    ordered = sorted(counts, key=lambda name: (-counts[name], name))
    return tuple(ordered[:_TAGS])
