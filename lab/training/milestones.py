"""Learn what the features of `jobs.timeline.days` are worth, from timelines that people wrote.

`python -m lab.training.milestones ../shared/eval/timeline` prints the date F1 of each set: learned with it, without the
topic that is measured (in folds of whole topics), and without the whole set; then it writes what was learned from all.
The weights put the days of a timeline before the other days of its range (the softmax over the days), each at least
zero. Every topic weighs the same within its set, and a set by the square root of how many topics it has.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from groundwire.jobs.timeline.collection import Collection
from groundwire.jobs.timeline.days import NAMES, days_of, features
from groundwire.jobs.timeline.pages import Page
from groundwire.jobs.timeline.topic import Topic as Subject
from lab.evaluation.alignment import date_f1
from lab.evaluation.figures import sets_in
from lab.evaluation.kinds.timeline import GOLD, Topic, read_topics

Floats = NDArray[np.float64]
_STEPS, _RATE, _SHRINK = 300, 0.05, 0.03
_FOLDS = 6
_WEIGHTS = Path(__file__).parents[2] / "src/groundwire/jobs/timeline/days.json"


@dataclass(frozen=True)
class Task:
    """One timeline: the days of its range with their features, and which of them it has."""

    set: str
    topic: str
    days: tuple[date, ...]
    values: Floats
    gold: tuple[date, ...]

    @property
    def right(self) -> Floats:
        wanted = frozenset(self.gold)
        return np.array([day in wanted for day in self.days], dtype=np.float64)


def read(topic: Topic) -> list[Task]:
    """Read a topic as a run would, and compute what its days look like beside each of its timelines."""
    collection = Collection([Page(each) for each in topic.evidence()], Subject(topic.words))
    found = days_of(collection)
    rows = np.array(features(collection, found), dtype=np.float64)
    tasks: list[Task] = []
    for gold in topic.gold:
        first, last = gold.days[0], gold.days[-1]
        inside = [n for n, day in enumerate(found) if first <= day <= last]
        days = tuple(day for day in found if first <= day <= last)
        tasks.append(Task(topic.folder.name, topic.name, days, rows[inside], tuple(gold.days)))
    return tasks


def learn(tasks: Sequence[Task]) -> Floats:
    """Learn the weights."""
    mass = _mass(tasks)
    found = np.zeros(len(NAMES))
    first, second = np.zeros_like(found), np.zeros_like(found)
    for step in range(1, _STEPS + 1):
        slope = _SHRINK * found
        for weight, task in zip(mass, tasks, strict=True):
            score = task.values @ found
            raised = np.exp(score - score.max())
            right = task.right
            aim = right / max(1.0, float(right.sum()))
            slope = slope - weight * (
                task.values.T @ (aim - raised / raised.sum() * bool(right.any()))
            )
        first, second = 0.9 * first + 0.1 * slope, 0.999 * second + 0.001 * slope**2
        scale = np.sqrt(second / (1 - 0.999**step)) + 1e-9
        found = np.maximum(0.0, found - _RATE * first / (1 - 0.9**step) / scale)
    return found


def _mass(tasks: Sequence[Task]) -> list[float]:
    topics = {each.set: len({x.topic for x in tasks if x.set == each.set}) for each in tasks}
    names = [(each.set, each.topic) for each in tasks]
    raw = [1 / names.count(each) / math.sqrt(topics[each[0]]) for each in names]
    return [each / sum(raw) for each in raw]


def f1(task: Task, learned: Floats) -> float:
    """Compute the date F1 of as many days as the timeline has."""
    order: list[int] = np.argsort(-(task.values @ learned), kind="stable").tolist()
    return date_f1([task.days[n] for n in order[: len(task.gold)]], task.gold)


def shown(tasks: Sequence[Task], fold: Callable[[Task], object]) -> str:
    """Say the date F1 of each set: the mean over its topics, each learned without its fold."""
    folds = {fold(each) for each in tasks}
    learned = {key: learn([each for each in tasks if fold(each) != key]) for key in folds}
    parts: list[str] = []
    for name in dict.fromkeys(each.set for each in tasks):
        own = [each for each in tasks if each.set == name]
        topics = list(dict.fromkeys(each.topic for each in own))
        means = [
            float(np.mean([f1(each, learned[fold(each)]) for each in own if each.topic == topic]))
            for topic in topics
        ]
        parts.append(f"{name} {np.mean(means):.3f} ({len(topics)} topics, {len(own)} timelines)")
    return ", ".join(parts)


def main(folder: Path) -> None:
    """Print the figures and write the weights."""
    topics = [each for path in sets_in(folder, GOLD) for each in read_topics(path)]
    with ProcessPoolExecutor(2) as pool:
        tasks = [each for found in pool.map(read, topics) for each in found]
    tasks = [each for each in tasks if each.days]
    places = {key: n for n, key in enumerate(dict.fromkeys((t.set, t.topic) for t in tasks))}
    say = sys.stdout.write
    say(f"without the topic: {shown(tasks, lambda each: places[each.set, each.topic] % _FOLDS)}\n")
    say(f"without the set:   {shown(tasks, lambda each: each.set)}\n")
    learned = learn(tasks)
    values = {name: round(float(v), 3) for name, v in zip(NAMES, learned, strict=True)}
    sets = ", ".join(dict.fromkeys(each.set for each in tasks))
    origin = (
        f"lab.training.milestones, {datetime.now(tz=UTC).date()}: which days the written timelines of {sets} have"
        " (Timeline17, Crisis and Entities; research use); no text of them is here"
    )
    _WEIGHTS.write_text(json.dumps({"origin": origin, "weights": values}, indent=2) + "\n", "utf-8")
    say(f"{values}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
