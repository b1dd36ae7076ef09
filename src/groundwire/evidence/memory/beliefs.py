"""From a claim to a belief: its subject, when it was true, and an id derived from its content."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta

from groundwire.language.amounts.numbers import figures
from groundwire.language.names.chinese_names import chinese_names
from groundwire.language.names.names import name_key, names
from groundwire.language.text.characters import HAN, detect_language, normalise
from groundwire.language.text.phrases import patterns
from groundwire.language.text.spans import overlaps
from groundwire.language.time.calendars import months_from
from groundwire.language.time.dates import DateMention, Precision, date_mentions
from groundwire.model.base import short_id
from groundwire.model.claim import CitationView, Claim
from groundwire.model.memory import Belief, ClaimKind, Ground, Lesson, TrueSpan

_patterns = patterns("beliefs.txt", "groundwire.evidence.data", flags=re.IGNORECASE)
_OPENED = re.compile(r"(?:起|以来|开始)")
_CLOSED = re.compile(r"(?:之?前|以前|为止)")
_MONTHS: dict[Precision, int] = {"day": 0, "month": 1, "quarter": 3, "year": 12}

_RELAYED = re.compile(r"(?:\baccording to |\breported by |\bby |据)$", re.IGNORECASE)
_OFFICES = frozenset({"ceo", "cfo", "cto", "coo"})
# A body unknown to the dictionary still counts as a name at the start of a sentence.
_BODY = re.compile(
    rf"^[{HAN}]{{2,10}}?(?:银行|公司|集团|基金会?|交易所|大学|医院|研究院|研究所|委员会|协会|部|局|署|厅)"
)
_POSSESSIVE = re.compile(r"['’]s?$")
_EDGES = " .。!！?？;；,，\"'"


def lesson(claim: Claim, grounds: Sequence[Ground], confidence: float | None = None) -> Lesson:
    """Build what a run teaches by a claim; yearless days are read near its first page's date."""
    published = next((each.published_at for each in grounds if each.published_at), None)
    return Lesson(
        belief=belief(claim, None if published is None else published.date()),
        verdict=claim.verdict,
        confidence=confidence,
        grounds=tuple(grounds),
    )


def grounds_of(
    citations: Sequence[CitationView], documents: Mapping[str, str]
) -> tuple[Ground, ...]:
    """Return the quotes that a claim rests on; `documents` maps evidence ids to document ids."""
    return tuple(
        Ground(
            document_id=documents.get(each.evidence_id, ""),
            **each.model_dump(exclude={"translation"}),
        )
        for each in citations
    )


def belief(claim: Claim, published: date | None = None) -> Belief:
    """Make a belief of a claim, reading from its words what it leaves open.

    The id depends only on what was claimed, so that better reading finds the same belief again.
    """
    span, named = span_of(claim.text, published)
    subject = claim.subject or subject_of(claim.text)
    ends = [at.isoformat() if at else "" for at in (span.true_from, span.true_to)]
    # Of two figures it is unclear which is meant.
    amounts = [figure.text for figure in figures(claim.text) if figure.unit]
    content = [normal_words(claim.text), claim.subject, claim.predicate, claim.value, *ends]
    return Belief(
        id=short_id("cl", content),
        text=claim.text,
        language=detect_language(claim.text),
        kind=claim.kind if claim.kind != "fact" else _kind(claim.text, span),
        subject=subject,
        subject_key=name_key(subject) if subject else "",
        predicate=claim.predicate,
        value=claim.value or (amounts[0] if len(amounts) == 1 else ""),
        time=claim.time or named,
        span=span,
    )


def normal_words(text: str) -> str:
    """Return the words of a claim, whatever its script, width, case and closing mark."""
    return normalise(text, fold=True).text.strip(_EDGES)


def _kind(text: str, span: TrueSpan) -> ClaimKind:
    if figures(text):
        return "figure"
    if _patterns["says"].search(normalise(text).text):
        return "statement"
    return "date" if span.dated else "fact"


def subject_of(text: str) -> str:
    """Return the first name, whole, that is not only the relaying source."""
    normal = normalise(text)
    flat = normal.text
    for start, end in named_spans(flat):
        if not _RELAYED.search(flat[:start]):
            begin, stop = normal.original(start, end)
            return _POSSESSIVE.sub("", text[begin:stop])
    return ""


def named_spans(flat: str) -> list[tuple[int, int]]:
    """Find whole names in a text in its normal form: Harbor Light Bank, 港灯银行, 李伟."""
    spans = [(name.start, name.end) for name in names(flat)]
    spans.extend(span for span in chinese_names(flat) if not overlaps(span, spans))
    body = _BODY.match(flat)
    if body is not None and not overlaps(body.span(), spans):
        spans.append(body.span())
    offices = [span for span in spans if name_key(flat[slice(*span)]) in _OFFICES]
    merged: list[tuple[int, int]] = []
    for start, end in sorted(span for span in spans if span not in offices):
        # Capitalised words that stand side by side are one name.
        if merged and flat[merged[-1][1] : start] == " " and flat[start].isascii():
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    return merged


def span_of(text: str, published: date | None = None) -> tuple[TrueSpan, str]:
    """Return when a text says that it was true, and the same in ISO form; empty if it does not."""
    flat = normalise(text).text
    mentions = [mention for mention in date_mentions(flat, published) if mention.date is not None]
    if not mentions:
        return TrueSpan(), ""
    begins: list[date] = []
    ends: list[date] = []
    for mention in mentions:
        first, last = _days(mention)
        before, end = flat[: mention.start], mention.end
        opens = _patterns["opens"].search(before) or _OPENED.match(flat, end)
        closes = _patterns["closes"].search(before) or _CLOSED.match(flat, end)
        if not closes or opens:
            begins.append(first)
        if not opens or closes:
            ends.append(last)
    precision = max(mentions, key=lambda each: _MONTHS[each.precision]).precision
    start, stop = min(begins, default=None), max(ends, default=None)
    if start is not None and stop is not None and stop < start:
        start, stop = None, None  # "since May, after the fall in April" says neither end
    span = TrueSpan(
        true_from=None if start is None else datetime.combine(start, time.min, UTC),
        true_to=None if stop is None else datetime.combine(stop, time.max, UTC),
        precision=precision if start or stop else "",
    )
    written = [_iso(day, precision) if day else "" for day in (start, stop)]
    if written[0] == written[1]:
        return span, written[0]
    return span, "/".join(end or ".." for end in written)


def _days(mention: DateMention) -> tuple[date, date]:
    """Return the first and last day that a mention can mean."""
    first = mention.date or date.min
    if mention.precision == "day":
        return first, first
    begin, after = months_from(first.year, first.month, _MONTHS[mention.precision])
    return begin, after - timedelta(days=1)


def _iso(day: date, precision: Precision) -> str:
    if precision == "quarter":
        return f"{day.year}-Q{(day.month - 1) // 3 + 1}"
    return day.isoformat()[: {"day": 10, "month": 7}.get(precision, 4)]
