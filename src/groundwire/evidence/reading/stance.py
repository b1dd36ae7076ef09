"""The stance of a passage towards a claim, without a model: careful to support, careful to contradict.

The models of `stance_model` weigh everything; what is said here is what they may not overrule. A
passage supports only when every fact of the claim stands in it, and contradicts only when there is
a sign that can be named. What is left qualifies the claim, or is about something else.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date

from groundwire.evidence.citations.problems import problem
from groundwire.evidence.questions.contested import compatible
from groundwire.evidence.reading.facts import Facts
from groundwire.evidence.reading.meaning import amounts_in, named
from groundwire.evidence.reading.stance_features import Compared, compare
from groundwire.evidence.reading.stance_model import Leaning, lean
from groundwire.language.amounts.counts import counts
from groundwire.language.amounts.numbers import Figure, same_figure
from groundwire.language.names.chinese_names import chinese_names
from groundwire.language.text.characters import normalise
from groundwire.language.text.rarity import rarity
from groundwire.language.text.sentences import sentences
from groundwire.language.text.stems import stem
from groundwire.language.text.wording import is_han
from groundwire.language.time.dates import date_mentions
from groundwire.model.phrase import Phrase
from groundwire.model.stance import Stance, StanceLabel

# How sure the models must be. Tested on tests/evidence/stance_cases.tsv, measured by `gw eval stance`.
RELATED = 0.5  # below, nothing that they say of a passage counts
CONTRADICTS = 0.55  # at least, beside a sign that can be named
# When all is the same but a figure or a day, or the checker finds the opposite with so much of the claim.
CONTRADICTS_PLAINLY, PLAIN = 0.4, 0.75
SUPPORTS = 0.6  # probability to contradict, at most
QUALIFIES = 0.6  # related at least, when not all of a claim stands there
QUALIFIES_BARELY = 0.9  # and when nothing stands there of what it says is done
COVERED = 0.45  # of the claim's words, before a passage says anything about it
# And before a sign of the opposite counts: by the checker, by turned words, by a lone "failed" or "false".
OPPOSITE, TURNED, REVERSED = 0.6, 0.7, 0.85
NO_ACT = 0.15  # so much more, when what the claim says is done is not there

_ESTIMATE = re.compile(
    r"\b(?:estimat\w+|preliminary|initial(?:ly)?|provisional\w*|project(?:s|ed)|expected|forecasts?|so far|"
    r"first (?:analysis|count|figures?))\b|估计|估算|初步|预计|预估|截至目前|暂时|或达",
    re.IGNORECASE,
)
_PART = re.compile(
    r"(?:\A|[,;] ?)of (?:the|its|their|those|these|that)\b|\bof (?:which|them)\b|\b(?:including|another|a further|an additional)\b|"
    r"其中|部分|另有|另外|首批|首日",
    re.IGNORECASE,
)
# Before a number in words; figures know their own.
_BOUND = re.compile(
    r"(?:at least|more than|over|up to|about|around|nearly|almost|some|至少|超过|逾|约|近|多达|不少于) ?\Z",
    re.IGNORECASE,
)
_PART_AFTER = re.compile(r" ?of (?:the|its|their|those|these)\b", re.IGNORECASE)
_WITHDRAWS = re.compile(
    r"\b(?:earlier|previous|original|prior) version of th(?:is|e) (?:article|story|report|post)\b|"
    r"\b(?:incorrectly|mistakenly|erroneously|wrongly) (?:said|stated|reported|claimed|identified|gave)\b|"
    r"(?:早前|此前|先前|早先|之前|原)(?:的)?(?:版本|报道|文章|稿件)[^。]{0,60}(?:有误|错误|更正|不准确)|(?:误称|误报|误写)",
    re.IGNORECASE,
)
_INSTEAD = re.compile(
    r"\bcorrect (?:\w+ )?(?:is|was)\b|\bshould (?:be|have been|read|have read)\b|\bin fact\b|\bactually\b|应为|实为|应是|更正为|实际为",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Seen:
    """Everything that a decision looks at."""

    claim: str  # normal form
    compared: Compared
    leaning: Leaning
    flags: Collection[str]

    @property
    def flat(self) -> str:
        return self.compared.window.reading.flat

    def has(self, name: str) -> bool:
        return self.compared.values[name] > 0


def stance(
    claim: str,
    passage: str,
    *,
    title: str = "",
    publisher: str = "",
    published: date | None = None,
    flags: Collection[str] = (),
) -> Stance:
    """What a passage says about a claim; `flags` are those of its page (`evidence.flags`)."""
    return judge(
        claim, passage, title=title, publisher=publisher, published=published, flags=flags
    )[0]


def judge(
    claim: str,
    passage: str,
    *,
    title: str = "",
    publisher: str = "",
    published: date | None = None,
    flags: Collection[str] = (),
) -> tuple[Stance, Leaning]:
    """The stance, and what the models alone say."""
    compared = compare(claim, passage, title=title, publisher=publisher, published=published)
    leaning = lean(compared.values)
    label, reasons = _decide(_Seen(normalise(claim).text, compared, leaning, flags))
    window = compared.window
    quoted = label != "unrelated"
    found = Stance(
        label=label,
        scores=leaning.scores,
        quote=compared.quote if quoted else "",
        start=window.start if quoted else 0,
        end=window.end if quoted else 0,
        reasons=reasons,
    )
    return found, leaning


def _decide(seen: _Seen) -> tuple[StanceLabel, tuple[Phrase, ...]]:
    for flag, code in (("satire", "satire"), ("retraction", "retracted")):
        if flag in seen.flags:
            return "unrelated", (problem(code),)
    facts = seen.compared.facts
    if facts is None or seen.compared.values["covered"] < COVERED:
        return "unrelated", (problem("other"),)
    if problem("question") in facts.said.problems:
        return "unrelated", (problem("question"),)
    named_in_claim, missing = _missing_names(seen.claim, facts)
    if missing and 2 * len(missing) >= named_in_claim:
        return "unrelated", tuple(problem("absent", what=name) for name in missing)
    foreign = is_han(seen.claim) != is_han(seen.flat)
    if not foreign and not seen.has("about"):
        return "unrelated", (problem("other"),)
    if seen.leaning.related < RELATED and not (foreign and named_in_claim):
        return "unrelated", (problem("other"),)
    label, reasons = _side(seen, facts, bool(missing))
    if label == "supports" and "correction" in seen.flags:
        return "qualifies", (problem("corrected"),)
    return label, reasons


def _side(seen: _Seen, facts: Facts, lacks_name: bool) -> tuple[StanceLabel, tuple[Phrase, ...]]:
    """Which side a passage is on that speaks of the same thing."""
    if _withdrawn(seen):
        return "contradicts", (problem("withdrawn"),)
    signs = _signs(seen, facts)
    if signs and not lacks_name and seen.leaning.contradicts >= _least(seen, signs, facts):
        if signs == (problem("other_figure"),) and _loosely(seen):
            return "qualifies", (problem("estimate"),)
        if problem("opposite") not in signs and problem("uncertain") in facts.doubts:
            return "qualifies", (problem("uncertain"),)
        return "contradicts", signs
    if seen.has("swapped") or problem("roles") in facts.said.problems:
        return "qualifies", (problem("roles"),)
    if not facts.problems and seen.leaning.contradicts <= SUPPORTS:
        doubts = tuple(facts.doubts)
        return ("qualifies", doubts) if doubts else ("supports", (problem("same"),))
    if facts.numbers and _loosely(seen):
        return "qualifies", (problem("estimate"),)
    if seen.leaning.related >= (QUALIFIES if seen.has("acts") else QUALIFIES_BARELY):
        return "qualifies", (problem("part"), *facts.problems)
    return "unrelated", (problem("other"),)


def _least(seen: _Seen, signs: Collection[Phrase], facts: Facts) -> float:
    """How sure the models must be that a passage contradicts: less where the checker is sure."""
    opposite = problem("opposite") in facts.said.problems
    covered = seen.compared.values["covered"]
    other = problem("other_figure") in signs or problem("other_date") in signs
    if other or (opposite and covered >= PLAIN):
        return CONTRADICTS_PLAINLY
    return CONTRADICTS


def _signs(seen: _Seen, facts: Facts) -> tuple[Phrase, ...]:
    """What in the passage speaks against the claim, as far as it can be named."""
    values = seen.compared.values
    covered = values["covered"]
    if values["acts"] < 0.5 and not seen.has("opposed") and not seen.has("turned"):
        covered -= NO_ACT
    found: list[Phrase] = []
    opposite = problem("opposite") in facts.said.problems
    turned = any(seen.has(name) for name in ("opposed", "turned", "negated_apart"))
    if (
        (opposite and covered >= OPPOSITE)
        or (turned and covered >= TURNED)
        or (seen.has("one_reverses_here") and covered >= REVERSED)
    ):
        found.append(problem("opposite"))
    # Another figure or date is one only where all the rest is the same.
    if facts.names or facts.said.problems or facts.apart:
        return tuple(found)
    differs = seen.has("figures_differ") or seen.has("counts_differ")
    if facts.numbers and differs and not facts.dates:
        found.append(problem("other_figure"))
    if facts.dates and not facts.numbers and _other_day(seen):
        found.append(problem("other_date"))
    return tuple(found)


def _other_day(seen: _Seen) -> bool:
    """Whether the passage gives one day or month, and the claim another; years go by too often."""
    fine = ("day", "month")
    own = [day for day in date_mentions(seen.claim) if day.precision in fine]
    days = [day for day in date_mentions(seen.flat) if day.precision in fine]
    return seen.has("dates_differ") and bool(own) and len({day.text for day in days}) == 1


def _missing_names(claim: str, facts: Facts) -> tuple[int, list[str]]:
    """How many names the claim has, and those of them that the passage has in no part that tells."""
    whole = [claim[start:end] for start, end in _name_spans(claim)]
    gone = {name.lower() for name in facts.names}
    missing: list[str] = []
    for name in whole:
        words = name.split()
        rarest = max(rarity(stem(word.lower())) for word in words)
        telling = [word for word in words if rarity(stem(word.lower())) == rarest]
        if name.lower() in gone or all(word.lower() in gone for word in telling):
            missing.append(name)
    return len(whole), missing


def _name_spans(flat: str) -> list[tuple[int, int]]:
    """Names with the words that belong to them: Silicon Valley Bank is one."""
    spans: list[tuple[int, int]] = []
    for start, end in sorted([*((n.start, n.end) for n in named(flat)), *chinese_names(flat)]):
        if spans and flat[spans[-1][1] : start].strip() == "" and start >= spans[-1][1]:
            spans[-1] = (spans[-1][0], end)
        elif not spans or start >= spans[-1][1]:
            spans.append((start, end))
    return spans


def _loosely(seen: _Seen) -> bool:
    """Whether a figure that the passage gives instead is an estimate, a bound or a part."""
    own = amounts_in(seen.claim)
    rivals = [
        other
        for other in amounts_in(seen.flat)
        if any(other.unit == figure.unit for figure in own)
        and not any(same_figure(figure, other) for figure in own)
    ]
    spelled = [count for count in counts(seen.flat) if count.kind == "number"]
    return any(_is_loose(other, own, seen.flat) for other in rivals) or any(
        _BOUND.search(seen.flat, max(0, count.start - 16), count.start) for count in spelled
    )


def _is_loose(figure: Figure, own: Collection[Figure], flat: str) -> bool:
    if figure.qualifier in ("over", "under"):
        # A bound that shuts the claim's figure out is as settled as another figure.
        return any(mine.unit == figure.unit and compatible(mine, figure) for mine in own)
    around = next((flat[a:b] for a, b in sentences(flat) if a <= figure.start < b), flat)
    return bool(
        figure.qualifier == "about"
        or _ESTIMATE.search(around)
        or _PART.search(around)
        or _PART_AFTER.match(flat, figure.end)
    )


def _withdrawn(seen: _Seen) -> bool:
    """Whether the page repeats the claim only to take it back."""
    notice = _WITHDRAWS.search(seen.flat)
    if notice is None:
        return False
    instead = _INSTEAD.search(seen.flat, notice.start())
    corrected = amounts_in(seen.flat[instead.end() :]) if instead else ()
    own = amounts_in(seen.claim)
    return not any(same_figure(mine, other) for mine in own for other in corrected)
