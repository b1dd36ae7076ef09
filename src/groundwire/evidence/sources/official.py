"""Who is a party to an event, and whether a page is that party's own word."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Literal, TypeAlias

from groundwire.errors import InputError
from groundwire.evidence.sources.parties import (
    Entity,
    PartySpelling,
    Registry,
    near_kind,
    officials,
)
from groundwire.evidence.sources.places import Address, address_of, official_words
from groundwire.language.text.characters import folded, normalise
from groundwire.language.text.lexicon import Lexicon, low_form

_NEAR = 80  # characters to each side of an ambiguous name in which its context is looked for


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns))


# What companies and bodies do, or have, right after their name.
_DOES = "|".join(
    (
        r"said|says|announce[ds]?|confirm(?:s|ed)|den(?:y|ies|ied)|unveil(?:s|ed)|launch(?:es|ed)?",
        r"release[ds]?|publish(?:es|ed)|disclose[ds]?|report(?:s|ed)|acquire[ds]?|hire[ds]?|sue[ds]",
        r"list(?:s|ed)|delist(?:s|ed)?|suspend(?:s|ed)|resume[ds]|halt(?:s|ed)|raise[ds]|warn(?:s|ed)",
        r"plans? to|agree[ds] to|declined to|tweeted|posted|stated|argue[ds]|urge[ds]|introduce[ds]",
    )
)
_DOES_ZH = (
    "宣布|表示|称|回应|否认|发布|推出|公告|声明|证实|披露|通报|上线|下架|上架|收购|起诉|暂停|恢复"
)
_ACTS = _any(
    r",? (?:inc|corp|corporation|co|ltd|limited|plc|llc|labs|foundation|holdings|exchange)\b",
    r"'s? (?:ceo|cto|cfo|chief|founder|co-founder|board|shares?|stock|app|platform|spokes\w+)\b",
    r" (?:ceo|cto|cfo|chief|founder|co-founder|spokes(?:man|woman|person)|executives?|shares|stock)\b",
    r"(?: (?:has|have|had|will|also|today|yesterday|just|now|officially|reportedly))*"
    rf" (?:{_DOES})\b",
    "公司|集团|官方|官网|方面|创始人|首席|董事长|总裁|发言人|股价|股份|财报|手机|汽车",
    rf"(?:今日|今天|昨日|周[一二三四五六日]|日前|近日|已|将|也|则|正式|随后)*(?:{_DOES_ZH})",
)
# A name in an address is where something stands, not whom it is about.
_LINK = re.compile(
    r"(?:https?://|\bwww\.|\b(?:[a-z0-9-]{1,63}\.){1,6}[a-z]{2,}/)[^\s<>\"')\]]+", re.ASCII
)
_CASHTAG = re.compile(r"\$$|(?:nasdaq|nyse|hkex|sehk|lse|tsx|otc|amex)[ :]+\$?$")

# Words before or after an official word that take its plain sense away.
_LACKS = "|".join(
    (
        "no|not|never|without|lacks?|lacking|neither|nor|yet to|fails? to|failed to|await(?:s|ing|ed)?",
        "den(?:y|ies|ied|ying)|refuse[ds]? to|decline[ds]? to|cannot|fake[ds]?|faking|bogus|false|forged",
        r"purported|so-called|alleged|impersonat\w+|pretend\w*|claim\w* to be|pending|until|unless",
        "if|whether",
    )
)
_LACKS_ZH = "|".join(
    (
        "没有|没|未(?!来)|并未|尚未|暂未|从未|未经|未见|尚无|暂无|并无|无(?!数|论)|非(?!常)|并非|不是|否认",
        "假冒|冒充|伪造|仿冒|伪|虚假|所谓|自称|等待|有待|静待|待|如果|若|是否|无法|未能|难以|缺乏",
        "不(?![久断仅过少同])",
    )
)
_NOT_BEFORE = _any(
    rf"(?:\b(?:{_LACKS})\b|n't\b)(?: [^\s.;!?]+){{0,4}} ?[\"']?$",
    rf"(?:{_LACKS_ZH})[^,。;!?]{{0,6}}$",
)
_NOT_AFTER = _any(
    r"(?: [^\s.;!?]+){0,3} (?:denie[sd]|deny|denying|refute[sd]?|has not|have not|did not|does not"
    r"|hasn't|didn't|yet to|declined|dismisse[sd]"
    r"|(?:is|are|was|were) (?:false|fake|untrue|forged|fabricated))\b",
    r"(?:,|:| |\")?(?:账号|微博|网站|渠道|客服|人士|方面)?(?:已|已经|今日|周[一二三四五六日]|随后|均|也|再次)?"
    "(?:否认|辟谣|尚未|暂未|没有|未|并未|拒绝|不予|驳斥|系伪造|系假|为假|是假|是伪造|不实)",
    r"[^,。;!?]{0,10}\?",
)

OfficialLanguage: TypeAlias = Literal["plain", "hedged"]


def entities_in(text: str, known: Registry | None = None) -> tuple[Entity, ...]:
    """The parties that a text names, in order of first mention; word-exact, both languages.

    A name that is also a common word ("Circle", "Near", 小米) needs its capitals and something
    near it that bears it out; the longest name wins, so that 香港证监会 is not 证监会.
    """
    return _shipped_in(text) if known is None else _entities_in(text, known)


@lru_cache(maxsize=256)  # every step of a run asks for the parties to its message
def _shipped_in(text: str) -> tuple[Entity, ...]:
    return _entities_in(text, officials())


def _entities_in(text: str, known: Registry) -> tuple[Entity, ...]:
    flat = normalise(text).text
    low = folded(flat)
    found: dict[int, None] = {}
    links = [match.span() for match in _LINK.finditer(low)]
    for start, end, name in known.names.find(low):
        if any(first <= start < last for first, last in links):
            continue
        forms = known.forms.get(name, ())
        for form in forms:
            if form.entity in found or not _is_written(flat, low, start, end, form):
                continue
            alone = len(forms) == 1
            if (
                (alone and (not form.unsure or _ACTS.match(low, end)))
                or _is_cashtag(low, start)
                or _is_borne_out(low, start, end, form, known, alone=alone)
            ):
                found[form.entity] = None
                break
    return tuple(known.entities[number] for number in found)


def _is_borne_out(
    low: str, start: int, end: int, form: PartySpelling, known: Registry, *, alone: bool
) -> bool:
    """Whether what stands around an ambiguous name makes it that of the form's entity."""
    own, kind = known.near[form.entity], near_kind(known.entities[form.entity].kind)
    around = known.context.find(low, max(0, start - _NEAR), end + _NEAR)
    # Words of its kind do not tell two regulators of one name apart.
    return any(
        word in own or (alone and word in kind)
        for begin, stop, word in around
        if stop <= start or begin >= end
    )


def _is_written(flat: str, low: str, start: int, end: int, form: PartySpelling) -> bool:
    """Whether the name stands here in a spelling that counts."""
    written = flat[start:end]
    if not form.exact or written in (form.written, form.written.upper()):
        return True
    return _is_cashtag(low, start)


def _is_cashtag(low: str, start: int) -> bool:
    return _CASHTAG.search(low, max(0, start - 12), start) is not None


def is_official(url: str, entity: Entity) -> bool:
    """Whether the page is the entity's own: on its domain or account, not written by a visitor."""
    try:
        return _is_own(address_of(url), entity)
    except InputError:
        return False  # a file of the archive has no web address


def _is_own(address: Address, entity: Entity) -> bool:
    if any(place.holds(address) for place in entity.not_official):
        return False
    return any(
        place.holds(address) and not place.is_visitors(address)
        for place in (*entity.domains, *entity.accounts)
    )


Voice: TypeAlias = Literal["own", "visitors"]


def voice(url: str, known: Registry | None = None) -> tuple[Entity, Voice] | None:
    """Whose domain a page lies on, and whether its owner or a visitor speaks there.

    Accounts on shared platforms are left out: there, the platform vouches for nobody.
    """
    known = officials() if known is None else known
    try:
        address = address_of(url)
    except InputError:
        return None
    visited: Entity | None = None
    for entity in known.at_site(address.site):
        if any(place.holds(address) for place in entity.domains):
            if _is_own(address, entity):
                return entity, "own"
            visited = visited or entity
        elif any(place.holds(address) for place in entity.not_official):
            visited = visited or entity
    return None if visited is None else (visited, "visitors")


@cache
def _marks() -> tuple[Lexicon, frozenset[str]]:
    """Words that sound official; the longer ones that do not count are only in the lexicon."""
    plain, unlike = official_words("official"), official_words("not official")
    return Lexicon([*plain, *unlike]), frozenset(low_form(word) for word in plain)


def official_language(text: str) -> OfficialLanguage | None:
    """A weak hint: official words stand in the text, plainly or only hedged; None without any.

    "unofficial", 非官方 and 未经证实 are other words; "no official statement", 官方否认 and a
    question are hedged.
    """
    low = low_form(text)
    hedged = False
    for start, end in _official_spans(low):
        before = low[max(0, start - 60) : start]
        if not _NOT_BEFORE.search(before) and not _NOT_AFTER.match(low, end):
            return "plain"
        hedged = True
    return "hedged" if hedged else None


def _official_spans(low: str) -> Iterator[tuple[int, int]]:
    lexicon, plain = _marks()
    for start, end, word in lexicon.find(low):
        if word in plain:
            yield start, end
