"""Instructions to a model that someone planted in a page; found to be shown, never obeyed."""

from __future__ import annotations

import re

from groundwire.evidence.characters import normalise

_OLD = r"(?:previous|prior|above|preceding|earlier|foregoing|existing|original)"
_ORDERS = r"(?:instructions?|prompts?|directions|directives|commands|system (?:message|prompt)|guidelines|rules)"
_DROP = r"(?:ignore|disregard|forget|override|bypass|do not follow|don't follow|stop following)"
_READER = r"(?:the )?(?:user|users|reader|human|operator)"

_ENGLISH = [
    # "investors should ignore previous guidance" has no instruction to drop
    rf"\b{_DROP} (?:all |any |every |each )?(?:of )?(?:the |your |my |these |those |its )?(?:{_OLD} )+(?:[a-z]+ )?{_ORDERS}\b",
    rf"\b{_DROP} (?:all |any )?(?:of )?(?:the |your )?{_ORDERS} (?:above|before|given|you (?:were|have been|received))\b",
    rf"(?:^|[.!?:;\n\"(\[>*#-] ?)(?:please )?{_DROP} (?:everything|all(?: of)?(?: the)?|anything)? ?(?:the )?(?:text |content )?(?:above|before this)\b",
    rf"\b{_DROP} (?:all |any )?(?:of )?(?:your |the )(?:system |initial )?(?:instructions|system prompt|training|safety guidelines)\b",
    r"(?:^|[.!?:;\"(\[>*#-] ?)you are now (?:a|an|in|the|my|no longer|called|acting|free|operating|[A-Z]{3}\b)(?! (?:customer|member|subscriber|shareholder|leaving|logged))",
    r"\bfrom now on,? you (?:are|will|must|should)\b",
    r"\b(?:reveal|print|repeat|show|output|leak|ignore) (?:me )?(?:your|the) (?:system|hidden|initial|secret) (?:prompt|instructions?)\b",
    rf"\b(?:do not|don't|never) (?:tell|inform|mention (?:this )?to|reveal (?:this )?to|alert|notify) {_READER}\b",
    r"\bas an ai(?: language)? (?:model|assistant),? (?:you|please|ignore)\b",
    r"\b(?:note|message|instructions?|attention|important)(?: to| for)?:? (?:all )?(?:the |any )?(?:ai|llm|language model|chatbot)(?: model| assistant| agent)?s?\b ?[:,-]",
    r"\b(?:if you are|dear) (?:an? |the )?(?:ai|llm|large language model|language model|chatbot)(?: model| assistant| agent)?\b",
    r"\bnew (?:system )?instructions? ?:",
    r"\b(?:rate|classify|mark|report) this (?:page|article|source|document|text|claim) as (?:the )?(?:true|verified|supported|credible|reliable|most)\b",
    r"<\|(?:im_start|im_end|system|user|assistant|endoftext|begin_of_text|start_header_id|eot_id)\|>",
    r"\[/?INST\]|<</?SYS>>",
]  # fmt: skip
_CHINESE = [
    r"(?:忽略|无视|忘记|忘掉|不要理会|不要遵守|不必理会|抛弃|覆盖)(?:掉)?(?:你|您)?(?:的)?(?:以上|上述|上面|前面|之前|先前|此前|原有|原来|所有|全部|一切|系统|你的)[^,。;!?\n]{0,8}(?:指令|指示|提示词|提示|命令|要求|规则|设定|说明|内容|对话)",
    r"(?:请|務必|务必|立即|现在|必须)(?:你)?(?:忽略|无视|忘记)(?:掉)?(?:以上|上述|上面|前面|之前|先前|所有|全部)",
    r"(?:^|[,。;:!?\n\"(])忽略(?:以上|上述|上面|前面|之前)(?:的)?(?:所有|一切|全部|内容|指令|文字|信息)?(?=[,。;:!?\n\"]|并|$)",
    r"(?:你|您)现在(?:是|扮演|的身份是|将扮演)(?:一个|一名|一位)?[^,。;!?\n]{0,12}(?:助手|模型|AI|机器人|黑客|专家|管理员|DAN|角色)",
    r"从现在(?:开始|起),?(?:你|您)(?:是|将|要|必须|只能|扮演)",
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
_EN_SIGNS = re.compile(
    r"(?i:ignore|disregard|forget|override|bypass|follow|you are now|from now on|prompt|instruction|"
    r"the user|the reader|the human|the operator|as an ai|language model|chatbot|\bllm|\bai\b|"
    r"this (?:page|article|source|document|text|claim) as)|<\||\[/?INST|<</?SYS"
)
_ZH_SIGNS = re.compile(
    "忽略|无视|忘记|忘掉|理会|遵守|抛弃|覆盖|现在|用户|使用者|读者|提示|指令|AI|人工智能|模型|本文|此文|这篇文章|本页|该消息"
)
# Role headings at the beginning of a line.
_ROLE = re.compile(
    r"^[ \t]*(?:#{2,}[ \t]*(?:system|instruction|assistant)s?[ \t]*:?[ \t]*$"
    r"|(?:system|assistant)[ \t]*:[ \t]*(?:you|ignore|do not|always|please)\b)",
    re.IGNORECASE | re.MULTILINE,
)


def injected_instructions(text: str) -> tuple[tuple[int, int], ...]:
    """Offsets of text that speaks to a model instead of to a reader, in order."""
    spans = [match.span() for match in _ROLE.finditer(text)]
    for offset, paragraph in _paragraphs(text):
        flat = normalise(paragraph)
        for start, end in _found(flat.text):
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
    """Matches near words that such text cannot do without; the patterns are too slow for whole pages."""
    spans: list[tuple[int, int]] = []
    for pattern, signs in ((_EN, _EN_SIGNS), (_ZH, _ZH_SIGNS)):
        done = 0
        for sign in signs.finditer(flat):
            if sign.start() >= done:
                done = sign.end() + _WINDOW
                near = pattern.finditer(flat, max(0, sign.start() - _WINDOW), done + _WINDOW)
                spans.extend(match.span() for match in near)
    return spans


def _paragraphs(text: str) -> list[tuple[int, str]]:
    """Paragraphs with their offsets: single line breaks may be hiding places, blank lines are not."""
    found: list[tuple[int, str]] = []
    start = 0
    for match in re.finditer(r"\n\s*\n", text):
        found.append((start, text[start : match.start()]))
        start = match.end()
    found.append((start, text[start:]))
    return found
