"""A question that leans on another one, completed by what that one names: "And how much?", then 那 Circle 呢."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date

from groundwire.evidence.memory.beliefs import named_spans
from groundwire.evidence.questions.facets import asks
from groundwire.evidence.questions.intent import Term, parse_question
from groundwire.language.amounts.numbers import figures
from groundwire.language.names.names import is_country
from groundwire.language.names.subjects import chinese_subjects
from groundwire.language.text.characters import HAN, normalise, simplify
from groundwire.language.text.spans import overlaps
from groundwire.language.text.tokens import is_stop_word
from groundwire.language.text.wording import is_han

_MOST = 4  # names, words or dates that are taken from the earlier question

# Words that only join a question to what was said: "and in 2024?", 那 Circle 呢？
_JOINING = (
    "and but so ok okay what about how about for in on of at by to with the then "
    "那么 那 而 还有 和 跟 与 对 在 于 呢 的 么"
)
# Words that ask, and say nothing of what is asked about: "why?", 后来呢？
_ASKING = (
    "why when where who whom how what which much many long is was were are did does do "
    "happened happens happen it this that true really "
    "为什么 为何 怎么样 怎么 怎样 如何 什么 何时 时候 哪里 哪儿 谁 多少 几 是 了 吗 真 有 发生 事 啊 呀 又"
)
# What comes next is not of the day that the earlier question named.
_NEXT = (
    "next later afterwards afterward after since now today eventually finally "
    "后来 然后 之后 以后 接着 接下来 后续 最后 最终 结果 现在 目前 如今 今天"
)
# What stands for the earlier matter, beside a name of its own: "Did the SEC approve it?"
_POINTING = re.compile(
    r"\b(?:it|this|that|them|those|these)\s*(?:[?.!]|$)|它|此事|这件?事|那件?事|这次|该事件",
    re.IGNORECASE,
)
_WORD = re.compile(rf"[{HAN}]+|[^\W_{HAN}]+(?:'[a-z]+)?")


def _split(listed: str) -> tuple[frozenset[str], re.Pattern[str]]:
    words = listed.split()
    chinese = sorted((each for each in words if is_han(each)), key=len, reverse=True)
    return frozenset(words), re.compile("|".join(chinese))


_LINK, _LATER = _split(_JOINING), _split(_NEXT)
# What tells apart the models of one thing: "And the Pro?" is asked of the iPhone 16.
_VARIANTS = ["pro", "max", "plus", "mini", "ultra", "lite", "air", "se", "fe", "turbo", "nano"]
_VARIANT = re.compile(rf"(?: (?:{'|'.join(_VARIANTS)})(?![A-Za-z]))*", re.IGNORECASE)
_NUMBERED = re.compile(
    rf"(?<!\w)(\d{{1,3}})(?![A-Za-z0-9年月日号个万亿元岁%]|[.,]\d){_VARIANT.pattern}", re.IGNORECASE
)
_LONGEST = 200  # characters of a question in which a name can be exchanged
_BARE = _split(f"{_JOINING} {_ASKING} {_NEXT}")


def complete(
    question: str, earlier: str, asked_on: date | None = None, one_breath: bool = False
) -> str:
    """Complete a question that names nothing itself by the names and dates of an earlier one.

    "And how much was recovered?" takes both; a bare "why?" takes the words, too. A question with
    names of its own stands alone, unless it points back ("Did the SEC approve it?"). One that only
    exchanges the name ("What about Circle?") or the place ("And in China?") is the earlier question
    with that name in it. What is asked in one breath ("…, and by what vote?") takes the words, too.
    """
    flat = simplify(question)
    own = parse_question(question)
    if flat.startswith("那") and not any(each.written[0] == "那" for each in own.of_kind("name")):
        flat = f" {flat[1:]}"  # "then": it belongs to no name
    known = [each for each in own.of_kind("name") if is_han(each.written)]
    spans = _names(flat) or [*_places(flat, known)]
    dates = own.of_kind("date")
    rest = _without(flat, [*spans, *_places(flat, dates)])
    places = bool(spans) and all(is_country(flat[start:end]) for start, end in spans)
    names: list[str] = []
    if not spans or places or _POINTING.search(flat):
        # What "it" stands for is a thing before it is the country where it was.
        found = sorted(_named(earlier), key=is_country)
        names = [each for each in found if not (places and is_country(each))]
    words: list[str] = []
    is_exchange = _only(rest, *(_LINK if spans else _BARE))
    if spans and is_exchange and not dates:
        start, end = normalise(question).original(*spans[0])
        if exchanged := _exchanged(question[start:end].strip(), earlier, asked_on):
            return exchanged
    if is_exchange or not (spans or names) or (names and one_breath):
        words = [each.written for each in _telling(earlier)]
    when: list[str] = []
    if (names or words) and not dates and not _has(rest, *_LATER):
        when = [*_dated(earlier, asked_on)]
    parts = [*names[:_MOST], *words[:_MOST], *when[:1]]
    parts = [each for each in dict.fromkeys(parts) if each not in question]
    if not parts:
        return question
    opening, comma, closing = ("（", "，", "）") if is_han(question) else (" (", ", ", ")")
    return f"{question}{opening}{comma.join(parts)}{closing}"


def names_variant(question: str, text: str) -> bool:
    """Tell whether a text names only other models of a thing than the question: 16 Pro Max for 16 Pro."""
    asked, told = (
        {" ".join(each.group().lower().split()) for each in _NUMBERED.finditer(simplify(given))}
        for given in (question, text)
    )
    numbers = {each.split()[0] for each in asked}
    others = {each for each in told if each.split()[0] in numbers}
    # A bare number of a sentence is another model only where the question has a variant: 17 for 17 Pro.
    return asked.isdisjoint(told) and any(" " in each for each in asked | others) and bool(others)


def _exchanged(name: str, earlier: str, asked_on: date | None) -> str:
    """Write the earlier question with this name for its own of the same sort; empty where it has none."""
    if len(earlier) > _LONGEST or not asks(simplify(earlier)):
        return ""
    variant = all(word in _VARIANTS for word in name.lower().split())
    for old in _named(earlier):
        if is_country(old) != is_country(name) or (variant and not re.search(r"\d", old)):
            continue
        new = f"{_bare_model(old)} {name}" if variant else name
        asked = earlier.replace(old, new)
        for written, day in _days(earlier, asked_on):
            asked = asked.replace(written, day)
        return asked
    return ""


def _bare_model(name: str) -> str:
    """Take the variant off a model, where another one takes its place: iPhone 15 of iPhone 15 Pro."""
    words = name.split()
    while words and words[-1].lower() in _VARIANTS:
        words.pop()
    return " ".join(words)


def _names(flat: str) -> list[tuple[int, int]]:
    """Return where names stand, each with the figure behind it: the iPhone 16 is not the 15."""
    # Of "iPhone 16 多少钱" the name ends at its digits.
    numbers = {e.start: e.start + len(e.text.rstrip("多余 ")) for e in figures(flat)}
    found: list[tuple[int, int]] = []
    spans = named_spans(flat)
    subjects = ((each.start, each.end) for each in chinese_subjects(flat) if each.sure)
    spans.extend(each for each in subjects if not overlaps(each, spans))
    for start, end in sorted(spans):
        within = found and end <= found[-1][1]  # the Pro of "iPhone 15 Pro"
        if within or is_stop_word(flat[start:end].lower()):  # "Who is …?"
            continue
        following = end + len(flat[end:]) - len(flat[end:].lstrip(" "))
        end = numbers.get(following, end)
        variant = _VARIANT.match(flat, end)
        found.append((start, variant.end() if variant else end))
    return found


def _named(text: str) -> Iterator[str]:
    """Yield the names of a question, then what its wording makes one: bitcoin ETF."""
    normal = normalise(text)
    found = [text[slice(*normal.original(*span))].strip() for span in _names(normal.text)]
    yield from found
    for term in parse_question(text).of_kind("name"):
        if not any(term.written in name for name in found):
            yield term.written


def _telling(text: str) -> Iterator[Term]:
    """Yield the words of a question that say what it is about, but its names."""
    names = [each.lower() for each in _named(text)]
    for term in parse_question(text).terms:
        if term.kind == "word" and not term.light:
            written = term.written.lower()
            if not any(written in name or name in written for name in names):
                yield term


def _dated(text: str, asked_on: date | None) -> Iterator[str]:
    """Yield the dates of a question in full: its "yesterday" was another day than that of now."""
    yield from (day for _, day in _days(text, asked_on))


def _days(text: str, asked_on: date | None) -> Iterator[tuple[str, str]]:
    """Yield each date of a question as it is written, and in full."""
    for term in parse_question(text, asked_on).of_kind("date"):
        mention, written = term.date, term.written.strip()
        if mention is None or mention.date is None:
            continue
        if mention.year is not None and str(mention.year) in written:
            yield written, written
        elif mention.precision in ("day", "month", "year"):
            length = {"day": 10, "month": 7, "year": 4}[mention.precision]
            yield written, mention.date.isoformat()[:length]


def _places(flat: str, terms: Sequence[Term]) -> Iterator[tuple[int, int]]:
    for term in terms:
        if (at := flat.find(simplify(term.written))) >= 0:
            yield at, at + len(term.written)


def _without(flat: str, spans: list[tuple[int, int]]) -> str:
    for start, end in spans:
        flat = flat[:start] + " " * (end - start) + flat[end:]
    return flat.lower()


def _only(rest: str, words: frozenset[str], chinese: re.Pattern[str]) -> bool:
    """Tell whether a text has no other words than these."""
    return all(
        not chinese.sub("", each) if is_han(each) else each.removesuffix("'s") in words
        for each in _WORD.findall(rest)
    )


def _has(rest: str, words: frozenset[str], chinese: re.Pattern[str]) -> bool:
    return any(
        chinese.search(each) is not None if is_han(each) else each in words
        for each in _WORD.findall(rest)
    )
