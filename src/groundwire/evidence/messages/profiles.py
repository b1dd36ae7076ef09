"""Profiles: what kinds of events there are in a field, by which words, and how far each is looked into."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from typing import Annotated, Generic, Literal, NamedTuple, TypeAlias, TypeVar

from pydantic import AfterValidator, Field, TypeAdapter, ValidationError, model_validator

from groundwire.errors import InputError, Unfit, UnknownName
from groundwire.language.text.characters import folded
from groundwire.language.text.lexicon import Lexicon, low_form, low_forms, normal_forms
from groundwire.language.text.script import in_script
from groundwire.model.base import Value, canonical
from groundwire.model.phrase import Phrase, phrase
from groundwire.plugins import own_words

OTHER = "other"  # the type of what no other type fits; every profile has it
SHIPPED = ("crypto", "general")
DEFAULT = "general"  # of a message that shows signs of no profile
Direction = Literal["long", "short", "neutral"]
Timeframe = Literal["short", "medium", "long"]
AssetKind = Literal[
    "coin", "token", "stablecoin", "protocol", "wallet", "exchange", "issuer", "entity"
]
_TICKED = ("coin", "token", "stablecoin")  # kinds whose symbols are traded under
_ENDINGS = re.compile(r"([^()]*)\(([^()]+)\)([^()]*)")
_SHORTEST = 2  # a single character is part of many words


def _fits(pattern: re.Pattern[str], fault: str) -> AfterValidator:
    def checked(value: str) -> str:
        if not pattern.fullmatch(value):
            raise Unfit(fault)
        return value

    return AfterValidator(checked)


def _lexicon(value: dict[str, float]) -> dict[str, float]:
    """Every inflection by itself, in low form: `hack(s|ed)` stands for hack, hacks and hacked."""
    found: dict[str, float] = {}
    for written, weight in value.items():
        match = _ENDINGS.fullmatch(written)
        if match is None and ("(" in written or ")" in written):
            raise Unfit("fault.endings", name=written)
        stem, endings, rest = match.groups() if match else (written, "", "")
        for ending in dict.fromkeys(("", *endings.split("|"))):
            low = low_form(f"{stem}{ending}{rest}").strip()
            if len(low) < _SHORTEST:
                raise Unfit("fault.short_word", name=written)
            found[low] = max(weight, found.get(low, 0.0))
    return found


Name = Annotated[str, _fits(re.compile(r"[a-z][a-z0-9_]{0,31}"), "fault.name")]
Domain = Annotated[str, _fits(re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)+"), "fault.domain")]
Weight = Annotated[float, Field(gt=0, le=10)]
Words = Annotated[dict[str, Weight], AfterValidator(_lexicon)]
Text = Annotated[str, Field(min_length=1, max_length=200)]


class Bilingual(Value):
    """Words for searches, in both languages."""

    zh: tuple[Text, ...] = ()
    en: tuple[Text, ...] = ()


class Signs(Value):
    """Words that show what a message is about, with their weights; matched as words."""

    zh: Words = Field(default_factory=dict)
    en: Words = Field(default_factory=dict)


class EventType(Value):
    """One kind of event: its words, how it is searched for, and what it usually means."""

    name: Name
    about: Text
    zh: Words = Field(default_factory=dict)
    en: Words = Field(default_factory=dict)
    queries: Bilingual = Bilingual()  # words that say the event in a search
    official: Bilingual = Bilingual()  # words that find the word of a party to it
    direction: Direction = "neutral"
    timeframe: Timeframe = "short"
    happens_to: tuple[AssetKind | Literal["unknown"], ...] = ()  # other kinds stand behind these
    domains: tuple[Domain, ...] = ()  # preferred beside those of the profile


class Asset(Value):
    """A thing that events happen to. A name marked `~` also means something else."""

    symbol: Annotated[str, Field(pattern=r"^~?[A-Z0-9]{1,16}$")]
    kind: AssetKind
    names: tuple[Text, ...] = ()

    @property
    def id(self) -> str:
        return self.symbol.removeprefix("~")

    def name_in(self, language: str) -> str:
        """The name that readers of this language know; the symbol where it has none."""
        bare = [name.removeprefix("~") for name in self.names]
        latin = [name for name in bare if name.isascii()]
        chinese = in_script((name for name in bare if not name.isascii()), language)
        own = chinese if language.startswith("zh") else latin
        return next(iter([*own, *latin, *chinese]), self.id)


class AssetSpelling(NamedTuple):
    """One way in which an asset is written, and how sure it is."""

    asset: Asset
    written: str  # in normal form, in its own capitals
    symbol: bool
    unsure: bool  # only with a sign that it is meant


T = TypeVar("T")


class Index(NamedTuple, Generic[T]):
    """Words or names that are looked for in one pass; by what is written, in low form."""

    lexicon: Lexicon
    of: Mapping[str, T]


WordIndex: TypeAlias = Index[tuple[tuple[str, float], ...]]  # what it speaks for, how strongly


class GateSets(Value):
    """Types that always go deep, and those that never do."""

    always: tuple[Name, ...] = ()
    never: tuple[Name, ...] = ()


class PolicySets(Value):
    """Types that are not searched for, that must be, and that are a matter of numbers."""

    never_search: tuple[Name, ...] = ()
    forced: tuple[Name, ...] = ()
    numeric: tuple[Name, ...] = ()


class Profile(Value):
    """A field of events. Without domains of its own its searches are open at once."""

    name: Name
    about: Text
    trades: bool = False  # whether a signal may say anything but observe
    types: Annotated[tuple[EventType, ...], Field(min_length=1)]
    signs: Signs = Signs()
    unlike: tuple[Text, ...] = ()  # longer words that hold one of the others and are something else
    gate: GateSets = GateSets()
    policy: PolicySets = PolicySets()
    domains: tuple[Domain, ...] = ()
    deny: tuple[Domain, ...] = ()
    assets: tuple[Asset, ...] = ()
    not_assets: tuple[Text, ...] = ()  # what looks like a name and is none: ETF, CEO, 交易所

    @cached_property
    def no_assets(self) -> frozenset[str]:
        """What is no name, in low form."""
        return frozenset(low_form(word) for word in self.not_assets)

    @property
    def type_names(self) -> tuple[str, ...]:
        return tuple(each.name for each in self.types)

    def type(self, name: str) -> EventType:
        """The type of this name."""
        for each in self.types:
            if each.name == name:
                return each
        raise UnknownName(
            "error.no_event_type",
            profile=self.name,
            name=name,
            known=self.type_names,
            hint="hint.known",
        )

    @cached_property
    def words(self) -> WordIndex:
        """The words of all types, built once and when they are needed."""
        entries = (
            (word, each.name, weight)
            for each in self.types
            for word, weight in (*each.zh.items(), *each.en.items())
        )
        return _index(entries, self.unlike)

    @cached_property
    def sign_words(self) -> WordIndex:
        """The words that show that a message belongs here."""
        both = (*self.signs.zh.items(), *self.signs.en.items())
        return _index(((word, self.name, weight) for word, weight in both), self.unlike)

    @cached_property
    def asset_words(self) -> Index[AssetSpelling]:
        """Symbols and names of all assets; the first asset that has a name keeps it."""
        written = [
            (asset, name.removeprefix("~"), name is asset.symbol, name.startswith("~"))
            for asset in self.assets
            for name in (*asset.names, asset.symbol)
        ]
        # LINK is a ticker, and Link is not; KRAKEN is nothing but the name in capitals.
        written.sort(key=lambda each: not (each[2] and each[0].kind in _TICKED))
        normal = normal_forms(name for _, name, _, _ in written)
        forms: dict[str, AssetSpelling] = {}
        for (asset, _, symbol, unsure), name in zip(written, normal, strict=True):
            forms.setdefault(folded(name), AssetSpelling(asset, name, symbol, unsure))
        return Index(Lexicon(forms), forms)

    @model_validator(mode="after")
    def _coherent(self) -> Profile:
        names = self.type_names
        if OTHER not in names:
            raise Unfit("fault.type_needed", name=OTHER)
        ids = tuple(asset.id for asset in self.assets)
        for field, listed in (("types", names), ("assets", ids)):
            for name in listed:
                if listed.count(name) > 1:
                    raise Unfit("fault.twice", field=field, name=name)
        sets: dict[str, tuple[str, ...]] = {
            f"{part}.{field}": listed
            for part, given in (("gate", self.gate), ("policy", self.policy))
            for field, listed in given
        }
        for field, listed in sets.items():
            for name in listed:
                if name not in names:
                    raise Unfit("fault.no_type", field=field, name=name)
        for one, other in (("gate.always", "gate.never"), ("policy.forced", "policy.never_search")):
            for name in sets[one]:
                if name in sets[other]:
                    raise Unfit("fault.in_both", name=name, one=one, other=other)
        return self


def _index(entries: Iterable[tuple[str, str, float]], unlike: Iterable[str]) -> WordIndex:
    # What is something else is found, too, and speaks for nothing.
    weights: dict[str, tuple[tuple[str, float], ...]] = dict.fromkeys(low_forms(unlike), ())
    for word, name, weight in entries:
        weights[word] = (*weights.get(word, ()), (name, weight))
    return Index(Lexicon(weights), weights)


def read_profile(text: str, origin: str) -> Profile:
    """A profile from the text of its file; what is wrong is named by its line or its field."""
    where: str | Phrase = origin
    try:
        return Profile.model_validate(json.loads(text))
    except json.JSONDecodeError as error:
        where, what = phrase("error.at_line", where=origin, n=error.lineno), error.msg
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        what = own_words(first)
        if first["loc"]:
            where = f"{origin}, {'.'.join(str(part) for part in first['loc'])}"
    raise InputError("error.in_file", where=where, what=what, hint="hint.shipped_profiles")


def read_profiles(texts: Mapping[str, str]) -> tuple[Profile, ...]:
    """The user's own profiles, by the names of their files; no two of one name."""
    found: dict[str, Profile] = {}
    for origin, text in sorted(texts.items()):
        own = read_profile(text, origin)
        if own.name in found:
            raise InputError(
                "error.in_file", where=origin, what=phrase("error.profile_twice", name=own.name)
            )
        found[own.name] = own
    return tuple(found.values())


_MANY = TypeAdapter(tuple[Profile, ...])


def fixed(own: tuple[Profile, ...]) -> str:
    """The user's own profiles as a run keeps them: their content, not where they lay."""
    return canonical(_MANY.dump_python(own, mode="json")).decode() if own else ""


@lru_cache(maxsize=16)
def unfixed(text: str) -> tuple[Profile, ...]:
    """What `fixed` wrote, read again."""
    return _MANY.validate_json(text) if text else ()


@cache
def _shipped(name: str) -> Profile:
    path = files("groundwire.evidence.data").joinpath("profiles", f"{name}.json")
    return read_profile(path.read_text("utf-8"), f"{name}.json")


def profiles(own: tuple[Profile, ...] = ()) -> tuple[Profile, ...]:
    """The user's own first, then those that ship; one of the same name replaces a shipped one."""
    taken = tuple(each.name for each in own)
    return (*own, *(_shipped(name) for name in SHIPPED if name not in taken))


def profile(name: str, own: tuple[Profile, ...] = ()) -> Profile:
    """The profile of this name."""
    known = profiles(own)
    for each in known:
        if each.name == name:
            return each
    raise UnknownName(
        "error.no_profile", name=name, known=[each.name for each in known], hint="hint.known"
    )
