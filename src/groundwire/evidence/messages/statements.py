"""Whole statements: where a sentence puts two side by side, each with its own subject and verb, and who it speaks of."""

from __future__ import annotations

import re

from groundwire.evidence.messages.noise import BREAK, said
from groundwire.evidence.reading.analysis import Sentence
from groundwire.language.text.chinese import tagged

Span = tuple[int, int]
_ENGLISH = re.compile(rf"(?P<and>{said('and')})|;\s*|\s*[{BREAK}]\s*|(?P<comma>,\s+)")
_CHINESE = re.compile(rf"(?P<and>{said('besides')})|;|,\s*|\s*[{BREAK}]\s*")
_PROPER = frozenset({"nr", "nrt", "nrfg", "ns", "nt", "nz", "eng", "j"})
# Of "Verano Motors chief Luis Ortega" the house is what the company means.
_HOUSE = re.compile(r"((?:[A-Z][\w&.-]*\s?)+)(?= [a-z])")
_AUXILIARIES = said.words("auxiliaries")
_SAME_IN_PAST = said.words("same in past")
_UNFOLLOWED = said.words("behind participles")
_OPENERS = said.words("before objects") | said.words("pronouns")
_RELATIVES = said.words("relatives")
_BOUND = said.words("bound") | _UNFOLLOWED  # what begins so belongs to another clause
_TOLD = {"says", "retells", "asks", "supposes"}  # what reaches over all that is joined behind it
_REACHES = {"plans", "negates", "hedges", "supposes"}  # over what is joined without a subject
_NEAR = 7  # words in which a statement has its verb, and of a subject at most
_MOST_CHARACTERS = 8  # of a Chinese subject


def forms(sentence: Sentence) -> list[str]:
    """Its words in small letters; a name keeps its capital: WHO is not who."""
    found: list[str] = []
    for word in sentence.words:
        written = sentence.text[word.start : word.end]
        initials = len(written) > 1 and written.isupper()
        found.append(written if word.named or initials else written.lower())
    return found


def parts(sentence: Sentence, start: int, end: int, chinese: bool) -> list[Span]:
    """The statements that stand side by side in a stretch of a sentence; the stretch itself where there is one."""
    found: list[Span] = []
    apart = _apart_chinese if chinese else _apart
    for match in (_CHINESE if chinese else _ENGLISH).finditer(sentence.low, start, end):
        left, right = (start, match.start()), (match.end(), end)
        if match.end() < end and start < match.start() and apart(sentence, left, right, match):
            found.append(left)
            start = match.end()
    return [*found, (start, end)]


def _apart_chinese(sentence: Sentence, left: Span, right: Span, sign: re.Match[str]) -> bool:
    one, two = sentence.text[slice(*left)], sentence.text[slice(*right)].lstrip(" ,").split(",")[0]
    if not (has_chinese_verb(one) and has_chinese_verb(two)):
        return False
    own = chinese_subject(two) != ""
    if sign["and"] is not None:
        # 将关闭工厂并裁员: what is planned, denied or doubted of the first is so of the second.
        return own or _cues(sentence, left) & _REACHES <= _cues(sentence, right)
    # What is told, supposed or caused in the first goes on in the second, and a figure alone belongs to it.
    kinds = {tag for _, tag in tagged(two)}
    figure = tagged(two)[0][1] == "m" or ("m" in kinds and not _PROPER & kinds)
    bound = figure or said["spoken zh"].search(one) or said["bound zh"].match(one)
    return ";" in sign.group() or (own and chinese_subject(one) != "" and not bound)


def _cues(sentence: Sentence, span: Span) -> set[str]:
    starts = [word.start for word in sentence.words] or [0]
    return {
        cue.kind
        for cue in sentence.cues
        if span[0] <= starts[min(cue.first, len(starts) - 1)] < span[1]
    }


def _apart(sentence: Sentence, left: Span, right: Span, sign: re.Match[str]) -> bool:
    low = forms(sentence)
    first, (begin, end) = _words(sentence, *left), _words(sentence, *right)
    verb, other = finite(sentence, *first), finite(sentence, begin, min(end, begin + _NEAR))
    if verb is None or other is None:
        return False
    if sign["and"] is None and sign["comma"] is None:
        return True
    bound = _is_bound(sentence, first[0]) or _cues(sentence, left) & _TOLD
    relative = _RELATIVES.intersection((*low[first[0] : verb], *low[begin:other]))
    # Behind its last comma the left side must state something, or the right one may end a list.
    last = _words(sentence, max(left[0], sentence.low.rfind(", ", *left)), left[1])
    shared = said.words("shared").intersection(low[last[1] - 6 : last[1]])
    if bound or relative or shared or finite(sentence, *last) is None:
        return False
    tensed, opening = low[other] in _AUXILIARIES, low[begin]
    if sign["comma"] is not None:
        return tensed and other > begin and not _is_bound(sentence, begin)
    # It has its own subject, or a verb that brings its own tense.
    owned = other > begin and (opening[0].isupper() or opening in _OPENERS)
    owned = owned and (tensed or [*low, ""][other + 1] not in _UNFOLLOWED)
    return owned or (tensed and other == begin)


def _is_bound(sentence: Sentence, at: int) -> bool:
    form, after = forms(sentence)[at], [*forms(sentence), ""][at + 1]
    verb = _is_verb(sentence, at) and after not in _AUXILIARIES
    return form in _BOUND or form[0].isdigit() or form.endswith("ing") or verb


def _words(sentence: Sentence, start: int, end: int) -> Span:
    """Numbers of the words that stand between two offsets."""
    inside = [n for n, word in enumerate(sentence.words) if start <= word.start < end]
    return (inside[0], inside[-1] + 1) if inside else (0, 0)


def finite(sentence: Sentence, first: int, last: int) -> int | None:
    """The number of the first word that is a finite verb as far as its form and its neighbours tell."""
    low = [*forms(sentence), ""]
    for at in range(first, last):
        before, after = low[at - 1] if at else "", low[at + 1]
        if before.lower() in ("to", "of", "be") or not _is_verb(sentence, at):
            continue
        # "The treaty signed by both": a participle behind its noun; "Renna filed for" is none.
        participle = after == "by" or (after in _UNFOLLOWED and not before[:1].isupper())
        noun = participle or after in _AUXILIARIES  # "UN agencies can"
        if low[at] in _AUXILIARIES or (at > first and not noun):
            return at
    return None


def _is_verb(sentence: Sentence, at: int) -> bool:
    form = forms(sentence)[at]
    known = form in _AUXILIARIES or form in _SAME_IN_PAST
    return known or (sentence.kinds[at] == "v" and len(form) > 1)


def has_chinese_verb(flat: str) -> bool:
    return any(tag[0] == "v" or word in ("被", "遭", "获") for word, tag in tagged(flat))


def chinese_subject(flat: str) -> str:
    """What stands before the verb of a Chinese clause, without its time; empty when it begins with the verb."""
    found, noun = "", False
    for word, tag in tagged(flat):
        if (tag[0] in "vdp" or (tag[0] == "c" and word not in "和与及")) or (
            found and tag[0] in "tm"
        ):
            return found if noun else ""
        if tag[0] != "t" and word not in (" ", ",", ":"):
            found += word
            noun = noun or tag[0] in "nrejlisz"
        elif found:
            return found if noun else ""
    return ""


def subject(sentence: Sentence, chinese: bool) -> str:
    """Who or what a statement speaks of: what it begins with up to its verb, without what stands in commas."""
    if chinese:
        found = chinese_subject(sentence.text)
        return found if len(found) <= _MOST_CHARACTERS else ""
    at = finite(sentence, 0, len(sentence.words))
    if not at or at > _NEAR:
        return ""
    return sentence.text[: sentence.words[at].start].split(",")[0].strip()


def completed(
    sentence: Sentence, chinese: bool, before: str, joined: bool
) -> tuple[str, int] | None:
    """The subject that a statement borrows from the one before, and where its own words begin then.

    One that is not joined to it in a sentence has to show that it goes on.
    """
    anaphor, also = said["anaphor"].match(sentence.low), said["also"].match(sentence.low)
    start = anaphor.end() if anaphor else also.end() if also else 0
    low, at = forms(sentence), _words(sentence, start, len(sentence.text))[0]
    if not before or at >= len(low):
        return None
    if anaphor is not None:
        house = _HOUSE.match(before) if "the " in anaphor.group() else None
        acts = chinese or _is_verb(sentence, at) or low[at].endswith(("s", "ly"))
        acts = acts or said["also"].match(low[at]) is not None
        return (house[1] if house else before, start) if acts else None
    if chinese:
        opening = tagged(sentence.text[start:])[0][1][0]
        bare = opening == "d" or (opening == "v" and (joined or also is not None))
    else:
        bare = _is_verb(sentence, at)
    return (before, start) if bare else None
