"""The names of all settings, and their values from files, the environment and options, each with
its origin."""

from __future__ import annotations

import os
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import cast

from pydantic.fields import FieldInfo

from groundwire.errors import SettingsError, os_reason
from groundwire.model.base import JsonObject
from groundwire.settings.environment import config_files, home_path
from groundwire.settings.fields import Section, is_secret_name
from groundwire.settings.names import LEVEL, PREFIX, SEED_ALIASES, WELL_KNOWN, Alias, env_name

# `<group>.<provider>.<option>`: the options belong to the provider, which validates them.
FREE_FORM = frozenset({"models.providers", "search.providers", "tools.providers", "notify"})


def _section(field: FieldInfo) -> type[Section] | None:
    kind = field.annotation
    return kind if isinstance(kind, type) and issubclass(kind, Section) else None


def _walk(section: type[Section], prefix: str) -> Iterator[tuple[str, FieldInfo]]:
    for name, info in section.model_fields.items():
        yield f"{prefix}{name}", info
        inner = _section(info)
        if inner is not None:
            yield from _walk(inner, f"{prefix}{name}.")


class Tree:
    """The dotted names of one set of settings, in the order of its schema."""

    def __init__(self, root: type[Section]) -> None:
        self._root = root

    @cached_property
    def sections(self) -> frozenset[str]:
        """The names of groups."""
        return frozenset(name for name, field in _walk(self._root, "") if _section(field))

    @cached_property
    def leaves(self) -> Mapping[str, FieldInfo]:
        """Every setting that takes a value."""
        return {
            name: field
            for name, field in _walk(self._root, "")
            if name not in self.sections and name not in FREE_FORM
        }

    @cached_property
    def seed_aliases(self) -> Mapping[str, Alias]:
        """Names of the first design: those of shared settings, and those a section declares."""
        declared = {
            name: Alias(f"{group}.{alias.setting}", alias.convert)
            for group, field in self._root.model_fields.items()
            if (section := _section(field)) is not None
            for name, alias in section.aliases.items()
        }
        return {**SEED_ALIASES, **declared}

    def known(self, name: str) -> bool:
        """Tell whether a setting, or an option of a provider, has this name."""
        return name in self.leaves or free_form(name)

    def is_secret(self, name: str) -> bool:
        """Tell whether the setting's value must never be shown."""
        if free_form(name):
            return is_secret_name(name.rpartition(".")[2])
        return name in self.leaves and "SecretStr" in repr(self.leaves[name].annotation)


def free_form(name: str) -> bool:
    """Tell whether `name` is an option of a provider."""
    group, _, option = name.rpartition(".")
    parent, _, provider = group.rpartition(".")
    return bool(option and provider) and parent in FREE_FORM


class Origin(str):
    """Where a value came from: `default`, `file …`, `env NAME` or `option`."""

    @property
    def phrase(self) -> dict[str, object]:
        """The origin for people: `env NAME` as the code `origin.env` with its name."""
        kind, _, name = self.partition(" ")
        if kind in ("env", "file"):
            return {"code": f"origin.{kind}", "params": {"name": name}}
        return {"code": f"origin.{self.replace(' ', '_')}"}


DEFAULT = Origin("default")
OPTION = Origin("option")


@dataclass(slots=True)
class Gathered:
    """Raw values by dotted name, the strongest source last, each with its origin."""

    tree: Tree
    values: dict[str, object] = field(default_factory=dict[str, object])
    origins: dict[str, Origin] = field(default_factory=dict[str, Origin])

    def put(self, name: str, value: object, origin: Origin) -> None:
        self.values[name] = value
        self.origins[name] = origin

    def nested(self) -> dict[str, object]:
        """Return the values as the tree they are validated in."""
        root: JsonObject = {}
        # With the empty groups, so that the tree's own validator fills in the defaults.
        for name in [*sorted(self.tree.sections), *self.values]:
            put_at(root, name, self.values.get(name, {}))
        return root


def put_at(node: JsonObject, name: str, value: object) -> None:
    """Set a value of a tree by its dotted name; groups on the way are made."""
    *parents, leaf = name.split(".")
    for parent in parents:
        node = node.setdefault(parent, {})
    node[leaf] = value


def gather(
    tree: Tree, overrides: Mapping[str, object], cwd: Path, env: Mapping[str, str]
) -> Gathered:
    """Collect every value that is set anywhere, weakest source first."""
    found = Gathered(tree)
    for path in config_files(cwd, env):
        shown = _shown(path, cwd, env)
        source = f"file {shown}"
        for name, value in _flat(tree, "", _read(path, shown), source):
            found.put(_checked(tree, name, source, value), value, Origin(source))
    _put_aliases(found, env, tree.seed_aliases)
    _put_aliases(found, env, WELL_KNOWN)
    _put_environment(found, env)
    for name, value in _flat(tree, "", overrides, "an option"):
        if value is not None:  # an option that was not given
            found.put(_checked(tree, name, "an option"), value, OPTION)
    return found


def data_folder(env: Mapping[str, str]) -> Path:
    """Return the platform's data folder; `env` decides first, so that tests stay apart."""
    folder = env.get("XDG_DATA_HOME")
    if not folder and sys.platform not in ("darwin", "win32"):
        folder = home_path(env, ".local/share")
    if folder:
        return Path(folder) / "groundwire"
    import platformdirs  # 10 ms that most starts do not need

    return Path(platformdirs.user_data_dir("groundwire", appauthor=False))


def absolute(path: Path, cwd: Path, env: Mapping[str, str]) -> Path:
    """Make a path absolute: `~` is the home of `env`, a relative path starts at `cwd`."""
    if path.parts[:1] == ("~",):
        path = Path(home_path(env, ".") or "~").joinpath(*path.parts[1:])
    return Path(os.path.normpath(cwd / path))


def _shown(path: Path, cwd: Path, env: Mapping[str, str]) -> str:
    home = home_path(env, ".")
    if path.is_relative_to(cwd):
        return str(path.relative_to(cwd))
    if home and path.is_relative_to(home):
        return f"~/{path.relative_to(home)}"
    return str(path)


def _read(path: Path, shown: str) -> Mapping[str, object]:
    try:
        return tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        raise SettingsError("error.unreadable_file", path=shown, why=os_reason(error)) from error
    except UnicodeDecodeError as error:
        raise SettingsError("error.setting_no_utf8", path=shown) from error
    except tomllib.TOMLDecodeError as error:
        raise SettingsError("error.no_toml", path=shown, why=error) from error


def _put_aliases(found: Gathered, env: Mapping[str, str], aliases: Mapping[str, Alias]) -> None:
    for name, alias in aliases.items():
        # An empty variable is an unset one: `KEY=` in a .env file is a blank to fill in.
        if env.get(name, "").strip():
            found.put(alias.setting, alias.convert(env[name]), Origin(f"env {name}"))


def _put_environment(found: Gathered, env: Mapping[str, str]) -> None:
    for name in sorted(env):
        if not name.startswith(PREFIX) or not env[name].strip():
            continue
        setting = name.removeprefix(PREFIX).lower().replace(LEVEL, ".")
        if setting in found.tree.sections or setting in FREE_FORM:
            raise _group(found.tree, setting, f"env {name}", env_name)
        if not found.tree.known(setting):
            names = [env_name(leaf) for leaf in found.tree.leaves]
            raise _unknown(name, {"code": "origin.environment"}, names)
        found.put(setting, env[name].strip(), Origin(f"env {name}"))


def _flat(
    tree: Tree, prefix: str, values: Mapping[str, object], source: str
) -> Iterator[tuple[str, object]]:
    """Yield all values by dotted name; a table below a setting stays a value, refused later."""
    for key, value in values.items():
        name = f"{prefix}{key}"
        if not FREE_FORM.isdisjoint((name, name.rpartition(".")[0])) or name in tree.sections:
            if not isinstance(value, Mapping):
                raise _group(tree, name, source, str)
            yield from _flat(tree, f"{name}.", cast("Mapping[str, object]", value), source)
        else:
            yield name, value


def _checked(tree: Tree, name: str, source: str, value: object = None) -> str:
    if not tree.known(name):
        # A file by its name, anything else in words.
        is_file = source.startswith("file ")
        where = source.removeprefix("file ") if is_file else Origin(source).phrase
        whole = isinstance(value, Mapping)  # a whole group under a wrong name
        raise _unknown(name, where, sorted(tree.sections) if whole else list(tree.leaves))
    return name


def _group(tree: Tree, name: str, source: str, spelled: Callable[[str], str]) -> SettingsError:
    inner = (leaf for leaf in tree.leaves if leaf.startswith(f"{name}."))
    example = spelled(next(inner, f"{name}.NAME.OPTION"))
    origin = Origin(source).phrase
    return SettingsError("error.setting_group", name=spelled(name), origin=origin, example=example)


def _unknown(name: str, where: object, candidates: list[str]) -> SettingsError:
    import difflib  # only a mistake needs it

    # Compared without the prefix, which would make every name look near.
    names = {_bare(candidate): candidate for candidate in candidates}
    near = difflib.get_close_matches(_bare(name), list(names), n=1, cutoff=0.6)
    if not near:
        # `cache_ttl` at the top of a file: the name is right, its group is missing.
        last = {bare.rpartition(".")[2]: bare for bare in names}
        word = _bare(name).rpartition(".")[2]
        near = [last[hit] for hit in difflib.get_close_matches(word, list(last), n=1, cutoff=0.6)]
    guess: dict[str, object] = {"code": "guess.doctor"}
    if near:
        guess = {"code": "guess.nearest", "params": {"near": names[near[0]]}}
    return SettingsError("error.no_setting", name=name, where=where, guess=guess)


def _bare(name: str) -> str:
    return name.removeprefix(PREFIX).replace(LEVEL, ".").lower()
