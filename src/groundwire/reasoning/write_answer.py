"""What the passages answer: sentences that each carry quotes, what is contested, what is missing."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date

from pydantic import Field

from groundwire.errors import NoEvidence
from groundwire.evidence.asking import Asked, Facet, asked
from groundwire.evidence.candidates import Candidate, candidates, named_in, usable
from groundwire.evidence.contested import Contradiction, Kind, Said
from groundwire.evidence.polarity import opposes
from groundwire.model.base import Noun
from groundwire.model.source import NumberedPassage
from groundwire.reasoning.extract import Chosen, choose, disputed
from groundwire.reasoning.passages import render_passages
from groundwire.reasoning.question import Question

_LINK = re.compile(
    r"https?:|www\.|(?<![\w.])(?:[a-z0-9-]+\.)+(?:com|org|net|gov|edu|cn|hk|tw|example)\b(?:/|\b)",
    re.IGNORECASE,
)


class WriteInput(Noun):
    """A question and the numbered passages from which alone it is answered."""

    question: str
    language: str
    today: str
    max_sentences: int
    passages: tuple[NumberedPassage, ...]


class Quoted(Noun):
    """Words copied from a passage."""

    passage: int = Field(description="number of the passage")
    quote: str = Field(description="copied from the passage character by character")


class Proposed(Noun):
    """A sentence and the quotes it stands on."""

    text: str
    quotes: tuple[Quoted, ...]


class Dispute(Noun):
    """A point on which passages contradict each other, each account with its quotes."""

    point: str
    sides: tuple[Proposed, ...]


class Missing(Noun):
    """What the question asks and the passages do not answer."""

    what: str
    why: str


class Written(Noun):
    """An answer before its quotes are checked."""

    sentences: tuple[Proposed, ...]
    contested: tuple[Dispute, ...] = ()
    gaps: tuple[Missing, ...] = ()


def _variables(given: WriteInput, seed: str) -> Mapping[str, str]:
    return {
        "question": given.question,
        "language": given.language,
        "passages": render_passages(given.passages, seed),
        "today": given.today,
        "max_sentences": str(given.max_sentences),
    }


def _complain(given: WriteInput, written: Written) -> str | None:
    if len(written.sentences) > given.max_sentences:
        return f"there are more than {given.max_sentences} sentences"
    numbers = {passage.number for passage in given.passages}
    sides = [side for dispute in written.contested for side in dispute.sides]
    # Complaints are shown to people, so they name places and repeat none of the model's words.
    for place, sentence in enumerate((*written.sentences, *sides), start=1):
        if not sentence.quotes:
            return f"sentence {place} has no quote"
        for quoted in sentence.quotes:
            if quoted.passage not in numbers:
                return f"there is no passage {quoted.passage}"
        if _LINK.search(sentence.text):
            return f"sentence {place} holds a link"
    beside = [dispute.point for dispute in written.contested]
    beside += [text for gap in written.gaps for text in (gap.what, gap.why)]
    if any(_LINK.search(text) for text in beside):
        return "a contested point or a gap holds a link"
    if any(len(dispute.sides) < 2 for dispute in written.contested):
        return "a contested point needs at least two sides"
    if not written.sentences and not written.contested and not written.gaps:
        return "nothing is answered and no gap is named"
    return None


def _prose(written: Written) -> str:
    return "\n".join(sentence.text for sentence in written.sentences)


def _embedded(given: WriteInput) -> Written:
    """Extractive: the pages' own sentences. Raises `NoEvidence` without passages (law 5)."""
    if not given.passages:
        raise NoEvidence
    language = "zh" if given.language.startswith("zh") else "en"
    today = date.fromisoformat(given.today) if given.today else None
    question = asked(given.question, today)
    found = candidates(question, given.passages)
    absent = _absent(question, [passage for passage in given.passages if usable(passage)])
    if _unanswerable(question, absent):
        return Written(sentences=(), gaps=_nothing(given, question, absent, language))
    disputes = disputed(question, found)
    chosen = choose(question, found, disputes, language, given.max_sentences)
    if not chosen:
        return Written(sentences=(), gaps=_nothing(given, question, absent, language))
    return Written(
        sentences=tuple(_proposed(each) for each in chosen),
        contested=tuple(_dispute(each, language) for each in disputes),
        gaps=_gaps(question, chosen, absent, language),
    )


def _proposed(chosen: Chosen) -> Proposed:
    sentences = (chosen.first, *chosen.others)
    return Proposed(
        text=" ".join(chosen.first.text.split()),
        quotes=tuple(Quoted(passage=each.passage.number, quote=each.text) for each in sentences),
    )


def _dispute(dispute: Contradiction, language: str) -> Dispute:
    """Each side in the words of its best page, with the pages of other origins that say so."""
    sides = [_best_first(side, language) for side in dispute.sides]
    values = " / ".join(side[0].value for side in sides)
    en, zh = _POINT[dispute.kind]
    point = _say(language, f"{en}: {values}", f"{zh}：{values}")
    return Dispute(point=point, sides=tuple(_side(side) for side in sides))


def _best_first(side: Sequence[Said], language: str) -> list[Said]:
    def order(said: Said) -> tuple[bool, float, int, int]:
        each = said.candidate
        return each.language != language, -each.quality, each.passage.number, each.order

    return sorted(side, key=order)


def _side(side: Sequence[Said]) -> Proposed:
    first = side[0].candidate
    others: dict[str, Candidate] = {first.passage.origin_id: first}
    for each in (said.candidate for said in side[1:]):
        if not opposes(first.text, each.text):
            others.setdefault(each.passage.origin_id, each)
    return _proposed(Chosen(first, tuple(others.values())[1:3]))


def _absent(question: Asked, passages: Sequence[NumberedPassage]) -> tuple[str, ...]:
    """Names of the question that no passage has, as the person wrote them."""
    return tuple(
        term.written
        for term in question.of_kind("name")
        if not any(named_in(term, passage) for passage in passages)
    )


def _unanswerable(question: Asked, absent: tuple[str, ...]) -> bool:
    """Whether half of the names are nowhere: what is left would be about something else."""
    names = question.of_kind("name")
    return bool(names) and 2 * len(absent) >= len(names)


# Gaps, in the language of the question.

_POINT: dict[Kind, tuple[str, str]] = {
    "figure": ("pages give different figures", "各网页的数字不一致"),
    "date": ("pages give different dates", "各网页的日期不一致"),
}
_WHAT: dict[Facet, tuple[str, str]] = {
    "why": ("the cause", "原因"),
    "when": ("the date", "日期"),
    "how_much": ("the figure", "数字"),
    "who": ("who it was", "相关人物或机构"),
    "where": ("the place", "地点"),
    "whether": ("whether it is true", "是否属实"),
    "how": ("how it went", "经过"),
    "what": ("what happened", "事情本身"),
}


def _say(language: str, en: str, zh: str) -> str:
    return zh if language == "zh" else en


def _subject(question: Asked) -> str:
    return " ".join(term.written for term in question.terms if term.kind != "word") or " ".join(
        term.written for term in question.terms
    )


def _about(facet: Facet, question: Asked, language: str) -> str:
    en, zh = _WHAT[facet]
    words = " ".join(term.written for term in question.terms)
    if not words:
        return _say(language, en, zh)
    return _say(language, f"{en}: {words}", f"{zh}：{words}")


def _nothing(
    given: WriteInput, question: Asked, absent: tuple[str, ...], language: str
) -> tuple[Missing, ...]:
    """Why there is no answer at all."""
    refused = [passage for passage in given.passages if not usable(passage)]
    about = [
        p for p in refused if any(named_in(term, p) for term in question.of_kind("name", "word"))
    ]
    what = " ".join(given.question.split())[:200]
    if absent:
        listed = _say(language, ", ".join(absent), "、".join(absent))
        why = _say(
            language,
            f"no page that was read mentions {listed}",
            f"读到的网页都没有提到{listed}",
        )
    else:
        why = _say(
            language,
            "the pages that were read do not answer this",
            "读到的网页没有回答这个问题",
        )
    gaps = [Missing(what=what, why=why)]
    if about:
        gaps.append(
            Missing(
                what=_say(language, "a page that can be relied on", "可以依据的网页"),
                why=_say(
                    language,
                    "some pages on this are satire or hold instructions to machines, and are not used",
                    "有的相关网页是讽刺作品，或者夹带对机器的指令，因此不予采用",
                ),
            )
        )
    return tuple(gaps)


def _gaps(
    question: Asked, chosen: Sequence[Chosen], absent: tuple[str, ...], language: str
) -> tuple[Missing, ...]:
    """What was asked for and not found, and where the answer had to quote another language."""
    found: list[Missing] = []
    for facet in question.facets:
        least = 0.5 if facet in ("why", "when", "how_much", "who") else 0.0
        if all(dict(each.first.facets)[facet] < least for each in chosen):
            why = _say(language, "no page that was read says so", "读到的网页都没有说明")
            found.append(Missing(what=_about(facet, question, language), why=why))
    for name in absent:
        why = _say(language, "no page that was read mentions it", "读到的网页都没有提到")
        found.append(Missing(what=name, why=why))
    foreign = sum(each.first.language != language for each in chosen)
    if foreign:
        what = _say(language, "pages in English", "中文网页")
        why = _say(
            language,
            f"{foreign} of {len(chosen)} sentences are quoted in the language of their page",
            f"{len(chosen)} 句中有 {foreign} 句只能引用外文原文",
        )
        found.append(
            Missing(
                what=f"{what}：{_subject(question)}"
                if language == "zh"
                else f"{what}: {_subject(question)}",
                why=why,
            )
        )
    return tuple(found)


QUESTION: Question[WriteInput, Written] = Question(
    prompt="ask/write_answer",
    tier="heavy",
    output=Written,
    variables=_variables,
    embedded=_embedded,
    complain=_complain,
    prose=_prose,
)
