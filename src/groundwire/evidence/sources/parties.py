"""Parties with an official voice: their names, addresses and accounts, from data files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Literal, NamedTuple, cast, get_args

from groundwire.evidence.sources.places import WebPlace, file_error, official_words, read_place
from groundwire.language.text.characters import folded
from groundwire.language.text.lexicon import Lexicon, low_forms, normal_forms
from groundwire.model.phrase import Phrase, phrase

Kind = Literal[
    "exchange",  # of crypto assets
    "issuer",
    "protocol",
    "market",  # of securities
    "regulator",
    "central_bank",
    "ministry",
    "body",  # other public bodies, courts, international organisations
    "company",
    "platform",  # where others publish
]
COLUMNS = (
    "id", "kind", "zh-Hans", "zh-Hant", "en", "aliases", "tickers", "domains", "accounts",
    "not official", "near", "unlike",
)  # fmt: skip
_FEWEST = COLUMNS.index("accounts") + 1
_NOTHING = "-"
_SHORTEST = 2
_ID = re.compile(r"[a-z0-9][a-z0-9-]*")
_TICKER = re.compile(r"~?[A-Za-z0-9]{1,12}(?:\.[A-Z]{1,3})?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """A party with its official addresses. A name marked `~` also means something else."""

    id: str
    kind: Kind
    zh_hans: tuple[str, ...] = ()
    zh_hant: tuple[str, ...] = ()
    en: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    tickers: tuple[str, ...] = ()
    domains: tuple[WebPlace, ...] = ()
    accounts: tuple[WebPlace, ...] = ()
    not_official: tuple[WebPlace, ...] = ()
    near: tuple[str, ...] = ()  # words that show that an ambiguous name means this entity
    unlike: tuple[str, ...] = ()  # longer words that contain a name and mean something else

    @property
    def names(self) -> tuple[str, ...]:
        """Every name, marks included, tickers apart."""
        return (*self.en, *self.zh_hans, *self.zh_hant, *self.aliases)

    @property
    def name(self) -> str:
        """The name that is shown: English, else Chinese, without its mark."""
        return self.names[0].removeprefix("~")


def read_officials(text: str, origin: str = "officials.tsv") -> tuple[Entity, ...]:
    """Read the entities of a file like `officials.tsv`; name the first line that is wrong."""
    entities: dict[str, Entity] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        where = phrase("error.at_line", where=origin, n=number)
        entity = _entity(line, where)
        if entity.id in entities:
            raise file_error(where, phrase("fault.id_twice", name=entity.id))
        entities[entity.id] = entity
    return tuple(entities.values())


def _entity(line: str, where: Phrase) -> Entity:
    cells = [cell.strip() for cell in line.split("\t")]
    if not _FEWEST <= len(cells) <= len(COLUMNS):
        raise file_error(
            where, phrase("fault.columns", n=len(cells)), columns=COLUMNS, hint="hint.columns"
        )
    cells += [_NOTHING] * (len(COLUMNS) - len(cells))
    if not _ID.fullmatch(cells[0]):
        raise file_error(where, phrase("fault.no_id", name=cells[0]), hint="hint.id")
    known = get_args(Kind)
    if cells[1] not in known:
        raise file_error(
            where, phrase("fault.no_kind", name=cells[1]), known=known, hint="hint.one_of"
        )
    lists = [_list(cell) for cell in cells[2:]]
    zh_hans, zh_hant, en, aliases, tickers, domains, accounts, excluded, near, unlike = lists
    for word in (*zh_hans, *zh_hant, *en, *aliases, *near, *unlike):
        # A single letter can be a name (X, W) when it is marked; a single character cannot.
        bare = word.removeprefix("~")
        if len(bare) < _SHORTEST and (bare == word or not bare.isascii() or not bare):
            raise file_error(where, phrase("fault.short", name=word), hint="hint.two_characters")
    for ticker in tickers:
        if not _TICKER.fullmatch(ticker):
            raise file_error(where, phrase("fault.no_ticker", name=ticker), hint="hint.ticker")
    names, places = (*zh_hans, *zh_hant, *en), (*domains, *accounts)
    if not (names and places):
        what = phrase("fault.no_place" if names else "fault.no_name", name=cells[0])
        raise file_error(where, what, columns=COLUMNS, hint="hint.columns")
    return Entity(
        id=cells[0],
        kind=cast(Kind, cells[1]),
        zh_hans=zh_hans,
        zh_hant=zh_hant,
        en=en,
        aliases=aliases,
        tickers=tickers,
        domains=tuple(read_place(domain, where, "domain") for domain in domains),
        accounts=tuple(read_place(account, where, "account") for account in accounts),
        not_official=tuple(read_place(place, where, "excluded") for place in excluded),
        near=near,
        unlike=unlike,
    )


def _list(cell: str) -> tuple[str, ...]:
    parts = (part.strip() for part in cell.split("|"))
    return tuple(dict.fromkeys(part for part in parts if part not in ("", _NOTHING)))


class PartySpelling(NamedTuple):
    """One way in which an entity is written, and how certain it is."""

    entity: int
    written: str
    exact: bool  # in this spelling, or all in capitals
    unsure: bool  # only with a word near it that confirms it


class Registry:
    """Entities with the indexes for finding them, built once and on demand."""

    def __init__(self, entities: Sequence[Entity]) -> None:
        self.entities = tuple(entities)
        self.at_site: dict[str, list[Entity]] = {}  # with an address under a registrable domain
        for entity in self.entities:
            for site in dict.fromkeys(place.site for place in entity.domains):
                self.at_site.setdefault(site, []).append(entity)

    @cached_property
    def forms(self) -> dict[str, tuple[PartySpelling, ...]]:
        """The spellings by their low form, one for each entity that it may stand for."""
        spellings = [form for n, entity in enumerate(self.entities) for form in _forms(n, entity)]
        forms: dict[str, tuple[PartySpelling, ...]] = {}
        normal = normal_forms(form.written for form in spellings)
        for written, form in zip(normal, spellings, strict=True):
            entries = forms.get(folded(written), ())
            if all(other.entity != form.entity for other in entries):
                forms[folded(written)] = (*entries, form._replace(written=written))
        return forms

    @cached_property
    def names(self) -> Lexicon:
        """Every form, and the longer words that mean something else."""
        unlike = [word for entity in self.entities for word in entity.unlike]
        return Lexicon([*self.forms, *unlike])

    @cached_property
    def near(self) -> tuple[frozenset[str], ...]:
        """For each entity its own words, in low form, that confirm an ambiguous name."""
        return tuple(frozenset(low_forms(entity.near)) for entity in self.entities)

    @cached_property
    def context(self) -> Lexicon:
        """All words that confirm a name: those of entities and those of kinds."""
        kinds = [near_kind(kind) for kind in get_args(Kind)]
        return Lexicon(sorted(frozenset[str]().union(*self.near, *kinds)))

    def get(self, entity_id: str) -> Entity | None:
        return next((each for each in self.entities if each.id == entity_id), None)


def _forms(number: int, entity: Entity) -> Iterable[PartySpelling]:
    for name in entity.names:
        bare = name.removeprefix("~")
        unsure = bare != name
        # SEC is a name, sec is not; Binance and binance both are.
        yield PartySpelling(number, bare, unsure or (bare.isupper() and bare.isascii()), unsure)
    for ticker in entity.tickers:
        bare = ticker.removeprefix("~")
        yield PartySpelling(number, bare, True, bare != ticker)


@cache
def near_kind(kind: Kind) -> frozenset[str]:
    """Return the words, in low form, that confirm an ambiguous name of any entity of this kind."""
    return frozenset(low_forms(official_words(f"near {kind}")))


@cache
def officials() -> Registry:
    """Return the entities that ship with Groundwire."""
    path = files("groundwire.evidence.data").joinpath("officials.tsv")
    return Registry(read_officials(path.read_text("utf-8")))
