"""What the parser says of commands, as help and as refusals, in the reader's language.

The words of a command are `command.help.<path>`, those of its options `command.option.<path>.<name>`
or, where many have it, `command.option.<name>`; a job has its own, `<job>.command.help` and
`<job>.command.option.<name>`, and `<job>.bench.help`. What has no words is shown as it is declared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import copy
from typing import Any

from typer.core import TyperCommand, TyperGroup

from groundwire.doors.cli.reader import known
from groundwire.words import Words

# What the parser calls its own parts, each by the end of its code.
_PARTS = {
    "ARGUMENTS_PANEL_TITLE": "arguments",
    "OPTIONS_PANEL_TITLE": "options",
    "COMMANDS_PANEL_TITLE": "commands",
    "ERRORS_PANEL_TITLE": "error",
    "ABORTED_TEXT": "aborted",
    "DEFAULT_STRING": "default",
    "REQUIRED_LONG_STRING": "required",
    "RICH_HELP": "more",
}


class Command(TyperCommand):
    """A command that speaks of itself in the reader's language."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        TyperCommand.format_help(told(self, ctx), ctx, formatter)

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        write_usage(self, ctx, formatter)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        ctx.allow_extra_args = True  # refused below, in words
        rest = super().parse_args(ctx, args)
        if rest and not ctx.resilient_parsing:
            ctx.fail(known()("cli.extra_arguments", given=" ".join(rest)))
        return rest


def about(path: str, declared: str) -> str:
    """Return the line of a command in words."""
    codes = (f"{path}.command.help", f"command.help.{path}", f"{_measured(path)}.bench.help")
    return next(_texts(known(), codes), declared)


def told(command: Any, ctx: Any) -> Any:
    """Return a command as its help shows it: itself, its options and its commands in words."""
    say, path = known(), path_of(ctx)
    name_parts(say)
    shown = _in_words(command, path)
    shown.get_params = _always([_option(each, path, say) for each in command.get_params(ctx)])
    if isinstance(command, TyperGroup):
        parent = "" if path == _ROOT else f"{path}."
        found = {
            name: _in_words(command.get_command(ctx, name), f"{parent}{name}")
            for name in command.list_commands(ctx)
        }
        shown.list_commands = _always(list(found))
        shown.get_command = _among(found)
    return shown


def _always(value: Any) -> Callable[[Any], Any]:
    def given(_ctx: Any) -> Any:
        return value

    return given


def _among(commands: Mapping[str, Any]) -> Callable[[Any, str], Any]:
    def find(_ctx: Any, name: str) -> Any:
        return commands[name]

    return find


def write_usage(command: Any, ctx: Any, formatter: Any) -> None:
    """Write how a command is called."""
    pieces = " ".join(command.collect_usage_pieces(ctx))
    formatter.write_usage(ctx.command_path, pieces, prefix=known()("cli.help.usage"))


def name_parts(say: Words) -> None:
    """Let the parser call its own parts in words."""
    from typer import rich_utils

    class Folding(rich_utils.OptionHighlighter):
        """Lets a line of Chinese, which has no spaces, go on in the next instead of being cut."""

        def __call__(self, text: Any) -> Any:
            made = super().__call__(text)
            made.overflow = "fold"
            return made

    rich_utils.highlighter = Folding()
    for constant, part in _PARTS.items():
        setattr(rich_utils, constant, say.template(f"cli.help.{part}"))


_ROOT = "gw"


def path_of(ctx: Any) -> str:
    """Return the name of a command as codes have it: `archive.add`; `gw` is the root."""
    return ".".join(ctx.command_path.split()[1:]) or _ROOT


def _in_words(command: Any, path: str) -> Any:
    shown = copy(command)
    shown.help = about(path, command.help or "")
    if panel := command.rich_help_panel:
        shown.rich_help_panel = known().maybe(f"command.panel.{panel.lower()}", panel)
    return shown


def _option(declared: Any, path: str, say: Words) -> Any:
    name, shown = declared.name, copy(declared)
    codes = [
        f"{path}.command.option.{name}",
        f"command.option.{path}.{name}",
        f"{_measured(path)}.bench.{name}",
        # The commands of jobs share other options than those of the house.
        f"command.option.{'jobs.' if say.has(f'{path}.command.help') else ''}{name}",
    ]
    if name == "help":
        codes = ["command.option.help"]
    shown.help = next(_texts(say, codes), declared.help)
    return shown


def _measured(path: str) -> str:
    """Return the job that a command of `gw bench` measures, which has the words for it."""
    return path.removeprefix("bench.")


def _texts(say: Words, codes: Iterable[str]) -> Iterator[str]:
    return (say(code) for code in codes if say.has(code))


# --- refusals ----------------------------------------------------------------------------------


def refuse(error: Any) -> None:
    """Put what the parser refuses into words; what is not the parser's own stays as it is."""
    say = known()
    name_parts(say)
    said = _refusal(error, say)
    if said is not None:
        error.format_message = lambda: said


def _refusal(error: Any, say: Words) -> str | None:
    match type(error).__name__:
        case "NoSuchOption":
            name, near = error.option_name[:60], sorted(error.possibilities or ())
            if near:
                return say("cli.no_option_near", name=name, near=near)
            return say("cli.no_option", name=name)
        case "MissingParameter":
            return _missing(error, say)
        case "BadParameter":
            name = error.param_hint or (error.param and error.param.get_error_hint())
            why = _why(error, say)
            return say("cli.bad_value", name=name, why=why) if name else why
        case "BadOptionUsage":
            needs = "takes_no_value" if "not take" in error.message else "takes_value"
            return say(f"cli.option.{needs}", name=error.option_name)
        case _:
            return None


def _missing(error: Any, say: Words) -> str:
    option = error.param.param_type_name == "option"
    code = "cli.missing_option" if option else "cli.missing_argument"
    return say(code, name=error.param.get_error_hint())


def _why(error: Any, say: Words) -> str:
    """Return what is wrong with a value in our words; the parser shows those of its validator."""
    from pydantic import ValidationError

    from groundwire.model.refusals import code_and_limit

    if not isinstance(error.__cause__, ValidationError):
        return error.message
    code, limit = code_and_limit(error.__cause__)
    return say(f"input.value.{code}", limit=limit)
