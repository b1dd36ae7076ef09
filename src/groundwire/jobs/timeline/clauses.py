"""The clause of a sentence that tells what was on a date, without what only goes with it; pure.

A sentence comes with its dates marked: what was left out at `HERE` is when it was, `THERE` stands before another time.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundwire.language.text.characters import simplify
from groundwire.language.text.chinese import tagged
from groundwire.language.text.phrases import patterns
from groundwire.language.text.stems import is_irregular
from groundwire.language.text.wording import is_han

HERE, THERE = "\x01", "\x02"
_MARKS = re.compile(f"[{HERE}{THERE}]")
_signs = patterns("titles.txt", "groundwire.jobs.timeline", re.IGNORECASE)
_WORD = re.compile(r"[\w'’$€£%.-]+")
_TRIMMED = " \t,，、;；:：—–-。.!！"
_CUT_ZH = re.compile(r"[，；。！？!?;]|—+|(?<!\d)[,:：](?!\d)|(?<=\d)：|,(?!\d)")
# A comma in a list cuts nothing: A, B and C.
_LIST = (
    r"(?! (?!(?:the|an?|its|which|who|one|and|or|is|are|was|were|has|have|had|will|would|said|says|\w+ed)\b)"
    r"(?:[\w'’$%.-]+,? ){1,6}?(?:and|or) )"
)
_CUT_EN = re.compile(rf",{_LIST}\s|[;:]\s| [–—] ")
_FEWEST = 8  # characters of a Chinese clause that tells something by itself
_NOTE = re.compile(r"[（(][A-Za-z0-9 .&'’-]+[）)]")
_NOT_SUBJECT = frozenset({"v", "p", "d", "c", "ul", "uz", "ug", "f"})
_BORDERS = frozenset({"m", "t", "r", "s"})
_LONGEST_SUBJECT, _NAME, _ED = 16, 4, 4
_PRONOUNS = frozenset({"it", "they", "he", "she"})
_AND = re.compile(r" and (?=(?P<verb>[a-z][\w’'-]*)\b)")


def plain(text: str) -> str:
    """Return a marked text as people read it."""
    return " ".join(_MARKS.sub("", text).split()).strip(_TRIMMED)


def clause_of(marked: str) -> str:
    """Return the clause that tells what was on the date; "": none stands by itself."""
    told = _chinese(marked) if is_han(marked) else _english(marked)
    return plain(told)


def tells(text: str) -> bool:
    """Tell whether a text says what was done or is, and does not only name somebody."""
    return _has_verb(text) if is_han(text) else _verb_at(text) > 0


# --- Chinese -----------------------------------------------------------------------------------


def _chinese(marked: str) -> str:
    pieces = [_NOTE.sub("", each) for each in _CUT_ZH.split(marked)]
    at = next((n for n, each in enumerate(pieces) if HERE in each), 0)
    # "On that day," and "At the meeting of that day," only open what the next clause tells.
    while at + 1 < len(pieces) and _is_lead_zh(pieces[at]):
        at += 1
    core = _bare(pieces[at])
    beside = _signs["beside zh"].match(core)
    if beside and HERE in pieces[at] and _has_verb(beside["act"]):
        # 银行开门后，兑换恢复: what is so short only says when the next clause is.
        alone = len(beside["act"]) >= _FEWEST or at + 1 == len(pieces) or THERE in pieces[at + 1]
        return beside["act"] if alone else f"{core}，{plain(pieces[at + 1])}"
    core = _with_subject(_told_of(core), pieces[:at])
    for each in pieces[at + 1 :]:
        short = len(core) < _FEWEST or _signs["says zh"].search(core)
        if THERE in each or not short or not each.strip():
            break
        core = f"{core}，{plain(each)}"
    return core


def _bare(piece: str) -> str:
    return _signs["adverb zh"].sub("", plain(piece))


def _is_lead_zh(piece: str) -> bool:
    """Tell whether a clause says no more than when or by whose word the next one is told."""
    text = _bare(piece)
    beside = _signs["beside zh"].match(text)
    if beside and HERE in piece and _has_verb(beside["act"]):
        return False
    return not _has_verb(text) or (bool(_signs["lead zh"].match(text)) and not _has_object(text))


def _has_verb(text: str) -> bool:
    return any(tag.startswith("v") or tag in ("zg", "i", "l") for _, tag in tagged(simplify(text)))


def _has_object(text: str) -> bool:
    """Tell whether a clause that opens like an adverbial tells something: 在港交所掛牌, 从5月3日起执行."""
    words = tagged(simplify(text))
    last = next((tag for _, tag in reversed(words) if tag not in ("x", "uj", "ul")), "")
    return last.startswith("v") and len(words) > 2


def _told_of(core: str) -> str:
    """Say what a thing is told by: of "X发布的Y" before a comma, X发布Y."""
    words = tagged(core)
    places = [n for n, (word, _) in enumerate(words) if word == "的"]
    if not places:
        return core
    at = places[-1]
    verb = at and tagged(simplify(words[at - 1][0]))[-1][1].startswith("v")
    nouns = all(
        tag[:1] in "nexjmq" for _, tag in tagged(simplify("".join(w for w, _ in words[at + 1 :])))
    )
    if at < 2 or not verb or not nouns or at + 1 == len(words):
        return core
    return "".join(word for word, _ in (*words[:at], *words[at + 1 :]))


def _with_subject(core: str, before: Sequence[str]) -> str:
    """Put the subject of an earlier clause before a clause that has none."""
    if not _lacks_subject(core):
        return core
    for each in reversed(before):
        if _signs["lead zh"].match(plain(each)):
            continue
        if subject := _own_subject(each.split(HERE)[0].split(THERE)[0]):
            return core if core.startswith(subject) else f"{subject}{core}"
    return core


def _lacks_subject(core: str) -> bool:
    """Tell whether a clause opens with its verb or with what goes before one; 禁止类条款 opens with a name."""
    (word, tag), *rest = tagged(simplify(core)) or (("", ""),)
    if tag in ("v", "vn"):
        told = bool(_signs["says zh"].search(word))
        return told or not any(other.startswith("v") for _, other in rest)
    return tag in _NOT_SUBJECT


def _own_subject(piece: str) -> str:
    """Return what stands before the verb of a clause."""
    text = plain(piece)
    words = tagged(simplify(text))
    end = 0
    for place, (word, tag) in enumerate(words):
        # 签名银行: a name may begin with what is a verb elsewhere.
        named = not place and tag == "v" and len(words) > 1 and words[1][1].startswith("n")
        if (tag in _NOT_SUBJECT and not named) or tag in _BORDERS:
            break
        end += len(word)
    return text[:end] if 2 <= end <= _LONGEST_SUBJECT else ""


# --- English -----------------------------------------------------------------------------------


def _english(marked: str) -> str:
    pieces = _pieces(marked)
    at = next((n for n, each in enumerate(pieces) if HERE in each), 0)
    if at and _is_when(pieces[at]) and THERE not in pieces[at - 1]:
        at -= 1  # "It resumes when banks open on Monday": on Monday it resumes
        pieces[at] = f"{pieces[at]}{HERE}"
    main = next((n for n, each in enumerate(pieces) if not _is_lead_en(each)), 0)
    if at <= main:
        told = _one_of_two(pieces[main] if _is_lead_en(pieces[at]) else pieces[at])
    elif _signs["says en"].search(plain(pieces[at])):
        told = pieces[main]  # …, the agency said on Monday
    elif _verb_at(plain(pieces[at])) and not _signs["apposed en"].match(plain(pieces[at])):
        told = _joined(pieces[main], pieces[at])
    else:
        told = _of_the_same_verb(pieces[main], pieces[at]) or _one_of_two(pieces[main])
    return told if _verb_at(plain(told)) else ""


def _is_when(piece: str) -> bool:
    """Tell whether a clause says by its date when the one before it is; "… and sent a list on Monday" is another."""
    if not _signs["same time en"].match(plain(piece)):
        return False
    return not any(_is_past(m["verb"]) and HERE in piece[m.end() :] for m in _AND.finditer(piece))


def _pieces(marked: str) -> list[str]:
    """Divide a sentence at its commas and subordinate clauses, with what stands between subject and verb taken out."""
    parts = [one for each in _CUT_EN.split(marked) for one in _signs["splits en"].split(each)]
    parts = [each for each in parts if _WORD.search(plain(each)) or HERE in each]
    at = 0
    while at + 1 < len(parts):
        subject, note = plain(parts[at]), plain(parts[at + 1])
        rest = plain(parts[at + 2]) if at + 2 < len(parts) else ""
        open_ended = (
            bool(subject) and not _verb_at(subject) and not _signs["lead en"].match(subject)
        )
        if open_ended and rest and _is_verb(rest.split()[0]):
            if HERE in parts[at + 1] and note and _is_past(note.split()[0]):
                # "The law, agreed in May, was passed": in May it was agreed.
                return [f"{parts[at]} was {parts[at + 1]}"]
            named = subject.split()[0].islower() or subject.startswith(("The ", "A "))
            own = parts[at + 1] if (named and note.istitle()) or _is_name(note) else parts[at]
            parts[at : at + 3] = [f"{own} {parts[at + 2]}"]
        elif open_ended and " and " in note and _verb_at(note):
            parts[at : at + 2] = [f"{parts[at]}, {parts[at + 1]}"]  # the Treasury, the FDIC and …
        else:
            at += 1
    return parts


def _is_name(text: str) -> bool:
    words = text.split()
    return 0 < len(words) <= _NAME and all(not each.islower() for each in words)


def _is_lead_en(piece: str) -> bool:
    text = plain(piece)
    return not text or bool(_signs["lead en"].match(text)) or not _verb_at(text)


def _joined(main: str, piece: str) -> str:
    """Tell a clause that goes on from the main one, by its own subject or by that of the main clause."""
    subject = _subject_of(plain(main))
    text = plain(_one_of_two(piece, subject))
    text = _signs["joins en"].sub("", text)
    text = _signs["reported en"].sub("", text)
    bare = _signs["subordinate en"].sub("", text).strip()
    text = bare if _verb_at(bare) else text
    words = text.split()
    if words and words[0].lower() in _PRONOUNS:
        words = words[1:]
    elif not words or not _is_verb(words[0]):
        return text
    return f"{subject} {' '.join(words)}" if subject else main


def _of_the_same_verb(main: str, piece: str) -> str:
    """Tell what has its verb from the main clause: "A applies from March, B from June"."""
    told = next((each for each in piece.split(" and ") if HERE in each), "")
    subject = plain(told.split(HERE)[0])
    predicate = plain(main.split(THERE)[0])
    at = _verb_at(predicate)
    if THERE not in main or not at or not subject or plain(told.split(HERE)[1]):
        return ""
    verb = " ".join(predicate.split()[at:])
    verb = _signs["ends en"].sub("", verb)
    return f"{_signs['ends en'].sub('', subject)} {verb}"


def _one_of_two(piece: str, subject: str = "") -> str:
    """Tell the one of two acts of a subject that the date stands beside."""
    for match in _AND.finditer(piece):
        left, right = piece[: match.start()], piece[match.end() :]
        will = _signs["will"].search(plain(left))
        if not _is_past(match["verb"]) and match["verb"] not in _signs.words("aux"):
            if will is None or _signs["object"].match(right) is None:
                continue
        else:
            will = None
        if HERE in right and HERE not in left:
            own = _subject_of(plain(left))
            if own.lower() in _PRONOUNS:
                own = subject
            told = f"{own} {will[0]}" if will else own
            return f"{told} {right}" if own else piece
        if THERE in right:
            return left
    return piece


def _subject_of(text: str) -> str:
    """Return what stands before the verb of a clause."""
    at = _verb_at(text)
    return " ".join(text.split()[:at]) if at else ""


def _verb_at(text: str) -> int:
    """Return the place of the first word after the subject that is a verb; 0: there is none."""
    words = text.split()
    return next((n for n, each in enumerate(words) if n and _is_verb(each.strip(".,’'\""))), 0)


def _is_verb(word: str) -> bool:
    if not word.islower():
        return False
    known = word in _signs.words("aux") or word in _signs.words("present")
    return known or _is_past(word)


def _is_past(word: str) -> bool:
    return (word.endswith("ed") and len(word) > _ED) or is_irregular(word)
