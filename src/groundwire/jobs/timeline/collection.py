"""All pages of a topic together: what each sentence bears on it, and how telling each word is among them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from groundwire.jobs.timeline.pages import Account, Page
from groundwire.jobs.timeline.topic import Topic

Vector = Mapping[str, float]
_OPENING = 2  # sentences that a headline sums up


class Collection:
    """Pages by their numbers; copies of a sentence count once."""

    def __init__(self, pages: Sequence[Page], topic: Topic) -> None:
        self.pages = sorted(pages, key=lambda page: (page.day or page.seen, page.evidence.id))
        self.topic = topic
        topic.read([page.text for page in self.pages])
        self.accounts: list[Account] = []
        self._bearing: dict[int, float] = {}
        self._before: dict[int, float] = {}
        self._above: dict[int, float] = {}
        self._vectors: dict[int, Vector] = {}
        counts: Counter[str] = Counter()
        told: set[tuple[str, ...]] = set()
        for page in self.pages:
            before = 0.0
            above = topic.bearing(page.title, page.evidence.document.title)
            beside = topic.named(*_heading(page))
            for account in page.accounts:
                bearing = self._bearing[id(account)] = topic.bearing(
                    account.words, account.text, beside
                )
                self._above[id(account)] = above
                if account.words not in told:
                    told.add(account.words)
                    self.accounts.append(account)
                    self._before[id(account)] = before
                before = bearing
            counts.update({word for account in page.accounts for word in account.words})
        size = len(self.pages)
        self._idf = {word: math.log((1 + size) / (1 + count)) + 1 for word, count in counts.items()}

    def bearing(self, account: Account) -> float:
        """Return how far a sentence bears on the topic."""
        return self._bearing[id(account)]

    def before(self, account: Account) -> float:
        """Return how far the sentence before one bears on the topic."""
        return self._before[id(account)]

    def above(self, account: Account) -> float:
        """Return how far the headline above a sentence bears on the topic."""
        return self._above[id(account)]

    def vector(self, account: Account) -> Vector:
        """Return the words of a sentence by their weight, of length 1."""
        found = self._vectors.get(id(account))
        if found is None:
            found = self._vectors[id(account)] = self.weighed(account.words)
        return found

    def telling(self, account: Account) -> Vector:
        """Return the words of a sentence besides the topic's and figures, which tell no events apart, to length 1."""
        stems = self.topic.stems
        words = (word for word in account.words if word not in stems and not word.isdigit())
        return self.weighed(words)

    def weighed(self, words: Iterable[str]) -> Vector:
        """Weigh words by how few pages have them, to length 1."""
        counts = Counter(words)
        return unit({word: n * self._idf.get(word, 1.0) for word, n in counts.items()})


def _heading(page: Page) -> tuple[set[str], str]:
    """Return the words and the text of a headline and of the opening below it."""
    opening = page.accounts[:_OPENING]
    words = {*page.title, *(word for each in opening for word in each.words)}
    text = page.text[: opening[-1].end] if opening else ""
    return words, f"{page.evidence.document.title}\n{text}"


def unit(vector: Vector) -> Vector:
    """Scale a vector to length 1."""
    size = math.sqrt(sum(value * value for value in vector.values()))
    return {word: value / size for word, value in vector.items()} if size else vector


def cosine(one: Vector, other: Vector) -> float:
    """Compute how alike two vectors of length 1 are."""
    if len(one) > len(other):
        one, other = other, one
    return sum(value * other[word] for word, value in one.items() if word in other)


def added(vectors: Iterable[Vector]) -> dict[str, float]:
    """Add vectors up."""
    total: dict[str, float] = {}
    for vector in vectors:
        for word, value in vector.items():
            total[word] = total.get(word, 0.0) + value
    return total
