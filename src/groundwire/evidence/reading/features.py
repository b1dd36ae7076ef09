"""The features that decide a reading: numbers about a claim beside a passage, the same for every language.

Almost every number says how the two agree or differ, not what either is like alone. `NAMES` is the order in which the
trees learned them: whoever changes it trains the trees again (`python -m lab.training.reader`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from groundwire.evidence.reading.alignment import Alignment
from groundwire.evidence.reading.analysis import Sentence
from groundwire.evidence.reading.standing import DENIED, NEGATED
from groundwire.evidence.reading.turns import (
    CONTENT,
    DEGREES,
    STANDINGS,
    called_false_after,
    degrees,
    order,
    polarity,
)

_FAR = 4  # words around a value that say what it counts


def features(found: Alignment) -> dict[str, float]:
    """Compute every feature that the trees weigh, by name."""
    values: dict[str, float] = {}
    _coverage(found, values)
    order(found, values)
    polarity(found, values)
    degrees(found, values)
    _values(found, values)
    _surroundings(found, values)
    return {name: round(values.get(name, 0.0), 3) for name in NAMES}


def _share(found: Alignment, strengths: Sequence[float], chosen: Iterable[int]) -> float:
    picked = list(chosen)
    total = sum(found.claim.sought[i].weight for i in picked)
    return (
        sum(found.claim.sought[i].weight * strengths[i] for i in picked) / total if total else 1.0
    )


def _coverage(found: Alignment, values: dict[str, float]) -> None:
    sought = found.claim.sought
    everything = range(len(sought))
    content = [i for i in everything if sought[i].weight > CONTENT]
    values["covered"] = _share(found, found.strengths, everything)
    values["covered_content"] = _share(found, found.strengths, content)
    values["covered_around"] = _share(found, found.around, content)
    values["covered_anywhere"] = _share(found, found.anywhere, content)
    exact = [1.0 if s >= 1.0 else 0.0 for s in found.strengths]
    values["covered_exactly"] = _share(found, exact, content)

    kinds = found.claim.sentence.kinds
    named = [i for i in content if kinds[i][:1] == "n" and not sought[i].value]
    plain = [i for i in content if not sought[i].value and kinds[i][:1] != "n"]
    values["covered_names"] = _share(found, found.strengths, named)
    values["covered_names_around"] = _share(found, found.around, named)
    values["covered_plain"] = _share(found, found.strengths, plain)
    acts = [i for i in plain if kinds[i] == "v"] or plain
    values["covered_acts"] = _share(found, found.strengths, acts)
    values["covered_acts_around"] = _share(found, found.around, acts)
    values["covered_who_and_act"] = min(
        values["covered_names_around"], max(found.strengths[i] for i in acts) if acts else 1.0
    )
    third = max(1, len(content) // 3)
    values["covered_first"] = _share(found, found.strengths, content[:third])
    values["covered_last"] = _share(found, found.strengths, content[-third:])
    missing = [sought[i].weight for i in content if found.strengths[i] < 0.5]
    values["missing"] = float(len(missing))
    values["missing_weight"] = sum(missing)
    values["missing_most"] = max(missing, default=0.0)
    values["missing_anywhere"] = float(sum(found.anywhere[i] < 0.5 for i in content))
    values["missing_names"] = float(sum(found.strengths[i] < 0.5 for i in named))
    claim_grams, text_grams = found.claim.sentence.grams, found.sentence.grams
    values["grams"] = len(claim_grams & text_grams) / len(claim_grams) if claim_grams else 0.0
    values["grams_back"] = len(claim_grams & text_grams) / len(text_grams) if text_grams else 0.0
    words = found.sentence.words
    used = {link.at for link in found.links}
    weight = sum(word.weight for at, word in enumerate(words) if at in used)
    values["covered_back"] = weight / found.sentence.total
    clauses = {words[link.at].clause for link in found.links if sought[link.claim].weight > CONTENT}
    in_clauses = [at for at, word in enumerate(words) if word.clause in clauses]
    inside = sum(words[at].weight for at in in_clauses) or 1.0
    values["clause_back"] = sum(words[at].weight for at in in_clauses if at in used) / inside
    by_clause = _by_clause(found, content)
    values["covered_clause"] = max(by_clause.values(), default=0.0)
    content_at = sorted(link.at for link in found.links if sought[link.claim].weight > CONTENT)
    span = content_at[-1] - content_at[0] + 1 if content_at else 0
    values["density"] = len(set(content_at)) / span if span else 0.0
    extra = [w.weight for at, w in enumerate(words) if at not in used and w.weight > CONTENT]
    values["extra"] = min(sum(extra), 40.0)
    values["extra_names"] = float(
        sum(1 for at, w in enumerate(words) if at not in used and w.named and w.weight > CONTENT)
    )
    values["longer"] = min(len(words) / max(1, len(sought)), 8.0)
    values["substituted"] = _substituted(found, content, used)
    _replaced(found, content, used, values)
    _predicate(found, content, values)
    # The best of many sentences covers more by chance than the only one.
    values["sentences"] = min(math.log2(len(found.covered)), 5.0)
    values["foreign"] = float(found.passage.chinese != found.claim.analysis.chinese)


def _by_clause(found: Alignment, content: Sequence[int]) -> dict[int, float]:
    total = sum(found.claim.sought[i].weight for i in content) or 1.0
    shares: dict[int, float] = {}
    for link in found.links:
        each = found.claim.sought[link.claim]
        if each.weight > CONTENT:
            clause = found.sentence.words[link.at].clause
            shares[clause] = shares.get(clause, 0.0) + each.weight * link.strength / total
    return shares


def _substituted(found: Alignment, content: Sequence[int], used: set[int]) -> float:
    """Count the words of the claim that are missing where something else stands beside the same neighbours."""
    where = {link.claim: link.at for link in found.links}
    count = 0
    if not content:
        return 0.0
    for before, i, after in zip([-1, *content[:-1]], content, [*content[1:], -1], strict=True):
        if i in where or (before not in where and after not in where):
            continue
        low = where.get(before, where.get(after, 0) - 3)
        high = where.get(after, low + 3)
        gap = [at for at in range(low + 1, high) if 0 <= at < len(found.sentence.words)]
        if 0 < len(gap) <= 6 and any(
            found.sentence.words[at].weight > CONTENT and at not in used for at in gap
        ):
            count += 1
    return float(count)


def _replaced(
    found: Alignment, content: Sequence[int], used: set[int], values: dict[str, float]
) -> None:
    """Record the names and verbs of the claim that the sentence lacks, and whether it has others instead."""
    claim_kinds, passage_kinds = found.claim.sentence.kinds, found.sentence.kinds
    dated = [(day.start, day.end) for day in found.sentence.dates]
    for name, letter in (("name", "n"), ("verb", "v")):
        lost = [
            i
            for i in content
            if claim_kinds[i][:1] == letter
            and found.strengths[i] < 0.5
            and not found.claim.sought[i].value
        ]
        words = found.sentence.words
        others = [
            at
            for at, kind in enumerate(passage_kinds)
            if kind[:1] == letter
            and at not in used
            and words[at].weight > CONTENT
            and not any(start <= words[at].start < end for start, end in dated)
        ]
        alike = [at for at in others if any(passage_kinds[at] == claim_kinds[i] for i in lost)]
        values[f"{name}_replaced"] = float(min(len(lost), len(alike or others)))
        values[f"{name}_lost"] = float(bool(lost) and not others)


_COPULA = frozenset({"be", "becom", "是", "为", "属于", "成为", "系", "在"})


def _predicate(found: Alignment, content: Sequence[int], values: dict[str, float]) -> None:
    """Measure, for a claim "A is B", how far the sentence has A and B, and how far A without B."""
    words = found.claim.sentence.words
    at = next((n for n, word in enumerate(words) if word.key in _COPULA and n > 0), None)
    if at is None:
        return
    before, after = [i for i in content if i < at], [i for i in content if i > at]
    if not before or not after:
        return
    subject, said = _share(found, found.strengths, before), _share(found, found.strengths, after)
    has_copula = any(word.key in _COPULA for word in found.sentence.words)
    values["said_of"] = said
    values["said_otherwise"] = max(0.0, subject - said) if has_copula else 0.0
    values["said_elsewhere"] = max(0.0, subject - said)


def _values(found: Alignment, values: dict[str, float]) -> None:
    where = {link.claim: link.at for link in found.links}
    passage_marks, claim_marks = found.sentence.marks, found.claim.sentence.marks
    for kind in ("figure", "date", "count"):
        same = near = other = close = none = negated = bound = 0.0
        compared = [value for value in found.values if value.kind == kind]
        for value in compared:
            in_best = value.place is not None and value.place[0] == found.best
            if value.outcome in ("same", "near"):
                same += 1.0
                near += value.outcome == "near"
                bound += value.bound
                i = next(
                    (i for i, s in enumerate(found.claim.sought) if s.word.end > value.start), None
                )
                if (
                    in_best
                    and i in where
                    and (passage_marks[where[i]] ^ claim_marks[i]) & (NEGATED | DENIED)
                ):
                    negated += 1.0
            elif value.outcome == "other":
                other += 1.0
                bound += value.bound
                if in_best:
                    close = max(
                        close, _context(found, value.start, value.place[1] if value.place else 0)
                    )
            else:
                none += 1.0
        size = len(compared) or 1
        values[f"{kind}_same"] = same / size
        values[f"{kind}_near"] = near / size
        values[f"{kind}_other"] = other / size
        values[f"{kind}_other_close"] = close
        values[f"{kind}_none"] = none / size
        values[f"{kind}_negated"] = negated
        values[f"{kind}_bound"] = bound / size
    values["values_other"] = values["figure_other"] + values["date_other"] + values["count_other"]
    values["values_same"] = values["figure_same"] + values["date_same"] + values["count_same"]
    values["values_none"] = values["figure_none"] + values["date_none"] + values["count_none"]
    values["values_extra"] = float(
        bool(found.sentence.figures) and not found.claim.sentence.figures
    )


def _context(found: Alignment, claim_start: int, passage_start: int) -> float:
    """Measure how far the words around two values are the same."""
    words, sought = found.sentence.words, found.claim.sought
    i = next((n for n, s in enumerate(sought) if s.word.end > claim_start), 0)
    j = next((n for n, w in enumerate(words) if w.end > passage_start), 0)
    where = {link.claim: link.at for link in found.links}
    around = [
        n for n in range(max(0, i - _FAR), min(len(sought), i + _FAR + 1)) if not sought[n].value
    ]
    total = sum(sought[n].weight for n in around)
    shared = sum(sought[n].weight for n in around if n in where and abs(where[n] - j) <= _FAR + 2)
    return shared / total if total else 0.0


def _surroundings(found: Alignment, values: dict[str, float]) -> None:
    """Record what the sentences beside it and the title say of it: "This is false", a fact check's headline."""
    passage = found.passage
    beside: list[Sentence] = []
    if found.best + 1 < len(passage.sentences):
        beside.append(passage.sentences[found.best + 1])
    if found.best > 0:
        beside.append(passage.sentences[found.best - 1])
    claimed = found.claim.sentence.manners
    for name, kinds in (("false", ("false", "denies")), ("retold", ("retells",))):
        if claimed & set(kinds):
            continue
        values[f"{name}_beside"] = float(not all(s.manners.isdisjoint(kinds) for s in beside))
        values[f"{name}_titled"] = float(
            passage.title is not None and not passage.title.manners.isdisjoint(kinds)
        )
        everywhere = sum(not s.manners.isdisjoint(kinds) for s in passage.sentences[:40])
        values[f"{name}_anywhere"] = everywhere / min(40, len(passage.sentences))
    values["false_after"] = float(called_false_after(found) and not claimed & {"false", "denies"})
    opening = found.sentence.low[:24]
    values["labelled"] = float(
        opening.startswith(
            ("claim:", "the claim:", "rumor:", "rumour:", "网传", "谣言", "流言", "传言")
        )
    )


NAMES: tuple[str, ...] = (
    "covered", "covered_content", "covered_around", "covered_anywhere", "covered_exactly", "covered_names",
    "covered_names_around", "covered_plain", "covered_acts", "covered_acts_around", "covered_who_and_act", "covered_first", "covered_last", "missing", "missing_weight", "missing_most",
    "missing_anywhere", "missing_names", "grams", "grams_back", "covered_back", "clause_back", "covered_clause", "density",
    "extra", "extra_names", "longer", "substituted", "name_replaced", "name_lost", "verb_replaced", "verb_lost", "said_of",
    "said_otherwise", "said_elsewhere", "sentences", "foreign",
    "inverted", "adjacent", "turned_round", "run", "ends_swapped", "roles_turned", "roles_kept",
    "polarity_differs", "negation_differs", "negated_both",
    *(f"{name}_{side}" for name in STANDINGS for side in ("there", "here")),
    "focus_there", "focus_here", "focus_both", "focus_missing", "negations_apart", "negations_odd", "negated_here_only",
    "negated_there_only", "negated_sides", "opposed", "opposed_weight", "opposed_negated", "against",
    *(f"{kind}_{side}" for kind in DEGREES for side in ("here", "there")),
    "whole_for_part", "part_for_whole", "more_for_less",
    *(
        f"{kind}_{what}"
        for kind in ("figure", "date", "count")
        for what in ("same", "near", "other", "other_close", "none", "negated", "bound")
    ),
    "values_other", "values_same", "values_none", "values_extra",
    "false_beside", "false_titled", "false_anywhere", "false_after", "retold_beside", "retold_titled", "retold_anywhere",
    "labelled",
)  # fmt: skip
