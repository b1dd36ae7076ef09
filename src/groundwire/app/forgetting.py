"""Forgetting: what a name stands for, what goes with it, and its removal."""

from __future__ import annotations

import re
from pathlib import Path

from groundwire import jobs
from groundwire.app.part import AppPart
from groundwire.errors import InputError, NotFoundHere
from groundwire.model.forgetting import Gone, Marked

_DOMAIN = re.compile(r"(?:\*?\.)?(?:[\w-]{1,63}\.)+[^\W\d_][\w-]{0,62}\.?", re.UNICODE)
_DATASETS = ("dataset:", "ds_", "ds-")


class Forgetting(AppPart):
    """Marks first, so that a person can be asked; then carries out what was marked."""

    async def mark(self, name: str, *, runs_too: bool, keep_pages: bool) -> Marked:
        """Find what would go with a name: a document's id, address, file, run or domain, in turn."""
        marks = self._app.store.forgetting
        small = jobs.small()
        if not name:
            raise InputError("error.forget_what", hint="hint.forget")
        if name.lower().startswith(_DATASETS):
            raise InputError("error.no_data_sets")
        if name.startswith("doc_"):
            return await marks.document(name, runs_too=runs_too, small=small)
        if name.startswith(("http://", "https://")):
            return await marks.page(name, runs_too=runs_too, small=small)
        if _is_file(name):
            from groundwire.app.additions.files import address

            return await marks.file(address(Path(name)), runs_too=runs_too, small=small)
        if name == "last" or await self._app.store.runs.find(name):
            run = await self._app.runs.find(name)
            return await marks.run(run.id, keep_pages=keep_pages, small=small)
        if _DOMAIN.fullmatch(name):
            from groundwire.evidence.sources.urls import host_of

            domain = host_of(f"https://{name.removeprefix('*').strip('.')}")
            return await marks.site(domain, runs_too=runs_too, small=small)
        raise NotFoundHere("error.nothing_of_that_name", name=name, hint="hint.forgettable")

    async def carry_out(self, marked: Marked) -> Gone:
        return await self._app.store.forgetting.carry_out(marked)


def _is_file(name: str) -> bool:
    return Path(name).is_file()
