"""The stance of a whole page towards a claim: which of its sentences speak of it, and how they combine.

A sentence speaks of the claim when it says what the claim says was done, of whom the claim says it.
What it then says decides: done, denied, called false, rumoured, only planned, another figure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

from groundwire.evidence.citations.problems import problem
from groundwire.evidence.reading import denials
from groundwire.evidence.reading.claim_figures import agrees_with, fit
from groundwire.evidence.reading.claim_parts import ClaimParts, parts_of
from groundwire.evidence.reading.page_lines import PageLine
from groundwire.evidence.reading.page_reading import MUCH, PageReading
from groundwire.evidence.reading.predicates import Act
from groundwire.evidence.reading.stance import stance
from groundwire.model.source import Evidence
from groundwire.model.stance import Stance, StanceLabel, StanceScores

Mark = Literal["done", "denied", "opposite", "false", "rumour", "relayed", "before", "partly"]
_SURE = 0.8
_SURELY = 0.6  # how sure a second opinion must be
_NEXT = 3  # sentences behind the one that tells it, in which a page takes a part of it back


@dataclass(frozen=True, slots=True)
class _Told:
    """A sentence that speaks of the claim, and what it says."""

    at: int
    mark: Mark


def position(claim: str, evidence: Evidence, *, told: date | None = None) -> Stance:
    """The stance that counts for the page; offsets are those of the document's text.

    `told` is the day of the message: a page that is much older cannot deny what it says.
    """
    page = PageReading(parts_of(claim), evidence, told)
    label, reason, at = _decide(page)
    line = page.quoted(at) if label != "unrelated" else None
    start, end = (line.start, line.end) if line else (0, 0)
    return Stance(
        label=label,
        scores=_scores(label),
        quote=evidence.document.text[start:end],
        start=start,
        end=end,
        reasons=(problem(reason),),
    )


def _scores(label: StanceLabel) -> StanceScores:
    rest = round((1 - _SURE) / 3, 6)
    return StanceScores(
        supports=_SURE if label == "supports" else rest,
        contradicts=_SURE if label == "contradicts" else rest,
        qualifies=_SURE if label == "qualifies" else rest,
        unrelated=_SURE if label == "unrelated" else rest,
    )


def _decide(page: PageReading) -> tuple[StanceLabel, str, int]:
    """Label, reason and the number of the sentence that decides."""
    if "satire" in page.flags:
        return "unrelated", "satire", 0
    if not page.about:
        return "unrelated", "other", 0
    title = page.spoken(0, page.parts.main)
    if title and all(page.swapped(0, start, end) for start, end, _ in title):
        return "unrelated", "roles", 0
    first = _First(page)
    if "injection" in page.flags and first.denied is None and first.false is None:
        # Whoever plants orders in a page is no witness.
        return "unrelated", "uncertain", 0
    if "retraction" in page.flags or "correction" in page.flags:
        return _taken_back(page, first)
    return _sides(page, first)


class _First:
    """The first sentence of each kind, by its number."""

    def __init__(self, page: PageReading) -> None:
        self.told = [
            _Told(at, mark)
            for at in range(len(page.lines))
            if (mark := _mark(page, at)) is not None
        ]
        self.done, self.denied, self.false = self._at("done"), self._at("denied"), self._at("false")
        self.rumour, self.before = self._at("rumour"), self._at("before")
        self.relayed = self._at("relayed")
        self.partly, opposite = self._at("partly"), self._at("opposite")
        # Words for the opposite speak against a claim only where nothing before them speaks for it.
        if opposite is not None and (self.done is None or opposite < self.done):
            self.denied = opposite if self.denied is None else min(opposite, self.denied)

    def _at(self, mark: Mark) -> int | None:
        return next((each.at for each in self.told if each.mark == mark), None)


def _mark(page: PageReading, at: int) -> Mark | None:
    """What one sentence says of the claim; None when it speaks of something else."""
    here = page.named(page.around(at))
    if not (here or page.opens(at)) or not page.own(at) or _of_others(page, at):
        return None
    parts, line = page.parts, page.lines[at]
    low = line.low
    spoken = page.spoken(at, parts.acts)
    main = [each for each in spoken if each[2] in parts.main]
    if not main and page.hits[at] and page.figured(at):
        # The claim's own figure: what it says in a later clause will do.
        main = [each for each in spoken if each[2] in parts.later]
    if page.past(at):
        return None
    recalls = at > 1 and line.says(denials.BACKGROUND)
    against = None if recalls else _against(page, at, spoken, main)
    if against is not None:
        return against
    if line.says(denials.ASKED) or (main and all(denials.asked_at(low, e) for _, e, _ in main)):
        return None
    early = any(act.before.search(low) for act in parts.main)
    figured = parts.unfamiliar and bool(parts.figures)
    if not here or not (main or early or figured) or not page.bound(at):
        return None
    if main:
        return None if _is_headed_by_another(page, at, main) else _told_as(page, at, main, recalls)
    if figured and page.hits[at] and page.detailed(at) >= MUCH:
        told = agrees_with(parts.figures, line) and not denials.WEAK.search(low)
        return "done" if told and not denials.RUMOUR.search(low) else None
    if early and page.hits[at] and not recalls:
        return "done" if _says_no_more(parts) else "before"
    return None


def _of_others(page: PageReading, at: int) -> bool:
    """Whether a sentence of the text speaks of rivals and does not name who the claim speaks of."""
    subject = page.parts.subject
    if not at or subject < 0 or subject in page.hits[at]:
        return False
    return subject in page.wanted and page.lines[at].says(denials.OTHERS)


def _is_headed_by_another(page: PageReading, at: int, main: Sequence[tuple[int, int, Act]]) -> bool:
    """Whether a headline without the claim's names says it of somebody else: Norvex lays off."""
    line = page.lines[at]
    if at or page.hits[0] or not main or not page.parts.anchors or page.only_places:
        return False
    head = line.flat[: min(start for start, _, _ in main)]
    return bool(head) and page.heads_another(head)


def _against(
    page: PageReading,
    at: int,
    spoken: Sequence[tuple[int, int, Act]],
    main: Sequence[tuple[int, int, Act]],
) -> Mark | None:
    """Whether a sentence calls the claim false, denies it, negates its act or says the opposite."""
    line = page.lines[at]
    low = line.low
    near = page.speaks_near(at) or (page.opens(at) and page.echoed(at))
    about = bool(spoken) or (near and line.says(denials.TOLD))
    if about and line.says(denials.FALSE):
        return "false"
    asked = line.says(denials.ASKED)
    if not asked and any(
        denials.negated_at(low, s, e) for s, e, _ in page.spoken(at, page.parts.cause)
    ):
        return "denied"
    if not asked and any(denials.negated_at(low, start, end) for start, end, _ in main):
        return "before" if denials.not_yet(low) else "denied"
    if about and line.says(denials.DENIED):
        return "denied"
    if asked:
        return None
    contrary = [m.span() for act in page.parts.main for m in act.against.finditer(low)]
    # "Still holds" is no "holds".
    if not all(any(a <= start and end <= b for a, b in contrary) for start, end, _ in main):
        return None
    told = page.hits[at] or page.lines[at].is_title or main
    return "opposite" if contrary and told and page.bound(at) else None


def _told_as(
    page: PageReading, at: int, main: Sequence[tuple[int, int, Act]], recalls: bool
) -> Mark | None:
    """How a sentence tells the claim's act: as done, as rumour, as still to come, in part."""
    parts, line = page.parts, page.lines[at]
    low = line.low
    if any(denials.RUMOUR.search(_up_to_its_clause(low, start)) for start, _, _ in main):
        return "rumour"
    if parts.cause and not (page.spoken(at, parts.cause) or page.spoken(0, parts.cause)):
        return None  # it happened: that says nothing of what brought it about
    if line.says(denials.NOBODY):
        return "relayed"
    places: dict[int, list[Act]] = {}
    for start, _, act in main:
        places.setdefault(start, []).append(act)
    if all(denials.long_ago(low, start, end) for start, end, _ in main):
        return None
    news = {
        n: a for n, a in places.items() if not denials.CAUSE.search(denials.clause_before(low, n))
    }
    places = news or places
    if all(any(_is_before(parts, line, at, a) for a in acts) for at, acts in places.items()):
        return "before"
    if denials.WHOLE.search(parts.low) and denials.PARTLY.search(low):
        return "partly"
    if denials.WHOLE.search(parts.low) and page.narrows(at, max(end for _, end, _ in main)):
        return "partly"
    # Away from the page's own matter only a sentence with the names in it tells it.
    beside = recalls or not page.topical
    return None if beside and not page.named(page.hits[at]) else "done"


def _up_to_its_clause(low: str, start: int) -> str:
    """Everything before an act, and the clause it stands in."""
    end = low.find(",", start)
    return low[: end if end >= 0 else len(low)]


def _says_no_more(parts: ClaimParts) -> bool:
    """Whether the claim itself speaks only of a plan, a proposal or talks."""
    return denials.WEAK.search(parts.low) is not None or any(
        act.name == "talks" for act in parts.acts
    )


def _is_before(parts: ClaimParts, line: PageLine, start: int, act: Act) -> bool:
    """Whether what is done stands behind a word that says it is still to be done."""
    if _says_no_more(parts):
        return False
    if denials.IN_TALKS.search(line.low):
        return True
    before = denials.clause_before(line.low, start)
    weak = [match.group() for match in denials.WEAK.finditer(before)]
    if line.is_title:
        weak = [word for word in weak if word != "拟"]  # headlines say "to" with it
    if any(not (parts.ahead and word in denials.AHEAD) for word in weak):
        return True
    if act.before.search(before):
        return True
    # A proposal is one wherever the sentence says so.
    return any(denials.PROPOSAL.match(m.group()) for m in act.before.finditer(line.low))


def _taken_back(page: PageReading, first: _First) -> tuple[StanceLabel, str, int]:
    """A page that withdraws or corrects: does it take back the claim, or something else?"""
    places = [n for n, line in enumerate(page.lines) if n and denials.WITHDRAWN.search(line.low)]
    told = {each.at for each in first.told}
    near = [n for n in places if told & {n - 1, n, n + 1, n + 2} or page.hits[n]]
    right = [n for n in near if denials.INSTEAD.search(page.lines[n].low)]
    if right and _corrected_to(page, right[0]):
        return "supports", "corrected", right[0]
    if near and told:
        return "contradicts", "withdrawn", near[0]
    if "retraction" in page.flags:
        return "unrelated", "retracted", 0
    label, reason, at = _sides(page, first)
    return ("qualifies", "corrected", at) if label == "supports" else (label, reason, at)


def _corrected_to(page: PageReading, at: int) -> bool:
    """Whether the figure that a correction puts right is the claim's."""
    line = page.lines[at]
    instead = denials.INSTEAD.search(line.low)
    if instead is None or not page.parts.figures:
        return False
    rest = PageLine(line.flat[instead.start() :], line.start, line.end)
    return agrees_with(page.parts.figures, rest)


def _sides(page: PageReading, first: _First) -> tuple[StanceLabel, str, int]:
    done, denied, false = first.done, first.denied, first.false
    against = min((n for n in (denied, false) if n is not None), default=None)
    if against is not None:
        # A page that reports the thing as done, and only later that somebody denies it, stands by it.
        stands = done is not None and done < against and (done == 0 or against > done + 1)
        if not stands or against == 0:
            return ("unrelated", "other", 0) if page.old else ("contradicts", "opposite", against)
    if first.relayed is not None and page.opens(first.relayed):
        # What somebody without a name wrote is no more for being told again.
        return "unrelated", "uncertain", 0
    if done is not None:
        return _supported(page, done, first)
    for at, reason in (
        (first.partly, "part"),
        (first.rumour, "uncertain"),
        (first.before, "part"),
    ):
        if at is not None:
            return "qualifies", reason, at
    return _second_opinion(page) if page.parts.unfamiliar else ("unrelated", "other", 0)


def _is_over(page: PageReading, at: int) -> bool:
    """Whether a sentence tells first that it is undone again: regains its peg after losing it."""
    low, main = page.lines[at].low, page.parts.main
    starts = [start for start, _, _ in page.spoken(at, main)]
    undone = [match.start() for act in main for match in act.against.finditer(low)]
    return bool(starts) and bool(undone) and min(undone) < min(starts)


def _second_opinion(page: PageReading) -> tuple[StanceLabel, str, int]:
    """Where no family has the claim's act: what the trained comparison of passages says for it."""
    document = page.evidence.document
    published = document.published_at.date() if document.published_at else None
    lead = page.evidence.passages[:1] if page.detailed(min(1, len(page.lines) - 1)) >= MUCH else ()
    for passage in lead:
        found = stance(
            page.parts.claim,
            passage.text,
            title=document.title,
            publisher=document.publisher,
            published=published,
            flags=page.flags,
        )
        if found.label != "supports" or found.scores.supports < _SURELY:
            continue
        at = page.line_at(passage.start + found.start)
        told = page.lines[at].low
        unsure = denials.RUMOUR.search(told) or denials.NOBODY.search(told)
        if page.named(page.around(at)) and not unsure and not page.past(at):
            return "supports", "same", at
    return "unrelated", "other", 0


def _supported(page: PageReading, done: int, first: _First) -> tuple[StanceLabel, str, int]:
    """A page that tells the act as done: unless it is unsure, or gives another figure."""
    if page.old and (page.parts.again or page.parts.live):
        return "unrelated", "other", 0
    if _is_over(page, done):
        return "qualifies", "part", done
    if any(denials.UNCHECKED.search(line.low) for line in page.lines):
        return "qualifies", "uncertain", done
    if done > 0 and 0 in (first.rumour, first.before):
        return "qualifies", "uncertain", done
    if first.partly is not None:
        return "qualifies", "part", first.partly
    if denials.WHOLE.search(page.parts.low):
        part = [n for n, line in enumerate(page.lines) if denials.PARTLY.search(line.low)]
        if part and part[0] <= _NEXT + done:
            return "qualifies", "part", part[0]
    speaking = [n for n in range(1, len(page.lines)) if page.spoken(n, page.parts.acts)]
    told = [page.lines[0], *(page.lines[n] for n in speaking)]
    figures = fit(page.parts.flat, page.parts.figures, told, page.lines)
    if page.old and figures in ("other", "loose"):
        return "unrelated", "other", 0  # the like of it, at another time
    if figures == "other":
        return "contradicts", "other_figure", done
    if figures == "loose":
        return "qualifies", "estimate", done
    if figures == "silent":
        return "qualifies", "part", done
    return "supports", "same", done
