"""Which searches would answer this question: key words in both languages, no sentence, no link."""

from __future__ import annotations

import re
from calendar import month_name
from collections.abc import Iterator, Mapping
from datetime import date
from itertools import zip_longest

from pydantic import Field

from groundwire.evidence.data import data_lines
from groundwire.evidence.questions.facets import facet_words
from groundwire.evidence.questions.intent import Intent, Term, parse_question
from groundwire.evidence.questions.parts import asked_parts
from groundwire.language.amounts.writing import written_figure
from groundwire.language.text.characters import simplify
from groundwire.language.text.links import has_link, without_links
from groundwire.language.text.script import in_script
from groundwire.language.text.wording import is_han, is_proper, synonym, translation
from groundwire.language.time.dates import DateMention
from groundwire.model.base import JsonObject, Value
from groundwire.model.phrase import Phrase, phrase
from groundwire.reasoning.exam import Exam
from groundwire.reasoning.exam_words import clean_share, share
from groundwire.reasoning.question import Question

LONGEST_QUERY = 380  # Tavily refuses more than 400 characters
_MOST_WORDS = 12
_SITE = re.compile(r"\bsite:", re.IGNORECASE)


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
    # Faults are shown to people, so they name places and repeat none of the model's words.
    for place, query in enumerate(plan.queries, start=1):
        if not query.text.strip():
            return phrase("fault.empty_query", n=place)
        if len(query.text) > LONGEST_QUERY:
            return phrase("fault.long_query", n=place, most=LONGEST_QUERY)
        if _SITE.search(query.text) or has_link(query.text):
            return phrase("fault.query_address", n=place)
    return None


def _embedded(given: PlanInput) -> Plan:
    """Take key words of the question, or of what is missing; no query twice or tried before."""
    chosen: dict[str, PlannedQuery] = {}
    tried = {query_key(text) for text in given.tried}
    for text, language in _of_each_part(given):
        if len(chosen) >= max(1, given.max_queries):
            break
        (cut,) = in_script([_cut(text)], given.language if language == "zh" else "en")
        key = query_key(cut)
        if key and key not in tried:
            chosen.setdefault(key, PlannedQuery(text=cut, language=language))
    if not chosen:
        # Nothing new to try: search for the question itself, so that no round is empty.
        text = _cut(given.question) or given.question.strip()[:LONGEST_QUERY]
        chosen[text] = PlannedQuery(text=text, language=_languages(given.question)[0])
    return Plan(queries=tuple(chosen.values()))


def _languages(text: str) -> tuple[str, str]:
    """Return the language of a text, and the other one."""
    return ("zh", "en") if is_han(text) else ("en", "zh")


def _of_each_part(given: PlanInput) -> Iterator[tuple[str, str]]:
    """Yield the candidates of each part of the question in turn: each is searched for as itself."""
    parts = asked_parts(given.question)
    if given.missing or len(parts) == 1:
        yield from _candidate_queries(given)
        return
    each_part = [
        _candidate_queries(given.model_copy(update={"question": part.alone})) for part in parts
    ]
    for turn in zip_longest(*each_part):
        yield from (each for each in turn if each is not None)


def _candidate_queries(given: PlanInput) -> Iterator[tuple[str, str]]:
    """Yield candidates, best first: (text, language)."""
    today = date.fromisoformat(given.today) if given.today else None
    languages = _languages(given.question)
    own = languages[0]
    whole = parse_question(given.question, today)
    names = whole.of_kind("name", "figure")
    subjects: list[tuple[Term, ...]] = []
    for gap in given.missing:
        # A gap may lack its subject ("the date"), so the names come from the question.
        part = parse_question(gap, today)
        terms = tuple(term for term in part.terms if not term.light) or part.terms
        known = {(term.names, term.written) for term in terms}
        subject = (*(t for t in names if (t.names, t.written) not in known), *terms)
        subjects.append(subject)
        for language in languages:
            yield _words(subject, language, language == own, part), language
    if not whole.terms:
        yield given.question, own
        return
    if not given.missing:
        for facets in (None, whole):
            for language in languages:
                yield _words(whole.terms, language, language == own, facets), language
    # What is missing stays in every query of a later round; the bare subject would find the same.
    for line in data_lines("search_angles.tsv"):
        angle: dict[str, str] = dict(zip(("zh", "en"), line.split("\t"), strict=True))
        for subject in subjects or [names or whole.terms]:
            for language in languages:
                if text := _words(subject, language, language == own):
                    yield f"{text} {angle[language]}", language


def in_both_languages(text: str) -> tuple[str, str]:
    """Return the key words of a text as written, and in the other language where known."""
    own_language, other_language = _languages(text)
    terms = parse_question(text, None).terms
    return _words(terms, own_language, True), _words(terms, other_language, False)


def _words(
    terms: tuple[Term, ...], language: str, is_own: bool, facets: Intent | None = None
) -> str:
    """Write the terms in this language, leaving out what has no translation.

    In the question's own language they stay as written.
    """
    words = [_term_in(term, language, is_own) for term in terms[:_MOST_WORDS]]
    if is_own and facets is not None:
        # The second query in a language uses other words, as pages may.
        words = [
            (term.kind == "word" and synonym(simplify(term.written), language)) or text
            for term, text in zip(terms, words, strict=False)
        ]
    parts = list(dict.fromkeys(part for part in words if part))
    if not parts:
        return ""
    if facets is not None:
        facet_terms = facet_words(f"query_{language}")
        parts.extend(word for facet in facets.facets for word in facet_terms.get(facet, ()))
    return " ".join(parts)


def _term_in(term: Term, language: str, is_own: bool) -> str:
    han = is_han(term.written)
    if is_own:
        return term.written
    if term.date is not None:
        return _day(term.date, language) or (term.written if han == (language == "zh") else "")
    if term.figure is not None:
        return _amount(term, language)
    # Names and codes in Latin letters are searched for in Chinese too; other words are not.
    if not han and language == "en":
        return term.written
    if not han and term.kind == "name" and not is_proper(term.written):
        return term.written  # a word within a company's name is not translated
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
    """Write a figure as the other language does: 33亿美元 and $3.3 billion."""
    figure = term.figure
    if figure is None or is_han(term.written) == (language == "zh"):
        return term.written
    return written_figure(figure.value, figure.unit, language)


def _cut(text: str) -> str:
    """Flatten to one line without addresses, cut between words to what every provider takes."""
    flat = " ".join(without_links(_SITE.sub(" ", text[: LONGEST_QUERY * 20])).split())
    if len(flat) <= LONGEST_QUERY:
        return flat
    head, _, _ = flat[: LONGEST_QUERY + 1].rpartition(" ")
    return (head or flat)[:LONGEST_QUERY]


def query_key(text: str) -> str:
    """Return one key for all ways to write a query."""
    return " ".join(simplify(text).casefold().split())


class _Expected(Value):
    words: tuple[tuple[str, ...], ...] = ()  # of each group one, in some query
    languages: frozenset[str] = frozenset()
    without: tuple[str, ...] = ()


_WORDS_WORTH, _LANGUAGES_WORTH, _CLEAN_WORTH = 0.6, 0.2, 0.2


def _score(given: PlanInput, plan: Plan, expect: JsonObject) -> float:
    """Score the words and languages of the queries that would be sent and were not tried before."""
    expected = _Expected.model_validate(expect)
    tried = {query_key(text) for text in given.tried}
    sent = plan.queries[: max(1, given.max_queries)]
    new = [each for each in sent if each.text.strip() and query_key(each.text) not in tried]
    if not new:
        return 0.0
    text = "\n".join(each.text for each in new)
    wanted = expected.languages
    spoken = len(wanted & {each.language for each in new}) / len(wanted) if wanted else 1.0
    return (
        _WORDS_WORTH * share(text, expected.words)
        + _LANGUAGES_WORTH * spoken
        + _CLEAN_WORTH * clean_share(text, expected.without)
    )


QUESTION: Question[PlanInput, Plan] = Question(
    prompt="search/plan_queries",
    tier="light",
    output=Plan,
    variables=_variables,
    embedded=_embedded,
    fault_of=_fault_of,
    prose=lambda _plan: "",  # queries are in both languages on purpose
    exam=Exam(items="search/plan_queries", read=PlanInput.model_validate, score=_score),
)
