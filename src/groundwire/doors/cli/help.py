"""Help and refusals of the parser in the reader's language.

The words of a command are `command.help.<path>`, those of its options `command.option.<path>.<name>`
or, where many have it, `command.option.<name>`; a job has its own, `<job>.command.help` and
`<job>.command.option.<name>`, and `<job>.bench.help`. A command without words is shown by its docstring,
and an option of a job by the description of its field.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from functools import partial
from typing import Any

from typer.core import TyperCommand, TyperGroup

from groundwire.doors.cli.reader import reader_words
from groundwire.doors.cli.shared import after_command
from groundwire.words import Words

# The parser's names of its own parts, each with the end of its code.
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
    """A command with help in the reader's language."""

    def get_params(self, ctx: Any) -> list[Any]:
        return after_command(super().get_params(ctx), ctx)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        TyperCommand.format_help(localise(self, ctx), ctx, formatter)

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        write_usage(self, ctx, formatter)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        ctx.allow_extra_args = True  # refused below, in words
        if not ctx.resilient_parsing:
            refuse_repeated(self, ctx, args)
        rest = super().parse_args(ctx, args)
        if rest and not ctx.resilient_parsing:
            ctx.fail(reader_words()("cli.extra_arguments", given=" ".join(rest)))
        return rest


def refuse_repeated(command: Any, ctx: Any, args: list[str]) -> None:
    """Refuse an option of one value that is given twice: the parser would take the last and say nothing."""
    seen: set[str] = set()
    for each in command.make_parser(ctx).parse_args(list(args))[2]:
        takes_one = each.param_type_name == "option" and not (each.multiple or each.is_flag)
        if takes_one and each.name in seen:
            ctx.fail(reader_words()("cli.given_twice", option=each.opts[0]))
        seen.add(each.name)


def about(path: str, declared: str) -> str:
    """Return the line of help of a command in the reader's language."""
    codes = (f"{path}.command.help", f"command.help.{path}", f"{_bench_job(path)}.bench.help")
    return next(_texts(reader_words(), codes), declared)


def localise(command: Any, ctx: Any) -> Any:
    """Return a copy of a command with its help, options and subcommands in the reader's language."""
    say, path = reader_words(), path_of(ctx)
    name_parts(say)
    shown = _in_words(command, path)
    job = "".join(ctx.command_path.split()[1:2])
    options = [_option(each, path, job, say) for each in command.get_params(ctx)]
    shown.get_params = partial(_constant, options)
    if isinstance(command, TyperGroup):
        parent = "" if path == _ROOT else f"{path}."
        found = {
            name: _in_words(command.get_command(ctx, name), f"{parent}{name}")
            for name in command.list_commands(ctx)
        }
        shown.list_commands = partial(_constant, list(found))
        shown.get_command = partial(_member, found)
    return shown


def _constant(value: Any, _ctx: Any) -> Any:
    return value


def _member(commands: Mapping[str, Any], _ctx: Any, name: str) -> Any:
    return commands[name]


def write_usage(command: Any, ctx: Any, formatter: Any) -> None:
    """Write the usage line of a command."""
    pieces = " ".join(command.collect_usage_pieces(ctx))
    formatter.write_usage(ctx.command_path, pieces, prefix=reader_words()("cli.help.usage"))


def name_parts(say: Words) -> None:
    """Let the parser name its own parts in the reader's language."""
    from typer import rich_utils

    class Folding(rich_utils.OptionHighlighter):
        """Folds a line of Chinese, which has no spaces, instead of cutting it."""

        def __call__(self, text: Any) -> Any:
            highlighted = super().__call__(text)
            highlighted.overflow = "fold"
            return highlighted

    rich_utils.highlighter = Folding()
    for constant, part in _PARTS.items():
        setattr(rich_utils, constant, say.template(f"cli.help.{part}"))


_ROOT = "gw"


def path_of(ctx: Any) -> str:
    """Return the path of a command as codes have it: `archive.add`; `gw` is the root.

    Commands that several jobs may have stand under a name of their own.
    """
    shared = getattr(ctx.command, "shared_path", "")
    return shared or ".".join(ctx.command_path.split()[1:]) or _ROOT


def _in_words(command: Any, path: str) -> Any:
    shown = copy(command)
    shown.help = about(path, command.help or "")
    if panel := command.rich_help_panel:
        shown.rich_help_panel = reader_words().maybe(f"command.panel.{panel.lower()}", panel)
    return shown


def _option(declared: Any, path: str, job: str, say: Words) -> Any:
    name, shown = declared.name, copy(declared)
    codes = [
        f"{path}.command.option.{name}",
        f"command.option.{path}.{name}",
        f"{job}.command.option.{name}",  # of a command that several jobs have: the job's own
        f"{_bench_job(path)}.bench.{name}",
        # The commands of jobs share other options than the built-in ones.
        f"command.option.{'jobs.' if say.has(f'{path}.command.help') else ''}{name}",
    ]
    if name == "help":
        codes = ["command.option.help"]
    shown.help = next(_texts(say, codes), declared.help)
    return shown


def _bench_job(path: str) -> str:
    """Return the job that a command of `gw bench` measures, whose words it uses."""
    return path.removeprefix("bench.")


def _texts(say: Words, codes: Iterable[str]) -> Iterator[str]:
    return (say(code) for code in codes if say.has(code))


# --- refusals ----------------------------------------------------------------------------------


def refuse(error: Any) -> None:
    """Put a refusal of the parser into words; other errors stay as they are."""
    say = reader_words()
    name_parts(say)
    message = _refusal(error, say)
    if message is not None:
        error.format_message = lambda: message


def _refusal(error: Any, say: Words) -> str | None:
    match type(error).__name__:
        case "NoSuchOption":
            name, near = error.option_name[:60], sorted(error.possibilities or ())
            if near:
                return say("cli.no_option_near", name=name, near=near)
            return say("cli.no_option", name=name)
        case "MissingParameter":
            option = error.param.param_type_name == "option"
            code = "cli.missing_option" if option else "cli.missing_argument"
            return say(code, name=error.param.get_error_hint())
        case "BadParameter":
            name = error.param_hint or (error.param and error.param.get_error_hint())
            why = _why(error, say)
            return say("cli.bad_value", name=name, why=why) if name else why
        case "BadOptionUsage":
            needs = "takes_no_value" if "not take" in error.message else "takes_value"
            return say(f"cli.option.{needs}", name=error.option_name)
        case _:
            return None


def _why(error: Any, say: Words) -> str:
    """Return what is wrong with a value, in our words instead of the validator's."""
    from pydantic import ValidationError

    from groundwire.model.refusals import code_and_limit

    if not isinstance(error.__cause__, ValidationError):
        return error.message
    code, limit = code_and_limit(error.__cause__)
    return say(f"input.value.{code}", limit=limit)
