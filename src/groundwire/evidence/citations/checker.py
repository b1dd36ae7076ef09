"""The checker of law 2: a sentence stands only on quotes that exist and say it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from groundwire.evidence.citations.grounds import Grounds
from groundwire.evidence.citations.meaning import bare, check_meaning, is_taken_back, takes_back
from groundwire.evidence.citations.parties import check_names
from groundwire.evidence.citations.problems import Findings, problem
from groundwire.evidence.citations.quotes import QuotePlace, locate
from groundwire.evidence.citations.undated import is_but_for_dates
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
    """Check a sentence against its proposed quotes, and give every reason why they fail it.

    A quote that is not found is named, but fails the sentence only when the others do not carry it.
    The question lends a date to a page of that date, and nothing else.
    """
    notes: list[Phrase] = []
    places: list[QuotePlace] = []
    for number, quote in proposals:
        place = locate(number, quote, passages)
        if isinstance(place, Phrase):
            notes.append(place)
        elif all(
            (place.evidence.id, place.start, place.end) != (p.evidence.id, p.start, p.end)
            for p in places
        ):
            places.append(place)
    problems = _link_problems(text, places)
    passed: tuple[str, ...] = ()
    doubts: list[Phrase] = []
    if places:
        grounds = Grounds(places)
        findings = _examine(text, grounds, question)
        passed = ("quote", *(name for name, entry in findings.items() if not entry.problems))
        problems.extend(entry for part in findings.values() for entry in part.problems)
        for part in findings.values():
            doubts.extend(entry for entry in part.doubts if entry not in doubts)
        places.extend(grounds.added)
    elif not notes:
        notes.append(problem("no_quote"))
    citations = tuple(
        Citation(
            evidence_id=place.evidence.id,
            passage_id=place.passage.id,
            quote=place.quote,
            start=place.start,
            end=place.end,
            checks=passed,
        )
        for place in places
    )
    if problems or not places:
        return Checked(
            text=text,
            result="unsupported",
            problems=(*notes, *problems),
            standing=citations if all(each.code in _READ for each in problems) else (),
        )
    result: CheckResult = "qualified" if doubts else "supported"
    return Checked(text=text, result=result, citations=citations, problems=(*notes, *doubts))


# What reading alone finds; figures, dates, names, roles and links are vetoes that nobody overrules.
_READ = frozenset(problem(name).code for name in ("opposite", "other", "uncertain"))


def reviewed(checked: Checked, *, carried: bool) -> Checked:
    """Apply what a reader who has earned it finds: it may lift a refusal by reading, or refuse what passed."""
    if carried and checked.standing:
        return Checked(text=checked.text, result="supported", citations=checked.standing)
    if carried or checked.result == "unsupported":
        return checked
    return Checked(text=checked.text, result="unsupported", problems=(problem("not_carried"),))


CHECKS = ("numbers", "dates", "names", "meaning")
_LEAD = re.compile(
    r"\A(?:according to (?:the |this |its |that )?(?:source|page|article|report|text|passage|document|statement|quote)s?,? ?"
    r"|the (?:source|page|article|report|passage|document|text) (?:says|said|states|reports|notes|shows)(?: that)? "
    r"|(?:据|根据)(?:该|这)?(?:来源|报道|消息|原文|文章|资料|网页|公开资料)(?:称|显示|报道|表示)?,?"
    r"|(?:来源|报道|原文|文章|资料)(?:称|显示|指出|表示|提到),?)+",
    re.IGNORECASE,
)


def _examine(text: str, grounds: Grounds, question: str) -> dict[str, Findings]:
    """Check every part of the sentence that can be checked."""
    flat = statement(text)
    if not bare(flat):
        return {"meaning": Findings(problems=[problem("other")])}
    if is_taken_back(grounds):
        return {"meaning": Findings(problems=[problem("withdrawn")])}
    if is_verbatim(flat, grounds):
        return {name: Findings() for name in CHECKS}
    claim = claim_of(flat, grounds.published)
    numbers = check_figures(claim, grounds)
    dates = check_dates(claim, grounds, question)
    named = check_names(claim, grounds)
    # Only where nothing is absent: what is refused already need not be read.
    absent = numbers.problems or dates.problems or named.problems
    meaning = Findings() if absent else check_meaning(claim, grounds, question, numbers.unsure)
    return dict(zip(CHECKS, (numbers, dates, named, meaning), strict=True))


def statement(text: str) -> str:
    """Return what a sentence states, in normal form: "the report says that" is no part of it."""
    return _LEAD.sub("", normalise(text).text)


def is_verbatim(flat: str, grounds: Grounds) -> bool:
    """Tell whether the sentence is one of the page, or all quotes in a row, word for word or without its dates."""
    said = bare(flat)
    if said == bare("".join(place.whole for place in grounds.places)):
        return True
    return any(
        is_but_for_dates(said, sentence.text) and not (after and takes_back(after))
        for sentence, after in grounds.in_turn()
    )


def _link_problems(text: str, places: Sequence[QuotePlace]) -> list[Phrase]:
    urls = links(text)
    if any(not is_bare(link) for link in urls):
        return [problem("link")]
    quoted = " ".join(normalise(place.quote).text.lower() for place in places)
    return [problem("absent", what=link) for link in urls if link.lower() not in quoted]
