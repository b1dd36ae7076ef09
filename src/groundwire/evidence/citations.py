"""The checker of law 2: a sentence stands only on quotes that are really there and really say it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from groundwire.evidence.amounts import figure_fit, missing_counts
from groundwire.evidence.characters import normalise
from groundwire.evidence.chinese_names import chinese_names, name_stem
from groundwire.evidence.dates import DateMention, agrees, date_mentions, is_finer
from groundwire.evidence.links import is_bare, links
from groundwire.evidence.meaning import named
from groundwire.evidence.names import has_name, missing_names
from groundwire.evidence.numbers import figures
from groundwire.evidence.problems import problem
from groundwire.evidence.quotes import Place, locate
from groundwire.evidence.support import Weighed, apart, misplaced, weigh
from groundwire.evidence.wording import is_han
from groundwire.model.claim import Checked, CheckResult, Citation
from groundwire.model.source import Evidence, Passage

# What stands for a name that was named before.
_ANAPHOR = re.compile(
    r"\b(?:it|its|they|their|he|his|she|her|the (?:company|firm|group|bank|lender|exchange|issuer|token|coin|stablecoin|"
    r"start-?up|agency|regulator|ministry|model|app|government|country|developer|fund))\b|该|其(?!他|它|中|实|余)|它|他|她|公司|本行|此",
    re.IGNORECASE,
)
_REPORTED = re.compile(
    r"\b(?:according to|as reported by|reported by)\b|\b(?:report(?:s|ed)?|said|says|wrote|writes|not(?:es|ed)|stat(?:es|ed))\b(?: that)?|"
    r"据[^,。]{1,20}(?:报道|报导|称|消息|表示)?|(?:报道|报导)(?:称|指出)?",
    re.IGNORECASE,
)


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
    notes: list[str] = []
    found: list[Place] = []
    for number, quote in proposals:
        place = locate(number, quote, passages)
        if isinstance(place, str):
            notes.append(place)
        elif all(
            (place.evidence.id, place.start, place.end) != (f.evidence.id, f.start, f.end)
            for f in found
        ):
            found.append(place)
    problems = _link_problems(text, found)
    passed: tuple[str, ...] = ()
    doubts: list[str] = []
    if found:
        passed, weighed = _fact_problems(text, found, question)
        problems.extend(weighed.problems)
        doubts = weighed.doubts
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


def verify_citation(text_of_document: str, citation: Citation) -> str | None:
    """None when the stored quote stands at its offsets; otherwise what is wrong."""
    if not 0 <= citation.start < citation.end <= len(text_of_document):
        return f"offsets {citation.start}–{citation.end} lie outside the document"
    if text_of_document[citation.start : citation.end] != citation.quote:
        return f"the document reads differently at {citation.start}–{citation.end}"
    return None


def _citation(place: Place, passed: tuple[str, ...]) -> Citation:
    return Citation(
        evidence_id=place.evidence.id,
        passage_id=place.passage.id,
        quote=place.quote,
        start=place.start,
        end=place.end,
        checks=passed,
    )


def _link_problems(text: str, found: Sequence[Place]) -> list[str]:
    held = links(text)
    if any(not is_bare(link) for link in held):
        return [problem("link")]
    quoted = " ".join(normalise(place.quote).text.lower() for place in found)
    return [problem("absent", link) for link in held if link.lower() not in quoted]


def _fact_problems(
    text: str, found: Sequence[Place], question: str
) -> tuple[tuple[str, ...], Weighed]:
    """Names of the checks passed, and everything that no quote has or that quotes say otherwise."""
    flat = normalise(text).text
    numbers: list[str] = []
    bounds: list[str] = []
    doubts: list[str] = []
    for written, figure in zip(figures(text), figures(flat), strict=True):
        fit, _ = figure_fit(figure, flat, found)
        if fit == "absent":
            numbers.append(written.text)
        elif fit == "bound":
            bounds.append(problem("bound", written.text))
        elif fit == "loose":
            doubts.append(problem("loose", written.text))
    numbers.extend(missing_counts(flat, found))
    dates = _missing_dates(text, found, question)
    unnamed, unsure = _missing_names(text, flat, found)
    said = weigh(flat, found)
    absent = [problem("absent", item) for item in (*numbers, *dates, *unnamed)]
    apart_from = [] if absent else [*apart(flat, found), *misplaced(flat, found)]
    problems = [*absent, *bounds, *apart_from, *said.problems]
    doubts.extend(said.doubts)
    if unsure and problem("undecided") not in doubts:
        doubts.append(problem("undecided"))
    missing = {
        "numbers": [*numbers, *bounds],
        "dates": dates,
        "names": unnamed,
        "meaning": [*apart_from, *said.problems],
    }
    passed = ("quote", *(name for name, items in missing.items() if not items))
    return passed, Weighed(problems, doubts)


def _missing_names(text: str, flat: str, found: Sequence[Place]) -> tuple[list[str], bool]:
    """Names that no quote has, and whether one could not be looked for in another script."""
    near = [part for place in found for part in (place.quote, place.whole)]
    far = [part for place in found if _refers_back(place) for part in (place.before, place.title)]
    lacking = missing_names(text, near)
    if lacking and far:
        lacking = [name for name in lacking if name in missing_names(text, [*near, *far])]
    reporters = [place.evidence.document.publisher for place in found]
    lacking = [name for name in lacking if not _is_reporter(name, flat, reporters)]
    known = [name.text for name in named(text)]
    pool = normalise("\n".join([*near, *far])).text
    unsure = False
    for start, end in chinese_names(flat):
        name = flat[start:end]
        if any(name in other or other in name for other in (normalise(k).text for k in known)):
            continue
        if name in pool or name_stem(name) in pool or has_name(name, pool):
            continue
        if _is_reporter(name, flat, reporters):
            continue
        if is_han(pool):
            lacking.append(name)
        else:
            unsure = True
    return list(dict.fromkeys(lacking)), unsure


def _refers_back(place: Place) -> bool:
    """Whether the quoted sentence speaks of something named earlier, before it names anything."""
    anaphor = _ANAPHOR.search(place.whole)
    if anaphor is None:
        return False
    first = named(place.whole)[:1]
    return not first or anaphor.start() < first[0].start


def _is_reporter(name: str, flat: str, publishers: Sequence[str]) -> bool:
    """Whether the name is the publisher's, in words that say who reported it (code fills those)."""
    if not any(has_name(name, publisher) for publisher in publishers):
        return False
    at = flat.find(normalise(name).text)
    around = flat[max(0, at - 24) : at + len(name) + 24]
    return _REPORTED.search(around) is not None


def _missing_dates(text: str, found: Sequence[Place], question: str) -> list[str]:
    missing: list[str] = []
    for index, mention in enumerate(date_mentions(text, None)):
        if not any(_dated(index, mention, text, place, question) for place in found):
            missing.append(mention.text)
    return missing


def _dated(index: int, mention: DateMention, text: str, place: Place, question: str) -> bool:
    """Whether this quote, read on the day its page was published, names the date."""
    published = place.published
    wanted = date_mentions(text, published)[index]
    for other in date_mentions(place.quote, published):
        if agrees(wanted, other) and not is_finer(wanted, other):
            return True
        if mention.text == other.text and mention.date is None:
            return True
    if published is None:
        return False
    page = DateMention(0, 0, "", published, "day", published.year, published.month, published.day)
    return agrees(wanted, page) and any(
        agrees(wanted, asked) and not is_finer(wanted, asked)
        for asked in date_mentions(question, published)
    )
