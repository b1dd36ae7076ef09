"""How days are learned from: the days of written timelines come before the others."""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np
from lab.training.milestones import Task, f1, learn, shown

from groundwire.jobs.timeline.days import NAMES

_TELLING = NAMES.index("spread")


def task(topic: str, seed: int) -> Task:
    """Make a timeline whose days one feature tells, among noise."""
    rng = np.random.default_rng(seed)
    values = rng.random((30, len(NAMES)))
    days = tuple(date(2030, 1, 1) + timedelta(days=n) for n in range(30))
    best = np.argsort(-values[:, _TELLING])[:5].tolist()
    return Task("made", topic, days, values, tuple(sorted(days[n] for n in best)))


def test_the_telling_count_leads_and_none_is_below_zero() -> None:
    learned = learn([task(str(n), n) for n in range(12)])
    assert int(np.argmax(learned)) == _TELLING
    assert learned.min() >= 0.0
    assert f1(task("new", 99), learned) >= 0.8


def test_a_topic_is_measured_by_what_was_learned_from_others() -> None:
    tasks = [task(str(n), n) for n in range(6)]
    assert shown(tasks, lambda each: each.topic).endswith("(6 topics, 6 timelines)")
