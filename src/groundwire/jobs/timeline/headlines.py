"""The title of each event: a headline of its own pages of those days, else what its sentence says; pure."""

from __future__ import annotations

import math
from collections.abc import Sequence

from groundwire.jobs.timeline.causes import part_on
from groundwire.jobs.timeline.entries import Entry, Material
from groundwire.jobs.timeline.pages import words_of
from groundwire.jobs.timeline.titles import LONGEST, shortened, undated
from groundwire.language.text.script import language_distance
from groundwire.language.text.sentences import sentences
from groundwire.language.text.wording import is_han

_NEWS = 2  # days after an event on which headlines tell it
_ALIKE, _WORDS = 0.5, 2  # of a headline's words that the event's sentences share, and how many


def entitle(entries: Sequence[Entry], material: Material) -> None:
    """Give each entry a title of its own, the weightiest first."""
    taken: set[str] = set()
    for entry in sorted(entries, key=lambda each: (-each.milestone.score, each.milestone.id)):
        entry.title = _headline(entry, material, taken) or _said(entry, material)
        taken.add(entry.title)


def _headline(entry: Entry, material: Material, taken: set[str]) -> str:
    """Return the headline of its own sources that says most of it; "": none does."""
    told = set(words_of(" ".join(each.text for each in entry.sentences)))
    best: tuple[float, float, str] = (-math.inf, 0.0, "")
    for name in entry.sources:
        page = material.page(name)
        if page.day is None or not page.title or not 0 <= (page.day - entry.last).days <= _NEWS:
            continue
        both = told & set(page.title)
        shared = len(both) / len(set(page.title)) if len(both) >= _WORDS else 0.0
        title = " ".join(page.evidence.document.title.split())
        fits = shared >= _ALIKE and len(title) <= LONGEST[is_han(title)]
        if fits and title not in taken:
            far = language_distance(page.evidence.document.language, material.language)
            best = max(best, (-far, shared, title))
    return best[2]


def _said(entry: Entry, material: Material) -> str:
    """Return what its sentence says, without the date that stands beside it."""
    account = material.account(entry.sentences[0].citations[0])
    inside = [each for each in account.times if entry.first <= each.first <= entry.last]
    # A year often belongs to a name: 2024年数学邀请赛.
    own = [each for each in inside if each.precision in ("day", "month")]
    part = part_on(account, entry.first)
    if part is not None:
        return shortened(part.text.strip(" ,，"))
    text = undated(account, own)
    # Of a sentence that only says when and the next, what the next one says.
    start, end = list(sentences(text))[-1]
    return shortened(text[start:end])
