"""The answer from passages: sentences that each carry quotes, what is contested, what is missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from groundwire.errors import NoEvidence
from groundwire.evidence.questions.candidates import TIER_WEIGHT, Candidate, candidates, usable
from groundwire.evidence.questions.contested import Contradiction, StatedValue
from groundwire.evidence.questions.coverage import named_in, weigh_terms
from groundwire.evidence.questions.intent import Intent, parse_question
from groundwire.evidence.questions.parts import AskedPart, asked_parts
from groundwire.evidence.questions.polarity import opposes
from groundwire.jobs.ask import write_answer_exam
from groundwire.jobs.ask.extract import Chosen, choose
from groundwire.jobs.ask.gaps import (
    Lack,
    about,
    disputed,
    foreign,
    is_bare,
    lacking,
    nothing,
    opens_with,
    point,
)
from groundwire.jobs.ask.rumours import with_denial
from groundwire.jobs.ask.shown import worth_showing
from groundwire.jobs.ask.whole import PartAnswer, together
from groundwire.language.text.links import has_link
from groundwire.model.base import JsonObject, Value
from groundwire.model.phrase import Phrase, phrase
from groundwire.model.result import Gap
from groundwire.model.source import NumberedPassage
from groundwire.reasoning import quoting
from groundwire.reasoning.exam import Exam
from groundwire.reasoning.passages import render_passages
from groundwire.reasoning.question import Question

_LEAST_OF_A_PART = 2  # sentences, however many parts a question has
_PAGES_BESIDE = 2  # of other origins, quoted for a side of a dispute


class WriteInput(Value):
    """A question and the numbered passages from which alone it is answered."""

    question: str
    language: str
    today: str
    max_sentences: int
    passages: tuple[NumberedPassage, ...]


class Quoted(quoting.Quoted):
    """Words copied from a passage."""

    translation: str = Field(
        default="", description="of the quote, if it is not in the answer language"
    )


class Proposed(Value):
    """A sentence and the quotes it stands on."""

    text: str
    quotes: tuple[Quoted, ...]


class Dispute(Value):
    """A point on which passages contradict each other, each account with its quotes."""

    point: str
    sides: tuple[Proposed, ...]
    params: SkipJsonSchema[JsonObject] = Field(default_factory=dict)  # of a point of code's


class Missing(Gap):
    """What the question asks and the passages do not answer."""

    params: SkipJsonSchema[JsonObject] = Field(default_factory=dict)  # of a gap of code's


class Written(Value):
    """An answer before its quotes are checked."""

    sentences: tuple[Proposed, ...]
    contested: tuple[Dispute, ...] = ()
    gaps: tuple[Missing, ...] = ()


def _variables(given: WriteInput, seed: str) -> Mapping[str, str]:
    return {
        "question": given.question,
        "language": given.language,
        "passages": render_passages(worth_showing(given.passages), seed),
        "today": given.today,
        "max_sentences": str(given.max_sentences),
    }


def _fault_of(given: WriteInput, written: Written) -> Phrase | None:
    if len(written.sentences) > given.max_sentences:
        return phrase("fault.many_sentences", n=given.max_sentences)
    sides = [side for dispute in written.contested for side in dispute.sides]
    everything = (*written.sentences, *sides)
    if fault := quoting.fault_of_sentences(everything, given.passages):
        return fault
    beside = [dispute.point for dispute in written.contested]
    beside += [text for gap in written.gaps for text in (gap.what, gap.why)]
    beside += [quoted.translation for sentence in everything for quoted in sentence.quotes]
    if any(has_link(text) for text in beside):
        return phrase("fault.beside_link")
    if any(len(dispute.sides) < 2 for dispute in written.contested):
        return phrase("fault.one_side")
    if not written.sentences and not written.contested and not written.gaps:
        return phrase("fault.nothing_said")
    return None


def _embedded(given: WriteInput) -> Written:
    """Answer each part in the pages' own sentences. Raises `NoEvidence` without passages (law 5)."""
    if not given.passages:
        raise NoEvidence
    parts = asked_parts(given.question)
    most = max(_LEAST_OF_A_PART, given.max_sentences // len(parts))
    found = [_answer(given, part, most) for part in parts]
    language = _written_in(given)
    told = together(found, given.max_sentences, language)
    disputes = [_dispute(dispute, language) for each in found for dispute in each.disputes]
    gaps = [*(gap for each in found for gap in each.gaps)]
    gaps += foreign(found[0].about, [each.chosen.first for each in told], language)
    return Written(
        sentences=tuple(_proposed(each.chosen, each.text) for each in told),
        contested=tuple({(d.point, str(d.params)): d for d in disputes}.values()),
        gaps=tuple({(g.what, str(g.params)): g for g in _missing(gaps)}.values()),
    )


def _written_in(given: WriteInput) -> str:
    return given.language if given.language in ("zh", "zh-Hant") else "en"


def _answer(given: WriteInput, part: AskedPart, most: int) -> PartAnswer:
    """Answer one part of the question."""
    language = _written_in(given)
    today = date.fromisoformat(given.today) if given.today else None
    question = weigh_terms(parse_question(part.alone, today), given.passages)
    # A role ("chief executive") is no name that a page could lack.
    names = [
        each for each in question.of_kind("name") if not each.light and not each.written.islower()
    ]
    good = [passage for passage in given.passages if usable(passage)]
    # Names of the question that no passage has, as the person wrote them.
    missed = [term for term in names if not any(named_in(term, passage) for passage in good)]
    absent = tuple(term.written for term in missed)
    if is_bare(part.text, question) and not any(opens_with(question, each) for each in good):
        return PartAnswer(part, about(question), gaps=((part.text, phrase("ask.gap.no_subject")),))
    chosen: tuple[Chosen, ...] = ()
    disputes: tuple[Contradiction, ...] = ()
    # With most of the names missing, an answer would be about something else.
    found = candidates(question, given.passages)
    if not names or 2 * len(absent) <= len(names) - (len(names) == 1):
        disputes = disputed(question, found)
        chosen = choose(part.alone, question, found, disputes, language, most)
        chosen = _denied(question, chosen, found, language)
    if chosen:
        lacks = lacking(part, question, chosen, absent)
    else:
        lacks = nothing(part, question, given.passages, absent, found)
    return PartAnswer(part, about(question), chosen, disputes if chosen else (), lacks)


def _denied(
    intent: Intent, chosen: Sequence[Chosen], found: Sequence[Candidate], language: str
) -> tuple[Chosen, ...]:
    """Tell what denies a rumour before the rumour."""
    of = {id(each.first): each for each in chosen}
    told = with_denial(intent, [each.first for each in chosen], found, language)
    return tuple(of.get(id(each), Chosen(each)) for each in told)


def _missing(lacks: Sequence[Lack]) -> tuple[Missing, ...]:
    return tuple(Missing.of(what, why) for what, why in lacks)


def _proposed(chosen: Chosen, text: str = "") -> Proposed:
    sentences = (chosen.first, *chosen.others)
    return Proposed(
        text=text or " ".join(chosen.first.text.split()),
        quotes=tuple(Quoted(passage=each.passage.number, quote=each.text) for each in sentences),
    )


def _dispute(dispute: Contradiction, language: str) -> Dispute:
    """Write each side in the words of its best page, with pages of other origins that agree."""
    sides = [_best_first(side, language) for side in dispute.sides]
    values = " / ".join(side[0].value for side in sides)
    name = point(dispute, values)
    return Dispute(point=name.code, sides=tuple(_side(side) for side in sides), params=name.params)


def _best_first(side: Sequence[StatedValue], language: str) -> list[StatedValue]:
    own_language = "zh" if language.startswith("zh") else "en"

    def order(stated: StatedValue) -> tuple[bool, float, int, int]:
        each = stated.candidate
        return each.language != own_language, -each.quality, each.passage.number, each.order

    return sorted(side, key=order)


def _side(side: Sequence[StatedValue]) -> Proposed:
    """Quote the best page of a side, and beside it the weightiest of other origins."""
    first = side[0].candidate
    others: dict[str, Candidate] = {first.passage.origin_id: first}
    for each in (stated.candidate for stated in side[1:]):
        if not opposes(first.text, each.text):
            others.setdefault(each.passage.origin_id, each)
    beside = sorted(list(others.values())[1:], key=lambda each: -TIER_WEIGHT[each.passage.tier])
    return _proposed(Chosen(first, tuple(beside[:_PAGES_BESIDE])))


def _read(given: JsonObject) -> WriteInput:
    item = write_answer_exam.ItemGiven.model_validate(given)
    return WriteInput(
        question=item.question,
        language=item.language,
        today=item.today,
        max_sentences=write_answer_exam.MAX_SENTENCES,
        passages=item.shown(),
    )


QUESTION: Question[WriteInput, Written] = Question(
    prompt="ask/write_answer",
    tier="heavy",
    output=Written,
    variables=_variables,
    embedded=_embedded,
    fault_of=_fault_of,
    prose=lambda written: "\n".join(each.text for each in written.sentences),
    exam=Exam(items="ask/write_answer", read=_read, score=write_answer_exam.score),
)
