"""The commands of `gw`: the built-in ones, and one for the folder of each job.

Listing a job's command imports nothing of the job: its line of help stands in its words.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from typer.core import TyperGroup
from typer.exceptions import TyperException

from groundwire.doors.cli.help import Command, about, localise, path_of, refuse, write_usage
from groundwire.doors.cli.reader import reader_words, say, set_language
from groundwire.doors.cli.shared import after_command, first_word
from groundwire.words import LANGUAGES, Words, words

PANEL = "Ask"  # of `gw --help`, for jobs
_HELP = ".command.help"
# The first words by which a job's command means its standing runs.
_VERBS = frozenset(["add", "list", "run", "diff", "history", "pause", "resume", "rm"])
_MOST = 3  # commands that are suggested


def job_commands() -> dict[str, str]:
    """Return the jobs that have a command, each with its line of help, importing none of them."""
    return _help_lines(reader_words())


@cache
def _help_lines(say: Words) -> dict[str, str]:
    kinds = sorted(code.removesuffix(_HELP) for code in say.codes() if code.endswith(_HELP))
    return {kind: say(f"{kind}{_HELP}") for kind in kinds}


class JobCommand(Command):
    """A job's command as `gw --help` lists it; the job is imported when it is called."""

    def __init__(self, kind: str, about: str) -> None:
        super().__init__(name=kind, help=about, rich_help_panel=PANEL)

    def make_context(
        self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any
    ) -> Any:
        made = self.verbs() if first_word(args) in _VERBS else None
        return (made or self.whole()).make_context(info_name, args, parent, **extra)

    def whole(self) -> Any:
        """Build the command with its options, which imports the job."""
        from groundwire.doors.cli.job_command import command_of

        return command_of(str(self.name), str(self.help))

    def verbs(self) -> Any:
        """Build the commands of standing runs, where the job is meant to be one; else None."""
        from groundwire.jobs import find

        job = find(str(self.name))
        if not job.standing:
            return None
        from groundwire.doors.cli.schedules import group_of

        return group_of(job)


class Group(TyperGroup):
    """Suggests commands for an unknown one, and explains what is wrong with a value."""

    def get_params(self, ctx: Any) -> list[Any]:
        return after_command(super().get_params(ctx), ctx)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            ctx.fail(self._unknown(ctx, args[0]))
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        try:
            if not (ctx.args or ctx._protected_args):
                ctx.fail(say("cli.missing_command"))
            return super().invoke(ctx)
        except TyperException as error:
            refuse(error)
            raise

    def format_help(self, ctx: Any, formatter: Any) -> None:
        TyperGroup.format_help(localise(self, ctx), ctx, formatter)

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        write_usage(self, ctx, formatter)

    def _unknown(self, ctx: Any, typed: str) -> str:
        """Return the refusal of an unknown command, with those that may have been meant."""
        lines = [say("cli.no_command", name=typed[:60])]
        if suggestions := self._suggestions(ctx, typed):
            path = ctx.command_path
            lines += [
                say("cli.did_you_mean"),
                *(f"  {path} {name}  {line}" for name, line in suggestions),
            ]
        name, _, rest = ctx.command_path.partition(" ")
        return "\n".join([*lines, say("cli.all_commands", command=f"{name} help {rest}".rstrip())])

    def _suggestions(self, ctx: Any, typed: str) -> list[tuple[str, str]]:
        from difflib import get_close_matches

        lines = {name: self._line(ctx, name) for name in self.list_commands(ctx)}
        parts = {part for part in typed.lower().replace("_", "-").split("-") if len(part) > 1}
        close = get_close_matches(typed.lower(), lines, n=_MOST, cutoff=0.6)
        by_meaning = [name for name in lines if _is_near(parts, _meanings(name))]
        by_help = [name for name in lines if parts & _long_words(lines[name])]
        found = dict.fromkeys([*close, *by_meaning, *by_help])
        parent = "" if ctx.parent is None else f"{path_of(ctx)}."
        return [(name, about(f"{parent}{name}", lines[name])) for name in found][:_MOST]

    def _line(self, ctx: Any, name: str) -> str:
        found: Any = self.get_command(ctx, name)
        return str(found.help or "").strip().partition("\n")[0]


class Commands(Group):
    """Adds the commands of jobs, and takes a text or an address without a command."""

    def list_commands(self, ctx: Any) -> list[str]:
        return [*job_commands(), *super().list_commands(ctx)]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        found = super().get_command(ctx, cmd_name)
        if found is None and (line := job_commands().get(cmd_name)) is not None:
            return JobCommand(cmd_name, line)
        return found

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        set_language("auto")
        if args[:1] == ["help"]:  # `gw help COMMAND` is `gw COMMAND --help`
            args = [*args[1:], "--help"]
        try:
            return super().parse_args(ctx, args)
        except TyperException as error:
            refuse(error)
            raise

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if "://" in args[0]:
            from groundwire.evidence.sources.urls import is_address

            args = ["read", "--offer", *args] if is_address(args[0]) else args
        return super().resolve_command(ctx, args)

    def _suggestions(self, ctx: Any, typed: str) -> list[tuple[str, str]]:
        if " " in typed.strip() or len(typed.encode()) > 40:
            return [_command_for(typed)]
        return super()._suggestions(ctx, typed)


def _meanings(name: str) -> set[str]:
    """Return the words, in any language, by which somebody may look for a command."""
    codes = (f"{name}.command.meanings", f"command.meanings.{name}")
    texts = [words(each).maybe(code, "") for each in LANGUAGES for code in codes]
    return {name, *" ".join(texts).split()}


def _is_near(parts: set[str], meanings: set[str]) -> bool:
    from difflib import get_close_matches

    return any(get_close_matches(each, meanings, n=1, cutoff=0.8) for each in parts)


def _long_words(about: str) -> set[str]:
    plain = "".join(char if char.isalnum() else " " for char in about.lower())
    return {word for word in plain.split() if len(word) > 4}


def _command_for(text: str) -> tuple[str, str]:
    """Return the command that a whole sentence, typed without one, is for."""
    from groundwire.doors.ui.guessing import guess

    kind = guess(text).kind
    return f'{kind} "{text[:60]}{"…" if len(text) > 60 else ""}"', job_commands().get(kind, "")
