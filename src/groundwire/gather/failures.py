"""What a result says of failures: which part, its code, and what was done instead."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from groundwire.errors import BreakerOpen, OutsideFailure
from groundwire.llm.answer import Failure
from groundwire.model.query import SearchReport
from groundwire.model.result import Degraded


def failed_searches(
    reports: Sequence[SearchReport], named: Collection[str]
) -> tuple[Degraded, ...]:
    """Name each provider that failed, once; `named` are the parts that have been named before."""
    found: dict[str, Degraded] = {}
    failures = [(report, failure) for report in reports for failure in report.failures]
    # Which query found the breaker open is chance; why it is open is not.
    for report, failure in sorted(failures, key=lambda pair: pair[1].code == BreakerOpen.code):
        part = f"search:{failure.provider}"
        if part in named or part in found:
            continue
        silent = {each.provider for each in report.failures}
        others = [name for name in report.providers if name not in silent]
        instead = f"answered by {', '.join(others)}" if others else "nothing"
        found[part] = Degraded(
            part=part, code=failure.code, reason=failure.message, instead=instead
        )
    return tuple(found.values())


def failed_pages(failures: Sequence[OutsideFailure | None], asked: int) -> tuple[Degraded, ...]:
    """Say that reading failed when most pages did: a single page that fails is ordinary.

    What a site refuses or does not have is no fault of reading; `asked` pages were asked for.
    """
    faults = [
        each
        for each in failures
        if each is not None and (each.provider_fault or isinstance(each, BreakerOpen))
    ]
    if 2 * len(faults) <= asked:
        return ()
    reason = f"{len(faults)} of {asked} pages could not be read: {faults[0].message}"
    return (Degraded(part="pages", code=faults[0].code, reason=reason, instead="their snippets"),)


def failed_models(part: str, by: str, failures: Sequence[Failure]) -> tuple[Degraded, ...]:
    """Name each model that was asked for a part and failed, and who answered instead."""
    return tuple(
        Degraded(
            part=f"model:{failure.model} ({part})",
            code=failure.code,
            reason=failure.message,
            instead=f"answered by {by}",
        )
        for failure in failures
    )
