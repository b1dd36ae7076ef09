"""Edits of English sentences that change what they say in a known way; None where an edit does not fit."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from functools import cache

from groundwire.evidence.reading.synonyms import thesaurus
from groundwire.language.data import data_lines

Rng = random.Random

_AUXILIARY = re.compile(
    r"\b(is|are|was|were|has|have|had|will|would|can|could|should|must)\b(?! not|n't| no | never)"
)
_RELATIVE = re.compile(
    r"\b(?:which|that|who|whose|when|where|because|if|while|as|after|before|and|but)\b[^,]{0,40}$"
)
_PAST = re.compile(r"(?<=[A-Za-z0-9%)] )([a-z]{3,}ed)\b(?! (?:by|in a statement)\b)")
_ARTICLE = re.compile(
    r"\b(?:a|an|the|its|their|his|her|of|and|or|by|in|on|for|with|at|from|to|as|was|were|is|are|be|been|being|has|have|had"
    r"|most|more|newly|well|so|not|to)$",
    re.IGNORECASE,
)
_NAME = re.compile(
    r"(?<![.\w] )(?<!^)\b[A-Z][\w'-]*[a-z](?: (?:of |the )?[A-Z][\w'-]+){0,3}\b|\b[A-Z][a-z]+ [A-Z][a-z]+\b"
)
_SUBORDINATE = re.compile(
    r"(?:If|While|When|Although|Though|With|From|After|Before|As|Because|Since|Despite|In|On|At|For|By|To|Under|Among|Once|Speaking|Like|Unlike|During)\b"
)
_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
_DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
VERBS = (
    ("buy", "bought", "bought"), ("sue", "sued", "sued"), ("criticise", "criticised", "criticised"), ("praise", "praised", "praised"),
    ("invite", "invited", "invited"), ("hire", "hired", "hired"), ("fire", "fired", "fired"), ("fine", "fined", "fined"),
    ("ban", "banned", "banned"), ("warn", "warned", "warned"), ("defeat", "defeated", "defeated"), ("visit", "visited", "visited"),
    ("arrest", "arrested", "arrested"), ("support", "supported", "supported"), ("reject", "rejected", "rejected"),
    ("investigate", "investigated", "investigated"), ("acquire", "acquired", "acquired"), ("fund", "funded", "funded"),
    ("attack", "attacked", "attacked"), ("replace", "replaced", "replaced"), ("pay", "paid", "paid"),
)  # fmt: skip
HEDGES = (
    "It is possible that {s}", "Reportedly, {s}", "Perhaps {s}", "{s_}, according to unconfirmed reports.",
    "There is speculation that {s}", "It could be that {s}", "Analysts suspect that {s}", "Sources suggested that {s}",
    "It seems that {s}", "It remains unclear whether {s}", "{s_}, if early estimates are right.",
)  # fmt: skip
RETOLD = (
    "A post shared on Facebook claims that {s}", "A rumour says that {s}", "Users on social media alleged that {s}",
    "A viral video claims to show that {s}", "The message circulating online says {s}", "Claim: {s}", "One blogger asserted that {s}",
    "A widely shared image carries the caption: {s}",
)  # fmt: skip
CHECKED = (
    "The claim that {s_} is false.", "It is not true that {s}", "Claim: {S} Rating: False.", "There is no evidence that {s}",
    "Fact check: No, it is false that {s}", "A viral post claims that {s} This is untrue.", "The rumour that {s_} is baseless.",
    "Posts saying that {s_} are fabricated, experts told us.", "{S} That is a myth.", "Contrary to what posts say, it is wrong that {s}",
    "{S} The claim has been debunked.", "The suggestion that {s_} is unfounded.",
)  # fmt: skip
DENIED = (
    "A spokesman denied that {s}", "Officials rejected claims that {s}", "The office refuted reports that {s}",
    "In a statement the group disputed that {s}", "The firm dismissed the report that {s}", "Its director denies that {s}",
)  # fmt: skip
CONFIRMED = (
    "Officials confirmed that {s}", "A spokeswoman said that {s}", "According to the report, {s}", "The office announced that {s}",
    "It is a fact that {s}", "Records show that {s}",
)  # fmt: skip
ASKED = (
    "Did it happen that {s_}?",
    "Is it true that {s_}?",
    "Who says that {s_}?",
    "Could it be that {s_}?",
)
SUPPOSED = (
    "If {s_}, much would change.",
    "Unless {s_}, nothing will happen.",
    "Suppose that {s_}.",
)
NOISE = (
    "The weather did not improve.", "He was not available for comment.", "Not everyone was pleased.", "No injuries were reported.",
    "The ministry denied a separate report on taxes.", "Critics say a different claim about prices is false.",
    "It never rains there in July.", "The company has not published its accounts.",
)  # fmt: skip
TAILS = (
    ", although not everyone was pleased.", ", but it did not say more.", ", while other plans were rejected.", ", and nobody was hurt.",
)  # fmt: skip


@cache
def _bases() -> dict[str, str]:
    rows = (line.split() for line in data_lines("irregular.txt"))
    return {form: first for first, *forms in rows for form in forms}


def base(word: str, vocabulary: frozenset[str]) -> str | None:
    """Find the form that a past tense takes after "did not"; None for a word that is no known verb."""
    if word in _bases():
        return _bases()[word]
    rest = word.removesuffix("ed")
    forms = [rest[:-1] + "y"] if rest.endswith("i") else [rest + "e", rest]
    if len(rest) > 3 and rest[-1] == rest[-2]:
        forms.insert(0, rest[:-1])
    known = [form for form in forms if form in vocabulary]
    return known[0] if known else None


def negate(text: str, rng: Rng, vocabulary: frozenset[str]) -> str | None:
    """Negate the main verb."""
    for match in _AUXILIARY.finditer(text):
        before = text[: match.start()]
        if not before.strip() or _RELATIVE.search(before):
            continue
        word, after = match.group(), text[match.end() :]
        if word in ("has", "have", "had") and not re.match(
            r" (?:been|\w+ed|become|made|taken|given|won|lost|said|seen|held)\b", after
        ):
            return f"{before}did not have{after}" if word == "had" else None
        form = rng.choice([" not", " never", "n't", " not", " in no way"])
        if form == "n't":
            joined = {"will": "won't", "can": "cannot", "must": "must not"}.get(word, word + "n't")
            return f"{before}{joined}{after}"
        return f"{before}{word}{form}{after}"
    for match in [*_PAST.finditer(text), *re.finditer(r"(?<=[a-z] )([a-z]+)\b", text)]:
        before, word = text[: match.start()].rstrip(), match.group(1)
        if not word.endswith("ed") and word not in _bases():
            continue
        if _ARTICLE.search(before) or _RELATIVE.search(before + " ") or _bases().get(word) == word:
            continue
        found = base(word, vocabulary)
        if found is None:
            continue
        form = rng.choice(
            [
                "did not {}",
                "did not {}",
                "didn't {}",
                "failed to {}",
                "refused to {}",
                "never {p}",
                "was unable to {}",
                "declined to {}",
            ]
        )
        return f"{before} {form.format(found, p=word)}{text[match.end() :]}"
    return None


def plan(text: str, rng: Rng, vocabulary: frozenset[str]) -> str | None:
    """Turn what was done into something that is only planned."""
    for match in _PAST.finditer(text):
        before = text[: match.start()].rstrip()
        if _ARTICLE.search(before) or _RELATIVE.search(before + " "):
            continue
        found = base(match.group(1), vocabulary)
        if found is not None:
            form = rng.choice(
                [
                    "plans to {}",
                    "will {}",
                    "intends to {}",
                    "is considering whether to {}",
                    "hopes to {}",
                    "may {}",
                    "could {}",
                ]
            )
            return f"{before} {form.format(found)}{text[match.end() :]}"
    return None


def shorten(text: str, rng: Rng) -> str:
    """Reduce a sentence to its main statement, without attributions and clauses set off by commas."""
    body = text.rstrip(".")
    body = re.sub(r",? (?:said|according to|reported) [^,]{3,40}$", "", body)
    parts = body.split(", ")
    whole = _SUBORDINATE.match(parts[0]) is None and (
        _AUXILIARY.search(parts[0]) or _PAST.search(parts[0])
    )
    if len(parts) > 1 and len(parts[0].split()) >= 6 and whole and rng.random() < 0.7:
        body = parts[0]
    elif len(parts) > 1 and len(parts[0].split()) <= 4 and len(parts[1].split()) >= 5:
        rest = ", ".join(parts[1:])
        body = rest[:1].upper() + rest[1:]
    return body + "."


def paraphrase(text: str, rng: Rng) -> str | None:
    """Replace one or two words by synonyms."""
    words = text.split(" ")
    changed = 0
    for at, word in enumerate(words):
        others = [
            other
            for other in _same().get(word.strip(".,").lower(), ())
            if other != word and _ending(other) == _ending(word.strip(".,"))
        ]
        if others and word[:1].islower() and changed < 2:
            words[at] = rng.choice(others) + (
                "," if word.endswith(",") else "." if word.endswith(".") else ""
            )
            changed += 1
    return " ".join(words) if changed else None


def _ending(word: str) -> str:
    return "ed" if word.endswith("ed") or word in _bases() else "s" if word.endswith("s") else ""


@cache
def _same() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for line in thesaurus():
        forms = [form for form in line.split("|") if form.isascii() and " " not in form]
        for form in forms:
            found.setdefault(form, []).extend(other for other in forms if other != form)
    return {form: tuple(others) for form, others in found.items()}


def oppose(text: str, rng: Rng) -> str | None:
    """Replace one word by its opposite."""
    words = text.split(" ")
    for at in rng.sample(range(len(words)), len(words)):
        bare = words[at].strip(".,")
        others = [other for other in _antonyms().get(bare, ()) if _ending(other) == _ending(bare)]
        if others:
            words[at] = words[at].replace(bare, rng.choice(others))
            return " ".join(words)
    return None


@cache
def _antonyms() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for name in ("opposites.tsv", "antonyms.tsv"):
        for line in data_lines(name):
            sides = [
                [w for w in side.split("|") if w.isascii() and " " not in w]
                for side in line.split("\t")
            ]
            for words, opposites in ((sides[0], sides[1]), (sides[1], sides[0])):
                found.update((word, tuple(opposites)) for word in words)
    return found


def names(text: str) -> list[tuple[int, int]]:
    """Find the names of people, places and organisations, as far as capitals show them."""
    return [
        match.span()
        for match in _NAME.finditer(text)
        if match.group().split()[0]
        not in {*_MONTHS, *_DAYS, "The", "A", "In", "On", "But", "It", "He", "She"}
    ]


def other_day(text: str, rng: Rng) -> str | None:
    """Change the month, the weekday or the year."""
    for pattern, others in (
        (r"\b(?:" + "|".join(_MONTHS) + r")\b(?= \d)", _MONTHS),
        (r"\b(?:" + "|".join(_DAYS) + r")\b", _DAYS),
    ):
        match = re.search(pattern, text)
        if match:
            other = rng.choice([each for each in others if each != match.group()])
            return text[: match.start()] + other + text[match.end() :]
    match = re.search(r"\b(?:1[89]|20)\d\d\b", text)
    if match:
        other = str(int(match.group()) + rng.choice([-7, -3, -2, -1, 1, 2, 4, 9]))
        return text[: match.start()] + other + text[match.end() :]
    return None


def small(text: str) -> str:
    """Lower the first letter of a sentence that opens with a common word, as it stands after "that" in templates."""
    first = text.split(" ", 1)[0]
    return text[:1].lower() + text[1:] if first in _OPENERS else text


_OPENERS = frozenset(
    [
        "The",
        "A",
        "An",
        "It",
        "He",
        "She",
        "They",
        "In",
        "On",
        "At",
        "This",
        "These",
        "Those",
        "There",
        "Its",
        "His",
        "Her",
        "Their",
        "Some",
        "Many",
        "Most",
        "Two",
        "Three",
        "After",
        "By",
        "For",
    ]
)


def scene(people: Sequence[str], rng: Rng) -> tuple[str, str, str, tuple[str, str, str]]:
    """Draw two parties and an act: (first, second, rest of the sentence, verb)."""
    first, second = rng.sample(list(people), 2)
    tail = rng.choice(
        [
            "",
            f" in {rng.choice(_MONTHS)}",
            f" in {rng.randint(1995, 2024)}",
            f" last {rng.choice(_DAYS)}",
            " after long talks",
        ]
    )
    return first, second, tail, rng.choice(VERBS)
