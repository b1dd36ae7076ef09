"""Whole statements: sentences split where each part has a subject and verb; and the subjects."""

from __future__ import annotations

import re

from groundwire.evidence.messages.noise import BREAK, PATTERNS
from groundwire.evidence.reading.analysis import Sentence
from groundwire.evidence.sources.official import parties_in
from groundwire.language.names.subjects import latin_subjects
from groundwire.language.text.chinese import tagged
from groundwire.language.text.wording import is_han

Span = tuple[int, int]
_ENGLISH = re.compile(rf"(?P<and>{PATTERNS('and')})|;\s*|\s*[{BREAK}]\s*|(?P<comma>,\s+)")
_CHINESE = re.compile(rf"(?P<and>{PATTERNS('besides')})|;|,\s*|\s*[{BREAK}]\s*")
_PROPER = frozenset({"nr", "nrt", "nrfg", "ns", "nt", "nz", "eng", "j"})
# After "Verano Motors chief Luis Ortega", "the company" is Verano Motors.
_HOUSE = re.compile(r"((?:[A-Z][\w&.-]*\s?)+)(?= [a-z])")
_AUXILIARIES = PATTERNS.words("auxiliaries")
_SAME_IN_PAST = PATTERNS.words("same in past")
_UNFOLLOWED = PATTERNS.words("behind participles")
_PRONOUNS = PATTERNS.words("pronouns")
_OPENERS = PATTERNS.words("before objects") | _PRONOUNS
_RELATIVES = PATTERNS.words("relatives")
_BOUND = PATTERNS.words("bound") | _UNFOLLOWED  # words that open a dependent clause
_GOVERNING = {"says", "retells", "asks", "supposes"}  # all that is coordinated after them
PERSONS = ("he", "she", "他", "她")
_THINGS = ("it", "它", "其")
_REACHES = {"plans", "negates", "hedges", "supposes"}  # what is coordinated without a subject
_NEAR = 7  # words within which the verb comes, and the longest subject
_MOST_CHARACTERS = 8  # of a Chinese subject
_VERBS = ("被", "遭", "获", "通过")  # which the dictionary has as other words


def word_forms(sentence: Sentence) -> list[str]:
    """Return the words in lower case; a name keeps its capital: WHO is not who."""
    words: list[str] = []
    for word in sentence.words:
        written = sentence.text[word.start : word.end]
        initials = len(written) > 1 and written.isupper()
        words.append(written if word.named or initials else written.lower())
    return words


def split_statements(sentence: Sentence, start: int, end: int, chinese: bool) -> list[Span]:
    """Split a stretch of a sentence into its coordinate statements; one statement stays whole."""
    spans: list[Span] = []
    separate = _are_separate_chinese if chinese else _are_separate
    for match in (_CHINESE if chinese else _ENGLISH).finditer(sentence.low, start, end):
        left, right = (start, match.start()), (match.end(), end)
        if match.end() < end and start < match.start() and separate(sentence, left, right, match):
            spans.append(left)
            start = match.end()
    return [*spans, (start, end)]


def _are_separate_chinese(sentence: Sentence, left: Span, right: Span, sign: re.Match[str]) -> bool:
    one, two = sentence.text[slice(*left)], sentence.text[slice(*right)]
    two = two.lstrip(" ,").split(",")[0]
    has_subject = chinese_subject(two) != ""
    # What the first reports, supposes or causes goes on in the second.
    bound = PATTERNS["spoken zh"].search(one) or PATTERNS["bound zh"].match(one)
    if sign["and"] is None and not has_subject and PATTERNS["begins"].match(two):
        return has_chinese_verb(one) and not bound and _chinese_object(one) != ""
    if not (has_chinese_verb(one) and has_chinese_verb(two)):
        return False
    if sign["and"] is not None:
        # 将关闭工厂并裁员: a plan, denial or doubt before the first verb holds for the second.
        reach = left[0], left[0] + _chinese_verb(one) + 1
        return has_subject or _cues(sentence, reach) & _REACHES <= _cues(sentence, right)
    # A lone figure belongs to the first.
    kinds = {tag for _, tag in tagged(two)}
    figure = tagged(two)[0][1] == "m" or ("m" in kinds and not _PROPER & kinds)
    alone = has_subject and chinese_subject(one) != "" and not (bound or figure)
    return ";" in sign.group() or alone


def _cues(sentence: Sentence, span: Span) -> set[str]:
    starts = [word.start for word in sentence.words] or [0]
    return {
        cue.kind
        for cue in sentence.cues
        if span[0] <= starts[min(cue.first, len(starts) - 1)] < span[1]
    }


def _are_separate(sentence: Sentence, left: Span, right: Span, sign: re.Match[str]) -> bool:
    low = word_forms(sentence)
    first, (begin, end) = _words(sentence, *left), _words(sentence, *right)
    verb = finite_verb(sentence, *first)
    other = finite_verb(sentence, begin, min(end, begin + _NEAR))
    if verb is None or other is None:
        return False
    if sign["and"] is None and sign["comma"] is None:
        return True
    bound = _is_bound(sentence, first[0]) or _cues(sentence, left) & _GOVERNING
    relative = _RELATIVES.intersection((*low[first[0] : verb], *low[begin:other]))
    # After its last comma the left side must be a statement, or the right one may end a list.
    last = _words(sentence, max(left[0], sentence.low.rfind(", ", *left)), left[1])
    shared = PATTERNS.words("shared").intersection(low[last[1] - 6 : last[1]])
    if bound or relative or shared or finite_verb(sentence, *last) is None:
        return False
    tensed, opening = low[other] in _AUXILIARIES, low[begin]
    if sign["comma"] is not None:
        return tensed and other > begin and not _is_bound(sentence, begin)
    # It has its own subject, or a verb with its own tense.
    has_subject = other > begin and (opening[0].isupper() or opening in _OPENERS)
    named = low[other - 1][0].isupper() or low[other - 1] in _PRONOUNS
    has_subject = has_subject and (tensed or named or [*low, ""][other + 1] not in _UNFOLLOWED)
    return has_subject or (tensed and other == begin)


def _is_bound(sentence: Sentence, at: int) -> bool:
    form, after = word_forms(sentence)[at], [*word_forms(sentence), ""][at + 1]
    verb = _is_verb(sentence, at) and after not in _AUXILIARIES
    return form in _BOUND or form[0].isdigit() or form.endswith("ing") or verb


def _words(sentence: Sentence, start: int, end: int) -> Span:
    """Return the range of words that stand between two offsets."""
    inside = [n for n, word in enumerate(sentence.words) if start <= word.start < end]
    return (inside[0], inside[-1] + 1) if inside else (0, 0)


def finite_verb(sentence: Sentence, first: int, last: int) -> int | None:
    """Find the first finite verb, as far as its form and its neighbours tell."""
    low = [*word_forms(sentence), ""]
    for at in range(first, last):
        before, after = low[at - 1] if at else "", low[at + 1]
        told = before in PERSONS or _is_verb(sentence, at)  # "he takes office"
        if before.lower() in ("to", "of", "be") or not told:
            continue
        # "The treaty signed by both": a participle behind its noun; "Renna filed for" is none.
        named = before[:1].isupper() or before in _PRONOUNS
        participle = after == "by" or (after in _UNFOLLOWED and not named)
        noun = participle or after in _AUXILIARIES  # "UN agencies can"
        if low[at] in _AUXILIARIES or (at > first and not noun):
            return at
    return None


def _is_verb(sentence: Sentence, at: int) -> bool:
    form = word_forms(sentence)[at]
    known = form in _AUXILIARIES or form in _SAME_IN_PAST
    return known or (sentence.kinds[at] == "v" and len(form) > 1)


def has_chinese_verb(flat: str) -> bool:
    return _chinese_verb(flat) >= 0


def _chinese_verb(flat: str) -> int:
    """Return where the first verb stands; -1 if there is none."""
    at = 0
    for word, tag in tagged(flat):
        if tag[0] == "v" or word in _VERBS:
            return at
        at += len(word)
    return -1


def chinese_subject(flat: str) -> str:
    """Return what precedes the verb of a Chinese clause, without its time; empty if nothing does."""
    words, noun = "", False
    for word, tag in tagged(flat):
        if (tag[0] in "vdp" or (tag[0] == "c" and word not in "和与及")) or (
            words and tag[0] in "tm"
        ):
            return words if noun else ""
        if tag[0] != "t" and word not in (" ", ",", ":"):
            words += word
            noun = noun or tag[0] in "nrejlisz"
        elif words:
            return words if noun else ""
    return ""


def subject(sentence: Sentence, chinese: bool) -> str:
    """Return the subject of a statement: its opening up to the verb, without parentheses."""
    if chinese:
        head = chinese_subject(sentence.text)
        return head if len(head) <= _MOST_CHARACTERS else ""
    at = finite_verb(sentence, 0, len(sentence.words))
    if not at or at > _NEAR:
        return ""
    return sentence.text[: sentence.words[at].start].split(",")[0].strip()


def has_own_subject(sentence: Sentence, chinese: bool) -> bool:
    """Tell whether a statement is about a thing of its own, not a number: "Six people died"."""
    if chinese:
        named, end = chinese_subject(sentence.text) != "", _chinese_verb(sentence.text)
    else:
        verb = finite_verb(sentence, 0, len(sentence.words))
        named = bool(verb) and word_forms(sentence)[0] not in _PRONOUNS
        end = sentence.words[verb].start if verb else -1
    counted = any(each.start < end for each in (*sentence.figures, *sentence.counts))
    return named and end > 0 and not counted


def _object(sentence: Sentence) -> str:
    """Return what follows the verb, up to a preposition or a clause."""
    low, verb = word_forms(sentence), finite_verb(sentence, 0, len(sentence.words))
    if verb is None:
        return ""
    first = verb + 1
    while first < len(low) and (_is_verb(sentence, first) or low[first].endswith("ly")):
        first += 1
    last = first
    while last < len(low) and low[last] not in _BOUND and low[last] not in ("to", "that"):
        last += 1
    if first >= last:
        return ""
    return sentence.text[sentence.words[first].start : sentence.words[last - 1].end].split(",")[0]


def _person(sentence: Sentence, head: str) -> str:
    """Return who he or she is, the subject or one full name behind it; empty when in doubt."""
    parties = [(start, end) for _, start, end in parties_in(sentence.text)]  # no people
    names: list[str] = []
    for start, end, _ in latin_subjects(sentence.text):
        if not any(first < end and start < last for first, last in parties):
            names.append(sentence.text[start:end].rstrip(" 0123456789"))
    behind = [name for name in names if " " in name and name not in head]
    if not behind:
        return head
    last = head.rpartition(" ")[2]
    # "The board", "OpenAI", "SEC"; or a known party.
    is_body = last.lower() in PATTERNS.words("bodies") or last[1:] != last[1:].lower()
    is_party = last[:1].isupper() and not any(name in head for name in names)
    return behind[0] if (is_body or is_party) and len(behind) == 1 else ""


def _chinese_object(flat: str) -> str:
    """Return the nouns that end a Chinese clause behind its last verb; none if they are counted."""
    words, kinds = "", ""
    for word, tag in tagged(flat):
        if tag[0] in "vp":
            words, kinds = "", ""
        elif tag[0] != "u" or words:
            words, kinds = words + word, kinds + tag[0]
    nouns = bool(kinds) and kinds[0] not in "mtx" and set(kinds) & set("nej")
    return words if nouns and "," not in words else ""


def _chinese_person(flat: str, head: str) -> str:
    """Return the subject if it ends in a person's name, else the one person named behind it."""
    people = [word for word, tag in tagged(flat) if tag == "nr" and len(word) > 1]
    behind = [word for word in people if word not in head]
    if not behind or not head:
        return head
    return behind[0] if len(behind) == 1 and tagged(head)[-1][1] != "nr" else ""


def borrowed_subject(
    sentence: Sentence, chinese: bool, before: Sentence, joined: bool
) -> tuple[str, int] | None:
    """Return what a statement borrows as its subject from the one before, and where it begins.

    A statement in another sentence has to show that it continues.
    """
    anaphor, also = (PATTERNS[name].match(sentence.low) for name in ("anaphor", "also"))
    start = anaphor.end() if anaphor else also.end() if also else 0
    low, at = word_forms(sentence), _words(sentence, start, len(sentence.text))[0]
    if at >= len(low):
        return None
    begins = PATTERNS["begins"].match(sentence.low, start) is not None
    lent = ""
    if anaphor is not None:
        has_verb = chinese or _is_verb(sentence, at) or low[at].endswith(("s", "ly"))
        if has_verb or PATTERNS["also"].match(low[at]) is not None:
            lent = _referent(anaphor.group().strip().removeprefix("and "), before, begins)
    elif not chinese:
        lent = subject(before, is_han(before.text)) if _is_verb(sentence, at) else ""
    elif begins and joined and chinese_subject(sentence.text[start:]) == "":
        lent = _chinese_object(before.text)
    else:
        kinds = [tag[0] for _, tag in tagged(sentence.text[start:])]
        opening = next((kind for kind in kinds if not (joined and kind in "tx")), "")
        lacks_subject = opening == "d" or (opening == "v" and (joined or also is not None))
        lent = subject(before, is_han(before.text)) if lacks_subject else ""
    return (lent, start) if lent else None


def _referent(pronoun: str, before: Sentence, begins: bool) -> str:
    """Return what a pronoun or "the company" stands for; empty when in doubt."""
    chinese = is_han(before.text)
    head = subject(before, chinese)
    if begins and pronoun in _THINGS:
        thing = _chinese_object(before.text) if chinese else _object(before)
        return thing or head
    if head and pronoun in PERSONS:
        return _chinese_person(before.text, head) if chinese else _person(before, head)
    company = _HOUSE.match(head) if "the " in pronoun else None
    return company[1] if company else head
