"""The stance of a page towards a claim, as the product states it: read from its words, then again by the encoder."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

from groundwire.evidence.citations.problems import problem
from groundwire.evidence.pages.presence import publication_day
from groundwire.evidence.reading.alignment import Claim
from groundwire.evidence.reading.analysis import Analysis, Sentence, analyse
from groundwire.evidence.reading.comparison import compare
from groundwire.evidence.reading.pages import PageView, view_page
from groundwire.evidence.reading.reader import Reading, claim_of, contradicting
from groundwire.evidence.reading.second import names_sibling, read_again
from groundwire.evidence.reading.standing import PLANNED
from groundwire.evidence.reading.trees import page_weights
from groundwire.language.names.names import has_name, known_spellings, names
from groundwire.language.time.dates import writes_year
from groundwire.model.phrase import Phrase
from groundwire.model.source import Evidence
from groundwire.model.stance import Stance, StanceLabel, StanceScores

# Chosen for verdicts on scenarios, of which the heads learned nothing; a wrong side costs more than silence.
# How likely a page must be of the same matter before it
_SAME_TO_COUNT = 0.5  # is said to speak of the claim at all,
_SAME_IF_OLDER = 0.57  # the same for a page that is older than the message,
_SAME_TO_DIFFER = 0.7  # contradicts by another figure, day, name or word,
_SAME_TO_DENY = 0.15  # contradicts by a denial, a negation or by calling it false;
_SAME_OF_SENTENCE = 0.45  # and one of its sentences, before that alone contradicts for the page.
# How likely it must be against the claim
_AGAINST_IF_DENIED = 0.78  # with a denial, a negation or "false",
_AGAINST_IF_OTHER = 0.97  # with another figure, day, name or word;
_AGAINST_IF_TURNED = (
    0.9  # with the opposite of one of its words, where the encoder sees its matter;
)
_SAME_IF_PART = 0.2  # tells a part of it.
# How much of a claim a headline must say before it settles the page, with a figure, the claim's or another, or without its
# negation, how surely the opposite of it, and how much of what both say must be negated in one of them.
_WITH_FIGURE, _HEADED, _NEGATED = 0.7, 0.9, 0.5
_AGAINST_AT_MOST = 0.6  # How likely it may be against a claim that it supports.
_STATED = 0.35  # how likely it must state the claim, before it supports
# A sentence with another value denies the claim's where it is surely of the same matter, and the words around
# both values are the same.
_SAME_OF_VALUE, _CLOSE = 0.8, 0.8
_OLDER = timedelta(days=2)
_STRONG = ("called_false", "denied", "negated", "not_that_figure")
# No sentence that shows one of these is quoted for the claim, however sure the heads are.
_VETOES = (*_STRONG, "opposite", "ended", "roles", "other_figure", "other_date")
_BEARS = 0.2  # of a claim must stand on a page before it is read again
# How sure words must be of a side before it stands by itself.
_PLAINLY: dict[StanceLabel, float] = {"supports": 0.35, "contradicts": 0.8}
_LIKELY = 0.5  # how likely the encoder must find a side before it chooses the sentence to quote
_SEEN: dict[StanceLabel, str] = {  # why a page says what only the second reading sees
    "supports": "same", "contradicts": "opposite", "qualifies": "part", "unrelated": "other",
}  # fmt: skip
# What a page is, whatever its words say.
_SETTLED = ("problem.satire", "problem.withdrawn")
_LONG_BEFORE = timedelta(days=10)  # a page so much older denies nothing that was said since
_WE = re.compile(r"\b(?:we|our|us)\b|我们|我們|我司|本公司|本所|本行", re.IGNORECASE)
_OPENING = 2_000  # characters of a page in which it says who speaks
_NO_PAPER = ("primary", "unknown")  # tiers of pages that may be somebody's own
_KEPT = 256  # pages whose analysis stays at hand
# Why a page says what it says, by the sign that its reading shows.
_REASONS = {
    "called_false": "opposite", "denied": "opposite", "negated": "opposite", "not_that_figure": "other_figure",
    "opposite": "opposite", "ended": "opposite", "other_figure": "other_figure", "other_date": "other_date",
    "roles": "roles", "named_otherwise": "opposite", "asked": "question", "rumoured": "uncertain", "supposed": "uncertain",
    "planned": "uncertain", "hedged": "uncertain", "bound": "estimate", "estimate": "estimate",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class JudgedPage:
    """A page with what its heads give it: how likely it is of the same matter, against the claim, stating it."""

    evidence: Evidence
    view: PageView
    same: float
    against: float
    stated: float
    rival: bool = False  # the sentence that speaks most of the claim has another figure itself
    named: bool = True  # it, or who publishes it, has the first name of the claim


def position(claim: str, evidence: Evidence, *, told: date | None = None) -> Stance:
    """Return the stance of a page towards a claim; offsets are those of its document's text.

    `told` is the day of the message: a page that is much older cannot deny what it says.
    """
    page = _judge(claim, evidence, told)
    since = _since(page.view.alignment.claim, told)
    first = decide(page, since)
    settled = first.reasons[0].code in _SETTLED or "injection" in evidence.flags
    if settled or not page.named or page.view.features["covered_anywhere"] < _BEARS:
        return first
    second = read_again(page.view.alignment)
    plainly = (
        first.label in _PLAINLY
        and getattr(first.scores, first.label) >= _PLAINLY[first.label]
        and _has_known_name(page)
    )
    opposed = page.view.features["opposed_weight_best"] > 0
    against = page.against >= _AGAINST_IF_TURNED
    label = second.label(
        first.label,
        plainly=plainly,
        opposed=opposed,
        against=against,
        affirmed=_affirms_headline(page),
        headed=_has_same_headline(page),
    )
    if label not in _PLAINLY and _has_other_headline(page):
        label = "contradicts"
    if label == "qualifies" and page.same < _SAME_IF_PART:
        label = "unrelated"
    if label == "contradicts" and (_age(evidence, since) > _LONG_BEFORE or _only_expects(page)):
        label = "unrelated"
    stance = first
    # Where the encoder sees a side, too, it tells better than words which sentence takes it.
    if label != first.label or (label in _PLAINLY and getattr(second.scores, label) >= _LIKELY):
        rival = _rival(page) if label == "contradicts" else None
        span = rival or ((0, 0) if label == "unrelated" else second.place(label))
        reason = "other_figure" if rival else _SEEN[label]
        reasons = first.reasons if label == first.label else (problem(reason),)
        stance = _placed(first, label, evidence, span, reasons)
    if names_sibling(page.view.alignment.claim.sentence, stance.quote):
        return _placed(first, "unrelated", evidence, (0, 0), (problem(_SEEN["unrelated"]),))
    return stance


def _affirms_headline(page: JudgedPage) -> bool:
    """Tell whether the headline says all of what the claim says, but for its negation."""
    seen = page.view.features
    return (
        seen["negation_differs_title"] >= _NEGATED
        and min(seen["covered_content_title"], seen["against_title"]) >= _HEADED
    )


def _has_same_headline(page: JudgedPage) -> bool:
    """Tell whether the headline says most of the claim with all its figures."""
    title = page.view.title
    return (
        title is not None
        and title.trace.get("figure_same") == 1.0
        and page.view.features["covered_content_title"] >= _WITH_FIGURE
    )


def _has_other_headline(page: JudgedPage) -> bool:
    """Tell whether the headline says most of the claim with another figure, and the page nowhere has the claim's."""
    seen = page.view.features
    return (
        seen["figure_other_title"] > 0
        and seen["values_same"] == 0
        and page.same >= _SAME_TO_COUNT
        and seen["covered_content_title"] >= _WITH_FIGURE
        and seen["against_title"] >= _HEADED
    )


def _rival(page: JudgedPage) -> tuple[int, int] | None:
    """Locate the sentence with another figure than the claim's, where that is what turns the page."""
    if _sign(page.view.readings) != "other_figure" and not _has_other_headline(page):
        return None
    found = page.view.alignment
    told = zip(found.covered, found.passage.sentences, strict=True)
    rivals = [(covered, each) for covered, each in told if _has_other_figure(found.claim, each)]
    if not rivals:
        return None
    _, sentence = max(rivals, key=lambda each: each[0])
    return found.passage.original(sentence, sentence)


def _has_other_figure(claim: Claim, sentence: Sentence) -> bool:
    values = compare(claim.sentence, [(0, sentence)])
    return any(value.kind == "figure" and value.outcome == "other" for value in values)


def _only_expects(page: JudgedPage) -> bool:
    """Tell whether all other values that a page has are planned or forecast, where the claim says what is."""
    found = page.view.alignment
    others = [(v, v.place) for v in found.values if v.outcome == "other" and v.place is not None]
    return bool(others) and all(
        _expects(found.passage.sentences[number], start, end)
        and not _expects(found.claim.sentence, value.start, value.end)
        for value, (number, start, end) in others
    )


def _expects(sentence: Sentence, start: int, end: int) -> bool:
    words = zip(sentence.words, sentence.marks, strict=True)
    return any(mark & PLANNED for word, mark in words if word.start < end and start < word.end)


def _has_known_name(page: JudgedPage) -> bool:
    """Tell whether a page in another language has one of the claim's names that can be written in its script, if any."""
    found = page.view.alignment
    if found.passage.chinese == found.claim.analysis.chinese:
        return True
    spellings = [known_spellings(each.text) for each in names(found.claim.sentence.text)]
    known = [
        ways for ways in spellings if any(way.isascii() != found.passage.chinese for way in ways)
    ]
    text = f"{page.evidence.document.title}\n{page.evidence.document.text}"
    return not known or any(has_name(ways[0], text) for ways in known)


def _names_publisher(claim: str, evidence: Evidence) -> bool:
    """Tell whether a claim is about who publishes the page, if that is no paper: it need not name itself."""
    publisher = evidence.document.publisher or ""
    if evidence.tier not in _NO_PAPER:
        return False
    return any(has_name(each.text, publisher) for each in names(claim)[:1]) or (
        publisher != "" and claim.startswith(publisher)
    )


def _placed(
    first: Stance, label: StanceLabel, evidence: Evidence, span: tuple[int, int], reasons: tuple[Phrase, ...]
) -> Stance:  # fmt: skip
    """Return a stance with another label, quote or reason."""
    start, end = span
    changes = {
        "label": label,
        "quote": evidence.document.text[start:end],
        "start": start,
        "end": end,
    }
    return first.model_copy(update={**changes, "reasons": reasons})


def _since(claim: Claim, told: date | None) -> date | None:
    """Return the day after which a page may deny a claim: of its message, or the year that it writes itself."""
    years = [day.year for day in claim.sentence.dates if day.year and writes_year(day)]
    return min(told, date(max(years), 1, 1)) if told and years else told


def _age(evidence: Evidence, told: date | None) -> timedelta:
    """Return how much older than the message a page is, zero if either day is unknown."""
    day = publication_day(evidence.document)
    return told - day if told and day else timedelta(0)


def _judge(claim: str, evidence: Evidence, told: date | None) -> JudgedPage:
    prepared, page = claim_of(claim, told), _analysed(evidence)
    view = view_page(prepared, page)
    heads = page_weights()
    values = [view.features[name] for name in heads.names]
    same, against, stated = (
        heads.heads[name].probability(values) for name in ("same", "against", "stated")
    )
    rival = _has_rival(prepared, page, view)
    named = view.names_it or _names_publisher(claim, evidence)
    return JudgedPage(evidence, view, same, against, stated, rival, named)


def _has_rival(claim: Claim, page: Analysis, view: PageView) -> bool:
    """Tell whether the sentence that speaks most of the claim has another figure, whatever else the page counts."""
    start = view.readings[0].start
    best = [each for each in page.sentences if page.original(each, each)[0] == start]
    return any(_has_other_figure(claim, sentence) for sentence in best)


def _analysed(evidence: Evidence) -> Analysis:
    document = evidence.document
    speaker = document.publisher if _WE.search(document.text[:_OPENING]) else None
    return _analysis(document.text, document.title, publication_day(document), speaker or "")


@lru_cache(maxsize=_KEPT)
def _analysis(text: str, title: str, published: date | None, speaker: str) -> Analysis:
    return analyse(text, title=title, published=published, speaker=speaker)


def decide(page: JudgedPage, told: date | None) -> Stance:
    """Return the stance that heads and readings give a judged page."""
    evidence, readings = page.evidence, page.view.readings
    if "satire" in evidence.flags or evidence.tier == "satire":
        return _stance(page, "unrelated", "satire")
    age = _age(evidence, told)
    sign = _sign(readings)
    strong = sign in _STRONG
    against = bool(sign) and page.against >= (_AGAINST_IF_DENIED if strong else _AGAINST_IF_OTHER)
    denials = _denials(page.view)
    if not any(each.label == "supports" for each in readings):
        against = against or any(each.same >= _SAME_OF_SENTENCE for each in denials)
        against = against or any(map(_states_other_value, readings))
    if page.same < (
        _SAME_TO_DENY if against and strong else _SAME_TO_DIFFER if against else _SAME_TO_COUNT
    ):
        return _stance(page, "unrelated", "other")
    if "retraction" in evidence.flags:
        return _stance(page, "contradicts", "withdrawn", readings[0])
    if against and age > _LONG_BEFORE:
        return _stance(page, "unrelated", "other")
    if against:
        reason = _REASONS.get(sign, "opposite")
        return _stance(page, "contradicts", reason, _speaker(page, "contradicts"))
    if "injection" in evidence.flags:
        # Whoever plants orders in a page is no witness.
        return _stance(page, "unrelated", "uncertain")
    if page.same < _SAME_IF_OLDER and age > _OLDER:
        return _stance(page, "unrelated", "other")
    if not page.named:
        return _stance(page, "unrelated", "other")
    plain = [each for each in readings if contradicting(each.seen) not in _VETOES]
    if page.rival or _has_other_values(page.view):
        plain = []
    if plain and not denials and page.against <= _AGAINST_AT_MOST and page.stated >= _STATED:
        speaker = max(plain, key=lambda each: each.scores["supports"])
        return _stance(page, "supports", "same", speaker)
    return _stance(page, "qualifies", _REASONS.get(readings[0].sign, "part"), readings[0])


def _denials(view: PageView) -> list[Reading]:
    """Collect the sentences, headline included, that by themselves say the opposite of the claim."""
    readings = [*view.readings, *([view.title] if view.title else [])]
    return [each for each in readings if each.label == "contradicts" and each.sign in _STRONG]


def _states_other_value(reading: Reading) -> bool:
    """Tell whether a sentence says the same with another figure or date in its place."""
    if reading.label != "contradicts" or reading.same < _SAME_OF_VALUE:
        return False
    close = {"other_figure": "figure_other_close", "other_date": "date_other_close"}
    return reading.trace.get(close.get(reading.sign, ""), 0.0) >= _CLOSE


def _has_other_values(view: PageView) -> bool:
    """Tell whether a page has other figures or dates for the matter, and nowhere those of the claim."""
    seen = view.features
    other = max(seen["figure_other_most"], seen["date_other_most"], seen["count_other_most"])
    return other > 0 and seen["values_same"] == 0


def _speaker(page: JudgedPage, label: StanceLabel) -> Reading:
    return max(page.view.readings, key=lambda each: each.scores[label])


def _sign(readings: Sequence[Reading]) -> str:
    """Return the sign of the reading that is most clearly against the claim, empty if no reading shows one."""
    order = sorted(readings, key=lambda each: -each.scores["contradicts"])
    return next((sign for each in order if (sign := contradicting(each.seen))), "")


def _stance(
    page: JudgedPage, label: StanceLabel, reason: str, speaker: Reading | None = None
) -> Stance:
    start, end = (speaker.start, speaker.end) if speaker else (0, 0)
    straight = page.same * (1 - page.against)
    return Stance(
        label=label,
        scores=StanceScores(
            supports=round(straight * page.stated, 6),
            contradicts=round(page.same * page.against, 6),
            qualifies=round(straight * (1 - page.stated), 6),
            unrelated=round(1 - page.same, 6),
        ),
        quote=page.evidence.document.text[start:end],
        start=start,
        end=end,
        reasons=(problem(reason),),
    )
