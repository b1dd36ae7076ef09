"""The factual claims of a message, without what surrounds them: calls, tags, hedges, sources."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from groundwire.evidence.messages.noise import (
    ANAPHOR,
    AND,
    BESIDES,
    CALL,
    HEDGE,
    NO_NEWS,
    OPENING,
    OPINION,
    QUESTION,
    SAID_AT_END,
    SAID_AT_START,
    without_marks,
)
from groundwire.evidence.reading.claim_parts import parts_of
from groundwire.evidence.reading.predicates import done_in
from groundwire.language.text.characters import HAN, folded, normalise
from groundwire.language.text.links import without_links
from groundwire.language.text.sentences import sentences
from groundwire.language.text.wording import is_han

MOST = 3  # claims of one message
_COMMA = re.compile(r"[,;](?!\d)| - (?=\w)")
_EDGES = " \t\n,;:.。!?-|/·~…\"'，；：！？、—–"
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|to|did|does|gets?|\w{3,}(?:ed|ing|s))\b|" + f"[{HAN}]"
)
_SUBJECT_END = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|to|gets?|plans?)\b|(?:将|已|宣布|正|要|被|遭|同意|决定|于|在|把|对|向)"
)
_LEAST_WORDS = 3
_FINITE = re.compile(r"(?<=\w )(?:has|have|had|is|are|was|were|will)(?: \w+ly| now| just)? \w{3,}")
_OWN_VERB = re.compile(r"([A-Z][\w.&-]*(?: [A-Z][\w.&-]*)?) (?:is|are|was|were|has|have|will) \w")
# Who or what the named one is, between commas.
_APPOSED = re.compile(
    r"\A((?:[A-Z][\w.&'-]*\s?){1,4}), ((?:an? |the )?[^,.;]{3,60}), (?=(?:has|have|had|is|was|will|plans?|to)\b)"
)
_PLACE = re.compile(r"\s*[A-Z][a-z]+(?: [A-Z][a-z]+)?\s*\.?\s*")
_SHORT = 8  # characters of a Chinese subject at most
# An English clause that begins with its verb has its subject elsewhere.
_SUBJECT = re.compile(r"(?! *(?:has|have|had|is|are|was|were|will|would|to)\b) *\S", re.IGNORECASE)


def message_claims(text: str) -> tuple[str, ...]:
    """What the message says happened or will happen, in its own words; the main claim first.

    Empty when it says nothing that could be checked: an opinion, a question, a greeting.
    """
    return _claims(text[:_LONGEST])


_LONGEST = 4_000  # characters; what a message claims stands at its beginning


@lru_cache(maxsize=128)
def _claims(text: str) -> tuple[str, ...]:
    clean = without_marks(without_links(text))
    if OPINION.search(folded(normalise(clean[:200]).text)):
        return ()
    found: list[str] = []
    for start, end in sentences(clean):
        own = _of_sentence(clean[start:end])
        if found:
            own = [claim for claim in own if _stands_alone(claim)] or _more(found, own)
        found.extend(own)
        if len(found) >= MOST:
            break
    return tuple(dict.fromkeys(found))[:MOST]


def _stands_alone(claim: str) -> bool:
    """Whether a later sentence names somebody; its first word is capitalised in any case."""
    anchors = parts_of(claim).anchors
    return any(
        not normalise(claim).text.startswith(each.text) or each.text.isupper() or is_han(each.text)
        for each in anchors
    )


def _more(found: list[str], own: list[str]) -> list[str]:
    """A later sentence that only gives the figure of the claim before it belongs to that claim."""
    if own and not parts_of(found[-1]).figures and parts_of(own[0]).figures:
        found[-1] += ("，" if is_han(found[-1]) else ", ") + own[0]
    return []


def _of_sentence(sentence: str) -> list[str]:
    """The claims of one sentence, in its own words."""
    body = _APPOSED.sub(_without, _trimmed(sentence))
    if not body or QUESTION.search(_low(body)):
        return []
    found: list[str] = []
    for piece in _coordinated(body):
        kept = _statement(piece)
        if not kept:
            continue
        whole = _with_subject(kept, found[0] if found else "")
        if _checkable(whole):
            found.append(whole)
    return found


def _without(match: re.Match[str]) -> str:
    """Without what the named one is, where that sounds like something that was done: HK-listed."""
    return f"{match.group(1)} " if done_in(match.group(2).lower()) else match.group()


def _coordinated(body: str) -> list[str]:
    """Statements of their own that a sentence puts side by side."""
    flat = normalise(body)
    low = folded(flat.text)
    cuts = [0]
    ends: list[int] = []
    for match in (BESIDES if is_han(low) else AND).finditer(low):
        left, right = low[cuts[-1] : match.start()], low[match.end() :]
        if done_in(left) and done_in(right) and _is_statement(right):
            ends.append(match.start())
            cuts.append(match.end())
    if not ends and (comma := _between_two(flat.text, low)) is not None:
        ends.append(comma)
        cuts.append(comma + 1)
    ends.append(len(low))
    return [body[slice(*flat.original(a, b))] for a, b in zip(cuts, ends, strict=True)]


def _between_two(text: str, low: str) -> int | None:
    """The comma between two statements of two parties: A has lost its peg, B is insolvent."""
    match = _COMMA.search(low)
    if match is None or is_han(low) or match.group() != ",":
        return None
    left, right = text[: match.start()], text[match.end() :].strip()
    other = _OWN_VERB.match(right)
    if other is None or other.group(1) in left or not _names_somebody(right):
        return None
    told = done_in(left.lower()) and done_in(right.lower()) and _FINITE.search(left)
    return match.start() if told and _names_somebody(left) else None


def _is_statement(low: str) -> bool:
    """Whether what follows a joining word says something itself, and is no list of two."""
    if is_han(low):
        return len(low) > _LEAST_WORDS
    first = _COMMA.split(low, maxsplit=1)[0]
    words = first.split()
    done = done_in(first)
    if done and not done[0].start and len(words) >= _LEAST_WORDS:
        return True
    return len(words) > _LEAST_WORDS and bool(done) and _VERB.search(first) is not None


def _statement(piece: str) -> str:
    """The clauses of a piece that state something: the first that does, and what belongs to it."""
    kept: list[tuple[int, int]] = []
    before: list[tuple[int, int]] = []  # clauses that may name who the first one speaks of
    flat = normalise(piece)
    low = folded(flat.text)
    for start, end in _clauses(low):
        clause = low[start:end]
        if CALL.search(clause) or NO_NEWS.search(clause) or QUESTION.search(clause):
            before.clear()
        elif not kept and not before and _tells(flat.text[start:end], low[end:]):
            kept.append((start, end))
            break
        elif done_in(clause) or (kept and _has_digit(clause)):
            if not kept and not _has_subject(flat.text[start:end]):
                kept.extend(before)
            kept.append((start, end))
        elif kept and kept[-1][1] == start - 1 and _PLACE.fullmatch(flat.text, start, end):
            kept.append((start, end))
        elif not kept:
            before.append((start, end))
    if not kept:
        kept = [span for span in before if span[1] - span[0] >= (6 if is_han(low) else 12)]
    parts = [_tidy(piece[slice(*flat.original(start, end))]) for start, end in kept]
    return ("，" if is_han(low) else ", ").join(part for part in parts if part)


def _tells(clause: str, rest: str) -> bool:
    """Whether a first clause states something in words that no family has, and a later one another."""
    if is_han(clause) or done_in(clause.lower()) or not _FINITE.search(clause):
        return False
    return len(clause.split()) > _LEAST_WORDS and _names_somebody(clause) and bool(done_in(rest))


def _has_subject(clause: str) -> bool:
    """Whether somebody or something stands before what is done."""
    done = parts_of(clause).done
    head = clause[: done[0].start] if done else clause
    return _names_somebody(head) if is_han(clause) else bool(_SUBJECT.match(clause)) and bool(done)


def _has_digit(clause: str) -> bool:
    return any(char.isdigit() for char in clause)


def _clauses(low: str) -> Iterator[tuple[int, int]]:
    start = 0
    for match in _COMMA.finditer(low):
        yield start, match.start()
        start = match.end()
    yield start, len(low)


def _trimmed(sentence: str) -> str:
    """The sentence without its opening cry, its source and its hedges."""
    text = sentence.strip()
    while text:
        before = text
        flat = normalise(text)
        low = folded(flat.text)
        for pattern in (OPENING, SAID_AT_START):
            match = pattern.match(low)
            if match and match.end() < len(low):
                text = text[flat.original(match.end(), len(low))[0] :].strip()
                break
        else:
            match = SAID_AT_END.search(low)
            if match and match.start() > 0:
                text = text[: flat.original(0, match.start())[1]].strip()
        if text == before:
            break
    return _unhedged(text)


def _unhedged(text: str) -> str:
    flat = normalise(text)
    low = folded(flat.text)
    out: list[str] = []
    done = 0
    for match in HEDGE.finditer(low):
        start, end = flat.original(*match.span())
        out.append(text[done:start])
        done = end
    return " ".join("".join([*out, text[done:]]).split())


def _with_subject(statement: str, whole: str) -> str:
    """A statement that leaves out who it speaks of, with the subject of the one before."""
    subject = _subject(whole) if whole else ""
    if not subject:
        return statement
    flat = normalise(statement)
    low = folded(flat.text)
    anaphor = ANAPHOR.match(low)
    if anaphor:
        rest = statement[flat.original(anaphor.end(), len(low))[0] :].strip()
        return _joined(_first_name(whole) or subject, rest)
    first = parts_of(statement).done
    head = statement[: flat.original(0, first[0].start)[1]] if first and first[0].start else ""
    return statement if _names_somebody(head) else _joined(subject, statement)


def _joined(subject: str, rest: str) -> str:
    gap = "" if is_han(subject[-1:]) and is_han(rest[:1]) else " "
    return f"{subject}{gap}{rest}"


def _subject(claim: str) -> str:
    """Who a claim speaks of: what it begins with, up to its verb."""
    flat = normalise(claim)
    low = folded(flat.text)
    ends = [match.start() for match in _SUBJECT_END.finditer(low)][:1]
    ends.extend(each.start for each in parts_of(claim).done[:1])
    end = min((at for at in ends if at > 1), default=0)
    if is_han(low) and (not end or end > _SHORT):
        return _first_name(claim)
    return claim[: flat.original(0, end)[1]].strip(_EDGES) if end else ""


def _first_name(claim: str) -> str:
    anchors = parts_of(claim).anchors
    return anchors[0].text if anchors else ""


def _names_somebody(text: str) -> bool:
    return bool(text) and bool(parts_of(text).anchors)


def _checkable(claim: str) -> bool:
    parts = parts_of(claim)
    telling = bool(parts.anchors or parts.figures) or sum(d.weight for d in parts.details) >= 1
    return telling and len(claim.split()) + len(parts.done) > 1 and len(claim) > _LEAST_WORDS


def _tidy(text: str) -> str:
    return " ".join(text.split()).strip(_EDGES)


def _low(text: str) -> str:
    return folded(normalise(text).text)
