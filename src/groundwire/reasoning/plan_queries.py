"""Which searches would answer this question: key words in both languages, no sentence, no link."""

from __future__ import annotations

import re
from calendar import month_name
from collections.abc import Iterator, Mapping
from datetime import date

from pydantic import Field

from groundwire.evidence.data import data_lines
from groundwire.evidence.questions.facets import facet_words
from groundwire.evidence.questions.intent import Intent, Term, asked
from groundwire.language.text.characters import simplify
from groundwire.language.text.links import has_link, without_links
from groundwire.language.text.script import in_script
from groundwire.language.text.wording import is_han, is_proper, synonym, translation
from groundwire.language.time.dates import DateMention
from groundwire.model.base import Value
from groundwire.model.phrase import Phrase, phrase
from groundwire.reasoning.question import Question

LONGEST_QUERY = 380  # Tavily refuses more than 400 characters
_MOST_WORDS = 12
_SITE = re.compile(r"\bsite:", re.IGNORECASE)
_SCALES = {
    "zh": ((10**8, "亿"), (10**4, "万")),
    "en": ((10**12, " trillion"), (10**9, " billion"), (10**6, " million")),
}
_SIGNS = {"USD": "$", "EUR": "€", "GBP": "£", "CNY": "¥"}
_ZH_UNITS = {"USD": "美元", "EUR": "欧元", "GBP": "英镑", "CNY": "元", "%": "%"}


class PlanInput(Value):
    """A question, and what earlier rounds looked for and did not find."""

    question: str
    language: str
    today: str
    max_queries: int
    missing: tuple[str, ...] = ()
    tried: tuple[str, ...] = ()


class PlannedQuery(Value):
    """Words for a search, and the language they are in: zh or en."""

    text: str
    language: str


class Plan(Value):
    """The searches of one round, best first."""

    queries: tuple[PlannedQuery, ...] = Field(description="search queries, best first")


def _variables(given: PlanInput, seed: str) -> Mapping[str, str]:
    del seed  # no page enters this prompt
    earlier = [f"- {gap}" for gap in given.missing if gap]
    if given.tried:
        label = "已经搜索过" if given.language.startswith("zh") else "already searched"
        earlier.append(f"({label}: {' / '.join(given.tried)})")
    return {
        "question": given.question,
        "language": given.language,
        "today": given.today,
        "max_queries": str(given.max_queries),
        "earlier": "\n".join(earlier),
    }


def _fault_of(given: PlanInput, plan: Plan) -> Phrase | None:
    del given  # a plan is judged by itself; more queries than asked for are cut, not refused
    if not any(query.text.strip() for query in plan.queries):
        return phrase("fault.no_query")
    # Complaints are shown to people, so they name places and repeat none of the model's words.
    for place, query in enumerate(plan.queries, start=1):
        if not query.text.strip():
            return phrase("fault.empty_query", n=place)
        if len(query.text) > LONGEST_QUERY:
            return phrase("fault.long_query", n=place, most=LONGEST_QUERY)
        if _SITE.search(query.text) or has_link(query.text):
            return phrase("fault.query_address", n=place)
    return None


def _embedded(given: PlanInput) -> Plan:
    """Key words of the question, or of what is missing; each query once and none tried before."""
    chosen: dict[str, PlannedQuery] = {}
    tried = {query_key(text) for text in given.tried}
    for text, language in _wanted(given):
        if len(chosen) >= max(1, given.max_queries):
            break
        (cut,) = in_script([_cut(text)], given.language if language == "zh" else "en")
        key = query_key(cut)
        if key and key not in tried:
            chosen.setdefault(key, PlannedQuery(text=cut, language=language))
    if not chosen:
        # Nothing new to try: the question itself, so that a round never searches for nothing.
        text = _cut(given.question) or given.question.strip()[:LONGEST_QUERY]
        chosen[text] = PlannedQuery(text=text, language=_languages(given.question)[0])
    return Plan(queries=tuple(chosen.values()))


def _languages(text: str) -> tuple[str, str]:
    """The language of a text, and the other one."""
    return ("zh", "en") if is_han(text) else ("en", "zh")


def _wanted(given: PlanInput) -> Iterator[tuple[str, str]]:
    """Candidates, best first: (text, language)."""
    today = date.fromisoformat(given.today) if given.today else None
    own, other = _languages(given.question)
    whole = asked(given.question, today)
    names = whole.of_kind("name", "figure")
    subjects: list[tuple[Term, ...]] = []
    for gap in given.missing:
        # A gap may name itself without its subject ("the date"); the names come from the question.
        part = asked(gap, today)
        terms = tuple(term for term in part.terms if not term.light) or part.terms
        said = {(term.names, term.written) for term in terms}
        about = (*(term for term in names if (term.names, term.written) not in said), *terms)
        subjects.append(about)
        for language in (own, other):
            yield _words(about, language, language == own, part), language
    if not whole.terms:
        yield given.question, own
        return
    if not given.missing:
        for facets in (None, whole):
            for language in (own, other):
                yield _words(whole.terms, language, language == own, facets), language
    # What is missing stays in every query of a later round; the bare subject would find the same.
    for line in data_lines("search_angles.tsv"):
        angle: dict[str, str] = dict(zip(("zh", "en"), line.split("\t"), strict=True))
        for subject in subjects or [names or whole.terms]:
            for language in (own, other):
                if text := _words(subject, language, language == own):
                    yield f"{text} {angle[language]}", language


def in_both_languages(text: str) -> tuple[str, str]:
    """The key words of a text as it writes them, and as far as they are known in the other one."""
    own, other = _languages(text)
    terms = asked(text, None).terms
    return _words(terms, own, True), _words(terms, other, False)


def _words(terms: tuple[Term, ...], language: str, own: bool, facets: Intent | None = None) -> str:
    """The terms in this language; as written when it is the question's own.

    What cannot be said in the other language is left out.
    """
    said = [_said(term, language, own) for term in terms[:_MOST_WORDS]]
    if own and facets is not None:
        # The second query in a language says it in other words: pages may, too.
        said = [
            (term.kind == "word" and synonym(simplify(term.written), language)) or text
            for term, text in zip(terms, said, strict=False)
        ]
    parts = list(dict.fromkeys(part for part in said if part))
    if not parts:
        return ""
    if facets is not None:
        asking = facet_words(f"query_{language}")
        parts.extend(word for facet in facets.facets for word in asking.get(facet, ()))
    return " ".join(parts)


def _said(term: Term, language: str, own: bool) -> str:
    han = is_han(term.written)
    if own:
        return term.written
    if term.date is not None:
        return _day(term.date, language) or (term.written if han == (language == "zh") else "")
    if term.figure is not None:
        return _amount(term, language)
    # Names and codes in Latin letters are searched for in Chinese too; other words are not.
    if not han and language == "en":
        return term.written
    if not han and term.kind == "name" and not is_proper(term.written):
        return term.written  # the Finance of a company's name is no word to translate
    known = translation(simplify(term.written), language)
    return known or (term.written if not han and term.kind == "name" else "")


def _day(mention: DateMention, language: str) -> str:
    year, month, day = mention.year, mention.month, mention.day
    if mention.precision == "quarter" or (year is None and month is None):
        return ""
    if language == "zh":
        parts = ((year, "年"), (month, "月"), (day, "日"))
        return "".join(f"{number}{unit}" for number, unit in parts if number is not None)
    name = month_name[month] if month is not None else ""
    return " ".join(str(part) for part in (day, name, year) if part)


def _amount(term: Term, language: str) -> str:
    """A figure as the other language writes it: 33亿美元 and $3.3 billion."""
    figure = term.figure
    if figure is None or is_han(term.written) == (language == "zh"):
        return term.written
    zh = language == "zh"
    sign = "" if zh else _SIGNS.get(figure.unit, "")
    tail = _ZH_UNITS.get(figure.unit, "") if zh else ""
    for scale, unit in _SCALES[language]:
        if abs(figure.value) >= scale:
            return f"{sign}{_plain(figure.value / scale)}{unit}{tail}"
    return f"{sign}{_plain(figure.value)}{'%' if figure.unit == '%' else tail}"


def _plain(value: object) -> str:
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _cut(text: str) -> str:
    """One line without addresses, at most as long as every provider takes, cut between words."""
    flat = " ".join(without_links(_SITE.sub(" ", text[: LONGEST_QUERY * 20])).split())
    if len(flat) <= LONGEST_QUERY:
        return flat
    head, _, _ = flat[: LONGEST_QUERY + 1].rpartition(" ")
    return (head or flat)[:LONGEST_QUERY]


def query_key(text: str) -> str:
    """One key for all ways to write a query."""
    return " ".join(simplify(text).casefold().split())


QUESTION: Question[PlanInput, Plan] = Question(
    prompt="search/plan_queries",
    tier="light",
    output=Plan,
    variables=_variables,
    embedded=_embedded,
    fault_of=_fault_of,
    prose=lambda _plan: "",  # queries are in both languages on purpose
)
