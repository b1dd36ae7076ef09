"""`gw forget`: a run, a document or a site, after showing what goes and asking."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from groundwire.doors.cli import render
from groundwire.doors.cli.reader import say
from groundwire.doors.cli.root import LOOK, Json, cli, command
from groundwire.errors import InputError, NotFoundHere

if TYPE_CHECKING:
    from groundwire.app import App
    from groundwire.model.forgetting import Marked

_SHOWN = 20  # documents that are named before the rest is counted
# What can be forgotten, and the word that counts it.
_NAMES = {
    "documents": "n.documents",
    "runs": "cli.n.run",
    "records": "cli.n.record",
    "shared": "cli.n.shared",
    "pictures": "cli.n.picture",
    "claims": "cli.n.claim",
}


@command(cli, panel=LOOK)
async def forget(
    app: App,
    name: Annotated[str, typer.Argument(metavar="RUN|DOCUMENT|DOMAIN")],
    runs: Annotated[bool, typer.Option("--runs")] = False,
    keep_pages: Annotated[bool, typer.Option("--keep-pages")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y")] = False,
    as_json: Json = False,
) -> None:
    """Forget a run, a document or a site, with every text of it that is kept."""
    if as_json and not (yes or dry_run):
        raise InputError("error.json_asks_nobody", hint="hint.yes_or_dry")
    marked = await app.forgetting.mark(name.strip(), runs_too=runs, keep_pages=keep_pages)
    if left := marked.unfinished:
        names = {"names": left[:5], "run": left[0]}
        raise InputError("error.runs_not_over", **names, hint="hint.cancel_first")
    if marked.nothing:
        raise NotFoundHere("error.nothing_from", name=name)
    if not as_json:
        _show_marked(marked)
    if dry_run or not (yes or _confirm()):
        if as_json:
            render.put_json({"dry_run": True, **marked.model_dump(mode="json")})
        else:
            render.note(say("cli.nothing_forgotten"))
        return
    gone = await app.forgetting.carry_out(marked)
    if as_json:
        render.put_json(gone)
        return
    summary = _count_in_words(gone.model_dump()) or say("cli.nothing_left")
    render.put(render.shown(say("cli.forgotten", what=summary), "bold"))
    _note_quoting_runs(marked)


def _confirm() -> bool:
    try:
        return typer.confirm(say("cli.forget_all"), err=True)
    except typer.Abort:
        raise InputError("error.nobody_answered", hint="hint.add_yes") from None


def _show_marked(marked: Marked) -> None:
    for page in marked.documents[:_SHOWN]:
        render.note(f"· {page.id}  {page.title[:80]}  {page.url}")
    if len(marked.documents) > _SHOWN:
        render.note(say("cli.more_documents", n=len(marked.documents) - _SHOWN))
    for run_id in marked.runs:
        render.note(say("cli.run_with_records", run=run_id))
    counts = {name: len(getattr(marked, name, ())) for name in _NAMES}
    render.note(say("cli.goes", what=_count_in_words(counts)))
    _note_quoting_runs(marked)


def _count_in_words(counts: Mapping[str, int]) -> str:
    counted = ((counts[name], word) for name, word in _NAMES.items())
    return " · ".join(say(word, n=n) for n, word in counted if n)


def _note_quoting_runs(marked: Marked) -> None:
    if marked.quoting:
        names = ", ".join(marked.quoting[:5]) + ("…" if len(marked.quoting) > 5 else "")
        render.note(say("cli.quoting_stays", names=names), "degraded")
