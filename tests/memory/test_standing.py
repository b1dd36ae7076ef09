"""What was believed at a moment depends on what was learned by then, and on nothing else."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.evidence.memory.rivals import rivals
from groundwire.evidence.memory.standing import FORGOTTEN, effective, history, replaced, standing
from groundwire.model.claim import Verdict
from groundwire.model.memory import (
    ForgottenRival,
    Lesson,
    Remembered,
    Sighting,
    Standing,
    Withdrawal,
)
from groundwire.words import words

from .make import NOON, OTHER, RATE_NEW, RATE_OLD, minutes, seen, taught

OLD, NEW = taught(RATE_OLD), taught(RATE_NEW, url=OTHER)


def known(
    *events: tuple[Lesson, datetime] | tuple[Lesson, datetime, Verdict],
) -> dict[str, Remembered]:
    """Build the two rivals as a store would hold them after these sightings, in any order."""
    found: dict[str, Remembered] = {}
    for number, (lesson, at, *verdict) in enumerate(events):
        name = lesson.belief.id
        sighting = seen(lesson, at, f"run-{number}", *verdict)
        before = found.get(name, Remembered(belief=lesson.belief)).sightings
        found[name] = Remembered(belief=lesson.belief, sightings=(*before, sighting))
    if len(found) == 2:
        for side in rivals(*found.values()) or ():
            held = found[side.belief_id]
            found[side.belief_id] = held.model_copy(update={"rivalries": (side,)})
    return found


def stands(held: dict[str, Remembered], lesson: Lesson, at: datetime | None = None) -> Standing:
    return standing(held[lesson.belief.id], held, at)


def test_a_newer_claim_replaces_an_older_one_from_the_moment_it_is_learned():
    held = known((OLD, minutes(0)), (NEW, minutes(15)))
    assert stands(held, OLD, minutes(-1)).state == "unknown"
    assert stands(held, OLD, minutes(14)).state == "believed"
    fallen = stands(held, OLD, minutes(15))
    why = words("en").stored(fallen.why)
    assert (fallen.state, fallen.until, fallen.successor, why) == (
        "superseded", minutes(15), NEW.belief.id, "figure: 4.2% → 4.5%",
    )  # fmt: skip
    assert stands(held, NEW).state == "believed"


def test_what_is_learned_again_takes_its_place_back():
    held = known((OLD, minutes(0)), (NEW, minutes(15)), (OLD, minutes(30)))
    assert stands(held, OLD, minutes(20)).state == "superseded"
    assert stands(held, OLD, minutes(30)).state == "believed"
    assert stands(held, NEW, minutes(30)).successor == OLD.belief.id
    kinds = [(each.kind, each.at) for each in history(held[OLD.belief.id], held)]
    assert kinds == [
        ("learned", minutes(0)), ("superseded", minutes(15)), ("seen again", minutes(30)),
    ]  # fmt: skip


def test_equal_times_replace_nothing():
    held = known((OLD, NOON), (NEW, NOON))
    assert {stands(held, each).state for each in (OLD, NEW)} == {"believed"}


def test_an_older_page_that_is_read_later_replaces_nothing():
    """We learn of last week's figure today: it is known, and known to be old."""
    fresh = taught(RATE_NEW, url=OTHER, published=NOON - timedelta(days=1))
    stale = taught(RATE_OLD, published=NOON - timedelta(days=9))
    held = known((fresh, minutes(0)), (stale, minutes(15)))
    assert stands(held, fresh).state == "believed"
    assert (stands(held, stale).state, stands(held, stale).until) == ("superseded", minutes(15))


@pytest.mark.parametrize("verdict", ["contested", "qualified", "unverified"])
def test_an_unsettled_claim_stands_beside_what_was_believed(verdict: Verdict):
    held = known((OLD, minutes(0)), (NEW, minutes(15), verdict))
    assert stands(held, OLD).state == "believed"
    assert stands(held, NEW).verdict == verdict


def withdrawn(held: dict[str, Remembered], lesson: Lesson, at: datetime) -> dict[str, Remembered]:
    taken = Withdrawal(at=at, who="analyst", why="misread")
    name = lesson.belief.id
    return {**held, name: held[name].model_copy(update={"withdrawals": (taken,)})}


def test_a_withdrawal_ends_a_belief_and_is_kept_with_who_and_why():
    held = withdrawn(known((OLD, minutes(0))), OLD, minutes(10))
    assert stands(held, OLD, minutes(9)).state == "believed"
    assert stands(held, OLD).state == "withdrawn"
    last = history(held[OLD.belief.id], held)[-1]
    assert (last.kind, last.at, last.who, last.why) == (
        "withdrawn", minutes(10), "analyst", "misread",
    )  # fmt: skip


def test_the_same_page_read_again_does_not_undo_a_withdrawal_but_another_page_does():
    again = withdrawn(known((OLD, minutes(0)), (OLD, minutes(20))), OLD, minutes(10))
    assert stands(again, OLD).state == "withdrawn"
    news = withdrawn(
        known((OLD, minutes(0)), (taught(RATE_OLD, url=OTHER), minutes(20))), OLD, minutes(10)
    )
    assert stands(news, OLD, minutes(15)).state == "withdrawn"
    assert stands(news, OLD, minutes(20)).state == "believed"


def test_withdrawing_a_successor_does_not_bring_back_what_it_replaced():
    held = withdrawn(known((OLD, minutes(0)), (NEW, minutes(15))), NEW, minutes(20))
    assert stands(held, OLD).state == "superseded"
    assert stands(held, NEW).state == "withdrawn"


def test_a_withdrawn_rival_does_not_stand_in_the_way_of_what_is_learned_after():
    held = known((OLD, minutes(0)), (NEW, minutes(15)), (OLD, minutes(30)))
    held = withdrawn(held, NEW, minutes(20))
    assert stands(held, OLD).state == "believed"


def test_what_fell_to_a_forgotten_claim_stays_fallen():
    fallen = known((OLD, minutes(0)))[OLD.belief.id].model_copy(
        update={"losses": (ForgottenRival(at=minutes(5)),)}
    )
    found = standing(fallen, {})
    assert (found.state, found.until, found.successor, found.why) == (
        "superseded", minutes(5), None, FORGOTTEN,
    )  # fmt: skip


# --- properties ------------------------------------------------------------------------------

EVENTS = st.lists(
    st.tuples(
        st.sampled_from([OLD, NEW]),
        st.integers(0, 8).map(minutes),
        st.sampled_from(["supported", "contested"]),
    ),
    min_size=1,
    max_size=8,
)


def belief_at(held: dict[str, Remembered], at: datetime) -> dict[str, Standing]:
    return {name: standing(each, held, at) for name, each in held.items()}


@given(EVENTS, st.integers(0, 8).map(minutes))
def test_what_was_believed_never_changes_by_what_is_learned_later(events: list, at: datetime):
    everything = known(*events)
    early = [event for event in events if event[1] <= at]
    before = known(*early) if early else {}
    # The rivalry is a fact about the two texts: it was there before it was noticed.
    now = {name: how for name, how in belief_at(everything, at).items() if how.state != "unknown"}
    assert now == belief_at(before, at)


@given(EVENTS.flatmap(lambda events: st.tuples(st.just(events), st.permutations(events))))
def test_the_order_of_writing_does_not_matter(pair: tuple[list, list]):
    states = [
        {(name, at): (how.state, how.until) for at in map(minutes, range(9)) for name, how in belief_at(known(*events), at).items()}
        for events in pair
    ]  # fmt: skip
    assert states[0] == states[1]


@given(EVENTS)
def test_one_of_two_rivals_falls_at_most(events: list):
    """There is always something that is believed, once something settled was learned."""
    held = known(*events)
    assert any(how.state == "believed" for how in belief_at(held, minutes(9)).values())


def test_sightings_are_read_by_time_whatever_their_order():
    late, early = seen(OLD, minutes(5), "b"), seen(OLD, minutes(1), "a")
    found: list[Sighting] = effective(Remembered(belief=OLD.belief, sightings=(late, early)))
    assert [each.run_id for each in found] == ["a", "b"]


def test_a_claim_replaced_only_what_stood_when_it_came():
    """12, then 51, then 15: the last replaced the second; the first had fallen before."""
    fares = [taught(f"海角渡轮公司的单程票价为{price}元。") for price in (12, 51, 15)]
    held = {
        each.belief.id: Remembered(belief=each.belief, sightings=(seen(each, minutes(number)),))
        for number, each in enumerate(fares)
    }
    for one, other in ((0, 1), (0, 2), (1, 2)):
        for side in rivals(held[fares[one].belief.id], held[fares[other].belief.id]) or ():
            known = held[side.belief_id]
            more = (*known.rivalries, side)
            held[side.belief_id] = known.model_copy(update={"rivalries": more})
    last = held[fares[2].belief.id]
    assert [each.claim_id for each in replaced(last, held)] == [fares[1].belief.id]
