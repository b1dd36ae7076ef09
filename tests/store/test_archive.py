"""The archive on both databases: found by words in two languages, filtered, shown, forgotten."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lab.bench.archive import measure, synthetic

from groundwire.errors import InputError
from groundwire.evidence.pages.filters import time_range
from groundwire.model.base import short_id
from groundwire.model.ports import ArchiveHit
from groundwire.model.query import Query
from groundwire.model.source import SNIPPET_TYPE, Document
from groundwire.store import bm25
from groundwire.store import documents as shelf
from groundwire.store.archive import ArchiveIndex, remove
from groundwire.store.database import Database
from groundwire.store.fulltext import Where, fulltext_of
from groundwire.store.statement import Connection

NOW = datetime(2026, 6, 15, 12, tzinfo=UTC)


def page(
    url: str,
    title: str,
    text: str,
    *,
    language: str = "en",
    days_ago: int | None = 1,
    fetched: datetime = NOW,
) -> Document:
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    return Document(
        id=short_id("doc", [url, sha256]),
        url=url,
        canonical_url=url,
        publisher=url.split("/")[2],
        title=title,
        published_at=None if days_ago is None else NOW - timedelta(days=days_ago),
        published_how="unknown" if days_ago is None else "declared",
        language=language,
        text=text,
        sha256=sha256,
        fetched_at=fetched,
    )


DEPEG = page(
    "https://news.example.com/depeg",
    "USDC 一度脱锚",
    "周六，稳定币USDC跌至0.88美元。发行方表示，33亿美元储备存放在已倒闭的银行。\n"
    "稳定币脱锚风险引发市场恐慌，交易所暂停兑换。",
    language="zh",
)
HANT = page(
    "https://tw.example.org/bank",
    "聯準會宣布升息一碼",
    "聯準會週三宣布升息，並強調通貨膨脹仍然過高。經濟學家預期下半年將會放緩。",
    language="zh-Hant",
    days_ago=5,
)
RATES = page(
    "https://www.bank.example.co.uk/rates",
    "Central bank raises interest rates",
    "The committee voted to raise rates by a quarter point. Inflation was running at 4.1%. "
    "Analysts expected increases to continue through the year.",
    days_ago=20,
)
HACK = page(
    "https://trade.example.net/hack",
    "Bridge exploit drains $190 million",
    "Attackers drained $190 million from the bridge. The team is investigating the exploited "
    "contract. Withdrawals were suspended within the hour.",
    days_ago=200,
)
CAFE = page(
    "http://127.0.0.1:8080/cafe",
    "Café society",
    "A naïve résumé of the café's history, without a word about money.",
    days_ago=None,
)
LIBRARY = (DEPEG, HANT, RATES, HACK, CAFE)


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    opened = Database(database_url)
    yield opened
    await opened.close()


@pytest.fixture
async def index(database: Database) -> ArchiveIndex:
    made = ArchiveIndex(database)
    assert await made.add(LIBRARY) == len(LIBRARY)
    return made


async def found(index: ArchiveIndex, text: str, **options: object) -> list[str]:
    hits = await index.search(Query.model_validate({"text": text, **options}), NOW)
    return [hit.document.canonical_url for hit in hits]


QUESTIONS = [
    ("USDC 脱锚", DEPEG),  # two scripts in one question
    ("脱锚", DEPEG),  # two characters
    ("锚", DEPEG),  # one character of a word that the dictionary does not know
    ("脫錨", DEPEG),  # traditional finds simplified
    ("联准会 升息", HANT),  # simplified finds traditional
    ("通货膨胀", HANT),
    ("稳定币发行方的储备存放在哪里？", DEPEG),  # a whole question
    ("raising rates", RATES),  # other forms of the words
    ("investigation of exploits", HACK),
    ("increase expectations of analyst", RATES),
    ("$190 million", HACK),  # signs
    ("190", HACK),
    ("4.1%", RATES),
    ("0.88", DEPEG),
    ("cafe resume", CAFE),  # accents
    ("CAFÉ", CAFE),
    ("who did it to the bridge", HACK),
]


@pytest.mark.parametrize(("question", "best"), QUESTIONS)
async def test_both_databases_give_the_same_best_document(
    index: ArchiveIndex, question: str, best: Document
) -> None:
    assert (await found(index, question))[0] == best.canonical_url


async def test_scores_are_equal_on_both_databases(index: ArchiveIndex) -> None:
    """The figures stand here once, and the test runs on each."""
    hits = await index.search(Query(text="USDC 脱锚 exploit"), NOW)
    assert {hit.document.id: hit.score for hit in hits} == {
        DEPEG.id: 8.660582,
        HACK.id: 2.382253,
    }


async def test_a_match_in_the_title_ranks_above_one_in_the_text(index: ArchiveIndex) -> None:
    words = "Many things happened at the harbour on that long day, and nobody wrote them down"
    await index.add(
        [
            page("https://a.example.com/1", "Harbour notes", f"{words}. A lantern was seen."),
            page("https://a.example.com/2", "Lantern", f"{words}. It was seen."),
        ]
    )
    assert (await found(index, "lantern"))[0] == "https://a.example.com/2"


async def test_equal_scores_are_ordered_by_id(index: ArchiveIndex) -> None:
    twins = [page(f"https://t{n}.example.com/", "Zebra", "A zebra crossed.") for n in range(6)]
    await index.add(twins)
    hits = await index.search(Query(text="zebra", max_results=4), NOW)
    assert [hit.document.id for hit in hits] == sorted(twin.id for twin in twins)[:4]


async def test_stop_words_count_only_when_nothing_else_was_asked(index: ArchiveIndex) -> None:
    assert "的" not in [item.term for item in bm25.query_terms("银行的储备")]
    assert [item.term for item in bm25.query_terms("what is the")] == ["what", "is", "the"]
    assert RATES.canonical_url in await found(index, "to the")


async def test_a_question_without_words_finds_nothing(index: ArchiveIndex) -> None:
    assert await found(index, "?!… 「」") == []
    assert await found(index, "xylophone") == []


HOSTILE = [
    '"',
    'USDC "',
    "NEAR(USDC 脱锚, 2)",
    "USDC AND OR NOT",
    "* USDC* -USDC ^USDC",
    "title:USDC body : {a b}",
    "(((USDC",
    "USDC' OR 1=1; DROP TABLE documents; --",
    "US\0DC %s %(x)s ? :num & | ! <-> \\",
    "\\'; '' \\\\",
    "+USDC",
    "a" * 5000,
    " ".join(f"w{n}" for n in range(2000)),
]


@pytest.mark.parametrize("text", HOSTILE)
async def test_no_text_is_a_syntax_error(index: ArchiveIndex, text: str) -> None:
    await found(index, text)
    assert (await index.stats()).documents == len(LIBRARY)


@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(text=st.text(min_size=1, max_size=80))
async def test_any_text_can_be_asked_and_stored(index: ArchiveIndex, text: str) -> None:
    hits = await index.search(Query(text=text), NOW)
    assert_snippets(hits)


def assert_snippets(hits: Sequence[ArchiveHit]) -> None:
    for hit in hits:
        text, start, shown = hit.document.text, hit.snippet_start, hit.snippet
        assert text[start : start + len(shown)] == shown


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("脫錨", "稳定币脱锚风险"),
        ("suspends", "Withdrawals were suspended"),
        ("升息", "升息"),
    ],
)
async def test_the_snippet_shows_the_match_of_a_long_text(
    index: ArchiveIndex, question: str, shown: str
) -> None:
    padding = "Nothing of note happened on this day either. " * 40
    await index.add(
        [
            page(f"{d.canonical_url}/long", d.title, f"{padding}\n{d.text}\n{padding}")
            for d in (DEPEG, HACK, HANT)
        ]
    )
    hits = await index.search(Query(text=question), NOW)
    assert len(hits) == 2
    assert_snippets(hits)
    for hit in hits:
        assert shown in hit.snippet
        assert len(hit.snippet) <= 300


@pytest.mark.parametrize(
    ("options", "urls"),
    [
        ({"include_domains": ["example.com"]}, {DEPEG}),
        ({"include_domains": ["https://News.Example.com/x"]}, {DEPEG}),
        ({"include_domains": ["ws.example.com"]}, set()),  # a suffix of letters is no domain
        ({"include_domains": ["example.co.uk"]}, {RATES}),
        ({"include_domains": ["www.bank.example.co.uk"]}, {RATES}),
        ({"include_domains": ["co.uk"]}, {RATES}),  # everything below a public suffix
        ({"include_domains": ["127.0.0.1"]}, {CAFE}),
        ({"include_domains": ["e_ample.com"]}, set()),  # no wildcard
        ({"exclude_domains": ["example.com", "*.example.org"]}, {RATES, HACK, CAFE}),
        ({"exclude_domains": ["news.example.com"]}, {HANT, RATES, HACK, CAFE}),
        ({"exclude_domains": ["other.example.com"]}, set(LIBRARY)),
        ({"time_range": "day"}, {DEPEG, CAFE}),  # without a date, the day it was read counts
        ({"time_range": "week"}, {DEPEG, HANT, CAFE}),
        ({"time_range": "month"}, {DEPEG, HANT, RATES, CAFE}),
        ({"time_range": "year"}, set(LIBRARY)),
        ({"time_range": "2026-06-10/2026-06-10"}, {HANT}),
        ({"time_range": "2026-06-10T13:00:00/2026-06-14T11:00:00Z"}, set()),
        ({"time_range": "../2026-05-31"}, {RATES, HACK}),
        ({"time_range": "2026-06-11/"}, {DEPEG, CAFE}),
        ({"language": "zh"}, {DEPEG, HANT}),
        ({"language": "zh-TW"}, {HANT}),
        ({"language": "en"}, {RATES, HACK, CAFE}),
        ({"language": "en", "time_range": "month", "exclude_domains": ["127.0.0.1"]}, {RATES}),
    ],
)
async def test_filters_keep_what_fulfils_them(
    index: ArchiveIndex, options: dict[str, object], urls: set[Document]
) -> None:
    everything = "脱锚 升息 rates exploit café"
    expected = {document.canonical_url for document in urls}
    assert set(await found(index, everything, **options)) == expected


@pytest.mark.parametrize("text", ["fortnight", "2026-13-01/2026-01-01", "today/", "/x"])
def test_a_time_range_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        time_range(text, NOW)


async def test_a_domain_that_is_none_is_refused(index: ArchiveIndex) -> None:
    with pytest.raises(InputError):
        await found(index, "rates", include_domains=["not a domain"])


async def test_a_document_comes_back_as_it_was_added(index: ArchiveIndex) -> None:
    full = page("https://x.example.com/a", "Title", "Text 文本 \U0001f30a").model_copy(
        update={"author": "A. Writer", "tier": "wire", "sample": True, "media_type": "text/plain"}
    )
    await index.add([full])
    assert await index.get(full.id) == full
    assert [await index.get(document.id) for document in LIBRARY] == list(LIBRARY)
    assert await index.get("doc_none") is None


async def test_what_is_there_already_is_left(index: ArchiveIndex) -> None:
    changed = DEPEG.model_copy(update={"title": "Another title"})
    new = page("https://new.example.com/", "New", "Something new.")
    assert await index.add([changed, new, new]) == 1
    assert await index.add([]) == 0
    assert await index.get(DEPEG.id) == DEPEG
    assert (await index.stats()).documents == len(LIBRARY) + 1


async def test_one_text_under_two_addresses_is_stored_once(
    index: ArchiveIndex, database: Database
) -> None:
    copy = page("https://mirror.example.org/depeg", DEPEG.title, DEPEG.text)
    await index.add([copy])
    assert await rows(database, "bodies") == len(LIBRARY)
    await removed(index, [DEPEG.id])
    assert (await index.get(copy.id)) == copy
    await removed(index, [copy.id])
    assert await rows(database, "bodies") == len(LIBRARY) - 1


async def removed(index: ArchiveIndex, ids: list[str]) -> int:
    return await index.database.write(lambda c: remove(c, sorted(set(ids))))


async def rows(database: Database, table: str) -> int:
    def count(connection: Connection) -> int:
        return connection.raw.execute(f"SELECT count(*) FROM {table}").fetchone()[0]

    return await database.read(count)


async def test_a_search_shows_a_page_as_it_was_read_last(index: ArchiveIndex) -> None:
    """What it said before is kept, but it does not say it any more; a time range has its own last."""
    url = "https://ferry.example/fare"
    texts = ["The walrus ferry costs $4.", "The walrus ferry costs $6.", "The ferry is closed."]
    versions = [
        page(url, "Fare", text, days_ago=n, fetched=NOW - timedelta(days=n))
        for n, text in zip((30, 20, 10), texts, strict=True)
    ]
    await index.add(versions)
    hits = await index.search(Query(text="walrus ferry"), NOW)
    assert [hit.document for hit in hits] == [versions[2]]
    then = (NOW - timedelta(days=15)).date().isoformat()
    hits = await index.search(Query(text="walrus ferry", time_range=f"../{then}"), NOW)
    assert [hit.document for hit in hits] == [versions[1]]
    assert await index.get(versions[0].id) == versions[0]


async def test_by_url_gives_the_version_read_last(index: ArchiveIndex) -> None:
    url = "https://v.example.com/"
    versions = [
        page(url, "V", f"version {n}", fetched=NOW - timedelta(days=days))
        for n, days in enumerate((2, 1, 3))
    ]
    await index.add(versions)
    assert await index.by_url(url) == versions[1]
    assert await index.by_url("https://v.example.com/none") is None


async def test_forgetting_leaves_no_trace(index: ArchiveIndex, database: Database) -> None:
    before = await index.search(Query(text="rates exploit"), NOW)
    extra = page("https://gone.example.com/", "Walrus rates", "The walrus exploit, 海象 rates.")
    await index.add([extra])
    assert await removed(index, [extra.id, extra.id, "doc_none"]) == 1
    assert await removed(index, [extra.id]) == 0
    assert await removed(index, []) == 0
    assert await index.get(extra.id) is None
    assert await found(index, "walrus 海象") == []
    assert await rows(database, "archive_text") == len(LIBRARY)
    # The statistics are as if it had never been there: so are the scores.
    assert await index.search(Query(text="rates exploit"), NOW) == before
    fulltext = fulltext_of(database.dialect)
    terms = await database.read(lambda c: fulltext.frequencies(c, ["walru", "海象", "海"]))
    assert set(terms.values()) == {0}


async def test_a_snippet_is_kept_but_not_found(index: ArchiveIndex, database: Database) -> None:
    """Nor is it a version of its page, nor counted; and it can be forgotten."""
    fulltext = fulltext_of(database.dialect)
    before = await database.read(fulltext.totals), await index.stats()
    url = "https://seen.example.com/a"
    snippet = page(url, "Walrus rates", "The walrus exploit, 海象利率, 海象匯率.").model_copy(
        update={"media_type": SNIPPET_TYPE}
    )
    assert await index.add([snippet]) == 1
    assert await index.add([snippet]) == 0
    assert await index.get(snippet.id) == snippet
    assert await index.by_url(url) is None
    assert await found(index, "walrus 海象") == []
    after = await database.read(fulltext.totals), await index.stats()
    assert after[0] == before[0]
    assert after[1].model_copy(update={"bytes": 0}) == before[1].model_copy(update={"bytes": 0})
    assert await removed(index, [snippet.id]) == 1
    assert await index.get(snippet.id) is None
    assert await database.read(fulltext.totals) == before[0]
    assert await rows(database, "bodies") == len(LIBRARY)


async def test_forgetting_is_exact_after_the_tokeniser_changed(database: Database) -> None:
    """The terms that were written are the terms that are taken out, whatever cut them."""
    index, fulltext = ArchiveIndex(database), fulltext_of(database.dialect)
    old = bm25.IndexEntry("cutlikethis", "cut like this and never again")

    def write(connection: Connection) -> None:
        (num,) = shelf.insert(connection, [shelf.Prepared(DEPEG)])
        assert num is not None
        fulltext.count(connection, fulltext.put_in(connection, [(num, old)]))

    await database.write(write)
    assert await removed(index, [DEPEG.id]) == 1
    terms = ["cutlikethis", "cut", "again"]
    frequencies = await database.read(lambda c: fulltext.frequencies(c, terms))
    assert frequencies == dict.fromkeys(terms, 0)
    assert await database.read(fulltext.totals) == (0, 0)
    assert await rows(database, "bodies") == 0


async def test_stats_describe_the_archive(index: ArchiveIndex) -> None:
    stats = await index.stats()
    assert (stats.documents, stats.publishers) == (5, 5)
    assert stats.by_language == {"en": 3, "zh": 1, "zh-Hant": 1}
    assert (stats.oldest, stats.newest) == (NOW - timedelta(days=200), NOW)
    assert stats.bytes > 0


async def test_an_empty_archive_answers(database: Database) -> None:
    index = ArchiveIndex(database)
    assert await index.search(Query(text="anything 什么"), NOW) == []
    stats = await index.stats()
    assert (stats.documents, stats.by_language, stats.oldest) == (0, {}, None)


async def test_odd_documents_are_stored(index: ArchiveIndex) -> None:
    odd = [
        page("https://odd.example.com/empty", "", ""),
        page("https://odd.example.com/nul", "a\0title", "nul\0text"),
        page("https://odd.example.com/word", "Long", "x" * 20_000),
        page("https://odd.example.com/many", "Many", " ".join(f"word{n}" for n in range(120_000))),
    ]
    assert await index.add(odd) == len(odd)
    assert await found(index, "word77 many") == ["https://odd.example.com/many"]
    stored = await index.get(odd[1].id)
    assert stored is not None
    assert (stored.title, stored.text) == ("atitle", "nul\0text")


@pytest.mark.parametrize(
    "when",
    ["2024-05-02T07:00:00+08:00", "2024-05-01T22:00:00-03:30", "2024-05-02T00:00:00Z", None],
)
async def test_the_zone_of_a_publication_is_kept(index: ArchiveIndex, when: str | None) -> None:
    at = None if when is None else datetime.fromisoformat(when)
    one = page("https://zone.example.com/a", "A", "text").model_copy(update={"published_at": at})
    await index.add([one])
    stored = await index.get(one.id)
    assert stored is not None
    assert stored.published_at == at
    assert at is None or (stored.published_at and stored.published_at.date() == at.date())


async def test_two_who_add_the_same_at_once_store_it_once(database: Database) -> None:
    first, second = ArchiveIndex(database), ArchiveIndex(database)
    counts = await asyncio.gather(*(index.add(LIBRARY) for index in (first, second)))
    assert sum(counts) == len(LIBRARY)
    fulltext = fulltext_of(database.dialect)
    assert (await database.read(fulltext.totals)).documents == len(LIBRARY)


async def test_candidates_hold_any_term_and_fulfil_the_conditions(
    index: ArchiveIndex, database: Database
) -> None:
    fulltext = fulltext_of(database.dialect)
    where = Where("d.language = ?", ("zh",))
    nums = await database.read(
        lambda c: fulltext.candidates(c, {"脱锚": 2.0, "rate": 1.0}, where, 10)
    )
    assert len(nums) == 1


async def test_the_benchmark_measures_and_is_deterministic(database: Database) -> None:
    report = await measure(ArchiveIndex(database), documents=60, queries=6)
    assert all(row.value > 0 for row in report.rows)
    assert report.notes[0].endswith("of 6 queries found something")
    assert not report.notes[0].startswith("0")
    assert list(synthetic(5)) == list(synthetic(5))
