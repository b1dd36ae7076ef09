"""Dates in Chinese text in its normal form (simplified, narrow, without blanks)."""

from __future__ import annotations

import re

from groundwire.language.amounts.numerals import chinese_integer
from groundwire.language.time.calendars import exists
from groundwire.language.time.mentions import (
    ELSEWHERE,
    FESTIVAL,
    FISCAL,
    LUNAR,
    NO_SUCH,
    SEASON,
    VAGUE,
    Level,
    Part,
    Rule,
    Third,
    TimeMention,
)

_N = "[〇零一二三四五六七八九十]"
_TWO = rf"(?:\d{{1,2}}|{_N}{{1,3}})"
_NO_NUMBER = rf"(?<!\d,)(?<![\d.$€£¥第{_N[1:-1]}])"
# 年中 is also the head of 年中国…; it counts where the word ends.
_MID = "中(?=[,。;、:)的时前以之至到起]|$)"
_EDGE = rf"初(?![步级期次创始心中学])|底(?![部层线盘片特蕴色价气])|末(?![日班代端流])|{_MID}"
_FESTIVALS = (
    "春节|除夕|元宵节?|清明节?|端午节?|七夕节?|中秋节?(?!国)|重阳节?|国庆[节日]|国庆(?=期间|假期|长假)|元旦|"
    "双(?:十一|11)|双十节?|圣诞节?|劳动节|儿童节|妇女节|(?:五一|十一)(?=期间|假期|长假|小长假|黄金周|节)|感恩节|复活节"
)
_LUNAR_DAY = "(?:初[一二三四五六七八九十]|廿[一二三四五六七八九]?|二?十[一二三四五六七八九]?|三十)"
_LUNAR = (
    rf"(?:农历|阴历|旧历)(?:[甲乙丙丁戊己庚辛壬癸]?[子丑寅卯辰巳午未申酉戌亥鼠牛虎兔龙蛇马羊猴鸡狗猪]年)?"
    rf"(?P<lm>闰?(?:正|腊|冬|{_N}{{1,2}})月)?(?P<ld>{_LUNAR_DAY})?日?|"
    rf"(?P<lm2>[正腊]月)(?P<ld2>{_LUNAR_DAY})?|大年(?P<ld3>初[一二三四五六七八]|三十)"
)
_FESTIVE = re.compile(rf"(?:{_FESTIVALS})|(?P<lunar>{_LUNAR})")
_TAIL = rf"份?(?:(?P<d>{_TWO})(?:[-~至到、](?P<to>{_TWO}))?[日号]|(?P<third>[上中下]旬|{_EDGE}))?"
_MONTH_TAIL = re.compile(_TAIL)
# 3月期, 3月龄: a length.
_NO_LENGTH = "(?![期龄薪租票刊供费子球亮光饼息均内间后来活嫂经台之有])"
# 1-9月; 8月5-9月3日 is something else.
_MONTH_SPAN = rf"(?P<from>{_TWO})[-~至到](?P<until>{_TWO})月{_NO_LENGTH}(?!\d)份?"
_FROM_MONTH = re.compile(rf"{_NO_NUMBER}(?<![月日]){_MONTH_SPAN}")

_YEAR = re.compile(
    rf"(?<!\d,)(?<![\d.$€£¥])(?:(?:中华)?民国(?P<roc>\d{{1,3}}|[百{_N[1:-1]}]{{1,6}})年|"
    rf"(?P<y>(?:1[89]|20)\d\d|[一二][〇零一二三四五六七八九]{{3}})(?:年(?!代)|(?=财年|会计年度|财政年度))|"
    r"(?P<yy>\d\d)年(?=\d{1,2}月)|(?<![元前])(?P<roc2>1[01]\d)年(?=\d{1,2}月)|(?P<ys>大前年|今年|去年|前年|明年|后年|本年|上年|来年)|"
    r"(?P<yt>同年|当年|次年|翌年))"
)
_AFTER_YEAR = re.compile(
    rf"(?P<fiscal>财年|会计年度|财政年度)|度|前(?P<first>[二三])季度?|第?(?P<q>[一二三四1-4])季度?|(?P<q1>首季度?)|[Qq](?P<q2>[1-4])(?!\d)|"
    rf"(?P<half>[上下])半年|年?(?P<edge>{_EDGE})|{_MONTH_SPAN}|(?P<m>{_TWO})月(?!期){_TAIL}",
    re.IGNORECASE,
)
_YEARS = {"大前年": -3, "前年": -2, "去年": -1, "上年": -1, "今年": 0, "本年": 0, "明年": 1, "来年": 1, "后年": 2}  # fmt: skip
_MONTH = re.compile(rf"{_NO_NUMBER}(?<!个)(?P<m>{_TWO})月{_NO_LENGTH}{_TAIL}")
_MONTHS = re.compile(
    r"(?P<which>上上|上|下下|下|本|这|当)一?个?月(?![球台亮光经薪租票])|(?<![个每当逐按\d])月(?=[初底末]|中[旬,。]|中$)"
)
_BARE_EDGE = re.compile(
    rf"(?<![今去明前后每本当全同一二三四五六七八九〇零十\d])(?:年(?P<edge>{_EDGE})|岁(?P<end>末))"
)
_DAY = re.compile(
    rf"(?<![\d./第])(?<!\d-)(?P<d>\d{{1,2}})日(?![元本均内间后益常]|前(?!往))|"
    rf"{_NO_NUMBER}(?P<d2>二?十[一二三四五六七八九]?|三十一?)日(?![元本均内间后益常]|前(?!往))|"
    r"(?<![\d./第])(?<!\d-)(?P<d3>\d{1,2})号(?=上午|下午|晚|早上|凌晨|中午|至\d|到\d)"
)
_SHIFTED_DAY = re.compile(
    r"(?P<day>大前天|大后天|(?<![目以之提])前天|(?<!提)前日(?!本)|昨[天日]|今天|今日(?!头条|美国|俄罗斯)|"
    r"明[天日](?!系|集团|控股|之星|方舟|香)|后天(?!性|的?努力|免疫|培养))|"
    r"(?P<tight>[今昨明前])(?P<part>[晚早晨夜])(?![饭餐会报间期年])|"
    r"(?P<text>当[天日晚]|同日|次日|翌日|隔[天日]|第二天|头天|[同前]一[天日])"
)
_TIGHT: dict[str, Part] = {"晚": "evening", "夜": "evening", "早": "early_morning", "晨": "dawn"}
_DAYS = {"大前": -3, "前": -2, "昨": -1, "今": 0, "明": 1, "后": 2, "大后": 3}
_WEEKDAYS = {name: number for number, name in enumerate("一二三四五六日")} | {"天": 6}
_WEEK = re.compile(
    rf"(?:(?P<which>上上|下下|上|下|这|本|今|当)一?个?|(?<![每逢隔两几数单双\d{_N[1:-1]}]))(?:周|星期|礼拜)"
    rf"(?P<d>一(?![次场个篇轮些])|[二三四五六日天末])(?!刊|报(?!道))"
)
_WHOLE_WEEK = re.compile(
    r"(?P<which>上上|下下|上|下|这|本)一?个?(?:周|星期|礼拜)(?![刊围边身岁年期转折报长末一二三四五六日天])"
)
_WEEKS = {"上上": -2, "上": -1, "这": 0, "本": 0, "今": 0, "当": 0, "下": 1, "下下": 2}
_QUARTER = re.compile(
    rf"第(?P<q>[一二三四1-4])季度?|前(?P<first>[二三])季度?|(?<![前{_N[1:-1]}\d])(?P<q2>[一二三四])季度|首季(?:度|(?=营收|获利|净利|盈利|财报|业绩|[Gg][Dd][Pp]))|"
    r"(?P<which>上|本|下|这)一?个?季度"
)
# 第二季 without 度 is a season of a show, unless something is reported of it.
_REPORTED = re.compile(
    r"$|[,。;、:)]|的?(?:营收|营业|净利|获利|盈利|财报|业绩|出货|销量|毛利|经济|同比|环比|[Gg][Dd][Pp]|[末初底])"
)
_HALF = re.compile("(?P<half>[上下])半年")
_DECADE = re.compile(
    rf"(?<![\d{_N[1:-1]}])(?:(?P<c>上个?世纪|本世纪|(?:1[89]|2[01]|十[八九]|二十一?)世纪)?(?P<d>\d0|{_N}十|十)年代|"
    rf"(?P<y>(?:1[89]|20)\d0|[一二][〇零一八九][〇零一二三四五六七八九][〇零])年代)(?:初期?|中期|末期?|后期)?"
)
_VAGUE = re.compile(
    r"近日(?!点)|(?<![\d今昨明一二三四五六七八九十])日前|近期|近来|近年来?|近几[天日年周]|最近(?![的一二两三四五六七八九十几半\d])|"
    r"不久前|前不久|前[几些两][天日年]|前段时间|前些日子|这[几两][天日年]|连日来|早些时候"
)


def _year(match: re.Match[str]) -> TimeMention:
    """A year and what follows it: a month, a day, a quarter, a festival."""
    said, end = _named_year(match), match.end()
    if festive := _FESTIVE.match(match.string, end):
        words = _festival(festive)
        return words._replace(
            year=said.year, years=said.years, start=match.start(), end=festive.end()
        )
    after = _AFTER_YEAR.match(match.string, end)
    if after is None:
        return said
    got = after.groupdict()
    quarter = got["q"] or got["q2"] or ("1" if got["q1"] else None)
    if got["fiscal"]:
        said = said._replace(level="fiscal_year", why=FISCAL)
    elif got["first"]:
        said = _first_quarters(said, got["first"])
    elif quarter:
        said = said._replace(level="quarter", month=_first_month(quarter))
    elif got["half"]:
        said = said._replace(level="half", month=1 if got["half"] == "上" else 7)
    elif got["edge"]:
        said = said._replace(third=_third(got["edge"]))
    elif got["from"]:
        said = _with_months(said, after)
    elif got["m"]:
        said = _with_month(said._replace(month=chinese_integer(got["m"])), after)
    return said._replace(start=match.start(), end=after.end())


def _named_year(match: re.Match[str]) -> TimeMention:
    got = match.groupdict()
    if got["yt"]:
        # 当年 is as often "in those days".
        return TimeMention(
            kind="date" if got["yt"] == "同年" else "words", level="year", why=ELSEWHERE
        )
    if got["ys"]:
        return TimeMention(level="year", years=_YEARS[got["ys"]])
    if roc := got["roc"] or got["roc2"]:
        return TimeMention(level="year", year=(chinese_integer(roc) or 0) + 1911)
    if got["yy"]:
        short = int(got["yy"])
        return TimeMention(level="year", year=short + (2000 if short < 70 else 1900))
    return TimeMention(level="year", year=chinese_integer(got["y"]))


def _with_month(said: TimeMention, tail: re.Match[str]) -> TimeMention:
    third = _third(tail["third"]) if tail["third"] else None
    day = chinese_integer(tail["d"]) if tail["d"] else None
    level: Level = "month" if day is None else "day"
    # Month 0 and day 0 are as impossible as 13 and 32.
    why = said.why if exists(said.year, said.month, day) else NO_SUCH
    to = chinese_integer(tail["to"]) if tail["to"] else None
    until = None if to is None else TimeMention(level="day", day=to)
    return said._replace(level=level, day=day, third=third, why=why, until=until)


def _third(name: str) -> Third:
    return "early" if name[0] in "初上" else "mid" if name[0] == "中" else "late"


def _first_quarters(said: TimeMention, number: str) -> TimeMention:
    """前三季度: from the first to the third."""
    last = TimeMention(level="quarter", month=_first_month(number))
    return said._replace(level="quarter", month=1, until=last)


def _first_month(quarter: str) -> int:
    return 3 * (chinese_integer(quarter) or 1) - 2


def _month(match: re.Match[str]) -> TimeMention:
    return _with_month(TimeMention(month=chinese_integer(match["m"])), match)


def _from_month(match: re.Match[str]) -> TimeMention | None:
    said = _with_months(TimeMention(), match)
    return None if said.why else said


def _with_months(said: TimeMention, match: re.Match[str]) -> TimeMention:
    """1-9月: from the one to the other."""
    first, last = chinese_integer(match["from"]), chinese_integer(match["until"])
    why = "" if exists(None, first, None) and exists(None, last, None) else NO_SUCH
    until = TimeMention(level="month", month=last)
    return said._replace(level="month", month=first, until=until, why=said.why or why)


def _months(match: re.Match[str]) -> TimeMention:
    """本月初, 上月11日, 月底."""
    tail = _MONTH_TAIL.match(match.string, match.end())
    assert tail is not None  # it may be empty
    which = match["which"] or "本"
    of_text = TimeMention(kind="words", why=ELSEWHERE)
    said = of_text if which == "当" else TimeMention(months=_WEEKS[which])
    return _with_month(said, tail)._replace(start=match.start(), end=tail.end())


def _bare_edge(match: re.Match[str]) -> TimeMention:
    return TimeMention(level="year", third=_third(match["edge"] or match["end"]))


def _day(match: re.Match[str]) -> TimeMention | None:
    number = chinese_integer(match["d"] or match["d2"] or match["d3"])
    return TimeMention(level="day", day=number) if number and number <= 31 else None


def _shifted_day(match: re.Match[str]) -> TimeMention:
    if match["text"]:
        return TimeMention(kind="words", level="day", why=ELSEWHERE)
    if match["day"]:
        return TimeMention(level="day", days=_DAYS[match["day"][:-1]])
    return TimeMention(level="day", days=_DAYS[match["tight"]], part=_TIGHT[match["part"]])


def _week(match: re.Match[str]) -> TimeMention:
    weeks = _WEEKS[match["which"]] if match["which"] else None
    if match["d"] == "末":
        return TimeMention(level="weekend", weeks=weeks)
    return TimeMention(level="day", weekday=_WEEKDAYS[match["d"]], weeks=weeks)


def _whole_week(match: re.Match[str]) -> TimeMention:
    return TimeMention(level="week", weeks=_WEEKS[match["which"]])


def _quarter(match: re.Match[str]) -> TimeMention:
    if match["which"]:
        return TimeMention(level="quarter", months=3 * _WEEKS[match["which"]])
    if match["first"]:
        return _first_quarters(TimeMention(), match["first"])
    sure = match.group().endswith("度") or _REPORTED.match(match.string, match.end())
    titled = match.string[max(0, match.start() - 1) : match.start()] in ("》", ">", '"', "'")
    return TimeMention(
        level="quarter",
        month=_first_month(match["q"] or match["q2"] or "1"),
        why="" if sure and not titled else SEASON,
    )


def _half(match: re.Match[str]) -> TimeMention:
    return TimeMention(level="half", month=1 if match["half"] == "上" else 7)


def _decade(match: re.Match[str]) -> TimeMention | None:
    if match["y"]:
        return TimeMention(level="decade", year=chinese_integer(match["y"]))
    tens, century = chinese_integer(match["d"]), match["c"]
    if tens is None or tens % 10:
        return None
    if century is None:
        hundred = 2000 if tens < 30 else 1900
    elif century[0] in "上本":
        hundred = 1900 if century[0] == "上" else 2000
    else:
        hundred = ((chinese_integer(century.removesuffix("世纪")) or 20) - 1) * 100
    return TimeMention(level="decade", year=hundred + tens)


def _festival(match: re.Match[str]) -> TimeMention:
    if not match["lunar"]:
        return TimeMention(kind="words", level="day", why=FESTIVAL)
    level: Level = "day" if match["ld"] or match["ld2"] or match["ld3"] else "month"
    return TimeMention(kind="words", level=level, why=LUNAR)


def _vague(match: re.Match[str]) -> TimeMention:
    return TimeMention(kind="words", level="day", why=VAGUE)


DECADE: Rule = (_DECADE, _decade)
YEAR: Rule = (_YEAR, _year)
FESTIVE: Rule = (_FESTIVE, _festival)
HALF: Rule = (_HALF, _half)
MONTH: Rule = (_MONTH, _month)
FROM_MONTH: Rule = (_FROM_MONTH, _from_month)
MONTHS: Rule = (_MONTHS, _months)
EDGE: Rule = (_BARE_EDGE, _bare_edge)
DAY: Rule = (_DAY, _day)
SHIFTED_DAY: Rule = (_SHIFTED_DAY, _shifted_day)
WEEK: Rule = (_WEEK, _week)
WHOLE_WEEK: Rule = (_WHOLE_WEEK, _whole_week)
QUARTER: Rule = (_QUARTER, _quarter)
VAGUE_WORDS: Rule = (_VAGUE, _vague)
