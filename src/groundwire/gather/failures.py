"""What a result says of failures: which part, its code, and what was done instead."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from groundwire.errors import BreakerOpen, OutsideFailure
from groundwire.llm.answer import Failure
from groundwire.model.phrase import phrase, phrase_of
from groundwire.model.query import SearchReport
from groundwire.model.result import Degraded

NOTHING = phrase("instead.nothing")


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
        instead = phrase("instead.answered_by", by=others) if others else NOTHING
        found[part] = Degraded.of(part, failure.code, failure.said, instead)
    return tuple(found.values())


def failed_pages(failures: Sequence[OutsideFailure], asked: int) -> tuple[Degraded, ...]:
    """Say that reading failed when most of the pages did: a single page that fails is ordinary."""
    if 2 * len(failures) <= asked:
        return ()
    first = failures[0]
    reason = phrase("degraded.pages", n=len(failures), of=asked, why=phrase_of(first))
    return (Degraded.of("pages", first.code, reason, phrase("instead.snippets")),)


def is_outage(failure: OutsideFailure) -> bool:
    """Tell whether a site is down, rather than without the page or closed to us."""
    return failure.provider_fault or isinstance(failure, BreakerOpen)


def failed_models(part: str, by: str, failures: Sequence[Failure]) -> tuple[Degraded, ...]:
    """Name each model that was asked for a part and failed, and who answered instead."""
    return tuple(
        Degraded.of(
            f"model:{failure.model} ({part})",
            failure.code,
            failure.said,
            phrase("instead.answered_by", by=by),
        )
        for failure in failures
    )
