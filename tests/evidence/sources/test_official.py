"""Parties are named as words; their own statements differ from what others say on their hosts."""

from __future__ import annotations

import pytest

from groundwire.evidence.sources.official import (
    entities_in,
    is_official,
    official_language,
    voice,
)
from groundwire.evidence.sources.parties import officials


def found(text: str) -> list[str]:
    return [entity.id for entity in entities_in(text)]


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        # plain names, three ways of writing
        ("Binance will delist four tokens on Friday.", ["binance"]),
        ("binance halts withdrawals", ["binance"]),
        ("币安宣布下架四个代币", ["binance"]),
        ("幣安宣布下架四個代幣", ["binance"]),
        ("英伟达与台积电扩大合作", ["nvidia", "tsmc"]),
        ("輝達與台積電擴大合作", ["nvidia", "tsmc"]),
        ("Nvidia and TSMC widen their pact", ["nvidia", "tsmc"]),
        ("工信部约谈拼多多", ["miit", "pdd"]),
        ("金管會核准，證交所公告", ["fsc-tw"]),
        ("港交所披露易文件", ["hkex"]),
        # in order of first mention, each once
        ("OpenAI and Microsoft; OpenAI again, Microsoft again", ["openai", "microsoft"]),
        # the longest name wins
        ("Binance.US sues", ["binance-us"]),
        ("香港证监会发出警告", ["sfc-hk"]),
        ("欧洲央行与日本央行", ["ecb", "boj"]),
        ("歐洲央行與日本央行", ["ecb", "boj"]),
        ("Ethereum Name Service upgrade", ["ens"]),
        ("美国财政部制裁", ["us-treasury"]),
        ("美国商务部发布新规", ["bis-commerce"]),
        ("俄罗斯外交部回应", []),
        # initials only in capitals
        ("The SEC charged two firms", ["sec"]),
        ("It took 30 sec to load", []),
        ("ECB holds rates", ["ecb"]),
        # never inside another word
        ("binancefan and unbinance and binance_fan", []),
        ("OpenAIs", []),
        ("The secs and CFTCs", []),
        ("数字货币安全与代币安排", []),
        ("中央行政区规划", []),
        ("湖北约有十人受伤", []),
        ("北京东路与南京东路", []),
        ("高通胀持续", []),
        ("航空客运恢复", []),
        ("水温达到一百度", []),
        ("今日银行股上涨", []),
        ("互联网易受攻击", []),
        ("反思科学与技术", []),
        ("中华为先", []),
        ("百万科技人员", []),
        # Latin names between Chinese characters
        ("据Circle称，USDC储备安全", ["circle"]),
        ("OpenAI公司与Anthropic均未置评", ["openai", "anthropic"]),
        # tickers and cashtags
        ("USDC trades at $0.97", ["circle"]),
        ("$usdc is back", ["circle"]),
        ("$NEAR jumps", ["near"]),
        ("Shares of the company (NYSE: META) fell", ["nyse", "meta"]),
        ("usdc is back", []),
        ("0700.HK收涨", ["tencent"]),
        # a name in an address is not whom the text is about
        ("Read https://twitter.com/somebody/status/1 now", []),
        ("见 https://www.binance.com/en/square/1，据称", []),
        ("see github.com/openai/whisper", []),
        ("Crypto.com and JD.com agree", ["crypto-com", "jd"]),
        # nothing
        ("", []),
        ("The market moved.", []),
    ],
)
def test_parties_are_named_as_words(text: str, ids: list[str]) -> None:
    assert found(text) == ids


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("Circle said its reserves are safe", ["circle"]),
        ("Stablecoin issuer Circle is seeking a charter", ["circle"]),
        ("Circle the date in your calendar", []),
        ("They drew a circle around the token", []),
        ("Circle of Life, the musical", []),
        ("the Circle Line closed", []),
        ("NEAR validators paused the blockchain", ["near"]),
        ("Near the blockchain conference, a fire broke out", []),
        ("Apple unveiled a new phone", ["apple"]),
        ("Analysts see Apple shares rising after the iPhone event", ["apple"]),
        ("Apple pie with cream", []),
        ("an apple a day and an iPhone", []),
        ("苹果发布新系统", ["apple"]),
        ("蘋果推出新款iPhone", ["apple"]),
        ("苹果每斤五元，香蕉三元", []),
        ("苹果汁与苹果醋", []),
        ("蘋果每斤五元", []),
        ("Meta says it will appeal", ["meta"]),
        ("Zuckerberg's Meta lost the case", ["meta"]),
        ("A meta-analysis of 20 trials", []),
        ("Meta-analysis of models", []),
        ("Base, Coinbase's L2, paused blocks", ["base", "coinbase"]),
        ("Base rates were high", []),
        ("Base Camp was closed", []),
        ("小米发布新车", ["xiaomi"]),
        ("雷军说小米不会涨价", ["xiaomi"]),
        ("小米發表新款汽車", ["xiaomi"]),
        ("小米粥养胃，小米辣很辣", []),
        ("小米价格每斤上涨一元，玉米下跌", []),
        ("玉米、小米和高粱的種植面積", []),
        ("Amazon's AWS was down, sellers complained", ["amazon"]),
        ("Fires in the Amazon rainforest", []),
        ("亚马逊雨林火灾", []),
        ("Visa, the card network, settles in a stablecoin", ["visa"]),
        ("Visa application fees rise", []),
        ("Intel said it would cut jobs", ["intel"]),
        ("US intel points to a plot", []),
        ("央行宣布下调存款准备金率", ["pbc"]),
        ("某国央行", []),
        ("建行下调存款利率", ["ccb"]),
        ("新建行车道通车", []),
        ("新建行車道通車", []),
        ("证监会：加强A股监管", ["csrc"]),
        ("證監會表示將嚴查", ["csrc"]),
        ("联想发布新款笔记本电脑", ["lenovo"]),
        ("这让人联想到去年", []),
        ("Gemini, the Winklevoss exchange, settles", ["gemini-exchange"]),
        ("Google Gemini Flash is out", ["google"]),
        ("Strategy bought more bitcoin", ["strategy", "bitcoin-core"]),
        ("A better Strategy for growth", []),
        # one name of two bodies: what is near decides, without it nobody is meant
        ("The FSC in Seoul fined an exchange", ["fsc-korea"]),
        ("Taiwan's FSC drafted a law", ["fsc-tw"]),
        ("The FSC said nothing", []),
    ],
)
def test_a_name_that_is_also_a_word_needs_something_that_bears_it_out(
    text: str, ids: list[str]
) -> None:
    assert found(text) == ids


@pytest.mark.parametrize(
    ("url", "entity"),
    [
        ("https://www.circle.com/blog/an-update-on-usdc", "circle"),
        ("https://circle.com", "circle"),
        ("http://WWW.CIRCLE.COM./en/usdc?utm_source=x#top", "circle"),
        ("https://www.binance.com/en/support/announcement/abc123", "binance"),
        ("https://www.binance.com/zh-TC/support/announcement/abc123", "binance"),
        ("https://www.binance.com/support/announcement", "binance"),
        ("https://x.com/binance/status/1", "binance"),
        ("https://twitter.com/Binance/status/1", "binance"),
        ("https://mobile.twitter.com/binance", "binance"),
        ("https://t.me/binance_announcements/55", "binance"),
        ("https://t.me/s/binance_announcements", "binance"),
        ("https://openai.com/index/gpt-5/", "openai"),
        ("https://status.openai.com/incidents/1", "openai"),
        ("https://github.com/openai/whisper/releases", "openai"),
        ("https://raw.githubusercontent.com/openai/whisper/main/README.md", "openai"),
        ("https://www.gov.cn/zhengce/1.htm", "state-council-cn"),
        ("https://english.www.gov.cn/news/1.html", "state-council-cn"),
        ("http://www.pbc.gov.cn/goutongjiaoliu/1/index.html", "pbc"),
        ("https://weibo.com/n/网信中国", "cac"),
        ("https://weibo.com/n/%E7%BD%91%E4%BF%A1%E4%B8%AD%E5%9B%BD", "cac"),
        ("https://slowmist.medium.com/a-hack-1", "slowmist"),
        ("https://www.sec.gov/newsroom/press-releases/2025-1", "sec"),
        ("https://mops.twse.com.tw/mops/web/t05st01", "twse"),
        ("https://huggingface.co/blog/gpt-oss", "hugging-face"),
        ("https://www.hkexnews.hk/listedco/1.pdf", "hkex"),
    ],
)
def test_a_party_speaks_on_its_own_domains_and_accounts(url: str, entity: str) -> None:
    party = officials().get(entity)
    assert party is not None
    assert is_official(url, party)
    assert not is_official("https://a.example/1", party)


@pytest.mark.parametrize(
    ("url", "entity"),
    [
        # visitors on an official host
        ("https://www.binance.com/en/square/post/1", "binance"),
        ("https://www.binance.com/square/post/1", "binance"),
        ("https://www.binance.com/zh-CN/feed/post/1", "binance"),
        ("https://www.binance.com/en/news/flash/1", "binance"),
        ("https://community.openai.com/t/1", "openai"),
        ("https://forum.circle.com/t/1", "circle"),
        ("https://bbs.circle.com/t/1", "circle"),
        ("https://www.circle.com/community/posts/1", "circle"),
        ("https://gov.uniswap.org/t/1", "uniswap"),
        ("https://discussions.apple.com/thread/1", "apple"),
        ("https://learn.microsoft.com/en-us/answers/questions/1", "microsoft"),
        ("https://huggingface.co/blog/somebody/my-post", "hugging-face"),
        ("https://github.com/openai/whisper/issues/5", "openai"),
        ("https://github.com/openai/whisper/discussions/5", "openai"),
        ("https://chatgpt.com/share/1", "openai"),
        ("https://mp.weixin.qq.com/s/1", "tencent"),
        ("https://developer.aliyun.com/article/1", "alibaba"),
        # other people on shared hosts, and staff
        ("https://github.com/somebody/openai", "openai"),
        ("https://x.com/binance_fan/status/1", "binance"),
        ("https://x.com/cz_binance/status/1", "binance"),
        ("https://x.com/sama/status/1", "openai"),
        ("https://x.com/i/status/1", "binance"),
        ("https://weibo.com/u/1234567", "cac"),
        ("https://medium.com/@somebody/slowmist", "slowmist"),
        ("https://t.me/binance_announcements_vip", "binance"),
        # look-alikes and strangers
        ("https://circle.com.evil.example/", "circle"),
        ("https://notcircle.com/", "circle"),
        ("https://circle.co/", "circle"),
        ("https://evil.example/circle.com", "circle"),
        ("https://circle.com@evil.example/", "circle"),
        ("https://pbc.gov.cn.example/", "pbc"),
        ("https://www.reuters.com/circle", "circle"),
        ("https://www.binance.com/en/price/bitcoin", "binance"),  # not a word of Binance
        ("https://www.csrc.gov.cn/1", "state-council-cn"),  # another body under gov.cn
        ("files/one.txt", "circle"),
        ("javascript:alert(1)", "circle"),
        ("", "circle"),
    ],
)
def test_others_do_not_speak_for_a_party(url: str, entity: str) -> None:
    party = officials().get(entity)
    assert party is not None
    assert not is_official(url, party)


def test_a_page_is_official_only_for_the_party_that_it_belongs_to() -> None:
    circle, binance = officials().get("circle"), officials().get("binance")
    assert circle is not None
    assert binance is not None
    urls = ["https://circle.com/1", "https://reuters.com/2", "https://x.com/binance/status/3"]
    assert [is_official(url, circle) for url in urls] == [True, False, False]
    assert [is_official(url, binance) for url in urls] == [False, False, True]


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://www.circle.com/blog", ("circle", "own")),
        ("https://community.openai.com/t/1", ("openai", "visitors")),
        ("https://www.binance.com/en/square/post/1", ("binance", "visitors")),
        ("https://x.com/binance", None),  # a platform vouches for nobody
        ("https://a.example/", None),
        ("files/one.txt", None),
    ],
)
def test_whose_domain_a_page_lies_on(url: str, expected: tuple[str, str] | None) -> None:
    place = voice(url)
    assert (place and (place[0].id, place[1])) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Circle confirmed the outage in an official statement.",
        "The company announced the change in a press release.",
        "An announcement was published today.",
        "官方发布公告，确认暂停提币。",
        "官方發布公告，確認暫停提幣。",
        "公司声明：资金安全。",
        "公司聲明：資金安全。",
        "该消息已获官网证实",
        "The unofficial account was wrong; the official one confirmed the news.",
    ],
)
def test_official_language_is_a_plain_hint(text: str) -> None:
    assert official_language(text) == "plain"


@pytest.mark.parametrize(
    "text",
    [
        "The company denies it is official.",
        "There is no official statement yet.",
        "The exchange has not confirmed the report.",
        "It hasn't confirmed anything.",
        "A fake official announcement circulates.",
        "Is it official?",
        "官方否认该消息",
        "官方否認該消息",
        "官方辟谣：不实",
        "目前没有官方声明",
        "目前沒有官方聲明",
        "尚无官方公告",
        "官方尚未回应",
        "官方尚未回應",
        "有人冒充客服发布虚假公告",
        "是否官方公告？",
    ],
)
def test_official_words_that_are_denied_negated_or_asked_are_hedged(text: str) -> None:
    assert official_language(text) == "hedged"


@pytest.mark.parametrize(
    "text",
    [
        "An unconfirmed report from an unofficial source.",
        "A government official said so.",
        "Financial statements are due; 12 confirmed cases.",
        "非官方消息，未经证实",
        "非官方消息，未經證實",
        "半官方媒体；免责声明",
        "officialdom and statementing",
        "",
    ],
)
def test_other_words_are_no_official_language(text: str) -> None:
    assert official_language(text) is None


@pytest.mark.parametrize(
    "text", ["a-" * 10_000, "a." * 10_000, "Circle " * 3_000, "官方" * 9_000, "https://" * 3_000]
)
def test_a_hostile_text_is_read_in_time(text: str) -> None:
    assert entities_in(text) == ()
    assert official_language(text) in (None, "plain", "hedged")
