"""The options that every command shares: they count before the command, and after it."""

from __future__ import annotations

from copy import copy
from typing import Any

from groundwire.doors.cli.session import Invocation

_SWITCH = "debug"
_OVERRIDES = ("offline", "home")
_FLAGS = frozenset(["--debug", "--offline"])


def set_shared(name: str, value: Any) -> None:
    """Let a shared option hold for this invocation."""
    if name == _SWITCH:
        Invocation.debug = bool(value)
    else:
        given = value.strip() if isinstance(value, str) else value
        Invocation.overrides = {**Invocation.overrides, name: given or None}


def reset_shared(**values: Any) -> None:
    """Let the options hold that stand before the command, and no others."""
    Invocation.overrides = {}
    for name in (_SWITCH, *_OVERRIDES):
        set_shared(name, values[name])


def first_word(args: list[str]) -> str:
    """Return what is typed first, a shared option aside."""
    return next((each for each in args if each not in _FLAGS), "")


def after_command(declared: list[Any], ctx: Any) -> list[Any]:
    """Return a command's options with those of the root, which help lists once, at the root."""
    own = {each.name for each in declared}
    root = ctx.find_root().command
    if root is ctx.command:
        return declared
    return [
        *declared,
        *(
            _hidden(each)
            for each in root.params
            if each.name in (_SWITCH, *_OVERRIDES) and each.name not in own
        ),
    ]


def _hidden(option: Any) -> Any:
    found = copy(option)
    found.hidden, found.expose_value, found.callback = True, False, _given
    return found


def _given(_ctx: Any, option: Any, value: Any) -> Any:
    if value:
        set_shared(option.name, value)
    return value
