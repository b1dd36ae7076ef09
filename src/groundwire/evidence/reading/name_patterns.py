"""A name as one pattern of all its ways to be written: in both languages, in full, shortened, by initials."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache

from groundwire.evidence.markets.coins import coins
from groundwire.evidence.messages.profiles import profiles
from groundwire.evidence.sources.parties import officials
from groundwire.language.data import words
from groundwire.language.names.names import country_ways, written_ways
from groundwire.language.text.characters import HAN, normalise
from groundwire.language.text.wording import is_han

# Words that a name may hold or stand beside, and that name nobody alone.
GENERIC = words("generic names")
PLACES = words("places")
PLACE, _KNOWN = 0.5, 0.6  # many events happen to names that a glossary knows
_DEMONYM = re.compile(r"[a-z](?:ish|ese|ian|ean)\Z")
_SUFFIX = re.compile(r"[地市县区省州镇岛村港段牌]\Z")
_WHOSE = re.compile(r"\A(?:中国|国家|美国|台湾|香港|日本|英国|韩国)(?=[^\s]{3})")
_OFFICE = re.compile(r"[署局部院会委厅处]\Z")
_BETWEEN = f"[{HAN}]{{0,3}}?"
_SMALL = r"(?: (?:of|the|and|for|on|in|&))*"  # words of a name that give no initial
_PLURAL = re.compile(r"(?<=[A-Za-z]{2}[b-hj-rtv-z])s\Z")  # not Mars, not Atlas, not Press
_INITIALS = range(3, 6)
_SHORT = range(3, 5)
_ACRONYM = 4  # letters at most


@dataclass(frozen=True, slots=True)
class Anchor:
    """A name of the claim, as one pattern of all its ways to be written."""

    text: str
    written: re.Pattern[str]
    weight: float
    known: tuple[bool, bool]  # whether a way to write it is known in Latin letters, in Chinese
    whole: re.Pattern[str] | None = None  # in full, for a name of several words
    other: re.Pattern[str] | None = None  # its first word in the name of somebody else

    def stands(self, flat: str) -> bool:
        """Whether it is written in this text, which is in its normal form."""
        return self.written.search(flat) is not None


def is_generic(word: str) -> bool:
    """Whether a word, in the singular or the plural, names nobody alone."""
    low = word.lower()
    return low in GENERIC or low.removesuffix("s") in GENERIC


def named_anchor(flat: str, run: list[tuple[int, int]]) -> Anchor:
    """A name by its telling words: Halcyon Asset Management is Halcyon, Lattice Grid also LGRD."""
    words = [_bare(flat[a:b]) for a, b in run if not is_generic(flat[a:b])]
    whole = _bare(flat[run[0][0] : run[-1][1]])
    weight = _KNOWN if len(words) == 1 and len(written_ways(words[0])) > 1 else 1.0
    short = [len(word) for word in words] == [1]  # 美, 日
    if len(words) == 1 and (short or words[0].lower() in PLACES or _DEMONYM.search(words[0])):
        weight = PLACE
    known = party_ways(whole)
    # A body that is known by its whole name is not known by its last word: Federal Reserve.
    single = words[:1] if len(known) > 1 else words
    found = anchor(tuple(dict.fromkeys((whole, *single, *known, *country_ways(whole)))), weight)
    if len(run) == 1 or is_han(whole) or not words[0][:1].isupper():
        return found
    own = "|".join(re.escape(_singular(flat[a:b])) + "s?" for a, b in run)
    kinds = "|".join(word.capitalize() for word in sorted(GENERIC) if word.isascii())
    other = rf"(?<![A-Za-z]){re.escape(words[0])} (?!(?:{own}|{kinds})\b)[A-Z][a-z]{{2,}}"
    in_full = "|".join(map(_written, dict.fromkeys((whole, *known))))
    return replace(found, whole=re.compile(in_full), other=re.compile(other))


def _bare(name: str) -> str:
    return re.sub(r"'s?\Z", "", name)


def _singular(name: str) -> str:
    """Without the mark of the plural, which a pattern allows for: MacBook Airs."""
    return _PLURAL.sub("", name)


def anchor(ways: tuple[str, ...], weight: float) -> Anchor:
    """A name by every way to write it; the first is the claim's own."""
    every = dict.fromkeys(
        form for way in ways for form in (*written_ways(way), *party_ways(way), *_shorter(way))
    )
    known = (any(not is_han(form) for form in every), any(is_han(form) for form in every))
    patterns = [*map(_written, every), *_abbreviated(ways[0])]
    return Anchor(ways[0], re.compile("|".join(dict.fromkeys(patterns))), weight, known)


def with_stem(name: str) -> tuple[str, ...]:
    """A Chinese name, and what is left without the word for what it is: 滨浦县 and 滨浦."""
    bare = _SUFFIX.sub("", name)
    return (name, bare) if len(bare) > 1 and bare != name else (name,)


def party_ways(name: str) -> tuple[str, ...]:
    """Every name of the party or the asset that this name stands for alone."""
    return _parties().get(normalise(name).text.lower(), ())


@cache
def _parties() -> dict[str, tuple[str, ...]]:
    """Names to all names; a name of two parties, or one that also means something else, tells neither."""
    every = [each.names for each in officials().entities]
    every.extend((*asset.names, asset.symbol) for each in profiles() for asset in each.assets)
    found: dict[str, tuple[str, ...]] = {}
    for group in every:
        sure = [normalise(name).text for name in group if not name.startswith("~")]
        for name in sure:
            known = found.get(name.lower(), ())
            found[name.lower()] = tuple(dict.fromkeys((*known, *sure)))
    return found


def _shorter(name: str) -> tuple[str, ...]:
    """A Chinese body without the land before it: 中国证监会 is 证监会."""
    short = _WHOSE.sub("", name) if is_han(name) else name
    return (short,) if short != name else ()


def _abbreviated(name: str) -> tuple[str, ...]:
    """Ways to write a name that only a pattern has: initials written out, 疾管署 as 疾病管制署."""
    if is_han(name):
        if len(name) in _SHORT and _OFFICE.search(name):
            return (_BETWEEN.join(map(re.escape, name)),)
        return ()
    if name.isupper() and name.isalpha() and len(name) in _INITIALS:
        head, *rest = name
        own = rf"{rest[-1]}[a-z]+"  # DOJ: the Justice Department, the Department of Justice
        full = rf"\b{own} Department\b|\bDepartment of (?:the )?{own}"
        whose = (full,) if name[:-1] == "DO" else ()
        return (
            *whose,
            rf"\b{head}[a-z][\w'-]*" + "".join(rf"{_SMALL} {c}[\w'-]+" for c in rest),
        )
    heads = "".join(word[0] for word in re.findall(r"\b[A-Z][a-z'-]+", name))
    return (rf"(?<![A-Za-z]){heads}(?![A-Za-z])",) if len(heads) in _INITIALS else ()


def _written(form: str) -> str:
    """A name as a pattern: Latin ones as whole words, with the case of a name."""
    if is_han(form):
        return re.escape(form)
    words = [_cased(word) for word in re.split(r"[\s-]+", _singular(form.strip(" ($."))) if word]
    return r"(?<![A-Za-z0-9])" + r"[\s-]+".join(words) + r"(?:s|es)?(?![A-Za-z0-9])"


def _cased(word: str) -> str:
    first, rest = re.escape(word[:1]), re.escape(word[1:])
    if word.isupper():  # a message that shouts
        return f"(?:{first}{rest}|{first}{rest.lower()})" if len(word) > _ACRONYM else first + rest
    small = f"|{re.escape(word.lower())}" if word in _commodities() else ""
    return f"(?:{first.upper()}{rest}|{re.escape(word.upper())}|{re.escape(word)}{small})"


@cache
def _commodities() -> frozenset[str]:
    """Names of coins, which English texts also write small."""
    return frozenset(name for each in coins().values() for name in each.names if name.istitle())
