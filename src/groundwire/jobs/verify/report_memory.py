"""Earlier events like that of a signal, as its report tells them."""

from __future__ import annotations

from groundwire.jobs.verify.signal import Signal
from groundwire.model.history import PastEvent
from groundwire.report import blocks
from groundwire.words import Words

# In what an earlier event differs (`evidence.memory.novelty`), by its words.
_DIFFERENCES = {
    "another figure": "another_figure",
    "another number": "another_figure",
    "another date": "another_figure",
    "another name": "another_name",
    "other roles of the names": "other_roles",
    "a denial": "denial",
    "a negation": "negation",
    "a question on one side": "question",
    "no longer a rumour": "no_longer_rumour",
    "planned on one side": "planned",
    "more of the story": "more_of_the_story",
    "the opposite": "the_opposite",
    "other words": "other_words",
}
_ALIKE = 0.8  # similarity from which an earlier event is much like this one


def past_events(signal: Signal, say: Words) -> list[blocks.Statement]:
    """List the earlier events that say more than that the same was asked before."""
    return [_told(each, say) for each in signal.memory if _bears(each, signal)]


def _bears(event: PastEvent, signal: Signal) -> bool:
    if event.outcome is not None:
        return True
    return event.similarity >= _ALIKE and event.verdict != signal.verdict


def _told(event: PastEvent, say: Words) -> blocks.Statement:
    known = say.name("outcome", event.outcome) if event.outcome else ""
    about = (
        _age(event.age_hours, say),
        f"{say.name('verdict', event.verdict)} {event.confidence:.2f}",
        known or say("verify.label.outcome_unknown"),
        difference(event.differs, say),
        event.run_id,
    )
    return blocks.Statement(
        text=f"{event.similarity:.2f} {event.summary}",
        about=" · ".join(part for part in about if part),
    )


def difference(differs: str, say: Words) -> str:
    """Say in what an earlier message differs from this one."""
    kind, _, what = differs.partition(": ")
    code = _DIFFERENCES.get(kind)
    return say(f"verify.differs.{code}", what=what) if code else differs


def _age(hours: float, say: Words) -> str:
    """Say how long ago, in the largest unit that fits."""
    for size, unit in ((24.0, "days"), (1.0, "hours")):
        if hours >= size:
            return say(f"ago.{unit}", n=int(hours // size))
    return say("ago.minutes", n=int(hours * 60))
