"""Whole statements: where a sentence puts two side by side, each with its own subject and verb, and who it speaks of."""

from __future__ import annotations

import re
from functools import lru_cache

from groundwire.evidence.messages.noise import BREAK, said
from groundwire.evidence.reading.analysis import Sentence, Word
from groundwire.language.text.stems import base


def _set(heading: str) -> frozenset[str]:
    return frozenset(said(heading).split("|"))


_ENGLISH = re.compile(rf"(?P<and>{said('and')})|;\s*|\s*[{BREAK}]\s*|(?P<comma>,\s+)")
_CHINESE = re.compile(rf"(?P<and>{said('besides')})|;|,\s*|\s*[{BREAK}]\s*")
_BECAUSE = re.compile("如果|若|因|由于|虽|尽管|当|随着|为了?|除了?|自|据|对于?|在")
_SPOKEN = re.compile("称|表示|说|认为|指出|透露|强调|坦言|相信|预[计测]|显示|表明|是否|吗")
_PROPER = frozenset({"nr", "nrt", "nrfg", "ns", "nt", "nz", "eng", "j"})
_ANAPHOR = re.compile(said("anaphor"))
# Of "Verano Motors chief Luis Ortega" the house is what the company means.
_HOUSE = re.compile(r"((?:[A-Z][\w&.-]*\s?)+)(?= [a-z])")
_ALSO = re.compile(r"(?:(?:and|also|later|then)\b,?\s*)+|(?:还|也|并|同时|此外|另外|又)+,?")
_AUXILIARIES = _set("auxiliaries")
_SAME_IN_PAST = _set("same in past")
_NO_PAST = _set("no past")
_UNFOLLOWED = _set("behind participles")
_OBJECTS = _set("before objects")
_PRONOUNS = _set("pronouns")
_RELATIVES = _set("relatives")
_SUBORDINATES = _set("subordinates")
_JOINING = _set("joining")
_NUMERALS = _set("numerals")
_SHARED = _set("shared")
_TOLD = ("says", "retells", "asks", "supposes")  # what reaches over all that is joined behind it
_REACHES = ("plans", "negates", "hedges", "supposes")  # over what is joined without a subject
_NEAR = 7  # words in which a statement has its verb
_MOST_WORDS = 7  # of a subject
_MOST_CHARACTERS = 8  # of a Chinese one


@lru_cache(maxsize=256)
def tags(flat: str) -> tuple[tuple[str, str], ...]:
    """The words of Chinese text with what each is."""
    # Deferred: loading the dictionary takes longer than most commands that never need it.
    import rjieba

    return tuple(rjieba.tag(flat))


def parts(sentence: Sentence, start: int, end: int, chinese: bool) -> list[tuple[int, int]]:
    """The statements that stand side by side in a stretch of a sentence; the stretch itself where there is one."""
    found: list[tuple[int, int]] = []
    for match in (_CHINESE if chinese else _ENGLISH).finditer(sentence.low, start, end):
        if match.end() >= end or match.start() <= start:
            continue
        apart = _apart_chinese if chinese else _apart
        if apart(sentence, (start, match.start()), (match.end(), end), match):
            found.append((start, match.start()))
            start = match.end()
    return [*found, (start, end)]


def _apart_chinese(
    sentence: Sentence, left: tuple[int, int], right: tuple[int, int], sign: re.Match[str]
) -> bool:
    one, two = sentence.text[slice(*left)], sentence.text[slice(*right)]
    if not (has_chinese_verb(one) and has_chinese_verb(two.split(",")[0])):
        return False
    own = chinese_subject(two) != ""
    if sign["and"] is None and ";" in sign.group():
        return True
    if sign["and"] is None:
        # What is told, supposed or caused in the first goes on in the second, and a figure alone belongs to it.
        kinds = {tag for _, tag in tags(two)}
        figure = tags(two)[0][1] == "m" or ("m" in kinds and not _PROPER.intersection(kinds))
        bound = _SPOKEN.search(one) or _BECAUSE.match(one)
        return own and chinese_subject(one) != "" and not (figure or bound)
    # 将关闭工厂并裁员: what is planned, denied or doubted of the first is so of the second.
    reach = _cues(sentence, left).intersection(_REACHES)
    return own or reach <= _cues(sentence, right)


def _cues(sentence: Sentence, span: tuple[int, int]) -> set[str]:
    starts = [word.start for word in sentence.words]
    return {
        cue.kind
        for cue in sentence.cues
        if cue.first < len(starts) and span[0] <= starts[cue.first] < span[1]
    }


def _apart(
    sentence: Sentence, left: tuple[int, int], right: tuple[int, int], sign: re.Match[str]
) -> bool:
    first, second = _words(sentence, *left), _words(sentence, *right)
    if not first or not second:
        return False
    at = finite(sentence, *first, strict=True)
    if at is None:
        return False
    if ";" in sign.group():
        return finite(sentence, *second) is not None
    # A name keeps its capital: WHO is not who.
    low = [
        sentence.text[word.start : word.end] if is_named(sentence, word) else _form(sentence, word)
        for word in sentence.words
    ]
    if _RELATIVES.intersection(low[first[0] : at]) or _cues(sentence, left).intersection(_TOLD):
        return False
    comma = sentence.low.rfind(", ", *left)
    after = next((n for n in range(*first) if sentence.words[n].start > comma), first[0])
    listed = comma > 0 and finite(sentence, after, first[1]) is None
    if (
        listed
        or _is_bound(low[first[0]])
        or _SHARED.intersection(low[max(after, first[1] - 6) : first[1]])
    ):
        return False
    return _is_own(sentence, second, low, sentence.low.find(",", *right), sign)


def _is_own(
    sentence: Sentence, span: tuple[int, int], low: list[str], comma: int, sign: re.Match[str]
) -> bool:
    """Whether what follows has its own subject and verb; a joined verb that brings its own tense will do."""
    first, stop = span
    if comma > 0:
        stop = next((n for n in range(*span) if sentence.words[n].start > comma), stop)
    verb = finite(sentence, first, min(stop, first + _NEAR), strict=True)
    if verb is None or _RELATIVES.intersection(low[first:verb]):
        return False
    tensed = low[verb] in _AUXILIARIES
    if verb == first:
        return tensed and sign["and"] is not None
    if low[first][0].isdigit() or low[first] in _NUMERALS:
        return sign["comma"] is None and tensed
    following = low[verb + 1] if verb + 1 < stop else ""
    if sign["comma"] is not None:
        return tensed and not _is_bound(low[first]) and low[first] not in _JOINING
    if is_named(sentence, sentence.words[first]) or low[first] in _PRONOUNS:
        return tensed or (following != "" and following not in _UNFOLLOWED)
    return low[first] in _OBJECTS and (tensed or following in _OBJECTS)


def _is_bound(form: str) -> bool:
    """Whether a clause that begins so belongs to another one."""
    return form in _SUBORDINATES or form in _UNFOLLOWED or form.endswith("ing") or is_past(form)


def _words(sentence: Sentence, start: int, end: int) -> tuple[int, int] | None:
    """Numbers of the words that stand between two offsets."""
    inside = [n for n, word in enumerate(sentence.words) if start <= word.start < end]
    return (inside[0], inside[-1] + 1) if inside else None


def _form(sentence: Sentence, word: Word) -> str:
    return sentence.low[word.start : word.end]


def is_named(sentence: Sentence, word: Word) -> bool:
    """Whether a word is a name; initials are one at the head of a sentence, too."""
    return word.named or (
        word.end - word.start > 1 and sentence.text[word.start : word.end].isupper()
    )


def finite(sentence: Sentence, first: int, last: int, *, strict: bool = False) -> int | None:
    """The number of the first word that is a finite verb as far as its form and its neighbours tell."""
    for at in range(first, last):
        if _is_finite(sentence, at, at == first, strict):
            return at
    return None


def _is_finite(sentence: Sentence, at: int, opens: bool, strict: bool) -> bool:
    words = sentence.words
    form = _form(sentence, words[at])
    before = _form(sentence, words[at - 1]) if at else ""
    if form in _AUXILIARIES:
        return before != "to"
    if is_named(sentence, words[at]) or opens or before in ("to", "the", "a", "an", "of"):
        return False
    named = is_named(sentence, words[at - 1])
    after = _form(sentence, words[at + 1]) if at + 1 < len(words) else ""
    if is_past(form):
        # "The treaty signed by both": a participle behind its noun; "Renna filed for" is none.
        return after != "by" and (after not in _UNFOLLOWED or named or not strict)
    # "UN agencies can": what stands before an auxiliary is no verb.
    plain = form.endswith("s") and len(form) > 3 and form[-2] != "s" and after not in _AUXILIARIES
    return named and (form in _SAME_IN_PAST or plain)


def is_past(form: str) -> bool:
    """Whether an English word has the form of a past tense or a participle."""
    return (form.endswith("ed") and len(form) > 3 and form not in _NO_PAST) or base(form) != form


def _may_follow(form: str) -> bool:
    """Whether a word may stand behind a subject: a verb, or what stands before one."""
    return (
        form in _AUXILIARIES
        or is_past(form)
        or form in _SAME_IN_PAST
        or form.endswith(("s", "ly"))
        or form in ("also", "now", "never", "then")
    )


def has_chinese_verb(flat: str) -> bool:
    return any(tag[0] == "v" or word in ("被", "遭", "获") for word, tag in tags(flat))


def chinese_subject(flat: str) -> str:
    """What stands before the verb of a Chinese clause, without its time; empty when it begins with the verb."""
    found = ""
    for word, tag in tags(flat):
        if tag[0] in "vdpc" and word not in ("和", "与", "及"):
            return found if found else ""
        if tag[0] in "tm" and found:
            return found
        if tag[0] in "t" or not word.strip() or (tag == "x" and word in ",:"):
            if found:
                return found
            continue
        found += word
    return ""


def subject(sentence: Sentence, chinese: bool) -> str:
    """Who or what a statement speaks of: what it begins with up to its verb, without what stands in commas."""
    if chinese:
        found = chinese_subject(sentence.text)
        return found if len(found) <= _MOST_CHARACTERS else ""
    at = finite(sentence, 0, len(sentence.words))
    if not at or at > _MOST_WORDS:
        return ""
    head = sentence.text[: sentence.words[at].start]
    return head.split(",")[0].strip()


def completed(sentence: Sentence, chinese: bool, before: str) -> tuple[str, int] | None:
    """The subject that a statement borrows from the one before, and where its own words begin then."""
    if not before:
        return None
    anaphor = _ANAPHOR.match(sentence.low)
    if anaphor is not None:
        following = next((word for word in sentence.words if word.start >= anaphor.end()), None)
        acts = following is not None and (chinese or _may_follow(_form(sentence, following)))
        house = _HOUSE.match(before) if anaphor.group().startswith(("the ", "and the ")) else None
        return (house[1] if house else before, anaphor.end()) if acts else None
    also = _ALSO.match(sentence.low)
    start = also.end() if also else 0
    if chinese:
        opening = tags(sentence.text[start:])[:1]
        return (before, start) if opening and opening[0][1][0] in "vd" else None
    word = next((word for word in sentence.words if word.start >= start), None)
    if word is None or (is_named(sentence, word) and not also):
        return None
    form = _form(sentence, word)
    bare = form in _AUXILIARIES or is_past(form) or form in _SAME_IN_PAST
    return (before, start) if bare else None
