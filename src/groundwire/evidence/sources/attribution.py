"""Whom a text has something from: statements, posts and reports that it relays, or its own reporting.

Everything here reads the normal form of a text in small letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns))


_TRANSLATED = re.compile(
    r"(?:译自|编译自|翻译自|编译[:/]|原文(?:来源|出处|链接|刊于|载于|[:])|来源[:][^\n。]{0,30}编译"
    r"|translated (?:and edited )?from |translation of |originally published (?:in|by|on) )"
    r"(?P<whom>[^\n。:,]{0,40})"
)
_MEDIUM = (
    r"(?:statement|post|posts|tweet|tweets|thread|blog|blog post|filing|release|press release|announcement|notice|"
    r"memo|video|message|x|twitter|telegram|weibo|discord|reddit|facebook|youtube|linkedin|truth social)"
)
_SAYING = (
    r"(?:said|announced|wrote|confirmed|stated|posted|disclosed|claimed|denied|acknowledged|shared|added|warned|"
    r"revealed|declared|admitted|alleged|tweeted)"
)
_MEDIUM_ZH = (
    "(?:声明|公告|通告|推文|帖子|发文|发帖|微博|博客|动态|爆料|博文|公开信|官网|平台|推特|社交媒体)"
)
_SAYING_ZH = "(?:称|表示|宣布|写道|指出|确认|披露|声称|透露|说|证实|否认|爆料)"
_RELAYED = re.compile(
    r"(?:according to |citing |as reported by |in response to |based on |quoting )(?P<whom>[^,.;\n]{2,80})"
    r"|(?:据|援引|引述)(?P<zh>[^,。;\n]{2,30}?)(?:的)?"
    r"(?:声明|公告|消息|报道|通报|公报|文件|称|表示|披露|发布|推文|帖子|发文|发帖|爆料|动态|微博)"
)
# After the name: "said in a statement", "posted on X".
_STATED = re.compile(
    rf" {_SAYING} (?:\w+ ){{0,2}}?(?:in|on|via|through|by) (?:an?|its|his|her|their|the)? ?(?:[a-z]+ ){{0,2}}?{_MEDIUM}\b"
    rf"|(?:在|于|通过|经由?|发布|发表|发出|刊发|今日发布)[^,。;\n]{{0,12}}?{_MEDIUM_ZH}(?:上|中|里|内)?(?:发文|发帖)?{_SAYING_ZH}"
    rf"|发(?:文|帖|推|博){_SAYING_ZH}"
)
# Before it: "In a statement, Bybit confirmed".
_STATED_BY = re.compile(
    rf"\bin (?:an?|its|the) (?:[a-z]+ ){{0,2}}?{_MEDIUM}(?: on \w+)?,? (?P<whom>[^,.;\n]{{2,50}}?) {_SAYING}\b"
    rf"|\b(?:post|tweet|thread|statement|claim|screenshot)s? (?:\w+ ){{0,3}}?(?:by|from|of) (?P<from>[^,.;\n]{{2,50}})"
)
_HANDLE = re.compile(r"(?<![\w.])@\w{2,30}")
_BEFORE = 60

# Sources of the reporter's own, in no other house's name.
_OWN_WORK = _any(
    r"\bour (?:own )?(?:analysis|reporters?|reporting|review|investigation|calculations?|correspondent|sources?)\b",
    r"\bwe (?:have )?(?:traced|analy[sz]ed|reviewed|verified|obtained|found|confirmed|counted|spoke|calculated|examined|interviewed)\b",
    r"\bthis (?:reporter|newspaper|publication|outlet)\b|\btold (?:us|me|this)\b|\b(?:has|have) learned\b",
    r"\b(?:seen|reviewed|obtained|verified) by (?:us|this)\b|\bindependently (?:verified|confirmed)\b",
    "(?:本报|本刊|本台|本网)(?:获得|独家|查阅|查证|核实|看到|获悉|调查|采访|证实|统计|分析)",
    "(?:向|对)(?:本报|本刊|本台|记者)[^,。]{0,6}(?:表示|透露|证实|称|说)",
    "记者(?:查阅|核实|实地|调查|查证|走访|采访(?:了|到)|独家|从[^,。]{2,20}(?:获悉|证实|了解))",
    "我们(?:追踪|分析|查证|核实|统计|查阅|采访|独立)|独立(?:核实|证实)",
)
_ANONYMOUS = _any(
    r"\b(?:sources?|people|persons?|officials?|executives?|employees?|individuals?|insiders?)"
    r"(?: \w+){0,3}? (?:familiar with|briefed on|close to|with (?:direct )?knowledge)",
    r"\bsources? (?:said|say|told)\b",
    r"\b(?:two|three|four|five|several|multiple|six) (?:\w+ ){0,2}?(?:people|sources|officials|employees|executives|traders|lawyers)\b",
    "(?:知情|消息|接近[^,。]{1,12}的?|业内|内部)人士",
    "(?:多|两|三|数|几)(?:名|位)[^,。]{0,10}(?:员工|官员|高管|人士|律师)",
)
_OWN_SOURCE = r"(?:told|seen by|reviewed by|obtained by|shared with|spoke (?:to|with)|confirmed to|向|对|告诉) ?(?:the )?"


def credited(low: str) -> tuple[str, ...]:
    """Whom a text names as the author of what it translates."""
    return tuple(match["whom"] for match in _TRANSLATED.finditer(low))


def attributions(low: str) -> tuple[tuple[int, int], ...]:
    """Where a text names whom it has something from, with the medium of it."""
    spans = [
        match.span("whom" if match["whom"] is not None else "zh")
        for match in _RELAYED.finditer(low)
    ]
    for match in _STATED.finditer(low):
        clause = re.split(r"[,.;。\n]", low[max(0, match.start() - _BEFORE) : match.start()])[-1]
        spans.append((match.start() - len(clause), match.start()))
    for match in _STATED_BY.finditer(low):
        spans.append(match.span("whom" if match["whom"] is not None else "from"))
    return tuple(dict.fromkeys(spans))


def handles(low: str) -> tuple[tuple[int, int], ...]:
    """Where accounts stand by their handles: @whale."""
    return tuple(match.span() for match in _HANDLE.finditer(low))


def reports_itself(low: str, own_names: Iterable[str], relays: bool) -> bool:
    """Whether a text adds evidence of its own; nameless sources are its own when no other has them."""
    if _OWN_WORK.search(low) or (not relays and _ANONYMOUS.search(low)):
        return True
    names = "|".join(re.escape(name.lower()) for name in own_names if name)
    return bool(names) and re.search(rf"(?:{_OWN_SOURCE})(?:{names})", low) is not None


def states(low: str, names: Iterable[str]) -> tuple[int, ...]:
    """Where one of these names is the one who says something, in whatever medium."""
    forms = "|".join(re.escape(name.lower()) for name in names if len(name) > 1)
    if not forms:
        return ()
    says = re.compile(
        rf"(?<![a-z0-9])(?:{forms})(?:'s)?(?: \w+){{0,4}}? {_SAYING}\b"
        rf"|(?:{forms})(?:官方|方面|今日|今天|周.|已|正式|随后|\d+日)*(?:{_SAYING_ZH}|回应|发布|公布)"
    )
    return tuple(match.start() for match in says.finditer(low))
