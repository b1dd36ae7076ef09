"""The brief: claims in sections, each sentence on checked quotes; what is contested, what is missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, get_args

from groundwire.evidence.pages.presence import publication_day
from groundwire.evidence.questions.quotable import is_unsure, quotable_sentences
from groundwire.evidence.reading.reader import read
from groundwire.gather.weighing import sentence_of
from groundwire.jobs.watch.ledger.claims import Claim, Compared, Holder, Side
from groundwire.jobs.watch.ledger.matter import likeness
from groundwire.jobs.watch.reading import UNFIT
from groundwire.jobs.watch.result import Noticed, Section
from groundwire.jobs.watch.telling import (
    TOLD,
    Telling,
    in_order,
    stands_alone,
    telling_of,
    told_side,
    views,
)
from groundwire.jobs.watch.write_brief import MOST, Brief, Known, Part
from groundwire.language.text.tokens import best_relevance
from groundwire.language.text.wording import is_han
from groundwire.model.claim import Checked, CitationView, Verdict
from groundwire.model.result import Gap, Sentence, Unsupported
from groundwire.model.source import Evidence, NumberedPassage, Passage
from groundwire.reasoning import quoting
from groundwire.reasoning.quoting import Places

_MOST = 24  # sentences of a section
_NEWEST = 2  # pages with whose leads a first brief begins
_OPENING = 2  # sentences of a page, of which one is its lead
_NO_NEWS = frozenset({"opinion", "retrospective", "retraction"}) | UNFIT
_STOPS = " .。！!?？"
_PASSAGES = 14  # that a brief is written from
_STRENGTH: tuple[Verdict, ...] = (
    "contradicted",
    "contested",
    "insufficient",
    "qualified",
    "supported",
)

_PARTS: tuple[Part, ...] = get_args(Part)


# --- sections ------------------------------------------------------------------------------------


def sentence_for(claim: Claim) -> Sentence:
    """Say a claim: its sentence, its verdict, and every page that it rests on."""
    return Sentence(text=claim.text, verdict=claim.verdict, citations=views(claim.citations))


def said_by(side: Side) -> Sentence:
    """Say a claim as it is before or after a change."""
    return Sentence(text=side.text, verdict=side.verdict, citations=views(side.citations))


class Reader(NamedTuple):
    """For whom a brief is: what he reads, and the pages that were read for him."""

    language: str
    pages: Mapping[str, Evidence]

    def telling(self, claim: Claim) -> Telling:
        """Tell one claim."""
        return telling_of(claim, self.language, self.pages)

    def told(self, claims: Iterable[Claim], but: Sequence[Telling] = ()) -> list[Telling]:
        """Tell claims in their order, each matter once, and none that is told elsewhere."""
        return in_order(map(self.telling, claims), but)


def sections_of(
    compared: Compared,
    noticed: Sequence[Noticed],
    reader: Reader,
    *,
    first: bool,
    gaps: Sequence[Gap],
) -> tuple[Section, ...]:
    """Divide what is known: the first run tells everything as new, a later one what became so, once."""
    standing = [each for each in compared.ledger.claims if each.stands]
    contested = reader.told(each for each in standing if each.state == "contested")
    once = [each for each in noticed if not each.same_as]
    if first:
        found = reader.told((c for c in standing if c.state != "contested"), contested)
        new = [each.sentence for each in found]
    else:
        new = [_said(each, reader) for each in once if each.kind == "new"]
    changed = [_said(e, reader) for e in once if e.kind in ("changed", "withdrawn", "confirmed")]
    return (
        Section(name="new", sentences=tuple(new[:_MOST])),
        Section(name="changed", sentences=tuple(changed[:_MOST])),
        Section(name="contested", sentences=tuple(each.sentence for each in contested[:_MOST])),
        Section(name="missing", gaps=tuple(gaps)),
    )


def _said(change: Noticed, reader: Reader) -> Sentence:
    side = change.after or change.before
    assert side is not None  # a change is of a claim
    return said_by(told_side(side, reader.language))


def told_otherwise(compared: Compared, reader: Reader) -> dict[str, str]:
    """Return the claims that a page says in the reader's language, or without its dateline."""
    told = (reader.telling(each) for each in compared.ledger.claims)
    return {each.claim.id: each.text for each in told if each.text != each.claim.text}


# --- the brief in a few sentences ----------------------------------------------------------------


class Drafted(NamedTuple):
    """What a brief is written from: claims with the passages that say them."""

    claims: tuple[Known, ...]
    passages: tuple[NumberedPassage, ...]


def draft(compared: Compared, reader: Reader, *, first: bool, names: Sequence[str] = ()) -> Drafted:
    """Choose the sentences that a brief is about, and number the passages that say them.

    A first brief begins with the newest pages' own leads: a standing question asks what came last. Of claims that
    matter alike, what a page says in the language of the brief comes first.
    """
    passages: dict[str, NumberedPassage] = {}
    latest = [
        each
        for page, lead in (_newest(reader.pages.values(), names) if first else ())
        if (each := _known("new", page, lead, passages)) is not None
    ]
    known: list[Known] = []
    for part, told in _chosen(compared, reader, first=first):
        holder = next((each for each in told.holders if each.evidence_id in reader.pages), None)
        if holder is None or any(_tells(each.quote, holder.quote) for each in latest):
            continue
        found = _known(part, reader.pages[holder.evidence_id], holder, passages)
        if found is not None:
            known.append(found)
        elif len(passages) == _PASSAGES:
            break
    code = reader.language[:2]
    own = {each.number for each in passages.values() if each.language[:2] == code}
    # A first brief begins with what is settled, a later one with what became of what was believed.
    order = ("new", "contested") if first else _PARTS
    known.sort(key=lambda each: (order.index(each.part), each.passage not in own))
    return Drafted((*latest, *known), tuple(passages.values()))


class _Place(NamedTuple):
    """A sentence of a page."""

    quote: str
    start: int


def _known(
    part: Part, page: Evidence, place: Holder | _Place, passages: dict[str, NumberedPassage]
) -> Known | None:
    """Make a sentence known by the number of its passage; None where there is no room for another passage."""
    passage = _passage(page, place)
    if passage is None or (passage.id not in passages and len(passages) == _PASSAGES):
        return None
    shown = passages.setdefault(passage.id, _shown(page, passage, len(passages) + 1))
    return Known(part=part, text=place.quote, passage=shown.number, quote=place.quote)


def _newest(pages: Iterable[Evidence], names: Sequence[str]) -> Iterator[tuple[Evidence, _Place]]:
    """Yield the leads of the newest pages whose headline names the subject, and which no older page tells."""
    news = sorted(
        (day, each.id, each, lead)
        for each in pages
        if _NO_NEWS.isdisjoint(each.flags) and best_relevance(names, each.document.title) == 1
        if (day := publication_day(each.document)) and (lead := _lead(each, names))
    )
    told: list[str] = []
    while news and len(told) < _NEWEST:
        _, _, page, lead = news.pop()
        repeated = any(_repeats(lead.quote, older.quote) for _, _, _, older in news)
        if not repeated and not any(_tells(lead.quote, each) for each in told):
            told.append(lead.quote)
            yield page, lead


def _repeats(later: str, earlier: str) -> bool:
    """Tell whether an earlier page said it already."""
    return later == earlier or read(later, earlier).label == "supports"


def _lead(page: Evidence, names: Sequence[str]) -> _Place | None:
    """Return what a page opens with, where it names the subject and says enough by itself."""
    text = page.document.text
    for each in quotable_sentences(text)[:_OPENING]:
        start = text.find(each.text)
        # Before the first sentence there is nothing that it could refer back to.
        alone = stands_alone(each.text) if each.order else not is_unsure(each.text)
        if start >= 0 and alone and best_relevance(names, each.text):
            return _Place(each.text, start)
    return None


def _tells(one: str, other: str) -> bool:
    return one in other or other in one or likeness(one, other) >= TOLD


def _chosen(compared: Compared, reader: Reader, *, first: bool) -> list[tuple[Part, Telling]]:
    """List claims, what changed before what is new, and each sentence once."""
    claims = {each.id: each for each in compared.ledger.claims if each.stands}
    found: list[tuple[Part, Telling]] = []
    parts: tuple[Part, ...] = ("changed", "contested", "new")
    for part in parts:
        ids = dict.fromkeys(each.claim_id for each in compared.changes if each.kind == part)
        found.extend((part, each) for each in reader.told(claims[i] for i in ids if i in claims))
    contested = reader.told(c for c in claims.values() if c.state == "contested")
    rest = reader.told((c for c in claims.values() if c.state != "contested"), contested)
    standing: Part = "new" if first else "standing"
    found.extend((standing, each) for each in rest)
    found.extend(("contested", each) for each in contested)
    once: dict[str, tuple[Part, Telling]] = {}
    for each in found:
        once.setdefault(each[1].text, each)
    return list(once.values())


def _passage(evidence: Evidence, holder: Holder | _Place) -> Passage | None:
    return next((p for p in evidence.passages if p.start <= holder.start < p.end), None)


def _shown(evidence: Evidence, passage: Passage, number: int) -> NumberedPassage:
    document = evidence.document
    return NumberedPassage(
        number=number,
        passage_id=passage.id,
        evidence_id=evidence.id,
        title=document.title,
        publisher=document.said_by,
        date=str(publication_day(document) or ""),
        language=document.language,
        tier=evidence.tier,
        origin_id=evidence.origin_id or evidence.id,
        flags=evidence.flags,
        relevance=evidence.relevance,
        text=passage.text,
    )


def check_brief(brief: Brief, pages: Places, subject: str) -> tuple[Checked, ...]:
    """Check each sentence against the stored text that it quotes (law 2)."""
    return tuple(
        quoting.checked(each.text, each.quotes, pages, subject) for each in brief.sentences
    )


class Stated(NamedTuple):
    """The sentences of a brief that passed their check, and the others with what is wrong with them."""

    sentences: tuple[Sentence, ...]
    unsupported: tuple[Unsupported, ...]


def stated(checked: Sequence[Checked], pages: Places, claims: Sequence[Claim]) -> Stated:
    """Part what passed its check from what did not; what a claim quotes is quoted as there."""
    holders = [holder for holder, _ in pages.values()]
    passed = [each for each in checked if each.result != "unsupported"]
    failed = [each for each in checked if each.result == "unsupported"]
    quoted = [each for claim in claims for each in claim.citations]
    return Stated(
        tuple(
            as_held(_as_quoted(sentence_of(each, holders, None), quoted), claims) for each in passed
        ),
        tuple(Unsupported(text=each.text, problems=each.problems) for each in failed),
    )


def with_all_pages(told: Iterable[Sentence], sections: Iterable[Section]) -> tuple[Sentence, ...]:
    """Give a sentence that a section tells, too, every page that is cited there."""
    known = {each.text: each.citations for part in sections for each in part.sentences}
    return tuple(
        each.model_copy(update={"citations": known.get(each.text, each.citations)}) for each in told
    )


def as_held(sentence: Sentence, claims: Sequence[Claim]) -> Sentence:
    """Give a sentence the verdict of the claims that it tells: one page says one thing of it.

    Of several the weakest; what only speaks against a claim is as contested as that.
    """
    standing = [each for each in claims if each.stands]
    telling = [each for each in standing if _overlap(sentence.citations, each.citations)]
    if telling:
        verdicts: list[Verdict] = [sentence.verdict, *(each.verdict for each in telling)]
        return sentence.model_copy(update={"verdict": min(verdicts, key=_strength)})
    against = next((c for c in standing if _overlap(sentence.citations, c.denials)), None)
    return sentence if against is None else sentence.model_copy(update={"verdict": against.verdict})


def _strength(verdict: Verdict) -> int:
    return _STRENGTH.index(verdict) if verdict in _STRENGTH else len(_STRENGTH)


def _as_quoted(sentence: Sentence, quoted: Sequence[Holder]) -> Sentence:
    """Give a quote its claim's own ends where only a full stop is between them."""
    found = tuple(
        next((c for h in quoted for c in views([h]) if _is_same(h, each)), each)
        for each in sentence.citations
    )
    return sentence.model_copy(update={"citations": found})


def _is_same(holder: Holder, citation: CitationView) -> bool:
    same_page = holder.evidence_id == citation.evidence_id
    return same_page and holder.quote.rstrip(_STOPS) == citation.quote.rstrip(_STOPS)


# --- what a model's sentences count for -----------------------------------------------------------


def completed(told: Sequence[Sentence], changed: Sequence[Sentence]) -> tuple[Sentence, ...]:
    """Put in front of a decider's brief what changed on pages that it does not cite."""
    cited = _pages(told)
    left = [each for each in changed if not _pages([each]) & cited]
    return (*left, *told)[:MOST]


def translated(
    own: Sequence[Sentence], told: Sequence[Sentence], language: str
) -> tuple[Sentence, ...]:
    """Tell in the reader's language, in an adviser's words, what code has from pages in another one."""
    readable = [each for each in told if _is_in(each, language)]
    found: list[Sentence] = []
    for each in own:
        other = None
        if not _is_in(each, language):
            other = next((one for one in readable if share_quote(one, each)), None)
        found.append(other or each)
    return tuple({each.text: each for each in found}.values())


def _is_in(sentence: Sentence, language: str) -> bool:
    return is_han(sentence.text) == language.startswith("zh")


def _pages(sentences: Iterable[Sentence]) -> set[str]:
    return {each.evidence_id for sentence in sentences for each in sentence.citations}


def share_quote(one: Sentence, other: Sentence) -> bool:
    return _overlap(one.citations, other.citations)


def _overlap(some: Sequence[CitationView], others: Sequence[CitationView]) -> bool:
    return any(
        a.evidence_id == b.evidence_id and a.start < b.end and b.start < a.end
        for a in some
        for b in others
    )
