"""The words that reports have beside those of their results, in zh and en."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from groundwire.report.words import in_traditional

Language = Literal["en", "zh", "zh-Hant"]


@dataclass(frozen=True)
class ReportWords:
    """Every label of a report that its result does not have."""

    kinds: Mapping[str, str]
    labels: Mapping[str, str]
    fields: Mapping[str, str]

    def kind(self, name: str) -> str:
        return self.kinds.get(name, name)

    def label(self, name: str) -> str:
        return self.labels[name]

    def field(self, name: str) -> str:
        """The name of a tool's field; one that is not known as it is."""
        return self.fields.get(name, name.replace("_", " "))


_EN = ReportWords(
    kinds={"ask": "Answer", "verify": "Signal", "tool": "Tool"},
    labels={
        "sample": "sample",
        "of the sample": "This report rests on the sample archive, which was written for "
        "demonstration: its outlets are invented.",
        "no result": "The run ended without a result",
        "unfinished": "The run is not finished",
        "why": "reason",
        "message": "Message",
        "about": "About this report",
        "checks": "checked sentences",
        "cost": "cost",
        "run": "run",
        "digest": "digest of the result",
        "state": "state",
        "asked at": "as of",
        "code": "code",
        "received": "received",
        "published": "published",
        "by": "by",
        "undrawn": "□ stands for a character that the fonts of this file do not have; the HTML "
        "report has it.",
        "results": "Results",
        "failures": "Failed",
        "found nothing": "Nothing was found.",
        "text": "Text",
        "seen": "What is written in it",
        "no output": "The tool gave nothing.",
        "stored copy": "This is a stored copy; the page may have changed since.",
        "yes": "yes",
        "no": "no",
        "more": "and {n} more in the other forms of this report",
    },
    fields={},
)

_ZH = ReportWords(
    kinds={"ask": "回答", "verify": "信号", "tool": "工具"},
    labels={
        "sample": "示例",
        "of the sample": "本报告依据示例资料库，其中的媒体均为虚构，仅供演示。",
        "no result": "运行结束但没有结果",
        "unfinished": "运行尚未结束",
        "why": "原因",
        "message": "消息",
        "about": "关于本报告",
        "checks": "句子核对",
        "cost": "费用",
        "run": "运行",
        "digest": "结果摘要值",
        "state": "状态",
        "asked at": "截至",
        "code": "代码",
        "received": "收到",
        "published": "发布",
        "by": "作者",
        "undrawn": "□ 表示本文件字体没有的字符，HTML 报告中可以看到。",
        "results": "结果",
        "failures": "失败",
        "found nothing": "没有找到相关内容。",
        "text": "正文",
        "seen": "图中文字",
        "no output": "工具没有返回内容。",
        "stored copy": "这是存档副本，页面可能已有变化。",
        "yes": "是",
        "no": "否",
        "more": "另有 {n} 条，见本报告的其他格式",
    },
    fields={
        "tool": "工具",
        "query": "查询",
        "url": "网址",
        "symbol": "代码",
        "price": "价格",
        "source": "来源",
        "description": "描述",
        "by": "由",
        "language": "语言",
        "author": "作者",
        "unclear": "看不清的部分",
    },
)


@cache
def _hant() -> ReportWords:
    return in_traditional(_ZH)


def language_of(code: str) -> Language:
    """Which of our languages a result's is; English where it is none."""
    lower = code.lower()
    if lower.startswith("zh-hant"):
        return "zh-Hant"
    return "zh" if lower.startswith("zh") else "en"


def report_words(language: str) -> ReportWords:
    """The words of a language; English where there are none."""
    found = language_of(language)
    return _EN if found == "en" else _ZH if found == "zh" else _hant()
