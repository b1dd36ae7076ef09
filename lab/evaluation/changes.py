"""Changes of a watch's claims over simulated months, day by day: reported against expected, strictly.

Each day's pages go straight to the ledger's pure functions, as a reader who misses nothing would bring them; a day on
which every search fails brings only the cited pages, read again. A reported change matches an expected one when the
day and the kind are the same and the values are: what was believed before, for a change and a withdrawal, and what is
believed after, for the others (a contested claim keeps its value). Values are equal as amounts, as dates, or letter
for letter. Each matches once; everything else that is reported is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date

from groundwire.evidence.sources.tiers import tier_of
from groundwire.jobs.watch.ledger.claims import Change, Ledger, Reread, Side, Today
from groundwire.jobs.watch.ledger.comparison import compare
from groundwire.language.amounts.numbers import figures, same_figure
from groundwire.language.text.characters import normalise
from groundwire.language.time.dates import agrees, date_mentions
from groundwire.model.base import fingerprint, short_id
from groundwire.model.source import Document, Evidence
from lab.months.month import DAYS, Expected, Month, MonthPage, Version
from lab.months.web import evening, published


@dataclass
class Score:
    """What was found, missed and wrongly reported, day by day."""

    found: list[tuple[int, Change]] = field(default_factory=list[tuple[int, Change]])
    missed: list[Expected] = field(default_factory=list[Expected])
    wrong: list[tuple[int, Change]] = field(default_factory=list[tuple[int, Change]])
    noisy_days: list[int] = field(
        default_factory=list[int]
    )  # with an alert, though nothing changed

    @property
    def precision(self) -> float:
        return len(self.found) / max(1, len(self.found) + len(self.wrong))

    @property
    def recall(self) -> float:
        return len(self.found) / max(1, len(self.found) + len(self.missed))

    def add(self, other: Score) -> None:
        """Add the score of another month."""
        self.found += other.found
        self.missed += other.missed
        self.wrong += other.wrong
        self.noisy_days += other.noisy_days


def score_month(month: Month) -> Score:
    """Let a watch look at a month every evening, and compare what it reports."""
    score = Score()
    ledger: Ledger | None = None
    for day in range(1, DAYS + 1):
        today = _today(month, day, ledger)
        result = compare(ledger, today)
        ledger = Ledger.model_validate_json(result.ledger.model_dump_json())
        _score_day(score, month, day, result.changes)
    return score


def _score_day(score: Score, month: Month, day: int, changes: Sequence[Change]) -> None:
    open_ones = [each for each in month.expected if each.day == day]
    if not open_ones and any(
        change.alerts and not _is_background(change, month) for change in changes
    ):
        score.noisy_days.append(day)
    for change in changes:
        match = next((each for each in open_ones if matches(change, each)), None)
        if match is not None:
            open_ones.remove(match)
            score.found.append((day, change))
        elif not _is_background(change, month):
            score.wrong.append((day, change))
    score.missed.extend(open_ones)


def matches(change: Change, expected: Expected) -> bool:
    """Tell whether a reported change is an expected one, by kind and values."""
    if change.kind != expected.kind:
        return False
    if change.kind in ("changed", "withdrawn", "contested") and not _is_one_of(
        change.before, expected.before
    ):
        return False
    return change.kind == "withdrawn" or _is_one_of(change.after, expected.after)


def _is_one_of(side: Side | None, forms: Iterable[str]) -> bool:
    return side is not None and any(_same(side.value, form) for form in forms)


def _same(value: str, form: str) -> bool:
    """Tell whether two ways to write a value are one: the same day, amount, or letters."""
    day = date(2026, 10, 15)
    ours, theirs = date_mentions(value, day), date_mentions(form, day)
    if ours and theirs:
        return agrees(ours[0], theirs[0])
    amount, other = figures(value), figures(form)
    if amount and other:
        return same_figure(amount[0], other[0])
    return normalise(value, fold=True).text == normalise(form, fold=True).text


def _is_background(change: Change, month: Month) -> bool:
    side = change.after
    return change.kind == "new" and side is not None and side.text in month.background


def _today(month: Month, day: int, ledger: Ledger | None) -> Today:
    cited = (
        {c.url for claim in ledger.claims if claim.stands for c in claim.citations}
        if ledger
        else set[str]()
    )
    failing = day in month.failing
    pages: list[Evidence] = []
    reread: list[Reread] = []
    for page in month.pages:
        version = page.on(day) if page.published <= day else None
        down, again = day in page.down, page.url in cited
        if version is not None and not down and (again or not failing):
            pages.append(_evidence(page, version, day))
        if again:
            outcome = "failed" if down else "gone" if version is None else "read"
            reread.append(Reread(url=page.url, outcome=outcome))
    return Today(names=(month.subject,), at=evening(day), pages=tuple(pages), reread=tuple(reread))


def _evidence(page: MonthPage, version: Version, day: int) -> Evidence:
    sha = fingerprint(version.text)
    document = Document(
        id=short_id("doc", [page.url, sha]),
        url=page.url,
        canonical_url=page.url,
        publisher=page.publisher,
        title=version.title,
        published_at=published(page.published),
        published_how="metadata",
        language=page.language,
        text=version.text,
        sha256=sha,
        fetched_at=evening(day),
    )
    ident = short_id("ev", ["page", page.url, sha])
    return Evidence(id=ident, kind="page", document=document, passages=(), tier=tier_of(document))


def lines(score: Score) -> Iterator[str]:
    """Yield what was missed and what was wrong, one line each."""
    for each in score.missed:
        yield f"missed  {each.day:2} {each.kind:9} {each.about}: {each.before[:1]} -> {each.after[:1]}"
    for day, change in score.wrong:
        before = change.before.value if change.before else ""
        after = change.after.value if change.after else ""
        text = (change.after or change.before or Side(text="", value="")).text
        yield f"wrong   {day:2} {change.kind:9} {change.attribute or 'open'} [{change.reason}]: {before} -> {after} | {text}"
