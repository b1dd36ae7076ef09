"""What the words around a stretch of a sentence make of it: the value before, a difference, another's, a cause.

The wordings stand in `values.txt`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from groundwire.evidence.reading.analysis import Sentence
from groundwire.language.text.phrases import patterns
from groundwire.language.text.spans import Span

_WINDOW = 48
_NAME_NEXT = re.compile(r" [A-Z]")
_patterns = patterns("values.txt", __package__ or "", re.IGNORECASE)


def is_a_cause(sentence: Sentence, span: Span) -> bool:
    """Tell whether a stretch only says why something happened: "because a lawyer fell ill"."""
    return stands_before(sentence, span, "cause")


def follows(sentence: Sentence, span: Span) -> bool:
    """Tell whether a value is told as one that follows another: "has climbed to", 降至."""
    before = sentence.low[max(0, span[0] - 2 * _WINDOW) : span[0]]
    return _patterns["follows"].search(before) is not None


def is_at_the_earliest(sentence: Sentence, span: Span) -> bool:
    """Tell whether a day is told as the first possible one: "will not open before June"."""
    return stands_before(sentence, span, "not before")


def is_earlier(sentence: Sentence, span: Span) -> bool:
    """Tell whether a value is the one that was before, or another's that it is measured against."""
    behind = _patterns["earlier behind"].match(sentence.low, span[1])
    return behind is not None or stands_before(sentence, span, "earlier before")


def was_holder(sentence: Sentence, span: Span) -> bool:
    """Tell whether a name is that of who held a place before."""
    behind = _patterns["holder behind"].match(sentence.low, span[1])
    return behind is not None or stands_before(sentence, span, "holder before")


def takes_over(sentence: Sentence, span: Span) -> bool:
    """Tell whether somebody is named as who takes a place from another."""
    behind = _patterns["takes over"].match(sentence.low, span[1])
    return behind is not None or stands_before(sentence, span, "is put there")


def is_put_right(sentence: Sentence, span: Span) -> bool:
    """Tell whether a value is given as the right one, in place of another."""
    if stands_before(sentence, span, "right one"):
        return True
    corrects = _patterns["corrects"].search(sentence.low, 0, span[0]) is not None
    return corrects and stands_before(sentence, span, "instead")


def is_difference(sentence: Sentence, span: Span) -> bool:
    """Tell whether a figure only says by how much something changed."""
    return stands_before(sentence, span, "difference before")


def is_as_of(sentence: Sentence, span: Span) -> bool:
    """Tell whether a time is the one for which the sentence holds."""
    return stands_before(sentence, span, "as of")


def is_told_on(sentence: Sentence, span: Span) -> bool:
    """Tell whether a time is that of a report, not of what it tells: "we reported on 2 October that"."""
    return stands_before(sentence, span, "told on")


def was_said_on(sentence: Sentence, span: Span) -> bool:
    """Tell whether a time is that at which somebody said what the sentence tells: "it said in March", 在3月表示."""
    behind = _patterns["said on behind"].match(sentence.low, span[1])
    return behind is not None or stands_before(sentence, span, "said on")


def opens(sentence: Sentence, span: Span) -> bool:
    """Tell whether a sentence begins with a time, which then holds for all of it: "In March, …"."""
    return _patterns["opening"].fullmatch(sentence.low[: span[0]]) is not None


def offices(sentence: Sentence) -> Iterator[Span]:
    """Find the titles into which somebody is put, whatever they are: "named Ana Li as curator", 出任团长."""
    for heading in ("title", "title zh"):
        for match in _patterns[heading].finditer(sentence.low):
            yield match.span("title")


def seats_somebody(text: str) -> bool:
    """Tell whether a stretch says who holds a place, rather than only naming him with it."""
    return _patterns["seats"].search(text.lower()) is not None


def stands_apposed(sentence: Sentence, name: Span, office: Span) -> bool:
    """Tell whether a name stands in apposition to an office: "Rui Falcato, the new chief executive", 行长沈若兰."""
    first, second = sorted((name, office))
    return _patterns["apposed"].fullmatch(sentence.low[first[1] : second[0]]) is not None


def stands_beside(sentence: Sentence, span: Span) -> bool:
    """Tell whether the subject is named only beside another, as its rival or for comparison."""
    behind = _patterns["beside behind"].match(sentence.low, span[1])
    return behind is not None or stands_before(sentence, span, "beside before")


def is_of_others(sentence: Sentence) -> bool:
    """Tell whether a sentence begins with others: the market, rivals, analysts."""
    return _patterns["others"].match(sentence.low) is not None


def stretches_of(sentence: Sentence) -> tuple[Span, ...]:
    """Cut a sentence where it turns to something else: at a semicolon, "while", 而."""
    cuts = [match.start() for match in _patterns["turns"].finditer(sentence.low)]
    return tuple(pairwise([0, *cuts, len(sentence.text)])) if cuts else ((0, len(sentence.text)),)


def opens_with_others(text: str) -> bool:
    """Tell whether a stretch of a sentence begins with somebody beside the subject: its neighbour, 与它平行的."""
    return _patterns["beside it"].match(text.lower()) is not None


def refers_to_somebody(text: str) -> bool:
    """Tell whether a stretch has a word for somebody named before: "follows him"."""
    return _patterns["back"].search(text.lower()) is not None


def is_background(sentence: Sentence, span: Span) -> bool:
    """Tell whether a stretch only says after or before what something was, or whether it will be: 事故发生后, "when it reopens"."""
    behind = _patterns["background behind"].match(sentence.low, span[1])
    return behind is not None or stands_before(sentence, span, "background")


def is_since(sentence: Sentence, span: Span) -> bool:
    """Tell whether a time only says from when on something holds: 自11月起, "from May"."""
    behind = _patterns["since behind"].match(sentence.low, span[1])
    return behind is not None or stands_before(sentence, span, "since")


def costs_only(sentence: Sentence, span: Span) -> bool:
    """Tell whether an amount is all that is asked: 只要2元, which is no condition."""
    return stands_before(sentence, span, "only")


def is_any(sentence: Sentence) -> bool:
    """Tell whether a sentence begins with one of many, rather than with one that is known."""
    return _patterns["any"].match(sentence.low) is not None


def is_of_a_report(sentence: Sentence) -> bool:
    """Tell whether a sentence speaks of what was reported or said."""
    return _patterns["report"].search(sentence.low) is not None


def calls_report_false(sentence: Sentence) -> bool:
    """Tell whether a sentence says of a report, in one clause, that it is false or taken back."""
    reports = [each.end() for each in _patterns["report"].finditer(sentence.low)]
    against = [
        sentence.words[cue.first].start
        for cue in sentence.cues
        if cue.kind in ("false", "denies", "takes back")
    ]
    return any(
        at >= end and not any(end <= edge <= at for edge in sentence.edges)
        for end in reports
        for at in against
    )


def rejected_reports(sentence: Sentence) -> tuple[Span, ...]:
    """Find where a sentence says that somebody does not accept what was reported."""
    return tuple(each.span() for each in _patterns["rejected report"].finditer(sentence.low))


def act_shapes(sentence: Sentence, heading: str) -> Iterator[Span]:
    """Find acts by their shape: `done`, 停驶, or `undone`, 复航, "started again"."""
    for match in _patterns[heading].finditer(sentence.low):
        yield next(
            (match.span(each) for each, text in match.groupdict().items() if text), match.span()
        )


def takes_back(sentence: Sentence) -> bool:
    """Tell whether a house takes back in a sentence what it said before it."""
    return _patterns["taken back"].search(sentence.low) is not None


def tells_of_itself(sentence: Sentence) -> bool:
    """Tell whether a sentence says what its own page said before: "it said that", 本文说."""
    return _patterns["own words"].search(sentence.low) is not None


def narrows(sentence: Sentence, span: Span) -> bool:
    """Tell whether a name says where, so that what is told holds only there."""
    return stands_before(sentence, span, "where")


def stands_for(sentence: Sentence) -> bool:
    """Tell whether a sentence begins with what stands for somebody who was just named."""
    start = len(sentence.text) - len(sentence.text.lstrip("\"'( "))
    match = _patterns["stands for"].match(sentence.low[start:])
    # "The weather satellite Nimbus-C" is another.
    return match is not None and not _NAME_NEXT.match(sentence.text, start + match.end())


def stands_inside(sentence: Sentence) -> bool:
    """Tell whether a sentence has somewhere what stands for somebody by his kind: the company, 该行."""
    return _patterns["stands inside"].search(sentence.low) is not None


def stands_before(sentence: Sentence, span: Span, heading: str) -> bool:
    """Tell whether one of the wordings under a heading stands right before a stretch."""
    before = sentence.low[max(0, span[0] - _WINDOW) : span[0]]
    return _patterns[heading].search(before) is not None
