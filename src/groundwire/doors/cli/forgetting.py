"""`gw forget`: a run, a document or a site, after saying what goes and asking."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from groundwire.doors.cli import render, session
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
                render.note("nothing was forgotten")
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
        return typer.confirm("Forget all this?", err=True)
    except typer.Abort:
        raise InputError("error.nobody_answered", hint="hint.add_yes") from None


def _show(marked: Marked) -> None:
    for page in marked.documents[:_SHOWN]:
        render.note(f"· {page.id}  {page.title[:80]}  {page.url}")
    if len(marked.documents) > _SHOWN:
        render.note(f"· and {len(marked.documents) - _SHOWN} more documents")
    for run_id in marked.runs:
        render.note(f"· run {run_id}, with its records and events")
    render.note(f"goes: {_counted(marked)}")
    _quoting(marked)


def _counted(marked: Marked) -> str:
    counts = [
        (len(marked.documents), "document"),
        (len(marked.runs), "run"),
        (len(marked.records), "record of another run"),
        (len(marked.shared), "shared answer"),
        (len(marked.pictures), "picture"),
    ]
    return " · ".join(_many(count, what) for count, what in counts if count)


def _many(count: int, what: str) -> str:
    if count == 1:
        return f"1 {what}"
    return f"{count} {what.replace('record', 'records')}" if " of " in what else f"{count} {what}s"


def _quoting(marked: Marked) -> None:
    if marked.quoting:
        names = ", ".join(marked.quoting[:5]) + ("…" if len(marked.quoting) > 5 else "")
        render.note(f"results that quote it stay: {names}; they go too with --runs", "degraded")


def _report(gone: Gone, marked: Marked) -> None:
    counts = [
        (gone.documents, "document"),
        (gone.runs, "run"),
        (gone.records, "record of another run"),
        (gone.shared, "shared answer"),
        (gone.pictures, "picture"),
        (gone.claims, "claim"),
    ]
    told = " · ".join(_many(count, what) for count, what in counts if count)
    render.put(render.shown(f"forgotten: {told or 'nothing was left of it'}", "bold"))
    _quoting(marked)
