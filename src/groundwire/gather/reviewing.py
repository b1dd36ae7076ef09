"""A second reading of written sentences beside their quotes, by a model that has earned it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from groundwire.context import Context
from groundwire.evidence.citations.checker import reviewed
from groundwire.evidence.citations.meaning import bare
from groundwire.evidence.citations.quotes import placed
from groundwire.model.claim import Checked, Citation
from groundwire.model.source import Evidence
from groundwire.reasoning.review_sentences import QUESTION, Ground, Reviewed, ReviewInput


async def review(
    context: Context, checked: Sequence[Checked], evidence: Sequence[Evidence], language: str
) -> tuple[Checked, ...]:
    """Let a deciding model read each sentence whose quotes stand; without one, the check counts.

    What code refuses by figures, dates, names or roles is not asked about, nor what a page says word for word.
    """
    by_id = {each.id: each for each in evidence}
    asked = [place for place, each in enumerate(checked) if _needs_reading(each)]
    if not asked:
        return tuple(checked)
    given = ReviewInput(sentences=tuple(_shown(checked[place], by_id) for place in asked))
    answer = await context.ask(QUESTION, given, language=language, occasion="review")
    if answer.vote != "decides":
        return tuple(checked)
    found = list(checked)
    for number, place in enumerate(asked, start=1):
        found[place] = reviewed(checked[place], carried=number in answer.value.carried)
    return tuple(found)


def _needs_reading(checked: Checked) -> bool:
    said = bare(checked.text)
    quotes = checked.citations or checked.standing
    return bool(quotes) and all(said != bare(each.quote) for each in quotes)


def _shown(checked: Checked, evidence: Mapping[str, Evidence]) -> Reviewed:
    quotes = checked.citations or checked.standing
    grounds = (_ground(each, evidence[each.evidence_id]) for each in quotes)
    return Reviewed(
        text=checked.text, grounds=tuple(grounds), carried=checked.result != "unsupported"
    )


def _ground(citation: Citation, evidence: Evidence) -> Ground:
    passage = next(each for each in evidence.passages if each.id == citation.passage_id)
    place = placed(evidence, passage, citation.start, citation.end)
    return Ground(
        title=place.title,
        publisher=place.publisher,
        date=place.published.isoformat() if place.published else "",
        before=place.before,
        text=place.whole,
    )
