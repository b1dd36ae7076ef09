"""The features that each head may use, and in which direction: a sign may only count for what it is a sign of."""

from __future__ import annotations

from groundwire.evidence.reading.features import NAMES

_COVERED = (
    "covered covered_content covered_around covered_anywhere covered_exactly covered_names covered_names_around covered_plain "
    "covered_acts covered_acts_around covered_who_and_act "
    "covered_first covered_last grams grams_back covered_back clause_back covered_clause density adjacent run values_same "
    "figure_same date_same count_same"
)
_MISSING = (
    "missing missing_weight missing_most missing_anywhere missing_names name_replaced name_lost verb_lost values_none figure_none "
    "date_none"
)
# Head: (for yes the more there is, for no the more there is, either).
_SIGNS: dict[str, tuple[str, str, str]] = {
    "same": (_COVERED, f"sentences {_MISSING}", "foreign substituted"),
    "against": (
        "name_replaced verb_replaced said_otherwise said_elsewhere ended_there ended_here polarity_differs negation_differs "
        "negated_there negated_here denied_there denied_here false_there false_here focus_there focus_here negations_apart "
        "negations_odd negated_here_only negated_there_only opposed opposed_weight against figure_other figure_other_close "
        "figure_negated date_other date_other_close date_negated count_other count_other_close count_negated values_other "
        "whole_for_part part_for_whole more_for_less ends_swapped roles_turned inverted turned_round false_beside false_titled "
        "false_after false_anywhere substituted taken_back_there labelled missing missing_weight missing_most missing_names",
        "roles_kept focus_missing said_of negated_both focus_both opposed_negated values_same figure_same date_same count_same "
        "negated_sides covered covered_content covered_anywhere covered_exactly covered_plain covered_acts covered_names covered_last grams "
        "covered_clause run adjacent",
        "name_lost verb_lost whole_here whole_there part_here part_there only_here "
        "only_there more_here more_there less_here less_there covered_first clause_back covered_back density values_none "
        "retold_there hedged_here planned_here",
    ),
    "stated": (
        f"{_COVERED} hedged_here planned_here",
        f"{_MISSING} figure_near figure_bound count_bound values_other retold_there hedged_there planned_there asked_there "
        "supposed_there retold_titled labelled part_there whole_here only_here whole_for_part ends_swapped roles_turned "
        "inverted substituted denied_there false_there taken_back_there",
        "foreign retold_here asked_here supposed_here",
    ),
}


def columns(head: str) -> tuple[list[int], list[int]]:
    """List the places in `NAMES` that a head looks at, and the direction of each: 1, -1, or 0 for either."""
    places: list[int] = []
    directions: list[int] = []
    for names, direction in zip(_SIGNS[head], (1, -1, 0), strict=True):
        for name in names.split():
            places.append(NAMES.index(name))
            directions.append(direction)
    return places, directions
