"""The names of all settings, read off the schema."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from pydantic.fields import FieldInfo

from groundwire.settings.fields import Section, is_secret_name
from groundwire.settings.names import SEED_ALIASES, Alias

# `<group>.<provider>.<option>`: the options belong to the provider, which validates them.
FREE_FORM = frozenset({"models.providers", "search.providers", "tools.providers", "notify"})


def _section(field: FieldInfo) -> type[Section] | None:
    kind = field.annotation
    return kind if isinstance(kind, type) and issubclass(kind, Section) else None


def _walk(section: type[Section], prefix: str) -> Iterator[tuple[str, FieldInfo]]:
    for name, field in section.model_fields.items():
        yield f"{prefix}{name}", field
        inner = _section(field)
        if inner is not None:
            yield from _walk(inner, f"{prefix}{name}.")


class Tree:
    """The dotted names of one set of settings, in the order of its schema."""

    def __init__(self, root: type[Section]) -> None:
        self._root = root

    @cached_property
    def sections(self) -> frozenset[str]:
        """The names of groups."""
        return frozenset(
            name for name, field in _walk(self._root, "") if _section(field) is not None
        )

    @cached_property
    def leaves(self) -> Mapping[str, FieldInfo]:
        """Return every setting that takes a value."""
        return {
            name: field
            for name, field in _walk(self._root, "")
            if name not in self.sections and name not in FREE_FORM
        }

    @cached_property
    def seed_aliases(self) -> Mapping[str, Alias]:
        """Names of the first design: those of shared settings, and those that a section brings."""
        own = {
            name: Alias(f"{group}.{alias.setting}", alias.convert)
            for group, field in self._root.model_fields.items()
            if (section := _section(field)) is not None
            for name, alias in section.aliases.items()
        }
        return {**SEED_ALIASES, **own}

    def known(self, name: str) -> bool:
        """Tell whether a setting, or an option of a provider, has this name."""
        return name in self.leaves or free_form(name)

    def is_secret(self, name: str) -> bool:
        """Tell whether the setting's value must never be shown."""
        if free_form(name):
            return is_secret_name(name.rpartition(".")[2])
        return name in self._secrets

    @cached_property
    def _secrets(self) -> frozenset[str]:
        return frozenset(
            name for name, field in self.leaves.items() if "SecretStr" in repr(field.annotation)
        )


def free_form(name: str) -> bool:
    """Tell whether `name` is an option of a provider."""
    group, _, option = name.rpartition(".")
    parent, _, provider = group.rpartition(".")
    return bool(option and provider) and parent in FREE_FORM
