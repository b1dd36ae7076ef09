"""Runs and results for Python code: the nouns themselves, which a notebook shows as their report."""

from __future__ import annotations

from functools import cache
from typing import Any, Generic, TypeVar, cast

from pydantic import BaseModel, PrivateAttr, create_model

from groundwire.log import Redactor
from groundwire.model.run import Run

R = TypeVar("R", bound=BaseModel)


class Shown(BaseModel):
    """A noun made with the run that it shows. Notebooks are saved with what they show, and passed
    on: known secrets are not in it."""

    _run: Run | None = PrivateAttr(default=None)

    def model_post_init(self, context: Any, /) -> None:
        self._run = cast("Run | None", context)

    def _repr_html_(self) -> str | None:
        """Render the report: escaped, whole, without scripts; None where there is nothing to show."""
        if self._run is None:
            return None
        from groundwire.jobs import report_of
        from groundwire.report.html import fragment

        return fragment(report_of(self._run).report(self._run))


class Submitted(Shown, Run, Generic[R]):
    """A run as it was when it was given; `R` is what it will have found."""


def submitted(run: Run, mask: Redactor) -> Submitted[Any]:
    """Wrap a run so that a notebook shows it."""
    return Submitted[Any].model_validate(run.model_dump(), context=_masked(run, mask))


def result_of(noun: type[R], run: Run, mask: Redactor) -> R:
    """Return what a run found, as its own type, which a notebook shows."""
    return _shown(noun).model_validate(run.result, context=_masked(run, mask))


@cache
def _shown(noun: type[R]) -> type[R]:
    shown = create_model(noun.__name__, __base__=(Shown, noun), __doc__=noun.__doc__)
    return cast("type[R]", shown)


def _masked(run: Run, mask: Redactor) -> Run:
    return Run.model_validate(mask.value(run.model_dump(mode="json")))
