"""What passages say of a message's claims, and a few cited sentences on it: one question."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from pydantic import Field

from groundwire.errors import NoEvidence
from groundwire.evidence.pages.presence import is_day, published
from groundwire.evidence.reading.position import position
from groundwire.jobs.verify.messages import excerpt
from groundwire.language.text.characters import normalise
from groundwire.language.text.links import has_link
from groundwire.model.base import JsonObject, Value
from groundwire.model.phrase import Phrase, phrase
from groundwire.model.source import Evidence, NumberedPassage, Passage
from groundwire.model.stance import ReadLabel, Stance
from groundwire.reasoning.exam import Exam
from groundwire.reasoning.exam_pages import ExamPage, page_of
from groundwire.reasoning.passages import enclosed, render_passages
from groundwire.reasoning.question import Question

MOST_SENTENCES = 4
_EDGES = " \t\n\"'…."
_SIDES = ("supports", "contradicts")


class Weighed(Value):
    """One passage's stance towards one claim, and the words that show it."""

    passage: int = Field(description="number of the passage")
    claim: int = Field(default=1, description="number of the claim that it bears on")
    stance: ReadLabel
    quote: str = Field(description="copied from the passage; empty when it is unrelated")


class ShownPassage(Value):
    """A numbered passage with the stances that the embedded reader gives its page; silent ones are left out."""

    passage: NumberedPassage
    own: tuple[Weighed, ...] = ()


class WeighInput(Value):
    """A message with its claims, and the passages that may bear on them."""

    message: str
    language: str
    said_at: str = ""  # when the message was said
    claims: tuple[str, ...]  # the main one first
    passages: tuple[ShownPassage, ...]


class Told(Value):
    """A sentence on the matter, and the words of a passage that it stands on."""

    text: str
    passage: int
    quote: str = Field(description="copied from the passage character by character")


class Weighing(Value):
    """What each passage says of each claim that it bears on, and a short text."""

    stances: tuple[Weighed, ...]
    sentences: tuple[Told, ...] = ()

    def towards(self, passage: int, claim: int) -> Weighed | None:
        """Return what was said of a passage and a claim; None: nothing."""
        pair = (passage, claim)
        return next((each for each in self.stances if (each.passage, each.claim) == pair), None)


def _moment(when: datetime | None) -> str:
    """Write when a page appeared, to the minute where more than the day is known: a denial may be minutes younger."""
    if when is None:
        return ""
    return f"{when:%Y-%m-%d}" if is_day(when) else f"{when.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def shown_passage(
    number: int, evidence: Evidence, passage: Passage, stances: tuple[Stance, ...]
) -> ShownPassage:
    """Give a passage of a page its number, with the page's own stances towards the claims."""
    document = evidence.document
    return ShownPassage(
        passage=NumberedPassage(
            number=number,
            passage_id=passage.id,
            evidence_id=evidence.id,
            title=document.title,
            publisher=document.said_by,
            date=_moment(published(document)),
            language=document.language,
            tier=evidence.tier,
            origin_id=evidence.origin_id,
            flags=evidence.flags,
            relevance=evidence.relevance,
            text=passage.text,
        ),
        own=tuple(
            Weighed(passage=number, claim=claim, stance=each.label, quote=each.quote)
            for claim, each in enumerate(stances, start=1)
            if each.label != "unrelated"
        ),
    )


def numbered_claims(claims: tuple[str, ...]) -> str:
    return "\n".join(f"({number}) {text}" for number, text in enumerate(claims, start=1))


def _variables(given: WeighInput, seed: str) -> Mapping[str, str]:
    return {
        "message": enclosed(excerpt(given.message), seed),
        "said_at": given.said_at or "-",
        "claims": enclosed(numbered_claims(given.claims), seed),
        "language": given.language,
        "max_sentences": str(MOST_SENTENCES),
        "passages": render_passages([each.passage for each in given.passages], seed),
    }


def _fault_of(given: WeighInput, found: Weighing) -> Phrase | None:
    texts = {each.passage.number: each.passage.text for each in given.passages}
    if fault := fault_of_stances(found.stances, texts, len(given.claims)):
        return fault
    for each in found.sentences:
        if each.passage not in texts:
            return phrase("fault.no_passage", n=each.passage)
    weighed = {each.passage for each in found.stances}
    for number in texts:
        if number not in weighed:
            return phrase("fault.one_stance", n=number)
    if len(found.sentences) > MOST_SENTENCES:
        return phrase("fault.many_sentences", n=MOST_SENTENCES)
    if any(has_link(each.text) for each in found.sentences):
        return phrase("fault.link")
    return None


def fault_of_stances(
    stances: tuple[Weighed, ...], texts: Mapping[int, str], claims: int
) -> Phrase | None:
    """Name a stance that nothing can be done with: of no passage or claim, given twice, or without its words."""
    seen: set[tuple[int, int]] = set()
    for each in stances:
        if each.passage not in texts:
            return phrase("fault.no_passage", n=each.passage)
        if not 1 <= each.claim <= claims:
            return phrase("fault.no_claim", n=each.claim)
        if (each.passage, each.claim) in seen:
            return phrase("fault.stance_twice", n=each.passage, claim=each.claim)
        seen.add((each.passage, each.claim))
        if each.stance != "unrelated" and not _is_in(each.quote, texts[each.passage]):
            return phrase("fault.quote_elsewhere", n=each.passage)
    return None


def _is_in(quote: str, text: str) -> bool:
    wanted = normalise(quote).text.strip(_EDGES)
    return bool(wanted) and wanted in normalise(text).text


def _embedded(given: WeighInput) -> Weighing:
    """Keep the stances and quote the pages' own words. Raises `NoEvidence` (law 5)."""
    if not given.passages:
        raise NoEvidence
    own = [(each, weighed) for each in given.passages for weighed in each.own]
    order = {"contradicts": 0, "supports": 1, "qualifies": 2, "rumour": 3, "unrelated": 4}
    chosen: dict[str, Weighed] = {}
    for each, weighed in sorted(
        own, key=lambda pair: (pair[1].claim, order[pair[1].stance], pair[1].passage)
    ):
        if weighed.quote:
            chosen.setdefault(f"{weighed.stance}/{each.passage.origin_id}", weighed)
    return Weighing(
        stances=tuple(weighed for _, weighed in own),
        sentences=tuple(
            Told(text=" ".join(each.quote.split()), passage=each.passage, quote=each.quote)
            for each in list(chosen.values())[:MOST_SENTENCES]
        ),
    )


def _read_item(given: JsonObject) -> WeighInput:
    """Read an item of the exam: its pages become evidence, which the embedded reader reads as it does in a run."""
    claims = tuple(str(each) for each in given["claims"])
    told = datetime.fromisoformat(str(given["said_at"]))
    passages: list[ShownPassage] = []
    for number, page in enumerate(given["pages"], start=1):
        evidence = page_of(ExamPage.model_validate(page), number)
        stances = tuple(position(claim, evidence, told=told.date()) for claim in claims)
        whole = evidence.passages[0].model_copy(
            update={"text": evidence.document.text, "end": len(evidence.document.text)}
        )
        passages.append(shown_passage(number, evidence, whole, stances))
    return WeighInput(
        message=str(given["message"]),
        language=str(given["language"]),
        said_at=str(given["said_at"]),
        claims=claims,
        passages=tuple(passages),
    )


def _score(given: WeighInput, found: Weighing, expect: JsonObject) -> float:
    """Score the share of right stances; a wrong side takes one away."""
    points, wanted = 0, expect["stances"]
    for each in wanted:
        said = found.towards(int(each["page"]), int(each["claim"]))
        stance = said.stance if said else "unrelated"
        stance = "qualifies" if stance == "rumour" else stance
        right = str(each["stance"])
        if stance == right:
            points += 1
        elif stance in _SIDES and right in _SIDES:
            points -= 1
    return max(0.0, points / max(1, len(wanted)))


QUESTION: Question[WeighInput, Weighing] = Question(
    prompt="verify/weigh_message",
    tier="heavy",
    output=Weighing,
    variables=_variables,
    embedded=_embedded,
    fault_of=_fault_of,
    prose=lambda found: "\n".join(each.text for each in found.sentences),
    exam=Exam(items="verify/weigh_message", read=_read_item, score=_score),
)
