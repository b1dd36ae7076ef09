"""A whole page read for a claim: the sentences that speak of it, the headline, and how much of the page tells it.

The counterpart of `reader.read` for pages. The sentences that cover most of the claim are read in their context; three
heads of their own (`trees.page_weights`), trained like those of the reader, weigh these readings together with the
headline and the opening. They see `PageView.features`, in the order that their weights name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from groundwire.evidence.reading.alignment import Alignment, Claim, align
from groundwire.evidence.reading.analysis import Analysis, Sentence
from groundwire.evidence.reading.reader import Reading, judge
from groundwire.evidence.reading.trees import Weights, weights
from groundwire.evidence.reading.turns import CONTENT
from groundwire.language.text.characters import normalise
from groundwire.model.stance import StanceLabel

_READ = 4  # sentences of a page that are read: those that cover most
_LEAST = 0.3  # of the claim, before a sentence is read besides the best one
_OLD = 45  # days after which what happened is no news
_COVERING = 8  # sentences that are asked how they tell it
_SIDES: tuple[StanceLabel, ...] = ("supports", "contradicts")
_OPENING = 3  # sentences of a page that say what it is about
_TOLD = ("retells", "asks")
_DENIED = ("false", "denies", "takes back")
_SHARES = (
    "covered_content", "covered_around", "covered_names_around", "covered_plain", "covered_acts", "covered_acts_around",
    "covered_who_and_act", "grams",
)  # fmt: skip
_SIGNS = (
    "negation_differs", "denied_there", "false_there", "false_after", "ended_there", "opposed_weight", "figure_other",
    "date_other", "count_other", "figure_negated", "retold_there", "hedged_there", "planned_there", "asked_there",
    "roles_turned", "name_replaced", "labelled", "figure_bound", "part_there", "taken_back_there",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class PageView:
    """The readings of a page and of its headline, and the features that the page's heads see."""

    readings: tuple[Reading, ...]  # the one that covers most first
    title: Reading | None
    features: dict[str, float]
    alignment: Alignment
    names_it: bool = True  # the first name of the claim stands somewhere on it


def view_page(claim: Claim, page: Analysis, learned: Weights | None = None) -> PageView:
    """Read the headline and the sentences that cover most of the claim."""
    trees = learned or weights()
    first = align(claim, page)
    order = sorted(range(len(page.sentences)), key=lambda n: (-first.covered[n], n))
    chosen = [n for n in order[:_READ] if first.covered[n] >= _LEAST and n != first.best]
    aligned = [first, *(align(claim, page, at=n, known=first) for n in chosen)]
    readings = [judge(each, trees) for each in aligned]
    headline = None
    if page.title is not None:
        text = page.title.text
        title_page = Analysis(text, normalise(text), [page.title], None, page.chinese)
        headline = judge(align(claim, title_page), trees)
    seen = _features(claim, page, first, aligned, readings, headline)
    return PageView(tuple(readings), headline, seen, first, _names_it(claim, first))


def _features(
    claim: Claim,
    page: Analysis,
    first: Alignment,
    aligned: Sequence[Alignment],
    readings: Sequence[Reading],
    headline: Reading | None,
) -> dict[str, float]:
    seen: dict[str, float] = {}
    _reading_features(readings, headline, seen)
    _sign_features(readings, headline, seen)
    _page_features(page, first, seen)
    opening = [each for each in aligned if each.best < _OPENING]
    named = [i for i, kind in enumerate(claim.sentence.kinds) if kind[:1] == "n"]
    if page.speaker and any(first.anywhere[i] >= 1.0 for i in named):
        # The name of who says "we" was put beside the title by us; it replaces nobody who is named.
        seen["name_replaced_title"] = 0.0
    seen["covered_together"] = _joint_coverage(claim, aligned)
    seen["covered_opening"] = _joint_coverage(claim, opening)
    seen["acts_anywhere"] = _acts_anywhere(claim, readings[0], first)
    seen["long_ago"] = _long_ago(claim, aligned)
    return {name: round(value, 3) for name, value in seen.items()}


def _reading_features(
    readings: Sequence[Reading], headline: Reading | None, seen: dict[str, float]
) -> None:
    """Add what the heads say of the sentences and of the headline."""
    for name in ("same", "against", "stated"):
        values = [getattr(each, name) for each in readings]
        seen[f"{name}_best"], seen[f"{name}_most"] = values[0], max(values)
        seen[f"{name}_least"] = min(values)
        seen[f"{name}_title"] = getattr(headline, name) if headline else 0.0
    for label in _SIDES:
        seen[f"{label}_most"] = max(each.scores[label] for each in readings)
        seen[f"{label}_sum"] = sum(each.scores[label] for each in readings)


def _sign_features(
    readings: Sequence[Reading], headline: Reading | None, seen: dict[str, float]
) -> None:
    """Add the features of the readings themselves."""
    best = readings[0].trace
    above: Mapping[str, float] = headline.trace if headline else {}
    for name in _SHARES:
        seen[name] = max(each.trace.get(name, 0.0) for each in readings)
        seen[f"{name}_title"] = above.get(name, 0.0)
    for sign in _SIGNS:
        seen[f"{sign}_best"] = best.get(sign, 0.0)
        seen[f"{sign}_most"] = max(each.trace.get(sign, 0.0) for each in readings)
        seen[f"{sign}_title"] = above.get(sign, 0.0)
    seen["covered_anywhere"] = best.get("covered_anywhere", 0.0)
    seen["missing_names"] = best.get("missing_names", 0.0)
    seen["values_same"] = max(each.trace.get("values_same", 0.0) for each in readings)
    seen["values_none"] = min(each.trace.get("values_none", 0.0) for each in readings)


def _page_features(page: Analysis, first: Alignment, seen: dict[str, float]) -> None:
    """Add how far plain, debunking and retelling sentences cover the claim, and how late the best one comes."""
    seen.update(plain=0.0, debunking=0.0, retelling=0.0)
    titled = _has(page.title, _DENIED)
    order = sorted(range(len(page.sentences)), key=lambda n: -first.covered[n])[:_COVERING]
    for number in order:
        sentence = page.sentences[number]
        manner = "retelling" if _has(sentence, _TOLD) else "plain"
        kind = "debunking" if titled or _has(sentence, _DENIED) else manner
        seen[kind] = max(seen[kind], first.covered[number])
    whole = sum(first.covered) or 1.0
    for name, kinds in (("denied_share", _DENIED), ("retold_share", _TOLD)):
        pairs = zip(first.covered, page.sentences, strict=True)
        seen[name] = sum(share for share, s in pairs if share and _has(s, kinds)) / whole
    seen["late"] = first.best / max(1, len(page.sentences))
    seen["sentences"] = float(min(60, len(page.sentences)))


def _joint_coverage(claim: Claim, aligned: Sequence[Alignment]) -> float:
    """Measure how far several sentences together cover the claim, each word by its best match."""
    return (
        sum(
            each.weight * max((one.strengths[i] for one in aligned), default=0.0)
            for i, each in enumerate(claim.sought)
        )
        / claim.total
    )


def _names_it(claim: Claim, first: Alignment) -> bool:
    """Tell whether a page in the claim's language has its first name; in another it may be spelt otherwise."""
    if first.passage.chinese != claim.analysis.chinese:
        return True
    sought = claim.sought
    if claim.analysis.chinese:
        # Up to a verb, a preposition or an adverb.
        tags = claim.sentence.tags
        end = next((i for i, tag in enumerate(tags) if i and tag[:1] in "vpd" and tag), 0)
        name = [i for i in range(end) if sought[i].weight > CONTENT and not sought[i].value]
    else:
        kinds = claim.sentence.kinds
        named = [i for i, kind in enumerate(kinds) if kind == "n" and len(sought[i].word.key) > 2]
        name = [i for place, i in enumerate(named) if i == named[0] + place]
    return not name or any(max(first.anywhere[i], first.around[i]) >= CONTENT for i in name)


def _acts_anywhere(claim: Claim, best: Reading, first: Alignment) -> float:
    """Measure how far the page anywhere has the claim's verbs."""
    kinds = claim.sentence.kinds
    acts = [i for i, each in enumerate(claim.sought) if kinds[i] == "v" and each.weight > CONTENT]
    if not acts:
        return best.trace.get("covered_anywhere", 0.0)
    total = sum(claim.sought[i].weight for i in acts)
    return sum(first.anywhere[i] * claim.sought[i].weight for i in acts) / total


def _long_ago(claim: Claim, aligned: Sequence[Alignment]) -> float:
    """Compute the share of the sentences read whose dates all lie long before the claim's."""
    said = claim.sentence.published
    if said is None:
        return 0.0
    claim_days = [day.date for day in claim.sentence.dates if day.date is not None]
    since = min([*claim_days, said])
    count = 0
    for each in aligned:
        days = [day.date for day in each.sentence.dates if day.date is not None]
        count += bool(days) and all((since - day).days > _OLD for day in days)
    return count / len(aligned)


def _has(sentence: Sentence | None, kinds: Sequence[str]) -> bool:
    return sentence is not None and not sentence.manners.isdisjoint(kinds)
