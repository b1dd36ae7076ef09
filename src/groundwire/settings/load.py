"""The effective settings: loaded, explained when wrong, and shown without their secrets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, cast
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationError, create_model

from groundwire import plugins
from groundwire.errors import SettingsError
from groundwire.log import Redactor, mask_url
from groundwire.model.base import Json, JsonObject
from groundwire.settings.environment import environment
from groundwire.settings.fields import Section
from groundwire.settings.schema import Sections
from groundwire.settings.sources import (
    DEFAULT,
    FREE_FORM,
    OPTION,
    Gathered,
    Origin,
    Tree,
    absolute,
    data_folder,
    gather,
    put_at,
)
from groundwire.words import Words, words

# Where data is kept and what is logged change no result; what intake listens to decides which
# messages arrive, not what becomes of one.
_LOCAL = (
    *("home", "database_url", "durability", "log", "fetch.workers", "notify"),
    *("intake.allow", "intake.deny", "intake.priority", "intake.concurrency", "intake.feed"),
    "intake.telegram",
)

# What an unset setting means, as a phrase `value.<code>`.
_UNSET = {
    "database_url": "sqlite",
    "budget.run_usd": "no_limit",
    "budget.day_usd": "no_limit",
    "budget.month_usd": "no_limit",
}


class Settings(Sections):
    """All settings of a process; frozen: a reload makes a new value, running jobs keep theirs."""

    _tree: ClassVar[Tree]

    @classmethod
    def tree(cls) -> Tree:
        """Return the names of all settings of this class."""
        if "_tree" not in cls.__dict__:
            cls._tree = Tree(cls)
        return cls._tree

    @classmethod
    def with_sections(cls, sections: Mapping[str, type[Section]]) -> type[Settings]:
        """Build a settings class with one more group for each of `sections`, under its name."""
        fields: dict[str, Any] = {
            name: (section, Field(default_factory=section)) for name, section in sections.items()
        }
        return create_model("Settings", __base__=cls, __module__=cls.__module__, **fields)

    @classmethod
    def load(
        cls,
        overrides: Mapping[str, object] | None = None,
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
    ) -> Loaded:
        """Load defaults, files, environment and `overrides` (dotted or nested), weakest first."""
        cwd = cwd or Path.cwd()
        env = environment() if env is None else env
        found = gather(cls.tree(), overrides or {}, cwd, env)
        settings = cls._valid(found)._with_home(cwd, env)
        origins = dict.fromkeys(cls.tree().leaves, DEFAULT) | found.origins
        return Loaded(settings, origins, again=lambda: cls.load(overrides, cwd, env))

    def loaded(self) -> Loaded:
        """Wrap settings made in code as they are: no file and no variable adds to them."""
        plain = dict(_values(type(self)()))
        origins = {
            name: DEFAULT if name in plain and plain[name] == value else OPTION
            for name, value in _values(self)
        }
        return Loaded(self._with_home(Path.cwd(), environment()), origins)

    def _with_home(self, cwd: Path, env: Mapping[str, str]) -> Settings:
        home = absolute(self.home, cwd, env) if self.home else data_folder(env)
        return self.model_copy(update={"home": home})

    @classmethod
    def _valid(cls, found: Gathered) -> Settings:
        try:
            return cls.model_validate(found.nested())
        except ValidationError as error:
            raise _explained(error, found) from None

    def section(self, name: str) -> Section:
        """Return the group of this name, such as a job's own."""
        found: Section = getattr(self, name)
        return found

    def data_home(self) -> Path:
        """Return the data folder; it need not exist yet."""
        return self.home or data_folder(environment())

    def database(self) -> str:
        """Return the database URL in clear, for the store only."""
        if self.database_url is not None:
            return self.database_url.get_secret_value()
        return f"sqlite:///{self.data_home() / 'groundwire.db'}"

    def secrets(self) -> tuple[str, ...]:
        """Return every secret in clear, for the redactor only."""
        found = {
            part
            for _, value in _values(self)
            for item in _items(value)
            if isinstance(item, SecretStr)
            for part in _secret_parts(item.get_secret_value())
        }
        return tuple(sorted(found))

    def outside_secrets(self) -> tuple[str, ...]:
        """Return the secrets that are sent somewhere, and so may come back in an answer."""
        return self.model_copy(update={"database_url": None}).secrets()

    def trusted_origins(self) -> tuple[str, ...]:
        """List the exact origins (`http://127.0.0.1:8080`) of base URLs that the user configured.

        They may be private. Ask this process's settings, not a recorded run's: a base URL that
        arrives over the API or in a bundle is never trusted.
        """
        found = {
            origin
            for name, value in _values(self)
            if isinstance(value, str) and _is_trusted(name)
            for origin in _origin_of(value)
        }
        return tuple(sorted(found))

    def public_view(self) -> dict[str, Json]:
        """Return what can change a result, without secrets: fixed in the run's row at submit.

        Whether a key is set is left out, so that a record replays alike where it is not.
        """
        root: dict[str, Json] = {}
        for name, value in _values(self):
            if name.startswith(_LOCAL) or self.tree().is_secret(name):
                continue
            items = _items(value)
            put_at(root, name, list(items) if isinstance(value, tuple) else value)
        return root

    def under(self, view: JsonObject) -> Settings:
        """Return these settings with a recorded run's values; secrets and places stay today's.

        A name that this version no longer knows is ignored: the record is older than the code.
        """
        tree = self.tree()
        found = Gathered(tree)
        for name, value in _values(self):
            # Options that the run did not have stay out, except secrets.
            if name in tree.leaves or tree.is_secret(name):
                found.put(name, value, DEFAULT)
        for name, value in _recorded(tree, view, ""):
            if tree.known(name) and not tree.is_secret(name) and not name.startswith(_LOCAL):
                found.put(name, value, Origin("run"))
        return self._valid(found)


@dataclass(frozen=True, slots=True)
class Loaded:
    """Settings and where each came from."""

    settings: Settings
    origins: Mapping[str, Origin]
    again: Callable[[], Loaded] | None = None  # reads the same files anew; None: made in code

    def describe(self, language: str = "en") -> list[tuple[str, str, Origin]]:
        """List dotted name, masked value and origin of every setting: what `gw doctor` prints."""
        redactor, say = Redactor(self.settings.secrets()), words(language)
        return [
            (name, redactor.text(_display(name, value, say)), self.origins.get(name, DEFAULT))
            for name, value in _values(self.settings)
        ]


def _values(section: Section, prefix: str = "") -> Iterator[tuple[str, object]]:
    """Yield every value by dotted name, options of providers included, in a fixed order."""
    for field in type(section).model_fields:
        name = f"{prefix}{field}"
        value: object = getattr(section, field)
        if isinstance(value, Section):
            yield from _values(value, f"{name}.")
        elif name in FREE_FORM:
            providers = cast("Mapping[str, Mapping[str, object]]", value)
            for provider in sorted(providers):
                for option in sorted(providers[provider]):
                    yield f"{name}.{provider}.{option}", providers[provider][option]
        else:
            yield name, value


def _recorded(tree: Tree, view: JsonObject, prefix: str) -> Iterator[tuple[str, object]]:
    for key, value in view.items():
        if isinstance(value, Mapping) and not tree.known(f"{prefix}{key}"):
            yield from _recorded(tree, cast("JsonObject", value), f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def _items(value: object) -> tuple[object, ...]:
    return cast("tuple[object, ...]", value) if isinstance(value, tuple) else (value,)


def _secret_parts(value: str) -> Iterator[str]:
    """Yield what is secret in a value: a URL's password only, else the whole."""
    if "://" not in value:
        yield value
    elif password := urlsplit(value).password:
        yield password


def _is_trusted(name: str) -> bool:
    """Tell whether a setting is an address that may be private: an API's or a channel's."""
    parent, _, leaf = name.rpartition(".")
    return leaf == "base_url" or (leaf == "url" and parent.startswith("notify."))


def _origin_of(url: str) -> Iterator[str]:
    parts = urlsplit(url)
    if parts.scheme in ("http", "https") and parts.hostname:
        host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
        usual = {"http": 80, "https": 443}[parts.scheme]
        port = parts.port or usual
        yield f"{parts.scheme}://{host}" + ("" if port == usual else f":{port}")


def _display(name: str, value: object, say: Words) -> str:
    match value:
        case None:
            return say(f"value.{_UNSET.get(name, 'unset')}")
        case bool():
            return "true" if value else "false"
        case SecretStr():
            text = value.get_secret_value()
            return mask_url(text) if "://" in text else say("value.set")
        case tuple():
            items = _items(cast("object", value))
            return ", ".join(_display(name, item, say) for item in items) or say("value.none")
        case _:
            return str(value)


def _explained(error: ValidationError, found: Gathered) -> SettingsError:
    """Explain the first mistake in one sentence: the setting, its value, what it takes."""
    first = error.errors(include_url=False)[0]
    name = ".".join(str(part) for part in first["loc"])
    while name and name not in found.tree.leaves and name not in FREE_FORM:
        name = name.rpartition(".")[0]
    accepted = plugins.accepted(first)
    if name in FREE_FORM:
        return SettingsError("error.setting_takes", name=name, accepted=accepted)
    origin = found.origins.get(name, DEFAULT).phrase
    # A key pasted into the wrong line must not be printed back.
    text = Redactor().text(str(found.values.get(name)))
    value: object = repr(text if len(text) <= 60 else f"{text[:57]}…")
    if found.tree.is_secret(name):
        value = {"code": "takes.secret"}
    return SettingsError(
        "error.setting_value", name=name, origin=origin, value=value, accepted=accepted
    )
