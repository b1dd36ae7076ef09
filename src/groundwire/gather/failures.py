"""What failed while evidence was gathered: which part, its code, and what was done instead."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from groundwire.errors import BreakerOpen, Captcha
from groundwire.evidence.sources.urls import web_host
from groundwire.gather.pages import ReadPage
from groundwire.llm.answer import Failure
from groundwire.model.phrase import phrase, phrase_of
from groundwire.model.query import SearchReport
from groundwire.model.result import Degraded, Gap

NOTHING = phrase("instead.nothing")


def failed_searches(
    reports: Sequence[SearchReport], named: Collection[str]
) -> tuple[Degraded, ...]:
    """Name each provider that failed, once; `named` holds the parts reported before."""
    found: dict[str, Degraded] = {}
    failures = [(report, failure) for report in reports for failure in report.failures]
    # Open breakers come last: the failure that opened one says more.
    for report, failure in sorted(failures, key=lambda pair: pair[1].code == BreakerOpen.code):
        part = f"search:{failure.provider}"
        if part in named or part in found:
            continue
        unanswered = {each.provider for each in report.failures}
        others = [name for name in report.providers if name not in unanswered]
        instead = phrase("instead.answered_by", by=others) if others else NOTHING
        found[part] = Degraded.of(part, failure.code, failure.phrase, instead)
    return tuple(found.values())


def failed_pages(pages: Sequence[ReadPage]) -> tuple[Degraded, ...]:
    """Report failed reading when most of the requested pages could not be read.

    One failed page is ordinary. Where most fail, what they say is unknown: the denial may be
    behind the paywall.
    """
    requested = sum(1 for page in pages if page.hit.document_id is None)
    failures = [page.failure for page in pages if page.failure is not None]
    if 2 * len(failures) <= requested:
        return _walled(pages)
    reason = phrase("degraded.pages", n=len(failures), of=requested, why=phrase_of(failures[0]))
    return (Degraded.of("pages", failures[0].code, reason, phrase("instead.snippets")),)


def _walled(pages: Sequence[ReadPage]) -> tuple[Degraded, ...]:
    """Name a captcha that hides a page altogether: only a person can read on, so one is told."""
    walls = (each.failure for each in pages if each.evidence is None)
    wall = next((each for each in walls if isinstance(each, Captcha)), None)
    return () if wall is None else (Degraded.of("pages", wall.code, phrase_of(wall), NOTHING),)


def unread_pages(pages: Sequence[ReadPage]) -> tuple[Gap, ...]:
    """Name the sites whose pages could not be had at all, not even as a snippet, by why."""
    missed: dict[str, list[ReadPage]] = {}
    for page in pages:
        if page.evidence is None and page.failure is not None:
            missed.setdefault(page.failure.code, []).append(page)
    return tuple(
        Gap.of(
            phrase("gap.pages", pages=len(alike), sites=list(dict.fromkeys(map(_site, alike)))),
            phrase("gap.unread", error=code),
        )
        for code, alike in missed.items()
    )


def _site(page: ReadPage) -> str:
    return web_host(page.hit.url) or page.hit.url  # a file of the archive has no host


def failed_models(part: str, by: str, failures: Sequence[Failure]) -> tuple[Degraded, ...]:
    """Name each model that failed at a part, and who answered instead."""
    instead = phrase("instead.answered_by", by=by)
    return tuple(
        Degraded.of(f"model:{each.model} ({part})", each.code, each.phrase, instead)
        for each in failures
    )
