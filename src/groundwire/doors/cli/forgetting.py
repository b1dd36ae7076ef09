"""`gw forget`: a run, a document or a site, after saying what goes and asking."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from groundwire.doors.cli import render, session
from groundwire.doors.cli.reader import say
from groundwire.errors import InputError, NotFoundHere

if TYPE_CHECKING:
    from groundwire.app import App
    from groundwire.model.forgetting import Gone, Marked

_SHOWN = 20  # documents that are named before the rest is counted


def forget(
    name: str, *, runs_too: bool, keep_pages: bool, dry: bool, yes: bool, as_json: bool
) -> NoReturn:
    async def work(app: App) -> int:
        if as_json and not (yes or dry):
            raise InputError("error.json_asks_nobody", hint="hint.yes_or_dry")
        marked = await app.forgetting.mark(name.strip(), runs_too=runs_too, keep_pages=keep_pages)
        _refuse_unfinished(marked)
        if marked.nothing:
            raise NotFoundHere("error.nothing_from", name=name)
        if not as_json:
            _show(marked)
        if dry or not (yes or _agreed()):
            if as_json:
                render.put_json({"dry_run": True, **marked.model_dump(mode="json")})
            else:
                render.note(say("cli.nothing_forgotten"))
            return session.DONE
        gone = await app.forgetting.carry_out(marked)
        if as_json:
            render.put_json(gone.model_dump(mode="json"))
        else:
            _report(gone, marked)
        return session.DONE

    session.with_app(work)


def _refuse_unfinished(marked: Marked) -> None:
    if marked.unfinished:
        raise InputError(
            "error.runs_not_over",
            names=marked.unfinished[:5],
            run=marked.unfinished[0],
            hint="hint.cancel_first",
        )


def _agreed() -> bool:
    import typer

    try:
        return typer.confirm(say("cli.forget_all"), err=True)
    except typer.Abort:
        raise InputError("error.nobody_answered", hint="hint.add_yes") from None


def _show(marked: Marked) -> None:
    for page in marked.documents[:_SHOWN]:
        render.note(f"· {page.id}  {page.title[:80]}  {page.url}")
    if len(marked.documents) > _SHOWN:
        render.note(say("cli.more_documents", n=len(marked.documents) - _SHOWN))
    for run_id in marked.runs:
        render.note(say("cli.run_with_records", run=run_id))
    render.note(say("cli.goes", what=_counted(marked)))
    _quoting(marked)


def _counted(marked: Marked) -> str:
    counts = [
        (len(marked.documents), "document"),
        (len(marked.runs), "run"),
        (len(marked.records), "record"),
        (len(marked.shared), "shared"),
        (len(marked.pictures), "picture"),
    ]
    return " · ".join(_many(count, what) for count, what in counts if count)


def _many(count: int, what: str) -> str:
    return say(f"cli.n.{what}", n=count)


def _quoting(marked: Marked) -> None:
    if marked.quoting:
        names = ", ".join(marked.quoting[:5]) + ("…" if len(marked.quoting) > 5 else "")
        render.note(say("cli.quoting_stays", names=names), "degraded")


def _report(gone: Gone, marked: Marked) -> None:
    counts = [
        (gone.documents, "document"),
        (gone.runs, "run"),
        (gone.records, "record"),
        (gone.shared, "shared"),
        (gone.pictures, "picture"),
        (gone.claims, "claim"),
    ]
    told = " · ".join(_many(count, what) for count, what in counts if count)
    told = told or say("cli.nothing_left")
    render.put(render.shown(say("cli.forgotten", what=told), "bold"))
    _quoting(marked)
