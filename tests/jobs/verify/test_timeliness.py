"""How old the event was, by the message and by the pages; and what is no news at all."""

from __future__ import annotations

import itertools
from datetime import UTC, datetime, timedelta

import pytest
from tests.evidence.builders import evidence

from groundwire.evidence.messages.impression import message_kind
from groundwire.jobs.verify.confidence import judge
from groundwire.jobs.verify.feature_types import Features
from groundwire.jobs.verify.timeliness import timeliness
from groundwire.language.text.characters import detect_language
from groundwire.model.message import Message
from groundwire.model.source import Evidence
from groundwire.model.stance import Stance, StanceLabel, StanceScores
from groundwire.words import words

AT = datetime(2025, 6, 5, 10, 30, tzinfo=UTC)  # a Thursday; 18:30 in Shanghai and Taipei


def message(text: str, **given: object) -> Message:
    return Message.model_validate(
        {"id": "m", "text": text, "language": detect_language(text), "received_at": AT, **given}
    )


STATED_AGES = [
    # counted back
    ("突发：Curve在3小时前遭攻击，损失约6000万美元", 3.0),
    ("突發：Curve在3小時前遭攻擊，損失約6000萬美元", 3.0),
    ("Curve was attacked three hours ago and lost $60 million", 3.0),
    ("半小时前，Hyperliquid出现异常清算", 0.5),
    ("10 min ago Coinbase halted withdrawals", 0.1667),
    ("2h ago: exploit on Aave", 2.0),
    ("Coinbase was hit by a ransom demand 24 hours ago", 24.0),
    # days, from their end
    ("三天前Circle宣布裁员", 66.5),
    ("三天前Circle宣布裁員", 66.5),
    ("Circle announced layoffs three days ago", 58.5),
    ("昨晚某交易所热钱包被盗", 18.5),
    ("Circle IPO priced yesterday at $31", 10.5),
    ("前天，Ronin桥被盗6.25亿美元", 42.5),
    ("Bybit was hacked last Friday for $1.4 billion", 130.5),
    ("Circle said on Friday that $3.3 billion is stuck at SVB", 130.5),
    ("Circle周五表示将推出新产品", 138.5),
    ("微软周二宣布将裁员6000人", 42.5),
    ("Microsoft said Tuesday it will cut 6,000 jobs", 34.5),
    ("特斯拉股价周四下跌14%", 0.0),
    ("歐洲央行今日降息25個基點", 0.0),
    ("今天上午Uniswap遭到攻击", 6.5),
    ("Earlier today, Uniswap was exploited", 0.0),
    ("2023年3月11日，USDC跌至0.87美元", 19602.5),
    ("USDC lost its peg on March 11, 2023", 19594.5),
    ("土耳其於2023年2月6日發生7.8級地震", 20394.5),
    ("5月20日，Cetus被盗2.23亿美元", 378.5),
    ("Trump signed the order on 2025-06-04 at 14:00 UTC", 20.4833),
    # coarser
    ("一周前OKX暂停DEX服务", 90.5),
    ("Last week Coinbase disclosed a data breach", 82.5),
    ("上個月幣安與SEC和解", 114.5),
    ("去年11月FTX申请破产", 4482.5),
    ("FTX collapsed in November 2022", 22018.5),
    ("In 2021 El Salvador made bitcoin legal tender", 30034.5),
    ("2021年，萨尔瓦多将比特币定为法币", 30042.5),
    # vague, but more than one
    ("几天前有人转走了1亿USDT", 48.0),
    ("幾天前有人轉走了1億USDT", 48.0),
    ("A few days ago a whale moved 1,000 BTC", 48.0),
    ("数周前，内部人员已转移代币", 336.0),
    ("Several hours ago the bridge was drained", 2.0),
    # a dateline says when it is told
    ("6月5日消息，三天前Circle遭到攻击", 66.5),
    ("6月5日消息，Circle遭到攻击", 0.0),
    ("NEW YORK, June 4 (Reuters) - Circle was attacked on Monday", 58.5),
    # the first sentence that dates anything
    ("Curve was drained on Monday. A report will follow on Friday.", 58.5),
    ("Curve周一被盗。团队将于周五公布报告。", 66.5),
]


@pytest.mark.parametrize(("text", "hours"), STATED_AGES)
def test_the_messages_own_date(text: str, hours: float) -> None:
    found = timeliness(message(text))
    assert (found.age_hours, found.dated_by, found.kind) == (hours, "message", "news")
    assert not found.planned
    assert found.reason


PLANNED = [
    "美联储将于周五公布利率决议",
    "聯準會將於週五公布利率決議",
    "周五将公布CPI数据",
    "Fed will announce its decision on Friday",
    "Nonfarm payrolls due Friday",
    "SEC to vote on spot ETF on June 20",
    "SEC推迟至6月24日裁决ETF",
    "Upgrade goes live tomorrow",
    "Circle將於明日在紐交所上市",
    "币安预计将于6月10日恢复提币",
    "Mt. Gox repayments begin next month",
    "比特币减半将于2028年4月发生",
]


@pytest.mark.parametrize("text", PLANNED)
def test_what_is_still_to_come_is_news_of_age_nothing(text: str) -> None:
    found = timeliness(message(text))
    assert (found.age_hours, found.planned, found.kind) == (0.0, True, "news")


BACKGROUND = [
    "Uniswap hacked",
    "BREAKING: SEC approves spot ETH ETF",
    "Founded in 2014, Tether has frozen $5 million",
    "Tether, founded in 2014, froze $5 million in USDT",
    "成立于2014年的Tether宣布冻结2700万美元",
    "成立於2014年的Tether宣布凍結2700萬美元",
    "After last year's hack, KuCoin refunds users",
    "去年的黑客事件后，KuCoin退还用户资金",
    "2022年的FTX事件受害者将获赔",
    "The biggest hack since 2022: Bybit loses $1.4 billion",
    "自2022年以来最大的黑客攻击：Bybit损失14亿美元",
    "與2021年高點相比，ETH下跌60%",
    "ETH is down 60% from its 2021 peak",
    "Trading volume was the lowest since May 2023",
    "as of June 1 Tether held $98 billion in Treasuries",
    "截至6月1日，Tether持有980亿美元国债",
    "Tether Q1 2025 profit hits $1 billion",
    "特斯拉第一季度营收同比下降9%",
    "Hacker who stole $600M in 2021 from Poly Network returns funds",
    "好几个月前的漏洞被利用",
]


@pytest.mark.parametrize("text", BACKGROUND)
def test_background_dates_nothing(text: str) -> None:
    found = timeliness(message(text))
    assert (found.age_hours, found.dated_by) == (None, "nobody")


KINDS = [
    ("一年前的今天，FTX宣布破产", "retrospective"),
    ("One year ago today, FTX collapsed", "retrospective"),
    ("回顾：FTX崩盘始末", "retrospective"),
    ("復盤：FTX崩盤的72小時", "retrospective"),
    ("历史上的今天：Mt.Gox倒闭", "retrospective"),
    ("FTX倒閉三週年：我們學到了什麼", "retrospective"),
    ("Five years after the Mt. Gox collapse, what we learned from it", "retrospective"),
    ("Looking back at the week that broke Terra", "retrospective"),
    ("Today marks the second anniversary of the collapse of SVB", "retrospective"),
    ("BTC will reach $1M by 2030", "opinion"),
    ("比特币将涨到100万美元", "opinion"),
    ("以太坊今年必將突破1萬美元", "opinion"),
    ("Analyst predicts ETH at $10,000", "opinion"),
    ("渣打银行预测比特币年底达到20万美元", "opinion"),
    ("我认为以太坊明年会超过比特币", "opinion"),
    ("I think the SEC will lose this case", "opinion"),
    ("IMO ETH is undervalued", "opinion"),
    ("Why stablecoins matter for emerging markets", "opinion"),
    ("【觀點】聯準會應當停止升息", "opinion"),
    ("Opinion: the bill is a gift to banks", "opinion"),
    ("分析：稳定币法案意味着什么", "opinion"),
    # news that only sounds like it
    ("鲍威尔：我认为通胀仍然过高", "news"),
    ('Powell said "I think inflation is still too high"', "news"),
    ("联储理事沃勒表示，我认为7月可能降息", "news"),
    ("Binance celebrates 8th anniversary with launch of new token", "news"),
    ("币安八周年活动上线", "news"),
    ("交易所恢复盘前交易", "news"),
    ("Losses from the hack could reach $100 million", "news"),
    ("黑客事件损失可能达到1亿美元，代币价格下跌", "news"),
    ("Bitcoin falls below $60,000", "news"),
    ("比特幣跌破6萬美元", "news"),
    ("Bitcoin ETF inflows hit record $1 billion", "news"),
    ("Polymarket prediction market suffers exploit", "news"),
    ("Binance will list PEPE", "news"),
    ("Bitcoin rallies to hit $100,000 for the first time", "news"),
    ("Gold surges to top $3,400", "news"),
    ("Tesla will double output in Shanghai, shares rise", "news"),
    ("预言机攻击导致代币价格失真", "news"),
    ("美联储会议后黄金突破3400美元", "news"),
    ("聯準會會議後黃金突破3400美元", "news"),
    ("链上分析：某巨鲸向币安转入5000枚ETH", "news"),
    ("鏈上觀察：某巨鯨向幣安轉入5000枚ETH", "news"),
    ("Curve官方发布复盘报告，损失6000万美元", "news"),
    ("SEC发布对以太坊现货ETF的审查结果", "news"),
    ("智能合约漏洞使代币跌破0.5美元", "news"),
    ("SOL may drop to $80", "opinion"),
    ("Here's why XRP will explode", "opinion"),
    ("狗狗币即将起飞，价格将暴涨", "opinion"),
    ("美联储将加息25个基点", "news"),
    ("Kraken to acquire NinjaTrader for $1.5 billion", "news"),
]


@pytest.mark.parametrize(("text", "kind"), KINDS)
def test_what_a_message_is(text: str, kind: str) -> None:
    found, words = message_kind(text)
    assert found == kind
    assert bool(words) == (kind != "news")


def test_a_look_back_dates_itself_and_today_is_not_its_day() -> None:
    found = timeliness(message("一年前的今天，FTX宣布破产"))
    assert (found.age_hours, found.dated_by, found.reason) == (None, "message", "一年前的今天")


@pytest.mark.parametrize(
    ("given", "hours"),
    [
        ({}, 18.5),  # as the language suggests: Shanghai
        ({"zone": "America/New_York"}, 6.5),
        ({"zone": "Asia/Tokyo"}, 19.5),
        ({"zone": "Nowhere/Land"}, 18.5),
        ({"published_at": AT - timedelta(hours=6)}, 12.5),  # not when it was received
        ({"language": "en"}, 10.5),
    ],
)
def test_a_day_is_read_where_and_when_the_message_was_sent(
    given: dict[str, object], hours: float
) -> None:
    assert timeliness(message("昨天Circle遭到攻击", **given)).age_hours == hours


def stance_on(
    text: str,
    published: str | None = None,
    *,
    label: StanceLabel = "supports",
    quote: str | None = None,
    url: str = "https://a.example/1",
) -> tuple[Evidence, Stance]:
    page = evidence(text, url=url, published=published)
    shown = text if quote is None else quote
    scores = StanceScores(supports=0, contradicts=0, qualifies=0, unrelated=0)
    return page, Stance(label=label, scores=scores, quote=shown, start=0, end=len(shown))


HACK = message("Curve was drained of $60 million")
FACT = "Curve was drained of $60 million."


@pytest.mark.parametrize(
    ("published", "hours"),
    [
        ("2025-06-05T10:00", 0.5),
        ("2025-06-05T08:00", 2.5),
        ("2025-06-02T08:00", 74.5),
        ("2025-06-06T08:00", 0.0),  # after the message
        # A date without a time: counted from where that day ends last.
        ("2025-06-05", 0.0),
        ("2025-06-04", 0.0),
        ("2025-06-03", 22.5),
        ("2025-06-02", 46.5),
    ],
)
def test_the_event_is_at_least_as_old_as_the_page_that_tells_it(
    published: str, hours: float
) -> None:
    page = stance_on(FACT, published)
    found = timeliness(HACK, [page])
    assert (found.age_hours, found.dated_by) == (hours, "evidence")
    assert found.evidence_ids == (page[0].id,)


@pytest.mark.parametrize(
    "text",
    [
        "国家统计局：2025年4月CPI同比上涨0.7%",
        "國家統計局：2025年4月份消費者物價同比上漲0.7%",
        "比亚迪4月销量同比增长20%",
        "Tesla's China deliveries in April rose 12 percent",
        "US inflation for April came in at 2.4%, the labor department says",
        "April CPI rose 0.2%, in line with forecasts",
        "比亚迪召回全部2024款海豹，共计50万辆",
        "比亞迪召回全部2024年款海豹",
    ],
)
def test_what_a_figure_is_counted_over_and_a_model_year_date_nothing(text: str) -> None:
    assert timeliness(message(text)).age_hours is None


@pytest.mark.parametrize(
    ("text", "published", "hours"),
    [
        # An old message comes round again with its "next week".
        ("The SEC has approved the fund, trading starts next week", "2024-01-10T20:00", 12278.5),
        ("SEC批准该基金，下周开始交易", "2024-01-10T20:00", 12278.5),
        ("SEC批准該基金，下週開始交易", "2024-01-10T20:00", 12278.5),
        # What was announced some days ago for next week is still to come.
        ("The SEC has approved the fund, trading starts next week", "2025-06-02T08:00", 0.0),
        ("SEC批准该基金，下周开始交易", "2025-06-02T08:00", 0.0),
    ],
)
def test_a_day_to_come_is_not_believed_when_all_who_tell_it_are_old(
    text: str, published: str, hours: float
) -> None:
    page = stance_on("The SEC approved the fund.", published)
    assert timeliness(message(text), [page]).age_hours == hours


def test_the_first_page_dates_it_and_a_follow_up_does_not() -> None:
    pages = [
        stance_on(FACT, "2025-06-05T09:00", url="https://b.example/1"),
        stance_on(FACT, "2025-06-03T09:30", url="https://a.example/1"),
        stance_on(FACT, "2025-06-04T09:00", url="https://c.example/1"),
    ]
    found = {order: timeliness(HACK, order) for order in itertools.permutations(pages)}
    assert {each.age_hours for each in found.values()} == {49.0}
    assert {each.evidence_ids for each in found.values()} == {(pages[1][0].id,)}


@pytest.mark.parametrize(
    ("text", "published", "hours"),
    [
        # the quoted sentence dates it, however late the page
        ("Curve was drained of $60 million on July 30, 2023.", "2025-06-05T09:00", 16210.5),
        ("Curve于2023年7月30日被盗6000万美元。", "2025-06-05T09:00", 16218.5),
        ("Curve於2023年7月30日被盜6000萬美元。", "2025-06-05T09:00", 16218.5),
        ("On Monday, Curve was drained of $60 million.", "2025-06-05T09:00", 58.5),
        # background in it does not
        ("Founded in 2020, Curve was drained of $60 million.", "2025-06-05T09:00", 1.5),
        ("After last year's hack, Curve was drained of $60 million.", "2025-06-05T09:00", 1.5),
        ("成立于2020年的Curve被盗6000万美元。", "2025-06-05T09:00", 1.5),
        # nor a day to come
        ("Curve was drained; a report will follow on Friday.", "2025-06-05T09:00", 1.5),
    ],
)
def test_the_day_in_the_quoted_sentence(text: str, published: str, hours: float) -> None:
    assert timeliness(HACK, [stance_on(text, published)]).age_hours == hours


@pytest.mark.parametrize(
    ("today", "background"),
    [
        ("Curve was drained of $60 million on Thursday 5 June.", "Curve's pools were first audited on 8 December 2023."),
        ("6月5日，Curve被盗6000万美元。", "2023年12月8日，Curve的资金池首次接受审计。"),
        ("6月5日，Curve被盜6000萬美元。", "2023年12月8日，Curve的資金池首次接受審計。"),
    ],
)  # fmt: skip
def test_a_day_that_is_not_over_dates_its_news_and_no_background_does(
    today: str, background: str
) -> None:
    pages = [
        stance_on(today, "2025-06-05T09:00", url="https://a.example/1"),
        stance_on(background, "2025-06-05T09:30", url="https://b.example/1"),
    ]
    assert (timeliness(HACK, pages).age_hours or 0.0) <= 1.5


def test_only_the_quoted_sentence_is_asked() -> None:
    text = f"{FACT} In 2023 it had been drained before, on July 30, 2023."
    assert timeliness(HACK, [stance_on(text, "2025-06-05T09:00", quote=FACT)]).age_hours == 1.5


def test_pages_that_tell_a_part_date_nothing() -> None:
    """They may tell another event, of another year."""
    pages = [stance_on(FACT, "2023-08-01T00:30", label="qualifies", url="https://a.example/1")]
    assert timeliness(HACK, pages).age_hours is None
    both = [*pages, stance_on(FACT, "2025-06-05T07:30", url="https://c.example/1")]
    assert timeliness(HACK, both).age_hours == 3.0


def test_a_page_that_is_kept_up_to_date_is_older_than_what_it_tells() -> None:
    status = stance_on("Curve was drained of $60 million on 4 June 2025.", "2021-02-01T08:00")
    assert timeliness(HACK, [status]).age_hours == 10.5
    ahead = stance_on("Curve将于2025年6月20日上线新功能。", "2025-05-20T08:00")
    assert timeliness(message("Curve将上线新功能"), [ahead]).age_hours == 0.0


def test_undated_pages_say_nothing() -> None:
    assert timeliness(HACK, [stance_on(FACT)]).dated_by == "nobody"


@pytest.mark.parametrize(
    ("text", "published", "hours", "by"),
    [
        ("Curve was drained today", "2023-07-30T12:00", 16222.5, "evidence"),  # told again as new
        ("Curve was drained three days ago", "2025-06-05T09:00", 58.5, "message"),
        ("Curve将于明天上线新功能", "2025-06-01T09:00", 0.0, "message"),  # planned stays planned
    ],
)
def test_of_two_bounds_the_higher_counts(text: str, published: str, hours: float, by: str) -> None:
    found = timeliness(message(text), [stance_on(FACT, published)])
    assert (found.age_hours, found.dated_by) == (hours, by)


@pytest.mark.parametrize("text", ["Curve was drained 5000y ago", "Curve was drained 9999 y ago"])
def test_before_all_calendars_is_long_ago(text: str) -> None:
    found = timeliness(message(text))
    assert found.age_hours is not None
    assert found.age_hours > 1_000_000


@pytest.mark.parametrize("published", ["9999-12-31T00:00", "0001-01-01T00:00"])
def test_a_year_that_no_page_is_of_dates_nothing(published: str) -> None:
    assert timeliness(HACK, [stance_on(FACT, published)]).dated_by == "nobody"


@pytest.mark.parametrize(
    ("text", "language", "days"),
    [
        ("Curve was drained today", "en", 0),
        ("Curve was drained yesterday", "en", 1),
        ("Curve 今天被盗", "zh", 0),
        ("Curve 昨天被盗", "zh", 1),
        ("Curve 昨天遭駭", "zh-Hant", 1),
        ("Curve was drained on 1 June 2025", "en", 4),
        # By the clock: hours may be counted.
        ("Curve was drained two hours ago", "en", None),
        ("Curve 两小时前被盗", "zh", None),
    ],
)
def test_an_age_is_no_finer_than_what_dates_the_event(
    text: str, language: str, days: int | None
) -> None:
    found = timeliness(message(text, language=language))
    assert found.days == days
    row = next(
        each
        for each in judge(Features(preliminary=0.6, search="worked", timeliness=found)).waterfall
        if each.rule == "timeliness"
    )
    shown_text = words("en")(row.reason, **row.params)
    assert ("hour" in shown_text) == (days is None)
    if days is not None:
        expected = ("of the same day", "of the day before")
        assert (expected[days] if days < 2 else f"already {days} days old") in shown_text


@pytest.mark.parametrize(
    ("text", "published", "days"),
    [
        # Only the day of the message is known: its first second, or with --as-of its last.
        (FACT, "2025-06-04T23:00", 1),
        (FACT, "2025-06-05T03:00", 0),
        ("Curve was drained of $60 million yesterday.", "2025-06-05T03:00", 1),
        ("Curve昨天被盗6000万美元。", "2025-06-05T03:00", 1),
        ("Curve昨天遭駭6000萬美元。", "2025-06-05T03:00", 1),
        ("Curve was drained of $60 million three hours ago.", "2025-06-05T03:00", 0),
    ],
)
@pytest.mark.parametrize("said", ["2025-06-05T00:00:00+00:00", "2025-06-05T23:59:59+00:00"])
def test_a_message_with_a_day_only_is_counted_from_in_days(
    text: str, published: str, days: int, said: str
) -> None:
    given = {"published_at": datetime.fromisoformat(said)}
    found = timeliness(message(HACK.text, **given), [stance_on(text, published)])
    assert (found.days, found.coarse, found.dated_by) == (days, False, "evidence")


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("Curve was drained yesterday", 1),
        ("Curve昨天被盗", 1),
        ("Curve昨天遭駭", 1),
        ("Curve今天被盗", 0),
        ("Curve was drained two hours ago", None),  # counted back from whenever it was said
        ("Curve两小时前被盗", None),
    ],
)
@pytest.mark.parametrize("said", ["2025-06-05T00:00:00+00:00", "2025-06-05T23:59:59+00:00"])
def test_its_own_words_are_read_on_that_day(text: str, days: int | None, said: str) -> None:
    given = {"published_at": datetime.fromisoformat(said)}
    found = timeliness(message(text, **given))
    assert (found.days, found.dated_by) == (days, "message")
    if days is None:
        assert found.age_hours == 2.0


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("This week Coinbase disclosed a data breach", 0),
        ("本周Coinbase披露数据泄露", 0),
        ("本週Coinbase揭露資料外洩", 0),
        ("Curve was drained in June 2025", 0),
        ("2025年6月，Curve被盗", 0),
        ("Last month Coinbase disclosed a data breach", 5),
        ("上个月Coinbase披露数据泄露", 5),
        ("上個月Coinbase揭露資料外洩", 5),
        ("几天前有人转走了1亿USDT", 2),
        ("幾天前有人轉走了1億USDT", 2),
        ("A few days ago a whale moved 1,000 BTC", 2),
    ],
)
def test_where_no_day_is_named_none_is_counted_from(text: str, days: int) -> None:
    found = timeliness(message(text))
    assert (found.days, found.coarse, found.dated_by) == (days, True, "message")
    shown = judge(Features(preliminary=0.6, search="worked", timeliness=found)).waterfall[-1]
    reason = words("en")(shown.reason, **shown.params)
    assert ("within the time" if days == 0 else f"at least {days} days old") in reason
    assert "hour" not in reason


@pytest.mark.parametrize(
    "text",
    [
        "Curve was drained of $60 million this week.",
        "Curve本周被盗6000万美元。",
        "Curve本週遭駭6000萬美元。",
    ],
)
def test_a_page_of_this_week_tells_what_has_happened_by_then(text: str) -> None:
    found = timeliness(HACK, [stance_on(text, "2025-06-03T08:00")])
    assert (found.age_hours, found.days, found.coarse) == (50.5, None, False)


@pytest.mark.parametrize(
    ("text", "admitted"),
    [
        ("In March 2023 Curve was drained of $60 million.", True),
        ("Curve 在2023年3月被盗6000万美元。", True),
        ("Curve 在2023年3月被盜6000萬美元。", True),
        # a false date, nearer than the true one
        ("On 7 May 2025 Curve was drained of $60 million.", False),
        ("Curve 在2025年5月7日被盗6000万美元。", False),
        ("Curve 在2025年5月7日被盜6000萬美元。", False),
        ("Last week Curve was drained of $60 million.", False),
        ("Curve was drained of $60 million.", False),
        ("刚刚，Curve 被盗6000万美元。", False),
        ("剛剛，Curve 被盜6000萬美元。", False),
    ],
)
def test_a_message_may_admit_that_its_event_is_old(text: str, admitted: bool) -> None:
    message = HACK.model_copy(update={"text": text})
    found = timeliness(message, [stance_on(FACT, "2023-03-02T09:00")])
    assert (found.admitted, found.dated_by) == (admitted, "evidence")


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Consumer prices: up 0.7% in May 2025", "In May 2025 consumer prices rose 0.7%."),
        ("统计局：2025年5月物价上涨0.7%", "2025年5月，全国居民消费价格上涨0.7%。"),
        ("統計局：2025年5月物價上漲0.7%", "2025年5月，全國居民消費價格上漲0.7%。"),
    ],
)
def test_a_page_that_repeats_the_month_of_the_message_makes_it_no_older(
    text: str, quote: str
) -> None:
    page = stance_on(quote, "2025-06-05T09:00")
    found = timeliness(message(text), [page])
    assert found.age_hours is None or found.age_hours < 24 or found.admitted
