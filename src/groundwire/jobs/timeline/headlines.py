"""The title of each event: a headline of its own pages of those days, else the clause that tells it; pure."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence

from groundwire.jobs.timeline import mentions
from groundwire.jobs.timeline.clauses import clause_of
from groundwire.jobs.timeline.entries import Entry, Material
from groundwire.jobs.timeline.pages import Account, Page, words_of
from groundwire.jobs.timeline.titles import LONGEST, marked, shortened, undated
from groundwire.language.names.names import names
from groundwire.language.names.subjects import is_people, latin_subjects
from groundwire.language.text.phrases import patterns
from groundwire.language.text.script import language_distance
from groundwire.language.text.sentences import sentences
from groundwire.language.text.wording import is_han

_signs = patterns("titles.txt", "groundwire.jobs.timeline", re.IGNORECASE)
_NEWS = 2  # days after an event on which headlines tell it
_ALIKE, _WORDS = 0.5, 2  # of a headline's words that the event's sentences share, and how many
_OPENING = 2  # sentences that a headline sums up
_LEAST = 0.25  # of a headline's words, in the opening that tells the event
_SHORTEST = {True: 6, False: 12}  # characters: Chinese, others
_NAMED = r"\b((?:[A-Z][\w'’-]*\s)+)WHAT\b"
_NUMBER = re.compile(r"[ -]?\d+[A-Za-z]*")
_ARTICLES = frozenset({"the", "a", "an", "this", "that", "its", "their", "our", "no", "each"})
# What a clause speaks of, and did not name: "sell it"; in "said that it would reopen" the speaker is meant.
_IT = re.compile(r"(?<!that )(?<!said )(?<!says )\b(?:it|them)\b")


def entitle(entries: Sequence[Entry], material: Material, topic: Sequence[str] = ()) -> None:
    """Give each entry a title of its own, the weightiest first."""
    common = frozenset(word for each in topic for word in words_of(each))
    taken: set[str] = set()
    for entry in sorted(entries, key=lambda each: (-each.milestone.score, each.milestone.id)):
        titles = _titles(entry, material, taken, common)
        entry.title = next(each for each in titles if each not in taken)
        taken.add(entry.title)


def _titles(
    entry: Entry, material: Material, taken: set[str], common: frozenset[str]
) -> Iterator[str]:
    """Yield what an event may be called, the best first, and the last one in any case."""
    account = material.account(entry.sentences[0].citations[0])
    written = account.page.evidence.document.language
    headline, far = _headline(entry, account.page, material, taken, common)
    # In the reader's own language what the sentence says is read sooner than a foreign headline.
    if headline and far <= language_distance(written, material.language):
        yield headline
    yield from _said(entry, account, common)
    if headline:
        yield headline
    yield shortened(account.text)
    yield f"{shortened(account.text)} ({entry.first.isoformat()})"


def _headline(
    entry: Entry, told_in: Page, material: Material, taken: set[str], common: frozenset[str]
) -> tuple[str, int]:
    """Return the headline of its own sources that says most of it, and how far its language is; "": none does."""
    news = " ".join(mentions.told(each.text) for each in entry.sentences)
    told = set(words_of(news))
    best: tuple[float, float, str] = (-math.inf, 0.0, "")
    for name in entry.sources:
        page = material.page(name)
        if page.day is None or not page.title or not 0 <= (page.day - entry.last).days <= _NEWS:
            continue
        opening = _opening(page, entry) if page is told_in else set[str]()
        shared = _shared(page, told, opening, common)
        title = headline_of(page)
        fits = shared > 0 and len(title) <= LONGEST[is_han(title)] and title[-1] not in "?？"
        if fits and title not in taken and _signs["names only"].search(title) is None:
            far = language_distance(page.evidence.document.language, material.language)
            best = max(best, (-far, shared, title))
    return best[2], 0 if best[2] == "" else int(-best[0])


def headline_of(page: Page) -> str:
    """Return the headline of a page without the kind of article, and without the day from which it counts."""
    title = " ".join(page.evidence.document.title.split())
    return _signs["near"].sub("", _signs["label"].sub("", title)).strip() or title


def _shared(page: Page, told: set[str], opening: set[str], common: frozenset[str]) -> float:
    """Return how much of a headline tells the event: by its sentences, or by its opening that the headline sums up."""
    title = set(page.title)
    both = told & title
    if len(both) >= _WORDS and len(both) >= _ALIKE * len(title):
        return len(both) / len(title)
    both = opening & title
    if len(both - common) < _WORDS:
        return 0.0
    return len(both) / len(title) if len(both) >= max(_WORDS, _LEAST * len(title)) else 0.0


def _opening(page: Page, entry: Entry) -> set[str]:
    """Return the words of the sentences that a headline sums up, as far as they tell the event.

    Others' headlines sum up their own news: what Circle says of the guarantee is no headline of the guarantee.
    """
    name = page.evidence.id
    return {
        word
        for each in page.accounts
        if each.order < _OPENING and (name, each.start) in entry.told_by
        for word in each.words
    }


# --- from the sentence -------------------------------------------------------------------------


def _said(entry: Entry, account: Account, common: frozenset[str]) -> Iterator[str]:
    """Yield the clause of its date, then the sentence without the date."""
    inside = [each for each in account.times if entry.first <= each.first <= entry.last]
    # A year often belongs to a name: 2024年数学邀请赛.
    own = [each for each in inside if each.precision in ("day", "month")]
    text = marked(account, own)
    # Of a sentence that only says when and the next, what the next one says.
    start, end = list(sentences(text))[-1]
    told = clause_of(text[start:end])
    if told:
        title = _whose(told, account, common)
        whole = is_han(title) or (len(title) >= _SHORTEST[False] and _IT.search(title) is None)
        if whole:
            yield shortened(_opened(title))
    text = undated(account, own)
    start, end = list(sentences(text))[-1]
    yield shortened(text[start:end])


def _opened(text: str) -> str:
    return text if text[1:2].isupper() else text[:1].upper() + text[1:]


def _whose(told: str, account: Account, common: frozenset[str]) -> str:
    """Say of whom a clause tells that names nobody, as its page says: the phones, the company, 该行."""
    definite = _signs["definite zh" if is_han(told) else "definite en"].match(told)
    if definite is not None and not definite["what"].islower() and not is_han(told):
        definite = None  # the Chinese chatbot is named
    if definite is not None:
        name = _meant(definite["what"], account)
        if name:
            return (
                f"{name}{told[definite.end() :]}"
                if is_han(told)
                else _replaced(told, definite, name)
            )
    if _named(told, account) and not _IT.search(told):
        return told
    if definite is not None and definite["what"].split()[-1] in _signs.words("organisation"):
        return told
    name = _topical(account, common, sure=definite is not None)
    if not name or name.lower() in told.lower():
        return told
    if _IT.search(told) and _named(told, account):
        return re.sub(r"\bit\b", name, told)
    rest = told[definite.end() :] if definite is not None and is_han(told) else told
    return f"{name}：{rest}" if is_han(told) else f"{name}: {_lowered(rest, account)}"


def _named(told: str, account: Account) -> bool:
    """Tell whether a clause names somebody or something, by more than a common word that opens it."""
    return any(
        each.start or " " in told[: each.end] or _is_name(told[: each.end], account.page.text)
        for each in names(told)
    )


def _is_name(word: str, text: str) -> bool:
    """Tell whether a page writes a word as a name where no sentence opens, too: Orders is none."""
    capitals = not word.isascii() or word[1:] != word[1:].lower()
    return capitals or re.search(rf"[a-z,;] {re.escape(word)}\b", text) is not None


def _replaced(told: str, definite: re.Match[str], name: str) -> str:
    rest = told[definite.end() :].lstrip()
    # "The start-up, DeepSeek, had released": the name stands there already.
    rest = rest.removeprefix(name).strip() if rest.startswith(name) else rest
    return f"{name} {rest}"


def _lowered(text: str, account: Account) -> str:
    first = text.split()[0]
    named = bool(names(first)) and _is_name(first, account.page.text)
    return text if named or first[1:] != first[1:].lower() else text[:1].lower() + text[1:]


def _meant(what: str, account: Account) -> str:
    """Return the name of what is called the company: as the page calls it so, or as who was told of before; "": not known."""
    if is_han(what):
        return ""
    found = re.findall(_NAMED.replace("WHAT", re.escape(what)), account.page.text)
    named = [each for each in map(str.strip, found) if not _only_opens(each)]
    if named:
        return named[-1]
    if what.split()[-1] not in _signs.words("organisation"):
        return ""
    previous = next((e for e in account.page.accounts if e.order == account.order - 1), None)
    first = next(iter(latin_subjects(previous.text)), None) if previous else None
    return previous.text[first.start : first.end] if previous and first and not first.start else ""


def _numbered(after: str) -> str:
    number = _NUMBER.match(after)
    return number[0] if number else ""


def _only_opens(name: str) -> bool:
    """Tell whether a capitalised word only opens its sentence, or says of which country something is."""
    return name.lower() in _ARTICLES or is_people(name)


def _topical(account: Account, common: frozenset[str], *, sure: bool) -> str:
    """Return the name in a sentence or in its headline that is one with the topic: the iPhone 16 of the iPhone.

    `sure`: the headline tells of it, and does not only mention it.
    """
    for text in (account.text, headline_of(account.page)):
        found = [(each.start, each.end) for each in (*latin_subjects(text), *names(text))]
        for start, end in found:
            name = f"{text[start:end]}{_numbered(text[end:])}"
            beside = sure and _signs["beside en"].search(text[:start])
            if not beside and not common.isdisjoint(words_of(name)):
                return name
    return ""
