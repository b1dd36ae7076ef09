"""A page beside the parts of a claim: which sentences name what it names, and say what it says was done."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta
from functools import cached_property

from groundwire.evidence.reading.claim_figures import agrees_with
from groundwire.evidence.reading.claim_parts import ClaimParts
from groundwire.evidence.reading.claim_words import Detail, body_after
from groundwire.evidence.reading.meaning import named
from groundwire.evidence.reading.name_patterns import PLACES, Anchor, party_ways
from groundwire.evidence.reading.page_lines import PageLine, lines_of
from groundwire.evidence.reading.predicates import Act
from groundwire.language.names.names import country_ways
from groundwire.language.text.characters import normalise
from groundwire.language.text.phrases import listed
from groundwire.language.text.wording import is_han
from groundwire.model.source import Evidence

NAMED = 0.6  # of the weight of the claim's names, before a page is about it
DETAILS = 0.25  # of its other words, beside what is done
MUCH = 0.4  # of them, where what is done is not repeated
UNNAMED = 0.55  # of them, when it names nobody
LEAD = 2  # sentences that open a page and say what it is about
OLD = timedelta(days=30)  # before the message: a page that speaks of another time
_PLACES = 0.5  # weight of a name that only says where
_FEW = 0.7  # weight of other words that is too little to ask for
_SOME = 0.3  # weight of other words that an unreadable name is made up for with
_ROUNDING = 1e-9
_YEAR = re.compile(
    r"(?:\([^)]{1,24}\)|〔[^〕]{1,24}〕)?\s*(?:(?:(?:Back )?[Ii]n|On|自)? ?(?:[A-Z][a-z]+ )?(?:\d{1,2}, )?(?P<year>20\d\d)(?![\d-])|"
    r"(?:\w+ years ago|[一两三四五六七八九十几]年前|去年|前年|[Ll]ast year))"
)
_NEAR = 16
# What one party does to another: said the other way round, it is something else.
_ONE_WAY = frozenset({"sue", "acquire", "fine", "sanction", "capture", "strike", "arrest"})
_PASSIVE = re.compile(r"\b(?:is|are|was|were|be|been|being|gets?|got) (?:\w+ )?\Z|[被遭受获由]")
_BY = re.compile(r" by\b|[^,.;]{0,30} by ")
# What kind of body a party is, and where a page says it: Delta Iron, a maker of rails; 健身房Delta has none.
_KIND = re.compile(
    r"(?P<exchange>\bexchange|\btrading platform|交易所|交易平台)|(?P<bank>\bbank|\blender|银行)|"
    r"(?P<miner>\bmin(?:er|ing)\b|矿企|矿商|矿业)|(?P<gym>\bgym|\bfitness|健身)|(?P<airline>\bairline|\bcarrier|航空)|"
    r"(?P<insurer>\binsur(?:er|ance)|保险)|(?P<services>\bretailer|\bsupermarket|超市|零售)|(?P<hotel>\bhotel|酒店|饭店)|"
    r"(?P<school>\buniversity|\bcollege|大学)|(?P<clinic>\bhospital|\bclinic|医院|诊所)|(?P<maker>\bmaker of\b|制造商)"
)
_WHAT = re.compile(
    r"(?: [A-Z]\w+){0,2},? (?:is )?(?:an?|the) [^,.;]{3,60}|(?:是|为)?(?:一家)[^,。]{2,20}"
)
_ANAPHOR = re.compile(listed("words for what was named"), re.IGNORECASE)


class PageReading:
    """The sentences of a page, asked what each of them has of a claim."""

    def __init__(self, parts: ClaimParts, evidence: Evidence, told: date | None) -> None:
        document = evidence.document
        self.parts = parts
        self.evidence = evidence
        self.flags = evidence.flags
        self.lines = lines_of(document.title, document.text)
        self.han = is_han(document.text)
        published = document.published_at.date() if document.published_at else None
        day = told or published
        self.year = day.year if day else 0
        self.old = bool(told and published and published + OLD < told)
        self.hits = [
            frozenset(n for n, anchor in enumerate(parts.anchors) if anchor.stands(line.flat))
            for line in self.lines
        ]
        # On its own site a party is "we".
        host = normalise(document.publisher).text
        self.hosts = frozenset(n for n, a in enumerate(parts.anchors) if a.stands(host))
        self.hits[0] |= self.hosts
        namesakes = self._namesakes()
        if namesakes:
            self.hits = [hits - namesakes for hits in self.hits]
        # Chinese pages keep Latin names; others write a Chinese name in letters nobody here knows.
        self.wanted = [
            n
            for n, anchor in enumerate(parts.anchors)
            if self.han or anchor.known[0] or any(n in hit for hit in self.hits)
        ]

    def _namesakes(self) -> frozenset[int]:
        """Names that the page writes only as the beginning of somebody else's: Delta Dental."""
        found: list[int] = []
        for n, anchor in enumerate(self.parts.anchors):
            if n not in self.hosts and self._is_introduced_as_another(anchor):
                found.append(n)
                continue
            if anchor.other is None or anchor.whole is None or n in self.hosts:
                continue
            whole, other = anchor.whole, anchor.other
            if any(other.search(line.flat) for line in self.lines[1:]) and not any(
                whole.search(line.flat) for line in self.lines
            ):
                found.append(n)
        return frozenset(found)

    def _is_introduced_as_another(self, anchor: Anchor) -> bool:
        """Whether the page says that the named one is another kind of body: Delta, a gym, no bank."""
        own = _KIND.search(self.parts.low)
        if own is None or not self.parts.low[: own.start()].rstrip().endswith(anchor.text.lower()):
            return False
        kinds = [
            kind.lastgroup
            for line in self.lines[: 2 + LEAD]
            for match in anchor.written.finditer(line.flat)
            if (said := _WHAT.match(line.flat, match.end())) is not None
            for kind in _KIND.finditer(said.group().lower())
        ]
        return bool(kinds) and own.lastgroup not in kinds

    @cached_property
    def only_places(self) -> bool:
        """Whether the claim names nothing but where it happened."""
        return all(anchor.weight <= _PLACES for anchor in self.parts.anchors)

    @cached_property
    def unreadable(self) -> bool:
        """Whether most of the claim's names cannot be looked for in the page's letters."""
        anchors = self.parts.anchors
        lost = sum(a.weight for n, a in enumerate(anchors) if n not in self.wanted)
        return lost > sum(anchors[n].weight for n in self.wanted)

    def named(self, hits: frozenset[int]) -> bool:
        """Whether enough of the claim's names are among these."""
        anchors = self.parts.anchors
        if not anchors:
            return True
        if self.only_places:
            return True
        held = sum(anchors[n].weight for n in hits)
        return bool(hits) and held >= self._enough

    @cached_property
    def _enough(self) -> float:
        wanted = sum(self.parts.anchors[n].weight for n in self.wanted)
        return NAMED * wanted - _ROUNDING

    @property
    def about(self) -> bool:
        """Whether the page names, somewhere, enough of what the claim names."""
        if self.only_places and self.wanted and not any(self.hits) and self._elsewhere:
            return False
        return self.named(_union(self.hits))

    @property
    def _elsewhere(self) -> bool:
        """Whether the title or the opening names a place: Australia's ban is not Norway's."""
        opening = self.lines[: 1 + LEAD]
        names = [name.text.split("'")[0] for line in opening for name in named(line.flat)]
        return any(country_ways(name) or name.lower() in PLACES for name in names)

    def opens(self, at: int) -> bool:
        """Whether a sentence stands in the title or the opening, which speak of the page's matter."""
        return at <= LEAD

    def around(self, at: int) -> frozenset[int]:
        """Names in a sentence, the two before it, the title and the opening."""
        near = {0, *range(1, 1 + LEAD), *range(max(0, at - 2), at + 1)}
        return _union([self.hits[n] for n in sorted(near) if n < len(self.hits)])

    def detailed(self, at: int) -> float:
        """Share of the claim's other words that stand in a sentence or beside it."""
        near = [n for n in (0, 1, at - 1, at, at + 1) if 0 <= n < len(self.lines)]
        known = self._readable
        total = sum(detail.weight for detail in known)
        least = _FEW if self.parts.anchors and not self.only_places else _ROUNDING
        if total < least:
            return 1.0 if least == _FEW else 0.0
        return self._held(known, near) / total

    @cached_property
    def _readable(self) -> list[Detail]:
        """The claim's other words that can stand in a page of this language."""
        foreign = self.parts.han != self.han
        return [
            detail
            for detail in self.parts.details
            if not foreign or any(is_han(form) == self.han for form in detail.forms)
        ]

    def echoed(self, at: int) -> bool:
        """Whether a sentence has much of the claim's other words, though not its act."""
        total = sum(detail.weight for detail in self.parts.details)
        return total >= _FEW and self._held(self.parts.details, [at]) >= MUCH * total

    def _held(self, details: Sequence[Detail], near: Sequence[int]) -> float:
        return sum(
            detail.weight
            for detail in details
            if any(self.lines[n].wording.has_any(detail.forms) for n in near)
        )

    def bound(self, at: int) -> bool:
        """Whether enough of the claim stands beside what a sentence says is done."""
        parts = self.parts
        here = self.hits[at] or self.hits[0] or not self.only_places
        if parts.anchors and here and agrees_with(parts.figures, self.lines[at]):
            return True
        share = self.detailed(at)
        if self.unreadable and not self._held(parts.details, [0, at]) >= _SOME:
            return False
        if parts.anchors and self.only_places and not parts.details:
            return all(n in self.hits[at] | self.hits[0] for n in self.wanted)
        if not parts.anchors or self.only_places:
            here = bool(self.hits[at] | self.hits[0] | self.hits[min(1, len(self.hits) - 1)])
            return share >= (DETAILS if here and parts.anchors else UNNAMED)
        if share >= DETAILS:
            return True
        # All the names, and somebody named in the sentence itself.
        here = self.around(at) if self.opens(at) else self.hits[at] | self.hits[0]
        return bool(self.hits[at]) and all(n in here for n in self.wanted)

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

    def heads_another(self, head: str) -> bool:
        """Whether what stands before an act in a headline is the name of somebody else."""
        subject = self.parts.anchors[self.parts.subject]
        if is_han(head):
            body = body_after(self.parts.flat, subject.text)
            return bool(body) and body in head
        return any(name.text not in self.parts.flat for name in named(head)) and not is_title_case(
            self.lines[0].flat
        )

    def narrows(self, at: int, end: int) -> bool:
        """Whether a sentence goes on, behind what is done, with a party that the claim has not."""
        flat = self.lines[at].flat
        stop = flat.find(",", end)
        rest = flat[end : stop if stop >= 0 else len(flat)]
        others = [name for name in named(rest) if name.text not in self.parts.flat]
        return any(party_ways(n.text) or rest[: n.start].endswith(" of ") for n in others)

    def swapped(self, at: int, start: int, end: int) -> bool:
        """Whether a sentence has the two parties of the act the other way round: B sues A."""
        parts, line = self.parts, self.lines[at]
        main = [act for act in parts.main if act.name in _ONE_WAY]
        done = next((d for d in parts.done if any(act in d.acts for act in main)), None)
        if done is None or _PASSIVE.search(line.low, max(0, start - _NEAR), start):
            return False
        anchors = [parts.anchors[n] for n in sorted(self.hits[at])]
        doers = [a for a in anchors if 0 <= parts.flat.find(a.text) < done.start]
        others = [a for a in anchors if parts.flat.find(a.text) >= done.end]
        if len(doers) != 1 or len(others) != 1 or _BY.match(line.low, end):
            return False
        before, after = line.flat[:start], line.flat[end:]
        turned = others[0].stands(before) and doers[0].stands(after)
        return turned and not doers[0].stands(before) and not others[0].stands(after)

    def figured(self, at: int) -> bool:
        """Whether a sentence gives the claim's figure, or the opening does, to which it belongs."""
        near = range(min(1 + LEAD, len(self.lines))) if self.opens(at) else (at,)
        return any(agrees_with(self.parts.figures, self.lines[n]) for n in near)

    def past(self, at: int) -> bool:
        """Whether a sentence opens with another year than the message's: it looks back."""
        match = _YEAR.match(self.lines[at].flat)
        if match is None or self.lines[at].is_title:
            return False
        year = match.group("year")
        return not year or bool(self.year and int(year) < self.year and year not in self.parts.flat)

    def spoken(self, at: int, acts: Sequence[Act]) -> list[tuple[int, int, Act]]:
        """Where a sentence says that one of these acts was done."""
        low = self.lines[at].low
        return [(m.start(), m.end(), act) for act in acts for m in act.said.finditer(low)]

    def speaks_near(self, at: int) -> bool:
        """Whether the claim's act stands in the sentence before or after this one."""
        near = [n for n in (at - 1, at, at + 1) if 0 <= n < len(self.lines)]
        acts = self.parts.acts
        return not acts or any(act.said.search(self.lines[n].low) for act in acts for n in near)

    @cached_property
    def topical(self) -> bool:
        """Whether the title or the opening says what the claim says was done, and of whom."""
        opening = range(min(1 + LEAD, len(self.lines)))
        told = [
            n for n in opening if any(a.said.search(self.lines[n].low) for a in self.parts.main)
        ]
        if self.hosts or 0 in told or (1 in told and self.hits[0]):
            return True
        return any(self.hits[n] for n in told)

    def line_at(self, place: int) -> int:
        """The number of the sentence that stands at a place of the text."""
        found = [n for n, line in enumerate(self.lines) if n and line.start <= place]
        return found[-1] if found else min(1, len(self.lines) - 1)

    def quoted(self, at: int) -> PageLine | None:
        """The sentence of the text to quote; for the title the first that goes on with it."""
        if at > 0:
            return self.lines[at]
        for n in range(1, len(self.lines)):
            if self.hits[n]:
                return self.lines[n]
        return self.lines[1] if len(self.lines) > 1 else None


def _union(hits: Sequence[frozenset[int]]) -> frozenset[int]:
    return frozenset(n for each in hits for n in each)


def is_title_case(headline: str) -> bool:
    """Whether a headline writes most words with a capital, so that capitals name nobody."""
    words = [word for word in headline.split() if word[:1].isalpha()]
    return sum(word[0].isupper() for word in words) > max(2, len(words) // 2)


def _strangers(parts: ClaimParts, line: PageLine) -> bool:
    return any(name.text not in parts.flat for name in named(line.flat))
