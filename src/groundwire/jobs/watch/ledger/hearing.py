"""What the pages of a day say of the subject: every statement with its page, its voice and the day it holds for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date

from groundwire.evidence.pages.flags import text_flags
from groundwire.evidence.pages.presence import published, there_since
from groundwire.evidence.reading.analysis import analyse
from groundwire.jobs.watch.ledger.claims import Holder, Ledger, PageSeen, Today
from groundwire.jobs.watch.ledger.origins import Voices, credits_of, site_of
from groundwire.jobs.watch.ledger.statements import Statement, statements
from groundwire.jobs.watch.ledger.subject import Subject
from groundwire.jobs.watch.ledger.values import (
    written_on,
)
from groundwire.language.text.characters import folded, normalise
from groundwire.model.base import Instant, short_id
from groundwire.model.source import Document, Evidence

_OLD = 31  # days
_LONG_GONE = 730  # days: the figures of last year may come out in this one


@dataclass(frozen=True, slots=True)
class Heard:
    """A statement as a page of today makes it; `fresh` where the page had not made it when last read."""

    statement: Statement
    page: ReadPage
    origin: str
    own: bool
    as_of: date
    fresh: bool

    @property
    def is_of_old(self) -> bool:
        """Tell whether it is told of a year long gone by: background, and no news."""
        gone_by = self.statement.gone_by
        return gone_by is not None and (self.as_of - gone_by).days > _LONG_GONE

    def holder(self, at: Instant) -> Holder:
        """Make the holder that the claim keeps."""
        document = self.page.evidence.document
        return Holder(
            evidence_id=self.page.evidence.id,
            document_id=document.id,
            url=document.canonical_url,
            title=document.title,
            publisher=document.publisher,
            published_at=document.published_at,
            quote=self.statement.text,
            start=self.statement.start,
            end=self.statement.end,
            origin=self.origin,
            own=self.own,
            snippet=self.page.evidence.kind == "snippet",
            as_of=self.as_of,
            read_at=at,
        )


@dataclass(frozen=True, slots=True)
class ReadPage:
    """A page of today: whether it takes something back, and whether it was read before with another text."""

    evidence: Evidence
    normal: str
    text: str  # the same for a copy, letter for letter
    retracts: bool
    known: PageSeen | None

    @property
    def url(self) -> str:
        return self.evidence.document.canonical_url


@dataclass(frozen=True, slots=True)
class Hearing:
    """Everything that was heard in a day, in the order in which it was published."""

    pages: dict[str, ReadPage]
    heard: tuple[Heard, ...]
    seen: tuple[PageSeen, ...]
    voices: Voices


def hear(today: Today, ledger: Ledger) -> Hearing:
    """Read the pages of a day."""
    subject = Subject(today.names)
    known = {page.url: page for page in ledger.pages}
    items = sorted(_readable(today, known), key=lambda item: (there_since(item.document), item.id))
    voices = Voices(items, ledger, subject)
    pages: dict[str, ReadPage] = {}
    heard: list[Heard] = []
    # A text that another house published before is a copy of it, whether or not it says so.
    first = {text: page.origin for page in ledger.pages for text in page.texts}
    for item in items:
        page = _page(item, known.get(item.document.canonical_url))
        copied = first.setdefault(page.text, site_of(item))
        found = list(_statements(page, today, subject, voices, copied, first=not ledger.pages))
        pages[page.url] = page
        heard.extend(found)
    return Hearing(pages, tuple(heard), _seen(pages.values(), heard, today, ledger), voices)


def _readable(today: Today, known: dict[str, PageSeen]) -> Iterator[Evidence]:
    """Yield the pages that were there by the run's moment; a page outranks the snippet of its address."""
    read = {page.document.canonical_url for page in today.pages if page.kind == "page"}
    done: set[str] = set()
    for page in sorted(today.pages, key=lambda each: (each.kind != "page", each.id)):
        url = page.document.canonical_url
        hidden = page.kind == "snippet" and (url in read or url in known)
        if not hidden and url not in done and there_since(page.document) <= today.at:
            done.add(url)
            yield page


def _page(item: Evidence, known: PageSeen | None) -> ReadPage:
    flags = {*item.flags, *text_flags(item.document)}
    retracts = "retraction" in flags
    normal = normalise(item.document.text).text
    return ReadPage(item, normal, short_id("tx", folded(normal)), retracts, known)


def _statements(
    page: ReadPage, today: Today, subject: Subject, voices: Voices, copied: str, *, first: bool
) -> Iterator[Heard]:
    document = page.evidence.document
    at = published(document)
    latest = today.at.astimezone(UTC if at is None else at.tzinfo).date()
    day = latest if at is None else min(at.date(), latest)
    analysis = analyse(document.text, title=_headline(document), published=day)
    written = min(day, *(written_on(sentence, day) for sentence in analysis.sentences), day)
    if not first and (day - written).days > _OLD:
        return  # an old text brought out again tells nothing new
    day = written
    credits = credits_of(analysis.sentences)
    site = site_of(page.evidence)
    own = subject.is_named(document.said_by)
    led = False  # whether the page has told something of the subject
    for statement in statements(analysis, subject, day, voices.others, own=own):
        if statement.loose and not first and not statement.attribute:
            continue  # the brief is broad; after it only what is sure or has its own word counts
        if statement.kind == "act" and not first and led:
            continue  # what was done is news where a page leads with it
        led = True
        if first and statement.kind == "name":
            statement = replace(
                statement, passing=False
            )  # who holds an office, before anybody changes it
        voice = voices.of(page.evidence, statement.text, credits)
        origin, own = (voice.origin, voice.own) if copied == site else (copied, False)
        known = page.known
        # A page that is as it was says nothing new, whatever else is known today.
        edited = known is not None and known.document_id != document.id
        fresh = known is None or (edited and statement.fingerprint not in known.said)
        edited = edited and fresh
        as_of = min(statement.as_of or (latest if edited else day), latest)
        yield Heard(statement, page, origin, own, as_of, fresh)


def _headline(document: Document) -> str:
    """Return the headline, unless the first sentence only begins with the same words."""
    goes_on = document.text[len(document.title) :].lstrip(" ")[:1] not in ("", "\n")
    return "" if goes_on and document.text.startswith(document.title) else document.title


def _seen(
    pages: Iterable[ReadPage], heard: Sequence[Heard], today: Today, ledger: Ledger
) -> tuple[PageSeen, ...]:
    """Remember what each page said, so that only what is new in it counts another day."""
    said: dict[str, list[str]] = {}
    for each in heard:
        said.setdefault(each.page.url, []).append(each.statement.fingerprint)
    seen = {page.url: page for page in ledger.pages}
    for page in pages:
        document = page.evidence.document
        seen[page.url] = PageSeen(
            url=page.url,
            document_id=document.id,
            origin=site_of(page.evidence),
            publisher=document.said_by,
            published_at=document.published_at,
            first_read=page.known.first_read if page.known else today.at,
            texts=tuple(dict.fromkeys((*(page.known.texts if page.known else ()), page.text))),
            said=tuple(dict.fromkeys(said.get(page.url, []))),
        )
    return tuple(seen[url] for url in sorted(seen))
