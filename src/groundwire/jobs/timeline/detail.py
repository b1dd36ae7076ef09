"""What the passages that support an event tell of it besides: facts, figures, people, causes, words; pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import takewhile

from groundwire.evidence.questions.quotable import completeness, is_unsure
from groundwire.gather.weighing import cited
from groundwire.jobs.timeline.named import is_of_another, named, place_in, tags_of
from groundwire.jobs.timeline.pages import Account, Page, words_of
from groundwire.jobs.timeline.result import Detail, Figure, Node, Person
from groundwire.jobs.timeline.wholes import ended
from groundwire.language.amounts.numbers import figures
from groundwire.language.names.names import names
from groundwire.language.text.characters import folded, normalise, simplify
from groundwire.language.text.phrases import patterns
from groundwire.language.text.script import language_distance
from groundwire.language.text.wording import is_han
from groundwire.model.result import Sentence

_signs = patterns("detail.txt", "groundwire.jobs.timeline", re.IGNORECASE)
_FACTS, _LINES, _FIGURES, _PEOPLE = 5, 3, 6, 5
_CLAUSE = re.compile(r"[，；;。：]|(?<!\d),|,(?!\d)|: ")
_AROUND = {True: 36, False: 90}  # characters of what a figure is of: Chinese, others
_BEFORE, _AFTER = 1, 3  # sentences around the one that tells of the event
_WHOLE = 0.7
_SHARED, _OPENING, _NEWS = 2, 2, 2  # words, sentences, days
_ALIKE = 0.6  # of a sentence's words: it says nothing new


@dataclass(frozen=True, slots=True)
class _Line:
    """A sentence of a supporting page, near the words that tell of the event."""

    account: Account
    flat: str
    own: bool  # it is one of those words
    after: bool = False  # it stands behind them
    beside: bool = False  # it stands next to them
    news: bool = False  # its page is news of the event

    @property
    def next(self) -> bool:
        """Tell whether it follows the event's words in a page that is news of it."""
        return self.news and self.after

    def sentence(self) -> Sentence:
        account = self.account
        quote = cited(account.page.evidence, account.text, account.start, account.end)
        verdict = "qualified" if is_unsure(account.text) else "supported"
        return Sentence(text=ended(account.text), verdict=verdict, citations=(quote,))


def detail_of(
    node: Node, pages: Sequence[Page], language: str, topic: Sequence[str] = ()
) -> Detail:
    """Collect what supporting pages tell of an event, each sentence word for word."""
    lines = _lines(node, pages, language)
    told = [each for each in lines if each.own]
    own = frozenset(word for each in told for word in _matter(each.account))
    own -= {word for each in topic for word in words_of(each)}
    known = " ".join((node.title, *topic, *(each.account.text for each in told)))
    fresh = [each for each in _fresh(lines, told) if _is_of(each, own, known)]
    effects = [each for each in fresh if _is_effect(each)]
    causes = [each for each in fresh if each not in effects and _signs["cause"].search(each.flat)]
    used = [*effects[:_LINES], *causes[:_LINES]]
    open_lines = [each for each in fresh if each not in used]
    facts = sorted(open_lines, key=lambda each: (not _is_exact(each), each.account.order))[:_FACTS]
    shown = [*told, *facts, *used]
    spoken = [each for each in lines if _signs["speech"].search(each.account.text)][:1]
    return Detail(
        key_features=tuple(each.sentence() for each in facts),
        impact=tuple(each.sentence() for each in effects[:_LINES]),
        context=tuple(each.sentence() for each in causes[:_LINES]),
        key_people=tuple(_people([*told, *fresh, *spoken])),
        key_numbers=tuple(_figures(shown)),
        quote=spoken[0].sentence() if spoken else None,
        location=next((place for each in told if (place := _place(each, language))), ""),
        tags=tags_of([node.title, *(e.account.text for e in shown)], language),
    )


def _is_of(line: _Line, own: frozenset[str], known: str) -> bool:
    """Tell whether a sentence is of the event: of its own matter, or told on in the page that is news of it."""
    shared = len(own & _matter(line.account))
    if shared >= (_SHARED - 1 if line.beside and line.news else _SHARED):
        return True
    if line.beside and line.after and _signs["effect"].match(line.flat):
        return True  # As a result …
    if not line.next or _signs["elsewhere"].search(line.flat):
        return False
    return _is_exact(line) and not is_of_another(line.account.text, known)


def _place(line: _Line, language: str) -> str:
    """Return where a sentence says that it was, in the reader's language."""
    foreign = is_han(line.account.text) != language.startswith("zh")
    return "" if foreign else place_in(line.account.text)


def _matter(account: Account) -> set[str]:
    """Return the words of a sentence without its figures: that two amounts are in dollars makes nothing one."""
    text = account.text
    counted = " ".join(text[each.start : each.end] for each in figures(text))
    return {each for each in account.words if not each.isdigit()} - set(words_of(counted))


def _is_effect(line: _Line) -> bool:
    """Tell whether a sentence says what came of the event, and not why it came about."""
    if _signs["reason"].search(line.flat):
        return False
    told = _signs["outcome"].search(line.flat) and not _signs["cause"].search(line.flat)
    return bool(_signs["effect"].search(line.flat) or told) and line.after


def _lines(node: Node, pages: Sequence[Page], language: str) -> list[_Line]:
    """List the sentences around those that tell of the event, the reader's language first."""
    said = [c for each in node.description for c in each.citations]
    quoted = [(each.evidence_id, each.start, each.end) for each in (*said, *node.told_by)]
    dated = {each.quote for each in node.date_sources if each.date == node.date}
    found: list[_Line] = []
    supporting = [page for page in pages if page.evidence.id in node.citations]
    supporting.sort(key=lambda page: language_distance(page.evidence.document.language, language))
    for page in supporting:
        own = [
            each.order
            for each in page.accounts
            if each.text in dated
            or any(n == page.evidence.id and a <= each.start < b for n, a, b in quoted)
        ]
        near = _near(node, page, own)
        is_news = bool(own) and own[0] < _OPENING and _is_news(page, node)
        for account in page.accounts:
            if account.order in own or (account.order in near and _stands_alone(account)):
                flat = folded(normalise(simplify(account.text)).text)
                after = bool(own) and account.order > own[0]
                beside = not {account.order - 1, account.order + 1}.isdisjoint(own)
                found.append(_Line(account, flat, account.order in own, after, beside, is_news))
    # What a page tells around an event that it only looks back on is of its own news.
    from_news = any(each.news for each in found)
    return [each for each in found if each.own or each.news or not from_news]


def _is_news(page: Page, node: Node) -> bool:
    """Tell whether a page is of the days of an event."""
    last = node.interval.end + timedelta(days=_NEWS)
    return page.day is not None and node.interval.begin <= page.day <= last


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
    return completeness(account.text) >= _WHOLE and not _signs["listed"].search(account.text)


def _fresh(lines: Sequence[_Line], told: list[_Line]) -> list[_Line]:
    """Keep sentences that repeat neither the description nor one another."""
    kept: list[_Line] = []
    for each in lines:
        if not each.own and not any(_alike(each, other) for other in (*told, *kept)):
            kept.append(each)
    return kept


def _alike(one: _Line, other: _Line) -> bool:
    """Tell whether a sentence says nothing that the other does not say."""
    a, b = set(one.account.words), set(other.account.words)
    return len(a & b) >= _ALIKE * len(a)


def _is_exact(line: _Line) -> bool:
    """Tell whether a sentence has a figure or a name."""
    return bool(figures(line.account.text) or names(line.account.text))


def _figures(lines: Sequence[_Line]) -> Iterator[Figure]:
    seen: set[tuple[str, str]] = set()
    for line in lines:
        account_text = line.account.text
        for each in figures(account_text):
            key = str(each.value.normalize()), each.unit
            text = account_text[each.start : each.end].strip()
            if each.unit and key not in seen and len(seen) < _FIGURES:
                seen.add(key)
                of = _around(account_text, each.start, each.end)
                yield Figure(text=text, of=of, sentence=line.sentence())


def _around(text: str, start: int, end: int) -> str:
    """Return the clause in which a figure stands: what it is of."""
    cuts = list(_CLAUSE.finditer(text))
    first = max((each.end() for each in cuts if each.end() <= start), default=0)
    last = min((each.start() for each in cuts if each.start() >= end), default=len(text))
    most = _AROUND[is_han(text)]
    if last - first > most:
        first, last = max(first, end - most), end
        # Between words.
        first = text.find(" ", first, start) + 1 or first
    return " ".join(text[first:last].split()).strip(" .。")


def _people(lines: Sequence[_Line]) -> Iterator[Person]:
    """Find who is named with a role; a name without one is no sure person."""
    seen: set[str] = set()
    for line in lines:
        for name, role in named(line.account.text):
            known = any(name in other or other in name for other in seen)
            if not known and len(seen) < _PEOPLE:
                seen.add(name)
                yield Person(name=name, role=role, sentence=line.sentence())
