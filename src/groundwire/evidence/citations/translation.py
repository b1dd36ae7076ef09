"""Whether a translation beside a quote adds anything to it: its figures, dates and names stand in the quote."""

from __future__ import annotations

from groundwire.evidence.citations.grounds import Grounds
from groundwire.evidence.citations.parties import check_names
from groundwire.evidence.citations.quotes import QuotePlace
from groundwire.evidence.citations.values import check_dates, check_figures
from groundwire.evidence.reading.reader import claim_of
from groundwire.language.text.characters import normalise


def is_faithful(translation: str, place: QuotePlace) -> bool:
    """Tell whether every figure, date and name of a translation stands in its quote, in either language.

    What it leaves out is not seen: the quote stands beside it.
    """
    grounds = Grounds([place])
    claim = claim_of(normalise(translation).text, grounds.published)
    findings = (
        check_figures(claim, grounds),
        check_dates(claim, grounds, ""),
        check_names(claim, grounds),
    )
    return not any(each.problems for each in findings)
