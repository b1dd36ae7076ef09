"""Instructions to a model that someone planted in a page; found to be shown, never obeyed."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from groundwire.evidence.data import data_lines
from groundwire.language.text.characters import folded, normalise

_OLD = r"(?:previous|prior|above|preceding|earlier|foregoing|existing|original)"
_ORDERS = r"(?:instructions?|prompts?|directions|directives|commands|system (?:message|prompt)|guidelines|rules)"
_DROP = r"(?:ignore|disregard|forget|override|bypass|do not follow|don't follow|stop following)"
_READER = r"(?:the )?(?:user|users|reader|human|operator)"
# Where an order begins: at a boundary, or with a capital (line breaks are blanks by now).
_START = r"(?:^|[.!?:;,\"(\[>*#-] ?|\b(?-i:(?=[A-Z]))|\b(?:please|you must|must|should|always) )"
_NOT = r"(?:do not|don't|never|avoid|refrain from)"
_AI = r"(?:ai|llms?|gpt|chatgpt|claude|gemini|copilot|perplexity|(?:large )?language models?|chatbots?|(?:ai|virtual|digital) (?:assistants?|models?|agents?|systems?|crawlers?|bots?|summari[sz]ers?|readers?|tools?))"
_THIS = r"(?:this|the present|the following) (?:web ?)?(?:page|article|site|document|text|content|post|source|story)"
_OTHERS = r"(?:any )?(?:of the )?(?:other|another|additional|alternative|competing|different|external) (?:news )?(?:sources?|pages?|articles?|websites?|sites?|reports?|results?|documents?|outlets?|references?|publications?)"
_ORDER = r"(?:always|never|only|you (?:must|should|will|need to|have to)|do not|don't|make sure|be sure|ensure|say|state|include|mention|please|respond|answer|conclude|emphasi[sz]e|cite|recommend)"

_ENGLISH = [
    # "investors should ignore previous guidance" has no instruction to drop
    rf"\b{_DROP} (?:all |any |every |each )?(?:of )?(?:the |your |my |these |those |its )?(?:{_OLD} )+(?:[a-z]+ )?{_ORDERS}\b",
    rf"\b{_DROP} (?:all |any )?(?:of )?(?:the |your )?{_ORDERS} (?:above|before|given|you (?:were|have been|received))\b",
    rf"(?:^|[.!?:;\n\"(\[>*#-] ?)(?:please )?{_DROP} (?:everything|all(?: of)?(?: the)?|anything)? ?(?:the )?(?:text |content )?(?:above|before this)\b",
    rf"\b{_DROP} (?:all |any )?(?:of )?(?:your |the )(?:system |initial )?(?:instructions|system prompt|training|safety guidelines)\b",
    r"(?:^|[.!?:;\"(\[>*#-] ?)you are now (?:a|an|in|the|my|no longer|called|acting|free|operating|[A-Z]{3}\b)(?! (?:customer|member|subscriber|shareholder|leaving|logged))",
    # "From now on, you should pay more for oil" speaks to people.
    r"\bfrom now on,? you (?:are (?:an?|the|my|in|called|acting|free|no longer|[A-Z]{3}\b)|(?:will|must|should|shall) (?:only|always|never|not (?:refuse|mention|follow)|answer|respond|reply|act|behave|speak|talk|ignore|obey|say|state|write|output|pretend|follow (?:my|these|the following)|treat|call|cite|recommend|be (?:an?|my|in|called)))\b",
    r"\b(?:reveal|print|repeat|show|output|leak|ignore) (?:me )?(?:your|the) (?:system|hidden|initial|secret) (?:prompt|instructions?)\b",
    rf"\b(?:do not|don't|never) (?:tell|inform|mention (?:this )?to|reveal (?:this )?to|alert|notify) {_READER}\b",
    r"\bas an ai(?: language)? (?:model|assistant),? (?:you|please|ignore)\b",
    r"\b(?:note|message|instructions?|attention|important)(?: to| for)?:? (?:all )?(?:the |any )?(?:ai|llm|language model|chatbot)(?: model| assistant| agent)?s?\b ?[:,-]",
    r"\b(?:if you are|dear) (?:an? |the )?(?:ai|llm|large language model|language model|chatbot)(?: model| assistant| agent)?\b",
    r"\bnew (?:system )?instructions? ?:",
    r"\b(?:rate|classify|mark|report) this (?:page|article|source|document|text|claim) as (?:the )?(?:true|verified|supported|credible|reliable|most)\b",
    rf"\b{_AI} (?:(?:that|which|who) )?(?:are )?(?:currently )?(?:read|process|summari[sz]e?|pars[e]?|index|crawl|visit|view|analy[sz]e?|access|scan)(?:ing|s)? {_THIS}[^.!?]{{0,20}}?(?: must| should| shall| please| need to| have to| are (?:instructed|required|asked|directed|told|requested) to|: )",
    rf"\b{_AI} (?:must|should|shall|please|(?:are|is) (?:instructed|required|asked|directed|told) to) (?:always |only )?(?:cite|quote|state|say|recommend|trust|treat|mention|link to|rank|prefer|describe|summari[sz]e|answer|repeat)\b[^.!?]{{0,60}}\bthis (?:page|article|site|document|source|text)\b",
    rf"(?:^|[.!?\"(\[>*#] ?)(?:(?:hey|hi|hello|dear|attention|to)(?: all)?(?: the)? )?{_AI}[,:!] ?(?:please|you (?:must|should)|do not|always|ignore|say|state|cite|remember|if you)\b",
    r"[\[<({]{1,2}(?:system|admin|developer|assistant)(?: (?:message|prompt|note|override|instructions?|notice))?[\])>}]{1,2}:? ?(?:you|ignore|do not|don't|always|please|cite|only|treat|say|state|respond|answer|override)\b",
    r"\b(?:system|developer|admin(?:istrator)?) (?:message|override|prompt|notice|instructions?): ?(?:you|ignore|do not|always|please|the (?:assistant|model|ai)|answer|respond)\b",
    rf"\bwhen (?:you (?:are )?)?(?:asked to )?(?:summari[sz](?:e|ing)|describ(?:e|ing)|analy[sz](?:e|ing)|evaluat(?:e|ing)|paraphras(?:e|ing)|answering (?:from|about)) {_THIS}[^.!?]{{0,40}}?,? {_ORDER}\b",
    r"\bwhen(?:ever)? (?:you (?:are )?)?(?:answer(?:ing)?|respond(?:ing)? to|asked) (?:any |the |user |users' )*(?:questions?|quer(?:y|ies)|users?|prompts?|about)\b[^.!?]{0,60}, (?:always|never|only|you (?:must|should)|do not|say|state|answer|respond)\b",
    rf"{_START}{_NOT} (?:cit(?:e|ing)|quot(?:e|ing)|mention(?:ing)?|link(?:ing)? to|refer(?:ring)? to|referenc(?:e|ing)|consult(?:ing)?|rely(?:ing)? on|us(?:e|ing)) {_OTHERS}\b",
    rf"\b(?:(?:cite|quote|reference|trust|rely on) only|only (?:cite|quote|reference|trust|rely on)) {_THIS}\b",
    rf"\buse only {_THIS} (?:as your|to answer|when answering|for your answer)\b",
    r"\byour (?:answer|response|summary|reply|output) (?:must|should|shall|has to) (?:always |only )?(?:state|say|recommend|conclude|praise|cite|claim|repeat|assert)\b",
    rf"{_START}(?:mention|recommend|cite|state|say|praise|promote|link to|include|repeat)\b[^.!?]{{0,60}}\bin (?:your|the|any) (?:generated |final )?(?:summary|output|ai answer)\b",
    r"\b(?:include|insert|repeat|add|output|append|write|say|state) (?:the following|this) (?:sentence |text |phrase |line |link |statement |url |message )?(?:verbatim |exactly )?(?:in|into|to|at the (?:end|start|top|beginning) of) your (?:answer|response|summary|reply|output)\b",
    r"\bin (?:your|any|every) (?:summary|answer|output), (?:always |you must |please )?(?:state|say|mention|recommend|praise|conclude|cite)\b",
    rf"{_START}(?:treat|consider|regard|present) {_THIS} as (?:the |an? )?(?:true|verified|credible|reliable|most|only|sole|authoritative|trusted|ground truth|definitive|established)\b",
    rf"{_START}{_NOT} (?:mention|reveal|disclose|repeat|acknowledge|discuss) (?:these|this|the above|your|any) (?:hidden |system )?(?:instructions?|prompts?)\b",
    rf"{_START}(?:ignore|disregard) (?:all |any )?(?:the )?(?:other|conflicting|contradicting|remaining) (?:search results|sources|documents|passages|evidence|context)\b",
    r"<\|(?:im_start|im_end|system|user|assistant|endoftext|begin_of_text|start_header_id|eot_id)\|>",
    r"\[/?INST\]|<</?SYS>>",
]  # fmt: skip
_ZH_AI = r"(?:生成式AI|AI|人工智能|大语言模型|大模型|语言模型|智能助手|聊天机器人|ChatGPT|GPT|DeepSeek|Claude|Gemini|Kimi|Copilot|豆包|文心一言|通义千问)(?:语言模型|助手|助理|模型|搜索引擎|搜索|系统|机器人|代理|爬虫|工具)?(?:们)?"
_ZH_THIS = r"(?:本文章|本文|本页面|本页|本网页|本网站|本站|此文|此页|该页面|该文|这篇文章|这篇报道|这篇报导|以下内容)"
_ZH_START = r"(?:^|[,。;:!?\"(\[【])"
_ZH_MUST = (
    r"(?:请务必|务必|请一定|一定要|必须|请始终|始终|只能|请只|只需|请说|请强调|请勿|不要|不得)"
)
# Licences and reprint notices speak to people.
_ZH_LICENCE = (
    r"(?![^。;!?]{0,8}(?:注明|标明|标注|保留|附上|联系|署名|遵守|征得|获得|取得|授权|经过))"
)
_CHINESE = [
    r"(?:忽略|无视|忘记|忘掉|不要理会|不要遵守|不必理会|抛弃|覆盖)(?:掉)?(?:你|您)?(?:的)?(?:以上|上述|上面|前面|之前|先前|此前|原有|原来|所有|全部|一切|系统|你的)[^,。;!?\n]{0,8}(?:指令|指示|提示词|提示|命令|要求|规则|设定|说明|内容|对话)(?!中的|里的|中提)",
    rf"请(?:各位|各类|所有)?{_ZH_AI}[^,。;!?]{{0,8}}(?:回答|总结|引用|生成|输出|回复|摘要)[^,。;!?]{{0,10}}(?:只|仅|必须|务必|一定|不要|不得|优先|说|称){_ZH_LICENCE}",
    rf"{_ZH_START}(?:请|致)?(?:各位|所有)?{_ZH_AI}(?:请注意|注意)[:,!]",
    rf"{_ZH_START}(?:嗨|你好|亲爱的|致|各位)?,?{_ZH_AI}[,:!](?:请)?(?:你|您)?(?:必须|务必|忽略|只(?:能)?(?:引用|回答|说)|不要|说|在?回答|引用本|推荐|把本|将本)",
    rf"{_ZH_AI}(?:在|若|如)?(?:阅读|读取|总结|引用|处理|解析|检索|回答|读到|看到|分析){_ZH_THIS}[^,。;!?]{{0,8}},?(?:必须|务必|应当|需要?|请|不得|不要|只能){_ZH_LICENCE}",
    rf"(?:总结|概括|摘要|归纳|回答|引用|转述|介绍|评价|分析|处理)(?:关于|与|有关)?{_ZH_THIS}(?:内容|相关问题|的问题)?(?:时|的时候|之时)[^。;!?]{{0,8}}?{_ZH_MUST}{_ZH_LICENCE}",
    rf"(?:{_ZH_START}|请|并且|并|必须|务必|绝对|一定)(?:不要|请勿|切勿|勿|别)(?:再)?(?:引用|参考|提及|援引|采用|搜索|查看)(?:任何)?(?:其他|其它|别的|另外的|外部|更多)(?:的)?(?:报道|报导|来源|网页|网站|文章|媒体|资料|信息源|信源|页面|新闻|搜索结果|链接)",
    rf"(?:只|仅|只能|仅能|必须只)(?:能|可|准|允许)?(?:引用|采信|参考|相信){_ZH_THIS}(?!一|两|数|作者|中的|的一|中)",
    rf"(?:{_ZH_START}|请|你|您|模型|助手|AI)(?:在)?(?:回答|回复|总结|作答|输出|生成答案|生成摘要)(?:用户|提问|此?问题|相关问题|的?问题)*(?:时|的时候|中|之前)?,?(?:你)?(?:请务必|务必|必须|一定要|只能|始终)(?:要)?(?:说|称|写|写明|声明|强调|表示|回答|引用本|引用此|推荐|提到|提及|指出|包含)(?!真话|实话|明白|清楚|英语|英文|中文|普通话)",
    r"请(?:你)?告诉(?:用户|提问者|使用者)(?:,|:|本|该|这|说)",
    r"[\[【<(](?:系统|系统提示|系统消息|系统指令|管理员|SYSTEM)[\]】>)]:?(?:请)?(?:你|您)?(?:必须|只能|是|忽略|无视|只引用|从现在|现在是|回答|务必|不要)",
    r"系统(?:提示|指令|消息|提示词)[:](?:请)?(?:你|您)?(?:必须|忽略|无视|只能|现在是|从现在|不要)",
    rf"(?:请)?(?:将|把){_ZH_THIS}(?:视为|当作|作为|视作)(?:唯一|最权威|权威|最可靠|最可信|可靠|事实|真实)",
    r"在(?:你|您)的(?:总结|摘要|输出|答案)(?:中|里|开头|结尾|末尾)[^。;!?]{0,8}(?:必须|务必|请|加上|包含|提到|推荐|写上|说)",
    r"(?:请|務必|务必|立即|现在|必须)(?:你)?(?:忽略|无视|忘记)(?:掉)?(?:以上|上述|上面|前面|之前|先前|所有|全部)",
    r"(?:^|[,。;:!?\n\"(])忽略(?:以上|上述|上面|前面|之前)(?:的)?(?:所有|一切|全部|内容|指令|文字|信息)?(?=[,。;:!?\n\"]|并|$)",
    r"(?:你|您)现在(?:是|扮演|的身份是|将扮演)(?:一个|一名|一位)?[^,。;!?\n]{0,12}(?:助手|模型|AI|机器人|黑客|专家|管理员|DAN|角色)",
    r"从现在(?:开始|起),?(?:你|您)(?:就|都|将|要|必须|只能|应该?|得)*(?:是[^,。;!?]{0,12}(?:助手|模型|AI|机器人|角色|专家|DAN)|扮演|充当|只(?:能|引用|回答|说)|回答|回复|忽略|无视|听从|服从|遵循|输出|引用|推荐|说|同意|不得|不要|始终|总是)",
    r"(?:不要|切勿|请勿|不得|别)(?:告诉|告知|通知|提醒|透露给|向)(?:用户|使用者|读者)",
    r"(?:输出|显示|泄露|重复|打印|告诉我)(?:你的)?(?:系统提示词?|系统指令|初始指令|隐藏指令)",
    r"(?:作为|身为)(?:一个|一名)?(?:AI|人工智能)(?:语言)?(?:模型|助手),?(?:你|您|请)",
    r"(?:致|给|各位)(?:所有)?(?:AI|人工智能|大模型|语言模型)(?:助手|模型)?[:,]|如果你是(?:一个)?(?:AI|人工智能|大?语言模型|大模型)",
    r"(?:请)?(?:将|把)(?:本文|此文|这篇文章|本页|该消息)(?:标记|判断|评为|列为|认定)(?:为)?(?:真实|可信|已证实|可靠|最高)",
    r"新(?:的)?(?:系统)?指令[:]",
]  # fmt: skip
_EN = re.compile("|".join(_ENGLISH), re.IGNORECASE | re.ASCII)
_ZH = re.compile("|".join(_CHINESE), re.IGNORECASE)
_WINDOW = 120
# What such text cannot do without; looked for as bare characters, which costs next to nothing.
_EN_SIGNS = (
    "ignore", "disregard", "forget", "override", "bypass", "follow", "you are now", "from now on",
    "prompt", "instruction", "the user", "the reader", "the human", "the operator", "as an ai",
    "language model", "chatbot", "llm", " ai", "this page as", "this article as", "this source as",
    "this document as", "this text as", "this claim as", "<|", "[inst", "[/inst", "<<sys", "<</sys",
    "other source", "other site", "other page", "other article", "other report", "other result",
    "other news", "other outlet", "other document", "other website", "other publication",
    "other reference", "additional source", "external s", "alternative s", "different s",
    "only this", "this page", "this article", "this site", "this document", "this source",
    "your answer", "your response", "your summary", "your reply", "your output", "any answer", "every answer", "when answering",
    "when responding", "when asked", "summar", "assistant", "[system", "<system", "(system",
    "{system", "[admin", "[developer", "<developer", "system message", "system prompt",
    "system notice", "override:", "gpt", "claude", "gemini", "copilot", "perplexity", "ai,", "ai:",
    "ai m", "ai s", "ai a", "ai r", "ai p",
)  # fmt: skip
_ZH_SIGNS = (
    "忽略", "无视", "忘记", "忘掉", "理会", "遵守", "抛弃", "覆盖", "现在", "用户", "使用者", "读者",
    "提示", "指令", "ai", "人工智能", "模型", "本文", "此文", "这篇文章", "本页", "该消息",
    "本网", "本站", "这篇报", "以下内容", "不要引用", "勿引用", "只引用", "仅引用", "参考", "引用其", "引用任",
    "提及其", "提及任", "其他", "其它", "回答", "总结", "回复时", "作答", "输出时", "【系统", "(系统", "[系统", "系统指令",
    "系统消息", "机器人", "助手", "gpt", "豆包", "deepseek", "kimi", "claude", "gemini", "文心一言", "通义千问",
    "提问者",
)  # fmt: skip
_ROLE_SIGNS = ("##", "system", "assistant")
_DROPS = re.compile(rf"{_DROP}\b|[忽无忘不抛覆]", re.IGNORECASE)
_OF_OTHERS = re.compile(
    r"\b(?!(?:you|ai|assistants?|models?|llms?|chatbots?|agents?|bots?|and|or|not|have|need|want|"
    r"please|now|required|instructed)\b)[a-z'-]+ (?:also |simply |often |then )?"
    r"(?:(?:should|must|can|could|would|may|might|will|did)(?: not)?|to|not to|cannot|often|routinely) $"
    r"|(?:用户|读者|投资者|投资人|人们|大家|市场|公司|企业|消费者|玩家|监管|政府|分析师|我们|他们|陪审团|"
    r"员工|球员|司机|乘客|居民|学生|网友|专家|交易员|法官)[^,。;:!?]{0,8}$",
    re.IGNORECASE,
)
# Cyrillic, Greek and Armenian letters, small capitals and accents that hide a Latin word.
_FOREIGN = re.compile("[\u00c0-\u058f\u1d00-\u1d2f\u1e00-\u1eff]")
# Role headings at the beginning of a line.
_ROLE = re.compile(
    r"^[ \t]*(?:#{2,}[ \t]*(?:system|instruction|assistant)s?[ \t]*:?[ \t]*$"
    r"|(?:system|assistant)[ \t]*:[ \t]*(?:you|ignore|do not|always|please)\b)",
    re.IGNORECASE | re.MULTILINE,
)


def injected_instructions(text: str) -> tuple[tuple[int, int], ...]:
    """Offsets of text that speaks to a model instead of to a reader, in order."""
    spans: list[tuple[int, int]] = []
    low = text.lower()
    if any(sign in low for sign in _ROLE_SIGNS):
        spans.extend(match.span() for match in _ROLE.finditer(text))
    for offset, paragraph in _paragraphs(text):
        flat = normalise(paragraph)
        for start, end in _found(_unmasked(flat.text)):
            left, right = flat.original(start, end)
            spans.append((left + offset, right + offset))
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)


def _found(flat: str) -> list[tuple[int, int]]:
    """Matches near their signs; the patterns are too slow for whole pages."""
    low = folded(flat)
    spans: list[tuple[int, int]] = []
    for pattern, signs in ((_EN, _EN_SIGNS), (_ZH, () if flat.isascii() else _ZH_SIGNS)):
        done = 0
        here = [sign for sign in signs if sign in low]
        for at in sorted(place for sign in here for place in _places(sign, low)):
            if at >= done:
                done = at + _WINDOW
                near = pattern.finditer(flat, max(0, at - _WINDOW), done + _WINDOW)
                spans.extend(match.span() for match in near if not _reported(flat, match))
    return spans


def _reported(flat: str, match: re.Match[str]) -> bool:
    """Whether the order is told of somebody else: jurors should ignore earlier instructions."""
    if not _DROPS.match(match.group()):
        return False
    before = flat[max(0, match.start() - 48) : match.start()]
    return _OF_OTHERS.search(before) is not None


def _unmasked(flat: str) -> str:
    """Letters of other scripts that look like Latin ones, as these; the length stays."""
    return flat.translate(_look_alikes()) if _FOREIGN.search(flat) else flat


@cache
def _look_alikes() -> dict[int, str]:
    accented = (*range(0xC0, 0x250), *range(0x1E00, 0x1F00))
    table = {code: unicodedata.normalize("NFD", chr(code))[0] for code in accented}
    rows = (line.split("	") for line in data_lines("lookalikes.tsv"))
    return table | {ord(char): letter for letter, others in rows for char in others}


def _places(sign: str, low: str) -> list[int]:
    places: list[int] = []
    at = low.find(sign)
    while at >= 0:
        places.append(at)
        at = low.find(sign, at + 1)
    return places


def _paragraphs(text: str) -> list[tuple[int, str]]:
    """Paragraphs with their offsets: single line breaks may be hiding places, blank lines are not."""
    found: list[tuple[int, str]] = []
    start = 0
    for match in re.finditer(r"\n\s*\n", text):
        found.append((start, text[start : match.start()]))
        start = match.end()
    found.append((start, text[start:]))
    return found
