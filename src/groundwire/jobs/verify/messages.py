"""A message as verify takes it: from a source, or by hand, which is then stored like one."""

from __future__ import annotations

from datetime import datetime
from urllib.parse import urlsplit

from groundwire.jobs.verify.types import VerifyInput
from groundwire.language.text.sentences import sentences
from groundwire.model.base import JsonObject
from groundwire.model.message import LONGEST, Message, message_id
from groundwire.model.run import Run
from groundwire.model.source import Document
from groundwire.words import Words

_OF_A_PAGE = 240  # columns, of which a Chinese character takes two
_STOPS = "。！？.!?…”」"
_EXCERPT = 600  # characters of a message that is shown beside its claims


def kept_message(given: VerifyInput, at: datetime) -> Message | None:
    """Return a person's message to store, so that a source's repeat of it is recognised.

    One with an id of the person's own is not stored: it could replace somebody else's.
    """
    if given.id:
        return None
    language = "und" if given.language == "auto" else given.language
    return message_with(given, language, at).model_copy(update={"keywords_hit": ()})


def message_with(given: VerifyInput, language: str, received_at: datetime) -> Message:
    """Return the message of an input, in a language that is known by now."""
    fields = given.model_dump(include=set(Message.model_fields))
    known = {"id": given.id or message_id(given.source, given.text), "language": language}
    return Message.model_validate({**fields, **known, "received_at": received_at})


def of_message(
    message: Message, gate: bool, tools: bool, language: str, threshold: float | None
) -> JsonObject:
    """Build the input that verifies a received message."""
    return {
        **message.model_dump(mode="json", exclude={"language"}),
        "language": "auto" if message.language in ("", "und") else message.language,
        "gate": gate,
        "tools": tools,
        "desk_language": language,
        "threshold": threshold,
        "as_of": None,
    }


def excerpt(text: str) -> str:
    """Return the beginning of a message, up to the end of a sentence: its claims stand beside it."""
    if len(text) <= _EXCERPT:
        return text
    ends = [end for _, end in sentences(text[: 2 * _EXCERPT]) if end <= _EXCERPT]
    return f"{text[: ends[-1] if ends and ends[-1] > _EXCERPT // 2 else _EXCERPT]} …"


def path_of(run: Run) -> str:
    """Return the path that a message took: `plain`, `deep`, `duplicate`, or `failed`."""
    return str((run.result or {}).get("path", "failed"))


def of_page(page: Document, _say: Words) -> JsonObject:
    """Build the input that verifies what a page claims: its headline and first sentences."""
    claim_text = " ".join(page.title.split())[:_OF_A_PAGE]
    for start, end in sentences(page.text[: 4 * _OF_A_PAGE]):
        sentence = " ".join(page.text[start:end].split())[:_OF_A_PAGE]
        if claim_text and _width(claim_text) + _width(sentence) > _OF_A_PAGE:
            break
        if sentence.rstrip(_STOPS) not in claim_text:
            claim_text = _joined(claim_text, sentence)
    if not claim_text:
        return {}
    given: JsonObject = {"text": claim_text}
    if host := (urlsplit(page.canonical_url).hostname or "").removeprefix("www."):
        given["source"] = host[:200]
    if page.published_at is not None:
        given["published_at"] = page.published_at.isoformat(timespec="minutes")
    return given


def of_sentence(sentence: str, said_at: datetime | None) -> JsonObject:
    """Build the input that verifies a sentence of a result, judged as of the pages it rests on."""
    text = sentence.strip()[:LONGEST]
    if not any(char.isalnum() for char in text):
        return {}
    # Judged as of now, what was news then would only be called stale.
    return {"text": text, **({"published_at": said_at.isoformat()} if said_at else {})}


def _joined(before: str, after: str) -> str:
    """Put one sentence behind another, with the stop that a headline lacks."""
    chinese = before[-1:] >= "\u3000"
    stop = "" if not before or before[-1] in _STOPS else "。" if chinese else "."
    return f"{before}{stop}{'' if chinese or not before else ' '}{after}"


def _width(text: str) -> int:
    return sum(2 if char >= "\u2e80" else 1 for char in text)
