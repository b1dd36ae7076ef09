"""No sample page tells of a day after its own: what is asked as of a day must not know the next."""

from __future__ import annotations

from datetime import date

from tests.sample.test_sample import ARTICLES, Article, each_article

from groundwire.language.time.dates import Precision, date_mentions

_WRITTEN: dict[Precision, int] = {"day": 10, "month": 7, "quarter": 7, "year": 4}


def later_days(article: Article, text: str) -> set[str]:
    """List days, months and years that begin after the day of the page, in ISO form."""
    published = article.published_at.date()
    read = [
        mention.date.isoformat()[: _WRITTEN[mention.precision]]
        for mention in date_mentions(text, published)
        if mention.date is not None and mention.date > published and mention.weekday is None
    ]
    near = [
        _nearest(mention.month, mention.day, published)
        for mention in date_mentions(text)
        if mention.date is None and mention.month is not None and mention.day is not None
    ]
    return {*read, *(day.isoformat() for day in near if day > published)}


def _nearest(month: int, day: int, published: date) -> date:
    """Return a day without its year as the one nearest to the page's own, before or after."""
    every = (date(published.year + years, month, day) for years in (-1, 0, 1))
    return min(every, key=lambda each: abs(each - published))


def declared(article: Article) -> set[str]:
    return set(filter(None, article.head.get("ahead", "").split(", ")))


@each_article
def test_a_later_day_is_named_only_as_something_ahead(article: Article) -> None:
    """Code cannot tell a plan from a leak: the file declares what is still ahead of its page."""
    if "stale re-post" in article.note:
        return  # an old report without its year, which is what makes it look new
    assert later_days(article, f"{article.head['title']}\n\n{article.body}") == declared(article)


def test_days_of_another_year_and_month_are_seen() -> None:
    page = Article("", {"published_at": "2023-07-13T15:00:00+08:00"}, "")
    assert later_days(page, "The order was revoked on 20 January 2025.") == {"2025-01-20"}
    assert later_days(page, "8月31日，首批企业开放了服务。") == {"2023-08-31"}
    assert later_days(page, "2024年3月的结论是否定的。") == {"2024-03"}
    assert later_days(page, "It was published on 13 July after a draft in April.") == set()


def test_an_update_does_not_stand_under_an_old_date() -> None:
    marks = ("was updated on", "updated with", "本文更新于", "本文更新於")
    held = [a.stem for a in ARTICLES if any(mark in a.body for mark in marks)]
    assert held == []


def test_the_archive_ends_before_the_clock_of_the_questions() -> None:
    assert max(article.published_at.date() for article in ARTICLES) < date(2025, 11, 1)
