"""What a page says about itself: corrected, withdrawn, satire, opinion, looking back."""

from __future__ import annotations

import re
from functools import cache

from groundwire.errors import InputError
from groundwire.evidence.data import data_lines
from groundwire.evidence.sources.urls import host_of
from groundwire.language.text.characters import simplify
from groundwire.model.source import Document


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE | re.ASCII)


# Notices about the page itself stand at its head or at its foot.
_HEAD, _FOOT = 1500, 1200

_RETRACTION = _any(
    r"\b(?:this (?:article|story|report|post) (?:has been|was|is) (?:retracted|withdrawn|removed|pulled)|"
    r"(?:has|have) (?:been )?(?:retracted|withdrawn|pulled) (?:this|the|its|our) (?:article|story|report|post)|"
    r"we (?:have )?(?:retracted?|withdrawn?|withdrew) (?:this|the|our) (?:article|story|report)|"
    r"retraction(?: notice)?[:,]|editors? (?:has|have) retracted|retracted:)|[\[(]retracted[\])]",
    r"撤稿(?:声明|通知|启事)|撤回(?:本文|该文|此文|报道|该报道|这篇报道|此报道|本条)|(?:本文|该文|此文|本条|本报道|该报道)(?:一并|已|已被)?(?:撤回|撤稿|删除|撤下)|"
    r"特此撤(?:稿|回)|已(?:经)?撤(?:稿|下)(?:该|本|此|这)?(?:篇)?(?:报道|文章)?|[【\[(]撤(?:稿|回)[】\])]",
)
_CORRECTION = _any(
    r"(?:^|[\n.!?(\[*] ?)(?:corrections?(?: \([^)]{1,40}\))?|corrected(?: on)?[^.\n]{0,30}|clarification|editor'?s'? note|updates? and corrections)\s?[:\-]",
    r"\b(?:an earlier|a previous|the original) version of this (?:article|story|report|post)\b",
    r"\bthis (?:article|story|report|post) (?:has been|was) (?:corrected|amended|updated to correct)\b|[\[(]correct(?:ed|ion)[\])]|\bwe regret the error\b",
    r"更正(?:声明|启事|说明|公告)?[:]|勘误|(?:本文|此前报道|早前版本|早先版本|此前版本|早前报道)[^。\n]{0,20}(?:更正|有误|错误|已修正)|"
    r"编者按[:][^。\n]{0,40}(?:更正|有误)|特此更正|[【\[(]更正[】\])]",
)
_SATIRE = _any(
    r"(?:^|[\n\[(] ?)satire(?:[\])]| ?[:|-])|\bthis (?:article|story|post|site|page|column) is (?:a |pure |a work of )?(?:satire|satirical|parody|fiction(?:al)?|humou?r)\b",
    r"\b(?:a )?satirical (?:news )?(?:site|website|publication|article)\b(?=[^.\n]{0,60}\b(?:we|our|this)\b)|\b(?:our|this) satirical\b",
    r"\b(?:is|as|are) an? (?:\w+ )?(?:satirical|parody|humou?r) (?:news )?(?:site|website|publication|newspaper|magazine|outlet|blog)\b",
    r"\ball (?:(?:our|its|the) )?(?:stories|articles) (?:here |on this site )?are (?:fictional|satirical|satire|made up|invented)\b|\bapril fools?'? (?:joke|story|special)\b",
    r"\b(?:everything|nothing) (?:on this (?:site|page)|here|you (?:have )?read here) is (?:made up|invented|true|real)\b|\bfiction for your amusement\b",
    r"(?:本文|本站|本页|以下内容|本故事|本栏|内容)(?:内容)?(?:纯属|为|是|均为|皆为|全为|系)(?:虚构|讽刺|恶搞|玩笑|杜撰)|讽刺(?:新闻|网站|作品|专栏)[,。:]|纯属虚构[,。]?(?:如有雷同)?",
    r"[【\[(](?:讽刺|恶搞|幽默|愚人节)[】\])]|(?:请勿|切勿|别|不要)当真|愚人节(?:玩笑|特稿|快乐)|博君一笑",
)
_OPINION = _any(
    r"(?:^|[\n\[(|] ?)(?:opinion|op-ed|editorial|commentary|column|analysis|viewpoint|guest post|letters? to the editor)(?:[\])]| ?[:|])",
    r"\b(?:the )?(?:views|opinions) expressed (?:in this (?:article|piece|column) |here )?are (?:those of the author|the author'?s own|my own)\b",
    r"\bthis (?:column|piece|article) (?:gives|reflects|represents|expresses) (?:only )?(?:the author'?s|my|the writer'?s)\b|\bin my (?:view|opinion)\b",
    r"(?:^|[\n\[(|【])(?:评论|观点|社评|社论|时评|专栏|分析|锐评|投书|读者投书|名家专栏)(?:[\])】]|[:|丨/])|(?:本文|文章|文中)?(?:内容)?(?:仅|只)?(?:代表|为|系)作者(?:个人|本人)(?:的)?(?:观点|立场|看法)",
)
# Where a page begins with them; in the middle of a story years go by, too.
_RETROSPECTIVE = _any(
    r"(?:^|\n)\W*(?:one|two|three|four|five|six|ten|\d+|a|a decade) ?(?:years? )?(?:on|later|after|ago today)\b",
    r"\b(?:(?:one|two|three|four|five|six|ten|\d+) years? on\b|(?:first|second|third|fifth|tenth|\d+(?:st|nd|rd|th)) anniversary of|"
    r"looking back (?:at|on)|a look back at|in retrospect|year in review|what we learned from|on this day in)",
    r"(?:^|\n)\W*(?:a |the )?(?:brief |short |full )?(?:timeline|history) of\b",
    r"周年(?:回顾|祭|之际|[:])?|回顾(?=[:]|历史|始末|20|一年|事件|全)|复盘|(?:[一二三四五十两]|\d+)年(?:后|之后|过去)(?:再看|回望|回顾|,)|始末|年度(?:回顾|盘点)|大事记",
    r"(?:^|\n)\W*(?:回看|回望|回首|重温)|(?:[一二三四五十两]|\d+)年前的(?:今天|\d)|简史",
)


def text_flags(document: Document) -> tuple[str, ...]:
    """Sorted flags among correction, opinion, retraction, retrospective, satire."""
    title = simplify(document.title)
    text = document.text
    head, foot = _flat(text[:_HEAD]), _flat(text[max(_HEAD, len(text) - _FOOT) :])
    notice = f"{title}\n{head}\n{foot}"
    found: set[str] = set()
    if _RETRACTION.search(notice):
        found.add("retraction")
    if _CORRECTION.search(notice):
        found.add("correction")
    if _SATIRE.search(notice) or document.tier == "satire" or _is_satire_site(document.url):
        found.add("satire")
    if _OPINION.search(f"{title}\n{head[:300]}\n{foot[-400:]}") or _opinion_path(document.url):
        found.add("opinion")
    if _RETROSPECTIVE.search(f"{title}\n{head[:300]}"):
        found.add("retrospective")
    return tuple(sorted(found))


def _flat(text: str) -> str:
    """The normal form line by line: notices stand at the beginning of lines."""
    return "\n".join(simplify(line) for line in text.splitlines())


@cache
def _satire_sites() -> tuple[str, ...]:
    rows = (line.split("\t") for line in data_lines("tiers.tsv"))
    return tuple(row[0] for row in rows if row[1:2] == ["satire"])


def _is_satire_site(url: str) -> bool:
    try:
        host = host_of(url)
    except InputError:
        return False  # an archive file has no web address
    return any(host == site or host.endswith(f".{site}") for site in _satire_sites())


def _opinion_path(url: str) -> bool:
    return (
        re.search(
            r"//[^?#]*/(?:opinions?|op-ed|editorials?|commentary|commentisfree|pinglun)(?:/|$)", url
        )
        is not None
    )
