"""The stance of a whole page towards a claim: which of its sentences speak of it, and how they combine.

A sentence speaks of the claim when it says what the claim says was done, of whom the claim says it.
What it then says decides: done, denied, called false, rumoured, only planned, another figure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from typing import Literal

from groundwire.evidence import denials
from groundwire.evidence.acts import Act
from groundwire.evidence.claim_parts import Parts, parts_of
from groundwire.evidence.figures_told import agrees_with, fit
from groundwire.evidence.meaning import named
from groundwire.evidence.page_lines import Line, lines_of
from groundwire.evidence.problems import problem
from groundwire.evidence.wording import is_han
from groundwire.model.source import Evidence
from groundwire.model.stance import Stance, StanceLabel, StanceScores

Mark = Literal["done", "denied", "false", "rumour", "before"]

HALF = 0.6  # of the weight of the claim's names, before a page is about it
DETAILS = 0.25  # of its other words, beside what is done
UNNAMED = 0.6  # of them, when it names nobody
LEAD = 2  # sentences that open a page and say what it is about
OLD = timedelta(days=30)  # before the message: a page that speaks of another time
_ANAPHOR = re.compile(
    r"\b(?:it|its|they|their|he|his|she|her|the (?:company|firm|group|bank|lender|exchange|issuer|token|coin|platform|team|"
    r"carrier|airline|agency|regulator|ministry|network|protocol|project|developer|fund|deal|hack|attack|exploit|plant|vessel|"
    r"ferry|ship|service|product|app|directive|chain|attacker|attackers|hackers|report|reports|move|decision|theft|person|"
    r"minister|senator|commission|committee|proposal|bill|measure|incident|breach|posts?|claims?|image|video))\b|"
    r"该|其(?!他|它|中|实|余)|它|他|她|公司|本行|此|平台|团队|项目方|官方|对方|攻击者|黑客|两家|双方|我们|本署|本站",
    re.IGNORECASE,
)
_SURE = 0.8
_ROUNDING = 1e-9
_FEW = 0.7  # weight of other words that is too little to ask for
_PLACES = 0.5  # weight of a name that only says where
_WHOLE = re.compile(r"\b(?:all|every|fully|entire|whole)\b|全部|所有|完全|全面")
_PARTLY = re.compile(
    r"\b(?:part of|partial\w*|partly|in stages|in phases|some|gradually)\b|部分|分批|陆续|逐步"
)


@dataclass(frozen=True, slots=True)
class _Told:
    """A sentence that speaks of the claim, and what it says."""

    at: int
    mark: Mark


def position(claim: str, evidence: Evidence, *, told: date | None = None) -> Stance:
    """The stance that counts for the page; offsets are those of the document's text.

    `told` is the day of the message: a page that is much older cannot deny what it says.
    """
    page = _Page(parts_of(claim), evidence, told)
    label, reason, at = _decide(page)
    return _stance(label, reason, page.quoted(at) if label != "unrelated" else None, evidence)


def _stance(label: StanceLabel, reason: str, line: Line | None, evidence: Evidence) -> Stance:
    shares = {"supports": 0.0, "contradicts": 0.0, "qualifies": 0.0, "unrelated": 0.0}
    for name in shares:
        shares[name] = _SURE if name == label else round((1 - _SURE) / 3, 6)
    start, end = (line.start, line.end) if line else (0, 0)
    return Stance(
        label=label,
        scores=StanceScores(**shares),
        quote=evidence.document.text[start:end],
        start=start,
        end=end,
        reasons=(problem(reason),),
    )


class _Page:
    """A page beside the parts of a claim."""

    def __init__(self, parts: Parts, evidence: Evidence, told: date | None) -> None:
        document = evidence.document
        self.parts = parts
        self.flags = evidence.flags
        self.lines = lines_of(document.title, document.text)
        self.han = is_han(document.text)
        published = document.published_at.date() if document.published_at else None
        self.old = bool(told and published and published + OLD < told)
        self.hits = [
            frozenset(n for n, anchor in enumerate(parts.anchors) if anchor.stands(line.flat))
            for line in self.lines
        ]
        self.matchable = [
            n
            for n, anchor in enumerate(parts.anchors)
            if anchor.known[self.han] or any(n in hit for hit in self.hits)
        ]

    @property
    def foreign(self) -> bool:
        return self.parts.han != self.han

    def named(self, hits: frozenset[int]) -> bool:
        """Whether enough of the claim's names are among these."""
        anchors = self.parts.anchors
        if not anchors or self.only_places:
            return True
        wanted = sum(anchors[n].weight for n in self.matchable)
        held = sum(anchors[n].weight for n in hits)
        return bool(hits) and held >= HALF * wanted - _ROUNDING

    def around(self, at: int) -> frozenset[int]:
        """Names in a sentence, the two before it, the title and the opening."""
        near = {0, *range(1, 1 + LEAD), *range(max(0, at - 2), at + 1)}
        return _union([self.hits[n] for n in sorted(near) if n < len(self.hits)])

    def detailed(self, at: int) -> float:
        """Share of the claim's other words that stand in a sentence or beside it."""
        details = self.parts.details
        near = [n for n in (0, 1, at - 1, at, at + 1) if 0 <= n < len(self.lines)]
        known = [
            d for d in details if not self.foreign or any(is_han(f) == self.han for f in d.forms)
        ]
        total = sum(detail.weight for detail in known)
        if total < (_FEW if self.parts.anchors else _ROUNDING):
            return 1.0
        held = sum(
            detail.weight
            for detail in known
            if any(self.lines[n].wording.has_any(detail.forms) for n in near)
        )
        return held / total

    def bound(self, at: int) -> bool:
        """Whether enough of the claim stands beside what a sentence says is done."""
        parts = self.parts
        if agrees_with(parts.figures, self.lines[at]):
            return True
        here = self.hits[at] | self.hits[0]
        share = self.detailed(at)
        if not parts.anchors:
            return share >= UNNAMED
        if share >= DETAILS:
            return True
        # All the names, and somebody named in the sentence itself.
        return bool(self.hits[at]) and len(here) == len(self.matchable) and not self.only_places

    @cached_property
    def only_places(self) -> bool:
        return sum(anchor.weight for anchor in self.parts.anchors) <= _PLACES

    def own(self, at: int) -> bool:
        """Whether a sentence speaks of somebody the claim names, by name or by a word for it."""
        line = self.lines[at]
        if self.hits[at] or line.is_title:
            return True
        if not self.parts.anchors or self.only_places:
            return self.detailed(at) >= UNNAMED
        if _ANAPHOR.search(line.flat):
            return True
        return at <= LEAD and not _strangers(self.parts, line)

    def speaks_near(self, at: int) -> bool:
        """Whether the claim's act stands in the sentence before or after this one."""
        near = [self.lines[n].low for n in (at - 1, at, at + 1) if 0 <= n < len(self.lines)]
        acts = self.parts.acts
        return not acts or any(act.said.search(low) for act in acts for low in near)

    def quoted(self, at: int) -> Line | None:
        """The sentence of the text to quote; for the title the first that goes on with it."""
        if at > 0:
            return self.lines[at]
        for n in range(1, len(self.lines)):
            if self.hits[n]:
                return self.lines[n]
        return self.lines[1] if len(self.lines) > 1 else None

    @cached_property
    def told(self) -> tuple[_Told, ...]:
        """Every sentence that speaks of the claim, in order."""
        found: list[_Told] = []
        for at in range(len(self.lines)):
            mark = _mark(self, at)
            if mark is not None:
                found.append(_Told(at, mark))
        return tuple(found)


def _union(hits: Sequence[frozenset[int]]) -> frozenset[int]:
    return frozenset(n for each in hits for n in each)


def _strangers(parts: Parts, line: Line) -> bool:
    return any(name.text not in parts.flat for name in named(line.flat))


def _mark(page: _Page, at: int) -> Mark | None:
    """What one sentence says of the claim; None when it speaks of something else."""
    line = page.lines[at]
    if not page.named(page.around(at)) or not page.own(at):
        return None
    parts, low = page.parts, line.low
    acts = parts.acts
    spoken = [(m.start(), m.end(), act) for act in acts for m in act.said.finditer(low)]
    background = denials.BACKGROUND.search(low) is not None and at > LEAD
    about = bool(spoken) or (denials.TOLD.search(low) is not None and page.speaks_near(at))
    if denials.FALSE.search(low) and about and not background:
        return "false"
    if denials.ASKED.search(low):
        return None
    if spoken and any(denials.negated_at(low, start, end) for start, end, _ in spoken):
        if denials.not_yet(low):
            return "before"
        return None if background else "denied"
    if denials.DENIED.search(low) and about and not background:
        return "denied"
    enough = page.bound(at)
    against = [act for act in parts.main if act.against.search(low)]
    if against and not spoken and enough and not background:
        return "denied"
    earlier = [act for act in parts.main if act.before.search(low)]
    if not any(act in parts.main for _, _, act in spoken):
        return "before" if earlier and enough and page.hits[at] and not background else None
    if not enough:
        return None
    if any(denials.RUMOUR.search(_clause_and_before(low, start)) for start, _, _ in spoken):
        return "rumour"
    main = [(start, act) for start, _, act in spoken if act in parts.main]
    if all(_is_before(page, line, start, act) for start, act in main):
        return "before"
    if _WHOLE.search(parts.low) and _PARTLY.search(low):
        return "before"
    return None if background and not page.named(page.hits[at]) else "done"


def _clause_and_before(low: str, start: int) -> str:
    """Everything before an act, and the clause it stands in."""
    end = low.find(",", start)
    return low[: end if end >= 0 else len(low)]


def _is_before(page: _Page, line: Line, start: int, act: Act) -> bool:
    """Whether what is done stands behind a word that says it is still to be done."""
    parts = page.parts
    if denials.WEAK.search(parts.low) or any(each.name == "talks" for each in parts.acts):
        return False  # the claim itself says no more
    before = denials.clause_before(line.low, start)
    weak = [match.group() for match in denials.WEAK.finditer(before)]
    if line.is_title:
        weak = [word for word in weak if word != "拟"]  # headlines say "to" with it
    if any(not (parts.ahead and word in _AHEAD) for word in weak):
        return True
    return act.before.search(before) is not None


_AHEAD = frozenset({"plans to", "planned", "计划", "预计", "scheduled to"})


def _decide(page: _Page) -> tuple[StanceLabel, str, int]:
    """Label, reason and the number of the sentence that decides."""
    everywhere = _union(page.hits)
    if "satire" in page.flags:
        return "unrelated", "satire", 0
    if not page.named(everywhere):
        return "unrelated", "other", 0
    first = _First(page.told)
    if "retraction" in page.flags or "correction" in page.flags:
        return _taken_back(page, first)
    return _sides(page, first)


class _First:
    """The first sentence of each kind, by its number."""

    def __init__(self, told: Sequence[_Told]) -> None:
        self._told = told
        self.done, self.denied, self.false = self._at("done"), self._at("denied"), self._at("false")
        self.rumour, self.before = self._at("rumour"), self._at("before")

    def _at(self, mark: Mark) -> int | None:
        return next((each.at for each in self._told if each.mark == mark), None)


def _taken_back(page: _Page, first: _First) -> tuple[StanceLabel, str, int]:
    at = next(
        (n for n, line in enumerate(page.lines) if denials.WITHDRAWN.search(line.low) and n), None
    )
    if at is None and "retraction" in page.flags:
        return "unrelated", "retracted", 0
    if at is not None and any(n is not None for n in (first.false, first.denied, first.done)):
        return "contradicts", "withdrawn", at
    return "unrelated", "retracted", 0


def _sides(page: _Page, first: _First) -> tuple[StanceLabel, str, int]:
    done, denied, false = first.done, first.denied, first.false
    against = min((n for n in (denied, false) if n is not None), default=None)
    if against is not None:
        # A page that reports the thing as done, and only later that somebody denies it, stands by it.
        stands = done is not None and done < against and (done == 0 or against > done + 1)
        if not stands or false == 0 or denied == 0:
            return ("unrelated", "other", 0) if page.old else ("contradicts", "opposite", against)
    if done is not None:
        return _supported(page, done, first)
    for at, reason in ((first.rumour, "uncertain"), (first.before, "part")):
        if at is not None:
            return "qualifies", reason, at
    return "unrelated", "other", 0


def _supported(page: _Page, done: int, first: _First) -> tuple[StanceLabel, str, int]:
    if page.old and page.parts.again:
        return "unrelated", "other", 0
    unchecked = any(denials.UNCHECKED.search(line.low) for line in page.lines)
    weak = first.rumour == 0 or first.before == 0
    if unchecked or (weak and done > 0):
        return "qualifies", "uncertain", done
    lines = [page.lines[t.at] for t in page.told if t.mark in ("done", "before", "rumour")]
    figures = fit(page.parts.flat, page.parts.figures, [page.lines[0], *lines], page.lines)
    if figures == "other":
        if page.old:
            return "unrelated", "other", 0
        return "contradicts", "other_figure", done
    if figures == "loose":
        return "qualifies", "estimate", done
    if figures == "silent":
        return "qualifies", "part", done
    return "supports", "same", done
