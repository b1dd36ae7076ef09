"""Names and other words of a Chinese claim: those that no list knows, that a dictionary cuts apart, people's."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache

from groundwire.evidence.reading.meaning import forms
from groundwire.evidence.reading.name_patterns import (
    GENERIC,
    PLACE,
    PLACES,
    Anchor,
    anchor,
    with_stem,
)
from groundwire.evidence.reading.terms import Term
from groundwire.language.data import data_lines
from groundwire.language.names.chinese_names import chinese_names
from groundwire.language.text.characters import HAN
from groundwire.language.text.wording import is_han

_RARE = 2.9  # weight of a word that no list knows: as good as a name
_COINED = 0.8  # a Chinese word that no dictionary has
_FUNCTION = re.compile("[遭被将已获拟称说宣把于]")  # a word cut across its border
# No names, though no dictionary has them: parts of a number, of a longer word.
_CUT = re.compile(r"\A[亿万千百十所]|\A币[桥链圈]\Z|[枚冷热]\Z|\A检署\Z")
_BEFORE_NAME = re.compile(r"\A[对从向由与和给因](?=..)")
_WIDER = 0.4  # the first of two names side by side: the region before the town
_RARE_WEIGHT, _COMMON_WEIGHT = 0.6, 0.3
_PERSON = 4  # characters of a person's name at most
_FOLLOWS = 8  # characters behind a name that say what body it is
_PAIR = 2  # characters of a body's name that are enough to know it by
_TITLED = re.compile(
    "(?:市长|部长|董事长|总裁|演员|主席|书记|局长|院长|议员|校长|教练|球星|首相|总统|总理|行长|创始人|歌手|教授|经理|署长|司长|县长|省长|委员)"
    f"([{HAN}](?:(?![被已因将于在请辞遭获宣去病])[{HAN}]){{2}})"
)
_BODY = re.compile(
    "银行|集团|交易所|公司|科技|汽车|食品|重工|电子|照明|教育|半导体|航天|协议|信托|基金|投信|药业|医院|大学|证券|保险|控股|"
    "地检署|检察院|法院|警察局|消防局|资本|航空|能源|电力|矿业|钱包|平台|地产|乳业|电器|网络|生物|医药|机械|材料"
)
_KIND = re.compile(f"(?:商业|人民|股份|有限|控股|中央)*(?:{_BODY.pattern})*")


@dataclass(frozen=True, slots=True)
class Detail:
    """Another word of the claim with every way to say it."""

    forms: tuple[str, ...]
    weight: float


def body_after(flat: str, name: str) -> str:
    """What kind of body a name is followed by: 科技 in 云杉科技."""
    at = flat.find(name)
    match = _BODY.match(flat, at + len(name)) if at >= 0 else None
    return match.group() if match else ""


def telling(flat: str, terms: list[Term]) -> tuple[list[Anchor], tuple[Detail, ...]]:
    """Chinese names that no list knows, and the other words of the claim."""
    anchors: list[Anchor] = []
    details: list[Detail] = []
    people = [flat[a:b] for a, b in chinese_names(flat) if 2 <= b - a <= _PERSON]
    last = -1
    for term in terms:
        if _FUNCTION.search(term.key) or term.key in GENERIC:
            continue
        if is_han(term.key) and term.kind == "name":
            if _KIND.fullmatch(term.key):
                continue
            beside = bool(anchors) and last == term.start
            if beside and (len(term.key) == 1 or len(anchors[-1].text) == 1):
                anchors[-1] = anchor((anchors[-1].text + term.key,), 1.0)
            else:
                if beside:
                    anchors[-1] = replace(anchors[-1], weight=_WIDER)
                weight = PLACE if with_stem(term.key)[-1] in PLACES else 1.0
                named = anchor(with_stem(_BEFORE_NAME.sub("", term.key)), weight)
                anchors.append(_not_another(named, flat, term.end))
            last = term.end
        elif is_han(term.key) and _is_coined(term):
            if _CUT.search(term.key):
                continue
            weight = PLACE if term.kind == "verb" else _COINED
            if anchors and last == term.start and not _BODY.match(term.key):
                anchors[-1] = replace(anchors[-1], weight=_WIDER)
            key = _BEFORE_NAME.sub("", term.key)
            anchors.append(_not_another(anchor(with_stem(key), weight), flat, term.end))
            last = -1
        elif is_han(term.key) and term.weight >= _RARE and term.key not in GENERIC:
            if anchors and last == term.start and not _BODY.match(term.key):
                anchors[-1] = replace(anchors[-1], weight=_WIDER)
            named_person = any(term.key in person for person in people)
            if named_person:
                anchors.append(anchor((term.key,), 1.0))
            else:
                details.append(Detail(forms(term.key), _RARE_WEIGHT))
            last = -1
        else:
            details.append(Detail(forms(term.key), _weight(term)))
    return anchors, tuple(details)


def _is_coined(term: Term) -> bool:
    """Whether no dictionary has the word: somebody made it up, as names are."""
    # Deferred: loading the dictionary takes longer than most commands that never need it.
    import rjieba

    return len(term.key) > 1 and term.weight >= _RARE and not rjieba.has_word(term.key)


def _not_another(found: Anchor, flat: str, end: int) -> Anchor:
    """A name that is followed by another kind of body than in the claim is another's."""
    own = flat[end : end + _FOLLOWS]
    others = [body for body in _BODY.pattern.split("|") if body not in own]
    if len(others) == len(_BODY.pattern.split("|")):
        return found  # the claim does not say what it is
    ahead = f"(?!{'|'.join(others)})"
    return replace(found, written=re.compile(f"(?:{found.written.pattern}){ahead}"))


@cache
def _surnames() -> frozenset[str]:
    return frozenset(char for line in data_lines("surnames.txt") for char in line.split())


def people_in(flat: str) -> list[tuple[int, int]]:
    """Names of people: the dictionary cuts 罗建成 in two, and takes a part of it for an act."""
    known = [(a, b) for a, b in chinese_names(flat) if 2 < b - a <= _PERSON]
    titled = [match.span(1) for match in _TITLED.finditer(flat) if match.group(1)[0] in _surnames()]
    return [(a, b) for a, b in (*known, *titled) if not _BODY.search(flat[a:b])]


def cut_names(flat: str, terms: list[Term]) -> list[tuple[int, int]]:
    """Names of bodies that the dictionary cut in the wrong place: 对华|晟|银行."""
    spans: list[tuple[int, int]] = []
    for match in _BODY.finditer(flat):
        start, end = match.start() - _PAIR, match.start()
        if start < 0 or not is_han(flat[start]) or not is_han(flat[start + 1]):
            continue
        cut = any(start + 1 in (t.start, t.end) or t.start < end < t.end for t in terms)
        cut = cut and not _FUNCTION.search(flat[start:end]) and not _CUT.search(flat[start:end])
        if cut:
            spans.append((start, end))
    return spans


def _weight(term: Term) -> float:
    return _RARE_WEIGHT if term.weight >= _RARE else _COMMON_WEIGHT
