"""What the form of a text says of it: whether it asks, tells, doubts, or only names something."""

from __future__ import annotations

import re

from groundwire.language.text.script import traditional
from groundwire.model.desk import Typed

LOOKED_AT = 600  # characters: the form of a text shows in its beginning
_SHORT = 6  # words of a topic; two Chinese characters are about one

_HAN = re.compile(r"[\u3400-\u9fff]")
_WORD = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+(?:[.'’\-][^\W_]+)*")
_SENTENCE = re.compile(r".*?(?:[.!?]+(?=\s)|[。！？\n]+)\s*", re.DOTALL)


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{each})" for each in patterns), re.IGNORECASE)


def _both(words: str) -> str:
    """Chinese words in either script, as alternatives."""
    each = words.split()
    return "|".join(dict.fromkeys([*each, *map(traditional, each)]))


_OPENS = _any(
    r"^(?:so |and |but )?(?:who|what|when|where|why|how|which|whose|whom)\b(?!ever)",
    r"^(?:did|does|is|are|was|were|could|would|should|has|had)\b",
    # Names and months as well: "Will Smith…", "May inflation…".
    r"^(?:will|can|may|might|do|have)\s+(?-i:[a-z])",
)
_WONDERS = _any(
    rf"(?:{_both('吗 呢')})\s*[?？。!！]*\s*$",
    rf"{_both('为什么 为何 何时 何地 多少 多久 多大 怎么 怎样 什么时候 有没有 能否 可否 会不会 是不是 谁')}",
    rf"(?<!{traditional('无论')})(?<!无论)(?<!不论)(?<!不論)如何",
    rf"^(?:{_both('是否 什么 哪')})",
    rf"(?:{_both('哪些 哪个 哪家 哪里 哪年 哪天 哪位 是什么 有什么')})",
    rf"(?<![十百千好]){_both('几')}(?:{_both('个 次 年 家 点 时 岁 位 天 月')})",
)
_ORDERS = _any(
    r"^(?:please )?(?:explain|summari[sz]e|tell me|compare|describe|list|outline|give me)\b",
    rf"^(?:请|請)?(?:帮我|幫我)?(?:{_both('解释 总结 介绍 说说 讲讲 比较 概括 列出 说明')})",
)
_DOUBTS = _any(
    r"\b(?:is|was) (?:it|this|that) (?:true|real|fake|legit|correct)\b",
    r"\bfact[- ]?check|\brumou?rs?\b|\bhoax\b|\b(?:true|real) or (?:false|fake)\b",
    r"^(?:please )?(?:verify|check whether|check if|debunk)\b",
    rf"{_both('真的吗 是真的 是真是假 真假 属实 核实 查证 求证 辟谣 谣言 网传 传闻 传言 据传 听说 爆料 有消息称')}",
)
_TELLS = _any(
    r"^\W*(?:breaking|just in|urgent|alert|exclusive|update|flash)\b",
    r"\b(?:reportedly|allegedly|according to|sources? (?:say|said|close)|(?:it is|is) said to)\b",
    r"\b(?:announce[sd]?|approve[sd]?|confirm(?:s|ed)|den(?:y|ies|ied)|launche[sd]|list(?:s|ed)|delist\w*)\b",
    r"\b(?:hacked|exploited|halt(?:s|ed)|pause[sd]|suspend(?:s|ed)|acquire[sd]|buys|bought|sue[sd]|ban(?:s|ned))\b",
    r"\b(?:los(?:es|t)|depegg?(?:s|ed)|collapse[sd]|crash(?:e[sd])?|plunge[sd]?|surge[sd]?|soar(?:s|ed)?|jump(?:s|ed))\b",
    r"\b(?:fell|falls|rises|rose|drop(?:s|ped)|cuts|raise[sd]|hikes|files|filed|resign(?:s|ed)|die[sd]|wins|won)\b",
    r"\b(?:is|are|was|were|has|have|had|will|would) (?:now |just |not |been |also |set )?\w+",
    rf"{_both('快讯 突发 据悉 据报道 消息称 消息人士 知情人士 独家 重磅 刚刚')}",
    rf"{_both('宣布 获批 批准 上线 下架 暂停 停止 被盗 被黑 遭黑客 脱锚 收购 起诉 否认 证实 辞职 破产 倒闭')}",
    rf"{_both('上涨 下跌 暴跌 暴涨 大涨 跌至 涨至 跌破 突破 禁止 推出 发布 将于 已经 损失 推迟 下调 上调 降准 降息 加息')}",
)  # fmt: skip


def typed(text: str) -> Typed:
    """Return the form of a text."""
    stripped = text.strip()
    sentences = [each for each in _SENTENCE.findall(stripped + "\n") if _WORD.search(each)]
    if len(text) >= LOOKED_AT and len(sentences) > 1:
        sentences.pop()  # its end is cut off: nobody knows what it was
    marked = [each for each in sentences if re.search(r"[?？]", each)]
    words = len(_WORD.findall(stripped)) - len(_HAN.findall(stripped)) / 2
    tells = bool(_TELLS.search(stripped))
    message = words > 60 or (len(sentences) > 2 and len(marked) < len(sentences))
    open_ended = bool(_OPENS.search(stripped) or _WONDERS.search(stripped))
    said_first = tells and len(sentences) > 1 and sentences[0] not in marked
    asks = bool(marked) or (open_ended and not (tells and _reports(stripped)))
    only = bool(marked) and len(marked) == len(sentences)
    orders = bool(_ORDERS.search(stripped))
    return Typed(
        text=stripped,
        # However long: who only asks, asks.
        asks=orders or (asks and not said_first and (not message or only)),
        doubts=bool(_DOUBTS.search(stripped)),
        tells=tells,
        topic=words <= _SHORT and not tells and not asks and not re.search(r"[.!。！]$", stripped),
        message=message,
    )


def _reports(text: str) -> bool:
    """Tell whether a Chinese statement only mentions a question: SEC 将决定何时批准."""
    return (
        bool(_HAN.search(text))
        and not re.search(rf"(?:{_both('吗 呢')})|[?？]", text)
        and bool(re.search(_both("将 已 宣布 表示 决定 据 称"), text))
    )
