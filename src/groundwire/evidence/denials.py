"""How a sentence stands to what it speaks of: false, denied, negated, rumoured, not done yet, asked."""

from __future__ import annotations

import re

_REPORTS = (
    r"(?:claim|report|rumou?r|news|video|clip|screenshot|image|picture|photo|post|notice|alert|document|"
    r"release|press release|story|stories|message|footage|chart|article|allegation|account|letter|memo)s?"
)
_UNTRUE = (
    r"(?:false|untrue|fake|fabricated|forged|baseless|unfounded|groundless|bogus|doctored|incorrect|inaccurate|"
    r"wrong|a hoax|a lie|an? \w+ hoax|not true|not real|not accurate|not correct|not genuine|made up|invented|"
    r"a rumou?r|without (?:any )?(?:basis|foundation)|misleading|a fake|an error)"
)
_FALSE_EN = (
    rf"\b(?:is|are|was|were|be|being|as|it|that|entirely|completely|simply|proved|called (?:it|them|this)|the clip is) "
    rf"(?:\w+ )?{_UNTRUE}\b"
    rf"|\b(?:false|fake|fabricated|forged|bogus|doctored|hoax|invented|untrue) (?:\w+ )?{_REPORTS}\b"
    r"|\bcall(?:s|ed|ing)\b[^.;]{0,60}\b(?:false|fake|baseless|untrue|fabricated|unfounded|a hoax|nonsense)\b"
    r"|\bhoax\b|\bdebunk\w*|\bno truth\b|\bmisinformation\b|\bdisinformation\b|\bmade with ai\b|\bfact[- ]check\b"
    r"|\bcontrary to (?:\w+ ){0,3}(?:rumou?rs?|reports?|claims?|posts?)\b|\bsetting the record straight\b"
    r"|\bin error\b|\bby mistake\b|\bcannot be right\b|\bno,? the\b"
)
_FALSE_ZH = (
    "不实|不属实|谣言|辟谣|假消息|假讯息|假新闻|虚假|伪造|捏造|并非事实|非事实|子虚乌有|无中生有|谣传|造谣|假的|为假|"
    "是假|系假|误传|毫无根据|无根据|没有根据|与事实不符|失实|拼接|冒用|纯属编造|(?:消息|报道|快讯|说法|讯息)(?:有误|错误)"
)
_DENY_EN = (
    r"\bden(?:y|ies|ied|ying|ial)\b|\brefut\w+|\brebut\w*|\bdisput(?:e|es|ed)\b|\bplay(?:s|ed) down\b|\blaugh\w* at\b"
    rf"|\b(?:dismiss|reject)(?:es|s|ed|ing)? (?:as \w+|(?:\w+ ){{0,3}}(?:{_REPORTS}|talk|speculation|suggestions?))\b"
    r"|\bno such (?:\w+ )?(?:plans?|agreement|deal|project|recall|thing|order|notice|document|application|decision|talks|talk)\b"
    r"|\b(?:has|have|had|there (?:is|are|were|was)) no (?:\w+ ){0,2}(?:plans?|intention|agreement|arrangement|project)\b"
    r"|\bno (?:\w+ )?plans? to\b"
)
_DENY_ZH = "否认|驳斥|澄清|无此事|无此计划|并无此|没有这|没有此|没有该|没有所谓|没有相关|没有任何|没有上线|没有计划|无意|没有出台过"
FALSE = re.compile(f"{_FALSE_EN}|{_FALSE_ZH}")
DENIED = re.compile(f"{_DENY_EN}|{_DENY_ZH}")
# What is told is itself a telling: posts, screenshots, rumours.
TOLD = re.compile(
    rf"\b{_REPORTS}\b|\btalk\b|\bspeculation\b|\bclaims?\b|\bsuggest\w*|\bwhatever\b|"
    "网传|传闻|传言|流传|截图|消息|说法|讯息|图片|文件|报道|快讯|有关|疯传|转传|一事|传播"
)
_RUMOUR_EN = (
    r"\breportedly\b|\ballegedly\b|\bunconfirmed\b|\bunverified\b|\brumou?r\w*\b|\bpurported\w*\b|\bsupposedly\b|"
    r"\bspeculat\w+|\b(?:pseudonymous|anonymous|unnamed) (?:\w+ )?(?:account|user|post|poster|tip)\b|\bheard that\b|"
    r"\b(?:an? )?(?:x |twitter )?(?:user|account|hacker|blogger|poster)\b[^.;]{0,60}\b(?:claim|alleg)\w+|\balleges? that\b|"
    r"\b(?:post|posts|message|messages|chatter)\b[^.;]{0,30}\b(?:claim|claiming|claims|saying|said|says|suggest)\w*|"
    r"\b(?:claims?|claimed) (?:that|to have)\b|\btalk (?:of|about|that)\b|\bmy source\b|\baccused of\b"
)
_RUMOUR_ZH = "网传|据传|传闻|传言|市场传出|坊间|爆料|匿名用户|流传|疯传|疑似|据称|小道消息|社群消息|消息称有|未经证实|\\A传"
RUMOUR = re.compile(f"{_RUMOUR_EN}|{_RUMOUR_ZH}")
# Said of the whole page's matter: nobody could check it.
UNCHECKED = re.compile(
    r"\b(?:could not|couldn't|cannot|unable to|been unable to|has not been|have not been|not been|not yet been|without being able to) "
    r"(?:independently |immediately |be )*(?:verif|confirm|corroborat|authenticat)\w*|\bunconfirmed\b|\bunverified\b|"
    r"\bno (?:independent )?confirmation\b|\bseen no evidence\b|\bno evidence for it\b|"
    "未(?:能|获|经|得到|获得)?(?:独立)?(?:核实|证实|确认)|无法(?:核实|证实|确认)|尚未(?:得到|获得|获)?(?:官方)?(?:证实|核实|确认)|"
    "未提供[^。]{0,12}(?:证据|地址|哈希)|真伪"
)
WEAK = re.compile(
    r"\b(?:in (?:\w+ )?(?:talks|discussions|negotiations)|consider(?:s|ing|ed)?|weigh(?:s|ing|ed)?|mull(?:s|ing|ed)?|"
    r"explor(?:es|ing|ed)|propos(?:e|es|ed|al|als)|plans? (?:to|for)|planning to|planned|intends? to|aims? to|hop(?:es|ing) to|"
    r"seek(?:s|ing)? to|may|might|could|expected to|likely|probably|if approved|draft|consultation|wants?|asks? the|"
    r"voting open|vote (?:is|ends|on)|under review|even odds|calls? for|urg(?:es|ed)|scheduled to vote|possible|potential(?:ly)?|"
    r"not yet|yet to|has yet)\b|"
    "正洽|洽购|洽谈|谈判|商谈|磋商|考虑|有意|拟(?!定)|打算|计划|可能|或将|恐将|有望|预计|预期|建议|提议|提案|草案|征求意见|咨询|谘询|构想|"
    "尚未|仍未|还没|未敲定|如获|若获|若落实|若通过"
)
NEGATION = re.compile(
    r"\b(?:not(?! (?:only|just|merely|least))|never|no(?! (?:doubt|longer than|later|fewer|less|more|one|comment))|neither|nor|without|nobody|none|"
    r"cannot|fail(?:s|ed) to|refus(?:es|ed) to)\b|n't\b|"
    "没有|并未|从未|未曾|未能|并没|并非|不会|不是|不再|不曾|绝不|毫无|没|未(?!来|经证实|获证实|必)|(?<!是)不(?!仅|只|但|过|久|断|少|同|足|及|到|良|论|管|得不|受影响)"
)
_NOT_YET = re.compile(r"\b(?:not yet|yet to)\b|尚未|还没|仍未|还未|暂未|尚无")
_EN_REACH = re.compile(r"(?:\W+[\w'%$.,-]+){0,5}\W*\Z")
_ZH_REACH = 10
_CLAUSE = re.compile(
    r"[,;:。!?]|\.(?=\s|\Z)|\b(?:but|while|although|because)\b|但|不过|然而|因为|由于"
)
# Told of another time: what a page recalls beside its news.
BACKGROUND = re.compile(
    r"\b(?:a (?:week|month|year) ago|(?:last|previous) (?:week|month|year|spring|summer|autumn|winter)|in 20\d\d|earlier this (?:week|month|year)|"
    r"(?:two|three|four|five|six|\w+) (?:weeks|months|years) ago|previously|had (?:once|earlier|long))\b|"
    "一周前|上周|上个?月|去年|前年|年前|个月前|此前曾|曾经|20[012]\\d年"
)
ASKED = re.compile(r"\?[\"')]*\Z|吗[。?]?\Z|是不是|是否")
WITHDRAWN = re.compile(
    r"\b(?:retract\w*|withdrawn (?:this|the) (?:article|story|report)|has withdrawn|(?:earlier|previous|original) version)\b|"
    "撤稿|撤回|更正|勘误|有误"
)


def clause_before(low: str, at: int) -> str:
    """What stands before a place in its clause."""
    start = max((match.end() for match in _CLAUSE.finditer(low, 0, at)), default=0)
    return low[start:at]


def negated_at(low: str, start: int, end: int) -> bool:
    """Whether what is said here is negated: before it in its clause, or right after an auxiliary."""
    before = clause_before(low, start)
    for match in NEGATION.finditer(before):
        gap = before[match.end() :]
        if not match.group().isascii():
            if len(gap) <= _ZH_REACH:
                return True
        elif _EN_REACH.fullmatch(gap):
            return True
    return _NEGATED_AFTER.match(low, end) is not None


_NEGATED_AFTER = re.compile(
    r" (?:is|are|was|were|has|have|did|does|will) (?:not|never)\b|(?:一事)?(?:并不|不存在|并未)"
)


def not_yet(low: str) -> bool:
    """Whether the sentence says that something has still to come."""
    return _NOT_YET.search(low) is not None
