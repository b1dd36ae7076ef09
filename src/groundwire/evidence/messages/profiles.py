"""Profiles: what kinds of events there are in a field, by which words, and how far each is looked into."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from typing import Annotated, Literal, NamedTuple

from pydantic import AfterValidator, Field, TypeAdapter, ValidationError, model_validator

from groundwire.errors import InputError, Unfit, UnknownName
from groundwire.language.text.characters import folded
from groundwire.language.text.lexicon import Lexicon, low_form, low_forms, normal_forms
from groundwire.model.base import Value, canonical
from groundwire.model.phrase import phrase
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
_NAME = re.compile(r"[a-z][a-z0-9_]{0,31}")
_DOMAIN = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)+")
_ENDINGS = re.compile(r"([^()]*)\(([^()]+)\)([^()]*)")
_SHORTEST = 2  # a single character is part of many words


def _name(value: str) -> str:
    if not _NAME.fullmatch(value):
        raise Unfit("fault.name")
    return value


def _domain(value: str) -> str:
    if not _DOMAIN.fullmatch(value):
        raise Unfit("fault.domain")
    return value


def _lexicon(value: dict[str, float]) -> dict[str, float]:
    """Every inflection by itself, in low form: `hack(s|ed)` stands for hack, hacks and hacked."""
    found: dict[str, float] = {}
    for written, weight in value.items():
        for word in _inflected(written):
            low = low_form(word).strip()
            if len(low) < _SHORTEST:
                raise Unfit("fault.short_word", name=written)
            found[low] = max(weight, found.get(low, 0.0))
    return found


def _inflected(written: str) -> list[str]:
    match = _ENDINGS.fullmatch(written)
    if match is None:
        if "(" in written or ")" in written:
            raise Unfit("fault.endings", name=written)
        return [written]
    stem, endings, rest = match.groups()
    return [f"{stem}{ending}{rest}" for ending in ("", *endings.split("|"))]


Name = Annotated[str, AfterValidator(_name)]
Domain = Annotated[str, AfterValidator(_domain)]
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


class WordIndex(NamedTuple):
    """Words that are looked for in one pass, and what each of them speaks for, how strongly."""

    lexicon: Lexicon
    weights: Mapping[str, tuple[tuple[str, float], ...]]


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
        chinese = [name for name in bare if not name.isascii()]
        own = chinese if language.startswith("zh") else latin
        return next(iter([*own, *latin, *chinese]), self.id)


class AssetSpelling(NamedTuple):
    """One way in which an asset is written, and how sure it is."""

    asset: Asset
    written: str  # in normal form, in its own capitals
    symbol: bool
    unsure: bool  # only with a sign that it is meant


class AssetIndex(NamedTuple):
    """Assets looked for in one pass; by what is written, in low form."""

    lexicon: Lexicon
    forms: Mapping[str, AssetSpelling]


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
    def asset_words(self) -> AssetIndex:
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
        return AssetIndex(Lexicon(forms), forms)

    @model_validator(mode="after")
    def _coherent(self) -> Profile:
        names = self.type_names
        if OTHER not in names:
            raise Unfit("fault.type_needed", name=OTHER)
        for name in names:
            if names.count(name) > 1:
                raise Unfit("fault.twice", field="types", name=name)
        for field, listed in (
            ("gate.always", self.gate.always),
            ("gate.never", self.gate.never),
            ("policy.never_search", self.policy.never_search),
            ("policy.forced", self.policy.forced),
            ("policy.numeric", self.policy.numeric),
        ):
            for name in listed:
                if name not in names:
                    raise Unfit("fault.no_type", field=field, name=name)
        _apart("gate.always", self.gate.always, "gate.never", self.gate.never)
        _apart("policy.forced", self.policy.forced, "policy.never_search", self.policy.never_search)
        ids = [asset.id for asset in self.assets]
        for each in ids:
            if ids.count(each) > 1:
                raise Unfit("fault.twice", field="assets", name=each)
        return self


def _index(entries: Iterable[tuple[str, str, float]], unlike: Iterable[str]) -> WordIndex:
    # What is something else is found, too, and speaks for nothing.
    weights: dict[str, tuple[tuple[str, float], ...]] = dict.fromkeys(low_forms(unlike), ())
    for word, name, weight in entries:
        weights[word] = (*weights.get(word, ()), (name, weight))
    return WordIndex(Lexicon(weights), weights)


def _apart(one: str, ones: Iterable[str], other: str, others: Iterable[str]) -> None:
    both = [name for name in ones if name in tuple(others)]
    if both:
        raise Unfit("fault.in_both", name=both[0], one=one, other=other)


def read_profile(text: str, origin: str) -> Profile:
    """A profile from the text of its file; what is wrong is named by its line or its field."""
    try:
        found: object = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(
            "error.in_file",
            where=phrase("error.at_line", where=origin, n=error.lineno),
            what=error.msg,
            hint="hint.shipped_profiles",
        ) from None
    try:
        return Profile.model_validate(found)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        what = own_words(first)
        where = f"{origin}, {field}" if field else origin
        raise InputError(
            "error.in_file", where=where, what=what, hint="hint.shipped_profiles"
        ) from None


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
