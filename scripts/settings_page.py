"""The settings page of the documentation, written from the schema."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from groundwire.settings.names import WELL_KNOWN, Alias, env_name
from groundwire.settings.sources import Tree

_HEAD = """\
# Settings

<!-- Written by `python -m scripts.reference`; a test compares. -->

From the weakest to the strongest source: the default, `~/.config/groundwire/groundwire.toml`,
`groundwire.toml` in the working folder, the environment, command-line options. `gw doctor` prints
every setting, where it came from, and no secret.
"""

_SPELLING = """\
In a file the dotted name is a table and a key; in the environment it has the prefix `GROUNDWIRE_`
and `__` between levels. Lists are TOML arrays or words with commas between them. An empty variable
is an unset one. An unknown name is refused with the nearest known one.
"""

_PROVIDERS = """\
## Options of providers

`search.providers.<name>.<option>`, `models.providers.<vendor>.<option>`,
`tools.providers.<name>.<option>` and `notify.<channel>.<option>` (in the environment
`GROUNDWIRE_SEARCH__PROVIDERS__<NAME>__<OPTION>`) go to the provider, which knows its own options;
`gw providers` and `gw models` list them.
"""

_TRUST = """\
Options whose name ends in key, token, secret or password are secrets. A `base_url` that is set
here is trusted, on a private address too; only its exact origin is.
"""

_MODELS = """\
## Models without named tiers

With `models.light` and `models.heavy` unset, the vendors that have a key (Ollama: an address) are
used, each with the models that its file names: see `gw models`. With one of the two set, it serves
for both.
"""


def settings_reference(tree: Tree) -> str:
    """Render the whole page in Markdown."""
    parts = [_HEAD, _SPELLING, *_groups(tree), _PROVIDERS, _TRUST]
    parts.append("## Names that may already be set\n\n`GROUNDWIRE_` names win over them.\n")
    parts.append(_aliases(WELL_KNOWN))
    parts.append("## Names of the first design\n\nAccepted; the names above win over them.\n")
    parts.append(_aliases(tree.seed_aliases, {"PHASE1_ROLLOUT_PERCENTAGE": " (a fraction, × 100)"}))
    parts.append(_MODELS)
    return "\n".join(parts)


def _groups(tree: Tree) -> Iterator[str]:
    groups: dict[str, list[list[str]]] = {}
    for name, field in tree.leaves.items():
        group = name.partition(".")[0] if "." in name else "General"
        row = [f"`{name}`", f"`{env_name(name)}`", _default(field), field.description or ""]
        groups.setdefault(group, []).append(row)
    for group, rows in groups.items():
        yield f"## {group}\n"
        yield _table(["setting", "environment", "default", "meaning"], rows)


def _aliases(aliases: Mapping[str, Alias], notes: Mapping[str, str] | None = None) -> str:
    notes = notes or {}
    rows = [
        [f"`{name}`", f"`{alias.setting}`{notes.get(name, '')}"] for name, alias in aliases.items()
    ]
    return _table(["name", "setting"], rows)


def _default(field: FieldInfo) -> str:
    value: object = field.default
    if value is None or value is PydanticUndefined or value == ():
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return ", ".join(str(item) for item in cast("tuple[object, ...]", value))
    return str(value)


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
