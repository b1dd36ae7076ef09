"""The brief: claims in sections, each sentence on checked quotes; what is contested, what is missing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple, get_args

from groundwire.evidence.citations.checker import check
from groundwire.evidence.questions.quotable import completeness, refers_back
from groundwire.gather.weighing import sentence_of
from groundwire.jobs.watch.find_contradictions import POINTS, Points
from groundwire.jobs.watch.ledger.claims import Change, Claim, Compared, Holder, Side
from groundwire.jobs.watch.result import Section
from groundwire.jobs.watch.write_brief import Brief, Known
from groundwire.model.claim import Checked, CitationView
from groundwire.model.result import Contested, Gap, Sentence, Unsupported
from groundwire.model.source import Evidence, NumberedPassage, Passage

_MOST = 24  # sentences of a section
_STOPS = " .。！!?？"
_STANDS_ALONE = 0.7  # completeness of a sentence
_PASSAGES = 14  # that a brief is written from

Numbered = Mapping[int, tuple[Evidence, Passage]]
Part = Literal["changed", "contested", "new", "standing"]
_PARTS: tuple[Part, ...] = get_args(Part)


def numbered(evidence: Sequence[Evidence], passages: Sequence[NumberedPassage]) -> Numbered:
    """Return the page and the passage behind each number."""
    by_id = {each.id: each for each in evidence}
    found: dict[int, tuple[Evidence, Passage]] = {}
    for each in passages:
        holder = by_id[each.evidence_id]
        passage = next(one for one in holder.passages if one.id == each.passage_id)
        found[each.number] = (holder, passage)
    return found


# --- sections ------------------------------------------------------------------------------------


def sentence_for(claim: Claim) -> Sentence:
    """Say a claim: its sentence, its verdict, and every page that it rests on."""
    return Sentence(text=claim.text, verdict=claim.verdict, citations=cited(claim.citations))


def said_by(side: Side) -> Sentence:
    """Say a claim as it is before or after a change."""
    return Sentence(text=side.text, verdict=side.verdict, citations=cited(side.citations))


def cited(holders: Iterable[Holder]) -> tuple[CitationView, ...]:
    """Return the pages of a claim as any sentence cites them."""
    fields = CitationView.model_fields
    return tuple(CitationView(**{name: getattr(each, name) for name in fields}) for each in holders)


def sections_of(compared: Compared, *, first: bool, gaps: Sequence[Gap]) -> tuple[Section, ...]:
    """Divide what is known: the first run tells everything as new, a later one what became so."""
    claims = {each.id: each for each in compared.ledger.claims}
    by_kind: dict[str, list[Change]] = {}
    for change in compared.changes:
        by_kind.setdefault(change.kind, []).append(change)
    standing = ranked(each for each in claims.values() if each.stands)
    contested = [each for each in standing if each.state == "contested"]
    if first:
        new = [sentence_for(each) for each in standing if each.state != "contested"]
    else:
        new = [said_by(each.after) for each in by_kind.get("new", []) if each.after]
    changed = [
        said_by(side)
        for kind in ("changed", "withdrawn", "confirmed")
        for each in by_kind.get(kind, [])
        if (side := each.after or each.before) is not None
    ]
    return (
        Section(name="new", sentences=tuple(new[:_MOST])),
        Section(name="changed", sentences=tuple(changed[:_MOST])),
        Section(name="contested", sentences=tuple(map(sentence_for, contested[:_MOST]))),
        Section(name="missing", gaps=tuple(gaps)),
    )


def ranked(claims: Iterable[Claim]) -> list[Claim]:
    """Order claims: what more origins say first, then what stands alone, then the newest."""
    return sorted(
        claims,
        key=lambda each: (
            _dangling(each),
            -min(len(each.origins), 3), each.attribute == "", -each.as_of.toordinal(), each.id,
        ),
    )  # fmt: skip


def _dangling(claim: Claim) -> bool:
    """Tell whether its sentence says too little without the one before: "It is a pause"."""
    return completeness(claim.text) < _STANDS_ALONE or refers_back(claim.text)


# --- the brief in a few sentences ----------------------------------------------------------------


class Drafted(NamedTuple):
    """What a brief is written from: claims with the passages that say them."""

    claims: tuple[Known, ...]
    passages: tuple[NumberedPassage, ...]


def draft(
    compared: Compared, evidence: Sequence[Evidence], language: str, *, first: bool
) -> Drafted:
    """Choose the claims that a brief is about, and number the passages that say them.

    Of those that matter alike, what a page says in the language of the brief comes first.
    """
    by_id = {each.id: each for each in evidence}
    code = language[:2]
    passages: dict[str, NumberedPassage] = {}
    known: list[Known] = []
    for part, claim in _chosen(compared, first=first):
        holders = [each for each in claim.citations if each.evidence_id in by_id]
        if not holders:
            continue
        # The first of its language, else the first: sorting keeps the order of the rest.
        holder = sorted(
            holders, key=lambda each: by_id[each.evidence_id].document.language[:2] != code
        )[0]
        passage = _passage(by_id[holder.evidence_id], holder)
        if passage is None:
            continue
        if passage.id not in passages:
            if len(passages) == _PASSAGES:
                break
            number = len(passages) + 1
            passages[passage.id] = _shown(by_id[holder.evidence_id], passage, number)
        known.append(
            Known(
                part=part,
                text=holder.quote,
                passage=passages[passage.id].number,
                quote=holder.quote,
            )
        )
    own = {each.number for each in passages.values() if each.language[:2] == code}
    known.sort(key=lambda each: (_PARTS.index(each.part), each.passage not in own))
    return Drafted(tuple(known), tuple(passages.values()))


def _chosen(compared: Compared, *, first: bool) -> list[tuple[Part, Claim]]:
    """List claims, what changed before what is new, and each sentence once."""
    claims = {each.id: each for each in compared.ledger.claims}
    found: list[tuple[Part, Claim]] = []
    parts: tuple[Part, ...] = ("changed", "contested", "new")
    for part in parts:
        for change in compared.changes:
            claim = claims.get(change.claim_id)
            if change.kind == part and claim is not None and claim.stands:
                found.append((part, claim))
    standing: Part = "new" if first else "standing"
    found.extend((standing, each) for each in ranked(c for c in claims.values() if c.stands))
    once: dict[str, tuple[Part, Claim]] = {}
    for each in found:
        once.setdefault(each[1].text, each)
    return list(once.values())


def _passage(evidence: Evidence, holder: Holder) -> Passage | None:
    return next((p for p in evidence.passages if p.start <= holder.start < p.end), None)


def _shown(evidence: Evidence, passage: Passage, number: int) -> NumberedPassage:
    document = evidence.document
    return NumberedPassage(
        number=number,
        passage_id=passage.id,
        evidence_id=evidence.id,
        title=document.title,
        publisher=document.said_by,
        date=document.published_at.date().isoformat() if document.published_at else "",
        language=document.language,
        tier=evidence.tier,
        origin_id=evidence.origin_id or evidence.id,
        flags=evidence.flags,
        relevance=evidence.relevance,
        text=passage.text,
    )


def check_brief(brief: Brief, pages: Numbered, subject: str) -> tuple[Checked, ...]:
    """Check each sentence against the stored text that it quotes (law 2)."""
    return tuple(
        check(each.text, [(q.passage, q.quote) for q in each.quotes], pages, subject)
        for each in brief.sentences
    )


def stated(
    checked: Sequence[Checked], pages: Numbered, claims: Sequence[Claim]
) -> tuple[tuple[Sentence, ...], tuple[Unsupported, ...]]:
    """Part what passed its check from what did not; what a claim quotes is quoted as there."""
    holders = [holder for holder, _ in pages.values()]
    passed = [each for each in checked if each.result != "unsupported"]
    failed = [each for each in checked if each.result == "unsupported"]
    quoted = [each for claim in claims for each in claim.citations]
    return (
        tuple(_as_quoted(sentence_of(each, holders, None), quoted) for each in passed),
        tuple(Unsupported(text=each.text, problems=each.problems) for each in failed),
    )


def _as_quoted(sentence: Sentence, quoted: Sequence[Holder]) -> Sentence:
    """Give a quote its claim's own ends where only a full stop is between them."""
    found = tuple(
        next((c for h in quoted for c in cited([h]) if _is_same(h, each)), each)
        for each in sentence.citations
    )
    return sentence.model_copy(update={"citations": found})


def _is_same(holder: Holder, citation: CitationView) -> bool:
    same_page = holder.evidence_id == citation.evidence_id
    return same_page and holder.quote.rstrip(_STOPS) == citation.quote.rstrip(_STOPS)


# --- contradictions ------------------------------------------------------------------------------


def disputes(found: Points, pages: Numbered, subject: str) -> tuple[Contested, ...]:
    """Set the sides of each point next to each other; a side whose quote is not there falls away."""
    known = frozenset(POINTS.values())
    kept: list[Contested] = []
    for each in found.points:
        sides: dict[str, Sentence] = {}
        for side in each.sides:
            checked = check(side.quote, [(side.passage, side.quote)], pages, subject)
            if checked.result == "unsupported":
                continue
            holder = pages[side.passage][0]
            origin = holder.origin_id or holder.id
            sides.setdefault(origin, sentence_of(checked, [holder], "contested"))
        if len(sides) > 1:
            point = each.point if each.point in known else each.point.strip()
            kept.append(Contested(point=point, sides=tuple(sides.values())))
    return tuple(kept)
