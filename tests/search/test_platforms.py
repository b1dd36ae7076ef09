"""Platforms: each reached by its own search, then by a feed generator, then by its sites."""

from __future__ import annotations

import pytest
from search_stubs import QUESTION, exchange, make

from groundwire.errors import RateLimited, UnknownName
from groundwire.model.query import Hit, Query
from groundwire.search.chain import Chain
from groundwire.search.platforms import on_sites, platform, platform_of, platforms
from groundwire.search.provider import ProviderAnswer, SearchProvider
from groundwire.words import LANGUAGES, words


class Recorder:
    """Makes a provider answer with one hit, and notes what it was asked."""

    def __init__(self, provider: SearchProvider, url: str) -> None:
        self.asked: list[Query] = []
        self.provider = provider

        async def search(*given: object) -> ProviderAnswer:
            query = given[2]
            assert isinstance(query, Query)
            self.asked.append(query)
            hit = Hit(title=query.text, url=url, content=query.text, provider=provider.name, rank=1)
            return ProviderAnswer(hits=[hit])

        provider.search = search  # type: ignore[method-assign]


def test_the_specified_platforms_are_there_with_names_in_three_languages() -> None:
    named = "wechat zhihu xiaohongshu douyin weibo bilibili toutiao x reddit hackernews github youtube news web"
    assert list(platforms()) == named.split()
    for name in platforms():
        for language in LANGUAGES:
            assert words(language).name("platform", name)


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://mp.weixin.qq.com/s/abc", "wechat"),
        ("https://www.zhihu.com/question/1", "zhihu"),
        ("https://m.weibo.cn/status/1", "weibo"),
        ("https://twitter.com/a/status/1", "x"),
        ("https://old.reddit.com/r/a", "reddit"),
        ("https://notreddit.com/r/a", ""),
        ("https://www.reuters.com/a", ""),
    ],
)
def test_an_address_lies_on_the_platform_of_its_site(url: str, name: str) -> None:
    assert platform_of(url) == name


def test_an_unknown_platform_is_refused_with_the_nearest() -> None:
    with pytest.raises(UnknownName) as error:
        platform("wechatt")
    assert error.value.params["near"] == "wechat"


def chain(*engines: SearchProvider, reserves: tuple[SearchProvider, ...] = ()) -> Chain:
    return Chain(engines, None, reserves=lambda: reserves)  # type: ignore[arg-type]


def names(of: Chain, query: Query) -> list[str]:
    return [each.name for each in of.lineup(query)]


def test_a_platforms_own_search_comes_first_and_only_there() -> None:
    reddit, rsshub, tavily, hn = (make(n) for n in ("reddit", "rsshub", "tavily", "hackernews"))
    whole = chain(tavily, hn, reserves=(reddit, rsshub))
    assert names(whole, QUESTION)[0] == "tavily"
    assert "reddit" not in names(whole, QUESTION)

    def asked(name: str) -> list[str]:
        return names(whole, QUESTION.model_copy(update={"platform": name}))

    assert asked("reddit")[0] == "reddit"
    assert asked("weibo")[:2] == ["rsshub", "tavily"]
    assert asked("hackernews")[:2] == ["hackernews", "tavily"]
    assert asked("wechat")[0] == "tavily"
    assert {"reddit", "rsshub"}.isdisjoint(asked("wechat"))


async def test_engines_that_know_no_platform_search_its_sites() -> None:
    tavily = Recorder(make("tavily"), "https://mp.weixin.qq.com/s/1")
    stray = Recorder(make("brave"), "https://elsewhere.example/1")
    query = Query(text="DeepSeek 降价", platform="wechat")
    found = await chain(tavily.provider).search(_Scope(), query)  # type: ignore[arg-type]
    assert [each.include_domains for each in tavily.asked] == [("mp.weixin.qq.com",)]
    assert [each.platform for each in found.hits] == ["wechat"]
    found = await chain(stray.provider).search(_Scope(), query)  # type: ignore[arg-type]
    assert found.hits == ()
    news = on_sites(Query(text="q", platform="news"))
    assert (news.topic, news.include_domains) == ("news", ())


async def test_a_platforms_own_hits_count_wherever_they_lead() -> None:
    forum = Recorder(make("hackernews"), "https://company.example/post")
    query = Query(text="DeepSeek price", platform="hackernews")
    found = await chain(forum.provider).search(_Scope(), query)  # type: ignore[arg-type]
    assert forum.asked[0].include_domains == ()
    assert [(each.url, each.platform) for each in found.hits] == [
        ("https://company.example/post", "hackernews")
    ]


class _Scope:
    from datetime import UTC, datetime

    now = datetime(2026, 11, 18, tzinfo=UTC)


def test_author_and_engagement_are_kept_as_the_platform_gives_them() -> None:
    reddit, github, forum = make("reddit"), make("github"), make("hackernews")
    for provider, author, names_of in (
        (reddit, "u/reader", {"points", "comments"}),
        (github, "builder", {"stars", "forks", "issues"}),
        (forum, "", {"points", "comments"}),
    ):
        reply = exchange(provider, QUESTION)  # type: ignore[arg-type]
        hits = provider.parse(provider.decode(reply.body), QUESTION)  # type: ignore[attr-defined]
        assert hits and set(hits[0].engagement) == names_of
        assert hits[0].author == author


def test_a_feed_generator_of_ones_own_has_a_route_for_each_platform() -> None:
    own = make("rsshub", routes=("xiaohongshu=/xhs/search/{query}",))
    assert own.serves("xiaohongshu") and own.serves("weibo") and not own.serves("wechat")
    request = own.request(Query(text="固态 电池/报告", platform="xiaohongshu"))  # type: ignore[attr-defined]
    assert request.url.endswith(
        "/xhs/search/%E5%9B%BA%E6%80%81%20%E7%94%B5%E6%B1%A0%2F%E6%8A%A5%E5%91%8A"
    )
    feed = {
        "version": "https://jsonfeed.org/version/1.1",
        "items": [
            {"id": "1", "url": "https://weibo.com/1", "title": "<b>电池</b>", "content_html": "<p>量产 &amp; 交付</p>",
             "date_published": "2026-11-17T08:00:00Z", "authors": [{"name": "记者"}]},
            {"id": "2", "title": "no address"},
        ],
    }  # fmt: skip
    (hit,) = own.parse(feed, Query(text="电池", platform="weibo"))  # type: ignore[attr-defined]
    assert (hit.title, hit.content, hit.author) == ("电池", "量产 & 交付", "记者")


def test_githubs_limit_is_no_wrong_key() -> None:
    with pytest.raises(RateLimited):
        make("github").check(403, {}, b'{"message": "API rate limit exceeded for 1.2.3.4"}')
