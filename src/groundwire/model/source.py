"""What was read: documents, their passages, and a run's evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from groundwire.model.base import Instant, Published, Value
from groundwire.model.call import Recovery

if TYPE_CHECKING:
    from groundwire.words import Words

Tier = Literal[
    "primary", "wire", "established", "trade", "aggregator", "social", "satire", "unknown"
]
DateSource = Literal["declared", "metadata", "url", "text", "feed", "header", "unknown"]
EvidenceKind = Literal["page", "snippet"]

# The media type of what a search showed of a page that was not read.
SNIPPET_TYPE = "text/x-snippet"
# The publisher of a file of the user's own that names none; older versions stored the words.
LOCAL_FILE = "publisher.local_file"
_LOCAL_FILES = frozenset({LOCAL_FILE, "local file"})


def is_local_file(publisher: str) -> bool:
    """Tell whether the publisher stands for a file of the user's own."""
    return publisher in _LOCAL_FILES


def publisher_name(publisher: str, say: Words) -> str:
    """Return a publisher as readers see it: its name, or words for a local file."""
    return say(LOCAL_FILE) if is_local_file(publisher) else publisher


class Document(Value):
    """A page as it was read: extracted text only, never the page's own markup."""

    id: str  # short_id("doc", [canonical_url, sha256])
    url: str  # where it was asked for, secrets removed
    canonical_url: str
    publisher: str  # site name, else registrable domain; LOCAL_FILE
    title: str
    author: str | None = None
    published_at: Published | None = None
    published_how: DateSource = "unknown"
    language: str  # zh | zh-Hant | en | … | und
    text: str
    sha256: str  # of the text, UTF-8
    media_type: str = "text/html"
    fetched_at: Instant
    sample: bool = False
    tier: Tier | None = None  # declared by the archive's own file; otherwise derived
    party: str | None = None  # who speaks for itself in it, by id; declared, or else by address

    @property
    def said_by(self) -> str:
        """The publisher as a text may name it; "" for a file that names none."""
        # The words of older versions stay, so that calls recorded with them are found again.
        return "" if self.publisher == LOCAL_FILE else self.publisher


class Passage(Value):
    """A stretch of a document's text: `document.text[start:end] == text`."""

    id: str  # short_id("ps", [document_id, start, end])
    document_id: str
    start: int
    end: int
    text: str


class Evidence(Value):
    """A document (or an unread snippet) in the hands of one run."""

    id: str  # short_id("ev", [kind, canonical_url, sha256 of text])
    kind: EvidenceKind
    document: Document
    passages: tuple[Passage, ...]
    origin_id: str = ""
    tier: Tier = "unknown"
    flags: tuple[str, ...] = ()  # injection, snippet, sample, satire, correction, …
    owner: str | None = None  # by an analyst's override; None: as we know it
    provider: str = ""
    relevance: float = 0.0
    recoveries: tuple[Recovery, ...] = ()  # how failures of reading it were made up for


class DocumentRead(Value):
    """A document that was asked for: `stored` where it is the copy that we held."""

    document: Document
    stored: bool = False
    recoveries: tuple[Recovery, ...] = ()


class Override(Value):
    """What an analyst says of a source, with who and why; it stands until it is taken back."""

    domain: str  # a host: it holds for the hosts below it too
    tier: Tier | None = None  # None: as we know it
    owner: str | None = None
    why: str
    by: str
    at: Instant
    withdrawn_at: Instant | None = None
    withdrawn_by: str | None = None
    withdrawn_why: str | None = None


class NumberedPassage(Value):
    """A passage as a mind sees it: a number to answer with, and no address (law 1)."""

    number: int
    passage_id: str
    evidence_id: str
    title: str
    publisher: str
    date: str  # ISO day of publication, or ""
    language: str
    tier: Tier
    origin_id: str
    flags: tuple[str, ...]
    relevance: float
    text: str
