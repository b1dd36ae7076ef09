"""Whether a message tells news, looks back, or gives an opinion; by its own words, zh and en."""

from __future__ import annotations

import re
from typing import Literal

from groundwire.language.text.characters import simplify

MessageKind = Literal["news", "retrospective", "opinion"]


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


_COUNT = r"(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|a)"
_COUNT_ZH = "(?:[一二两三四五六七八九十]+|\\d+)"
_PAST_EVENT = "倒闭|崩盘|破产|攻击|被盗|事件|暴跌|脱锚|脱钩|爆雷|暴雷|闪崩|大跌|之战|合并|减半|惨案|黑客案|丑闻"
_RETROSPECTIVE = _any(
    rf"\b{_COUNT} years? ago (?:today|this week|this month|on this day)",
    rf"\b(?:on|this day) (?:this day )?{_COUNT} years? ago\b",
    r"\bon this day (?:in|back in) \d{4}|\bthis day in (?:crypto|history|tech|bitcoin)",
    r"\b(?:looking|look|looks|looked) back (?:at|on|to)\b|\ba look back\b|\bin retrospect\b|\bthrowback\b|\bflashback:",
    r"\b(?:first|second|third|fourth|fifth|tenth|\d+(?:st|nd|rd|th)|one-year|two-year|five-year|ten-year) anniversary of "
    r"(?:the )?(?:\S+ ){0,4}(?:collapse|crash|hack|bankruptcy|exploit|attack|breach|depeg|failure|merge|halving|fall|scandal|disaster|launch|birth|pizza)",
    rf"\b{_COUNT} years? (?:on|later|after)\b[,:]? (?:the |what|how|where|since|from)",
    r"\b(?:a )?(?:retrospective|post-?mortem|timeline of events|year in review|week in review|weekly recap|monthly recap|recap):",
    r"\b(?:the )?(?:full |complete |brief )?(?:history|timeline) of (?:the |how )",
    r"\bwhat we (?:learned|learnt) from\b|\blessons (?:learned |learnt )?from\b|\bremember(?:ing)? when\b",
    rf"{_COUNT_ZH}年前(?:的)?(?:今天|今日|此时|这一天|这个时候)|历史上的今天|那年今日|往年今日",
    rf"(?:{_PAST_EVENT}){_COUNT_ZH}周年|{_COUNT_ZH}周年(?:回顾|祭|回望|反思|复盘)|{_COUNT_ZH}年(?:后|之后|过去)(?:再看|再回首|回望|回顾|回看|,我们)",
    r"(?:^|[【\[「《:,。!?\n ])回顾(?!性)|(?:一周|本周|每周|上周|月度|年度|年终|事件|历史|行情|全程|往期|大事|深度|全)回顾|回顾(?:一下|过去|往事|历程|那|20\d\d)",
    r"(?<![恢修康])复盘(?!后|报告|会议)|始末|来龙去脉|前世今生|大事记|(?:年度|年终|一周|月度)盘点|往事|回忆录|回望|编年史|时间线梳理|旧闻",
)
_OPINION = _any(
    r"(?:^|[\n\[(|【「《]\s?)(?:opinion|op-?ed|editorial|commentary|column|analysis|viewpoint|perspective|hot take|my take|unpopular opinion|"
    r"prediction|thoughts|thread|long read)\s?(?:[\])】」》]|[:|\-—丨])",
    r"(?:^|[\n\[(|【「《])(?:[^:\n】]{0,6})?(?:评论|观点|社评|社论|时评|专栏|锐评|随笔|杂谈|点评|看法)(?:[\])】」》]|[:|丨])",
    # 链上分析: is a house that measures; 分析: is an opinion.
    r"(?:^|[\n\[(|【「《])(?:深度)?(?:分析|解读|预测)(?:[\])】」》]|[:|丨])",
    r"\b(?:imo|imho)\b|\bin my (?:opinion|view|humble opinion)\b|\bif you ask me\b|\bhere(?:'s| is) why\b|\bnot financial advice\b|\bnfa\b|\bdyor\b",
    r"^(?:\W*)why (?!did\b|is\b.{0,60}\bdown\b).{3,80}(?:matters?|will|should|is|are|could|may|can|won't|needs?)\b",
    r"\bwhat .{3,60} means? for\b|\b(?:\d+|five|three|ten) reasons? (?:why|to)\b|\bthe case (?:for|against)\b|\bwhat (?:if|would happen if)\b",
    r"个人(?:认为|观点|看法|觉得|判断)|依我看|在我看来|本人认为|笔者(?:认为|以为)|窃以为|仅代表(?:个人|作者)|不构成(?:任何)?投资建议|非投资建议",
    r"^.{0,20}(?:为什么|为何|凭什么|何以).{2,40}(?:重要|值得|会|应该|必须|不会|能|是)|意味着什么|何去何从|怎么看[?？]?|的几点(?:思考|看法)",
)
# In the first person; what another is reported to have said is news.
_I_THINK = _any(
    r"\bi (?:think|believe|feel|expect|predict|bet|reckon|guess|suspect|doubt)\b|\bi(?:'m| am) (?:\w+ )?(?:bullish|bearish|convinced|sure)\b|\bmy (?:prediction|guess|bet|target|forecast)\b",
    "我(?:们)?(?:认为|觉得|相信|预测|判断|猜|看好|看空|看多|预计|的看法|的观点|估计)",
)
_REPORTED = _any(
    r"\b(?:said|says|told|tells|stated|tweeted|wrote|writes|posted|asked|testified|added|remarks?|interview)\b",
    "表示|称|说|指出|透露|回应|发文|接受.{0,8}采访|强调|直言|坦言",
)
# Whose price is meant, and what is foretold of it.
_PRICED = _any(
    r"\$[a-z]{2,6}\b|\b(?:btc|bitcoin|eth|ether|ethereum|sol|solana|xrp|doge|dogecoin|bnb|ada|altcoins?|crypto|tokens?|coins?|prices?|"
    r"stocks?|shares|gold|oil|silver|nasdaq|nvda|tsla|s&p(?: 500)?|dow|market cap|bull run|memecoins?)\b",
    "比特币|以太坊|以太币|大饼|二饼|币价|股价|金价|油价|价格|瑞波|狗狗币|山寨币|牛市|熊市|市值|股指|大盘|a股|美股|港股|黄金|代币",
)
_MAY = r"\b(?:will|could|may|might|can|should|would|going to|gonna|likely to|set to|poised to|about to)\b(?: \w+){0,2}? "
_MAY_ZH = "(?:将|(?<![准委员协国社集])会(?![议谈长见计员会])|可能|有望|或将|或会|恐将|终将|必将|必然|必会|预计|必(?=突破|涨|达|破|到))"
_FORETOLD = _any(
    rf"{_MAY}(?:reach|hit|touch|top|surpass|exceed|climb|fall|drop|rise|go|see|break|trade|average)\b.{{0,24}}?[$€£]?\d",
    rf"{_MAY}(?:soar|surge|skyrocket|moon|rally|crash|plunge|dump|tank|pump|\d+x|outperform|rebound|explode)\b",
    r"\b(?:predicts?|predicted|predictions?|forecasts?|price targets?|to the moon|year-end target)\b",
    r"\b(?:projects|sees) .{0,30}(?:at|hitting|reaching|to) \$",
    f"{_MAY_ZH}[^,。;!?]{{0,8}}(?:涨到|涨至|突破|达到|升至|冲击|冲上|跌到|跌至|跌破|翻倍|站上|上看|触及)[^,。;!?]{{0,6}}\\d",
    f"{_MAY_ZH}[^,。;!?]{{0,8}}(?:暴涨|暴跌|归零|飙升|起飞|腰斩|见顶|见底|反弹|大涨|大跌)",
    "预测|预言(?!机)|目标价|看涨至|看跌至|看至|剑指|喊单",
)
# A loss that could reach a sum, and a thing that already happened, are no forecasts of a price.
_NO_FORECAST = _any(
    r"\b(?:loss(?:es)?|damages?|fines?|toll|victims?|penalt\w+|funding|deal|stolen|hack(?:ed|ers?)?|exploit|outflows?|inflows?|prediction markets?)\b",
    "损失|罚款|伤亡|融资|被盗|赔偿|黑客|流出|流入|预测市场",
)


def message_kind(text: str) -> tuple[MessageKind, str]:
    """What a message is, and the words that say so; news unless it says otherwise."""
    # Line by line: marks of a kind stand at the beginning of lines.
    flat = "\n".join(simplify(line) for line in text.splitlines())
    if found := _RETROSPECTIVE.search(flat):
        return "retrospective", _words(found)
    if found := _OPINION.search(flat):
        return "opinion", _words(found)
    for sentence in re.split(r"(?<=[。!?;])|(?<=[.]) |\n", flat):
        found = _own_view(sentence) or _forecast(sentence)
        if found:
            return "opinion", _words(found)
    return "news", ""


def _words(found: re.Match[str]) -> str:
    return found.group().strip(" \n[](){}【】「」《》|:,-—丨")


def _own_view(sentence: str) -> re.Match[str] | None:
    found = _I_THINK.search(sentence)
    if found is None:
        return None
    before = sentence[: found.start()]
    # Powell: "I think…"; 鲍威尔：我认为…
    reported = re.search(r"[:\"'“‘]\s*$|[:\"“]", before) or _REPORTED.search(before)
    quoted_after = re.search(r"[\"”],? \w+ (?:said|says|told|wrote)\b", sentence[found.end() :])
    return None if reported or quoted_after else found


def _forecast(sentence: str) -> re.Match[str] | None:
    if not _PRICED.search(sentence) or _NO_FORECAST.search(sentence):
        return None
    return _FORETOLD.search(sentence)
