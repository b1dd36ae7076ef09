"""Profiles: the kinds of events in a field, the words for each, and how closely each is examined."""

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
from groundwire.plugins import fault_reason

OTHER = "other"  # the type of what fits no other type; every profile has it
SHIPPED = ("crypto", "general")
DEFAULT = "general"  # for a message that shows signs of no profile
Direction = Literal["long", "short", "neutral"]
Timeframe = Literal["short", "medium", "long"]
AssetKind = Literal[
    "coin", "token", "stablecoin", "protocol", "wallet", "exchange", "issuer", "entity"
]
_TICKED = ("coin", "token", "stablecoin")  # kinds that are traded under their symbol
_ENDINGS = re.compile(r"([^()]*)\(([^()]+)\)([^()]*)")
_SHORTEST = 2  # a single character is part of many words


def _fits(pattern: re.Pattern[str], fault: str) -> AfterValidator:
    def check(value: str) -> str:
        if not pattern.fullmatch(value):
            raise Unfit(fault)
        return value

    return AfterValidator(check)


def _lexicon(value: dict[str, float]) -> dict[str, float]:
    """Expand every inflection, in low form: `hack(s|ed)` stands for hack, hacks and hacked."""
    weights: dict[str, float] = {}
    for written, weight in value.items():
        match = _ENDINGS.fullmatch(written)
        if match is None and ("(" in written or ")" in written):
            raise Unfit("fault.endings", name=written)
        stem, endings, rest = match.groups() if match else (written, "", "")
        for ending in dict.fromkeys(("", *endings.split("|"))):
            low = low_form(f"{stem}{ending}{rest}").strip()
            if len(low) < _SHORTEST:
                raise Unfit("fault.short_word", name=written)
            weights[low] = max(weight, weights.get(low, 0.0))
    return weights


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


class Joined(Value):
    """Words that are a sign of an event only where one of each stands: a water supply, and hackers."""

    one: Words
    other: Words
    weight: Weight

    @cached_property
    def _sides(self) -> tuple[Lexicon, Lexicon]:
        return Lexicon(self.one), Lexicon(self.other)

    def stands_in(self, low: str) -> bool:
        """Tell whether a text in low form has one of each."""
        return all(any(side.find(low)) for side in self._sides)


class EventType(Value):
    """One kind of event: its words, how it is searched for, and what it usually means."""

    name: Name
    about: Text
    zh: Words = Field(default_factory=dict)
    en: Words = Field(default_factory=dict)
    joined: tuple[Joined, ...] = ()
    queries: Bilingual = Bilingual()  # words that say the event in a search
    official: Bilingual = Bilingual()  # words that find a party's own statement
    direction: Direction = "neutral"
    timeframe: Timeframe = "short"
    happens_to: tuple[AssetKind | Literal["unknown"], ...] = ()  # other kinds rank after these
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
        """Return the name that readers of this language know; the symbol if there is none."""
        bare = [name.removeprefix("~") for name in self.names]
        latin = [name for name in bare if name.isascii()]
        chinese = in_script((name for name in bare if not name.isascii()), language)
        known = [*chinese, *latin] if language.startswith("zh") else latin
        return next(iter(known), self.id)


class AssetSpelling(NamedTuple):
    """One way in which an asset is written, and how certain it is."""

    asset: Asset
    written: str  # in normal form, in its own capitals
    symbol: bool
    unsure: bool  # only with a sign that it is meant


T = TypeVar("T")


class Index(NamedTuple, Generic[T]):
    """Words or names to find in one pass, by their low form."""

    lexicon: Lexicon
    of: Mapping[str, T]


WordIndex: TypeAlias = Index[tuple[tuple[str, float], ...]]  # what it is a sign of, how strongly


class GateSets(Value):
    """Types that always go deep, and those that never do."""

    always: tuple[Name, ...] = ()
    never: tuple[Name, ...] = ()


class PolicySets(Value):
    """Types that are never searched for, that must be, and that are a matter of numbers."""

    never_search: tuple[Name, ...] = ()
    forced: tuple[Name, ...] = ()
    numeric: tuple[Name, ...] = ()


class Profile(Value):
    """A field of events; without domains of its own, its searches are open from the start."""

    name: Name
    about: Text
    trades: bool = False  # whether a signal may say anything but observe
    types: Annotated[tuple[EventType, ...], Field(min_length=1)]
    signs: Signs = Signs()
    unlike: tuple[Text, ...] = ()  # longer words that contain another and mean something else
    gate: GateSets = GateSets()
    policy: PolicySets = PolicySets()
    domains: tuple[Domain, ...] = ()
    deny: tuple[Domain, ...] = ()
    assets: tuple[Asset, ...] = ()
    not_assets: tuple[Text, ...] = ()  # what looks like a name and is none: ETF, CEO, 交易所

    @cached_property
    def no_assets(self) -> frozenset[str]:
        """The words that are no names, in low form."""
        return frozenset(low_form(word) for word in self.not_assets)

    @property
    def type_names(self) -> tuple[str, ...]:
        return tuple(each.name for each in self.types)

    def type(self, name: str) -> EventType:
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
        """The words of all types, indexed once and on demand."""
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
        # LINK is a ticker, and Link is not; KRAKEN is only the name in capitals.
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
            for part, part_sets in (("gate", self.gate), ("policy", self.policy))
            for field, listed in part_sets
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
    # Words that mean something else are found, too, and count for nothing.
    weights: dict[str, tuple[tuple[str, float], ...]] = dict.fromkeys(low_forms(unlike), ())
    for word, name, weight in entries:
        weights[word] = (*weights.get(word, ()), (name, weight))
    return Index(Lexicon(weights), weights)


def read_profile(text: str, origin: str) -> Profile:
    """Read a profile from the text of its file; name what is wrong by its line or its field."""
    where: str | Phrase = origin
    try:
        return Profile.model_validate(json.loads(text))
    except json.JSONDecodeError as error:
        where, what = phrase("error.at_line", where=origin, n=error.lineno), error.msg
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        what = fault_reason(first)
        if first["loc"]:
            where = f"{origin}, {'.'.join(str(part) for part in first['loc'])}"
    raise InputError("error.in_file", where=where, what=what, hint="hint.shipped_profiles")


def read_profiles(texts: Mapping[str, str]) -> tuple[Profile, ...]:
    """Read the user's own profiles, by the names of their files; no two of one name."""
    by_name: dict[str, Profile] = {}
    for origin, text in sorted(texts.items()):
        entry = read_profile(text, origin)
        if entry.name in by_name:
            raise InputError(
                "error.in_file", where=origin, what=phrase("error.profile_twice", name=entry.name)
            )
        by_name[entry.name] = entry
    return tuple(by_name.values())


_MANY = TypeAdapter(tuple[Profile, ...])


def dump_profiles(custom: tuple[Profile, ...]) -> str:
    """Serialise the user's own profiles as a run keeps them: their content, not their place."""
    return canonical(_MANY.dump_python(custom, mode="json")).decode() if custom else ""


@lru_cache(maxsize=16)
def load_profiles(text: str) -> tuple[Profile, ...]:
    """Read what `dump_profiles` wrote."""
    return _MANY.validate_json(text) if text else ()


@cache
def _shipped(name: str) -> Profile:
    path = files("groundwire.evidence.data").joinpath("profiles", f"{name}.json")
    return read_profile(path.read_text("utf-8"), f"{name}.json")


def profiles(custom: tuple[Profile, ...] = ()) -> tuple[Profile, ...]:
    """Return the user's own profiles, then the shipped ones that they do not replace by name."""
    taken = tuple(each.name for each in custom)
    return (*custom, *(_shipped(name) for name in SHIPPED if name not in taken))


def profile(name: str, custom: tuple[Profile, ...] = ()) -> Profile:
    known = profiles(custom)
    for each in known:
        if each.name == name:
            return each
    raise UnknownName(
        "error.no_profile", name=name, known=[each.name for each in known], hint="hint.known"
    )
