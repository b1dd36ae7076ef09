"""The checker of law 2: a sentence stands only on quotes that are really there and really say it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from groundwire.evidence.citations.binding import misplaced
from groundwire.evidence.citations.grounds import Grounds
from groundwire.evidence.citations.parties import apart, check_names
from groundwire.evidence.citations.problems import Findings, problem
from groundwire.evidence.citations.quotes import QuotePlace, locate
from groundwire.evidence.citations.roles import roles_turned
from groundwire.evidence.citations.sense import check_sense
from groundwire.evidence.citations.values import check_dates, check_figures
from groundwire.evidence.reading.reader import claim_of
from groundwire.language.text.characters import normalise
from groundwire.language.text.links import is_bare, links
from groundwire.model.claim import Checked, CheckResult, Citation
from groundwire.model.phrase import Phrase
from groundwire.model.source import Evidence, Passage


def check(
    text: str,
    proposals: Sequence[tuple[int, str]],
    passages: Mapping[int, tuple[Evidence, Passage]],
    question: str = "",
) -> Checked:
    """Whether the sentence is supported by the proposed quotes, with every reason when it is not.

    A quote that is not found is named, but fails the sentence only when the others do not carry it.
    The question lends a date to a page of that date, and nothing else.
    """
    notes: list[Phrase] = []
    found: list[QuotePlace] = []
    for number, quote in proposals:
        place = locate(number, quote, passages)
        if isinstance(place, Phrase):
            notes.append(place)
        elif all(
            (place.evidence.id, place.start, place.end) != (f.evidence.id, f.start, f.end)
            for f in found
        ):
            found.append(place)
    problems = _link_problems(text, found)
    passed: tuple[str, ...] = ()
    doubts: list[Phrase] = []
    if found:
        grounds = Grounds(found)
        facts = _examine(text, grounds, question)
        passed = ("quote", *(name for name, each in facts.items() if not each.problems))
        problems.extend(each for part in facts.values() for each in part.problems)
        for part in facts.values():
            doubts.extend(each for each in part.doubts if each not in doubts)
        found.extend(grounds.added)
    elif not notes:
        notes.append(problem("no_quote"))
    if problems or not found:
        return Checked(text=text, result="unsupported", problems=(*notes, *problems))
    result: CheckResult = "qualified" if doubts else "supported"
    return Checked(
        text=text,
        result=result,
        citations=tuple(_citation(place, passed) for place in found),
        problems=(*notes, *doubts),
    )


CHECKS = ("numbers", "dates", "names", "meaning")
_LEAD = re.compile(
    r"\A(?:according to (?:the |this |its |that )?(?:source|page|article|report|text|passage|document|statement|quote)s?,? ?"
    r"|the (?:source|page|article|report|passage|document|text) (?:says|said|states|reports|notes|shows)(?: that)? "
    r"|(?:据|根据)(?:该|这)?(?:来源|报道|消息|原文|文章|资料|网页|公开资料)(?:称|显示|报道|表示)?,?"
    r"|(?:来源|报道|原文|文章|资料)(?:称|显示|指出|表示|提到),?)",
    re.IGNORECASE,
)


def _examine(text: str, grounds: Grounds, question: str) -> dict[str, Findings]:
    """Look for every part of the sentence that can be checked."""
    # Words that only say that a source says it are no part of what is said.
    said = _LEAD.sub("", normalise(text).text)
    if _is_verbatim(said, grounds):
        return {name: Findings() for name in CHECKS}
    claim = claim_of(said, grounds.published)
    laid = grounds.laid(claim)
    sense = check_sense(claim, laid, grounds)
    if roles_turned(claim, laid):
        sense.problems.append(problem("roles"))
    numbers = check_figures(claim, grounds)
    dates = check_dates(claim, grounds, question)
    named = check_names(claim, grounds)
    if not (numbers.problems or dates.problems or named.problems):
        # Only where nothing is absent: what is not there belongs to nobody.
        sense.problems.extend(misplaced(claim, laid))
        sense.problems.extend(apart(claim, grounds))
    return dict(zip(CHECKS, (numbers, dates, named, sense), strict=True))


def _is_verbatim(said: str, grounds: Grounds) -> bool:
    """Whether the sentence is the page's own, whole."""
    bare = _bare(said)
    return any(bare == _bare(place.whole) for place in grounds.places) or bare == _bare(
        "".join(place.whole for place in grounds.places)
    )


def _bare(flat: str) -> str:
    return re.sub(r"[\W_]+", "", flat).lower()


def _citation(place: QuotePlace, passed: tuple[str, ...]) -> Citation:
    return Citation(
        evidence_id=place.evidence.id,
        passage_id=place.passage.id,
        quote=place.quote,
        start=place.start,
        end=place.end,
        checks=passed,
    )


def _link_problems(text: str, found: Sequence[QuotePlace]) -> list[Phrase]:
    held = links(text)
    if any(not is_bare(link) for link in held):
        return [problem("link")]
    quoted = " ".join(normalise(place.quote).text.lower() for place in found)
    return [problem("absent", what=link) for link in held if link.lower() not in quoted]
