"""Times that a sentence names beside that of what it tells: what it is compared with, from when it is to hold; pure."""

from __future__ import annotations

import re

# 与1月批准时不同; unlike in January, compared with 3 March, than on Monday
_COMPARED = re.compile(
    r"(?:[与與和跟較较比]|不同[于於]|相比|[类類]似)(?:[在去今前]|於|于)?年?$|[低高少多][于於][^，。；,;]{0,12}$"
    r"|\b(?:unlike|compared (?:with|to)|than|like)(?: (?:in|on|at|during|the|that|those|of))+ $",
    re.IGNORECASE,
)
# Reuters reported in February that … is due in May: the report is no event where it tells of another day
_REPORTED = re.compile(
    r"[^，。；,;]{0,8}?(?:引述|援引|引用|[报報][道導]|传出|傳出|透露|爆料)", re.IGNORECASE
)
_REPORTED_EN = re.compile(
    r"\b(?:reported|were reporting|cited (?:people|sources)|leaked)(?: (?:on|in|late|early|at the (?:start|end) of))*(?: the)? $",
    re.IGNORECASE,
)
# what unnamed media or rumours had, in a page that tells other news: 此前有外国媒体在2月底报道, a report in February said
_HEARSAY = re.compile(
    r"(?:(?:外国|外國|海外|境外|当地|當地|国内|國內|多家|部分|有|据|據)?(?:媒体|媒體|外媒|外电|外電)|传闻|傳聞|网传|網傳|知情人士|消息人士|熟悉内情|熟悉內情)"
    r"[^。；]{0,40}(?:[报報][道導]|引述|援引|引用|传出|傳出|透露|爆料|[称稱]|[说說]|指)"
    r"|\b(?:an? |earlier )(?:media )?reports?\b[^.;]{0,80}\b(?:said|claimed|suggested)\b"
    r"|\b(?:people|persons|sources) (?:close to|familiar with)\b",
    re.IGNORECASE,
)
# a year that belongs to a name: 1950年的《国防生产法》, the Defence Production Act of 1950
_OF_NAME = re.compile(r"\s*的?(?:《|「|“)")
# 2024年美国数学邀请赛题目上的正确率; last year's platform; the 2024 examination
_OF_NOUN_LONG = re.compile(r"\s*(?P<held>[^，。；,;：:、\s]{1,16}?)的(?=[\w《“「])")
_PLACED = re.compile(r"[上中里裡内內]$")
_OWNED_EN = re.compile(r"['’]s? (?=\w)")
_NOUN_EN = re.compile(r"\b(?:the|its|their|his|her|an?) $", re.IGNORECASE)
_THING_EN = re.compile(r" (?=[\w-]+)(?!(?:to|and|or|of|the|a)\b)")
# must decide by Wednesday, 须在星期三之前作出决定: nothing is done on that day
_MUST = re.compile(
    r"(?:[须須]|必[须須]|最[迟遲]|不晚[于於]|需要?|[应應][当當]?|限)[^，。；]{0,6}在?$"
    r"|\b(?:must|ha(?:s|ve|d) to|need(?:s|ed)? to|required to|ordered to|deadline)\b[^.;]{0,80}"
    r"\b(?:by|before|no later than)(?: the)?(?: end of)? $",
    re.IGNORECASE,
)
_UNTIL = re.compile(r"(?:[（(][^）)]{1,8}[）)])?(?:之|以)?[前內内]")
_OF_NAME_EN = re.compile(
    r"\b[A-Z][\w-]+ (?:Act|Law|Code|Treaty|Convention|Agreement|Accord|Order) of $"
)
# the largest since 2008; 8月15日施行以来，首批
_SINCE = re.compile(r"[^，。；,;]{0,16}?以[来來][^。；]{0,12}?(?:首|第一|最)")
_SINCE_EN = re.compile(
    r"\b(?:first|last|\w+est|most|least|highest|lowest)\b[^,;.]{0,60} since(?: \w+ in)? (?:the )?$",
    re.IGNORECASE,
)
_WITH = tuple("与與和跟較较比在去今前於于年同似")
_SO = re.compile(r"[^，。；,;]{0,24}?(?:不同|相比|相较|相較|[类類]似|一[样樣]|相同|相似)")
# … announced that depositors have their money from Monday: the announcement was not on Monday
_ANNOUNCED = re.compile(
    r"(?:宣布|宣佈|决定|決定|公布|公佈|同意|表示|[称稱说說]|声明|聲明|通知|公告)[^。；]{0,60}?[自从從](?:[今本当當]年)?$"
    r"|\b(?:announce[sd]?|said|says|decide[sd]?|agreed|declared|ordered)\b[^.;]{0,120}?"
    r"\b(?:(?:as )?from|as of|effective(?: from)?|(?:starting|beginning)(?: (?:on|from))?)(?: the)? $",
    re.IGNORECASE,
)
_ON = re.compile(r"(?:[^，。；,;]{0,8}?(?:起|开始|開始))(?![^。；]{0,20}(?:已|了))")
_HAN_END = re.compile(r"[自从從][^a-z]{0,4}$")
# 1月20日推出的模型 …: what the rest of the sentence tells was not on that day; nor what which … had done
_OF_NOUN = re.compile(r"\s*(?:[（(][^）)]{1,8}[）)])?[^，。；,;：:、\s]{1,10}的(?=[\w《“「])")
_RELATIVE = re.compile(r"\b(?:which|who|whom|whose)\b[^,;.]{0,80}$", re.IGNORECASE)
_RELATED = re.compile(r"\b(?:the|an?) (?:[\w-]+ ){1,2}that\b[^,;.]{0,60}$", re.IGNORECASE)
# 北京时间2024年9月10日凌晨 is the 9th in California; 1 a.m. Beijing time on 10 September, 10 September local time
_ZONED = re.compile(r"[时時][間间]|\b(?:[Tt]ime|UTC|GMT)\b")
_ZONED_AFTER = re.compile(r",? (?:at \S+ (?:[ap]\.?m\.? )?)?(?:\w+ time|UTC|GMT)\b")
_NEAR = 160  # characters before a time that are looked at


def is_compared(text: str, opens: int, start: int, end: int) -> bool:
    """Tell whether a time at `start` to `end`, in the sentence that opens there, is one to compare with."""
    before = text[max(opens, start - _NEAR) : start]
    if _SINCE.match(text, end) or _SINCE_EN.search(before):
        return True
    found = _COMPARED.search(before) is not None
    less = found and before[-1:] not in _WITH
    return found and (less or _SO.match(text, end) is not None)


def is_beside(text: str, opens: int, start: int, end: int) -> bool:
    """Tell whether a time is that of a thing that the sentence tells of, not of what it tells."""
    before = text[max(opens, start - _NEAR) : start]
    return _OF_NOUN.match(text, end) is not None or _RELATIVE.search(before) is not None


def is_of_thing(text: str, opens: int, start: int, end: int) -> bool:
    """Tell whether "today" is when something is what the sentence calls it."""
    return end > start and _RELATED.search(text[max(opens, start - _NEAR) : start]) is not None


def is_of_name(text: str, opens: int, start: int, end: int) -> bool:
    """Tell whether a year is a part of what something is called, or tells which thing is meant."""
    before = text[max(opens, start - _NEAR) : start]
    if _OF_NAME.match(text, end) is not None or _OF_NAME_EN.search(before) is not None:
        return True
    if _OWNED_EN.match(text, end) or (_NOUN_EN.search(before) and _THING_EN.match(text, end)):
        return True
    noun = _OF_NOUN_LONG.match(text, end)
    return noun is not None and _PLACED.search(noun["held"]) is not None


def is_deadline(text: str, opens: int, start: int, end: int) -> bool:
    """Tell whether a time is that by which something must be done."""
    must = _MUST.search(text[max(opens, start - _NEAR) : start])
    english = must is not None and must.group().isascii()
    return must is not None and (english or _UNTIL.match(text, end) is not None)


def is_hearsay(sentence: str) -> bool:
    """Tell whether a sentence passes on what unnamed media or people had said."""
    return _HEARSAY.search(sentence) is not None


def is_to_hold(text: str, opens: int, start: int, end: int) -> bool:
    """Tell whether a time is that from which something holds that the sentence says was announced."""
    before = text[max(opens, start - _NEAR) : start]
    if _ANNOUNCED.search(before) is None:
        return False
    return _HAN_END.search(before) is None or _ON.match(text, end) is not None


def is_of_report(text: str, opens: int, start: int, end: int) -> bool:
    """Tell whether a time is that at which somebody reported what the rest of the sentence tells."""
    before = text[max(opens, start - _NEAR) : start]
    return _REPORTED.match(text, end) is not None or _REPORTED_EN.search(before) is not None


def is_zoned(text: str, start: int, end: int) -> bool:
    """Tell whether a sentence says in which zone a day is, so that it may be the day beside it elsewhere."""
    return _ZONED.search(text[start:end]) is not None or _ZONED_AFTER.match(text, end) is not None
