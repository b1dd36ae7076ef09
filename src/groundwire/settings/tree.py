"""The names of all settings, read off the schema."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from pydantic.fields import FieldInfo

from groundwire.settings.fields import Section, is_secret_name
from groundwire.settings.schema import Sections

# `<group>.<provider>.<option>`: the options belong to the provider, which validates them.
FREE_FORM = frozenset({"models.providers", "search.providers", "tools.providers"})


def _section(field: FieldInfo) -> type[Section] | None:
    kind = field.annotation
    return kind if isinstance(kind, type) and issubclass(kind, Section) else None


def _walk(section: type[Section], prefix: str) -> Iterator[tuple[str, FieldInfo]]:
    for name, field in section.model_fields.items():
        yield f"{prefix}{name}", field
        inner = _section(field)
        if inner is not None:
            yield from _walk(inner, f"{prefix}{name}.")


SECTIONS = frozenset(name for name, field in _walk(Sections, "") if _section(field) is not None)


@cache
def leaves() -> Mapping[str, FieldInfo]:
    """Every setting that takes a value, by dotted name, in the order of the schema."""
    return {
        name: field
        for name, field in _walk(Sections, "")
        if name not in SECTIONS and name not in FREE_FORM
    }


def free_form(name: str) -> bool:
    """Whether `name` is an option of a provider."""
    group, _, option = name.rpartition(".")
    parent, _, provider = group.rpartition(".")
    return bool(option and provider) and parent in FREE_FORM


def known(name: str) -> bool:
    return name in leaves() or free_form(name)


@cache
def is_secret(name: str) -> bool:
    """Whether the setting's value must never be shown."""
    if free_form(name):
        return is_secret_name(name.rpartition(".")[2])
    field = leaves().get(name)
    return field is not None and "SecretStr" in repr(field.annotation)
